"""x + gamma * y in bfloat16, at the copy bandwidth already; the tempting change has more warps for the same bytes."""

import torch
import triton
import triton.language as tl

TOKENS, CHANNELS = 1 << 14, 4096
TOLERANCE = 0.0


@triton.jit
def residual(out, x, y, gamma, CHANNELS: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    scale = tl.load(gamma + at % CHANNELS)
    sums = tl.load(x + at).to(tl.float32) + scale * tl.load(y + at).to(tl.float32)
    tl.store(out + at, sums.to(tl.bfloat16))


def make():
    x, y = (torch.randn(TOKENS, CHANNELS, device="cuda").bfloat16() for _ in range(2))
    return {"x": x, "y": y, "gamma": torch.rand(CHANNELS, device="cuda")}


def launch(x, y, gamma, block, warps):
    out = torch.empty_like(x)
    residual[(x.numel() // block,)](out, x, y, gamma, CHANNELS, block, num_warps=warps)
    return out


def bad(x, y, gamma):
    return launch(x, y, gamma, 4096, 8)


def fixed(x, y, gamma):
    return launch(x, y, gamma, 2048, 8)
