// Softmax with a row in a warp's registers: few warps, much in flight of each, at the copy bandwidth. The tempting
// change spreads a row over a block for full occupancy.
#include "../../suite.cuh"

constexpr int ROWS = 1 << 14, COLUMNS = 2048;

__device__ float over_warp(float x, bool largest) {
  for (int d = 16; d > 0; d /= 2) {
    float y = __shfl_xor_sync(0xffffffffu, x, d);
    x = largest ? fmaxf(x, y) : x + y;
  }
  return x;
}

__global__ __launch_bounds__(128) void softmax(float4* out, const float4* scores) {
  constexpr int EACH = COLUMNS / 128;
  size_t at = size_t(blockIdx.x * 4 + threadIdx.x / 32) * (COLUMNS / 4) + threadIdx.x % 32;
  float4 x[EACH];
  for (int i = 0; i < EACH; ++i) x[i] = scores[at + i * 32];
  float top = -INFINITY, sum = 0.0f;
  for (int i = 0; i < EACH; ++i) top = fmaxf(top, fmaxf(fmaxf(x[i].x, x[i].y), fmaxf(x[i].z, x[i].w)));
  top = over_warp(top, true);
  for (int i = 0; i < EACH; ++i) {
    x[i] = make_float4(__expf(x[i].x - top), __expf(x[i].y - top), __expf(x[i].z - top), __expf(x[i].w - top));
    sum += x[i].x + x[i].y + x[i].z + x[i].w;
  }
  float r = 1.0f / over_warp(sum, false);
  for (int i = 0; i < EACH; ++i) out[at + i * 32] = make_float4(x[i].x * r, x[i].y * r, x[i].z * r, x[i].w * r);
}

__global__ __launch_bounds__(256, 8) void softmax_after(float4* out, const float4* scores) {
  __shared__ float tops[8], sums[8];
  size_t at = size_t(blockIdx.x) * (COLUMNS / 4) + threadIdx.x;
  float4 x = scores[at], y = scores[at + 256];
  float top = fmaxf(fmaxf(fmaxf(x.x, x.y), fmaxf(x.z, x.w)), fmaxf(fmaxf(y.x, y.y), fmaxf(y.z, y.w)));
  top = over_warp(top, true);
  if (threadIdx.x % 32 == 0) tops[threadIdx.x / 32] = top;
  __syncthreads();
  for (int w = 0; w < 8; ++w) top = fmaxf(top, tops[w]);
  x = make_float4(__expf(x.x - top), __expf(x.y - top), __expf(x.z - top), __expf(x.w - top));
  y = make_float4(__expf(y.x - top), __expf(y.y - top), __expf(y.z - top), __expf(y.w - top));
  float part = over_warp(x.x + x.y + x.z + x.w + y.x + y.y + y.z + y.w, false), sum = 0.0f;
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = part;
  __syncthreads();
  for (int w = 0; w < 8; ++w) sum += sums[w];
  float r = 1.0f / sum;
  out[at] = make_float4(x.x * r, x.y * r, x.z * r, x.w * r);
  out[at + 256] = make_float4(y.x * r, y.y * r, y.z * r, y.w * r);
}

static Case make() {
  size_t all = size_t(ROWS) * COLUMNS;
  return {{{all, 'f', Fill::Zero, true}, {all, 'f', Fill::Normal}}, 1e-5};
}
static void bad(const Data& d, cudaStream_t s) {
  softmax<<<ROWS / 4, 128, 0, s>>>(d.get<float4>(0), d.get<float4>(1));
}
static void fixed(const Data& d, cudaStream_t s) {
  softmax_after<<<ROWS, 256, 0, s>>>(d.get<float4>(0), d.get<float4>(1));
}
