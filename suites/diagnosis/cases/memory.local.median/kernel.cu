// Run-time loops index the window, so it lives in local memory; constant bounds keep it in registers.
#include "../../suite.cuh"

constexpr int WIDTH = 2048, HEIGHT = 1024, RADIUS = 2, MOST = (2 * RADIUS + 1) * (2 * RADIUS + 1);
constexpr int PITCH = WIDTH + 2 * RADIUS;  // the input has a border of the radius on each side

// Bubbles the largest value out until the median is the largest that is left.
__global__ void median(float* out, const float* image, int radius) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int side = 2 * radius + 1, count = side * side;
  float window[MOST];
  for (int dy = 0; dy < side; ++dy)
    for (int dx = 0; dx < side; ++dx) window[dy * side + dx] = image[(y + dy) * PITCH + x + dx];
  float largest = 0.0f;
  for (int last = count - 1; last >= count / 2; --last) {
    largest = window[0];
    for (int i = 1; i <= last; ++i) {
      float value = window[i];
      window[i - 1] = fminf(largest, value);
      largest = fmaxf(largest, value);
    }
  }
  out[y * WIDTH + x] = largest;
}

template <int radius>
__global__ void median_of(float* out, const float* image) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  constexpr int side = 2 * radius + 1, count = side * side;
  float window[count];
#pragma unroll
  for (int i = 0; i < count; ++i) window[i] = image[(y + i / side) * PITCH + x + i % side];
  float largest = 0.0f;
#pragma unroll
  for (int last = count - 1; last >= count / 2; --last) {
    largest = window[0];
#pragma unroll
    for (int i = 1; i <= last; ++i) {
      float value = window[i];
      window[i - 1] = fminf(largest, value);
      largest = fmaxf(largest, value);
    }
  }
  out[y * WIDTH + x] = largest;
}

static Case make() {
  return {{{size_t(WIDTH) * HEIGHT, 'f', Fill::Zero, true},
           {size_t(PITCH) * (HEIGHT + 2 * RADIUS), 'f', Fill::Uniform}}, 0.0};
}
static void bad(const Data& d, cudaStream_t s) {
  median<<<dim3(WIDTH / 32, HEIGHT / 8), dim3(32, 8), 0, s>>>(d.get<float>(0), d.get<float>(1), RADIUS);
}
static void fixed(const Data& d, cudaStream_t s) {
  median_of<RADIUS><<<dim3(WIDTH / 32, HEIGHT / 8), dim3(32, 8), 0, s>>>(d.get<float>(0), d.get<float>(1));
}
