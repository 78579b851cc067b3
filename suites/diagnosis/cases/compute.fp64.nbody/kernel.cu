// The literals 1e-3 and 1.0 are double, so each pair's square root and division run in double precision.
#include "../../suite.cuh"

constexpr int TARGETS = 132 * 6 * 256, SOURCES = 1024, BLOCK = 256;

__device__ float4 towards(float4 pull, float4 source, float weight, float dx, float dy, float dz) {
  float w = source.w * weight;
  return make_float4(pull.x + w * dx, pull.y + w * dy, pull.z + w * dz, 0.0f);
}

__global__ void accelerations(float4* out, const float4* targets, const float4* sources) {
  __shared__ float4 tile[BLOCK];
  int i = blockIdx.x * BLOCK + threadIdx.x;
  float4 me = targets[i], pull = make_float4(0, 0, 0, 0);
  for (int base = 0; base < SOURCES; base += BLOCK) {
    __syncthreads();
    tile[threadIdx.x] = sources[base + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < BLOCK; ++j) {
      float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
      auto inverse = 1.0 / sqrt(dx * dx + dy * dy + dz * dz + 1e-3);
      pull = towards(pull, tile[j], inverse * inverse * inverse, dx, dy, dz);
    }
  }
  out[i] = pull;
}

__global__ void accelerations_after(float4* out, const float4* targets, const float4* sources) {
  __shared__ float4 tile[BLOCK];
  int i = blockIdx.x * BLOCK + threadIdx.x;
  float4 me = targets[i], pull = make_float4(0, 0, 0, 0);
  for (int base = 0; base < SOURCES; base += BLOCK) {
    __syncthreads();
    tile[threadIdx.x] = sources[base + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < BLOCK; ++j) {
      float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
      auto inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
      pull = towards(pull, tile[j], inverse * inverse * inverse, dx, dy, dz);
    }
  }
  out[i] = pull;
}

static Case make() {
  return {{{TARGETS * 4, 'f', Fill::Zero, true}, {TARGETS * 4, 'f', Fill::Uniform}, {SOURCES * 4, 'f', Fill::Uniform}},
          1e-4};
}
static void bad(const Data& d, cudaStream_t s) {
  accelerations<<<TARGETS / BLOCK, BLOCK, 0, s>>>(d.get<float4>(0), d.get<float4>(1), d.get<float4>(2));
}
static void fixed(const Data& d, cudaStream_t s) {
  accelerations_after<<<TARGETS / BLOCK, BLOCK, 0, s>>>(d.get<float4>(0), d.get<float4>(1), d.get<float4>(2));
}
