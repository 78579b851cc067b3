// Votes: each row of 32 scores counts for its best class, by its score. Lanes walk rows of their own and vote on
// 32 global counters; the fix reads rows side by side through a tile and counts a block's votes in shared memory.
#include "../../suite.cuh"

constexpr int ROWS = 1 << 20, CLASSES = 32, THREADS = 128, EACH = 8;  // EACH: batches of rows for a block

__global__ void votes(int* counts, int* best, const float* scores) {
  for (int u = 0; u < EACH; ++u) {
    int row = (blockIdx.x * EACH + u) * THREADS + threadIdx.x, at = 0;
    float top = -INFINITY;
    for (int c = 0; c < CLASSES; ++c) {
      float score = scores[row * CLASSES + c];
      if (score > top) top = score, at = c;
    }
    best[row] = at;
    atomicAdd(&counts[at], 1 + int(top * 8));
  }
}

__global__ void votes_after(int* counts, int* best, const float* scores) {
  __shared__ float tile[THREADS][CLASSES + 1];
  __shared__ int voted[CLASSES];
  if (threadIdx.x < CLASSES) voted[threadIdx.x] = 0;
  for (int u = 0; u < EACH; ++u) {
    int first = (blockIdx.x * EACH + u) * THREADS, at = 0;
    float top = -INFINITY;
    for (int i = threadIdx.x; i < THREADS * CLASSES; i += THREADS)
      tile[i / CLASSES][i % CLASSES] = scores[first * CLASSES + i];
    __syncthreads();
    for (int c = 0; c < CLASSES; ++c)
      if (tile[threadIdx.x][c] > top) top = tile[threadIdx.x][c], at = c;
    best[first + threadIdx.x] = at;
    atomicAdd(&voted[at], 1 + int(top * 8));
    __syncthreads();
  }
  if (threadIdx.x < CLASSES) atomicAdd(&counts[threadIdx.x], voted[threadIdx.x]);
}

static Case make() {
  size_t all = size_t(ROWS) * CLASSES;
  return {{{CLASSES, 'i', Fill::Zero, true}, {ROWS, 'i', Fill::Zero, true}, {all, 'f', Fill::Uniform}}, 0};
}
static void bad(const Data& d, cudaStream_t s) {
  votes<<<ROWS / THREADS / EACH, THREADS, 0, s>>>(d.get<int>(0), d.get<int>(1), d.get<float>(2));
}
static void fixed(const Data& d, cudaStream_t s) {
  votes_after<<<ROWS / THREADS / EACH, THREADS, 0, s>>>(d.get<int>(0), d.get<int>(1), d.get<float>(2));
}
