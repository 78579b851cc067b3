// A half precision matrix product by fused multiply-adds on floats; the fix gives the same tiles to the tensor cores.
#include <cuda_fp16.h>
#include <mma.h>

#include "../../suite.cuh"

constexpr int N = 2048, TILE = 128, DEPTH = 32, PAD = 8;
using ATile = __half[TILE][DEPTH + PAD];
using BTile = __half[DEPTH][TILE + PAD];

__device__ void load_tiles(ATile& a, BTile& b, const __half* left, const __half* right, int k) {
  __syncthreads();
  for (int u = 0; u < TILE * DEPTH / 8 / 256; ++u) {
    int c = u * 256 + threadIdx.x;
    int ar = c / (DEPTH / 8), ac = c % (DEPTH / 8) * 8, br = c / (TILE / 8), bc = c % (TILE / 8) * 8;
    *(uint4*)&a[ar][ac] = *(const uint4*)&left[(blockIdx.y * TILE + ar) * N + k + ac];
    *(uint4*)&b[br][bc] = *(const uint4*)&right[(k + br) * N + blockIdx.x * TILE + bc];
  }
  __syncthreads();
}

__global__ __launch_bounds__(256, 2) void product(float* out, const __half* left, const __half* right) {
  __shared__ __align__(16) ATile a;
  __shared__ __align__(16) BTile b;
  int row = threadIdx.x / 16, column = threadIdx.x % 16 * 4;  // 8 rows, 16 apart; 2 times 4 columns, 64 apart
  float sum[8][8] = {};
  for (int k = 0; k < N; k += DEPTH) {
    load_tiles(a, b, left, right, k);
    for (int i = 0; i < DEPTH; i += 2) {
      float2 x[8];
      float y[2][8];
      for (int r = 0; r < 8; ++r) x[r] = __half22float2(*(__half2*)&a[row + r * 16][i]);
      for (int h = 0; h < 4; ++h) {
        uint2 four = *(uint2*)&b[i + h / 2][column + h % 2 * 64];
        float2 p = __half22float2(*(__half2*)&four.x), q = __half22float2(*(__half2*)&four.y);
        float* to = &y[h / 2][h % 2 * 4];
        to[0] = p.x, to[1] = p.y, to[2] = q.x, to[3] = q.y;
      }
      for (int r = 0; r < 8; ++r)
        for (int c = 0; c < 8; ++c) sum[r][c] = fmaf(x[r].y, y[1][c], fmaf(x[r].x, y[0][c], sum[r][c]));
    }
  }
  for (int r = 0; r < 8; ++r)
    for (int h = 0; h < 2; ++h)
      *(float4*)&out[(blockIdx.y * TILE + row + r * 16) * N + blockIdx.x * TILE + column + h * 64] =
          *(float4*)&sum[r][h * 4];
}

__global__ __launch_bounds__(256, 2) void product_after(float* out, const __half* left, const __half* right) {
  using namespace nvcuda::wmma;
  __shared__ __align__(32) ATile a;
  __shared__ __align__(32) BTile b;
  int warp = threadIdx.x / 32, row = warp / 4 * 64, column = warp % 4 * 32;
  fragment<accumulator, 16, 16, 16, float> sum[4][2];
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 2; ++c) fill_fragment(sum[r][c], 0.0f);
  for (int k = 0; k < N; k += DEPTH) {
    load_tiles(a, b, left, right, k);
    for (int i = 0; i < DEPTH; i += 16) {
      fragment<matrix_a, 16, 16, 16, __half, row_major> x[4];
      fragment<matrix_b, 16, 16, 16, __half, row_major> y[2];
      for (int r = 0; r < 4; ++r) load_matrix_sync(x[r], &a[row + r * 16][i], DEPTH + PAD);
      for (int c = 0; c < 2; ++c) load_matrix_sync(y[c], &b[i][column + c * 16], TILE + PAD);
      for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 2; ++c) mma_sync(sum[r][c], x[r], y[c], sum[r][c]);
    }
  }
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 2; ++c)
      store_matrix_sync(&out[(blockIdx.y * TILE + row + r * 16) * N + blockIdx.x * TILE + column + c * 16], sum[r][c],
                        N, mem_row_major);
}

static Case make() {
  size_t all = size_t(N) * N;
  return {{{all, 'f', Fill::Zero, true}, {all, 'h', Fill::Normal}, {all, 'h', Fill::Normal}}, 1e-4};
}
static void bad(const Data& d, cudaStream_t s) {
  product<<<dim3(N / TILE, N / TILE), 256, 0, s>>>(d.get<float>(0), d.get<__half>(1), d.get<__half>(2));
}
static void fixed(const Data& d, cudaStream_t s) {
  product_after<<<dim3(N / TILE, N / TILE), 256, 0, s>>>(d.get<float>(0), d.get<__half>(1), d.get<__half>(2));
}
