"""A 256x128 accumulator over 4 warps needs 256 registers per thread; over 8 warps it fits."""

import torch
import triton
import triton.language as tl

TOLERANCE = 1e-2
M, N, K = 2048, 2048, 8192


@triton.jit
def linear(out, x, w, N, K, TILE_M: tl.constexpr, TILE_N: tl.constexpr, TILE_K: tl.constexpr):
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.program_id(1) * TILE_N + tl.arange(0, TILE_N)
    inner = tl.arange(0, TILE_K)
    x_at = x + rows[:, None] * K + inner[None, :]
    w_at = w + inner[:, None] * N + columns[None, :]
    total = tl.zeros([TILE_M, TILE_N], tl.float32)
    for _ in range(0, K, TILE_K):
        total = tl.dot(tl.load(x_at), tl.load(w_at), total)
        x_at += TILE_K
        w_at += TILE_K * N
    tl.store(out + rows[:, None] * N + columns[None, :], total.to(tl.bfloat16))


def make():
    x, w = (torch.randn(a, b, device="cuda", dtype=torch.bfloat16) for a, b in ((M, K), (K, N)))
    return {"x": x, "w": w}


def run(x, w, warps):
    out = torch.empty(M, N, device="cuda", dtype=torch.bfloat16)
    tiles = {"TILE_M": 256, "TILE_N": 128, "TILE_K": 64}
    linear[(M // 256, N // 128)](out, x, w, N, K, **tiles, num_warps=warps, num_stages=3)
    return out


def bad(x, w):
    return run(x, w, 4)


def fixed(x, w):
    return run(x, w, 8)
