// Horner's rule is one chain of dependent multiply-adds for each thread; the fix keeps four interleaved chains.
#include "../../suite.cuh"

constexpr int POINTS = 132 * 128, TERMS = 32768, TILE = 2048, BLOCK = 128;

__device__ void load_tile(float4* tile, const float4* coefficients, int base) {
  __syncthreads();
  for (int u = 0; u < TILE / 4; u += BLOCK)
    tile[u + threadIdx.x] = coefficients[base / 4 + u + threadIdx.x];
  __syncthreads();
}

__global__ __launch_bounds__(BLOCK, 1) void power_series(float* out, const float* points, const float4* coefficients) {
  __shared__ float4 tile[TILE / 4];
  float x = 0.999f * points[blockIdx.x * BLOCK + threadIdx.x], sum = 0.0f;
  for (int base = TERMS - TILE; base >= 0; base -= TILE) {
    load_tile(tile, coefficients, base);
#pragma unroll 32
    for (int k = TILE / 4 - 1; k >= 0; --k) {
      float4 c = tile[k];
      sum = fmaf(fmaf(fmaf(fmaf(sum, x, c.w), x, c.z), x, c.y), x, c.x);
    }
  }
  out[blockIdx.x * BLOCK + threadIdx.x] = sum;
}

__global__ __launch_bounds__(BLOCK, 1) void power_series_after(float* out, const float* points,
                                                               const float4* coefficients) {
  __shared__ float4 tile[TILE / 4];
  float x = 0.999f * points[blockIdx.x * BLOCK + threadIdx.x], fourth = x * x * x * x;
  float4 sum = make_float4(0, 0, 0, 0);
  for (int base = TERMS - TILE; base >= 0; base -= TILE) {
    load_tile(tile, coefficients, base);
#pragma unroll 32
    for (int k = TILE / 4 - 1; k >= 0; --k) {
      float4 c = tile[k];
      sum = make_float4(fmaf(sum.x, fourth, c.x), fmaf(sum.y, fourth, c.y), fmaf(sum.z, fourth, c.z),
                        fmaf(sum.w, fourth, c.w));
    }
  }
  out[blockIdx.x * BLOCK + threadIdx.x] = fmaf(fmaf(fmaf(sum.w, x, sum.z), x, sum.y), x, sum.x);
}

static Case make() {
  return {{{POINTS, 'f', Fill::Zero, true}, {POINTS, 'f', Fill::Uniform}, {TERMS, 'f', Fill::Uniform}}, 5e-4};
}
static void bad(const Data& d, cudaStream_t s) {
  power_series<<<POINTS / BLOCK, BLOCK, 0, s>>>(d.get<float>(0), d.get<float>(1), d.get<float4>(2));
}
static void fixed(const Data& d, cudaStream_t s) {
  power_series_after<<<POINTS / BLOCK, BLOCK, 0, s>>>(d.get<float>(0), d.get<float>(1), d.get<float4>(2));
}
