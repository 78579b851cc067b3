// Exposure of each counterparty: an atomic addition to global memory for each trade. The fix sums in shared memory and
// adds each block's 512 sums at its end.
#include "../../suite.cuh"

constexpr int TRADES = 1 << 23, PARTIES = 512, BLOCK = 256, BLOCKS = 132 * 8;

__device__ int worth(int quantity, int price) { return (quantity - 500) * price >> 6; }

__global__ void exposure(int* out, const int* __restrict__ party, const int* __restrict__ quantity,
                         const int* __restrict__ price) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  atomicAdd(out + party[i], worth(quantity[i], price[i]));
}

__global__ void exposure_after(int* out, const int* __restrict__ party, const int* __restrict__ quantity,
                               const int* __restrict__ price) {
  __shared__ int sums[PARTIES];
  for (int p = threadIdx.x; p < PARTIES; p += BLOCK) sums[p] = 0;
  __syncthreads();
#pragma unroll 4
  for (int i = blockIdx.x * BLOCK + threadIdx.x; i < TRADES; i += BLOCKS * BLOCK)
    atomicAdd(sums + party[i], worth(quantity[i], price[i]));
  __syncthreads();
  for (int p = threadIdx.x; p < PARTIES; p += BLOCK) atomicAdd(out + p, sums[p]);
}

static Case make() {
  return {{{PARTIES, 'i', Fill::Zero, true}, {TRADES, 'i', Fill::Random, false, PARTIES},
           {TRADES, 'i', Fill::Random, false, 1000}, {TRADES, 'i', Fill::Random, false, 9000}}, 0};
}
static void bad(const Data& d, cudaStream_t s) {
  exposure<<<TRADES / BLOCK, BLOCK, 0, s>>>(d.get<int>(0), d.get<int>(1), d.get<int>(2), d.get<int>(3));
}
static void fixed(const Data& d, cudaStream_t s) {
  exposure_after<<<BLOCKS, BLOCK, 0, s>>>(d.get<int>(0), d.get<int>(1), d.get<int>(2), d.get<int>(3));
}
