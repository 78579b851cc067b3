// Kernel density at 8,192 places over 4,096 samples: 32 blocks, with double precision exponentials; the fix splits the
// samples over 32 times the blocks and computes in float.
#include "../../suite.cuh"

constexpr int PLACES = 8192, SAMPLES = 4096, THREADS = 256, SLICES = 32;

__global__ void density(float* out, const float2* places, const float2* samples) {
  __shared__ float2 tile[THREADS];
  float2 p = places[blockIdx.x * THREADS + threadIdx.x];
  double sum = 0.0;
  for (int start = 0; start < SAMPLES; start += THREADS) {
    __syncthreads();
    tile[threadIdx.x] = samples[start + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < THREADS; ++i) {
      double x = p.x - tile[i].x, y = p.y - tile[i].y;
      sum += exp(-2.0 * (x * x + y * y));
    }
  }
  out[blockIdx.x * THREADS + threadIdx.x] = sum / SAMPLES;
}

__global__ void density_after(float* out, const float2* places, const float2* samples) {
  __shared__ float2 tile[SAMPLES / SLICES];
  float2 p = places[blockIdx.x * THREADS + threadIdx.x];
  if (threadIdx.x < SAMPLES / SLICES) tile[threadIdx.x] = samples[blockIdx.y * (SAMPLES / SLICES) + threadIdx.x];
  __syncthreads();
  float sum = 0.0f;
  for (int i = 0; i < SAMPLES / SLICES; ++i) {
    float x = p.x - tile[i].x, y = p.y - tile[i].y;
    sum += __expf(-2.0f * (x * x + y * y));
  }
  atomicAdd(&out[blockIdx.x * THREADS + threadIdx.x], sum / SAMPLES);
}

static Case make() {
  return {{{PLACES, 'f', Fill::Zero, true}, {PLACES * 2, 'f', Fill::Uniform}, {SAMPLES * 2, 'f', Fill::Uniform}}, 1e-4};
}
static void bad(const Data& d, cudaStream_t s) {
  density<<<PLACES / THREADS, THREADS, 0, s>>>(d.get<float>(0), d.get<float2>(1), d.get<float2>(2));
}
static void fixed(const Data& d, cudaStream_t s) {
  density_after<<<dim3(PLACES / THREADS, SLICES), THREADS, 0, s>>>(d.get<float>(0), d.get<float2>(1), d.get<float2>(2));
}
