"""A covariance matrix in bfloat16 with two warps to a program, too few for wgmma (a group of four): mma.sync (HMMA)
does the products. The fix is four warps to the same tile, and HGMMA."""

import torch
import triton
import triton.language as tl

SAMPLES, FEATURES = 4096, 4096
TOLERANCE = 1e-4


@triton.jit
def covariance(
    out,
    x,
    means,
    SAMPLES: tl.constexpr,
    FEATURES: tl.constexpr,
    M: tl.constexpr,
    N: tl.constexpr,
    K: tl.constexpr,
):
    rows = tl.program_id(0) * M + tl.arange(0, M)
    columns = tl.program_id(1) * N + tl.arange(0, N)
    k = tl.arange(0, K)
    left = x + k[None, :] * FEATURES + rows[:, None]
    right = x + k[:, None] * FEATURES + columns[None, :]
    sums = tl.zeros((M, N), tl.float32)
    for _ in range(0, SAMPLES, K):
        sums = tl.dot(tl.load(left), tl.load(right), sums)
        left += K * FEATURES
        right += K * FEATURES
    centre = tl.load(means + rows)[:, None] * tl.load(means + columns)[None, :]
    tl.store(out + rows[:, None] * FEATURES + columns[None, :], sums / SAMPLES - centre)


def make():
    x = (torch.randn(SAMPLES, FEATURES, device="cuda") + 0.5).bfloat16()
    return {
        "out": torch.empty(FEATURES, FEATURES, device="cuda"),
        "x": x,
        "means": x.float().mean(0),
    }


def launch(out, x, means, warps):
    covariance[(FEATURES // 64, FEATURES // 128)](
        out, x, means, SAMPLES, FEATURES, 64, 128, 64, num_warps=warps, num_stages=3
    )
    return out


def bad(out, x, means):
    return launch(out, x, means, 2)


def fixed(out, x, means):
    return launch(out, x, means, 4)
