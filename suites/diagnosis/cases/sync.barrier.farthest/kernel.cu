// One cloud per block, one point per thread: 512 times, take the point that is farthest from those taken. The tree in
// shared memory synchronizes the block at each level; the fix reduces within warps.
#include "../../suite.cuh"

constexpr int CLOUDS = 128, POINTS = 1024, SAMPLES = 512;
struct Far {
  unsigned apart, point;  // bits of the squared distance; the lower point wins a tie
};

__device__ Far farther(Far a, Far b) {
  return a.apart > b.apart || (a.apart == b.apart && a.point < b.point) ? a : b;
}

__device__ int by_tree(Far mine, int) {
  __shared__ Far far[POINTS];
  int t = threadIdx.x;
  far[t] = mine;
  __syncthreads();
  for (int step = POINTS / 2; step; step /= 2) {
    if (t < step) far[t] = farther(far[t], far[t + step]);
    __syncthreads();
  }
  int best = far[0].point;
  __syncthreads();
  return best;
}

__device__ Far of_warp(Far mine) {
  unsigned apart = __reduce_max_sync(~0u, mine.apart);
  return {apart, __reduce_min_sync(~0u, mine.apart == apart ? mine.point : ~0u)};
}

__device__ int by_warps(Far mine, int k) {
  __shared__ Far rows[2][POINTS / 32];  // in turn, so that one barrier suffices
  mine = of_warp(mine);
  if (threadIdx.x % 32 == 0) rows[k % 2][threadIdx.x / 32] = mine;
  __syncthreads();
  return of_warp(rows[k % 2][threadIdx.x % 32]).point;
}

template <int farthest(Far, int)>
__global__ void __launch_bounds__(POINTS) sample(int* out, const float* clouds) {
  const float* cloud = clouds + size_t(blockIdx.x) * POINTS * 3;
  unsigned t = threadIdx.x;
  float x = cloud[t], y = cloud[POINTS + t], z = cloud[2 * POINTS + t], apart = 1e30f;
  int taken = 0;
  for (int k = 0; k < SAMPLES; ++k) {
    if (t == 0) out[blockIdx.x * SAMPLES + k] = taken;
    float dx = x - cloud[taken], dy = y - cloud[POINTS + taken], dz = z - cloud[2 * POINTS + taken];
    apart = fminf(apart, __fmaf_rn(dx, dx, __fmaf_rn(dy, dy, __fmul_rn(dz, dz))));
    taken = farthest({__float_as_uint(apart), t}, k);
  }
}

static Case make() {
  return {{{size_t(CLOUDS) * SAMPLES, 'i', Fill::Zero, true}, {size_t(CLOUDS) * POINTS * 3, 'f', Fill::Uniform}}, 0};
}
static void bad(const Data& d, cudaStream_t s) { sample<by_tree><<<CLOUDS, POINTS, 0, s>>>(d.get<int>(0), d.get<float>(1)); }
static void fixed(const Data& d, cudaStream_t s) { sample<by_warps><<<CLOUDS, POINTS, 0, s>>>(d.get<int>(0), d.get<float>(1)); }
