// Energies of candidate pairs: about one pair in eight lies within the cutoff and takes the long branch, scattered over
// the lanes; the fix lists a block's near pairs first and computes the list with all lanes.
#include <cuda_fp16.h>

#include "../../suite.cuh"

constexpr int PAIRS = 1 << 25, EACH = 8, THREADS = 256, TILE = EACH * THREADS;
constexpr float CUTOFF = 0.125f;

__device__ float energy(float r2) {
  float r = sqrtf(r2 + 1e-3f), i2 = 1.0f / (r2 + 0.02f), i6 = i2 * i2 * i2;
  float coulomb = erfcf(2.5f * r) / r, lj = i6 * (1e-6f * i6 - 1e-3f);
  float t = 1.0f - r2 / CUTOFF, damp = 1.0f - expf(-3.0f * r) * (1.0f + 3.0f * r + 4.5f * r2);
  return (coulomb + lj * damp) * t * t * logf(1.0f + r);
}

__device__ void squares(float* r2, const uint4* from) {
  uint4 eight = *from;
  const __half2* h = (const __half2*)&eight;
  for (int i = 0; i < 4; ++i) r2[2 * i] = __low2float(h[i]), r2[2 * i + 1] = __high2float(h[i]);
}

__global__ void pair_energies(float4* out, const uint4* near) {
  int at = blockIdx.x * THREADS + threadIdx.x;
  float e[EACH];
  squares(e, near + at);
  for (int i = 0; i < EACH; ++i) e[i] = e[i] < CUTOFF ? energy(e[i]) : 0.0f;
  out[at * 2] = make_float4(e[0], e[1], e[2], e[3]);
  out[at * 2 + 1] = make_float4(e[4], e[5], e[6], e[7]);
}

__global__ void pair_energies_after(float4* out, const uint4* near) {
  __shared__ float4 tile[TILE / 4];
  __shared__ unsigned short list[TILE];
  __shared__ int listed;
  if (threadIdx.x == 0) listed = 0;
  int at = blockIdx.x * THREADS + threadIdx.x, lane = threadIdx.x % 32;
  float* values = (float*)tile;
  float e[EACH];
  squares(e, near + at);
  __syncthreads();
  for (int i = 0; i < EACH; ++i) {
    bool in = e[i] < CUTOFF;
    unsigned mask = __ballot_sync(0xffffffffu, in);
    int start = 0;
    if (lane == 0) start = atomicAdd(&listed, __popc(mask));
    start = __shfl_sync(0xffffffffu, start, 0);
    int slot = i * THREADS + threadIdx.x;
    if (in) list[start + __popc(mask & ((1u << lane) - 1))] = slot;
    values[slot] = in ? e[i] : 0.0f;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < listed; i += THREADS) values[list[i]] = energy(values[list[i]]);
  __syncthreads();
  for (int i = 0; i < EACH; ++i) e[i] = values[i * THREADS + threadIdx.x];
  out[at * 2] = make_float4(e[0], e[1], e[2], e[3]);
  out[at * 2 + 1] = make_float4(e[4], e[5], e[6], e[7]);
}

static Case make() { return {{{PAIRS, 'f', Fill::Zero, true}, {PAIRS, 'h', Fill::Uniform}}, 1e-5}; }
static void bad(const Data& d, cudaStream_t s) {
  pair_energies<<<PAIRS / TILE, THREADS, 0, s>>>(d.get<float4>(0), d.get<uint4>(1));
}
static void fixed(const Data& d, cudaStream_t s) {
  pair_energies_after<<<PAIRS / TILE, THREADS, 0, s>>>(d.get<float4>(0), d.get<uint4>(1));
}
