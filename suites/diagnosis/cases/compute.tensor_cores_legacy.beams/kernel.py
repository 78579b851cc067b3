"""Two warps per program cannot issue wgmma, so tl.dot falls back to mma.sync; the fix is torch.matmul."""

import torch
import triton
import triton.language as tl

TOLERANCE = 5e-3
BEAMS, ANTENNAS, SAMPLES = 1024, 2048, 16384


@triton.jit
def form(
    out,
    weights,
    volts,
    M,
    N,
    K,
    TILE_M: tl.constexpr,
    TILE_N: tl.constexpr,
    TILE_K: tl.constexpr,
):
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.program_id(1) * TILE_N + tl.arange(0, TILE_N)
    inner = tl.arange(0, TILE_K)
    w_at = weights + rows[:, None] * K + inner[None, :]
    v_at = volts + inner[:, None] * N + columns[None, :]
    total = tl.zeros([TILE_M, TILE_N], tl.float32)
    for _ in range(0, K, TILE_K):
        total = tl.dot(tl.load(w_at), tl.load(v_at), total)
        w_at += TILE_K
        v_at += TILE_K * N
    tl.store(out + rows[:, None] * N + columns[None, :], total.to(tl.float16))


def make():
    weights = torch.randn(BEAMS, ANTENNAS, device="cuda", dtype=torch.float16)
    volts = torch.randn(ANTENNAS, SAMPLES, device="cuda", dtype=torch.float16)
    return {"weights": weights, "volts": volts}


def bad(weights, volts):
    out = torch.empty(BEAMS, SAMPLES, device="cuda", dtype=torch.float16)
    form[(BEAMS // 64, SAMPLES // 128)](
        out,
        weights,
        volts,
        BEAMS,
        SAMPLES,
        ANTENNAS,
        TILE_M=64,
        TILE_N=128,
        TILE_K=64,
        num_warps=2,
        num_stages=3,
    )
    return out


def fixed(weights, volts):
    return torch.matmul(weights, volts)
