// Sum of squared differences of two sequences: each byte is read once, in 16-byte loads, at DRAM bandwidth. The vain
// change has blocks of 512.
#include "../../suite.cuh"

constexpr int SAMPLES = 1 << 26, QUADS = SAMPLES / 4, PER_THREAD = 4;

template <int THREADS>
__global__ void __launch_bounds__(THREADS) squared_error(float* out, const float4* a, const float4* b) {
  float sum = 0;
  for (int from = blockIdx.x * THREADS * PER_THREAD; from < QUADS; from += gridDim.x * THREADS * PER_THREAD) {
    float4 x[PER_THREAD], y[PER_THREAD];
#pragma unroll
    for (int u = 0; u < PER_THREAD; ++u) {
      x[u] = a[from + u * THREADS + threadIdx.x];
      y[u] = b[from + u * THREADS + threadIdx.x];
    }
#pragma unroll
    for (int u = 0; u < PER_THREAD; ++u) {
      float p = x[u].x - y[u].x, q = x[u].y - y[u].y, r = x[u].z - y[u].z, t = x[u].w - y[u].w;
      sum += (p * p + q * q) + (r * r + t * t);
    }
  }
  __shared__ float parts[THREADS / 32];
  for (int step = 16; step; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  sum = threadIdx.x < THREADS / 32 ? parts[threadIdx.x] : 0;
  for (int step = 16; step; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}

static Case make() {
  return {{{1, 'f', Fill::Zero, true}, {SAMPLES, 'f', Fill::Uniform}, {SAMPLES, 'f', Fill::Uniform}}, 1e-4};
}
static void bad(const Data& d, cudaStream_t s) {
  squared_error<256><<<QUADS / PER_THREAD / 256 / 4, 256, 0, s>>>(d.get<float>(0), d.get<float4>(1), d.get<float4>(2));
}
static void fixed(const Data& d, cudaStream_t s) {
  squared_error<512><<<QUADS / PER_THREAD / 512 / 4, 512, 0, s>>>(d.get<float>(0), d.get<float4>(1), d.get<float4>(2));
}
