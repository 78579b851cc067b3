"""compute.special_functions and compute.fp64: work on a slow pipe that a fast one could do."""

from __future__ import annotations

from warpwright.advice.draft import Draft, evidence, speedup
from warpwright.advice.facts import Facts
from warpwright.advice.pipes import opcode_counts, pipe_metric, pipe_shares, pipes_left
from warpwright.model.digest import Evidence

_XU_BUSY = 0.5  # below it something else than the pipe is waited for
_FP64_PART = 0.05  # of all instructions
_DOUBLE = ("DFMA", "DMUL", "DADD", "DSETP")
_DOUBLE_CODE = frozenset((*_DOUBLE, "F2F.64", "I2F.64", "F2I.64"))
_FULL_RATE = {(6, 0), (7, 0), (8, 0), (9, 0), (10, 0)}  # float : double is 2 : 1 there
_VISIBLE = 1.05


def special_functions(facts: Facts) -> Draft | None:
    """The XU pipe (transcendentals, conversions) is the busiest of all.

    It takes a sixteenth of the lanes of the FMA pipe in a cycle. Warps that wait for it do so at
    the queue (MIO throttle) or for its results (short scoreboard); with fewer transcendentals that
    and the pipe's own time vanish. expected: all (a recurrence, a table, an identity), and their
    issue slots; high: the instruction before each (the scaling of its argument) as well; low: half
    of it all (a polynomial takes several instructions on the FMA pipe for one).
    """
    shares, counts = pipe_shares(facts), opcode_counts(facts)
    stalls = facts.stalls
    busy = shares.get("XU", 0.0)
    others = max((share for name, share in shares.items() if name != "XU"), default=0.0)
    if busy < _XU_BUSY or busy < others:
        return None
    special = counts.get("MUFU", 0.0)
    part = special / (sum(counts.values()) or 1.0)
    waits = busy
    if stalls is not None:
        waits = stalls.share("mio_throttle") + stalls.share("short_scoreboard") + part

    def gain(gone: float, instructions: float) -> float:
        fewer = {"XU": gone, "FMA": instructions, "FMA heavy": instructions}
        left = {"SM pipes": pipes_left(facts, instructions, fewer)}
        return facts.after(min(1.0, waits / busy) * gone, left=left)

    expected = gain(1.0, part)
    if expected < _VISIBLE:
        return None
    where = facts.places(stalls.by_pc("mio_throttle") if stalls is not None else {})
    at = f"{facts.quote(where[0])}: " if where else ""
    return Draft(
        id="compute.special_functions",
        title=f"the XU pipe is {busy:.0%} busy, the next one {others:.0%}",
        speedup=speedup(gain(0.5, 0.0), expected, gain(1.0, 2 * part)),
        evidence=(
            evidence(pipe_metric(facts, "XU"), 100 * busy, "%", "of the XU pipe's peak in use"),
            evidence("sass__inst_executed_per_opcode", special, "inst", "MUFU instructions"),
        ),
        where=where,
        actions=(
            f"{at}compute fewer transcendentals: recurrences (sin and cos of a sum), tables, "
            "exp2 of a sum instead of a product of exponentials; or a polynomial on the FMA pipe "
            "for a part of them",
        ),
        confidence="high" if busy > 0.8 else "medium",
    )


def fp64(facts: Facts) -> Draft | None:
    """Double precision takes the time, beside conversions from and to float.

    c is the warps' time at source lines whose instructions are mostly double (by the machine code;
    without lines: at those instructions): roots, divisions and series in double are programs of
    their own, with branches, constants in two halves and conversions. In float the same
    expression takes half the registers and memory, half the pipe's time (a 32nd or 64th on consumer
    devices), half the latency, and half the instructions or less.
    expected: an eighth of c stays; low: half; high: none. The double pipe is empty then.
    """
    counts = opcode_counts(facts)
    executed = sum(counts.values())
    double = sum(counts.get(name, 0.0) for name in _DOUBLE)
    busy = pipe_shares(facts).get("FP64", 0.0)
    part_of_all = double / executed if executed else busy
    if part_of_all < _FP64_PART:
        return None
    converted = counts.get("F2F", 0.0)
    cost: dict[int, float] = {}
    share = busy
    if facts.code.sampled and facts.code.machine is not None:
        cost = {pc: facts.code.spent.get(pc, 0.0) for pc in _double_code(facts)}
        share = sum(cost.values())
    full = facts.launch.compute_capability in _FULL_RATE
    kept = (0.5, 0.125, 0.0) if full else (0.25, 0.0625, 0.0)
    part = (double + converted) / executed if executed else 0.0

    def gain(stays: float) -> float:
        vanish = {"FP64": 1.0, "XU": 1 - stays}
        left = {"SM pipes": pipes_left(facts, part * (1 - stays), vanish)}
        return facts.after(share * (1 - stays), left=left)

    gains = [gain(stays) for stays in kept]
    if gains[1] < _VISIBLE:
        return None
    where = facts.places(cost)
    at = f"{facts.quote(where[0])}: " if where else ""
    title = f"{part_of_all:.0%} of the instructions are in double precision"
    return Draft(
        id="compute.fp64",
        title=title if executed else f"the double precision pipe is {busy:.0%} busy",
        speedup=speedup(*gains),
        evidence=(
            *_double_facts(double, converted, share if cost else None),
            evidence(
                pipe_metric(facts, "FP64"), 100 * busy, "%", "of the double pipe's peak in use"
            ),
        ),
        where=where,
        actions=(
            f"{at}compute in float where the values are float: literals with an f (0.5f), sqrtf "
            "and expf instead of sqrt and exp, float accumulators (compensated if needed)",
        ),
        confidence=facts.code.confidence(share),
    )


def _double_facts(double: float, converted: float, share: float | None) -> tuple[Evidence, ...]:
    rows = []
    if double:
        counted = "sass__inst_executed_per_opcode"
        rows.append(evidence(counted, double, "inst", "double precision"))
        rows.append(evidence(counted, converted, "inst", "conversions (F2F)"))
    if share is not None:
        text = "of the warps' time at lines of double precision"
        rows.append(evidence("smsp__pcsamp_sample_count", 100 * share, "%", text))
    return tuple(rows)


def _double_code(facts: Facts) -> set[int]:
    """Offsets of double instructions, and of all others of lines that are mostly theirs."""
    machine = facts.code.machine
    assert machine is not None
    lines = facts.launch.code.lines
    executed = facts.launch.per_pc("inst_executed")
    double: dict[object, float] = {}
    total: dict[object, float] = {}
    for one in machine.code:
        key = lines.get(one.offset) or one.offset
        count = executed.get(one.offset, 0.0)
        total[key] = total.get(key, 0.0) + count
        if one.name in _DOUBLE_CODE:
            double[key] = double.get(key, 0.0) + count
    return {
        one.offset
        for one in machine.code
        if one.name in _DOUBLE_CODE
        or double.get(key := lines.get(one.offset) or one.offset, 0.0) > total[key] / 2
    }
