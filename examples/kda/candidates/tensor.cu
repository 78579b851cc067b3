// KDA in chunks of 16 steps on the tensor cores, at float32's accuracy. With S the state before a
// chunk, S k_t and S q_t for all its steps are one matrix product, and so is the state after it:
//
//   x_t = S k_t, y_t = S q_t, and for s = 1 ... 16, row by row (one lane each):
//       u_s = beta_s (v_s - x_s)
//       x_t <- a_s x_t + u_s k_s.k_t    for t > s       (what S k_t becomes by step s)
//       y_t <- a_s y_t + u_s k_s.q_t    for t >= s      (o_s = y_s then)
//   S <- d S + sum_s w_s k_s, with d the product of all gates and w_s = u_s times those after s
//
// Nothing is divided. Every factor is a sum of two TF32 numbers, and a product is three MMAs
// (big big + big small + small big), so that what is dropped is near 2^-22.
#include <cstdint>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

constexpr int D = 128;
constexpr int CHUNK = 16;                      // steps: two MMA tiles of 8
constexpr int WARPS = 4;
constexpr int THREADS = 32 * WARPS;
constexpr int ROWS = 16;                       // rows of the state a warp holds: one MMA tile
constexpr int BLOCK_ROWS = WARPS * ROWS;
constexpr int BLOCKS = D / BLOCK_ROWS;         // blocks a head
constexpr int PITCH = D + 8;                   // no bank conflicts, by rows and by columns
enum { K, Q };
enum { BIG, SMALL };

struct __align__(16) Tile {
    float kq[2][CHUNK][D], v[CHUNK][BLOCK_ROWS], a[CHUNK][BLOCK_ROWS], beta[CHUNK];
};

struct __align__(16) WarpMemory {              // for a warp's own rows
    float xy[ROWS][2 * CHUNK + 4];             // x_t, then y_t
    float wo[2][ROWS][CHUNK + 4];              // w_s, and the outputs
    float d[ROWS];
};

struct Shared {
    Tile tile[3];                              // a chunk in use, the next being split, one coming
    float split[2][2][2][CHUNK][PITCH];        // [chunk % 2][K, Q][BIG, SMALL][step][channel]
    float dots[2][CHUNK + 1][CHUNK];           // k_s.k_t in [K][s][t], k_s.q_t in [Q][s + 1][t]
    WarpMemory warp[WARPS];
};

using Split = float[2][2][CHUNK][PITCH];

struct Inputs {
    const float *q, *k, *v, *a, *beta;
};

__device__ __forceinline__ float big(float x) {  // rounded to TF32
    return __uint_as_float((__float_as_uint(x) + 0x1000u) & 0xffffe000u);
}

// c[16 x 8] += a[16 x 8] b[8 x 8]; operands' low 13 bits are ignored by the hardware.
__device__ __forceinline__ void mma(float (&c)[4], const float (&a)[4], const float (&b)[2]) {
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
        "{%8,%9}, {%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(__float_as_uint(a[0])), "r"(__float_as_uint(a[1])), "r"(__float_as_uint(a[2])),
          "r"(__float_as_uint(a[3])), "r"(__float_as_uint(b[0])), "r"(__float_as_uint(b[1])));
}

template <int width>
__device__ __forceinline__ void stage(float (*to)[width], const float* from, int stride, int last) {
    constexpr int quads = width / 4;
    const int c = threadIdx.x % quads * 4;
#pragma unroll
    for (int i = 0; i < CHUNK; i += THREADS / quads) {
        const int t = i + threadIdx.x / quads;
        __pipeline_memcpy_async(&to[t][c], from + int64_t(min(t, last)) * stride + c, 16);
    }
}

// Starts the copy of a chunk (past the last step: of the last one again; it reaches no output).
__device__ __forceinline__ void stage_tile(Tile& tile, Inputs in, int64_t head, int row, int H,
                                           int last) {
    stage(tile.kq[K], in.k + head * D, H * D, last);
    stage(tile.kq[Q], in.q + head * D, H * D, last);
    stage(tile.v, in.v + head * D + row, H * D, last);
    stage(tile.a, in.a + head * D + row, H * D, last);
    const int t = threadIdx.x;
    if (t < CHUNK)
        __pipeline_memcpy_async(&tile.beta[t], in.beta + head + int64_t(min(t, last)) * H, 4);
    __pipeline_commit();
}

// A thread's share of a chunk's keys and queries.
struct Share {
    float4 x[2 * CHUNK / WARPS];
};

__device__ __forceinline__ Share share_of(const Tile& tile) {
    Share share;
#pragma unroll
    for (int i = 0; i < 2 * CHUNK / WARPS; ++i) {
        const int t = i * WARPS % CHUNK + threadIdx.x / 32;
        const float* row = tile.kq[i * WARPS / CHUNK][t];
        share.x[i] = *reinterpret_cast<const float4*>(row + threadIdx.x % 32 * 4);
    }
    return share;
}

