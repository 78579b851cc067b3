"""RMS normalization with one warp to a row, at the copy bandwidth; the tempting change has four warps to a row."""

import torch
import triton
import triton.language as tl

ROWS, COLUMNS = 1 << 15, 2048
TOLERANCE = 1e-2


@triton.jit
def normalize(out, x, gain, COLUMNS: tl.constexpr):
    columns = tl.arange(0, COLUMNS)
    at = tl.program_id(0) * COLUMNS + columns
    row = tl.load(x + at).to(tl.float32)
    scale = tl.rsqrt(tl.sum(row * row, 0) / COLUMNS + 1e-6)
    tl.store(out + at, (row * scale * tl.load(gain + columns).to(tl.float32)).to(tl.bfloat16))


def make():
    x = torch.randn(ROWS, COLUMNS, device="cuda").bfloat16()
    return {"x": x, "gain": torch.rand(COLUMNS, device="cuda").bfloat16()}


def launch(x, gain, warps):
    out = torch.empty_like(x)
    normalize[(ROWS,)](out, x, gain, COLUMNS, num_warps=warps)
    return out


def bad(x, gain):
    return launch(x, gain, 1)


def fixed(x, gain):
    return launch(x, gain, 4)
