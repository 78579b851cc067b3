"""Quadrature with 1 to 32 nodes: static loops write out each of the orders, some 220 KB of straight code that the
programs of an SM walk at different places; the fix is one loop over the nodes."""

import torch
import triton
import triton.language as tl

BLOCKS, BLOCK, ORDERS = 132 * 512, 512, 32
TOLERANCE = 1e-4


@triton.jit
def density(x, a):
    p = (x * (x + a) + 0.5) * x + 1.0
    return p * p


@triton.jit
def integrals(out, shapes, orders, nodes, weights, BLOCK: tl.constexpr, ORDERS: tl.constexpr):
    cell = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    order = tl.load(orders + tl.program_id(0))
    a = tl.load(shapes + cell)
    low = (cell % 1024) / 1024.0
    total = tl.zeros((BLOCK,), tl.float32)
    for n in tl.static_range(1, ORDERS + 1):
        if order == n:
            for k in tl.static_range(n):
                x = low + tl.load(nodes + n * ORDERS + k)
                total += tl.load(weights + n * ORDERS + k) * density(x, a)
    tl.store(out + cell, total)


@triton.jit
def integrals_after(out, shapes, orders, nodes, weights, BLOCK: tl.constexpr, ORDERS: tl.constexpr):
    cell = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    order = tl.load(orders + tl.program_id(0))
    a = tl.load(shapes + cell)
    low = (cell % 1024) / 1024.0
    total = tl.zeros((BLOCK,), tl.float32)
    for k in range(order):
        x = low + tl.load(nodes + order * ORDERS + k)
        total += tl.load(weights + order * ORDERS + k) * density(x, a)
    tl.store(out + cell, total)


def make():
    return {
        "shapes": torch.rand(BLOCKS * BLOCK, device="cuda"),
        "orders": torch.randint(1, ORDERS + 1, (BLOCKS,), device="cuda", dtype=torch.int32),
        "nodes": torch.rand(ORDERS + 1, ORDERS, device="cuda"),
        "weights": torch.rand(ORDERS + 1, ORDERS, device="cuda"),
    }


def launch(kernel, shapes, orders, nodes, weights):
    out = torch.empty_like(shapes)
    kernel[(BLOCKS,)](out, shapes, orders, nodes, weights, BLOCK, ORDERS, num_warps=4)
    return out


def bad(shapes, orders, nodes, weights):
    return launch(integrals, shapes, orders, nodes, weights)


def fixed(shapes, orders, nodes, weights):
    return launch(integrals_after, shapes, orders, nodes, weights)
