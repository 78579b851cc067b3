// RAID-6's second syndrome: one byte to a thread. The fix has sixteen in one access, four to a word.
#include "../../suite.cuh"

constexpr int BYTES = 1 << 27, BLOCK = 256;

__global__ void syndrome(uint8_t* __restrict__ out, const uint8_t* __restrict__ q, const uint8_t* __restrict__ disk) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  unsigned v = q[i];
  out[i] = static_cast<uint8_t>(v << 1 ^ (v & 0x80 ? 0x1d : 0) ^ disk[i]);
}

__device__ unsigned advance(unsigned v, unsigned d) {
  return (v & 0x7f7f7f7fu) << 1 ^ (v >> 7 & 0x01010101u) * 0x1d ^ d;
}

__global__ void syndrome_after(uint4* __restrict__ out, const uint4* __restrict__ q, const uint4* __restrict__ disk) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  uint4 v = q[i], d = disk[i];
  out[i] = make_uint4(advance(v.x, d.x), advance(v.y, d.y), advance(v.z, d.z), advance(v.w, d.w));
}

static Case make() {
  Buffer in = {BYTES, 'b', Fill::Random, false, 256};
  return {{{BYTES, 'b', Fill::Zero, true}, in, in}, 0};
}
static void bad(const Data& d, cudaStream_t s) {
  syndrome<<<BYTES / BLOCK, BLOCK, 0, s>>>(d.get<uint8_t>(0), d.get<uint8_t>(1), d.get<uint8_t>(2));
}
static void fixed(const Data& d, cudaStream_t s) {
  syndrome_after<<<BYTES / 16 / BLOCK, BLOCK, 0, s>>>(d.get<uint4>(0), d.get<uint4>(1), d.get<uint4>(2));
}
