// A thread holds ROWS x COLS of the state, so one read of k and q serves ROWS rows; inputs are
// staged 16 steps ahead (cp.async, double buffered); GROUP steps are taken at once:
//
//   p_t = S k_t, r_t = S q_t       for all steps t of a group, S being the state before the group
//   u_t = beta_t (v_t - (d_{t-1} p_t + sum_{s<t} w_{s,t-1} k_s.k_t))       one scalar a row
//   o_t = d_t r_t + sum_{s<=t} w_{s,t} k_s.q_t
//   S  <- d S + sum_s w_s k_s      the only touch of the state: 3 GROUP + 1 operations an element
//
// with d_t the product of the row's gates since the group began and w_{s,t} = u_s decayed by the
// gates after s. Nothing is divided, so a gate of 0 is as good as any other.
#include <cstdint>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

constexpr int D = 128;
constexpr int ROWS = 4;      // rows of the state a thread holds: a power of 2, at most LANES
constexpr int COLS = 16;     // columns of them
constexpr int GROUP = 4;     // steps taken at once
constexpr int THREADS = 128;
constexpr int TILE = 16;     // steps staged at once: a multiple of GROUP

constexpr int LANES = D / COLS;                       // lanes that share rows
constexpr int BLOCK_ROWS = THREADS / LANES * ROWS;
constexpr int BLOCKS = D / BLOCK_ROWS;                // blocks a head
constexpr int QUADS = COLS / 4;
constexpr int PARTS = THREADS > TILE * GROUP ? THREADS / (TILE * GROUP) : 1;
constexpr int PITCH = D + 4;                          // steps begin on different banks

struct __align__(16) Tile {
    float k[TILE][PITCH], q[TILE][PITCH];
    float v[TILE][BLOCK_ROWS], a[TILE][BLOCK_ROWS], beta[TILE];
};

struct Shared {
    Tile tile[2];
    float k_k[TILE][GROUP], k_q[TILE][GROUP];         // [t][s]: step t's k or q times k_s
    float o[TILE][BLOCK_ROWS];
};

struct Inputs {
    const float *q, *k, *v, *a, *beta;
};

__device__ __forceinline__ float dot(float4 x, float4 y, float sum) {
    return fmaf(x.w, y.w, fmaf(x.z, y.z, fmaf(x.y, y.y, fmaf(x.x, y.x, sum))));
}

__device__ __forceinline__ float4 axpy(float f, float4 x, float4 y) {
    return {fmaf(f, x.x, y.x), fmaf(f, x.y, y.y), fmaf(f, x.z, y.z), fmaf(f, x.w, y.w)};
}

__device__ __forceinline__ float4 times(float f, float4 x) {
    return {f * x.x, f * x.y, f * x.z, f * x.w};
}

// Copies `width` floats of each of a tile's steps (past the last step: of the last one again, which
// reaches no output). `from` is the first step's, `stride` a step's.
template <int width, int pitch>
__device__ __forceinline__ void stage(float (*to)[pitch], const float* from, int stride, int last) {
    constexpr int quads = width / 4;
    const int c = threadIdx.x % quads * 4;
#pragma unroll
    for (int i = 0; i < TILE; i += THREADS / quads) {
        const int t = i + threadIdx.x / quads;
        __pipeline_memcpy_async(&to[t][c], from + int64_t(min(t, last)) * stride + c, 16);
    }
}

__device__ __forceinline__ void stage_tile(Tile& tile, Inputs in, int64_t head, int row, int H,
                                           int last) {
    stage<D>(tile.k, in.k + head * D, H * D, last);
    stage<D>(tile.q, in.q + head * D, H * D, last);
    stage<BLOCK_ROWS>(tile.v, in.v + head * D + row, H * D, last);
    stage<BLOCK_ROWS>(tile.a, in.a + head * D + row, H * D, last);
    const int t = threadIdx.x;
    if (t < TILE)
        __pipeline_memcpy_async(&tile.beta[t], in.beta + head + int64_t(min(t, last)) * H, 4);
    __pipeline_commit();
}

