// Interleaved pixels to four planes through shared memory; the reads conflict in four ways, behind the DRAM's time. The
// tempting change has a tile of planes.
#include "../../suite.cuh"

constexpr int PIXELS = 1 << 23, THREADS = 256;

__global__ void planes(float* out, const float4* image) {
  __shared__ float4 tile[THREADS];
  int at = blockIdx.x * THREADS + threadIdx.x;
  tile[threadIdx.x] = image[at];
  __syncthreads();
  const float* flat = (const float*)tile;
  int plane = threadIdx.x / 32 % 4, first = threadIdx.x / 128 * 128 + threadIdx.x % 32;  // a warp writes one plane
  float* to = out + size_t(plane) * PIXELS + blockIdx.x * THREADS;
  for (int i = first; i < first + 128; i += 32) to[i] = flat[i * 4 + plane];
}

__global__ void planes_after(float* out, const float4* image) {
  __shared__ float tile[4][THREADS];
  int at = blockIdx.x * THREADS + threadIdx.x;
  float4 p = image[at];
  tile[0][threadIdx.x] = p.x, tile[1][threadIdx.x] = p.y, tile[2][threadIdx.x] = p.z, tile[3][threadIdx.x] = p.w;
  __syncthreads();
  int plane = threadIdx.x / 32 % 4, first = threadIdx.x / 128 * 128 + threadIdx.x % 32;
  float* to = out + size_t(plane) * PIXELS + blockIdx.x * THREADS;
  for (int i = first; i < first + 128; i += 32) to[i] = tile[plane][i];
}

static Case make() {
  return {{{size_t(PIXELS) * 4, 'f', Fill::Zero, true}, {size_t(PIXELS) * 4, 'f', Fill::Uniform}}, 0};
}
static void bad(const Data& d, cudaStream_t s) {
  planes<<<PIXELS / THREADS, THREADS, 0, s>>>(d.get<float>(0), d.get<float4>(1));
}
static void fixed(const Data& d, cudaStream_t s) {
  planes_after<<<PIXELS / THREADS, THREADS, 0, s>>>(d.get<float>(0), d.get<float4>(1));
}
