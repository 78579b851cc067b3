"""NCHW to NHWC with a normalization: each output finds its source by 64-bit divisions, and lanes read along the
channels, far apart; the fix turns tiles, with the grid's axes in place of divisions."""

import torch
import triton
import triton.language as tl

IMAGES, CHANNELS, HEIGHT, WIDTH = 8, 96, 224, 224
TOLERANCE = 1e-2


@triton.jit
def interleave(out, images, means, scales, channels, height, width, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    channel = at % channels
    place = at // channels
    column = place % width
    row = place // width % height
    image = place // width // height
    x = tl.load(images + ((image * channels + channel) * height + row) * width + column)
    y = (x - tl.load(means + channel)) * tl.load(scales + channel)
    tl.store(out + at, y.to(tl.bfloat16))


@triton.jit
def interleave_after(
    out, images, means, scales, channels, places, C: tl.constexpr, P: tl.constexpr
):
    channel = tl.program_id(1) * C + tl.arange(0, C)
    place = tl.program_id(0) * P + tl.arange(0, P)
    first = tl.program_id(2).to(tl.int64) * channels * places
    x = tl.load(images + first + channel[:, None] * places + place[None, :])
    y = (x - tl.load(means + channel)[:, None]) * tl.load(scales + channel)[:, None]
    turned = tl.trans(y.to(tl.bfloat16))
    tl.store(out + first + place[:, None] * channels + channel[None, :], turned)


def make():
    return {
        "images": torch.rand(IMAGES, CHANNELS, HEIGHT, WIDTH, device="cuda"),
        "means": torch.rand(CHANNELS, device="cuda"),
        "scales": torch.rand(CHANNELS, device="cuda") + 0.5,
    }


def result(images):
    return torch.empty(IMAGES, HEIGHT, WIDTH, CHANNELS, device=images.device, dtype=torch.bfloat16)


def bad(images, means, scales):
    out = result(images)
    interleave[(images.numel() // 1024,)](
        out, images, means, scales, CHANNELS, HEIGHT, WIDTH, 1024, num_warps=4
    )
    return out


def fixed(images, means, scales):
    out = result(images)
    interleave_after[(HEIGHT * WIDTH // 64, CHANNELS // 32, IMAGES)](
        out, images, means, scales, CHANNELS, HEIGHT * WIDTH, 32, 64, num_warps=4
    )
    return out
