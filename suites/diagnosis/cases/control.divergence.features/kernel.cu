// Every column of a table has its own transform and a warp's lanes are the columns of a row, so all eight branches run
// for each row; the fix turns a tile, so that a warp's lanes are 32 rows of one column.
#include "../../suite.cuh"

constexpr int ROWS = 1 << 20, COLUMNS = 32;

__device__ float transform(int kind, float x) {
  switch (kind) {
    case 0: return log1pf(x);
    case 1: return tanhf(x);
    case 2: return erff(x);
    case 3: return cbrtf(x);
    case 4: return asinhf(x);
    case 5: return expm1f(x);
    case 6: return atanf(x);
    default: return sqrtf(x);
  }
}

__global__ void features(float* out, const float* table, const int* kinds) {
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, kind = kinds[lane];
  size_t at = size_t(blockIdx.x) * 32 * COLUMNS + lane;
  float x[4];
  for (int u = 0; u < 4; ++u) x[u] = table[at + (u * 8 + warp) * COLUMNS];
#pragma unroll 1
  for (int u = 0; u < 4; ++u) {
    out[at + (u * 8 + warp) * COLUMNS] = transform(kind, x[0]);
    x[0] = x[1], x[1] = x[2], x[2] = x[3];
  }
}

__global__ void features_after(float* out, const float* table, const int* kinds) {
  __shared__ float tile[32][COLUMNS + 1];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  size_t at = size_t(blockIdx.x) * 32 * COLUMNS + lane;
  for (int u = 0; u < 4; ++u) tile[u * 8 + warp][lane] = table[at + (u * 8 + warp) * COLUMNS];
  __syncthreads();
#pragma unroll 1
  for (int column = warp; column < COLUMNS; column += 8)
    tile[lane][column] = transform(kinds[column], tile[lane][column]);
  __syncthreads();
  for (int u = 0; u < 4; ++u) out[at + (u * 8 + warp) * COLUMNS] = tile[u * 8 + warp][lane];
}

static Case make() {
  size_t all = size_t(ROWS) * COLUMNS;
  return {{{all, 'f', Fill::Zero, true}, {all, 'f', Fill::Uniform}, {COLUMNS, 'i', Fill::Random, false, 8}}, 1e-6};
}
static void bad(const Data& d, cudaStream_t s) {
  features<<<ROWS / 32, 256, 0, s>>>(d.get<float>(0), d.get<float>(1), d.get<int>(2));
}
static void fixed(const Data& d, cudaStream_t s) {
  features_after<<<ROWS / 32, 256, 0, s>>>(d.get<float>(0), d.get<float>(1), d.get<int>(2));
}
