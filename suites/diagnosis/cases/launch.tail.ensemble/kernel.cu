// A member of the ensemble to a thread, 1024 to a block: registers allow one such block on an SM, and 148 of them are
// one wave and an eighth. The fix cuts the same threads into blocks of 128.
#include "../../suite.cuh"

constexpr int SITES = 10, MEMBERS = 148 * 1024, STEPS = 200;
constexpr float STEP = 0.01f, FORCING = 8.0f;

__device__ __forceinline__ void slope(float (&dx)[SITES], const float (&x)[SITES]) {
#pragma unroll
  for (int i = 0; i < SITES; ++i)
    dx[i] = (x[(i + 1) % SITES] - x[(i + SITES - 2) % SITES]) * x[(i + SITES - 1) % SITES] - x[i] + FORCING;
}

__device__ __forceinline__ void move(float (&to)[SITES], const float (&from)[SITES], const float (&dx)[SITES], float h) {
#pragma unroll
  for (int i = 0; i < SITES; ++i) to[i] = from[i] + h * dx[i];
}

__global__ __launch_bounds__(1024) void forecast(float* out, const float* start) {
  int member = blockIdx.x * blockDim.x + threadIdx.x;
  float x[SITES], at[SITES], dx[SITES], next[SITES];
#pragma unroll
  for (int i = 0; i < SITES; ++i) x[i] = start[i * MEMBERS + member];
#pragma unroll 1
  for (int step = 0; step < STEPS; ++step) {
    slope(dx, x);
    move(next, x, dx, STEP / 6);
    move(at, x, dx, STEP / 2);
    slope(dx, at);
    move(next, next, dx, STEP / 3);
    move(at, x, dx, STEP / 2);
    slope(dx, at);
    move(next, next, dx, STEP / 3);
    move(at, x, dx, STEP);
    slope(dx, at);
    move(x, next, dx, STEP / 6);
  }
#pragma unroll
  for (int i = 0; i < SITES; ++i) out[i * MEMBERS + member] = x[i];
}

static Case make() {
  size_t all = size_t(SITES) * MEMBERS;
  return {{{all, 'f', Fill::Zero, true}, {all, 'f', Fill::Uniform}}, 1e-6};
}
static void bad(const Data& d, cudaStream_t s) {
  forecast<<<MEMBERS / 1024, 1024, 0, s>>>(d.get<float>(0), d.get<float>(1));
}
static void fixed(const Data& d, cudaStream_t s) {
  forecast<<<MEMBERS / 128, 128, 0, s>>>(d.get<float>(0), d.get<float>(1));
}
