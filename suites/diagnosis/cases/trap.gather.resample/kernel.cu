// Values at random places of a 256 MB table, four to a thread: a sector for each, which is inherent. The tempting
// change has eight to a thread.
#include "../../suite.cuh"

constexpr int TABLE = 1 << 26, DRAWS = 1 << 24;

template <int QUADS>
__global__ void resample(float4* out, const float* table, const int4* places) {
  int at = blockIdx.x * blockDim.x * QUADS + threadIdx.x;
  int4 p[QUADS];
  for (int u = 0; u < QUADS; ++u) p[u] = places[at + u * blockDim.x];
  for (int u = 0; u < QUADS; ++u)
    out[at + u * blockDim.x] = make_float4(table[p[u].x], table[p[u].y], table[p[u].z], table[p[u].w]);
}

static Case make() {
  return {{{DRAWS, 'f', Fill::Zero, true}, {TABLE, 'f', Fill::Uniform}, {DRAWS, 'i', Fill::Random, false, TABLE}}, 0};
}
static void bad(const Data& d, cudaStream_t s) {
  resample<1><<<DRAWS / 1024, 256, 0, s>>>(d.get<float4>(0), d.get<float>(1), d.get<int4>(2));
}
static void fixed(const Data& d, cudaStream_t s) {
  resample<2><<<DRAWS / 2048, 256, 0, s>>>(d.get<float4>(0), d.get<float>(1), d.get<int4>(2));
}
