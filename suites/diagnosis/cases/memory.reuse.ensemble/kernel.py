"""24 linear models score the same rows: each model's programs read all rows again. The fix keeps a tile for all models."""

import torch
import triton
import triton.language as tl

TOLERANCE = 1e-3
ROWS, FEATURES, MODELS, TILE = 262144, 64, 24, 64


@triton.jit
def score(out, x, w, bias, ROWS, FEATURES: tl.constexpr, TILE: tl.constexpr):
    rows = tl.program_id(0) * TILE + tl.arange(0, TILE)
    model = tl.program_id(1)
    features = tl.arange(0, FEATURES)
    tile = tl.load(x + rows[:, None] * FEATURES + features[None, :]).to(tl.float32)
    weights = tl.load(w + model * FEATURES + features)
    total = tl.sum(tile * weights[None, :], axis=1) + tl.load(bias + model)
    tl.store(out + model * ROWS + rows, total)


@triton.jit
def score_after(out, x, w, bias, ROWS, MODELS, FEATURES: tl.constexpr, TILE: tl.constexpr):
    rows = tl.program_id(0) * TILE + tl.arange(0, TILE)
    features = tl.arange(0, FEATURES)
    tile = tl.load(x + rows[:, None] * FEATURES + features[None, :]).to(tl.float32)
    for model in range(MODELS):
        weights = tl.load(w + model * FEATURES + features)
        total = tl.sum(tile * weights[None, :], axis=1) + tl.load(bias + model)
        tl.store(out + model * ROWS + rows, total)


def make():
    x = torch.randn(ROWS, FEATURES, device="cuda", dtype=torch.float16)
    w = torch.randn(MODELS, FEATURES, device="cuda", dtype=torch.float32)
    bias = torch.randn(MODELS, device="cuda", dtype=torch.float32)
    return {"x": x, "w": w, "bias": bias}


def bad(x, w, bias):
    out = torch.empty(MODELS, ROWS, device="cuda", dtype=torch.float32)
    score[(ROWS // TILE, MODELS)](out, x, w, bias, ROWS, FEATURES=FEATURES, TILE=TILE, num_warps=4)
    return out


def fixed(x, w, bias):
    out = torch.empty(MODELS, ROWS, device="cuda", dtype=torch.float32)
    score_after[(ROWS // TILE,)](
        out, x, w, bias, ROWS, MODELS, FEATURES=FEATURES, TILE=TILE, num_warps=4
    )
    return out
