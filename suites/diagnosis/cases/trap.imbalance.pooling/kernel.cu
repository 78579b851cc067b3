// Means of sequences with 4 to 64 tokens, one to a block: the blocks differ sixteenfold, the SMs do not. The tempting
// change deals the sequences out to a persistent grid.
#include "../../suite.cuh"

constexpr int SEQUENCES = 132 * 128, TOKENS = 64, WIDTH = 128, THREADS = 256, LANES = WIDTH / 4;
constexpr int TEAMS = THREADS / LANES;  // a team reads one token

__device__ void pool(float4* out, const float4* tokens, const int* lengths, int sequence) {
  __shared__ float4 sums[TEAMS][LANES];
  int team = threadIdx.x / LANES, lane = threadIdx.x % LANES, count = 4 * (1 + lengths[sequence]);
  const float4* from = tokens + size_t(sequence) * TOKENS * LANES + lane;
  float4 sum = make_float4(0, 0, 0, 0);
#pragma unroll 4
  for (int t = team; t < count; t += TEAMS) {
    float4 x = from[t * LANES];
    sum.x += x.x, sum.y += x.y, sum.z += x.z, sum.w += x.w;
  }
  sums[team][lane] = sum;
  __syncthreads();
  if (team == 0) {
    for (int t = 1; t < TEAMS; ++t) {
      float4 x = sums[t][lane];
      sum.x += x.x, sum.y += x.y, sum.z += x.z, sum.w += x.w;
    }
    float r = 1.0f / count;
    out[sequence * LANES + lane] = make_float4(sum.x * r, sum.y * r, sum.z * r, sum.w * r);
  }
}

__global__ void pooled(float4* out, const float4* tokens, const int* lengths) {
  pool(out, tokens, lengths, blockIdx.x);
}

__global__ void pooled_after(float4* out, const float4* tokens, const int* lengths) {
  for (int s = blockIdx.x; s < SEQUENCES; s += gridDim.x) {
    pool(out, tokens, lengths, s);
    __syncthreads();
  }
}

static Case make() {
  return {{{size_t(SEQUENCES) * WIDTH, 'f', Fill::Zero, true},
           {size_t(SEQUENCES) * TOKENS * WIDTH, 'f', Fill::Uniform},
           {SEQUENCES, 'i', Fill::Random, false, 16}},
          1e-5};
}
static void bad(const Data& d, cudaStream_t s) {
  pooled<<<SEQUENCES, THREADS, 0, s>>>(d.get<float4>(0), d.get<float4>(1), d.get<int>(2));
}
static void fixed(const Data& d, cudaStream_t s) {
  pooled_after<<<132 * 8, THREADS, 0, s>>>(d.get<float4>(0), d.get<float4>(1), d.get<int>(2));
}
