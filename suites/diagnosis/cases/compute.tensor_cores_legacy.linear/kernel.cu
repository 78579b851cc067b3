// A linear layer by mma.sync (HMMA), the instruction of older devices; the fix gives the same tiles to wgmma (HGMMA).
#include <cuda_fp16.h>

#include "../../suite.cuh"

constexpr int N = 4096, TILE = 128, DEPTH = 64, STAGES = 3, BLOCK = 256;
constexpr int TILE_BYTES = TILE * DEPTH * 2, SHARED = STAGES * 2 * TILE_BYTES;  // rows of 128 bytes, swizzled

__device__ uint32_t at(uint32_t tile, int row, int chunk) { return tile + row * 128 + (chunk ^ row % 8) * 16; }

__device__ void fetch(uint32_t tile, const __half* from, int row0, int k) {
  for (int u = 0; u < TILE * DEPTH / 8 / BLOCK; ++u) {
    int row = (u * BLOCK + threadIdx.x) / 8, chunk = threadIdx.x % 8;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at(tile, row, chunk)),
                 "l"(&from[size_t(row0 + row) * N + k + chunk * 8]) : "memory");
  }
}

struct WarpTiles {  // 8 warps of 64 by 32: ldmatrix, and mma.sync of 16 by 8 by 16
  float sum[4][4][4] = {};
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = warp / 4 * 64, column = warp % 4 * 32;

  __device__ static void arrived() {}
  __device__ static void load(uint32_t (&r)[4], uint32_t address) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(address) : "memory");
  }
  __device__ void multiply(uint32_t a, uint32_t b) {
#pragma unroll
    for (int k = 0; k < DEPTH / 16; ++k) {
      uint32_t x[4][4], y[2][4];
      for (int m = 0; m < 4; ++m) load(x[m], at(a, row + m * 16 + lane % 16, k * 2 + lane / 16));
      for (int n = 0; n < 2; ++n) load(y[n], at(b, column + n * 16 + lane % 8 + lane / 16 * 8, k * 2 + lane / 8 % 2));
      for (int m = 0; m < 4; ++m)
        for (int n = 0; n < 4; ++n) {
          float(&s)[4] = sum[m][n];
          asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
                       "{%0,%1,%2,%3};" : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
                       : "r"(x[m][0]), "r"(x[m][1]), "r"(x[m][2]), "r"(x[m][3]), "r"(y[n / 2][n % 2 * 2]),
                         "r"(y[n / 2][n % 2 * 2 + 1]));
        }
    }
  }
  __device__ void store(float* out) {
    for (int m = 0; m < 4; ++m)
      for (int n = 0; n < 4; ++n)
        for (int h = 0; h < 2; ++h)
          *(float2*)&out[size_t(row + m * 16 + lane / 4 + h * 8) * N + column + n * 8 + lane % 4 * 2] =
              make_float2(sum[m][n][h * 2], sum[m][n][h * 2 + 1]);
  }
};

#define F4(i) "+f"(s[i]), "+f"(s[i + 1]), "+f"(s[i + 2]), "+f"(s[i + 3])
#define F16(i) F4(i), F4(i + 4), F4(i + 8), F4(i + 12)

struct GroupTiles {  // 2 warpgroups of 64 by 128: wgmma of 64 by 128 by 16 from the tiles in shared memory
  float s[64] = {};
  int group = threadIdx.x / 128, warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;

  __device__ static void arrived() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
  __device__ static uint64_t descriptor(uint32_t address) {  // K-major, swizzled by 128 bytes, 8 rows each 1024 bytes
    return uint64_t(address >> 4 & 0x3fff) | uint64_t(1) << 16 | uint64_t(1024 >> 4) << 32 | uint64_t(1) << 62;
  }
  __device__ void multiply(uint32_t a, uint32_t b) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int k = 0; k < DEPTH / 16; ++k)
      asm volatile(
          "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
          "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,"
          "%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63}, %64, %65, 1, 1, 1, 0, 0;"
          : F16(0), F16(16), F16(32), F16(48)
          : "l"(descriptor(a + group * 64 * 128 + k * 32)), "l"(descriptor(b + k * 32)) : "memory");
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;"
                 : F16(0), F16(16), F16(32), F16(48)
                 :: "memory");
  }
  __device__ void store(float* out) {
    for (int n = 0; n < 16; ++n)
      for (int h = 0; h < 2; ++h)
        *(float2*)&out[size_t(group * 64 + warp * 16 + lane / 4 + h * 8) * N + n * 8 + lane % 4 * 2] =
            make_float2(s[n * 4 + h * 2], s[n * 4 + h * 2 + 1]);
  }
};

template <class Tiles>
__device__ void product(float* out, const __half* x, const __half* weights) {
  extern __shared__ __align__(1024) char shared[];
  uint32_t base = __cvta_generic_to_shared(shared);
  Tiles tiles;
  auto stage = [&](int step) {
    uint32_t a = base + step % STAGES * 2 * TILE_BYTES;
    if (step < N / DEPTH) {
      fetch(a, x, blockIdx.y * TILE, step * DEPTH);
      fetch(a + TILE_BYTES, weights, blockIdx.x * TILE, step * DEPTH);
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  for (int step = 0; step < STAGES - 1; ++step) stage(step);
  for (int step = 0; step < N / DEPTH; ++step) {
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
    Tiles::arrived();
    __syncthreads();
    stage(step + STAGES - 1);
    uint32_t a = base + step % STAGES * 2 * TILE_BYTES;
    tiles.multiply(a, a + TILE_BYTES);
  }
  tiles.store(&out[size_t(blockIdx.y) * TILE * N + blockIdx.x * TILE]);
}

__global__ __launch_bounds__(BLOCK, 2) void linear(float* out, const __half* x, const __half* weights) {
  product<WarpTiles>(out, x, weights);
}
__global__ __launch_bounds__(BLOCK, 2) void linear_after(float* out, const __half* x, const __half* weights) {
  product<GroupTiles>(out, x, weights);
}

static void launch(void (*kernel)(float*, const __half*, const __half*), const Data& d, cudaStream_t s) {
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED));
  kernel<<<dim3(N / TILE, N / TILE), BLOCK, SHARED, s>>>(d.get<float>(0), d.get<__half>(1), d.get<__half>(2));
}
static Case make() {
  size_t all = size_t(N) * N;
  return {{{all, 'f', Fill::Zero, true}, {all, 'h', Fill::Normal}, {all, 'h', Fill::Normal}}, 1e-4};
}
static void bad(const Data& d, cudaStream_t s) { launch(linear, d, s); }
static void fixed(const Data& d, cudaStream_t s) { launch(linear_after, d, s); }
