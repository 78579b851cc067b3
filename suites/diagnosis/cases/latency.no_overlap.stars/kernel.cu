// A block walks over 128x128 tiles of the sky. Loading and filtering take turns; the fix copies the next tile
// asynchronously while it filters this one.
#include <cuda_pipeline.h>

#include "../../suite.cuh"

constexpr int SIDE = 8192, PITCH = SIDE + 4, TILE = 128, WIDE = TILE + 4, TILES = SIDE / TILE, STRIP = 16, BLOCKS = 132;
constexpr int QUADS = WIDE * WIDE / 4, BYTES = WIDE * WIDE * 4;

__device__ float tap(int y, int x) {
  constexpr float row[5] = {-0.45f, 0.21f, 0.83f, 0.19f, -0.41f}, column[5] = {-0.52f, 0.33f, 0.91f, 0.27f, -0.47f};
  return row[x] * column[y];
}

__device__ const float4* source(const float* sky, int tile, int quad) {
  int y = tile / TILES * TILE + quad / (WIDE / 4), x = tile % TILES * TILE + quad % (WIDE / 4) * 4;
  return reinterpret_cast<const float4*>(sky + size_t(y) * PITCH + x);
}

__device__ void filter(float* out, const float* part, int tile) {
  int x = threadIdx.x % TILE, y = threadIdx.x / TILE * STRIP;
  float sum[STRIP] = {};
#pragma unroll
  for (int r = 0; r < STRIP + 4; ++r) {
    float v[5];
    for (int k = 0; k < 5; ++k) v[k] = part[(y + r) * WIDE + x + k];
#pragma unroll
    for (int j = 0; j < 5; ++j)
      if (r - j >= 0 && r - j < STRIP)
        for (int k = 0; k < 5; ++k) sum[r - j] = fmaf(v[k], tap(j, k), sum[r - j]);
  }
  float best = sum[0];
  for (int s = 1; s < STRIP; ++s) best = fmaxf(best, sum[s]);
  out[(tile / TILES * (TILE / STRIP) + threadIdx.x / TILE) * SIDE + tile % TILES * TILE + x] = best;
}

__global__ void __launch_bounds__(1024) detect(float* out, const float* sky) {
  extern __shared__ float4 part[];
  for (int tile = blockIdx.x; tile < TILES * TILES; tile += BLOCKS) {
    for (int q = threadIdx.x; q < QUADS; q += 1024) part[q] = *source(sky, tile, q);
    __syncthreads();
    filter(out, reinterpret_cast<float*>(part), tile);
    __syncthreads();
  }
}

__global__ void __launch_bounds__(1024) detect_after(float* out, const float* sky) {
  extern __shared__ float4 part[];
  auto fetch = [&](int tile, int to) {
    if (tile < TILES * TILES)
      for (int q = threadIdx.x; q < QUADS; q += 1024) __pipeline_memcpy_async(part + to * QUADS + q, source(sky, tile, q), 16);
    __pipeline_commit();
  };
  int now = 0;
  fetch(blockIdx.x, 0);
  for (int tile = blockIdx.x; tile < TILES * TILES; tile += BLOCKS, now ^= 1) {
    fetch(tile + BLOCKS, now ^ 1);
    __pipeline_wait_prior(1);
    __syncthreads();
    filter(out, reinterpret_cast<float*>(part + now * QUADS), tile);
    __syncthreads();
  }
}

static Case make() {
  return {{{size_t(SIDE) * SIDE / STRIP, 'f', Fill::Zero, true}, {size_t(PITCH) * PITCH, 'f', Fill::Uniform}}, 1e-5};
}
static void bad(const Data& d, cudaStream_t s) {
  CUDA_CHECK(cudaFuncSetAttribute(detect, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES));
  detect<<<BLOCKS, 1024, BYTES, s>>>(d.get<float>(0), d.get<float>(1));
}
static void fixed(const Data& d, cudaStream_t s) {
  CUDA_CHECK(cudaFuncSetAttribute(detect_after, cudaFuncAttributeMaxDynamicSharedMemorySize, 2 * BYTES));
  detect_after<<<BLOCKS, 1024, 2 * BYTES, s>>>(d.get<float>(0), d.get<float>(1));
}
