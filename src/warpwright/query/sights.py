"""Sights: what may be seen in a launch of a cause that was removed (`sight_table` lists them).

A sight is a number of one launch and the way it must move. `decisive` ones decide whether a change
took effect: any of them will do. The others only help to judge.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from warpwright.model.difference import Toward
from warpwright.query.machine_facts import Counts, MachineFacts, access_bytes, opcode_sum

Reading = Callable[[MachineFacts], float | None]
OpcodeReading = Callable[[Counts], float | None]

_SAMPLES = "smsp__pcsamp_sample_count"
_REASON = "smsp__pcsamp_warps_issue_stalled_"
_OPCODES = "sass__inst_executed_per_opcode"
_ELAPSED = "pct_of_peak_sustained_elapsed"


@dataclass(frozen=True)
class Sight:
    """One number and where it must go.

    `metric` is what it is read from, `section` collects that. A sight has either `opcodes` (a
    reading of opcode counts; `modifiers`: these must have their modifiers) or `read`.
    """

    what: str
    toward: Toward
    metric: str
    section: str
    unit: str | None = None
    read: Reading | None = None
    opcodes: OpcodeReading | None = None
    modifiers: bool = False
    decisive: bool = True


@dataclass(frozen=True)
class Sights:
    """All that is looked for of one finding; `blind` says why nothing can be seen in a launch."""

    rows: tuple[Sight, ...] = field(default=())
    blind: str | None = None


def executed(what: str, opcodes: str, toward: Toward, decisive: bool = True) -> Sight:
    """How often opcodes of this pattern ran."""
    return Sight(
        what,
        toward,
        _OPCODES,
        "InstructionStats",
        "inst",
        opcodes=lambda counts: opcode_sum(counts, opcodes),
        decisive=decisive,
    )


def metric(
    what: str, name: str, unit: str | None, toward: Toward, section: str, decisive: bool = True
) -> Sight:
    """The value of a metric."""
    return Sight(
        what,
        toward,
        name,
        section,
        unit,
        read=lambda facts: facts.launch.number(name),
        decisive=decisive,
    )


def excess(what: str, name: str, unit: str) -> Sight:
    """What a source metric counts above its ideal, over all instructions."""

    def read(facts: MachineFacts) -> float | None:
        moved, ideal = (facts.launch.per_pc(one) for one in (name, f"{name}_ideal"))
        if not moved or not ideal:
            return None
        return sum(count - ideal.get(pc, count) for pc, count in moved.items())

    return Sight(what, "gone", name, "SourceCounters", unit, read=read)


def waiting(what: str, reasons: Sequence[str], decisive: bool = False) -> Sight:
    """The share of the warps' time (by samples) that is stalled for one of these reasons."""

    def read(facts: MachineFacts) -> float | None:
        total = facts.launch.number(_SAMPLES)
        counts = [facts.launch.number(_REASON + reason) for reason in reasons]
        known = [count for count in counts if count is not None]
        return 100 * sum(known) / total if total and known else None

    name = _REASON + reasons[0]
    return Sight(what, "fewer", name, "SourceCounters", "%", read=read, decisive=decisive)


def waits_per_issue(what: str, reason: str) -> Sight:
    """Samples stalled for a reason over samples of warps that issued: cycles per instruction."""

    def read(facts: MachineFacts) -> float | None:
        issued = facts.launch.number(_REASON + "selected")
        count = facts.launch.number(_REASON + reason)
        return count / issued if issued and count is not None else None

    return Sight(what, "fewer", _REASON + reason, "SourceCounters", "cycle", read=read)


def access_width() -> Sight:
    """How wide accesses to global memory are."""
    return Sight(
        "bytes a lane moves at a time (by opcode)",
        "more",
        f"{_OPCODES}_with_modifier_all",
        "InstructionStats",
        "byte",
        opcodes=access_bytes,
        modifiers=True,
    )


def atomic_lanes() -> Sight:
    """Lanes, not warps: sums within a warp leave one lane."""
    return Sight(
        "lanes of global atomics (ATOM, RED)",
        "fewer",
        "sass__thread_inst_executed_true_per_opcode",
        "InstructionStats",
        "thread",
        read=lambda facts: facts.lanes("ATOMG?|REDG?"),
    )


def constant_replays() -> Sight:
    """How long the constant cache of an SM was busy."""
    name = f"idc__request_cycles_active.avg.{_ELAPSED}"

    def read(facts: MachineFacts) -> float | None:
        busy = facts.launch.number(name)
        cycles = facts.launch.number("sm__cycles_elapsed.avg") or facts.launch.number(
            "sm__cycles_elapsed.max"
        )
        return busy / 100 * cycles if busy is not None and cycles else None

    return Sight(
        "cycles of an SM's constant cache",
        "fewer",
        name,
        "MemoryWorkloadAnalysis_Tables",
        "cycle",
        read=read,
    )


def executed_code() -> Sight:
    """Bytes of the instructions that ran at all; one takes 16."""

    def read(facts: MachineFacts) -> float | None:
        times = facts.launch.per_pc("inst_executed")
        return 16.0 * sum(1 for count in times.values() if count) if times else None

    return Sight(
        "machine code that ran", "fewer", "inst_executed", "SourceCounters", "byte", read=read
    )


def imbalance() -> Sight:
    """The longest SM beside the mean one."""

    def read(facts: MachineFacts) -> float | None:
        mean, most = (facts.launch.number(f"sm__cycles_active.{r}") for r in ("avg", "max"))
        return most / mean if mean and most is not None else None

    what = "cycles of the longest SM, of the mean"
    return Sight(what, "fewer", "sm__cycles_active.max", "WorkloadDistribution", "x", read=read)