__device__ __forceinline__ void split_share(const Share& share, Split& split) {
    const int c = threadIdx.x % 32 * 4;
#pragma unroll
    for (int i = 0; i < 2 * CHUNK / WARPS; ++i) {
        const int which = i * WARPS / CHUNK, t = i * WARPS % CHUNK + threadIdx.x / 32;
        const float4 x = share.x[i], b = {big(x.x), big(x.y), big(x.z), big(x.w)};
        *reinterpret_cast<float4*>(&split[which][BIG][t][c]) = b;
        *reinterpret_cast<float4*>(&split[which][SMALL][t][c]) = {x.x - b.x, x.y - b.y, x.z - b.z,
                                                                x.w - b.w};
    }
}

// State: MMA accumulators, state[n] is columns 8n ... 8n + 7. Lane (g, i) = (lane / 4, lane % 4)
// holds columns 2i and 2i + 1 of rows g and g + 8. As a left operand the same registers serve:
// which column is called the k-th of 8 is free, as long as the right operand agrees.
//
// Leaves x and y of this warp's rows, and this warp's quarter of the dots, in shared memory. The
// odd warps take the halves of the keys and queries in the other order, so that the half their
// dots are with is always the first.
__device__ __forceinline__ void products(const float (&state)[D / 8][4], const Split& split,
                                         Shared& shared) {
    const int warp = threadIdx.x / 32, g = threadIdx.x % 32 / 4, i = threadIdx.x % 4;
    const bool with_q = warp / 2;
    const int half[2] = {8 * (warp % 2), 8 - 8 * (warp % 2)};
    float main[4][4] = {}, rest[4][4] = {}, dots[4] = {}, dots_rest[4] = {};
#pragma unroll
    for (int n = 0; n < D / 8; ++n) {
        float b[2][4][2];  // [BIG, SMALL][K half 0, K half 1, Q half 0, Q half 1]
#pragma unroll
        for (int size = BIG; size <= SMALL; ++size)
#pragma unroll
            for (int y = 0; y < 4; ++y) {
                const float* row = split[y / 2][size][half[y % 2] + g];
                const float2 pair = *reinterpret_cast<const float2*>(row + 8 * n + 2 * i);
                b[size][y][0] = pair.x, b[size][y][1] = pair.y;
            }
        const float s[4] = {state[n][0], state[n][2], state[n][1], state[n][3]};
        const float a_big[4] = {big(s[0]), big(s[1]), big(s[2]), big(s[3])};
        const float a_small[4] = {s[0] - a_big[0], s[1] - a_big[1], s[2] - a_big[2],
                                  s[3] - a_big[3]};
#pragma unroll
        for (int y = 0; y < 4; ++y) {
            mma(main[y], a_big, b[BIG][y]);
            mma(rest[y], a_big, b[SMALL][y]);
            mma(rest[y], a_small, b[BIG][y]);
        }
        float k[2][4], other[2][2];
#pragma unroll
        for (int size = BIG; size <= SMALL; ++size) {
            k[size][0] = b[size][0][0], k[size][1] = b[size][1][0];
            k[size][2] = b[size][0][1], k[size][3] = b[size][1][1];
            other[size][0] = with_q ? b[size][2][0] : b[size][0][0];
            other[size][1] = with_q ? b[size][2][1] : b[size][0][1];
        }
        mma(dots, k[BIG], other[BIG]);
        mma(dots_rest, k[BIG], other[SMALL]);
        mma(dots_rest, k[SMALL], other[BIG]);
    }
    auto& xy = shared.warp[warp].xy;
#pragma unroll
    for (int y = 0; y < 4; ++y) {
        const int t = y / 2 * CHUNK + half[y % 2] + 2 * i;
#pragma unroll
        for (int c = 0; c < 4; ++c) xy[g + c / 2 * 8][t + c % 2] = main[y][c] + rest[y][c];
    }
#pragma unroll
    for (int c = 0; c < 4; ++c)
        shared.dots[with_q][half[c / 2] + g + with_q][half[0] + 2 * i + c % 2] =
            dots[c] + dots_rest[c];
}

// The chunk's steps for this warp's rows, one scalar recursion a row: lanes 0 to 15 carry x, lanes
// 16 to 31 carry y, a step behind, so that u has time to come over.
__device__ __forceinline__ void recursion(Shared& shared, const Tile& tile) {
    WarpMemory& memory = shared.warp[threadIdx.x / 32];
    const int row = threadIdx.x % ROWS, block_row = threadIdx.x / 32 * ROWS + row;
    const bool has_y = threadIdx.x % 32 >= ROWS;
    float x[CHUNK], u[CHUNK], a[CHUNK];
#pragma unroll
    for (int t = 0; t < CHUNK; ++t) {
        x[t] = memory.xy[row][has_y * CHUNK + t];
        a[t] = tile.a[t][block_row];
    }
    float u_before = 0.0f;
#pragma unroll
    for (int t = 0; t <= CHUNK; ++t) {
        const float u_now = t < CHUNK ? tile.beta[t] * (tile.v[t][block_row] - x[t]) : 0.0f;
        const float write = has_y ? u_before : u_now;
        const float gate = has_y ? (t > 0 ? a[t - 1] : 1.0f) : (t < CHUNK ? a[t] : 1.0f);
#pragma unroll
        for (int later = t > 0 ? t - 1 : 0; later < CHUNK; ++later)
            x[later] = fmaf(write, shared.dots[has_y][t][later], gate * x[later]);
        if (t < CHUNK) u[t] = u_before = __shfl_sync(~0u, u_now, row);
    }
    float decay = 1.0f;
#pragma unroll
    for (int s = CHUNK - 1; s >= 0; --s) {
        memory.wo[has_y][row][s] = has_y ? x[s] : u[s] * decay;
        decay *= a[s];
    }
    memory.d[row] = decay;
    __syncwarp();
}

