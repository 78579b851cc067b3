// Log likelihood of the ten diploid genotypes at each site from 32 reads (base in two bits, quality above). The log of
// every read saturates the special-function unit; the fix takes it of products of four.
#include "../../suite.cuh"

constexpr int SITES = 1 << 21, DEPTH = 32;

__device__ float log_base2(float x) {
  float y;
  asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ float power2(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

template <int TOGETHER>
__global__ void likelihoods(float* out, const int* reads) {
  int site = blockIdx.x * blockDim.x + threadIdx.x;
  float sum[10] = {};
  for (int at = 0; at < DEPTH; at += 4) {
    int read[4];
    for (int u = 0; u < 4; ++u) read[u] = reads[(at + u) * SITES + site];
    float product[10];
#pragma unroll
    for (int u = 0; u < 4; ++u) {
      int base = read[u] & 3;
      float error = power2(-0.33219281f * static_cast<float>((read[u] >> 2) + 4));
      float miss = error * (0.5f / 3), hit = 0.5f - 0.5f * error, p[4];
      for (int b = 0; b < 4; ++b) p[b] = b == base ? hit : miss;
      int g = 0;
#pragma unroll
      for (int a = 0; a < 4; ++a)
#pragma unroll
        for (int b = a; b < 4; ++b, ++g) {
          float both = p[a] + p[b];
          product[g] = u % TOGETHER ? product[g] * both : both;
          if ((u + 1) % TOGETHER == 0) sum[g] += log_base2(product[g]);
        }
    }
  }
  for (int g = 0; g < 10; ++g) out[g * SITES + site] = sum[g] * 0.30103f;
}

static Case make() {
  return {{{size_t(10) * SITES, 'f', Fill::Zero, true}, {size_t(DEPTH) * SITES, 'i', Fill::Random, false, 256}}, 1e-4};
}
static void bad(const Data& d, cudaStream_t s) {
  likelihoods<1><<<SITES / 256, 256, 0, s>>>(d.get<float>(0), d.get<int>(1));
}
static void fixed(const Data& d, cudaStream_t s) {
  likelihoods<4><<<SITES / 256, 256, 0, s>>>(d.get<float>(0), d.get<int>(1));
}
