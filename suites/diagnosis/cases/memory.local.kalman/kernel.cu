// A nine-state Kalman filter over 24 radar plots. "Sixteen blocks per SM" leaves 32 registers for a covariance of 45
// values, which spills; the fix drops the demand.
#include "../../suite.cuh"

constexpr int TRACKS = 1 << 19, PLOTS = 24, N = 9;
constexpr float DT = 0.1f, NOISE = 0.02f, PLOT_NOISE = 0.5f;

__host__ __device__ constexpr int row(int r) { return r * N - r * (r - 1) / 2 - r; }
__host__ __device__ constexpr int at(int r, int c) { return r <= c ? row(r) + c : row(c) + r; }  // upper triangle

__device__ __forceinline__ void track(float* out, const float* plots) {
  int i = blockIdx.x * 128 + threadIdx.x;
  float x[N] = {}, p[N * (N + 1) / 2] = {};
#pragma unroll
  for (int r = 0; r < N; ++r) p[at(r, r)] = 1;
#pragma unroll 1
  for (int k = 0; k < PLOTS; ++k) {
    // x' = F x and P' = F P F^T + Q: a state gains DT times the one three below it
#pragma unroll
    for (int r = 0; r < 6; ++r) x[r] += DT * x[r + 3];
#pragma unroll
    for (int r = 0; r < 6; ++r)  // in place: what is read is not yet written
#pragma unroll
      for (int c = r; c < N; ++c) {
        float gain = p[at(r + 3, c)];
        if (c < 6) gain += p[at(r, c + 3)] + DT * p[at(r + 3, c + 3)];
        p[at(r, c)] += DT * gain;
      }
#pragma unroll
    for (int r = 0; r < N; ++r) p[at(r, r)] += NOISE;
#pragma unroll
    for (int m = 0; m < 3; ++m) {
      float plot = plots[(k * 3 + m) * TRACKS + i], off = plot - x[m], gain[N];
      float scale = __fdividef(1.0f, p[at(m, m)] + PLOT_NOISE);
#pragma unroll
      for (int r = 0; r < N; ++r) gain[r] = p[at(r, m)] * scale;
#pragma unroll
      for (int r = 0; r < N; ++r) {
        x[r] += gain[r] * off;
#pragma unroll
        for (int c = r; c < N; ++c)
          if (r != m && c != m) p[at(r, c)] -= gain[r] * p[at(m, c)];
      }
#pragma unroll
      for (int r = 0; r < N; ++r) p[at(r, m)] = gain[r] * PLOT_NOISE;
    }
  }
  for (int r = 0; r < N; ++r) out[r * TRACKS + i] = x[r];
}

__global__ void __launch_bounds__(128, 16) kalman(float* out, const float* plots) { track(out, plots); }
__global__ void __launch_bounds__(128) kalman_after(float* out, const float* plots) { track(out, plots); }

static Case make() {
  return {{{size_t(N) * TRACKS, 'f', Fill::Zero, true}, {size_t(PLOTS) * 3 * TRACKS, 'f', Fill::Normal}}, 1e-3};
}
static void bad(const Data& d, cudaStream_t s) { kalman<<<TRACKS / 128, 128, 0, s>>>(d.get<float>(0), d.get<float>(1)); }
static void fixed(const Data& d, cudaStream_t s) { kalman_after<<<TRACKS / 128, 128, 0, s>>>(d.get<float>(0), d.get<float>(1)); }
