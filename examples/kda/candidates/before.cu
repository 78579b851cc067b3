// One block of 128 threads per batch and head; thread i owns row i of the state. `state` is meant
// to live in registers, but the loops are only unrolled by 16, so the compiler must index the
// array at run time: it lies in local memory, and every step reads and writes it there.
#include <cstdint>
#include <cuda_runtime.h>

constexpr int D = 128;

__global__ void __launch_bounds__(D)
kda_before(const float* __restrict__ q, const float* __restrict__ k, const float* __restrict__ v,
           const float* __restrict__ a, const float* __restrict__ beta, float* __restrict__ o,
           int T, int H) {
    __shared__ float k_t[D], q_t[D];
    const int row = threadIdx.x;
    const int64_t first = int64_t(blockIdx.x / H) * T * H + blockIdx.x % H;  // head at t = 0
    float state[D];
#pragma unroll 16
    for (int c = 0; c < D; ++c) state[c] = 0.0f;

    for (int t = 0; t < T; ++t) {
        const int64_t head = first + int64_t(t) * H;
        const int64_t i = head * D + row;
        __syncthreads();
        k_t[row] = k[i];
        q_t[row] = q[i];
        __syncthreads();

        float error = -v[i];
#pragma unroll 16
        for (int c = 0; c < D; ++c) error += state[c] * k_t[c];

        const float gate = a[i], write = beta[head] * error;
        float out = 0.0f;
#pragma unroll 16
        for (int c = 0; c < D; ++c) {
            state[c] = gate * state[c] - write * k_t[c];
            out += state[c] * q_t[c];
        }
        o[i] = out;
    }
}

extern "C" int kda(const float* q, const float* k, const float* v, const float* a,
                   const float* beta, float* o, int64_t B, int64_t T, int64_t H, int64_t d,
                   void* stream) {
    if (d != D) return cudaErrorInvalidValue;
    kda_before<<<unsigned(B * H), D, 0, static_cast<cudaStream_t>(stream)>>>(q, k, v, a, beta, o,
                                                                             int(T), int(H));
    return cudaGetLastError();
}
