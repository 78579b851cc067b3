// A warp follows a list of 128-byte chunks, one link at a time; one list in 128 is then corrected by a solve in
// registers, whose factor sets the registers of all. The fix has the solve in a launch of its own.
#include "../../suite.cuh"

constexpr int LISTS = 132 * 256, LENGTH = 16, CHUNKS = 1 << 19, SIZE = 16, OFTEN = 128, THREADS = 128;

// Solves (prior + shift) z = right by Cholesky; the largest part of z is the correction.
__device__ __forceinline__ float correction(const float* prior, const float* right, float shift) {
  float factor[SIZE * (SIZE + 1) / 2], z[SIZE], most = 0.0f;
#pragma unroll
  for (int i = 0; i < SIZE; ++i) {
    z[i] = right[i];
#pragma unroll
    for (int j = 0; j <= i; ++j) {
      float x = prior[i * SIZE + j] + (i == j ? shift : 0.0f);
#pragma unroll
      for (int k = 0; k < j; ++k) x -= factor[i * (i + 1) / 2 + k] * factor[j * (j + 1) / 2 + k];
      factor[i * (i + 1) / 2 + j] = i == j ? rsqrtf(x) : x * factor[j * (j + 1) / 2 + j];
      if (j < i) z[i] -= factor[i * (i + 1) / 2 + j] * z[j];
    }
    z[i] *= factor[i * (i + 1) / 2 + i];
  }
#pragma unroll
  for (int i = SIZE - 1; i >= 0; --i) {
#pragma unroll
    for (int k = i + 1; k < SIZE; ++k) z[i] -= factor[k * (k + 1) / 2 + i] * z[k];
    z[i] *= factor[i * (i + 1) / 2 + i];
    most = fmaxf(most, fabsf(z[i]));
  }
  return most;
}

// A lane tries one strength of regularization; a warp keeps the largest correction.
__device__ __forceinline__ float corrected(float sum, const float* prior, const float* right) {
  float most = correction(prior, right, sum + threadIdx.x % 32);
  for (int offset = 16; offset > 0; offset /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, offset));
  return sum + most;
}

template <bool CORRECT>
__global__ __launch_bounds__(THREADS) void list_sums(float* out, const int* chunks, const float* prior, const float* right) {
  int list = (blockIdx.x * THREADS + threadIdx.x) / 32, lane = threadIdx.x % 32, chunk = list * 15;
  float sum = 0.0f;
#pragma unroll 1
  for (int i = 0; i < LENGTH; ++i) {
    int word = chunks[chunk * 32 + lane];  // 31 values in 1/CHUNKS, and the next chunk
    chunk = __shfl_sync(0xffffffffu, word, 31);
    if (lane < 31) sum += word * (1.0f / CHUNKS);
  }
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  if (CORRECT && list % OFTEN == 0) sum = corrected(sum, prior, right);
  if (lane == 0) out[list] = sum;
}

__global__ __launch_bounds__(THREADS) void corrections(float* out, const float* prior, const float* right) {
  int list = (blockIdx.x * THREADS + threadIdx.x) / 32 * OFTEN;
  float sum = corrected(out[list], prior, right);
  if (threadIdx.x % 32 == 0) out[list] = sum;
}

static Case make() {
  return {{{LISTS, 'f', Fill::Zero, true},
           {size_t(CHUNKS) * 32, 'i', Fill::Random, false, CHUNKS},
           {SIZE * SIZE, 'f', Fill::Uniform},
           {SIZE, 'f', Fill::Uniform}},
          1e-5};
}
static void bad(const Data& d, cudaStream_t s) {
  list_sums<true><<<LISTS * 32 / THREADS, THREADS, 0, s>>>(d.get<float>(0), d.get<int>(1), d.get<float>(2),
                                                           d.get<float>(3));
}
static void fixed(const Data& d, cudaStream_t s) {
  list_sums<false><<<LISTS * 32 / THREADS, THREADS, 0, s>>>(d.get<float>(0), d.get<int>(1), d.get<float>(2),
                                                            d.get<float>(3));
  corrections<<<LISTS / OFTEN * 32 / THREADS, THREADS, 0, s>>>(d.get<float>(0), d.get<float>(2), d.get<float>(3));
}
