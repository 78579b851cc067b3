// All pixels of all blocks add to the same 256 global counters; the fix counts in shared memory first.
#include "../../suite.cuh"

constexpr int PIXELS = 1 << 24, BINS = 256, BLOCK = 256, BLOCKS = 4 * 132;

template <typename Count>
__device__ void count_pixels(const uint4* image, Count count) {
  for (int i = blockIdx.x * BLOCK + threadIdx.x; i < PIXELS / 16; i += BLOCKS * BLOCK) {
    uint4 p = image[i];
#pragma unroll
    for (int shift = 0; shift < 32; shift += 8) {
      count(p.x >> shift & 255);
      count(p.y >> shift & 255);
      count(p.z >> shift & 255);
      count(p.w >> shift & 255);
    }
  }
}

__global__ void histogram(unsigned* bins, const uint4* image) {
  count_pixels(image, [=](unsigned value) { atomicAdd(&bins[value], 1u); });
}

__global__ void histogram_after(unsigned* bins, const uint4* image) {
  __shared__ unsigned mine[BINS];
  mine[threadIdx.x] = 0;
  __syncthreads();
  count_pixels(image, [&](unsigned value) { atomicAdd(&mine[value], 1u); });
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

static Case make() {
  return {{{BINS, 'i', Fill::Zero, true}, {PIXELS, 'b', Fill::Random, false, 256}}, 0.0};
}
static void bad(const Data& d, cudaStream_t s) {
  histogram<<<BLOCKS, BLOCK, 0, s>>>(d.get<unsigned>(0), d.get<uint4>(1));
}
static void fixed(const Data& d, cudaStream_t s) {
  histogram_after<<<BLOCKS, BLOCK, 0, s>>>(d.get<unsigned>(0), d.get<uint4>(1));
}
