"""One program a row, with the warps autotuned."""

import torch
import triton
import triton.language as tl


@triton.autotune([triton.Config({}, num_warps=n) for n in (2, 8)], key=["columns"])
@triton.jit
def tuned_rows(x, y, columns, stride, block: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, block)
    inside = at < columns
    value = tl.load(x + row * stride + at, mask=inside, other=-float("inf"))
    value = tl.exp(value - tl.max(value, axis=0))
    tl.store(y + row * stride + at, value / tl.sum(value, axis=0), mask=inside)


def softmax(x):
    y = torch.empty_like(x.cuda())
    tuned_rows[(x.shape[0],)](x, y, x.shape[1], x.stride(0), block=1024)
    return y
