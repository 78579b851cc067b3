"""Euler steps of particles in a double well with counter-based noise: 280 large programs are 2.12 waves; the fix has
eight times as many of an eighth of the size."""

import torch
import triton
import triton.language as tl

PARTICLES, STEPS, LARGE, SMALL = 280 * 16384, 24, 16384, 2048
TOLERANCE = 1e-5


@triton.jit
def diffuse(out, start, seed, PARTICLES: tl.constexpr, STEPS: tl.constexpr, BLOCK: tl.constexpr):
    particle = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(start + particle)
    for step in range(STEPS):
        a, b, c, d = tl.rand4x(seed, step * PARTICLES + particle)
        noise = (a + b + c + d - 2.0) * 1.7320508  # variance 1
        x += 0.01 * (x - x * x * x) + 0.07 * noise
    tl.store(out + particle, x.to(tl.bfloat16))


def make():
    start = torch.randn(PARTICLES, device="cuda")
    return {"out": torch.empty(PARTICLES, device="cuda", dtype=torch.bfloat16), "start": start}


def bad(out, start):
    diffuse[(PARTICLES // LARGE,)](out, start, 7, PARTICLES, STEPS, LARGE, num_warps=32)
    return out


def fixed(out, start):
    diffuse[(PARTICLES // SMALL,)](out, start, 7, PARTICLES, STEPS, SMALL, num_warps=4)
    return out
