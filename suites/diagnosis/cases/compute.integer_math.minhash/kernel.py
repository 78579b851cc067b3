"""MinHash signatures: each hash takes a 64-bit remainder by a prime known at run time; the fix folds the high bits of
the product, since the prime is a Mersenne number (2^31 - 1)."""

import torch
import triton
import triton.language as tl

DOCUMENTS, TOKENS, HASHES, PRIME = 16896, 128, 64, 2**31 - 1
TOLERANCE = 0.0


@triton.jit
def signatures(out, tokens, factors, offsets, prime, TOKENS: tl.constexpr, HASHES: tl.constexpr):
    document = tl.program_id(0)
    h = tl.arange(0, HASHES)
    factor = tl.load(factors + h).to(tl.int64)
    offset = tl.load(offsets + h).to(tl.int64)
    least = tl.full((HASHES,), 2147483647, tl.int32)
    for t in range(TOKENS):
        token = tl.load(tokens + document * TOKENS + t)
        least = tl.minimum(least, ((factor * token + offset) % prime).to(tl.int32))
    tl.store(out + document * HASHES + h, least)


@triton.jit
def signatures_after(
    out, tokens, factors, offsets, prime, TOKENS: tl.constexpr, HASHES: tl.constexpr
):
    document = tl.program_id(0)
    h = tl.arange(0, HASHES)
    factor = tl.load(factors + h).to(tl.int64)
    offset = tl.load(offsets + h).to(tl.int64)
    least = tl.full((HASHES,), 2147483647, tl.int32)
    for t in range(TOKENS):
        token = tl.load(tokens + document * TOKENS + t)
        product = factor * token + offset
        folded = (product & prime).to(tl.uint32) + (product >> 31).to(tl.uint32)
        folded = tl.where(folded >= prime, folded - prime, folded)
        least = tl.minimum(least, folded.to(tl.int32))
    tl.store(out + document * HASHES + h, least)


def make():
    def integers(*shape):
        return torch.randint(1, PRIME - 1, shape, device="cuda", dtype=torch.int32)

    out = torch.empty(DOCUMENTS, HASHES, device="cuda", dtype=torch.int32)
    return {
        "out": out,
        "tokens": integers(DOCUMENTS, TOKENS),
        "factors": integers(HASHES),
        "offsets": integers(HASHES),
    }


def bad(out, tokens, factors, offsets):
    signatures[(DOCUMENTS,)](out, tokens, factors, offsets, PRIME, TOKENS, HASHES, num_warps=2)
    return out


def fixed(out, tokens, factors, offsets):
    signatures_after[(DOCUMENTS,)](
        out, tokens, factors, offsets, PRIME, TOKENS, HASHES, num_warps=2
    )
    return out
