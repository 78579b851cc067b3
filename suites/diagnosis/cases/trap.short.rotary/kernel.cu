// Rotary positions of one decoding step, 256 KB of queries: two or three microseconds, most of them start and latency.
// The tempting change has two pairs of pairs to a thread.
#include "../../suite.cuh"

#include <cuda_fp16.h>

constexpr int SEQUENCES = 32, HEADS = 32, WIDTH = 128, BLOCK = 128;

// A thread turns EACH (value, value + 64) couples of half2.
template <int EACH>
__global__ void rotary(__half2* __restrict__ out, const __half2* __restrict__ q, const float2* __restrict__ cosine,
                       const float2* __restrict__ sine) {
#pragma unroll
  for (int u = 0; u < EACH; ++u) {
    int i = (blockIdx.x * EACH + u) * BLOCK + threadIdx.x, head = i / 32, k = i % 32, sequence = head / HEADS;
    float2 c = cosine[sequence * 32 + k], s = sine[sequence * 32 + k];
    float2 a = __half22float2(q[head * 64 + k]), b = __half22float2(q[head * 64 + 32 + k]);
    out[head * 64 + k] = __floats2half2_rn(a.x * c.x - b.x * s.x, a.y * c.y - b.y * s.y);
    out[head * 64 + 32 + k] = __floats2half2_rn(b.x * c.x + a.x * s.x, b.y * c.y + a.y * s.y);
  }
}

constexpr int THREADS = SEQUENCES * HEADS * WIDTH / 4;

static Case make() {
  return {{{SEQUENCES * HEADS * WIDTH, 'h', Fill::Zero, true}, {SEQUENCES * HEADS * WIDTH, 'h', Fill::Normal},
           {SEQUENCES * 64, 'f', Fill::Uniform}, {SEQUENCES * 64, 'f', Fill::Uniform}}, 1e-3};
}
static void bad(const Data& d, cudaStream_t s) {
  rotary<1><<<THREADS / BLOCK, BLOCK, 0, s>>>(d.get<__half2>(0), d.get<__half2>(1), d.get<float2>(2), d.get<float2>(3));
}
static void fixed(const Data& d, cudaStream_t s) {
  rotary<2><<<THREADS / BLOCK / 2, BLOCK, 0, s>>>(d.get<__half2>(0), d.get<__half2>(1), d.get<float2>(2),
                                                  d.get<float2>(3));
}
