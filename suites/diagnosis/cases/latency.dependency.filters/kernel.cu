// Each filter sums its newest feedback first, so five multiply-adds wait in a row from one sample to the next;
// the fix sums what is known earlier first, and one multiply-add is left in the chain.
#include "../../suite.cuh"

constexpr int FILTERS = 132 * 2 * 64, SAMPLES = 8192, TILE = 2048, BLOCK = 64;

struct Filter {  // y = b0 x + b1 x1 + b2 x2 - a1 y1 - a2 y2
  float b0, b1, b2, a1, a2;
};
struct State {
  float x1, x2, y1, y2, energy;
};

__device__ float response(Filter f, const State& s, float x) {
  float y = fmaf(-f.a2, s.y2, -f.a1 * s.y1);
  return fmaf(f.b0, x, fmaf(f.b1, s.x1, fmaf(f.b2, s.x2, y)));
}

__device__ float response_after(Filter f, const State& s, float x) {
  float early = fmaf(f.b0, x, fmaf(f.b1, s.x1, f.b2 * s.x2));
  return fmaf(-f.a1, s.y1, fmaf(-f.a2, s.y2, early));
}

template <float (*RESPONSE)(Filter, const State&, float)>
__device__ void energies(float* out, const float* tunings, const float4* signal) {
  __shared__ float4 tile[TILE / 4];
  int i = blockIdx.x * BLOCK + threadIdx.x;
  Filter f = {0.1f, 0.05f, -0.08f, 0.9f * (4 * tunings[i] - 2), 0.81f};  // poles at radius 0.9
  State s = {};
  auto step = [&](float x) {
    float y = RESPONSE(f, s, x);
    s = {x, s.x1, y, s.y1, fmaf(y, y, s.energy)};
  };
  for (int base = 0; base < SAMPLES / 4; base += TILE / 4) {
    __syncthreads();
    for (int u = 0; u < TILE / 4; u += BLOCK) tile[u + threadIdx.x] = signal[base + u + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int t = 0; t < TILE / 4; ++t) {
      float4 x = tile[t];
      step(x.x), step(x.y), step(x.z), step(x.w);
    }
  }
  out[i] = s.energy;
}

__global__ void filter_bank(float* out, const float* tunings, const float4* signal) {
  energies<response>(out, tunings, signal);
}
__global__ void filter_bank_after(float* out, const float* tunings, const float4* signal) {
  energies<response_after>(out, tunings, signal);
}

static Case make() {
  return {{{FILTERS, 'f', Fill::Zero, true}, {FILTERS, 'f', Fill::Uniform}, {SAMPLES, 'f', Fill::Normal}}, 1e-4};
}
static void bad(const Data& d, cudaStream_t s) {
  filter_bank<<<FILTERS / BLOCK, BLOCK, 0, s>>>(d.get<float>(0), d.get<float>(1), d.get<float4>(2));
}
static void fixed(const Data& d, cudaStream_t s) {
  filter_bank_after<<<FILTERS / BLOCK, BLOCK, 0, s>>>(d.get<float>(0), d.get<float>(1), d.get<float4>(2));
}
