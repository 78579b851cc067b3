"""A warp descends a search tree for each query; one query in 256 goes on with a matrix of 64 by 64 in registers, which
sets the registers of all. The fix has those queries' second half in a launch of its own."""

import torch
import triton
import triton.language as tl

FAN, DEPTH, QUERIES, OFTEN = 64, 4, 1 << 17, 256
RECORDS, WIDTH, NEAR = 1 << 16, 64, 8
TOLERANCE = 1e-5


@triton.jit
def spread(place, records, RECORDS: tl.constexpr, WIDTH: tl.constexpr, NEAR: tl.constexpr):
    columns = tl.arange(0, WIDTH)
    total = tl.zeros((WIDTH, WIDTH), tl.float32)
    for i in range(NEAR):
        row = tl.load(records + (place + i) % RECORDS * WIDTH + columns)
        total += row[:, None] * row[None, :]
    return tl.sqrt(tl.sum(total * total))


@triton.jit
def look_up(
    out,
    places,
    queries,
    tree,
    values,
    records,
    RECORDS: tl.constexpr,
    WIDTH: tl.constexpr,
    NEAR: tl.constexpr,
    FAN: tl.constexpr,
    DEPTH: tl.constexpr,
    OFTEN: tl.constexpr,  # 0: leave the spread to another launch
):
    number = tl.program_id(0)
    query = tl.load(queries + number)
    node, level, size = 0, 0, FAN
    for _ in tl.static_range(DEPTH):
        keys = tl.load(
            tree + level + node * FAN + tl.arange(0, FAN)
        )  # the last keys of its children
        node = node * FAN + tl.sum((keys < query).to(tl.int32))
        level += size
        size *= FAN
    found = tl.load(values + node)
    if OFTEN > 0:  # noqa: SIM102  # a constant: with `and`, Triton would compile the call
        if number % OFTEN == 0:
            found += spread(node, records, RECORDS, WIDTH, NEAR)
    tl.store(places + number, node)
    tl.store(out + number, found)


@triton.jit
def add_spread(
    out,
    places,
    records,
    RECORDS: tl.constexpr,
    WIDTH: tl.constexpr,
    NEAR: tl.constexpr,
    OFTEN: tl.constexpr,
):
    number = tl.program_id(0) * OFTEN
    place = tl.load(places + number)
    found = tl.load(out + number) + spread(place, records, RECORDS, WIDTH, NEAR)
    tl.store(out + number, found)


def make():
    count = FAN**DEPTH
    at = torch.arange(count, device="cuda")
    keys = at * 97 + at * 7919 % 97
    levels = [keys[FAN**d - 1 :: FAN**d] for d in range(DEPTH - 1, -1, -1)]
    return {
        "out": torch.empty(QUERIES, device="cuda"),
        "places": torch.empty(QUERIES, device="cuda", dtype=torch.int32),
        "queries": torch.randint(0, (count - 1) * 97, (QUERIES,), device="cuda"),
        "tree": torch.cat(levels),
        "values": torch.rand(count, device="cuda"),
        "records": torch.randn(RECORDS, WIDTH, device="cuda"),
    }


def bad(out, places, queries, tree, values, records):
    look_up[(QUERIES,)](
        out,
        places,
        queries,
        tree,
        values,
        records,
        RECORDS,
        WIDTH,
        NEAR,
        FAN,
        DEPTH,
        OFTEN,
        num_warps=1,
    )
    return out


def fixed(out, places, queries, tree, values, records):
    look_up[(QUERIES,)](
        out,
        places,
        queries,
        tree,
        values,
        records,
        RECORDS,
        WIDTH,
        NEAR,
        FAN,
        DEPTH,
        0,
        num_warps=1,
    )
    add_spread[(QUERIES // OFTEN,)](out, places, records, RECORDS, WIDTH, NEAR, OFTEN, num_warps=1)
    return out
