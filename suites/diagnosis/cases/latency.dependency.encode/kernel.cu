// A thread evaluates the message polynomial at its own point, modulo 2^31-1. Each step of Horner's rule needs the one
// before; the fix runs four independent chains.
#include "../../suite.cuh"

constexpr int BLOCKS = 264, THREADS = 64, POINTS = BLOCKS * THREADS, TERMS = 8192, CHUNK = 2048;
constexpr uint32_t P = 0x7fffffff;

__device__ uint32_t step(uint32_t sum, uint32_t x, uint32_t c) {
  uint64_t t = static_cast<uint64_t>(sum) * x + c;
  uint32_t r = static_cast<uint32_t>(t & P) + static_cast<uint32_t>(t >> 31);
  return (r & P) + (r >> 31);
}

template <int CHAINS>
__global__ void encode(uint32_t* out, const uint32_t* terms) {
  __shared__ uint32_t chunk[CHUNK];
  uint32_t i = blockIdx.x * THREADS + threadIdx.x, x = (i + 1) * 127773u & P, y = x, sum[CHAINS] = {};
  for (int c = 1; c < CHAINS; ++c) y = step(y, x, 0);
  for (int from = 0; from < TERMS; from += CHUNK) {
    __syncthreads();
    for (int k = threadIdx.x; k < CHUNK; k += THREADS) chunk[k] = terms[from + k];
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < CHUNK; k += CHAINS)
#pragma unroll
      for (int c = 0; c < CHAINS; ++c) sum[c] = step(sum[c], y, chunk[k + c]);
  }
  uint32_t value = sum[0];
  for (int c = 1; c < CHAINS; ++c) value = step(value, x, sum[c]);
  out[i] = value == P ? 0 : value;
}

static Case make() {
  return {{{POINTS, 'i', Fill::Zero, true}, {TERMS, 'i', Fill::Random, false, P}}, 0};
}
static void bad(const Data& d, cudaStream_t s) {
  encode<1><<<BLOCKS, THREADS, 0, s>>>(d.get<uint32_t>(0), d.get<uint32_t>(1));
}
static void fixed(const Data& d, cudaStream_t s) {
  encode<4><<<BLOCKS, THREADS, 0, s>>>(d.get<uint32_t>(0), d.get<uint32_t>(1));
}
