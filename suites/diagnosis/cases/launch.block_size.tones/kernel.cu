// A thread to a tone and a frame to a block makes blocks of 33 threads, of which the second warp has one lane. The fix
// gives a block 16 frames: 528 threads.
#include "../../suite.cuh"

constexpr int FRAMES = 1 << 17, SAMPLES = 128, TONES = 33;

template <int TOGETHER>
__global__ __launch_bounds__(TONES * TOGETHER) void tone_power(float* out, const uchar4* audio) {
  __shared__ float4 frames[TOGETHER][SAMPLES / 4 + 1];
  int frame = threadIdx.x / TONES, tone = threadIdx.x % TONES;
  if (threadIdx.x < TOGETHER * SAMPLES / 4) {
    uchar4 a = audio[size_t(blockIdx.x) * (TOGETHER * SAMPLES / 4) + threadIdx.x];
    frames[threadIdx.x / (SAMPLES / 4)][threadIdx.x % (SAMPLES / 4)] =
        make_float4(a.x - 128.0f, a.y - 128.0f, a.z - 128.0f, a.w - 128.0f);
  }
  __syncthreads();
  float turn = 2.0f * cospif((2 * tone + 1) * (1.0f / 72)), s1 = 0.0f, s2 = 0.0f;
#pragma unroll 8
  for (int i = 0; i < SAMPLES / 4; ++i) {
    float4 x = frames[frame][i];
    s2 = turn * s1 + (x.x - s2);
    s1 = turn * s2 + (x.y - s1);
    s2 = turn * s1 + (x.z - s2);
    s1 = turn * s2 + (x.w - s1);
  }
  out[size_t(blockIdx.x) * (TONES * TOGETHER) + threadIdx.x] = s1 * s1 + s2 * s2 - turn * s1 * s2;
}

static Case make() {
  return {{{size_t(FRAMES) * TONES, 'f', Fill::Zero, true}, {size_t(FRAMES) * SAMPLES, 'b', Fill::Random, false, 256}}, 1e-5};
}
static void bad(const Data& d, cudaStream_t s) {
  tone_power<1><<<FRAMES, TONES, 0, s>>>(d.get<float>(0), d.get<uchar4>(1));
}
static void fixed(const Data& d, cudaStream_t s) {
  tone_power<16><<<FRAMES / 16, TONES * 16, 0, s>>>(d.get<float>(0), d.get<uchar4>(1));
}
