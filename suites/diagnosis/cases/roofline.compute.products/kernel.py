"""A half precision product near the tensor cores' rate: big tiles, TMA, three stages, eight warps to an SM. The tempting
change is smaller tiles, two programs of them to an SM: more occupancy."""

import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

SIZE, GROUP = 8192, 8
TOLERANCE = 1e-3


@triton.jit
def product(
    out,
    left,
    right,
    SIZE: tl.constexpr,
    M: tl.constexpr,
    N: tl.constexpr,
    K: tl.constexpr,
    GROUP: tl.constexpr,
):
    per_group = GROUP * (
        SIZE // N
    )  # programs that share rows of the left matrix run near each other
    group, place = tl.program_id(0) // per_group, tl.program_id(0) % per_group
    row = (group * GROUP + place % GROUP) * M
    column = place // GROUP * N
    sums = tl.zeros((M, N), tl.float32)
    for k in range(0, SIZE, K):
        sums = tl.dot(left.load([row, k]), right.load([k, column]), sums)
    out.store([row, column], sums.to(tl.float16))


def make():
    return {
        n: torch.randn(SIZE, SIZE, device="cuda", dtype=torch.float16) * 0.1
        for n in ("left", "right")
    }


def launch(left, right, m, n, stages):
    out = torch.empty(SIZE, SIZE, device="cuda", dtype=torch.float16)
    tiles = [
        TensorDescriptor.from_tensor(x, block)
        for x, block in ((out, [m, n]), (left, [m, 64]), (right, [64, n]))
    ]
    product[(SIZE // m * (SIZE // n),)](
        *tiles, SIZE, m, n, 64, GROUP, num_warps=m // 16, num_stages=stages
    )
    return out


def bad(left, right):
    return launch(left, right, 128, 256, 3)


def fixed(left, right):
    return launch(left, right, 64, 256, 2)
