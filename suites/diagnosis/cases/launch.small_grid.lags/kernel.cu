// One block to a lag: 12 blocks for 132 SMs. The fix cuts the traces into 44 pieces for each lag.
#include "../../suite.cuh"

constexpr int SAMPLES = 1 << 21, LAGS = 12, BLOCK = 512, PIECES = 44;

__global__ void correlate(float* out, const float* __restrict__ here, const float* __restrict__ there, int piece) {
  __shared__ float parts[BLOCK / 32];
  int lag = blockIdx.x, from = blockIdx.y * piece, to = min(from + piece, SAMPLES);
  float sum = 0;
#pragma unroll 4
  for (int i = from + threadIdx.x; i < to; i += BLOCK) sum += here[i] * there[i + 3 * lag];
  for (int step = 16; step; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < BLOCK / 32; ++w) sum += parts[w];
    atomicAdd(out + lag, sum);
  }
}

static Case make() {
  return {{{LAGS, 'f', Fill::Zero, true}, {SAMPLES, 'f', Fill::Uniform}, {SAMPLES + 64, 'f', Fill::Uniform}}, 1e-4};
}
static void bad(const Data& d, cudaStream_t s) {
  correlate<<<LAGS, BLOCK, 0, s>>>(d.get<float>(0), d.get<float>(1), d.get<float>(2), SAMPLES);
}
static void fixed(const Data& d, cudaStream_t s) {
  correlate<<<dim3(LAGS, PIECES), BLOCK, 0, s>>>(d.get<float>(0), d.get<float>(1), d.get<float>(2),
                                                 (SAMPLES + PIECES - 1) / PIECES);
}
