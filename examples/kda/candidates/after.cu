// The launch of before.cu, but the row of the state is 32 float4 and every loop over it is fully
// unrolled: each index is known to the compiler, and the state stays in registers. Without the
// __syncwarp() ptxas fetches the keys and queries so early that a few registers spill.
#include <cstdint>
#include <cuda_runtime.h>

constexpr int D = 128;
constexpr int QUADS = D / 4;

__device__ __forceinline__ float dot(float4 x, float4 y, float sum) {
    return fmaf(x.w, y.w, fmaf(x.z, y.z, fmaf(x.y, y.y, fmaf(x.x, y.x, sum))));
}

__device__ __forceinline__ float4 step(float gate, float4 s, float write, float4 k) {
    return {gate * s.x - write * k.x, gate * s.y - write * k.y, gate * s.z - write * k.z,
            gate * s.w - write * k.w};
}

__global__ void __launch_bounds__(D)
kda_after(const float* __restrict__ q, const float* __restrict__ k, const float* __restrict__ v,
          const float* __restrict__ a, const float* __restrict__ beta, float* __restrict__ o,
          int T, int H) {
    __shared__ float4 k_t[QUADS], q_t[QUADS];
    const int row = threadIdx.x;
    const int64_t first = int64_t(blockIdx.x / H) * T * H + blockIdx.x % H;  // head at t = 0
    float4 state[QUADS];
#pragma unroll
    for (int c = 0; c < QUADS; ++c) state[c] = {0.0f, 0.0f, 0.0f, 0.0f};

    for (int t = 0; t < T; ++t) {
        const int64_t head = first + int64_t(t) * H;
        const int64_t i = head * D + row;
        __syncthreads();
        reinterpret_cast<float*>(k_t)[row] = k[i];
        reinterpret_cast<float*>(q_t)[row] = q[i];
        __syncthreads();

        float error = -v[i];
#pragma unroll
        for (int c = 0; c < QUADS; ++c) error = dot(state[c], k_t[c], error);

        __syncwarp();
        const float gate = a[i], write = beta[head] * error;
        float out = 0.0f;
#pragma unroll
        for (int c = 0; c < QUADS; ++c) state[c] = step(gate, state[c], write, k_t[c]);
#pragma unroll
        for (int c = 0; c < QUADS; ++c) out = dot(state[c], q_t[c], out);
        o[i] = out;
    }
}

extern "C" int kda(const float* q, const float* k, const float* v, const float* a,
                   const float* beta, float* o, int64_t B, int64_t T, int64_t H, int64_t d,
                   void* stream) {
    if (d != D) return cudaErrorInvalidValue;
    kda_after<<<unsigned(B * H), D, 0, static_cast<cudaStream_t>(stream)>>>(q, k, v, a, beta, o,
                                                                            int(T), int(H));
    return cudaGetLastError();
}