// Writes a tile's outputs, staged in shared memory so that whole lines leave at once.
__device__ __forceinline__ void store_tile(const float (*from)[BLOCK_ROWS], float* o, int64_t head,
                                           int row, int H, int steps) {
    constexpr int quads = BLOCK_ROWS / 4;
    const int c = threadIdx.x % quads * 4;
#pragma unroll
    for (int i = 0; i < TILE; i += THREADS / quads) {
        const int t = i + threadIdx.x / quads;
        if (t < steps)
            *reinterpret_cast<float4*>(o + (head + int64_t(t) * H) * D + row + c) =
                *reinterpret_cast<const float4*>(&from[t][c]);
    }
}

// Inner products of every step's key (with earlier keys of its group) and query (with those and
// its own key): GROUP x GROUP numbers a group, each shared out over PARTS lanes.
__device__ __forceinline__ void inner_products(const Tile& tile, Shared& shared) {
#pragma unroll
    for (int i = threadIdx.x; i < TILE * GROUP * PARTS; i += THREADS) {
        const int part = i % PARTS, n = i / PARTS, first = n / (GROUP * GROUP) * GROUP;
        const int row = n / GROUP % GROUP, column = n % GROUP;
        const bool with_q = column <= row;
        const int t = first + (with_q ? row : column), s = first + (with_q ? column : row);
        const float *x = with_q ? tile.q[t] : tile.k[t], *y = tile.k[s];
        float sum[4] = {};
#pragma unroll
        for (int c = 0; c < D / 4 / PARTS; ++c) {
            const int at = (c * PARTS + part) * 4;
            sum[c % 4] = dot(*reinterpret_cast<const float4*>(x + at),
                             *reinterpret_cast<const float4*>(y + at), sum[c % 4]);
        }
        sum[0] += sum[1] + (sum[2] + sum[3]);
#pragma unroll
        for (int other = 1; other < PARTS; other *= 2)
            sum[0] += __shfl_xor_sync(~0u, sum[0], other);
        (with_q ? shared.k_q : shared.k_k)[t][s - first] = sum[0];
    }
}

// Sum over the LANES lanes. In lane l, sum[j] belongs to row j ^ (l % ROWS): each lane keeps the
// half of the rows that its partner sends, without a select. Returns row l % ROWS's.
__device__ __forceinline__ float over_lanes(float (&sum)[ROWS]) {
#pragma unroll
    for (int other = ROWS / 2; other > 0; other /= 2)
#pragma unroll
        for (int j = 0; j < other; ++j) sum[j] += __shfl_xor_sync(~0u, sum[j + other], other);
#pragma unroll
    for (int other = ROWS; other < LANES; other *= 2)
        sum[0] += __shfl_xor_sync(~0u, sum[0], other);
    return sum[0];
}

// The scalar of row state[j] belongs to.
__device__ __forceinline__ float of_lane(float scalar, int j) {
    return j == 0 ? scalar : __shfl_xor_sync(~0u, scalar, j);
}

// S x for this lane's columns of a key or query, summed over the lanes: row `own`'s.
__device__ __forceinline__ float product(const float4 (&state)[ROWS][QUADS], const float* x,
                                         int lane) {
    float sum[ROWS] = {};
#pragma unroll
    for (int c = 0; c < QUADS; ++c) {
        const float4 part = *reinterpret_cast<const float4*>(x + (c * LANES + lane) * 4);
#pragma unroll
        for (int j = 0; j < ROWS; ++j) sum[j] = dot(state[j][c], part, sum[j]);
    }
    return over_lanes(sum);
}

