// Histogram equalization by tiles: thread 0 clips and sums the bins while the rest of its block waits at the barrier;
// in the fix all threads clip and scan. Histogram and lookup are the same.
#include "../../suite.cuh"

constexpr int TILES = 4096, PIXELS = 2048, BINS = 1024, THREADS = 512, LIMIT = 5;

__device__ int4 count(int* bins, const int4* image) {
  bins[threadIdx.x] = bins[threadIdx.x + THREADS] = 0;
  __syncthreads();
  int4 p = image[blockIdx.x * THREADS + threadIdx.x];
  atomicAdd(&bins[p.x], 1), atomicAdd(&bins[p.y], 1), atomicAdd(&bins[p.z], 1), atomicAdd(&bins[p.w], 1);
  __syncthreads();
  return p;
}

__device__ int level(int sum, int excess, int bin) { return (sum + excess * (bin + 1) / BINS) * (BINS - 1) / PIXELS; }

__device__ void look_up(int4* out, const int* levels, int4 p) {
  out[blockIdx.x * THREADS + threadIdx.x] = make_int4(levels[p.x], levels[p.y], levels[p.z], levels[p.w]);
}

__global__ void equalize(int4* out, const int4* image) {
  __shared__ int bins[BINS];
  int4 p = count(bins, image);
  if (threadIdx.x == 0) {
    int excess = 0, sum = 0;
    for (int b = 0; b < BINS; ++b) excess += max(bins[b] - LIMIT, 0);
    for (int b = 0; b < BINS; ++b) sum += min(bins[b], LIMIT), bins[b] = level(sum, excess, b);
  }
  __syncthreads();
  look_up(out, bins, p);
}

__device__ int scan(int x) {  // inclusive, over a warp
  for (int d = 1; d < 32; d *= 2) {
    int y = __shfl_up_sync(0xffffffffu, x, d);
    if (threadIdx.x % 32 >= d) x += y;
  }
  return x;
}

__global__ void equalize_after(int4* out, const int4* image) {
  __shared__ int bins[BINS];
  __shared__ int2 warps[16];
  int4 p = count(bins, image);
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  int2 two = ((int2*)bins)[t];
  int low = min(two.x, LIMIT), both = low + min(two.y, LIMIT);
  int sum = scan(both), excess = scan(two.x + two.y - both);
  if (lane == 31) warps[warp] = make_int2(sum, excess);
  __syncthreads();
  int before = 0, all = 0;
  for (int w = 0; w < 16; ++w) before += w < warp ? warps[w].x : 0, all += warps[w].y;
  sum += before;
  ((int2*)bins)[t] = make_int2(level(sum - both + low, all, 2 * t), level(sum, all, 2 * t + 1));
  __syncthreads();
  look_up(out, bins, p);
}

static Case make() {
  size_t all = size_t(TILES) * PIXELS;
  return {{{all, 'i', Fill::Zero, true}, {all, 'i', Fill::Random, false, BINS}}, 0};
}
static void bad(const Data& d, cudaStream_t s) {
  equalize<<<TILES, THREADS, 0, s>>>(d.get<int4>(0), d.get<int4>(1));
}
static void fixed(const Data& d, cudaStream_t s) {
  equalize_after<<<TILES, THREADS, 0, s>>>(d.get<int4>(0), d.get<int4>(1));
}
