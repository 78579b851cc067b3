// Optical depth along y of a volume [z][y][x]: neighbouring lanes are neighbours in z, 256 KB apart.
// The fix has lanes along x.
#include "../../suite.cuh"

constexpr int NX = 512, NY = 128, NZ = 512, BLOCK = 256;

template <bool ALONG_X>
__global__ void opacity(float* __restrict__ out, const float* __restrict__ density, float dy) {
  int lane = blockIdx.y * BLOCK + threadIdx.x, x = ALONG_X ? lane : blockIdx.x, z = ALONG_X ? blockIdx.x : lane;
  int at = z * NY * NX + x;
  float depth = 0;
#pragma unroll 4
  for (int y = 0; y < NY; ++y, at += NX) {
    depth += density[at] * dy;
    out[at] = __expf(-depth);
  }
}

static Case make() {
  return {{{NX * NY * NZ, 'f', Fill::Zero, true}, {NX * NY * NZ, 'f', Fill::Uniform}}, 1e-5};
}
static void bad(const Data& d, cudaStream_t s) {
  opacity<false><<<dim3(NX, NZ / BLOCK), BLOCK, 0, s>>>(d.get<float>(0), d.get<float>(1), 0.02f);
}
static void fixed(const Data& d, cudaStream_t s) {
  opacity<true><<<dim3(NZ, NX / BLOCK), BLOCK, 0, s>>>(d.get<float>(0), d.get<float>(1), 0.02f);
}
