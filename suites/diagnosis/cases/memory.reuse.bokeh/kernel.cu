// One output per thread fetches each pixel 81 times from L1; eight outputs per thread share their loads (18 times).
#include "../../suite.cuh"

constexpr int WIDTH = 4096, HEIGHT = 4096, SIDE = 9, PITCH = WIDTH + SIDE - 1;
constexpr int OUTPUTS = 8;

struct Disk {
  float weight[SIDE][SIDE];
};

__global__ void convolve(float* out, const float* image, Disk disk) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0.0f;
#pragma unroll
  for (int dy = 0; dy < SIDE; ++dy)
#pragma unroll
    for (int dx = 0; dx < SIDE; ++dx) sum += image[(y + dy) * PITCH + x + dx] * disk.weight[dy][dx];
  out[y * WIDTH + x] = sum;
}

__global__ void convolve_columns(float* out, const float* image, Disk disk) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = (blockIdx.y * blockDim.y + threadIdx.y) * OUTPUTS;
  float sum[OUTPUTS] = {};
#pragma unroll
  for (int row = 0; row < OUTPUTS + SIDE - 1; ++row)
#pragma unroll
    for (int dx = 0; dx < SIDE; ++dx) {
      float pixel = image[(y + row) * PITCH + x + dx];
#pragma unroll
      for (int k = 0; k < OUTPUTS; ++k)
        if (row >= k && row - k < SIDE) sum[k] += pixel * disk.weight[row - k][dx];
    }
#pragma unroll
  for (int k = 0; k < OUTPUTS; ++k) out[(y + k) * WIDTH + x] = sum[k];
}

static Disk disk() {
  Disk d;
  for (int i = 0; i < SIDE * SIDE; ++i) {
    float r = std::hypot(i / SIDE - SIDE / 2, i % SIDE - SIDE / 2);
    d.weight[i / SIDE][i % SIDE] = std::min(1.0f, std::max(0.1f, 5.0f - r)) / 64;
  }
  return d;
}
static Case make() {
  return {{{size_t(WIDTH) * HEIGHT, 'f', Fill::Zero, true},
           {size_t(PITCH) * (HEIGHT + SIDE - 1), 'f', Fill::Uniform}}, 1e-5};
}
static void bad(const Data& d, cudaStream_t s) {
  convolve<<<dim3(WIDTH / 32, HEIGHT / 8), dim3(32, 8), 0, s>>>(d.get<float>(0), d.get<float>(1), disk());
}
static void fixed(const Data& d, cudaStream_t s) {
  dim3 grid(WIDTH / 32, HEIGHT / 8 / OUTPUTS);
  convolve_columns<<<grid, dim3(32, 8), 0, s>>>(d.get<float>(0), d.get<float>(1), disk());
}
