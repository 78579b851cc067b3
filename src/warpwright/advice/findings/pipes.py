"""compute.special_functions and compute.fp64: work on a slow pipe that a fast one could do."""

from __future__ import annotations

from warpwright.advice.draft import Draft, evidence, speedup
from warpwright.advice.facts import Facts
from warpwright.advice.pipes import (
    busy_without,
    issue_share,
    opcode_counts,
    pipe_metric,
    pipe_shares,
)

_XU_BUSY = 0.5  # below it something else than the pipe is waited for
_FP64_PART = 0.05  # of all instructions


def special_functions(facts: Facts) -> Draft | None:
    """The XU pipe (transcendentals, conversions) is the busiest of all.

    It takes a sixteenth of the lanes of the FMA pipe in a cycle. With its x instructions moved
    to the FMA pipe, one for one (an identity, a recurrence, a table), the slots for issuing are the
    next limit: T' = T * max(issue share, busiest other) / XU share is expected. low: halfway
    between 1 and that (a polynomial takes several instructions for one). high: they vanish, and
    so do their issue slots.
    """
    shares, counts, issue = pipe_shares(facts), opcode_counts(facts), issue_share(facts)
    busy = shares.get("XU", 0.0)
    others = busy_without(facts, "XU")
    if busy < _XU_BUSY or busy < others or issue is None:
        return None
    executed = sum(counts.values())
    special = counts.get("MUFU", 0.0)
    gone = 1 - special / executed if executed else 1.0
    expected = busy / max(issue, others)
    if expected < 1.05:
        return None
    where = facts.places(facts.stalls.by_pc("mio_throttle") if facts.stalls else {})
    at = f"{facts.quote(where[0])}: " if where else ""
    return Draft(
        id="compute.special_functions",
        title=f"the XU pipe is {busy:.0%} busy, the next one {others:.0%}",
        speedup=speedup((1 + expected) / 2, expected, busy / max(issue * gone, others)),
        evidence=(
            evidence(pipe_metric("XU"), 100 * busy, "%", "of the XU pipe's peak in use"),
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

    d double instructions and c conversions (F2F) of N executed. In float the double pipe is
    empty and the conversions are gone: T' = T * max(busiest other pipe but XU, issue share *
    (1 - c / N)) is expected. high: double instructions that make up a division or a root
    vanish as well, half of d. low: halfway between 1 and expected.
    """
    counts, issue = opcode_counts(facts), issue_share(facts)
    executed = sum(counts.values())
    double = sum(n for name, n in counts.items() if name in ("DFMA", "DMUL", "DADD", "DSETP"))
    if not executed or issue is None or double / executed < _FP64_PART:
        return None
    converted = counts.get("F2F", 0.0)
    others = busy_without(facts, "FP64", "XU")
    expected = 1 / max(others, issue * (1 - converted / executed), 0.02)
    most = 1 / max(others, issue * (1 - (converted + double / 2) / executed), 0.02)
    if expected < 1.05:
        return None
    busy = pipe_shares(facts).get("FP64")
    waits = facts.stalls.by_pc("math_pipe_throttle") if facts.stalls else {}
    where = facts.places(waits)
    at = f"{facts.quote(where[0])}: " if where else ""
    return Draft(
        id="compute.fp64",
        title=f"{double / executed:.0%} of the instructions are in double precision",
        speedup=speedup((1 + expected) / 2, expected, most),
        evidence=(
            evidence("sass__inst_executed_per_opcode", double, "inst", "double precision"),
            evidence("sass__inst_executed_per_opcode", converted, "inst", "conversions (F2F)"),
            evidence(
                pipe_metric("FP64"),
                None if busy is None else 100 * busy,
                "%",
                "of the double pipe's peak in use",
            ),
        ),
        where=where,
        actions=(
            f"{at}compute in float where the values are float: literals with an f (0.5f), sqrtf "
            "and expf instead of sqrt and exp, float accumulators (compensated if needed)",
        ),
        confidence="medium",
    )
