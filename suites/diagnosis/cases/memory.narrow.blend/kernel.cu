// A thread loads and stores single bytes; the fix moves sixteen with one instruction.
#include "../../suite.cuh"

constexpr int PIXELS = 8 * 3840 * 2160, BLOCK = 256;

__device__ unsigned mix(unsigned front, unsigned back, unsigned alpha) {
  return (front * alpha + back * (256 - alpha)) >> 8;
}

__global__ void blend(uint8_t* out, const uint8_t* front, const uint8_t* back, unsigned alpha) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  out[i] = static_cast<uint8_t>(mix(front[i], back[i], alpha));
}

__device__ unsigned mix_word(unsigned front, unsigned back, unsigned alpha) {
  unsigned word = 0;
#pragma unroll
  for (int shift = 0; shift < 32; shift += 8)
    word |= mix(front >> shift & 255, back >> shift & 255, alpha) << shift;
  return word;
}

__global__ void blend_after(uint4* out, const uint4* front, const uint4* back, unsigned alpha) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  uint4 f = front[i], b = back[i];
  out[i] = make_uint4(mix_word(f.x, b.x, alpha), mix_word(f.y, b.y, alpha), mix_word(f.z, b.z, alpha),
                      mix_word(f.w, b.w, alpha));
}

static Case make() {
  Buffer image = {PIXELS, 'b', Fill::Random, false, 256};
  return {{{PIXELS, 'b', Fill::Zero, true}, image, image}, 0.0};
}
static void bad(const Data& d, cudaStream_t s) {
  blend<<<PIXELS / BLOCK, BLOCK, 0, s>>>(d.get<uint8_t>(0), d.get<uint8_t>(1), d.get<uint8_t>(2), 77);
}
static void fixed(const Data& d, cudaStream_t s) {
  blend_after<<<PIXELS / 16 / BLOCK, BLOCK, 0, s>>>(d.get<uint4>(0), d.get<uint4>(1), d.get<uint4>(2), 77);
}
