"""h = f h + (1 - f) x over time, f = sigmoid(gate): a launch to a time step; the fix walks through
time in one."""

import torch
import triton
import triton.language as tl

STEPS, CHANNELS, BLOCK = 32, 1 << 16, 256
TOLERANCE = 1e-3


@triton.jit(do_not_specialize=["step"])
def gate_step(out, state, x, gate, step, CHANNELS: tl.constexpr, BLOCK: tl.constexpr):
    channel = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    at = step * CHANNELS + channel
    h = tl.where(step > 0, tl.load(state + channel), 0.0)
    f = tl.sigmoid(tl.load(gate + at).to(tl.float32))
    h = f * h + (1.0 - f) * tl.load(x + at).to(tl.float32)
    tl.store(state + channel, h)
    tl.store(out + at, h.to(tl.float16))


@triton.jit
def gate_steps(out, x, gate, STEPS: tl.constexpr, CHANNELS: tl.constexpr, BLOCK: tl.constexpr):
    channel = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    h = tl.zeros((BLOCK,), tl.float32)
    for step in tl.static_range(STEPS):
        at = step * CHANNELS + channel
        f = tl.sigmoid(tl.load(gate + at).to(tl.float32))
        h = f * h + (1.0 - f) * tl.load(x + at).to(tl.float32)
        tl.store(out + at, h.to(tl.float16))


def make():
    x, gate = (torch.randn(STEPS, CHANNELS, device="cuda", dtype=torch.float16) for _ in range(2))
    return {
        "out": torch.empty_like(x),
        "state": torch.empty(CHANNELS, device="cuda"),
        "x": x,
        "gate": gate,
    }


def bad(out, state, x, gate):
    for step in range(STEPS):
        gate_step[(CHANNELS // BLOCK,)](out, state, x, gate, step, CHANNELS, BLOCK, num_warps=4)
    return out


def fixed(out, state, x, gate):
    gate_steps[(CHANNELS // BLOCK,)](out, x, gate, STEPS, CHANNELS, BLOCK, num_warps=4)
    return out
