// Each lane walks its own row of a row-major matrix, so a warp's load touches 32 sectors.
#include "../../suite.cuh"

constexpr int ROWS = 1 << 15, COLUMNS = 512;

__global__ void row_sums_by_lane(float* out, const float* matrix) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int column = 0; column < COLUMNS; ++column) sum += matrix[row * COLUMNS + column];
  out[row] = sum;
}

__global__ void row_sums_by_warp(float* out, const float* matrix) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  float sum = 0.0f;
  for (int column = lane; column < COLUMNS; column += 32) sum += matrix[row * COLUMNS + column];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  if (lane == 0) out[row] = sum;
}

static Case make() {
  return {{{ROWS, 'f', Fill::Zero, true}, {size_t(ROWS) * COLUMNS, 'f', Fill::Uniform}}, 1e-4};
}
static void bad(const Data& d, cudaStream_t s) {
  row_sums_by_lane<<<ROWS / 128, 128, 0, s>>>(d.get<float>(0), d.get<float>(1));
}
static void fixed(const Data& d, cudaStream_t s) {
  row_sums_by_warp<<<ROWS / 4, 128, 0, s>>>(d.get<float>(0), d.get<float>(1));
}
