// split2.cu with 4 lanes a row and 4 blocks a head: 256 blocks, two an SM, so that one block's
// arithmetic hides the other's loads and barriers.
#include <cstdint>
#include <cuda_runtime.h>

constexpr int D = 128;
constexpr int LANES = 4;                   // lanes a row, and blocks a head
constexpr int ROWS = D / LANES;            // rows a block
constexpr int QUADS = D / 4 / LANES;       // float4s of a row in one lane

__device__ __forceinline__ float dot(float4 x, float4 y, float sum) {
    return fmaf(x.w, y.w, fmaf(x.z, y.z, fmaf(x.y, y.y, fmaf(x.x, y.x, sum))));
}

__device__ __forceinline__ float4 step(float gate, float4 s, float write, float4 k) {
    return {gate * s.x - write * k.x, gate * s.y - write * k.y, gate * s.z - write * k.z,
            gate * s.w - write * k.w};
}

__device__ __forceinline__ float over_lanes(float sum) {
#pragma unroll
    for (int other = 1; other < LANES; other *= 2) sum += __shfl_xor_sync(~0u, sum, other);
    return sum;
}

__global__ void __launch_bounds__(D)
kda_split(const float* __restrict__ q, const float* __restrict__ k, const float* __restrict__ v,
          const float* __restrict__ a, const float* __restrict__ beta, float* __restrict__ o,
          int T, int H) {
    __shared__ float4 k_t[D / 4], q_t[D / 4];
    const int thread = threadIdx.x, lane = thread % LANES;
    const int row = blockIdx.x % LANES * ROWS + thread / LANES;
    const int sequence = blockIdx.x / LANES;
    const int64_t first = int64_t(sequence / H) * T * H + sequence % H;  // head at t = 0
    float4 state[QUADS];
#pragma unroll
    for (int c = 0; c < QUADS; ++c) state[c] = {0.0f, 0.0f, 0.0f, 0.0f};

    for (int t = 0; t < T; ++t) {
        const int64_t head = first + int64_t(t) * H;
        const int64_t i = head * D + row;
        __syncthreads();
        reinterpret_cast<float*>(k_t)[thread] = k[head * D + thread];
        reinterpret_cast<float*>(q_t)[thread] = q[head * D + thread];
        __syncthreads();

        float error = 0.0f;
#pragma unroll
        for (int c = 0; c < QUADS; ++c) error = dot(state[c], k_t[c * LANES + lane], error);

        const float gate = a[i], write = beta[head] * (over_lanes(error) - v[i]);
        float out = 0.0f;
#pragma unroll
        for (int c = 0; c < QUADS; ++c) {
            state[c] = step(gate, state[c], write, k_t[c * LANES + lane]);
            out = dot(state[c], q_t[c * LANES + lane], out);
        }
        out = over_lanes(out);
        if (lane == 0) o[i] = out;
    }
}

extern "C" int kda(const float* q, const float* k, const float* v, const float* a,
                   const float* beta, float* o, int64_t B, int64_t T, int64_t H, int64_t d,
                   void* stream) {
    if (d != D) return cudaErrorInvalidValue;
    kda_split<<<unsigned(B * H * LANES), D, 0, static_cast<cudaStream_t>(stream)>>>(
        q, k, v, a, beta, o, int(T), int(H));
    return cudaGetLastError();
}
