// Six shares of each secret: a polynomial of degree 7 over a prime field, at six points. Each step divides by the
// modulus; the fix multiplies by its reciprocal.
#include "../../suite.cuh"

constexpr int SECRETS = 1 << 22, TERMS = 8, SHARES = 6;
constexpr uint32_t PRIME = 2147483629u;
struct Field {
  uint32_t prime, points[SHARES];
  uint64_t reciprocal;
};

__device__ uint32_t divide(uint64_t z, const Field& f) { return static_cast<uint32_t>(z % f.prime); }

__device__ uint32_t barrett(uint64_t z, const Field& f) {
  uint32_t r = static_cast<uint32_t>(z - __umul64hi(z, f.reciprocal) * f.prime);
  return r >= f.prime ? r - f.prime : r;
}

template <uint32_t reduce(uint64_t, const Field&)>
__global__ void share(uint32_t* out, const uint32_t* terms, Field f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t c[TERMS];
#pragma unroll
  for (int t = 0; t < TERMS; ++t) c[t] = terms[t * SECRETS + i];
#pragma unroll
  for (int s = 0; s < SHARES; ++s) {
    uint32_t sum = c[TERMS - 1];
#pragma unroll
    for (int t = TERMS - 2; t >= 0; --t) sum = reduce(static_cast<uint64_t>(sum) * f.points[s] + c[t], f);
    out[s * SECRETS + i] = sum;
  }
}

static Field field() {
  Field f;
  f.prime = PRIME;
  f.reciprocal = ~0ull / PRIME;
  for (int s = 0; s < SHARES; ++s) f.points[s] = (s + 1) * 2654435761u % PRIME;
  return f;
}
static Case make() {
  return {{{size_t(SHARES) * SECRETS, 'i', Fill::Zero, true}, {size_t(TERMS) * SECRETS, 'i', Fill::Random, false, PRIME}}, 0};
}
static void bad(const Data& d, cudaStream_t s) {
  share<divide><<<SECRETS / 256, 256, 0, s>>>(d.get<uint32_t>(0), d.get<uint32_t>(1), field());
}
static void fixed(const Data& d, cudaStream_t s) {
  share<barrett><<<SECRETS / 256, 256, 0, s>>>(d.get<uint32_t>(0), d.get<uint32_t>(1), field());
}
