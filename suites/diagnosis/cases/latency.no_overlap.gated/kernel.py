"""A linear layer with SiLU whose tiles are loaded, waited for and multiplied in turn (num_stages=1); with three stages
the next tiles are on their way during the products."""

import torch
import triton
import triton.language as tl

ROWS, INPUTS, OUTPUTS, M, N, K = 4096, 2048, 8192, 128, 256, 64
TOLERANCE = 1e-2


@triton.jit
def layer(
    out,
    x,
    weight,
    bias,
    INPUTS: tl.constexpr,
    OUTPUTS: tl.constexpr,
    M: tl.constexpr,
    N: tl.constexpr,
    K: tl.constexpr,
):
    rows = tl.program_id(0) * M + tl.arange(0, M)
    columns = tl.program_id(1) * N + tl.arange(0, N)
    k = tl.arange(0, K)
    left = x + rows[:, None] * INPUTS + k[None, :]
    right = weight + k[:, None] * OUTPUTS + columns[None, :]
    sums = tl.zeros((M, N), tl.float32)
    for _ in range(0, INPUTS, K):
        sums = tl.dot(tl.load(left), tl.load(right), sums)
        left += K
        right += K * OUTPUTS
    y = sums + tl.load(bias + columns)[None, :]
    y = y * tl.sigmoid(y)
    tl.store(out + rows[:, None] * OUTPUTS + columns[None, :], y.to(tl.bfloat16))


def make():
    x = torch.randn(ROWS, INPUTS, device="cuda").bfloat16()
    weight = (torch.randn(INPUTS, OUTPUTS, device="cuda") * 0.02).bfloat16()
    return {"x": x, "weight": weight, "bias": torch.randn(OUTPUTS, device="cuda")}


def launch(x, weight, bias, stages):
    out = torch.empty(ROWS, OUTPUTS, device="cuda", dtype=torch.bfloat16)
    layer[(ROWS // M, OUTPUTS // N)](
        out, x, weight, bias, INPUTS, OUTPUTS, M, N, K, num_warps=8, num_stages=stages
    )
    return out


def bad(x, weight, bias):
    return launch(x, weight, bias, 1)


def fixed(x, weight, bias):
    return launch(x, weight, bias, 3)
