"""Eight query heads share a key head and each loads its keys; the fix loads them for all eight."""

import torch
import triton
import triton.language as tl

TOLERANCE = 1e-5
SEQUENCES, KEY_HEADS, GROUP, LENGTH, SIZE = 16, 8, 8, 4096, 128


@triton.jit
def scores(out, queries, keys, length, GROUP: tl.constexpr, SIZE: tl.constexpr, TILE: tl.constexpr):
    head = tl.program_id(0)  # of all sequences
    positions = tl.program_id(1) * TILE + tl.arange(0, TILE)
    inner = tl.arange(0, SIZE)
    at = (head // GROUP * length + positions)[:, None] * SIZE + inner[None, :]
    tile = tl.load(keys + at).to(tl.float32)
    query = tl.load(queries + head * SIZE + inner).to(tl.float32)
    tl.store(out + head * length + positions, tl.sum(tile * query[None, :], 1))


@triton.jit
def scores_after(
    out, queries, keys, length, GROUP: tl.constexpr, SIZE: tl.constexpr, TILE: tl.constexpr
):
    key_head = tl.program_id(0)
    positions = tl.program_id(1) * TILE + tl.arange(0, TILE)
    inner = tl.arange(0, SIZE)
    at = (key_head * length + positions)[:, None] * SIZE + inner[None, :]
    tile = tl.load(keys + at).to(tl.float32)
    for k in tl.static_range(GROUP):
        head = key_head * GROUP + k
        query = tl.load(queries + head * SIZE + inner).to(tl.float32)
        tl.store(out + head * length + positions, tl.sum(tile * query[None, :], 1))


def make():
    heads = SEQUENCES * KEY_HEADS
    queries = torch.randn(heads * GROUP, SIZE, device="cuda", dtype=torch.bfloat16)
    return {
        "queries": queries,
        "keys": torch.randn(heads, LENGTH, SIZE, device="cuda", dtype=torch.bfloat16),
    }


def run(kernel, programs, queries, keys):
    out = torch.empty(queries.shape[0], LENGTH, device="cuda")
    kernel[(programs, LENGTH // 64)](
        out, queries, keys, LENGTH, GROUP=GROUP, SIZE=SIZE, TILE=64, num_warps=4
    )
    return out


def bad(queries, keys):
    return run(scores, queries.shape[0], queries, keys)


def fixed(queries, keys):
    return run(scores_after, keys.shape[0], queries, keys)
