// The threads' pieces start 128 bytes apart in shared memory, on the same banks; padding shifts each by a double.
#include "../../suite.cuh"

constexpr int ROWS = 4096, COLUMNS = 4096, BLOCK = 256, PIECE = COLUMNS / BLOCK;

template <int PAD>
__device__ int place(int column) { return column + PAD * (column / PIECE); }

template <int PAD>
__device__ void cumulate_row(double* out, const double* in, double* row) {
  __shared__ double warp_sums[BLOCK / 32];
  int t = threadIdx.x, lane = t % 32;
  const double* from = in + size_t(blockIdx.x) * COLUMNS;
  double* to = out + size_t(blockIdx.x) * COLUMNS;
#pragma unroll
  for (int k = 0; k < PIECE; ++k) row[place<PAD>(k * BLOCK + t)] = from[k * BLOCK + t];
  __syncthreads();

  double* piece = row + t * (PIECE + PAD);
  double sum = 0.0;
#pragma unroll
  for (int i = 0; i < PIECE; ++i) piece[i] = sum += piece[i];

  double before = sum;  // an inclusive scan of the pieces' sums: in the warp, then over the warps
  for (int offset = 1; offset < 32; offset *= 2) {
    double left = __shfl_up_sync(0xffffffffu, before, offset);
    if (lane >= offset) before += left;
  }
  if (lane == 31) warp_sums[t / 32] = before;
  __syncthreads();
  for (int w = 0; w < t / 32; ++w) before += warp_sums[w];
  before -= sum;
#pragma unroll
  for (int i = 0; i < PIECE; ++i) piece[i] += before;
  __syncthreads();
#pragma unroll
  for (int k = 0; k < PIECE; ++k) to[k * BLOCK + t] = row[place<PAD>(k * BLOCK + t)];
}

__global__ void cumulate(double* out, const double* in) {
  __shared__ double row[COLUMNS];
  cumulate_row<0>(out, in, row);
}
__global__ void cumulate_after(double* out, const double* in) {
  __shared__ double row[COLUMNS + BLOCK];
  cumulate_row<1>(out, in, row);
}

static Case make() {
  return {{{size_t(ROWS) * COLUMNS, 'd', Fill::Zero, true}, {size_t(ROWS) * COLUMNS, 'd', Fill::Uniform}}, 1e-14};
}
static void bad(const Data& d, cudaStream_t s) {
  cumulate<<<ROWS, BLOCK, 0, s>>>(d.get<double>(0), d.get<double>(1));
}
static void fixed(const Data& d, cudaStream_t s) {
  cumulate_after<<<ROWS, BLOCK, 0, s>>>(d.get<double>(0), d.get<double>(1));
}
