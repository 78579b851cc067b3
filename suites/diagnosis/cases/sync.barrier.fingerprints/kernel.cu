// Fingerprints of messages, one to a warp; the block gathers 32 results and writes them together, so that all its warps
// wait for the longest message of the batch. In the fix each warp writes its own result and goes on.
#include "../../suite.cuh"

constexpr int GRID = 264, BATCHES = GRID * 16, MESSAGES = BATCHES * 32, SLOT = 16;  // SLOT: of 32 words, at most

__device__ unsigned fingerprint(const unsigned* messages, const int* sizes, int message) {
  int size = sizes[message], lane = threadIdx.x % 32;
  const unsigned* word = messages + size_t(message) * SLOT * 32 + lane;
  unsigned h = lane + 1;
#pragma unroll 1
  for (int parts = 1 + size * size * size / 16384; parts > 0; --parts, word += 32) {  // 1 to 16, mostly few
    h ^= *word;
    for (int round = 0; round < 8; ++round) h = (h ^ h >> 15) * 0x2c1b3c6du, h = (h ^ h >> 12) * 0x297a2d39u;
  }
  for (int d = 16; d > 0; d /= 2) h = __shfl_xor_sync(0xffffffffu, h, d) * 31 ^ h;
  return h >> 8;
}

__global__ __launch_bounds__(1024, 2) void fingerprints(int* out, const unsigned* messages, const int* sizes) {
  __shared__ unsigned found[32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int batch = blockIdx.x; batch < BATCHES; batch += GRID) {
    unsigned h = fingerprint(messages, sizes, batch * 32 + warp);
    if (lane == 0) found[warp] = h;
    __syncthreads();
    if (warp == 0) out[batch * 32 + lane] = found[lane];
    __syncthreads();
  }
}

__global__ __launch_bounds__(1024, 2) void fingerprints_after(int* out, const unsigned* messages, const int* sizes) {
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int batch = blockIdx.x; batch < BATCHES; batch += GRID) {
    unsigned h = fingerprint(messages, sizes, batch * 32 + warp);
    if (lane == 0) out[batch * 32 + warp] = h;
  }
}

static Case make() {
  return {{{MESSAGES, 'i', Fill::Zero, true},
           {size_t(MESSAGES) * SLOT * 32, 'i', Fill::Random, false, 1u << 30},
           {MESSAGES, 'i', Fill::Random, false, 64}},
          0};
}
static void bad(const Data& d, cudaStream_t s) {
  fingerprints<<<GRID, 1024, 0, s>>>(d.get<int>(0), d.get<unsigned>(1), d.get<int>(2));
}
static void fixed(const Data& d, cudaStream_t s) {
  fingerprints_after<<<GRID, 1024, 0, s>>>(d.get<int>(0), d.get<unsigned>(1), d.get<int>(2));
}
