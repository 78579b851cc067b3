// 768 American puts, 256 steps back in time. Every step is a launch of its own; the fix walks back within one.
#include "../../suite.cuh"

constexpr int OPTIONS = 768, STEPS = 256, PITCH = STEPS + 32;
constexpr float UP = 0.018f, CHANCE = 0.5052f, DISCOUNT = 0.99992f;  // log2 of the up factor

__device__ float exercise(float2 option, int level, int j) {  // spot and strike between 90 and 110
  float spot = 90 + 20 * option.x, strike = 90 + 20 * option.y;
  return fmaxf(strike - spot * exp2f(UP * static_cast<float>(2 * j - level)), 0.0f);
}
__device__ float back(float2 option, int level, int j, float down, float up) {
  return fmaxf(exercise(option, level, j), DISCOUNT * __fmaf_rn(CHANCE, up - down, down));
}

__global__ void expire(float* values, const float2* options) {
  values[blockIdx.x * PITCH + threadIdx.x] = exercise(options[blockIdx.x], STEPS, threadIdx.x);
}
__global__ void step(float* to, const float* from, const float2* options, int level) {
  int j = threadIdx.x, at = blockIdx.x * PITCH + j;
  if (j <= level) to[at] = back(options[blockIdx.x], level, j, from[at], from[at + 1]);
}
__global__ void take(float* out, const float* values) { out[threadIdx.x] = values[threadIdx.x * PITCH]; }

__global__ void walk(float* out, const float2* options) {
  __shared__ float values[2][PITCH];
  float2 option = options[blockIdx.x];
  int j = threadIdx.x;
  values[0][j] = exercise(option, STEPS, j);
  for (int level = STEPS - 1, now = 0; level >= 0; --level, now ^= 1) {
    __syncthreads();
    if (j <= level) values[now ^ 1][j] = back(option, level, j, values[now][j], values[now][j + 1]);
  }
  if (j == 0) out[blockIdx.x] = values[STEPS % 2][0];
}

static Case make() {
  return {{{OPTIONS, 'f', Fill::Zero, true},
           {2 * OPTIONS, 'f', Fill::Uniform},
           {OPTIONS * PITCH, 'f', Fill::Zero},
           {OPTIONS * PITCH, 'f', Fill::Zero}},
          1e-5};
}
static void bad(const Data& d, cudaStream_t s) {
  float *now = d.get<float>(2), *next = d.get<float>(3);
  expire<<<OPTIONS, PITCH, 0, s>>>(now, d.get<float2>(1));
  for (int level = STEPS - 1; level >= 0; --level) {
    step<<<OPTIONS, PITCH, 0, s>>>(next, now, d.get<float2>(1), level);
    std::swap(now, next);
  }
  take<<<1, OPTIONS, 0, s>>>(d.get<float>(0), now);
}
static void fixed(const Data& d, cudaStream_t s) { walk<<<OPTIONS, PITCH, 0, s>>>(d.get<float>(0), d.get<float2>(1)); }
