"""compute.tensor_cores_unused: matrix arithmetic on the FMA pipe."""

from __future__ import annotations

from collections.abc import Mapping

from warpwright.advice.draft import Draft, evidence, speedup
from warpwright.advice.facts import Facts
from warpwright.advice.machine import CONVERTS, LOADED, Machine
from warpwright.advice.pipes import (
    SHARED_WAVEFRONTS,
    data_pipe_part,
    pipe_metric,
    pipe_shares,
    pipes_left,
)
from warpwright.cubin.decode import ZERO, Decoded

_PRODUCTS = frozenset(("FFMA", "HFMA2", "DFMA"))
_THEIRS = ("FMA", "FMA heavy", "ALU", "LSU")  # pipes that products and what feeds them use
_VISIBLE = 1.05


def tensor_cores_unused(facts: Facts) -> Draft | None:
    """Multiply-adds whose two factors are both loaded: a matrix product, on the FMA pipe.

    The machine code tells them: both factors come from memory, converted at most, and the sum goes
    on. The warps' time at them, at their conversions, and at the shared loads that feed them, but
    for waiting for global data, is the cost c. Tensor cores take 1/8 (TF32) or 1/16 (16 bits) of
    the FMA pipe's time on 8.0 and later, and each operand is loaded once for a tile of 16: T' = T *
    (1 - c + c / 8) is expected; low: c / 4, high: c / 16. The pipes keep what is not theirs. Values
    that were 16 bits in memory lose nothing; float ones are rounded (TF32), so confidence is less.
    """
    machine, executed = facts.code.machine, facts.code.executed
    capability = facts.launch.compute_capability
    if machine is None or capability is None or capability < (7, 0):
        return None
    products, feeding, narrow = _products(machine, executed)
    total = sum(executed.values())
    count = sum(executed[pc] for pc in products)
    if not total or count / total < 0.05:
        return None
    cost = {pc: facts.code.spent.get(pc, 0.0) for pc in products | feeding}
    share = sum(cost.values())
    part = sum(executed.get(pc, 0.0) for pc in cost) / total
    gains = []
    for gone in (0.75, 0.875, 0.9375):
        pipes = pipes_left(facts, part * gone, dict.fromkeys(_THEIRS, gone))
        left = {"SM pipes": pipes, "L1 data pipe": 1 - _of_data_pipe(facts, feeding) * gone}
        gains.append(facts.after(share * gone, left=left))
    if gains[1] < _VISIBLE:
        return None
    where = facts.places({pc: executed[pc] for pc in products})
    at = f"{facts.quote(where[0])}: " if where else ""
    fma = pipe_shares(facts).get("FMA")
    kind = "their values were 16 bits in memory" if narrow else "their values are float"
    return Draft(
        id="compute.tensor_cores_unused",
        title=f"a matrix product runs on the FMA pipe: {count / total:.0%} of the instructions",
        speedup=speedup(*gains),
        evidence=(
            evidence("inst_executed", count, "inst", f"multiply-adds of two loaded values; {kind}"),
            evidence(
                pipe_metric(facts, "FMA"),
                None if fma is None else 100 * fma,
                "%",
                "of the FMA pipe's peak in use",
            ),
            evidence(
                pipe_metric(facts, "tensor"),
                100 * pipe_shares(facts).get("tensor", 0.0),
                "%",
                "of the tensor pipe's",
            ),
        ),
        where=where,
        actions=(
            f"{at}let the tensor cores multiply: mma.sync or wmma tiles of 16 x 16 x 16, a "
            "library (cuBLAS, CUTLASS), or tl.dot in Triton; "
            + (
                "float accumulation keeps what the values have" if narrow else "as TF32 or bf16 x 3"
            ),
        ),
        confidence=facts.code.confidence(share if narrow else 0.0),
    )


def _products(machine: Machine, executed: Mapping[int, float]) -> tuple[set[int], set[int], bool]:
    """Offsets of products of loaded values, of what feeds them, and: were all converted?"""
    products: set[int] = set()
    feeding: set[int] = set()
    converted = True
    for index, one in enumerate(machine.code):
        if one.name not in _PRODUCTS or not executed.get(one.offset):
            continue
        width = 2 if one.name == "DFMA" else 1
        factors = one.reads[: 2 * width : width]
        if len(one.reads) < 3 * width or ZERO in factors:
            continue
        chains = [_loaded(machine, index, factor) for factor in factors]
        if all(chain is not None for chain in chains):
            products.add(one.offset)
            for chain in chains:
                feeding |= chain or set()
            converted &= one.name == "HFMA2" or all(len(chain or ()) > 1 for chain in chains)
    return products, feeding, converted


def _of_data_pipe(facts: Facts, loads: set[int]) -> float:
    """The part (0..1) of the data pipe's wavefronts that shared loads among these need."""
    wavefronts = facts.launch.per_pc("memory_l1_wavefronts_shared")
    taken, total = sum(wavefronts.get(pc, 0.0) for pc in loads), sum(wavefronts.values())
    return taken / total * (data_pipe_part(facts, SHARED_WAVEFRONTS) or 1.0) if total else 0.0


def _loaded(machine: Machine, index: int, register: int) -> set[int] | None:
    """The load behind a factor and its conversions; None where it is anything else."""
    chain: set[int] = set()

    def passes(one: Decoded) -> bool:
        inside = one.name in CONVERTS
        if inside:
            chain.add(one.offset)
        return inside

    ends = machine.origins(index, (register,), passes)
    if not ends or any(end.name not in LOADED for end in ends):
        return None
    return chain | {end.offset for end in ends}
