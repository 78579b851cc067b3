"""dW = X^T dY with few weights and many tokens: the tiles of the result alone are 16 programs; the fix cuts the
tokens into 16 parts as well."""

import torch
import triton
import triton.language as tl

TOKENS, INPUTS, OUTPUTS, SIDE, STEP, PARTS = 1 << 16, 256, 256, 64, 64, 16
TOLERANCE = 1e-3


@triton.jit
def weight_gradient(
    out,
    x,
    dy,
    tokens,  # of each program
    INPUTS: tl.constexpr,
    OUTPUTS: tl.constexpr,
    SIDE: tl.constexpr,
    STEP: tl.constexpr,
    JOIN: tl.constexpr,
):
    rows = tl.program_id(0) * SIDE + tl.arange(0, SIDE)
    columns = tl.program_id(1) * SIDE + tl.arange(0, SIDE)
    token = tl.program_id(2) * tokens + tl.arange(0, STEP)
    x_at = x + token[:, None] * INPUTS + rows[None, :]
    dy_at = dy + token[:, None] * OUTPUTS + columns[None, :]
    total = tl.zeros((SIDE, SIDE), tl.float32)
    for _ in range(0, tokens, STEP):
        total = tl.dot(tl.trans(tl.load(x_at)), tl.load(dy_at), total)
        x_at += STEP * INPUTS
        dy_at += STEP * OUTPUTS
    at = out + rows[:, None] * OUTPUTS + columns[None, :]
    if JOIN:
        tl.atomic_add(at, total, sem="relaxed")
    else:
        tl.store(at, total)


def make():
    x = torch.randn(TOKENS, INPUTS, device="cuda", dtype=torch.float16)
    dy = torch.randn(TOKENS, OUTPUTS, device="cuda", dtype=torch.float16)
    return {"out": torch.empty(INPUTS, OUTPUTS, device="cuda"), "x": x, "dy": dy}


def launch(out, x, dy, parts):
    weight_gradient[(INPUTS // SIDE, OUTPUTS // SIDE, parts)](
        out,
        x,
        dy,
        TOKENS // parts,
        INPUTS,
        OUTPUTS,
        SIDE,
        STEP,
        parts > 1,
        num_warps=4,
        num_stages=4,
    )
    return out


def bad(out, x, dy):
    return launch(out, x, dy, 1)


def fixed(out, x, dy):
    return launch(out.zero_(), x, dy, PARTS)
