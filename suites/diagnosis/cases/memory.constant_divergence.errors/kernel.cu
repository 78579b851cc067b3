// Expected errors of reads, from a table of error rates in constant memory: lanes look up different qualities.
// The fix copies the table to shared memory.
#include "../../suite.cuh"

constexpr int QUALITIES = 1 << 26, BLOCK = 256, LEVELS = 24;

__constant__ float RATE[64] = {
    1.0f, 0.7943282f, 0.6309573f, 0.5011872f, 0.3981072f, 0.3162278f, 0.2511886f, 0.1995262f, 0.1584893f, 0.1258925f,
    0.1f, 0.07943282f, 0.06309573f, 0.05011872f, 0.03981072f, 0.03162278f, 0.02511886f, 0.01995262f, 0.01584893f,
    0.01258925f, 0.01f, 0.007943282f, 0.006309573f, 0.005011872f, 0.003981072f, 0.003162278f, 0.002511886f,
    0.001995262f, 0.001584893f, 0.001258925f, 0.001f, 0.0007943282f, 0.0006309573f, 0.0005011872f, 0.0003981072f,
    0.0003162278f, 0.0002511886f, 0.0001995262f, 0.0001584893f, 0.0001258925f, 0.0001f, 7.943282e-05f,
    6.309573e-05f, 5.011872e-05f, 3.981072e-05f, 3.162278e-05f, 2.511886e-05f, 1.995262e-05f, 1.584893e-05f,
    1.258925e-05f, 1e-05f, 7.943282e-06f, 6.309573e-06f, 5.011872e-06f, 3.981072e-06f, 3.162278e-06f, 2.511886e-06f,
    1.995262e-06f, 1.584893e-06f, 1.258925e-06f, 1e-06f, 7.943282e-07f, 6.309573e-07f, 5.011872e-07f};

__device__ float four(const float* rate, unsigned word) {
  return rate[word & 63] + rate[word >> 8 & 63] + rate[word >> 16 & 63] + rate[word >> 24 & 63];
}

__device__ void expect(float* out, const uint4* qualities, const float* rate) {  // eight lanes to a read of 128
  int i = blockIdx.x * BLOCK + threadIdx.x;
  uint4 q = qualities[i];
  float sum = four(rate, q.x) + four(rate, q.y) + four(rate, q.z) + four(rate, q.w);
  for (int step = 4; step; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (i % 8 == 0) out[i / 8] = sum;
}

__global__ void errors(float* out, const uint4* qualities) { expect(out, qualities, RATE); }

__global__ void errors_after(float* out, const uint4* qualities) {
  __shared__ float rate[64];
  if (threadIdx.x < 64) rate[threadIdx.x] = RATE[threadIdx.x];
  __syncthreads();
  expect(out, qualities, rate);
}

static Case make() {
  return {{{QUALITIES / 128, 'f', Fill::Zero, true}, {QUALITIES, 'b', Fill::Random, false, LEVELS}}, 1e-5};
}
static void bad(const Data& d, cudaStream_t s) {
  errors<<<QUALITIES / 16 / BLOCK, BLOCK, 0, s>>>(d.get<float>(0), d.get<uint4>(1));
}
static void fixed(const Data& d, cudaStream_t s) {
  errors_after<<<QUALITIES / 16 / BLOCK, BLOCK, 0, s>>>(d.get<float>(0), d.get<uint4>(1));
}
