// A polynomial of the row's own order for each sample, by a template that is unrolled for each of 80 orders: the warps
// of an SM run through 280 KB of straight code; the fix is one short loop with the same multiply-adds.
#include "../../suite.cuh"

constexpr int ROWS = 132 * 64 * 16, SAMPLES = 256, ORDERS = 80, EACH = SAMPLES / 32;

__device__ void load(float* x, const float* samples, int row) {
  const float4* from = (const float4*)(samples + size_t(row) * SAMPLES) + threadIdx.x % 32;
  for (int i = 0; i < EACH / 4; ++i) *(float4*)&x[i * 4] = from[i * 32];
}

__device__ void store(float* out, const float* y, int row) {
  float sum = 0.0f;
  for (int i = 0; i < EACH; ++i) sum += y[i];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (threadIdx.x % 32 == 0) out[row] = sum;
}

template <int LOW, int HIGH>
__device__ void evaluate(int order, float* y, const float* x, const float* c) {
  if constexpr (LOW < HIGH) {
    constexpr int MIDDLE = (LOW + HIGH) / 2;
    if (order <= MIDDLE) evaluate<LOW, MIDDLE>(order, y, x, c);
    else evaluate<MIDDLE + 1, HIGH>(order, y, x, c);
  } else {
#pragma unroll
    for (int k = 0; k < LOW; ++k)
      for (int i = 0; i < EACH; ++i) y[i] = fmaf(y[i], x[i], c[k]);
  }
}

__global__ void calibrate(float* out, const float* samples, const float* curves, const int* orders) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, order = orders[row];
  float x[EACH], y[EACH] = {};
  load(x, samples, row);
  evaluate<0, ORDERS - 1>(order, y, x, curves + order * ORDERS);
  store(out, y, row);
}

__global__ void calibrate_after(float* out, const float* samples, const float* curves, const int* orders) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, order = orders[row];
  float x[EACH], y[EACH] = {};
  load(x, samples, row);
  const float* c = curves + order * ORDERS;
#pragma unroll 4
  for (int k = 0; k < order; ++k)
    for (int i = 0; i < EACH; ++i) y[i] = fmaf(y[i], x[i], c[k]);
  store(out, y, row);
}

static Case make() {
  return {{{ROWS, 'f', Fill::Zero, true},
           {size_t(ROWS) * SAMPLES, 'f', Fill::Uniform},
           {ORDERS * ORDERS, 'f', Fill::Normal},
           {ROWS, 'i', Fill::Random, false, ORDERS}},
          1e-5};
}
static void bad(const Data& d, cudaStream_t s) {
  calibrate<<<ROWS / 8, 256, 0, s>>>(d.get<float>(0), d.get<float>(1), d.get<float>(2), d.get<int>(3));
}
static void fixed(const Data& d, cudaStream_t s) {
  calibrate_after<<<ROWS / 8, 256, 0, s>>>(d.get<float>(0), d.get<float>(1), d.get<float>(2), d.get<int>(3));
}
