// out = a x + y with wide accesses: at the copy bandwidth already. The tempting change keeps four times the bytes of a
// thread in flight, and gains nothing.
#include "../../suite.cuh"

constexpr int COUNT = 1 << 25, THREADS = 256, DEPTH = 4;

__device__ float4 scaled(float a, float4 x, float4 y) {
  return make_float4(fmaf(a, x.x, y.x), fmaf(a, x.y, y.y), fmaf(a, x.z, y.z), fmaf(a, x.w, y.w));
}

__global__ void axpy(float4* out, const float4* x, const float4* y, float a) {
  int i = blockIdx.x * THREADS + threadIdx.x;
  out[i] = scaled(a, x[i], y[i]);
}

__global__ void axpy_after(float4* out, const float4* x, const float4* y, float a) {
  int i = blockIdx.x * THREADS * DEPTH + threadIdx.x;
  float4 p[DEPTH], q[DEPTH];
  for (int u = 0; u < DEPTH; ++u) p[u] = x[i + u * THREADS], q[u] = y[i + u * THREADS];
  for (int u = 0; u < DEPTH; ++u) out[i + u * THREADS] = scaled(a, p[u], q[u]);
}

static Case make() {
  return {{{COUNT, 'f', Fill::Zero, true}, {COUNT, 'f', Fill::Uniform}, {COUNT, 'f', Fill::Uniform}}, 1e-6};
}
static void bad(const Data& d, cudaStream_t s) {
  axpy<<<COUNT / 4 / THREADS, THREADS, 0, s>>>(d.get<float4>(0), d.get<float4>(1), d.get<float4>(2), 1.5f);
}
static void fixed(const Data& d, cudaStream_t s) {
  int blocks = COUNT / 4 / THREADS / DEPTH;
  axpy_after<<<blocks, THREADS, 0, s>>>(d.get<float4>(0), d.get<float4>(1), d.get<float4>(2), 1.5f);
}
