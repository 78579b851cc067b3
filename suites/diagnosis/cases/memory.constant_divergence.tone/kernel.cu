// Pixel values index a table in constant memory, which serves one address at a time; shared memory serves 32 banks.
#include "../../suite.cuh"

constexpr int PIXELS = 1 << 25, BLOCK = 256, WORDS = 4;  // a thread maps WORDS words of four pixels

struct Curve {
  float at[256];
  constexpr Curve() : at() {
    for (int i = 0; i < 256; ++i) at[i] = i / 255.0f * (i / 255.0f) * (0.8f + 0.2f * (i / 255.0f));
  }
};
__constant__ Curve curve;
__device__ Curve curve_in_memory;

template <typename Lookup>
__device__ void map_words(float4* out, const uchar4* image, Lookup lookup) {
  int first = blockIdx.x * BLOCK * WORDS + threadIdx.x;
  uchar4 p[WORDS];
#pragma unroll
  for (int k = 0; k < WORDS; ++k) p[k] = image[first + k * BLOCK];
#pragma unroll
  for (int k = 0; k < WORDS; ++k)
    out[first + k * BLOCK] = make_float4(lookup(p[k].x), lookup(p[k].y), lookup(p[k].z), lookup(p[k].w));
}

__global__ void tone_map(float4* out, const uchar4* image) {
  map_words(out, image, [](int value) { return curve.at[value]; });
}

__global__ void tone_map_after(float4* out, const uchar4* image) {
  __shared__ float table[256];
  table[threadIdx.x] = curve_in_memory.at[threadIdx.x];
  __syncthreads();
  map_words(out, image, [&](int value) { return table[value]; });
}

static Case make() {
  return {{{PIXELS, 'f', Fill::Zero, true}, {PIXELS, 'b', Fill::Random, false, 256}}, 0.0};
}
static void bad(const Data& d, cudaStream_t s) {
  tone_map<<<PIXELS / 4 / WORDS / BLOCK, BLOCK, 0, s>>>(d.get<float4>(0), d.get<uchar4>(1));
}
static void fixed(const Data& d, cudaStream_t s) {
  tone_map_after<<<PIXELS / 4 / WORDS / BLOCK, BLOCK, 0, s>>>(d.get<float4>(0), d.get<uchar4>(1));
}