// The GROUP steps from step g of a tile on.
__device__ __forceinline__ void steps(Shared& shared, const Tile& tile,
                                      float4 (&state)[ROWS][QUADS], int g) {
    const int lane = threadIdx.x % LANES;
    const int row = threadIdx.x / LANES * ROWS + lane % ROWS;  // the row whose scalars are here
    float p[GROUP], r[GROUP], w[GROUP], decay = 1.0f;
#pragma unroll
    for (int t = 0; t < GROUP; ++t) p[t] = product(state, tile.k[g + t], lane);
#pragma unroll
    for (int t = 0; t < GROUP; ++t) r[t] = product(state, tile.q[g + t], lane);

#pragma unroll
    for (int t = 0; t < GROUP; ++t) {
        const float gate = tile.a[g + t][row];
        float recalled = decay * p[t];
#pragma unroll
        for (int s = 0; s < t; ++s) recalled = fmaf(w[s], shared.k_k[g + t][s], recalled);
        decay *= gate;
        w[t] = tile.beta[g + t] * (tile.v[g + t][row] - recalled);
        float out = decay * r[t];
#pragma unroll
        for (int s = 0; s < t; ++s) w[s] *= gate;
#pragma unroll
        for (int s = 0; s <= t; ++s) out = fmaf(w[s], shared.k_q[g + t][s], out);
        if (lane < ROWS) shared.o[g + t][row] = out;
    }

#pragma unroll
    for (int j = 0; j < ROWS; ++j) {
        const float d = of_lane(decay, j);
#pragma unroll
        for (int c = 0; c < QUADS; ++c) state[j][c] = times(d, state[j][c]);
    }
#pragma unroll
    for (int t = 0; t < GROUP; ++t) {
        float write[ROWS];
#pragma unroll
        for (int j = 0; j < ROWS; ++j) write[j] = of_lane(w[t], j);
#pragma unroll
        for (int c = 0; c < QUADS; ++c) {
            const float* k = &tile.k[g + t][(c * LANES + lane) * 4];
#pragma unroll
            for (int j = 0; j < ROWS; ++j)
                state[j][c] = axpy(write[j], *reinterpret_cast<const float4*>(k), state[j][c]);
        }
    }
}

__global__ void __launch_bounds__(THREADS, 1)
kda_tiled(Inputs in, float* __restrict__ o, int T, int H) {
    extern __shared__ float4 memory[];
    Shared& shared = *reinterpret_cast<Shared*>(memory);
    const int block_row = blockIdx.x % BLOCKS * BLOCK_ROWS;
    const int sequence = blockIdx.x / BLOCKS;
    const int64_t first = int64_t(sequence / H) * T * H + sequence % H;  // head at t = 0

    float4 state[ROWS][QUADS] = {};  // in lane l, state[j] is row j ^ (l % ROWS)
    stage_tile(shared.tile[0], in, first, block_row, H, T - 1);

    for (int t0 = 0; t0 < T; t0 += TILE) {
        const Tile& tile = shared.tile[t0 / TILE % 2];
        const int64_t head = first + int64_t(t0) * H, whole = int64_t(TILE) * H;
        __pipeline_wait_prior(0);
        __syncthreads();
        if (t0 > 0) store_tile(shared.o, o, head - whole, block_row, H, TILE);
        if (t0 + TILE < T)
            stage_tile(shared.tile[(t0 / TILE + 1) % 2], in, head + whole, block_row, H,
                       T - 1 - t0 - TILE);
        inner_products(tile, shared);
        __syncthreads();
#pragma unroll 1
        for (int g = 0; g < TILE; g += GROUP) steps(shared, tile, state, g);
    }
    __syncthreads();
    const int last = (T - 1) / TILE * TILE;
    store_tile(shared.o, o, first + int64_t(last) * H, block_row, H, T - last);
}

extern "C" int kda(const float* q, const float* k, const float* v, const float* a,
                   const float* beta, float* o, int64_t B, int64_t T, int64_t H, int64_t d,
                   void* stream) {
    if (d != D) return cudaErrorInvalidValue;
    cudaFuncSetAttribute(kda_tiled, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Shared));
    kda_tiled<<<unsigned(B * H * BLOCKS), THREADS, sizeof(Shared),
                static_cast<cudaStream_t>(stream)>>>(Inputs{q, k, v, a, beta}, o, int(T), int(H));
    return cudaGetLastError();
}
