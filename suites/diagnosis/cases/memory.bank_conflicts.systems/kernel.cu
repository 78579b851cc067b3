// Gauss-Jordan on an augmented 32x33 matrix, a row to a lane; rows of 36 floats ("aligned") make a column's 32 values
// meet in 8 banks. The fix has rows of 33.
#include "../../suite.cuh"

constexpr int SYSTEMS = 16384, N = 32, WARPS = 8;

template <int STRIDE>
__global__ void solve(float* __restrict__ out, const float* __restrict__ matrices, const float* __restrict__ right) {
  __shared__ float rows[WARPS][N * STRIDE];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, system = blockIdx.x * WARPS + warp;
  float* a = rows[warp];
  for (int i = 0; i < N; ++i)
    a[i * STRIDE + lane] = matrices[(size_t(system) * N + i) * N + lane] + (i == lane ? 24.0f : 0.0f);
  a[lane * STRIDE + N] = right[system * N + lane];
  __syncwarp();
  for (int k = 0; k < N; ++k) {
    float factor = lane == k ? 0.0f : a[lane * STRIDE + k] / a[k * STRIDE + k];
    for (int j = k + 1; j <= N; ++j) {
      float pivot = a[k * STRIDE + j];
      a[lane * STRIDE + j] -= factor * pivot;
    }
    __syncwarp();
  }
  out[system * N + lane] = a[lane * STRIDE + N] / a[lane * STRIDE + lane];
}

static Case make() {
  return {{{SYSTEMS * N, 'f', Fill::Zero, true}, {SYSTEMS * N * N, 'f', Fill::Uniform}, {SYSTEMS * N, 'f', Fill::Normal}},
          1e-5};
}
static void bad(const Data& d, cudaStream_t s) {
  solve<36><<<SYSTEMS / WARPS, WARPS * 32, 0, s>>>(d.get<float>(0), d.get<float>(1), d.get<float>(2));
}
static void fixed(const Data& d, cudaStream_t s) {
  solve<33><<<SYSTEMS / WARPS, WARPS * 32, 0, s>>>(d.get<float>(0), d.get<float>(1), d.get<float>(2));
}