// Writes the outputs of this warp's rows; `o` is the first step's, `stride` a step's.
__device__ __forceinline__ void store_outputs(const Shared& shared, float* o, int stride,
                                              int steps) {
    const int row = threadIdx.x % ROWS;
#pragma unroll
    for (int i = 0; i < CHUNK; i += 2) {
        const int t = i + threadIdx.x % 32 / ROWS;
        if (t < steps)
            o[int64_t(t) * stride + threadIdx.x / 32 * ROWS + row] =
                shared.warp[threadIdx.x / 32].wo[1][row][t];
    }
}

// S <- d S + W K for this warp's rows.
__device__ __forceinline__ void update(float (&state)[D / 8][4], const Split& split,
                                       const Shared& shared) {
    const WarpMemory& memory = shared.warp[threadIdx.x / 32];
    const int g = threadIdx.x % 32 / 4, i = threadIdx.x % 4;
    float w_big[2][4], w_small[2][4];
#pragma unroll
    for (int half = 0; half < 2; ++half)
#pragma unroll
        for (int c = 0; c < 4; ++c) {
            const float w = memory.wo[0][g + c % 2 * 8][8 * half + i + c / 2 * 4];
            w_big[half][c] = big(w);
            w_small[half][c] = w - w_big[half][c];
        }
    const float d[2] = {memory.d[g], memory.d[g + 8]};
#pragma unroll
    for (int n = 0; n < D / 8; ++n) {
#pragma unroll
        for (int c = 0; c < 4; ++c) state[n][c] *= d[c / 2];
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            float b[2][2];
#pragma unroll
            for (int size = BIG; size <= SMALL; ++size)
#pragma unroll
                for (int c = 0; c < 2; ++c)
                    b[size][c] = split[K][size][8 * half + i + 4 * c][8 * n + g];
            mma(state[n], w_small[half], b[BIG]);
            mma(state[n], w_big[half], b[SMALL]);
            mma(state[n], w_big[half], b[BIG]);
        }
    }
}

__global__ void __launch_bounds__(THREADS, 1)
kda_tensor(Inputs in, float* __restrict__ o, int T, int H) {
    extern __shared__ float4 memory[];
    Shared& shared = *reinterpret_cast<Shared*>(memory);
    const int block_row = blockIdx.x % BLOCKS * BLOCK_ROWS;
    const int sequence = blockIdx.x / BLOCKS;
    const int64_t first = int64_t(sequence / H) * T * H + sequence % H;  // head at t = 0

    const int64_t chunk_stride = int64_t(CHUNK) * H;
    const int chunks = (T + CHUNK - 1) / CHUNK;
    const auto stage_chunk = [&](int n) {
        if (n < chunks)
            stage_tile(shared.tile[n % 3], in, first + n * chunk_stride, block_row, H,
                       T - 1 - n * CHUNK);
        else
            __pipeline_commit();
    };
    stage_chunk(0);
    stage_chunk(1);
    if (threadIdx.x < CHUNK) shared.dots[Q][0][threadIdx.x] = 0.0f;  // y waits a step
    __pipeline_wait_prior(1);
    __syncthreads();
    split_share(share_of(shared.tile[0]), shared.split[0]);

    float state[D / 8][4] = {};
    for (int n = 0; n < chunks; ++n) {
        const Split& split = shared.split[n % 2];
        __pipeline_wait_prior(0);
        __syncthreads();  // chunk n is split, n + 1 has come, n - 1 is done with
        stage_chunk(n + 2);
        products(state, split, shared);
        __syncthreads();
        const Share next = share_of(shared.tile[(n + 1) % 3]);
        recursion(shared, shared.tile[n % 3]);
        split_share(next, shared.split[(n + 1) % 2]);
        update(state, split, shared);
        store_outputs(shared, o + (first + n * chunk_stride) * D + block_row, H * D, T - n * CHUNK);
    }
}

extern "C" int kda(const float* q, const float* k, const float* v, const float* a,
                   const float* beta, float* o, int64_t B, int64_t T, int64_t H, int64_t d,
                   void* stream) {
    if (d != D) return cudaErrorInvalidValue;
    cudaFuncSetAttribute(kda_tensor, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Shared));
    kda_tensor<<<unsigned(B * H * BLOCKS), THREADS, sizeof(Shared),
                 static_cast<cudaStream_t>(stream)>>>(Inputs{q, k, v, a, beta}, o, int(T), int(H));
    return cudaGetLastError();
}
