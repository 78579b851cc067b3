// Complex spectra scaled by one factor: 16 bytes to a lane, at the bandwidth of the memory. The tempting change has
// four accesses to a thread.
#include "../../suite.cuh"

constexpr int VALUES = 1 << 26, BLOCK = 256;

template <int EACH>
__global__ void scale(float4* __restrict__ out, const float4* __restrict__ in, float factor) {
  int at = blockIdx.x * BLOCK * EACH + threadIdx.x;
  float4 v[EACH];
#pragma unroll
  for (int u = 0; u < EACH; ++u) v[u] = in[at + u * BLOCK];
#pragma unroll
  for (int u = 0; u < EACH; ++u)
    out[at + u * BLOCK] = make_float4(v[u].x * factor, v[u].y * factor, v[u].z * factor, v[u].w * factor);
}

static Case make() { return {{{VALUES, 'f', Fill::Zero, true}, {VALUES, 'f', Fill::Normal}}, 0}; }
static void bad(const Data& d, cudaStream_t s) {
  scale<1><<<VALUES / 4 / BLOCK, BLOCK, 0, s>>>(d.get<float4>(0), d.get<float4>(1), 1.0f / 4096);
}
static void fixed(const Data& d, cudaStream_t s) {
  scale<4><<<VALUES / 16 / BLOCK, BLOCK, 0, s>>>(d.get<float4>(0), d.get<float4>(1), 1.0f / 4096);
}
