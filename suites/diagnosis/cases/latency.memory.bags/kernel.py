"""Embedding bags: a program fetches an item, the row it maps to, that row, and only then the next item; the fix has
eight items of the bag on the way at once."""

import torch
import triton
import triton.language as tl

BAGS, SLOTS, ITEMS, ROWS, WIDTH, AHEAD = 132 * 256, 40, 1 << 22, 1 << 20, 128, 8
TOLERANCE = 1e-4


@triton.jit
def bag_sums(out, table, row_of, bags, SLOTS: tl.constexpr, WIDTH: tl.constexpr):
    bag = tl.program_id(0)
    columns = tl.arange(0, WIDTH)
    total = tl.zeros((WIDTH,), tl.float32)
    at = bags + bag * SLOTS
    item = tl.load(at)
    while item >= 0:  # a bag ends with -1
        row = tl.load(row_of + item)
        total += tl.load(table + row * WIDTH + columns).to(tl.float32)
        at += 1
        item = tl.load(at)
    tl.store(out + bag * WIDTH + columns, total)


@triton.jit
def bag_sums_after(
    out, table, row_of, bags, SLOTS: tl.constexpr, WIDTH: tl.constexpr, AHEAD: tl.constexpr
):
    bag = tl.program_id(0)
    columns = tl.arange(0, WIDTH)
    total = tl.zeros((AHEAD, WIDTH), tl.float32)
    at = bags + bag * SLOTS + tl.arange(0, AHEAD)
    item = tl.load(at)
    while tl.max(item) >= 0:
        row = tl.load(row_of + item, item >= 0, 0)
        total += tl.load(
            table + row[:, None] * WIDTH + columns[None, :], (item >= 0)[:, None], 0.0
        ).to(tl.float32)
        at += AHEAD
        item = tl.load(at)
    tl.store(out + bag * WIDTH + columns, tl.sum(total, 0))


def make():
    table = torch.randn(ROWS, WIDTH, device="cuda", dtype=torch.float16)
    row_of = torch.randint(0, ROWS, (ITEMS,), device="cuda", dtype=torch.int32)
    bags = torch.randint(0, ITEMS, (BAGS, SLOTS), device="cuda", dtype=torch.int32)
    length = torch.randint(28, 33, (BAGS, 1), device="cuda")
    bags[torch.arange(SLOTS, device="cuda") >= length] = -1
    return {
        "out": torch.empty(BAGS, WIDTH, device="cuda"),
        "table": table,
        "row_of": row_of,
        "bags": bags,
    }


def bad(out, table, row_of, bags):
    bag_sums[(BAGS,)](out, table, row_of, bags, SLOTS, WIDTH, num_warps=2)
    return out


def fixed(out, table, row_of, bags):
    bag_sums_after[(BAGS,)](out, table, row_of, bags, SLOTS, WIDTH, AHEAD, num_warps=2)
    return out
