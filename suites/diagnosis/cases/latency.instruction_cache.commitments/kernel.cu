// A sponge with 240 rounds of x^5 on four words of a 31-bit field. Fully unrolled, the code is larger than the
// instruction caches; the fix keeps a loop.
#include "../../suite.cuh"

constexpr int ROUNDS = 240, LEAVES = 132 * 256, WORDS = 8;
constexpr uint32_t P = 0x7fffffff;

__host__ __device__ constexpr uint32_t constant(uint32_t k) {
  k = (k + 1) * 2654435761u;
  k = (k ^ (k >> 15)) * 2246822519u;
  return (k ^ (k >> 13)) >> 2;
}
struct Table {
  uint32_t at[ROUNDS * 4];
};
constexpr Table build() {
  Table t = {};
  for (int i = 0; i < ROUNDS * 4; ++i) t.at[i] = constant(i);
  return t;
}
__constant__ Table table = build();

__device__ uint32_t product(uint32_t a, uint32_t b) {
  uint64_t t = static_cast<uint64_t>(a) * b;
  uint32_t r = static_cast<uint32_t>(t & P) + static_cast<uint32_t>(t >> 31);
  return min(r, r - P);
}
__device__ uint32_t sum(uint32_t a, uint32_t b) { return min(a + b, a + b - P); }

__device__ void turn(uint32_t (&x)[4], const uint32_t (&c)[4]) {
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    uint32_t y = sum(x[i], c[i]), square = product(y, y);
    x[i] = product(product(square, square), y);
  }
  uint32_t all = sum(sum(x[0], x[1]), sum(x[2], x[3]));
#pragma unroll
  for (int i = 0; i < 4; ++i) x[i] = sum(x[i], all);
}

template <int STAGE>  // thirty rounds in line; one function for all of them is too much for the compiler
__device__ __noinline__ uint4 stage(uint4 state) {
  uint32_t x[4] = {state.x, state.y, state.z, state.w};
#pragma unroll
  for (int r = STAGE * 30; r < STAGE * 30 + 30; ++r) {
    uint32_t c[4] = {constant(4 * r), constant(4 * r + 1), constant(4 * r + 2), constant(4 * r + 3)};
    turn(x, c);
  }
  return make_uint4(x[0], x[1], x[2], x[3]);
}

template <bool UNROLLED>
__global__ void __launch_bounds__(128) commit(uint32_t* out, const uint32_t* leaves) {
  int i = blockIdx.x * 128 + threadIdx.x;
  uint32_t x[4] = {1, 2, 3, 4};
#pragma unroll 1
  for (int w = 0; w < WORDS; w += 2) {
    x[0] = sum(x[0], leaves[w * LEAVES + i]);
    x[1] = sum(x[1], leaves[(w + 1) * LEAVES + i]);
    if (UNROLLED) {
      uint4 state = stage<1>(stage<0>(make_uint4(x[0], x[1], x[2], x[3])));
      state = stage<7>(stage<6>(stage<5>(stage<4>(stage<3>(stage<2>(state))))));
      x[0] = state.x, x[1] = state.y, x[2] = state.z, x[3] = state.w;
    } else {
#pragma unroll 4
      for (int r = 0; r < ROUNDS; ++r) {
        uint32_t c[4] = {table.at[4 * r], table.at[4 * r + 1], table.at[4 * r + 2], table.at[4 * r + 3]};
        turn(x, c);
      }
    }
  }
  out[i] = x[0];
}

static Case make() {
  return {{{LEAVES, 'i', Fill::Zero, true}, {size_t(WORDS) * LEAVES, 'i', Fill::Random, false, P}}, 0};
}
static void bad(const Data& d, cudaStream_t s) {
  commit<true><<<LEAVES / 128, 128, 0, s>>>(d.get<uint32_t>(0), d.get<uint32_t>(1));
}
static void fixed(const Data& d, cudaStream_t s) {
  commit<false><<<LEAVES / 128, 128, 0, s>>>(d.get<uint32_t>(0), d.get<uint32_t>(1));
}
