"""Similarities of two sets of embeddings: small tiles by multiply and sum; the fix is large tiles by tl.dot."""

import torch
import triton
import triton.language as tl

SIZE, WIDTH = 2048, 512
TOLERANCE = 1e-3


@triton.jit
def similarities(
    out,
    left,
    right,
    SIZE: tl.constexpr,
    WIDTH: tl.constexpr,
    M: tl.constexpr,
    N: tl.constexpr,
    K: tl.constexpr,
):
    rows = tl.program_id(0) * M + tl.arange(0, M)
    columns = tl.program_id(1) * N + tl.arange(0, N)
    k = tl.arange(0, K)
    sums = tl.zeros((M, N), tl.float32)
    for start in range(0, WIDTH, K):
        x = tl.load(left + rows[:, None] * WIDTH + start + k[None, :]).to(tl.float32)
        y = tl.load(right + (start + k)[:, None] * SIZE + columns[None, :]).to(tl.float32)
        sums += tl.sum(x[:, :, None] * y[None, :, :], 1)
    tl.store(out + rows[:, None] * SIZE + columns[None, :], sums)


@triton.jit
def similarities_after(
    out,
    left,
    right,
    SIZE: tl.constexpr,
    WIDTH: tl.constexpr,
    M: tl.constexpr,
    N: tl.constexpr,
    K: tl.constexpr,
):
    rows = tl.program_id(0) * M + tl.arange(0, M)
    columns = tl.program_id(1) * N + tl.arange(0, N)
    k = tl.arange(0, K)
    sums = tl.zeros((M, N), tl.float32)
    for start in range(0, WIDTH, K):
        x = tl.load(left + rows[:, None] * WIDTH + start + k[None, :])
        y = tl.load(right + (start + k)[:, None] * SIZE + columns[None, :])
        sums = tl.dot(x, y, sums)
    tl.store(out + rows[:, None] * SIZE + columns[None, :], sums)


def make():
    left = torch.randn(SIZE, WIDTH, device="cuda", dtype=torch.float16)
    return {"left": left, "right": torch.randn(WIDTH, SIZE, device="cuda", dtype=torch.float16)}


def launch(kernel, left, right, m, n, k, warps):
    out = torch.empty(SIZE, SIZE, device=left.device)
    kernel[(SIZE // m, SIZE // n)](out, left, right, SIZE, WIDTH, m, n, k, num_warps=warps)
    return out


def bad(left, right):
    return launch(similarities, left, right, 8, 32, 16, 1)


def fixed(left, right):
    return launch(similarities_after, left, right, 128, 128, 64, 4)
