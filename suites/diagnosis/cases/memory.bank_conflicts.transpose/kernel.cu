// The tile's columns lie on one bank; a padded row spreads them over all 32.
#include "../../suite.cuh"

constexpr int N = 8192, TILE = 32, ROWS = 8;

template <int PITCH>
__device__ void transpose_tile(float* out, const float* in) {
  __shared__ float tile[TILE][PITCH];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
#pragma unroll
  for (int j = 0; j < TILE; j += ROWS) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * N + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
#pragma unroll
  for (int j = 0; j < TILE; j += ROWS) out[(y + j) * N + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void transpose(float* out, const float* in) { transpose_tile<TILE>(out, in); }
__global__ void transpose_after(float* out, const float* in) { transpose_tile<TILE + 1>(out, in); }

static Case make() {
  return {{{size_t(N) * N, 'f', Fill::Zero, true}, {size_t(N) * N, 'f', Fill::Uniform}}, 0.0};
}
static void bad(const Data& d, cudaStream_t s) {
  transpose<<<dim3(N / TILE, N / TILE), dim3(TILE, ROWS), 0, s>>>(d.get<float>(0), d.get<float>(1));
}
static void fixed(const Data& d, cudaStream_t s) {
  transpose_after<<<dim3(N / TILE, N / TILE), dim3(TILE, ROWS), 0, s>>>(d.get<float>(0), d.get<float>(1));
}
