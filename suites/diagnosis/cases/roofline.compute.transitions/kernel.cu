// exp(Q t) of a 4x4 rate matrix for the length t of each branch of a tree, by Horner's rule on matrices: all of it
// multiply-adds in registers, sixteen chains side by side. The tempting change is more, smaller blocks.
#include "../../suite.cuh"

constexpr int BRANCHES = 1 << 22, ORDER = 28;

struct Rates { float q[4][4]; };

template <int BLOCK, int RESIDENT>
__global__ __launch_bounds__(BLOCK, RESIDENT) void transitions(float* out, const float* lengths, Rates rates) {
  int branch = blockIdx.x * BLOCK + threadIdx.x;
  float t = lengths[branch], a[4][4], p[4][4] = {}, c = 3.2798894e-30f;  // 1 / 28!
  for (int i = 0; i < 16; ++i) a[i / 4][i % 4] = rates.q[i / 4][i % 4] * t;
  for (int i = 0; i < 4; ++i) p[i][i] = c;
#pragma unroll 4
  for (int k = ORDER; k > 0; --k) {
    c *= k;
    float next[4][4];
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        float sum = i == j ? c : 0.0f;
        for (int m = 0; m < 4; ++m) sum = fmaf(a[i][m], p[m][j], sum);
        next[i][j] = sum;
      }
    for (int i = 0; i < 16; ++i) p[i / 4][i % 4] = next[i / 4][i % 4];
  }
  for (int i = 0; i < 16; ++i) out[size_t(i) * BRANCHES + branch] = p[i / 4][i % 4];
}

static Case make() { return {{{size_t(BRANCHES) * 16, 'f', Fill::Zero, true}, {BRANCHES, 'f', Fill::Uniform}}, 1e-6}; }
static const Rates RATES = {
    {{-.9f, .2f, .5f, .2f}, {.3f, -1.1f, .2f, .6f}, {.6f, .1f, -.9f, .2f}, {.2f, .5f, .3f, -1.f}}};
static void bad(const Data& d, cudaStream_t s) {
  transitions<256, 4><<<BRANCHES / 256, 256, 0, s>>>(d.get<float>(0), d.get<float>(1), RATES);
}
static void fixed(const Data& d, cudaStream_t s) {
  transitions<64, 16><<<BRANCHES / 64, 64, 0, s>>>(d.get<float>(0), d.get<float>(1), RATES);
}
