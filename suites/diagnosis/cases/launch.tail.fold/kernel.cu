// 140 trial frequencies, a block of 1,024 threads to each, one block to an SM: 132 run, and then 8 alone.
// The fix cuts each trial's photons into 16 pieces.
#include "../../suite.cuh"

constexpr int PHOTONS = 1 << 20, TRIALS = 140, HARMONICS = 8, BLOCK = 1024;

// Sums of cosine and sine of the phase and of its harmonics.
__global__ void __launch_bounds__(BLOCK, 1)
fold(float* out, const float* __restrict__ times, float first, float step, int piece) {
  __shared__ float parts[BLOCK / 32][2 * HARMONICS];
  float frequency = first + step * blockIdx.x;
  float sums[2 * HARMONICS] = {};
  const float* mine = times + blockIdx.y * piece;
#pragma unroll 2
  for (int i = threadIdx.x; i < piece; i += BLOCK) {
    float cycles = mine[i] * frequency, c, s;
    __sincosf(6.2831853f * (cycles - rintf(cycles)), &s, &c);
    float a = c, b = s;
#pragma unroll
    for (int h = 0; h < HARMONICS; ++h) {
      sums[2 * h] += a;
      sums[2 * h + 1] += b;
      float turned = a * c - b * s;
      b = a * s + b * c;
      a = turned;
    }
  }
#pragma unroll
  for (int k = 0; k < 2 * HARMONICS; ++k) {
    for (int far = 16; far; far /= 2) sums[k] += __shfl_down_sync(~0u, sums[k], far);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32][k] = sums[k];
  }
  __syncthreads();
  if (threadIdx.x < 2 * HARMONICS) {
    float sum = 0;
    for (int w = 0; w < BLOCK / 32; ++w) sum += parts[w][threadIdx.x];
    atomicAdd(out + blockIdx.x * 2 * HARMONICS + threadIdx.x, sum);
  }
}

static Case make() {
  return {{{TRIALS * 2 * HARMONICS, 'f', Fill::Zero, true}, {PHOTONS, 'f', Fill::Uniform}}, 1e-3};
}
static void bad(const Data& d, cudaStream_t s) {
  fold<<<TRIALS, BLOCK, 0, s>>>(d.get<float>(0), d.get<float>(1), 210.3f, 0.37f, PHOTONS);
}
static void fixed(const Data& d, cudaStream_t s) {
  fold<<<dim3(TRIALS, 16), BLOCK, 0, s>>>(d.get<float>(0), d.get<float>(1), 210.3f, 0.37f, PHOTONS / 16);
}
