"""Sums of values that fade with age, a user to a program: a few users have hundreds of times as many events as the
others. The fix cuts long users into pieces."""

import torch
import triton
import triton.language as tl

USERS, HEAVY, MANY, PIECE, BLOCK, PAGE = 16384, 8, 1 << 18, 4096, 1024, 16
TOLERANCE = 1e-4


@triton.jit
def faded(values, ages, first, last, BLOCK: tl.constexpr, PAGE: tl.constexpr):
    first *= PAGE
    last *= PAGE
    total = tl.zeros((BLOCK,), tl.float32)
    for at in range(first, last, BLOCK):
        event = at + tl.arange(0, BLOCK)
        value = tl.load(values + event, event < last, 0.0).to(tl.float32)
        age = tl.load(ages + event, event < last, 0.0).to(tl.float32)
        total += value * tl.exp2(-age)
    return tl.sum(total)


@triton.jit
def user_sums(out, values, ages, starts, BLOCK: tl.constexpr, PAGE: tl.constexpr):
    user = tl.program_id(0)
    first, last = tl.load(starts + user), tl.load(starts + user + 1)
    total = faded(values, ages, first, last, BLOCK, PAGE)
    tl.store(out + user, total)


@triton.jit
def user_sums_after(
    out, values, ages, users, firsts, lasts, BLOCK: tl.constexpr, PAGE: tl.constexpr
):
    piece = tl.program_id(0)
    first, last = tl.load(firsts + piece), tl.load(lasts + piece)
    total = faded(values, ages, first, last, BLOCK, PAGE)
    tl.atomic_add(out + tl.load(users + piece), total, sem="relaxed")


def make():  # all lengths and places are in pages
    lengths = torch.randint(256 // PAGE, 1024 // PAGE, (USERS,), device="cuda")
    lengths[torch.arange(HEAVY, device="cuda") * (USERS // HEAVY) + 1000] = MANY // PAGE
    starts = torch.zeros(USERS + 1, device="cuda", dtype=torch.int64)
    starts[1:] = lengths.cumsum(0)
    piece = PIECE // PAGE
    pieces = (lengths + piece - 1) // piece
    users = torch.arange(USERS, device="cuda").repeat_interleave(pieces)
    number = torch.arange(len(users), device="cuda") - (pieces.cumsum(0) - pieces)[users]
    firsts = starts[users] + number * piece
    events = int(starts[-1]) * PAGE
    return {
        "out": torch.empty(USERS, device="cuda"),
        "values": torch.rand(events, device="cuda").half(),
        "ages": torch.rand(events, device="cuda").half() * 8,
        "starts": starts.int(),
        "users": users.int(),
        "firsts": firsts.int(),
        "lasts": torch.minimum(firsts + piece, starts[users + 1]).int(),
    }


def bad(out, values, ages, starts, users, firsts, lasts):
    user_sums[(USERS,)](out, values, ages, starts, BLOCK, PAGE, num_warps=4)
    return out


def fixed(out, values, ages, starts, users, firsts, lasts):
    user_sums_after[(len(users),)](
        out.zero_(), values, ages, users, firsts, lasts, BLOCK, PAGE, num_warps=4
    )
    return out
