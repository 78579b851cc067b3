"""Rays run along the contiguous axis: a lane per ray reads a stride apart; the fix has lanes along the ray."""

import torch
import triton
import triton.language as tl

TOLERANCE = 0.0
ROWS, LENGTH = 512 * 512, 256


@triton.jit
def project(out, volume, LENGTH: tl.constexpr, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    best = tl.full([BLOCK], 0, tl.float32)
    for x in range(LENGTH):
        best = tl.maximum(best, tl.load(volume + rows * LENGTH + x))
    tl.store(out + rows, best)


@triton.jit
def project_after(out, volume, LENGTH: tl.constexpr, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    xs = tl.arange(0, LENGTH)
    tile = tl.load(volume + rows[:, None] * LENGTH + xs[None, :])
    tl.store(out + rows, tl.max(tile, axis=1))


def make():
    return {"volume": torch.rand(ROWS, LENGTH, device="cuda")}


def bad(volume):
    out = torch.empty(ROWS, device="cuda", dtype=torch.float32)
    project[(ROWS // 128,)](out, volume, LENGTH=LENGTH, BLOCK=128, num_warps=4)
    return out


def fixed(volume):
    out = torch.empty(ROWS, device="cuda", dtype=torch.float32)
    project_after[(ROWS // 16,)](out, volume, LENGTH=LENGTH, BLOCK=16, num_warps=4)
    return out
