// Check digits: weights of the base 58 digits of 64-bit numbers, by divisions with a run-time base and weights from
// constant memory; the fix divides by a base known to the compiler (multiplications), weights in shared memory.
#include "../../suite.cuh"

constexpr int NUMBERS = 1 << 23, BASE = 58, DIGITS = 10;
__constant__ int weights[BASE] = {7,  3, 29, 31, 2,  41, 11, 23, 5,  53, 17, 13, 37, 19, 43, 47, 1,  59, 6,  10,
                                  14, 22, 26, 34, 38, 46, 58, 9, 15, 21, 33, 39, 51, 57, 25, 35, 55, 49, 4,  8,
                                  16, 32, 12, 18, 24, 27, 36, 48, 54, 20, 28, 40, 44, 52, 56, 30, 42, 45};

__device__ unsigned long long number(uint2 x) { return (unsigned long long)(x.x & 0xffffff) << 31 | x.y; }

__global__ void checks(int* out, const uint2* numbers, unsigned base) {
  int at = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  unsigned long long n = number(numbers[at]), b = base;
#pragma unroll 1
  for (int k = 0; k < DIGITS; ++k) {
    sum = sum * 3 + weights[n % b];
    n /= b;
  }
  out[at] = sum & 0xffffff;
}

__global__ void checks_after(int* out, const uint2* numbers) {
  __shared__ int table[64];
  if (threadIdx.x < BASE) table[threadIdx.x] = weights[threadIdx.x];
  __syncthreads();
  int at = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  unsigned long long n = number(numbers[at]);
#pragma unroll 1
  for (int k = 0; k < DIGITS; ++k) {
    sum = sum * 3 + table[n % BASE];
    n /= BASE;
  }
  out[at] = sum & 0xffffff;
}

static Case make() {
  return {{{NUMBERS, 'i', Fill::Zero, true}, {size_t(NUMBERS) * 2, 'i', Fill::Random, false, 0x7fffffff}}, 0};
}
static void bad(const Data& d, cudaStream_t s) {
  checks<<<NUMBERS / 256, 256, 0, s>>>(d.get<int>(0), d.get<uint2>(1), BASE);
}
static void fixed(const Data& d, cudaStream_t s) {
  checks_after<<<NUMBERS / 256, 256, 0, s>>>(d.get<int>(0), d.get<uint2>(1));
}
