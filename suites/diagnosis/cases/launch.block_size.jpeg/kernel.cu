// A tile of 8 x 8 pixels to a block of 8 threads: 24 lanes of each warp stay empty. The fix gives a block 32 tiles.
#include "../../suite.cuh"

constexpr int WIDTH = 4096, HEIGHT = 4096, SIDE = 8, TILES = WIDTH / SIDE;

__device__ constexpr float cosine(int m) {  // of m pi / 16
  m %= 32;
  float c[9] = {1, 0.98078528f, 0.92387953f, 0.83146961f, 0.70710678f, 0.55557023f, 0.38268343f, 0.19509032f, 0};
  return m > 16 ? cosine(32 - m) : m > 8 ? -c[16 - m] : c[m];
}

__device__ __forceinline__ void transform(float (&x)[SIDE]) {
  float y[SIDE];
#pragma unroll
  for (int k = 0; k < SIDE; ++k) {
    y[k] = 0.0f;
#pragma unroll
    for (int n = 0; n < SIDE; ++n) y[k] += (k ? 0.5f : 0.35355339f) * cosine((2 * n + 1) * k) * x[n];
  }
#pragma unroll
  for (int k = 0; k < SIDE; ++k) x[k] = y[k];
}

template <int THREADS>
__global__ __launch_bounds__(THREADS) void image_transform(float* out, const float* image) {
  __shared__ float tiles[THREADS / SIDE][SIDE][SIDE + 1];
  int column = threadIdx.x % SIDE, first = blockIdx.x * THREADS % WIDTH, top = blockIdx.x * THREADS / WIDTH * SIDE;
  auto& tile = tiles[threadIdx.x / SIDE];  // of 8 lanes
  size_t at = size_t(top) * WIDTH + first + threadIdx.x;
  float x[SIDE];
#pragma unroll
  for (int r = 0; r < SIDE; ++r) x[r] = image[at + r * WIDTH];
  transform(x);
#pragma unroll
  for (int r = 0; r < SIDE; ++r) tile[r][column] = x[r];
  __syncwarp();
#pragma unroll
  for (int c = 0; c < SIDE; ++c) x[c] = tile[column][c];
  transform(x);
#pragma unroll
  for (int c = 0; c < SIDE; ++c) tile[column][c] = x[c];
  __syncwarp();
#pragma unroll
  for (int r = 0; r < SIDE; ++r) out[at + r * WIDTH] = tile[r][column];
}

static Case make() {
  size_t all = size_t(WIDTH) * HEIGHT;
  return {{{all, 'f', Fill::Zero, true}, {all, 'f', Fill::Uniform}}, 1e-5};
}
static void bad(const Data& d, cudaStream_t s) {
  image_transform<8><<<TILES * (HEIGHT / SIDE), 8, 0, s>>>(d.get<float>(0), d.get<float>(1));
}
static void fixed(const Data& d, cudaStream_t s) {
  image_transform<256><<<TILES * (HEIGHT / SIDE) / 32, 256, 0, s>>>(d.get<float>(0), d.get<float>(1));
}
