// A packet is staged in shared memory, with room for the largest packet of the protocol, 64 KB: three blocks to an SM.
// The fix reserves what this capture's packets need.
#include "../../suite.cuh"

constexpr int PACKETS = 1 << 17, STRIDE = 384, BLOCK = 128, LARGEST = 65536;

__global__ void digest(unsigned* out, const unsigned* __restrict__ packets, const int* __restrict__ lengths) {
  extern __shared__ unsigned staged[];
  __shared__ unsigned parts[BLOCK / 32];
  int words = 16 + lengths[blockIdx.x];
  const unsigned* packet = packets + size_t(blockIdx.x) * STRIDE;
  for (int i = threadIdx.x; i < words; i += BLOCK) staged[i] = packet[i];
  __syncthreads();
  if (threadIdx.x == 0) {  // fields that change on the way
    staged[1] &= 0x0000ffffu;
    staged[2] &= 0x00ff00ffu;
  }
  __syncthreads();
  unsigned sum = 0;
  for (int i = threadIdx.x; i < words; i += BLOCK) {
    unsigned mixed = (staged[i] ^ 0x9e3779b9u) * (2 * i + 1);
    sum += mixed ^ mixed >> 15;
  }
  for (int step = 16; step; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = parts[0] + parts[1] + parts[2] + parts[3];
}

static Case make() {
  return {{{PACKETS, 'i', Fill::Zero, true}, {size_t(PACKETS) * STRIDE, 'i', Fill::Random, false, 1u << 31},
           {PACKETS, 'i', Fill::Random, false, STRIDE - 16}}, 0};
}
static void launch(const Data& d, cudaStream_t s, int bytes) {
  CUDA_CHECK(cudaFuncSetAttribute(digest, cudaFuncAttributeMaxDynamicSharedMemorySize, LARGEST));
  digest<<<PACKETS, BLOCK, bytes, s>>>(d.get<unsigned>(0), d.get<unsigned>(1), d.get<int>(2));
}
static void bad(const Data& d, cudaStream_t s) { launch(d, s, LARGEST); }
static void fixed(const Data& d, cudaStream_t s) { launch(d, s, STRIDE * 4); }
