// Entropy of patches, one to a thread: its 16 bins are a dynamically indexed array, and lanes read rows of an unpadded
// tile; the fix keeps the bins in shared memory, a bank to a lane, and pads the tile.
#include "../../suite.cuh"

constexpr int PATCHES = 1 << 18, PIXELS = 64, BINS = 16, THREADS = 128;

template <int STRIDE>
__device__ void load(float* tile, const float* images) {
  const float* from = images + size_t(blockIdx.x) * THREADS * PIXELS;
  for (int i = threadIdx.x; i < THREADS * PIXELS; i += THREADS) tile[i / PIXELS * STRIDE + i % PIXELS] = from[i];
  __syncthreads();
}

__device__ float term(int count) { return count > 0 ? count * __log2f(float(PIXELS) / count) / PIXELS : 0.0f; }

__global__ void textures(float* out, const float* images) {
  __shared__ float tile[THREADS * PIXELS];
  load<PIXELS>(tile, images);
  int bins[BINS] = {};
  for (int i = 0; i < PIXELS; ++i) ++bins[int(tile[threadIdx.x * PIXELS + i] * BINS)];
  float sum = 0.0f;
  for (int b = 0; b < BINS; ++b) sum += term(bins[b]);
  out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

__global__ void textures_after(float* out, const float* images) {
  extern __shared__ float tile[];
  int* bins = (int*)(tile + THREADS * (PIXELS + 1)) + threadIdx.x;
  load<PIXELS + 1>(tile, images);
  for (int b = 0; b < BINS; ++b) bins[b * THREADS] = 0;
  for (int i = 0; i < PIXELS; ++i) ++bins[int(tile[threadIdx.x * (PIXELS + 1) + i] * BINS) * THREADS];
  float sum = 0.0f;
  for (int b = 0; b < BINS; ++b) sum += term(bins[b * THREADS]);
  out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

static Case make() {
  return {{{PATCHES, 'f', Fill::Zero, true}, {size_t(PATCHES) * PIXELS, 'f', Fill::Uniform}}, 1e-5};
}
static void bad(const Data& d, cudaStream_t s) {
  textures<<<PATCHES / THREADS, THREADS, 0, s>>>(d.get<float>(0), d.get<float>(1));
}
static void fixed(const Data& d, cudaStream_t s) {
  constexpr int SHARED = THREADS * (PIXELS + 1 + BINS) * 4;
  textures_after<<<PATCHES / THREADS, THREADS, SHARED, s>>>(d.get<float>(0), d.get<float>(1));
}
