// A 64-point Walsh-Hadamard transform over the exposures of each pixel, in registers. Two pixels per thread leave a few
// warps per SM, whose 64 loads each saturate DRAM. The tempting change has one pixel per thread.
#include "../../suite.cuh"

constexpr int PIXELS = 1 << 20, MASKS = 64, THREADS = 128;

__device__ float plus(float a, float b) { return a + b; }
__device__ float minus(float a, float b) { return a - b; }
__device__ float2 plus(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ float2 minus(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }

template <typename T>
__global__ void __launch_bounds__(THREADS) decode(T* out, const T* exposures) {
  constexpr int COLUMNS = PIXELS * sizeof(float) / sizeof(T);
  int i = blockIdx.x * THREADS + threadIdx.x;
  T v[MASKS];
#pragma unroll
  for (int m = 0; m < MASKS; ++m) v[m] = exposures[m * COLUMNS + i];
#pragma unroll
  for (int half = MASKS / 2; half; half /= 2)
#pragma unroll
    for (int m = 0; m < MASKS; ++m)
      if (!(m & half)) {
        T a = v[m], b = v[m + half];
        v[m] = plus(a, b);
        v[m + half] = minus(a, b);
      }
#pragma unroll
  for (int m = 0; m < MASKS; ++m) out[m * COLUMNS + i] = v[m];
}

static Case make() {
  size_t all = size_t(MASKS) * PIXELS;
  return {{{all, 'f', Fill::Zero, true}, {all, 'f', Fill::Normal}}, 1e-6};
}
static void bad(const Data& d, cudaStream_t s) {
  decode<<<PIXELS / 2 / THREADS, THREADS, 0, s>>>(d.get<float2>(0), d.get<float2>(1));
}
static void fixed(const Data& d, cudaStream_t s) {
  decode<<<PIXELS / THREADS, THREADS, 0, s>>>(d.get<float>(0), d.get<float>(1));
}
