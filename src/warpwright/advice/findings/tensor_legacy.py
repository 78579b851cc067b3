"""compute.tensor_cores_legacy: the matrix instructions of a warp where a warp group has its own."""

from __future__ import annotations

from warpwright.advice.draft import Draft, evidence, speedup
from warpwright.advice.facts import Facts
from warpwright.advice.pipes import opcode_counts, pipe_metric, pipe_shares

_MATRIX = ("HMMA", "IMMA")
_GROUP = ("HGMMA", "IGMMA", "QGMMA", "UTCHMMA", "UTCIMMA", "UTCQMMA")
_OWN = {9: "wgmma (HGMMA)", 10: "tcgen05 (UTCHMMA)"}  # by compute capability's first number
_FASTER = 0.62  # of the device's own rate is what mma.sync reaches on 9.0 (public benchmarks)
_VISIBLE = 1.05


def tensor_cores_legacy(facts: Facts) -> Draft | None:
    """Matrix instructions of a warp (HMMA) on a device that has those of a warp group.

    HGMMA and its successors read operands from shared memory by themselves: the loads to registers
    (LDSM, LDS) and the waiting for them and between matrix instructions vanish. c is the warps'
    time at HMMA and at those loads; of it a half vanishes (expected), a quarter (low) or three
    quarters (high). The tensor pipe keeps 0.62 of its time, for that part of its rate is all HMMA
    reaches; the data pipe keeps half.
    """
    capability = facts.launch.compute_capability
    machine, counts = facts.code.machine, opcode_counts(facts)
    matrix = sum(counts.get(name, 0.0) for name in _MATRIX)
    if capability is None or capability[0] not in _OWN or machine is None:
        return None
    if not matrix or any(counts.get(name) for name in _GROUP):
        return None
    cost = {
        one.offset: facts.code.spent.get(one.offset, 0.0)
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
        confidence=facts.code.confidence(0.0),
    )
