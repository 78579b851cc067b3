// As much of CUDA as the KDA candidates use, on one CPU thread: enough to check a kernel's
// arithmetic and indexing where there is no GPU. Every CUDA thread is a fiber; fibers take turns at
// each barrier or warp-wide operation, which all threads of a block must reach equally often (if
// not, the launch fails). What it cannot show: races, speed, and limits of the device.
#pragma once
#include <ucontext.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#define __global__
#define __device__
#define __forceinline__ inline
#define __restrict__
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __shared__ thread_local  // all fibers are of one thread
#define asm(...) emulation::mma_m16n8k8_tf32(c, a, b)  // the only assembly in use

struct float2 {
    float x, y;
};
struct alignas(16) float4 {
    float x, y, z, w;
};
struct Index {
    unsigned x;
};
inline Index threadIdx, blockIdx;
inline thread_local float4 memory[1 << 14];  // dynamic shared memory

using cudaStream_t = void*;
enum { cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorLaunchFailure = 719 };
enum { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };

namespace emulation {

struct Fiber {
    ucontext_t context;
    std::unique_ptr<char[]> stack{new char[1 << 18]};
    long turns = 0;
    float value = 0, left[4] = {}, right[2] = {};  // what other lanes may read
};
struct Launch {
    unsigned blocks;
    int threads;
    size_t shared_bytes;
    cudaStream_t stream;
};

inline std::vector<Fiber> fibers;
inline size_t current;
inline ucontext_t host;
inline std::function<void()> kernel;
inline int error = cudaSuccess;

inline void resume(size_t next) {
    current = next;
    threadIdx.x = unsigned(next);
}

inline void take_turns() {
    Fiber& self = fibers[current];
    ++self.turns;
    resume((current + 1) % fibers.size());
    swapcontext(&self.context, &fibers[current].context);
}

inline void run_fiber() {
    kernel();
    if (current + 1 == fibers.size()) setcontext(&host);
    resume(current + 1);
    setcontext(&fibers[current].context);
}

inline void run_block() {
    for (Fiber& fiber : fibers) {
        fiber.turns = 0;
        getcontext(&fiber.context);
        fiber.context.uc_stack.ss_sp = fiber.stack.get();
        fiber.context.uc_stack.ss_size = 1 << 18;
        makecontext(&fiber.context, run_fiber, 0);
    }
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    std::fill(std::begin(memory), std::end(memory), float4{nan, nan, nan, nan});
    resume(0);
    swapcontext(&host, &fibers[0].context);
    for (const Fiber& fiber : fibers)
        if (fiber.turns != fibers[0].turns) error = cudaErrorLaunchFailure;
}

template <class... Parameters, class... Arguments>
void launch(Launch shape, void (*function)(Parameters...), Arguments... arguments) {
    error = shape.shared_bytes > sizeof(memory) ? cudaErrorInvalidValue : cudaSuccess;
    fibers = std::vector<Fiber>(shape.threads);
    kernel = [=] { function(arguments...); };
    for (unsigned block = 0; block < shape.blocks && !error; ++block) {
        blockIdx.x = block;
        run_block();
    }
}

inline float tf32(float x) {
    uint32_t bits;
    std::memcpy(&bits, &x, 4);
    bits &= 0xffffe000u;
    std::memcpy(&x, &bits, 4);
    return x;
}

inline float toward_zero(double x) {
    const float nearest = float(x);
    return std::fabs(nearest) > std::fabs(x) ? std::nextafter(nearest, 0.0f) : nearest;
}

// PTX ISA, "Matrix Fragments for mma.m16n8k8", .tf32: lane 4g + i holds a[g + 8(j % 2)]
// [i + 4(j / 2)], b[i + 4j][g] and c[g + 8(j / 2)][2i + j % 2]. Sums are cut, not rounded.
inline void mma_m16n8k8_tf32(float (&c)[4], const float (&a)[4], const float (&b)[2]) {
    const size_t warp = current / 32 * 32, g = current % 32 / 4, i = current % 4;
    std::copy(a, a + 4, fibers[current].left);
    std::copy(b, b + 2, fibers[current].right);
    take_turns();
    for (size_t j = 0; j < 4; ++j) {
        const size_t column = 2 * i + j % 2;
        double sum = c[j];
        for (size_t k = 0; k < 8; ++k)
            sum += double(tf32(fibers[warp + 4 * g + k % 4].left[j / 2 + k / 4 * 2])) *
                   tf32(fibers[warp + 4 * column + k % 4].right[k / 4]);
        c[j] = toward_zero(sum);
    }
    take_turns();
}

inline float exchange(float value, size_t from_lane) {
    const size_t warp = current / 32 * 32;
    fibers[current].value = value;
    take_turns();
    const float received = fibers[warp + from_lane].value;
    take_turns();
    return received;
}

}  // namespace emulation

inline void __syncthreads() { emulation::take_turns(); }
inline void __syncwarp() { emulation::take_turns(); }
inline float __shfl_sync(unsigned, float value, int lane) {
    return emulation::exchange(value, lane);
}
inline float __shfl_xor_sync(unsigned, float value, int mask) {
    return emulation::exchange(value, (emulation::current % 32) ^ mask);
}
inline uint32_t __float_as_uint(float x) {
    uint32_t bits;
    std::memcpy(&bits, &x, 4);
    return bits;
}
inline float __uint_as_float(uint32_t bits) {
    float x;
    std::memcpy(&x, &bits, 4);
    return x;
}
inline int min(int x, int y) { return std::min(x, y); }
inline int max(int x, int y) { return std::max(x, y); }
inline void __pipeline_memcpy_async(void* to, const void* from, size_t bytes) {
    std::memcpy(to, from, bytes);
}
inline void __pipeline_commit() {}
inline void __pipeline_wait_prior(int) {}
template <class Function>
int cudaFuncSetAttribute(Function, int, int) { return cudaSuccess; }
inline int cudaGetLastError() { return emulation::error; }
