// Groups of particles have lists of 1 to 25 tiles of sources, longer where it is dense, and a block takes eight groups
// in a row. The fix deals the groups out there and back.
#include "../../suite.cuh"

constexpr int BLOCKS = 132, ROUNDS = 8, GROUPS = BLOCKS * ROUNDS, THREADS = 1024, EACH = 2, TILE = 32, TILES = 8192;
constexpr float REACH = 0.5f;

__device__ __forceinline__ void density(float* out, const float4* particles, int group, int place) {
  __shared__ float4 tile[TILE];
  int length = 1 + 24 * place * place / (GROUPS * GROUPS);  // it gets denser along the axis
  int first = group * (THREADS * EACH) + threadIdx.x;
  float4 at[EACH];
  float sum[EACH] = {};
  for (int e = 0; e < EACH; ++e) at[e] = particles[(first + e * THREADS) % (TILES * TILE)];
  for (int t = 0; t < length; ++t) {
    __syncthreads();
    if (threadIdx.x < TILE) tile[threadIdx.x] = particles[(group * 7 + t) % TILES * TILE + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int i = 0; i < TILE; ++i) {
      float4 other = tile[i];
#pragma unroll
      for (int e = 0; e < EACH; ++e) {
        float x = other.x - at[e].x, y = other.y - at[e].y, z = other.z - at[e].z;
        float w = fmaxf(REACH - (x * x + y * y + z * z), 0.0f);
        sum[e] += other.w * w * w * w;
      }
    }
  }
  for (int e = 0; e < EACH; ++e) out[first + e * THREADS] = sum[e];
}

__global__ __launch_bounds__(THREADS, 1) void densities(float* out, const float4* particles, const int* places) {
  for (int round = 0; round < ROUNDS; ++round) {
    int group = blockIdx.x * ROUNDS + round;
    density(out, particles, group, places[group]);
  }
}

__global__ __launch_bounds__(THREADS, 1) void densities_after(float* out, const float4* particles, const int* places) {
  for (int round = 0; round < ROUNDS; ++round) {
    int group = round * BLOCKS + (round % 2 ? BLOCKS - 1 - blockIdx.x : blockIdx.x);
    density(out, particles, group, places[group]);
  }
}

static Case make() {
  return {{{size_t(GROUPS) * THREADS * EACH, 'f', Fill::Zero, true},
           {size_t(TILES) * TILE * 4, 'f', Fill::Uniform},
           {GROUPS, 'i', Fill::Index}},
          1e-6};
}
static void bad(const Data& d, cudaStream_t s) {
  densities<<<BLOCKS, THREADS, 0, s>>>(d.get<float>(0), d.get<float4>(1), d.get<int>(2));
}
static void fixed(const Data& d, cudaStream_t s) {
  densities_after<<<BLOCKS, THREADS, 0, s>>>(d.get<float>(0), d.get<float4>(1), d.get<int>(2));
}
