// The gate of one token's hidden vector: some two microseconds of launch and one trip to DRAM. The tempting change has
// eight times the blocks.
#include "../../suite.cuh"

constexpr int WIDTH = 8192;

__global__ void gate(float* out, const float* x, const float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = y[i] * x[i] / (1.0f + expf(-x[i]));
}

static Case make() {
  return {{{WIDTH, 'f', Fill::Zero, true}, {WIDTH, 'f', Fill::Normal}, {WIDTH, 'f', Fill::Normal}}, 1e-6};
}
static void bad(const Data& d, cudaStream_t s) {
  gate<<<WIDTH / 512, 512, 0, s>>>(d.get<float>(0), d.get<float>(1), d.get<float>(2));
}
static void fixed(const Data& d, cudaStream_t s) {
  gate<<<WIDTH / 64, 64, 0, s>>>(d.get<float>(0), d.get<float>(1), d.get<float>(2));
}
