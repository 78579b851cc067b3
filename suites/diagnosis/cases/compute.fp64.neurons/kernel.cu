// Hodgkin-Huxley neurons in single precision, whose rate functions have double literals and exp(): the arithmetic is
// double. The fix has literals with f and expf().
#include "../../suite.cuh"

constexpr int NEURONS = 1 << 18, STEPS = 32, BLOCK = 128;

__global__ void neurons(float* out, const float* __restrict__ start, const float* __restrict__ drive) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  float v = -65.0f + 20.0f * start[i], n = 0.32f, m = 0.05f, h = 0.6f, current = 15.0f * drive[i];
  for (int t = 0; t < STEPS; ++t) {
    float an = 0.01 * (v + 55.003) / (1.0 - exp(-0.1 * (v + 55.003))), bn = 0.125 * exp(-0.0125 * (v + 65.0));
    float am = 0.1 * (v + 40.003) / (1.0 - exp(-0.1 * (v + 40.003))), bm = 4.0 * exp(-0.0556 * (v + 65.0));
    float ah = 0.07 * exp(-0.05 * (v + 65.0)), bh = 1.0 / (1.0 + exp(-0.1 * (v + 35.0)));
    float flow = 120.0 * m * m * m * h * (v - 50.0) + 36.0 * n * n * n * n * (v + 77.0) + 0.3 * (v + 54.387);
    v += 0.01 * (current - flow);
    n += 0.01 * (an * (1.0 - n) - bn * n);
    m += 0.01 * (am * (1.0 - m) - bm * m);
    h += 0.01 * (ah * (1.0 - h) - bh * h);
  }
  out[i] = v;
}

__global__ void neurons_after(float* out, const float* __restrict__ start, const float* __restrict__ drive) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  float v = -65.0f + 20.0f * start[i], n = 0.32f, m = 0.05f, h = 0.6f, current = 15.0f * drive[i];
  for (int t = 0; t < STEPS; ++t) {
    float an = 0.01f * (v + 55.003f) / (1.0f - expf(-0.1f * (v + 55.003f))), bn = 0.125f * expf(-0.0125f * (v + 65.0f));
    float am = 0.1f * (v + 40.003f) / (1.0f - expf(-0.1f * (v + 40.003f))), bm = 4.0f * expf(-0.0556f * (v + 65.0f));
    float ah = 0.07f * expf(-0.05f * (v + 65.0f)), bh = 1.0f / (1.0f + expf(-0.1f * (v + 35.0f)));
    float flow = 120.0f * m * m * m * h * (v - 50.0f) + 36.0f * n * n * n * n * (v + 77.0f) + 0.3f * (v + 54.387f);
    v += 0.01f * (current - flow);
    n += 0.01f * (an * (1.0f - n) - bn * n);
    m += 0.01f * (am * (1.0f - m) - bm * m);
    h += 0.01f * (ah * (1.0f - h) - bh * h);
  }
  out[i] = v;
}

static Case make() {
  return {{{NEURONS, 'f', Fill::Zero, true}, {NEURONS, 'f', Fill::Uniform}, {NEURONS, 'f', Fill::Uniform}}, 2e-3};
}
static void bad(const Data& d, cudaStream_t s) {
  neurons<<<NEURONS / BLOCK, BLOCK, 0, s>>>(d.get<float>(0), d.get<float>(1), d.get<float>(2));
}
static void fixed(const Data& d, cudaStream_t s) {
  neurons_after<<<NEURONS / BLOCK, BLOCK, 0, s>>>(d.get<float>(0), d.get<float>(1), d.get<float>(2));
}
