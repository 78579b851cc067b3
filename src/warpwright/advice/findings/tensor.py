"""compute.tensor_cores_unused and compute.tensor_cores_legacy: matrix arithmetic on slow paths."""

from __future__ import annotations

from collections.abc import Mapping

from warpwright.advice.draft import Draft, evidence, speedup
from warpwright.advice.facts import Facts
from warpwright.advice.machine import CONVERTS, LOADED, Machine
from warpwright.advice.pipes import (
    SHARED_WAVEFRONTS,
    data_pipe_part,
    opcode_counts,
    pipe_metric,
    pipe_shares,
    pipes_left,
)
from warpwright.cubin.decode import ZERO, Decoded

_PRODUCTS = frozenset(("FFMA", "HFMA2", "DFMA"))
_MATRIX = ("HMMA", "IMMA", "DMMA")
_GROUP = ("HGMMA", "IGMMA", "QGMMA", "UTCHMMA", "UTCIMMA", "UTCQMMA")
_OWN = {9: "wgmma (HGMMA)", 10: "tcgen05 (UTCHMMA)"}  # by compute capability's first number
_FASTER = 0.62  # of the device's own rate is what mma.sync reaches on 9.0 (public benchmarks)
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
    machine, executed = facts.machine, facts.executed
    capability = facts.launch.compute_capability
    if machine is None or capability is None or capability < (7, 0):
        return None
    products, feeding, narrow = _products(machine, executed)
    total = sum(executed.values())
    count = sum(executed[pc] for pc in products)
    if not total or count / total < 0.05:
        return None
    cost = {pc: facts.spent.get(pc, 0.0) for pc in products | feeding}
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
        confidence=facts.confidence(share if narrow else 0.0),
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


def tensor_cores_legacy(facts: Facts) -> Draft | None:
    """Matrix instructions of a warp (HMMA) on a device that has those of a warp group.

    HGMMA and its successors read operands from shared memory by themselves: the loads to registers
    (LDSM, LDS) and the waiting for them and between matrix instructions vanish. c is the warps'
    time at HMMA and at those loads; of it a half vanishes (expected), a quarter (low) or three
    quarters (high). The tensor pipe keeps 0.62 of its time, for that part of its rate is all HMMA
    reaches; the data pipe keeps half.
    """
    capability = facts.launch.compute_capability
    machine, counts = facts.machine, opcode_counts(facts)
    matrix = sum(counts.get(name, 0.0) for name in _MATRIX[:2])
    if capability is None or capability[0] not in _OWN or machine is None:
        return None
    if not matrix or any(counts.get(name) for name in _GROUP):
        return None
    cost = {
        one.offset: facts.spent.get(one.offset, 0.0)
        for one in machine.code
        if one.name in ("HMMA", "IMMA", "LDSM")
    }
    share = sum(cost.values())
    left = {"SM pipes": _FASTER, "L1 data pipe": 0.5}
    gains = [facts.after(share * gone, left=left) for gone in (0.25, 0.5, 0.75)]
    if gains[1] < _VISIBLE:
        return None
    where = facts.places(cost)
    at = f"{facts.quote(where[0])}: " if where else ""
    busy = pipe_shares(facts).get("tensor")
    return Draft(
        id="compute.tensor_cores_legacy",
        title=f"matrix products use HMMA, not the device's own {_OWN[capability[0]]}",
        speedup=speedup(*gains),
        evidence=(
            evidence("sass__inst_executed_per_opcode", matrix, "inst", "HMMA or IMMA"),
            evidence(
                pipe_metric(facts, "tensor"),
                None if busy is None else 100 * busy,
                "%",
                "of the tensor pipe's cycles; HMMA cannot fill them as the own instructions do",
            ),
            evidence(
                "smsp__pcsamp_sample_count",
                100 * share,
                "%",
                "of the warps' time at matrix instructions and the loads to their registers",
            ),
        ),
        where=where,
        actions=(
            f"{at}use {_OWN[capability[0]]}: CUTLASS 3 or cuBLAS, tl.dot in Triton with tiles of "
            "at least 64 rows and 4 or 8 warps, or PTX with operands in swizzled shared memory",
        ),
        confidence=facts.confidence(0.0),
    )
