"""compute.integer_math: divisions and remainders of integers, which are programs of their own."""

from __future__ import annotations

from collections.abc import Mapping, Set

from warpwright.advice.draft import Draft, evidence, speedup
from warpwright.advice.facts import Facts
from warpwright.advice.machine import LOADED, Machine
from warpwright.advice.pipes import pipes_left
from warpwright.cubin.decode import Decoded

_TO_FLOAT = frozenset(("I2F", "I2F.64", "I2FP"))
_TO_INTEGER = frozenset(("F2I", "F2I.64"))
_NEAR = frozenset(("VIADD", "IADD3", "FMUL", "FFMA", "MOV", "IMAD", "SEL"))
_INTEGER = _NEAR | frozenset(
    ("IMAD.HI", "IMAD.WIDE", "ISETP", "LOP3", "IABS", "PRMT", "SHF", "I2F.64")
)
_AFTER = 24  # instructions behind the conversion that finish a 32-bit division
_KEPT = 0.1  # of it: a multiplication by the reciprocal, high half, and a shift instead
_VISIBLE = 1.05


def integer_math(facts: Facts) -> Draft | None:
    """Integer division and remainder take the issue slots.

    There is no such instruction: the compiler writes a reciprocal in float (I2F, MUFU, F2I) and
    corrects it, about twenty instructions for 32 bits, a subroutine of a hundred for 64. The
    machine code tells which they are; the warps' time at them, but for waiting for memory, is the
    cost c. A multiplication by a prepared reciprocal takes a tenth: T' = T * (1 - c + c / 10).
    low: half of it is needed; high: all of it vanishes (shifts, one more loop variable). Their part
    of the issue slots and pipes vanishes alike.
    """
    machine, executed = facts.code.machine, facts.code.executed
    if machine is None:
        return None
    cost = {pc: facts.code.spent.get(pc, 0.0) for pc in division(machine)}
    share = sum(cost.values())
    if not share:
        return None
    part = sum(executed.get(pc, 0.0) for pc in cost) / sum(executed.values())
    parts = _left(machine, executed, cost.keys())

    def gain(gone: float) -> float:
        pipes = pipes_left(facts, part * gone, {pipe: one * gone for pipe, one in parts.items()})
        return facts.after(share * gone, left={"SM pipes": pipes})

    gains = [gain(gone) for gone in (0.5, 1 - _KEPT, 1.0)]
    if gains[1] < _VISIBLE:
        return None
    where = facts.places(cost)
    at = f"{facts.quote(where[0])}: " if where else ""
    return Draft(
        id="compute.integer_math",
        title=f"integer divisions and remainders take {share:.0%} of the "
        + ("warps' time" if facts.code.sampled else "instructions"),
        speedup=speedup(*gains),
        evidence=(
            evidence("inst_executed", 100 * part, "%", "of all instructions are theirs"),
            evidence("smsp__pcsamp_sample_count", 100 * share, "%", "of the warps' time there"),
        )
        if facts.code.sampled
        else (
            evidence("machine code", 100 * part, "%", "are theirs, if each loop turns ten times"),
        ),
        where=where,
        actions=(
            f"{at}divide by what is constant at compile time (a template parameter), by powers "
            "of two with shifts and masks, or by a reciprocal prepared on the host (multiply, take "
            "the high half, shift); count up instead of dividing; 32 bits where they are enough",
        ),
        confidence=facts.code.confidence(share),
    )


def _left(machine: Machine, executed: Mapping[int, float], spent: Set[int]) -> dict[str, float]:
    """Of each pipe's work, the part (0..1) that divisions are, by kinds of instructions."""
    total: dict[str, float] = {}
    theirs: dict[str, float] = {}
    for one in machine.code:
        count = executed.get(one.offset, 0.0)
        pipe = "FMA" if one.name.startswith(("IMAD", "FFMA", "FMUL", "FADD")) else "ALU"
        total[pipe] = total.get(pipe, 0.0) + count
        if one.offset in spent:
            theirs[pipe] = theirs.get(pipe, 0.0) + count
    parts = {pipe: theirs.get(pipe, 0.0) / count for pipe, count in total.items() if count}
    return {"XU": 1.0, "FMA heavy": parts.get("FMA", 0.0)} | parts


def division(machine: Machine) -> set[int]:
    """Offsets of the instructions that integer divisions consist of."""
    found: set[int] = set()
    for index, one in enumerate(machine.code):
        if one.name in _TO_INTEGER and _from_reciprocal(machine, index):
            found |= _around(machine, index)
    return found | _subroutines(machine, found)


def _subroutines(machine: Machine, inside: set[int]) -> set[int]:
    """Offsets of whole subroutines that hold a division, and of the calls to them."""
    found: set[int] = set()
    for one in machine.code:
        first = machine.at.get(one.target) if one.name == "CALL" and one.target else None
        if first is None:
            continue
        body = []
        for other in machine.code[first:]:
            body.append(other.offset)
            if other.name == "RET":
                break
        if inside & set(body):
            found |= {one.offset, *body}
    return found


def _from_reciprocal(machine: Machine, index: int) -> bool:
    reads = machine.code[index].reads
    for end in machine.origins(index, reads, lambda one: one.name in _NEAR):
        if end.name != "MUFU":
            continue
        behind = machine.origins(machine.at[end.offset], end.reads, lambda one: one.name in _NEAR)
        if any(one.name in _TO_FLOAT for one in behind):
            return True
    return False


def _around(machine: Machine, index: int) -> set[int]:
    """What leads from the conversion to float to `index`, and the integer work that uses it."""
    found: set[int] = {machine.code[index].offset}

    def passes(one: Decoded) -> bool:
        inside = one.name in _NEAR or one.name == "MUFU"
        if inside or one.name in _TO_FLOAT:
            found.add(one.offset)
        return inside

    machine.origins(index, machine.code[index].reads, passes)
    made = set(machine.code[index].writes)
    double = machine.code[index].name == "F2I.64"
    for one in machine.code[index + 1 : index + 1 + _AFTER * (4 if double else 1)]:
        if one.name in LOADED or one.name in ("CALL", "RET", "EXIT"):
            break
        if one.name in _INTEGER and made & set(one.reads):
            found.add(one.offset)
            made |= set(one.writes)
    return found
