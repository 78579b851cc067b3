"""Hot spots of a launch: by source line, by instruction, by stall reason. Hottest first."""

from __future__ import annotations

from dataclasses import dataclass

from warpwright.cubin.sass import Disassembly, Instruction
from warpwright.model.report import Launch, SourceLine
from warpwright.model.source_view import Cost, Ranking
from warpwright.query.pc_counters import PcCounters, heat


@dataclass(frozen=True, slots=True)
class LineCost:
    """What one source line costs.

    `own`: the instructions that it compiled to itself, with what headers of an `include` folder
    inlined into it (`Code.lines`); own costs of all lines add up to the launch. `inlined`: those of
    functions that were inlined at it, which are own to other lines. `header`: if it is a line of
    such a header, the instructions that came through it, which are own to the line that calls it.
    """

    line: SourceLine
    own: Cost | None = None
    inlined: Cost | None = None
    header: Cost | None = None


@dataclass(frozen=True, slots=True)
class InstructionCost:
    """What one instruction costs. `offset` is in bytes from the function's start.

    `line` is the one that it counts for, `chain` all it comes from, innermost first.
    `instruction` is None without a disassembly.
    """

    offset: int
    cost: Cost
    line: SourceLine | None
    chain: tuple[SourceLine, ...]
    instruction: Instruction | None


@dataclass(frozen=True, slots=True)
class StallReason:
    """Warp samples of one stall reason, and the lines that carry them, most first."""

    reason: str
    samples: int
    not_issued: int | None
    lines: tuple[tuple[SourceLine, int], ...]


def ranking(launch: Launch) -> Ranking | None:
    """What hot means: samples or, where there are none, executed instructions."""
    return PcCounters(launch).ranking


def launch_cost(launch: Launch) -> Cost:
    """What all instructions together cost."""
    counters = PcCounters(launch)
    return counters.cost(counters.offsets)


def by_line(launch: Launch) -> tuple[LineCost, ...]:
    """Every source line that instructions come from, or that they were inlined at."""
    counters = PcCounters(launch)
    own: dict[SourceLine, list[int]] = {}
    inlined: dict[SourceLine, list[int]] = {}
    header: dict[SourceLine, list[int]] = {}
    for offset, chain in launch.code.chains.items():
        line = launch.code.lines[offset]
        place = chain.index(line)
        own.setdefault(line, []).append(offset)
        for inner in set(chain[:place]) - {line}:
            header.setdefault(inner, []).append(offset)
        for outer in set(chain[place:]) - {line}:
            inlined.setdefault(outer, []).append(offset)
    parts = (own, inlined, header)
    costs = [
        LineCost(line, *(counters.cost(part[line]) if line in part else None for part in parts))
        for line in own | inlined | header
    ]
    by = counters.ranking
    return tuple(
        sorted(
            costs,
            key=lambda c: (-heat(c.own, by), -heat(c.inlined, by), c.line.file, c.line.line),
        )
    )


def by_instruction(launch: Launch, disassembly: Disassembly | None) -> tuple[InstructionCost, ...]:
    """Every instruction that the report or the disassembly knows; equally hot: program order."""
    counters = PcCounters(launch)
    code = disassembly.functions.get(launch.mangled, ()) if disassembly else ()
    texts = {instruction.offset: instruction for instruction in code}
    costs = [
        InstructionCost(
            offset,
            counters.cost((offset,)),
            launch.code.lines.get(offset),
            launch.code.chains.get(offset, ()),
            texts.get(offset),
        )
        for offset in sorted(counters.offsets | texts.keys())
    ]
    return tuple(sorted(costs, key=lambda cost: -heat(cost.cost, counters.ranking)))


def stall_reasons(launch: Launch) -> tuple[StallReason, ...]:
    """The reasons that warps were sampled with; none where sampling was not collected."""
    counters = PcCounters(launch)
    reasons = []
    for reason, per_pc in counters.stalls.items():
        samples = round(sum(per_pc.values()))
        if samples:
            stuck = counters.not_issued.get(reason)
            reasons.append(
                StallReason(
                    reason,
                    samples,
                    None if stuck is None else round(sum(stuck.values())),
                    _per_line(launch, per_pc),
                )
            )
    return tuple(sorted(reasons, key=lambda reason: -reason.samples))


def _per_line(launch: Launch, per_pc: dict[int, float]) -> tuple[tuple[SourceLine, int], ...]:
    sums: dict[SourceLine, float] = {}
    for offset, samples in per_pc.items():
        line = launch.code.lines.get(offset)
        if line is not None and samples:
            sums[line] = sums.get(line, 0.0) + samples
    ranked = sorted(sums.items(), key=lambda item: (-item[1], item[0].file, item[0].line))
    return tuple((line, round(samples)) for line, samples in ranked)
