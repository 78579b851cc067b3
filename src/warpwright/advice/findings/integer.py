"""compute.integer_math: divisions and remainders of integers, which are programs of their own."""

from __future__ import annotations

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
_KEPT = 0.15  # of it: a multiplication by the reciprocal, high half, and a shift instead
_VISIBLE = 1.05


def integer_math(facts: Facts) -> Draft | None:
    """Integer division and remainder take the issue slots.

    There is no such instruction: the compiler writes a reciprocal in float (I2F, MUFU, F2I) and
    corrects it, about twenty instructions for 32 bits, a subroutine of a hundred for 64. The
    machine code tells which they are; the warps' time at them, but for waiting for memory, is the
    cost c. A multiplication by a prepared reciprocal takes a seventh: T' = T * (1 - c + 0.15 c).
    low: half of it is needed; high: all of it vanishes (shifts, one more loop variable). Their part
    of the issue slots and pipes vanishes alike.
    """
    machine, executed = facts.machine, facts.executed
    if machine is None:
        return None
    cost = {pc: facts.spent.get(pc, 0.0) for pc in division(machine)}
    share = sum(cost.values())
    if not share:
        return None
    part = sum(executed.get(pc, 0.0) for pc in cost) / sum(executed.values())
    gains = [
        facts.after(
            share * gone, left={"SM pipes": pipes_left(facts, part * gone, _left(gone, part))}
        )
        for gone in (0.5, 1 - _KEPT, 1.0)
    ]
    if gains[1] < _VISIBLE:
        return None
    where = facts.places(cost)
    at = f"{facts.quote(where[0])}: " if where else ""
    return Draft(
        id="compute.integer_math",
        title=f"integer divisions and remainders take {share:.0%} of the "
        + ("warps' time" if facts.sampled else "instructions"),
        speedup=speedup(*gains),
        evidence=(
            evidence("inst_executed", 100 * part, "%", "of all instructions are theirs"),
            evidence("smsp__pcsamp_sample_count", 100 * share, "%", "of the warps' time there"),
        )
        if facts.sampled
        else (
            evidence("machine code", 100 * part, "%", "are theirs, if each loop turns ten times"),
        ),
        where=where,
        actions=(
            f"{at}divide by what is constant at compile time (a template parameter), by powers "
            "of two with shifts and masks, or by a reciprocal prepared on the host (multiply, take "
            "the high half, shift); count up instead of dividing; 32 bits where they are enough",
        ),
        confidence=facts.confidence(share),
    )


def _left(gone: float, part: float) -> dict[str, float]:
    """Of the pipes: conversions and reciprocals are theirs, integers in proportion."""
    return {"XU": gone} | dict.fromkeys(("ALU", "FMA", "FMA heavy"), part * gone)


def division(machine: Machine) -> set[int]:
    """Offsets of the instructions that integer divisions consist of."""
    found: set[int] = set()
    for index, one in enumerate(machine.code):
        if one.name in _TO_INTEGER and _from_reciprocal(machine, index):
            found |= _around(machine, index)
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
