"""The occupancy arithmetic against the driver's own, on the GPU that is here."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from warpwright.config import find_tool
from warpwright.hardware import occupancy, sm_limits

# Two kernels, one that needs few registers and one that needs many, with static shared memory.
PROGRAM = r"""
#include <cstdio>
#include <cuda_runtime.h>

__global__ void small(float *out) {
    extern __shared__ float dynamic[];
    dynamic[threadIdx.x] = out[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = dynamic[threadIdx.x ^ 1];
}

__global__ void __launch_bounds__(256) large(float *out, int steps) {
    extern __shared__ float dynamic[];
    __shared__ float fixed[300];
    float kept[96];
#pragma unroll
    for (int i = 0; i < 96; ++i) kept[i] = out[i * 256 + threadIdx.x];
    for (int step = 0; step < steps; ++step) {
        fixed[threadIdx.x] = kept[step % 2];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 96; ++i) kept[i] = kept[i] * kept[(i + 1) % 96] + fixed[i];
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 96; ++i) out[i * 256 + threadIdx.x] = kept[i] + dynamic[i];
}

static bool failed(cudaError_t error) {
    if (error != cudaSuccess) fprintf(stderr, "%s\n", cudaGetErrorString(error));
    return error != cudaSuccess;
}

template <typename Kernel> static int table(const char *name, Kernel kernel, int optin) {
    cudaFuncAttributes has;
    if (failed(cudaFuncGetAttributes(&has, kernel))) return 1;
    int most = optin - (int)has.sharedSizeBytes;
    if (failed(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most)))
        return 1;
    for (int threads = 1; threads <= has.maxThreadsPerBlock; threads += threads < 32 ? 31 : 32)
        for (int dynamic = 0; dynamic <= most; dynamic += 3001) {
            int blocks;
            if (failed(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads,
                                                                     dynamic)))
                return 1;
            printf("[\"%s\", %d, %d, %d, %d, %d]\n", name, has.numRegs, (int)has.sharedSizeBytes,
                   threads, dynamic, blocks);
        }
    return 0;
}

int main() {
    cudaDeviceProp device;
    if (failed(cudaGetDeviceProperties(&device, 0))) return 1;
    printf("[%d, %d, %d]\n", device.major, device.minor, (int)device.sharedMemPerBlockOptin);
    int optin = (int)device.sharedMemPerBlockOptin;
    return table("small", small, optin) || table("large", large, optin);
}
"""


@pytest.mark.gpu
@pytest.mark.nvcc
def test_the_driver_says_the_same(tmp_path: Path) -> None:
    (tmp_path / "table.cu").write_text(PROGRAM)
    nvcc = find_tool("nvcc")
    assert nvcc is not None
    subprocess.run([nvcc, "-arch=native", "table.cu", "-o", "table"], cwd=tmp_path, check=True)
    done = subprocess.run([tmp_path / "table"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (major, minor, optin), *rows = [json.loads(line) for line in done.stdout.splitlines()]
    limits = sm_limits((major, minor))
    assert limits is not None, f"compute capability {major}.{minor} is not in the table"
    assert limits.block_shared_bytes == optin
    wrong = []
    for name, registers, static, threads, dynamic, blocks in rows:
        ours = occupancy(limits, threads, registers, static + dynamic, barriers=1).blocks_per_sm
        if ours != blocks:
            wrong.append((name, registers, static, threads, dynamic, blocks, ours))
    assert (wrong[:5], {row[0] for row in rows}) == ([], {"small", "large"})
    assert len(rows) > 1000
    assert len({row[-1] for row in rows}) > 5
