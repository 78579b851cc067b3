"""Keypoint heatmaps: an exponential for each pixel and point. A Gaussian is a product, so the fix takes exponentials
of rows and of columns alone, and sums their products by multiply-adds (a float32 dot)."""

import torch
import triton
import triton.language as tl

IMAGES, POINTS, SIZE = 495, 64, 256
TOLERANCE = 1e-5


@triton.jit
def heatmaps(
    out,
    ys,
    xs,
    scale,
    POINTS: tl.constexpr,
    SIZE: tl.constexpr,
    H: tl.constexpr,
    W: tl.constexpr,
    P: tl.constexpr,
):
    rows = tl.program_id(0) * H + tl.arange(0, H)
    columns = tl.program_id(1) * W + tl.arange(0, W)
    image = tl.program_id(2)
    heat = tl.zeros((H, W), tl.float32)
    y = rows.to(tl.float32)
    x = columns.to(tl.float32)
    for p in range(POINTS):
        dy = y - tl.load(ys + image * POINTS + p)
        dx = x - tl.load(xs + image * POINTS + p)
        heat += tl.exp2((dy * dy * scale)[:, None] + (dx * dx * scale)[None, :])
    tl.store(out + (image * SIZE + rows[:, None]) * SIZE + columns[None, :], heat)


@triton.jit
def heatmaps_after(
    out,
    ys,
    xs,
    scale,
    POINTS: tl.constexpr,
    SIZE: tl.constexpr,
    H: tl.constexpr,
    W: tl.constexpr,
    P: tl.constexpr,
):
    rows = tl.program_id(0) * H + tl.arange(0, H)
    columns = tl.program_id(1) * W + tl.arange(0, W)
    image = tl.program_id(2)
    heat = tl.zeros((H, W), tl.float32)
    y = rows.to(tl.float32)
    x = columns.to(tl.float32)
    for first in range(0, POINTS, P):
        p = image * POINTS + first + tl.arange(0, P)
        dy = y[:, None] - tl.load(ys + p)[None, :]
        dx = x[None, :] - tl.load(xs + p)[:, None]
        heat = tl.dot(
            tl.exp2(dy * dy * scale), tl.exp2(dx * dx * scale), heat, input_precision="ieee"
        )
    tl.store(out + (image * SIZE + rows[:, None]) * SIZE + columns[None, :], heat)


def make():
    ys, xs = (torch.rand(IMAGES, POINTS, device="cuda") * SIZE for _ in range(2))
    return {"out": torch.empty(IMAGES, SIZE, SIZE, device="cuda"), "ys": ys, "xs": xs}


def launch(kernel, out, ys, xs):
    kernel[(SIZE // 64, SIZE // 64, IMAGES)](
        out, ys, xs, -0.005, POINTS, SIZE, 64, 64, 16, num_warps=4, num_stages=1
    )
    return out


def bad(out, ys, xs):
    return launch(heatmaps, out, ys, xs)


def fixed(out, ys, xs):
    return launch(heatmaps_after, out, ys, xs)
