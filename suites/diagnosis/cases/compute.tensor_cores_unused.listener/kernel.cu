// Scores = scale * Q K^T of 256 heads, 512 frames, 128 wide. Halves are widened to floats and multiplied by FFMA; the
// fix gives the same tiles to the tensor cores.
#include <cuda_fp16.h>
#include <mma.h>

#include "../../suite.cuh"

constexpr int HEADS = 256, FRAMES = 512, WIDTH = 128, TILE = 128;
constexpr float SCALE = 0.08838835f;

__global__ void __launch_bounds__(256) scores(__half* out, const __half* q, const __half* k) {
  __shared__ __align__(16) float qs[16][TILE + 4], ks[16][TILE + 4];
  size_t head = blockIdx.z;
  q += (head * FRAMES + blockIdx.y * TILE) * WIDTH;
  k += (head * FRAMES + blockIdx.x * TILE) * WIDTH;
  int row = threadIdx.x / 2, part = threadIdx.x % 2 * 8, tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  float sum[8][8] = {};
  for (int at = 0; at < WIDTH; at += 16) {
    uint4 a = *reinterpret_cast<const uint4*>(q + row * WIDTH + at + part);
    uint4 b = *reinterpret_cast<const uint4*>(k + row * WIDTH + at + part);
    const __half *ah = reinterpret_cast<const __half*>(&a), *bh = reinterpret_cast<const __half*>(&b);
    __syncthreads();
    for (int i = 0; i < 8; ++i) {
      qs[part + i][row] = __half2float(ah[i]);
      ks[part + i][row] = __half2float(bh[i]);
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      float x[8], y[8];
      *reinterpret_cast<float4*>(x) = *reinterpret_cast<float4*>(&qs[i][ty * 4]);
      *reinterpret_cast<float4*>(x + 4) = *reinterpret_cast<float4*>(&qs[i][64 + ty * 4]);
      *reinterpret_cast<float4*>(y) = *reinterpret_cast<float4*>(&ks[i][tx * 4]);
      *reinterpret_cast<float4*>(y + 4) = *reinterpret_cast<float4*>(&ks[i][64 + tx * 4]);
#pragma unroll
      for (int m = 0; m < 8; ++m)
#pragma unroll
        for (int n = 0; n < 8; ++n) sum[m][n] += x[m] * y[n];
    }
  }
#pragma unroll
  for (int m = 0; m < 8; ++m) {
    int r = blockIdx.y * TILE + m / 4 * 64 + ty * 4 + m % 4;
    __half* to = out + (head * FRAMES + r) * FRAMES + blockIdx.x * TILE + tx * 4;
#pragma unroll
    for (int n = 0; n < 8; n += 4) {
      __half2 two[2] = {__floats2half2_rn(sum[m][n] * SCALE, sum[m][n + 1] * SCALE),
                        __floats2half2_rn(sum[m][n + 2] * SCALE, sum[m][n + 3] * SCALE)};
      *reinterpret_cast<uint2*>(to + n / 4 * 64) = *reinterpret_cast<uint2*>(two);
    }
  }
}

using namespace nvcuda;

__global__ void __launch_bounds__(256) scores_after(__half* out, const __half* q, const __half* k) {
  __shared__ __align__(128) __half qs[TILE][72], ks[TILE][72];
  __shared__ __align__(128) float patch[8][16][20];
  size_t head = blockIdx.z;
  q += (head * FRAMES + blockIdx.y * TILE) * WIDTH;
  k += (head * FRAMES + blockIdx.x * TILE) * WIDTH;
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32, wm = warp % 4 * 32, wn = warp / 4 * 64;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[2][4];
  for (int m = 0; m < 2; ++m)
    for (int n = 0; n < 4; ++n) wmma::fill_fragment(sum[m][n], 0.0f);
  for (int at = 0; at < WIDTH; at += 64) {
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      int row = i * 32 + threadIdx.x / 8, part = threadIdx.x % 8 * 8;
      *reinterpret_cast<uint4*>(&qs[row][part]) = *reinterpret_cast<const uint4*>(q + row * WIDTH + at + part);
      *reinterpret_cast<uint4*>(&ks[row][part]) = *reinterpret_cast<const uint4*>(k + row * WIDTH + at + part);
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 64; i += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a[2];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> b[4];
      for (int m = 0; m < 2; ++m) wmma::load_matrix_sync(a[m], &qs[wm + m * 16][i], 72);
      for (int n = 0; n < 4; ++n) wmma::load_matrix_sync(b[n], &ks[wn + n * 16][i], 72);
      for (int m = 0; m < 2; ++m)
        for (int n = 0; n < 4; ++n) wmma::mma_sync(sum[m][n], a[m], b[n], sum[m][n]);
    }
  }
  for (int m = 0; m < 2; ++m)
    for (int n = 0; n < 4; ++n) {
      wmma::store_matrix_sync(&patch[warp][0][0], sum[m][n], 20, wmma::mem_row_major);
      __syncwarp();
      __half eight[8];
      for (int i = 0; i < 8; ++i) eight[i] = __float2half_rn(patch[warp][lane / 2][lane % 2 * 8 + i] * SCALE);
      uint4 word;
      memcpy(&word, eight, 16);
      size_t r = head * FRAMES + blockIdx.y * TILE + wm + m * 16 + lane / 2;
      *reinterpret_cast<uint4*>(out + r * FRAMES + blockIdx.x * TILE + wn + n * 16 + lane % 2 * 8) = word;
      __syncwarp();
    }
}

static Case make() {
  Buffer in = {size_t(HEADS) * FRAMES * WIDTH, 'h', Fill::Normal};
  return {{{size_t(HEADS) * FRAMES * FRAMES, 'h', Fill::Zero, true}, in, in}, 2e-3};
}
static void bad(const Data& d, cudaStream_t s) {
  scores<<<dim3(FRAMES / TILE, FRAMES / TILE, HEADS), 256, 0, s>>>(d.get<__half>(0), d.get<__half>(1), d.get<__half>(2));
}
static void fixed(const Data& d, cudaStream_t s) {
  scores_after<<<dim3(FRAMES / TILE, FRAMES / TILE, HEADS), 256, 0, s>>>(d.get<__half>(0), d.get<__half>(1), d.get<__half>(2));
}
