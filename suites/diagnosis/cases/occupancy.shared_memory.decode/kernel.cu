// A block attends with one query to its cached tokens and keeps their scores in shared memory, reserved for a context of
// 32,768 tokens, although 512 are there. The fix reserves what is used.
#include "../../suite.cuh"

#include <cuda_fp16.h>

constexpr int HEADS = 132 * 12, TOKENS = 512, CONTEXT = 32768, WIDTH = 64, THREADS = 128, WARPS = THREADS / 32;
constexpr int LANES = WIDTH / 8, TEAMS = THREADS / LANES;  // a team reads one token, 16 bytes to a lane

__device__ __forceinline__ void unpack(float (&to)[8], const uint4* at) {
  uint4 from = __ldg(at);
  const __half2* h = reinterpret_cast<const __half2*>(&from);
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    float2 f = __half22float2(h[i]);
    to[2 * i] = f.x, to[2 * i + 1] = f.y;
  }
}

__device__ float over_block(float x, bool largest) {
  __shared__ float parts[WARPS];
  for (int o = 16; o > 0; o /= 2) {
    float y = __shfl_xor_sync(0xffffffffu, x, o);
    x = largest ? fmaxf(x, y) : x + y;
  }
  __syncthreads();
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = x;
  __syncthreads();
  x = parts[0];
  for (int w = 1; w < WARPS; ++w) x = largest ? fmaxf(x, parts[w]) : x + parts[w];
  return x;
}

__global__ __launch_bounds__(THREADS) void attend(float* out, const uint4* queries, const uint4* keys, const uint4* values,
                                                  int tokens) {
  extern __shared__ float scores[];
  __shared__ float sums[WARPS][WIDTH];
  int team = threadIdx.x / LANES, lane = threadIdx.x % LANES;
  size_t from = size_t(blockIdx.x) * tokens * LANES + lane;  // tokens is a multiple of TEAMS
  float q[8], x[8], total[8] = {}, top = -INFINITY, sum = 0.0f;
  unpack(q, queries + blockIdx.x * LANES + lane);
#pragma unroll 2
  for (int first = 0; first < tokens; first += TEAMS) {
    int t = first + team;
    float score = 0.0f;
    unpack(x, keys + from + t * LANES);
    for (int i = 0; i < 8; ++i) score += q[i] * x[i];
    for (int o = LANES / 2; o > 0; o /= 2) score += __shfl_xor_sync(0xffffffffu, score, o);
    if (lane == 0) scores[t] = score * 0.125f;
    top = fmaxf(top, score * 0.125f);
  }
  top = over_block(top, true);
  for (int t = threadIdx.x; t < tokens; t += THREADS) sum += scores[t] = __expf(scores[t] - top);
  sum = over_block(sum, false);
#pragma unroll 2
  for (int first = 0; first < tokens; first += TEAMS) {
    int t = first + team;
    unpack(x, values + from + t * LANES);
    for (int i = 0; i < 8; ++i) total[i] += scores[t] * x[i];
  }
  for (int i = 0; i < 8; ++i) {
    for (int o = LANES; o < 32; o *= 2) total[i] += __shfl_xor_sync(0xffffffffu, total[i], o);
    if (threadIdx.x % 32 < LANES) sums[threadIdx.x / 32][lane * 8 + i] = total[i];
  }
  __syncthreads();
  if (threadIdx.x >= WIDTH) return;
  float result = 0.0f;
  for (int w = 0; w < WARPS; ++w) result += sums[w][threadIdx.x];
  out[blockIdx.x * WIDTH + threadIdx.x] = result / sum;
}

static void launch(const Data& d, cudaStream_t s, int most) {
  int bytes = most * sizeof(float);
  CUDA_CHECK(cudaFuncSetAttribute(attend, cudaFuncAttributeMaxDynamicSharedMemorySize, CONTEXT * sizeof(float)));
  attend<<<HEADS, THREADS, bytes, s>>>(d.get<float>(0), d.get<uint4>(1), d.get<uint4>(2), d.get<uint4>(3), TOKENS);
}

static Case make() {
  size_t cache = size_t(HEADS) * TOKENS * WIDTH;
  return {{{size_t(HEADS) * WIDTH, 'f', Fill::Zero, true},
           {size_t(HEADS) * WIDTH, 'h', Fill::Normal},
           {cache, 'h', Fill::Normal},
           {cache, 'h', Fill::Uniform}},
          1e-5};
}
static void bad(const Data& d, cudaStream_t s) { launch(d, s, CONTEXT); }
static void fixed(const Data& d, cudaStream_t s) { launch(d, s, TOKENS); }
