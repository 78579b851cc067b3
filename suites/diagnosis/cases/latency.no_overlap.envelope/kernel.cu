// A persistent block fetches a tile of samples, waits for it, filters it, and then fetches the next one; the fix has
// the next tile on its way (cp.async, two buffers) while this one is filtered. Same grid, block and arithmetic.
#include <cuda_pipeline.h>

#include "../../suite.cuh"

constexpr int TAPS = 17, TILE = 7 << 12, SPAN = TILE + 16, THREADS = 1024, GRID = 132, TILES = GRID * 14;
constexpr int QUADS = TILE / 4 / THREADS, BUFFER = 227 * 1024 / 2;  // two of them are all of a block's shared memory
__constant__ float2 taps[TAPS] = {
    {.003f, .011f}, {-.012f, .019f}, {-.031f, -.022f}, {.037f, -.061f}, {.094f, .048f}, {-.051f, .132f},
    {-.17f, -.063f}, {.068f, -.19f}, {.21f, .07f}, {-.066f, .2f}, {-.18f, -.06f}, {.055f, -.14f},
    {.1f, .046f}, {-.035f, .065f}, {-.033f, -.024f}, {.011f, -.021f}, {.004f, .012f}};

__device__ void filter(float* out, const float4* tile) {
  for (int u = 0; u < QUADS; ++u) {
    int at = u * THREADS + threadIdx.x;
    float x[20];
    for (int i = 0; i < 5; ++i) *(float4*)&x[i * 4] = tile[at + i];
    float power = 0.0f;
    for (int s = 0; s < 4; ++s) {
      float p = 0.0f, q = 0.0f;
      for (int t = 0; t < TAPS; ++t) p = fmaf(x[s + t], taps[t].x, p), q = fmaf(x[s + t], taps[t].y, q);
      power = fmaf(p, p, fmaf(q, q, power));
    }
    out[at] = sqrtf(power);
  }
}

__global__ __launch_bounds__(THREADS) void envelope(float* out, const float* signal) {
  extern __shared__ float4 tile[];
  for (int t = blockIdx.x; t < TILES; t += GRID) {
    const float4* from = (const float4*)(signal + size_t(t) * TILE);
    float4 x[QUADS];
    for (int u = 0; u < QUADS; ++u) x[u] = from[u * THREADS + threadIdx.x];
    for (int u = 0; u < QUADS; ++u) tile[u * THREADS + threadIdx.x] = x[u];
    if (threadIdx.x < 4) tile[TILE / 4 + threadIdx.x] = from[TILE / 4 + threadIdx.x];
    __syncthreads();
    filter(out + size_t(t) * (TILE / 4), tile);
    __syncthreads();
  }
}

__device__ void fetch(float4* tile, const float* signal, int t) {
  const float4* from = (const float4*)(signal + size_t(t) * TILE);
  if (t < TILES)
    for (int i = threadIdx.x; i < SPAN / 4; i += THREADS) __pipeline_memcpy_async(tile + i, from + i, 16);
  __pipeline_commit();
}

__global__ __launch_bounds__(THREADS) void envelope_after(float* out, const float* signal) {
  extern __shared__ float4 tiles[];
  fetch(tiles, signal, blockIdx.x);
  for (int t = blockIdx.x, turn = 0; t < TILES; t += GRID, turn ^= 1) {
    fetch(tiles + (turn ^ 1) * (BUFFER / 16), signal, t + GRID);
    __pipeline_wait_prior(1);
    __syncthreads();
    filter(out + size_t(t) * (TILE / 4), tiles + turn * (BUFFER / 16));
    __syncthreads();
  }
}

static Case make() {
  return {{{size_t(TILES) * TILE / 4, 'f', Fill::Zero, true}, {size_t(TILES) * TILE + 16, 'f', Fill::Normal}}, 1e-5};
}
static void bad(const Data& d, cudaStream_t s) {
  CUDA_CHECK(cudaFuncSetAttribute(envelope, cudaFuncAttributeMaxDynamicSharedMemorySize, BUFFER));
  envelope<<<GRID, THREADS, BUFFER, s>>>(d.get<float>(0), d.get<float>(1));
}
static void fixed(const Data& d, cudaStream_t s) {
  CUDA_CHECK(cudaFuncSetAttribute(envelope_after, cudaFuncAttributeMaxDynamicSharedMemorySize, BUFFER * 2));
  envelope_after<<<GRID, THREADS, BUFFER * 2, s>>>(d.get<float>(0), d.get<float>(1));
}
