"""Option prices: the inputs are float32, and are made float64 for the whole formula; the fix leaves them float32."""

import torch
import triton
import triton.language as tl

N, BLOCK = 1 << 23, 256
TOLERANCE = 1e-5


@triton.jit
def cumulative(x):
    return 0.5 * (1.0 + tl.erf(x * 0.7071067811865476))


@triton.jit
def call_price(spot, strike, years):
    rate = 0.02
    volatility = 0.3
    spread = volatility * tl.sqrt(years)
    d1 = (tl.log(spot / strike) + (rate + 0.5 * volatility * volatility) * years) / spread
    return spot * cumulative(d1) - strike * tl.exp(-rate * years) * cumulative(d1 - spread)


@triton.jit
def price(out, spots, strikes, years, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    spot = tl.load(spots + i).to(tl.float64)
    strike = tl.load(strikes + i).to(tl.float64)
    year = tl.load(years + i).to(tl.float64)
    tl.store(out + i, call_price(spot, strike, year).to(tl.float32))


@triton.jit
def price_after(out, spots, strikes, years, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    spot = tl.load(spots + i)
    strike = tl.load(strikes + i)
    year = tl.load(years + i)
    tl.store(out + i, call_price(spot, strike, year))


def make():
    spots, strikes, years = (torch.rand(N, device="cuda") for _ in range(3))
    return {
        "out": torch.empty(N, device="cuda"),
        "spots": 50 + 100 * spots,
        "strikes": 50 + 100 * strikes,
        "years": 0.1 + years,
    }


def bad(out, spots, strikes, years):
    price[(N // BLOCK,)](out, spots, strikes, years, BLOCK, num_warps=4)
    return out


def fixed(out, spots, strikes, years):
    price_after[(N // BLOCK,)](out, spots, strikes, years, BLOCK, num_warps=4)
    return out
