// ChaCha20 keystream: all warps resident and the integer pipe full. The tempting change gives a thread two blocks of
// keystream, for twice the independent instructions.
#include "../../suite.cuh"

constexpr int BLOCKS = 1 << 21;  // of 64 bytes

__device__ void quarter(unsigned& a, unsigned& b, unsigned& c, unsigned& d) {
  a += b, d ^= a, d = __funnelshift_l(d, d, 16);
  c += d, b ^= c, b = __funnelshift_l(b, b, 12);
  a += b, d ^= a, d = __funnelshift_l(d, d, 8);
  c += d, b ^= c, b = __funnelshift_l(b, b, 7);
}

template <int EACH>
__global__ __launch_bounds__(256, EACH == 1 ? 8 : 4) void keystream(int4* out, const int* key) {
  int first = blockIdx.x * 256 * EACH + threadIdx.x;
  unsigned x[EACH][16], k[8];
  for (int i = 0; i < 8; ++i) k[i] = key[i];
  for (int e = 0; e < EACH; ++e) {
    x[e][0] = 0x61707865u, x[e][1] = 0x3320646eu, x[e][2] = 0x79622d32u, x[e][3] = 0x6b206574u;
    for (int i = 0; i < 8; ++i) x[e][4 + i] = k[i];
    x[e][12] = first + e * 256, x[e][13] = 0u, x[e][14] = 9u, x[e][15] = 74u;
  }
#pragma unroll 1
  for (int round = 0; round < 10; ++round)
    for (int e = 0; e < EACH; ++e) {
      for (int i = 0; i < 4; ++i) quarter(x[e][i], x[e][4 + i], x[e][8 + i], x[e][12 + i]);
      for (int i = 0; i < 4; ++i)
        quarter(x[e][i], x[e][4 + (i + 1) % 4], x[e][8 + (i + 2) % 4], x[e][12 + (i + 3) % 4]);
    }
  for (int e = 0; e < EACH; ++e) {  // the words of a block lie apart, so that lanes write side by side
    int at = first + e * 256;
    x[e][0] += 0x61707865u, x[e][1] += 0x3320646eu, x[e][2] += 0x79622d32u, x[e][3] += 0x6b206574u;
    for (int i = 0; i < 8; ++i) x[e][4 + i] += key[i];
    x[e][12] += at, x[e][14] += 9u, x[e][15] += 74u;
    for (int q = 0; q < 4; ++q) out[size_t(q) * BLOCKS + at] = *(int4*)&x[e][q * 4];
  }
}

static Case make() {
  return {{{size_t(BLOCKS) * 16, 'i', Fill::Zero, true}, {8, 'i', Fill::Random, false, 1u << 30}}, 0};
}
static void bad(const Data& d, cudaStream_t s) {
  keystream<1><<<BLOCKS / 256, 256, 0, s>>>(d.get<int4>(0), d.get<int>(1));
}
static void fixed(const Data& d, cudaStream_t s) {
  keystream<2><<<BLOCKS / 512, 256, 0, s>>>(d.get<int4>(0), d.get<int>(1));
}
