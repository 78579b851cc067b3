// Sum of the amounts of each group; groups are runs of whole pages of 4,096 rows. A block for a group waits for the
// largest one; the fix has a block for each page.
#include "../../suite.cuh"

constexpr int GROUPS = 1024, PAGE = 4096, THREADS = 256;
struct Starts {
  int at[GROUPS + 1];
};
constexpr Starts build() {
  Starts s = {};
  for (int g = 0; g < GROUPS; ++g) s.at[g + 1] = s.at[g] + 2 + 4000 / (g + 2);
  return s;
}
constexpr int PAGES = build().at[GROUPS];
__device__ const Starts starts = build();

__device__ float page_sum(const float4* page) {
  float4 v[PAGE / 4 / THREADS];
  float sum = 0;
#pragma unroll
  for (int u = 0; u < PAGE / 4 / THREADS; ++u) v[u] = page[u * THREADS + threadIdx.x];
#pragma unroll
  for (int u = 0; u < PAGE / 4 / THREADS; ++u) sum += (v[u].x + v[u].y) + (v[u].z + v[u].w);
  return sum;
}

__device__ float block_sum(float sum) {
  __shared__ float parts[THREADS / 32];
  for (int step = 16; step; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = 0;
  for (int w = 0; w < THREADS / 32; ++w) sum += parts[w];
  return sum;
}

__global__ void revenue(float* out, const float4* rows) {
  float sum = 0;
  for (int page = starts.at[blockIdx.x]; page < starts.at[blockIdx.x + 1]; ++page) sum += page_sum(rows + size_t(page) * (PAGE / 4));
  sum = block_sum(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__global__ void revenue_after(float* out, const float4* rows) {
  float sum = block_sum(page_sum(rows + size_t(blockIdx.x) * (PAGE / 4)));
  if (threadIdx.x) return;
  int low = 0, high = GROUPS;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    (starts.at[middle] <= static_cast<int>(blockIdx.x) ? low : high) = middle;
  }
  atomicAdd(out + low, sum);
}

static Case make() {
  return {{{GROUPS, 'f', Fill::Zero, true}, {size_t(PAGES) * PAGE, 'f', Fill::Uniform}}, 1e-4};
}
static void bad(const Data& d, cudaStream_t s) { revenue<<<GROUPS, THREADS, 0, s>>>(d.get<float>(0), d.get<float4>(1)); }
static void fixed(const Data& d, cudaStream_t s) { revenue_after<<<PAGES, THREADS, 0, s>>>(d.get<float>(0), d.get<float4>(1)); }
