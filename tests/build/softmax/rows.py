"""One program a row."""

import torch
import triton
import triton.language as tl


@triton.jit
def softmax_rows(x, y, columns, stride, block: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, block)
    inside = at < columns
    value = tl.load(x + row * stride + at, mask=inside, other=-float("inf"))
    value = tl.exp(value - tl.max(value, axis=0))
    tl.store(y + row * stride + at, value / tl.sum(value, axis=0), mask=inside)


def softmax(x):
    y = torch.empty(x.shape, device="cuda", dtype=x.dtype)
    block = triton.next_power_of_2(x.shape[1])
    softmax_rows[(x.shape[0],)](x, y, x.shape[1], x.stride(0), block=block, num_warps=4)
    return y
