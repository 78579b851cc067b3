// A block of 20 threads, one to an amino acid: 12 idle lanes, and 32 blocks of one warp fill an SM.
// The fix has 12 columns to a block of 240 threads.
#include "../../suite.cuh"

constexpr int COLUMNS = 1 << 20, LETTERS = 20;

__global__ void profile(float* out, const float* __restrict__ counts, const float* __restrict__ given,
                        const float* __restrict__ background, float beta) {
  int column = blockIdx.x * blockDim.y + threadIdx.y, letter = threadIdx.x;
  if (column >= COLUMNS) return;
  const float* seen = counts + column * LETTERS;
  float pseudo = 0, total = 0;
#pragma unroll
  for (int other = 0; other < LETTERS; ++other) {
    float n = seen[other];
    total += n;
    pseudo += n * given[other * LETTERS + letter];
  }
  float share = (seen[letter] + beta * pseudo) / (total + beta * total + 1e-6f);
  out[column * LETTERS + letter] = __logf(share / background[letter] + 1e-6f);
}

static Case make() {
  return {{{size_t(COLUMNS) * LETTERS, 'f', Fill::Zero, true}, {size_t(COLUMNS) * LETTERS, 'f', Fill::Uniform},
           {LETTERS * LETTERS, 'f', Fill::Uniform}, {LETTERS, 'f', Fill::Uniform}}, 1e-5};
}
static void bad(const Data& d, cudaStream_t s) {
  profile<<<COLUMNS, dim3(LETTERS, 1), 0, s>>>(d.get<float>(0), d.get<float>(1), d.get<float>(2), d.get<float>(3), 0.3f);
}
static void fixed(const Data& d, cudaStream_t s) {
  profile<<<(COLUMNS + 11) / 12, dim3(LETTERS, 12), 0, s>>>(d.get<float>(0), d.get<float>(1), d.get<float>(2),
                                                            d.get<float>(3), 0.3f);
}
