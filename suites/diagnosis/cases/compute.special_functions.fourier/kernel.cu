// Each harmonic takes its own sine and cosine; the fix takes one pair and Clenshaw's recurrence (multiply-adds).
#include "../../suite.cuh"

constexpr int POINTS = 1 << 23, HARMONICS = 32, BLOCK = 256;

__device__ float series(float x, const float2* c) {
  float sum = 0.0f;
#pragma unroll 8
  for (int k = 1; k <= HARMONICS; ++k) {
    float sine, cosine;
    __sincosf(k * x, &sine, &cosine);
    sum = fmaf(c[k - 1].x, cosine, fmaf(c[k - 1].y, sine, sum));
  }
  return sum;
}

__device__ float series_after(float x, const float2* c) {
  float sine, cosine;
  __sincosf(x, &sine, &cosine);
  float2 u = {0, 0}, next = {0, 0};
#pragma unroll 8
  for (int k = HARMONICS; k >= 1; --k) {
    float2 now = {c[k - 1].x + 2 * cosine * u.x - next.x, c[k - 1].y + 2 * cosine * u.y - next.y};
    next = u;
    u = now;
  }
  return u.x * cosine - next.x + u.y * sine;
}

template <float (*F)(float, const float2*)>
__device__ void evaluate(float4* out, const float4* points, const float2* coefficients) {
  __shared__ float2 c[HARMONICS];
  if (threadIdx.x < HARMONICS) c[threadIdx.x] = coefficients[threadIdx.x];
  __syncthreads();
  int i = blockIdx.x * BLOCK + threadIdx.x;
  float4 x = points[i];
  out[i] = make_float4(F(x.x, c), F(x.y, c), F(x.z, c), F(x.w, c));
}

__global__ void evaluate_series(float4* out, const float4* points, const float2* coefficients) {
  evaluate<series>(out, points, coefficients);
}
__global__ void evaluate_series_after(float4* out, const float4* points, const float2* coefficients) {
  evaluate<series_after>(out, points, coefficients);
}

static Case make() {
  return {{{POINTS, 'f', Fill::Zero, true}, {POINTS, 'f', Fill::Uniform}, {HARMONICS * 2, 'f', Fill::Uniform}}, 5e-4};
}
static void bad(const Data& d, cudaStream_t s) {
  evaluate_series<<<POINTS / 4 / BLOCK, BLOCK, 0, s>>>(d.get<float4>(0), d.get<float4>(1), d.get<float2>(2));
}
static void fixed(const Data& d, cudaStream_t s) {
  evaluate_series_after<<<POINTS / 4 / BLOCK, BLOCK, 0, s>>>(d.get<float4>(0), d.get<float4>(1), d.get<float2>(2));
}
