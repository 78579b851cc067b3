// 512 turns of a nonlinear one-turn map, four particles per thread: multiply-adds on registers and hardly a byte. The
// vain change has blocks of 128.
#include "../../suite.cuh"

constexpr int PARTICLES = 1 << 20, TURNS = 512, EACH = 4;
struct Ring {
  float tx, sx, ty, sy, k1, k2, k3, skew;  // half tangents and sines of the phase advances; strengths of the magnets
};

__global__ void turn(float4* out, const float4* start, Ring g) {
  int first = blockIdx.x * blockDim.x * EACH + threadIdx.x;
  float x[EACH], px[EACH], y[EACH], py[EACH];
#pragma unroll
  for (int u = 0; u < EACH; ++u) {
    float4 s = start[first + u * blockDim.x];
    x[u] = 0.02f * s.x, px[u] = 0.02f * s.y, y[u] = 0.02f * s.z, py[u] = 0.02f * s.w;
  }
#pragma unroll 2
  for (int t = 0; t < TURNS; ++t)
#pragma unroll
    for (int u = 0; u < EACH; ++u) {
      px[u] = fmaf(fmaf(fmaf(g.k3, x[u], g.k2), x[u], g.k1), x[u], px[u]);
      py[u] = fmaf(fmaf(fmaf(-g.k3, y[u], g.k2), y[u], -g.k1), y[u], py[u]);
      px[u] = fmaf(g.skew, y[u], px[u]);
      py[u] = fmaf(g.skew, x[u], py[u]);
      x[u] = fmaf(g.tx, px[u], x[u]);  // a rotation is three shears
      y[u] = fmaf(g.ty, py[u], y[u]);
      px[u] = fmaf(-g.sx, x[u], px[u]);
      py[u] = fmaf(-g.sy, y[u], py[u]);
      x[u] = fmaf(g.tx, px[u], x[u]);
      y[u] = fmaf(g.ty, py[u], y[u]);
    }
#pragma unroll
  for (int u = 0; u < EACH; ++u) out[first + u * blockDim.x] = make_float4(x[u], px[u], y[u], py[u]);
}

static Ring ring() { return {0.70020754f, 0.93969262f, 0.83909963f, 0.98480775f, 0.01f, 0.4f, 1.5f, 0.003f}; }
static Case make() {
  return {{{4 * size_t(PARTICLES), 'f', Fill::Zero, true}, {4 * size_t(PARTICLES), 'f', Fill::Uniform}}, 1e-4};
}
static void bad(const Data& d, cudaStream_t s) {
  turn<<<PARTICLES / EACH / 256, 256, 0, s>>>(d.get<float4>(0), d.get<float4>(1), ring());
}
static void fixed(const Data& d, cudaStream_t s) {
  turn<<<PARTICLES / EACH / 128, 128, 0, s>>>(d.get<float4>(0), d.get<float4>(1), ring());
}
