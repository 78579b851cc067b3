// The grid follows the columns only: 8 large blocks walk all rows while 124 SMs have nothing to do. The fix cuts the
// rows into 66 parts as well.
#include "../../suite.cuh"

constexpr int ROWS = 66 * 1024, COLUMNS = 256, SIDE = 32, PARTS = 66;

__device__ float strip_sum(const float* dy, const float* x, const float2* stats, int first, int last) {
  __shared__ float sums[SIDE][SIDE + 1];
  int column = blockIdx.x * SIDE + threadIdx.x;
  float sum = 0.0f;
#pragma unroll 8
  for (int row = first + threadIdx.y; row < last; row += SIDE) {
    float2 s = stats[row];  // mean, 1 / deviation
    sum += dy[row * COLUMNS + column] * (x[row * COLUMNS + column] - s.x) * s.y;
  }
  sums[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  sum = sums[threadIdx.x][threadIdx.y];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  return sum;  // of column threadIdx.y, in each lane
}

__global__ __launch_bounds__(1024, 1) void gain_gradient(float* out, const float* dy, const float* x, const float2* stats) {
  float sum = strip_sum(dy, x, stats, 0, ROWS);
  if (threadIdx.x == 0) out[blockIdx.x * SIDE + threadIdx.y] = sum;
}

__global__ __launch_bounds__(1024, 1) void gain_gradient_after(float* out, const float* dy, const float* x,
                                                            const float2* stats) {
  constexpr int EACH = ROWS / PARTS;
  int first = blockIdx.y * EACH;
  float sum = strip_sum(dy, x, stats, first, first + EACH);
  if (threadIdx.x == 0) atomicAdd(out + blockIdx.x * SIDE + threadIdx.y, sum);
}

static Case make() {
  size_t all = size_t(ROWS) * COLUMNS;
  return {{{COLUMNS, 'f', Fill::Zero, true}, {all, 'f', Fill::Normal}, {all, 'f', Fill::Normal}, {2 * ROWS, 'f', Fill::Uniform}},
          1e-4};
}
static void bad(const Data& d, cudaStream_t s) {
  gain_gradient<<<COLUMNS / SIDE, dim3(SIDE, SIDE), 0, s>>>(d.get<float>(0), d.get<float>(1), d.get<float>(2),
                                                            d.get<float2>(3));
}
static void fixed(const Data& d, cudaStream_t s) {
  gain_gradient_after<<<dim3(COLUMNS / SIDE, PARTS), dim3(SIDE, SIDE), 0, s>>>(d.get<float>(0), d.get<float>(1),
                                                                              d.get<float>(2), d.get<float2>(3));
}
