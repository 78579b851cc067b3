// The window of 96 bars lives in registers, in a ring unrolled by 96: 16 warps to an SM for a kernel that waits for
// one load at a time. The fix reads the bar that leaves the window again.
#include "../../suite.cuh"

constexpr int SYMBOLS = 1 << 18, BARS = 288, WINDOW = 96, BLOCK = 128;

__device__ float score(float x, float gone, float& sum, float& squares) {
  sum += x - gone;
  squares += x * x - gone * gone;
  float mean = sum * (1.0f / WINDOW);
  return (x - mean) * rsqrtf(fmaxf(squares * (1.0f / WINDOW) - mean * mean, 0.0f) + 1e-3f);
}

__global__ void rolling(float* out, const float* bars) {
  int at = blockIdx.x * BLOCK + threadIdx.x;
  float ring[WINDOW] = {}, sum = 0, squares = 0;
#pragma unroll 1
  for (int t = 0; t < BARS; t += WINDOW) {
#pragma unroll
    for (int k = 0; k < WINDOW; ++k, at += SYMBOLS) {
      float x = bars[at];
      out[at] = score(x, ring[k], sum, squares);
      ring[k] = x;
    }
  }
}

__global__ void rolling_after(float* out, const float* bars) {
  int at = blockIdx.x * BLOCK + threadIdx.x;
  float sum = 0, squares = 0;
  for (int t = 0; t < BARS; ++t, at += SYMBOLS) {
    float x = bars[at], gone = t < WINDOW ? 0.0f : bars[at - WINDOW * SYMBOLS];
    out[at] = score(x, gone, sum, squares);
  }
}

static Case make() {
  size_t all = size_t(SYMBOLS) * BARS;
  return {{{all, 'f', Fill::Zero, true}, {all, 'f', Fill::Uniform}}, 1e-4};
}
static void bad(const Data& d, cudaStream_t s) { rolling<<<SYMBOLS / BLOCK, BLOCK, 0, s>>>(d.get<float>(0), d.get<float>(1)); }
static void fixed(const Data& d, cudaStream_t s) {
  rolling_after<<<SYMBOLS / BLOCK, BLOCK, 0, s>>>(d.get<float>(0), d.get<float>(1));
}
