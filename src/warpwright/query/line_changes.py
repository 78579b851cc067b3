"""Source lines of two launches, compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from warpwright.model.difference import Move
from warpwright.model.report import Launch, SourceLine
from warpwright.model.source_view import Ranking
from warpwright.query.hotspots import LineCost, by_line, launch_cost, ranking
from warpwright.query.noise import Noise, counting
from warpwright.query.opcode_changes import move_of
from warpwright.query.pc_counters import heat
from warpwright.query.text_match import match_files, match_lines

_DURATION = "gpu__time_duration.sum"
Texts = Callable[[str], Sequence[str] | None]


@dataclass(frozen=True, slots=True)
class LineMove:
    """A line that changed; times are the part of the duration that samples give it.

    `size` ranks: the difference in time, in share of the samples, or in executed instructions.
    """

    move: Move
    before: LineCost | None
    after: LineCost | None
    before_ns: float | None
    after_ns: float | None
    size: float


class LineComparison:
    """The lines of two launches. `by` is what they are compared by: samples if both have them.

    Args:
        before: a launch.
        after: the other.
        texts: what gives the lines of a file of either, or None.
        noise: its percentage holds for the times of lines.
    """

    def __init__(
        self, before: Launch, after: Launch, texts: tuple[Texts, Texts], noise: Noise
    ) -> None:
        ways = {ranking(before), ranking(after)}
        self.by: Ranking | None = "samples" if ways == {"samples"} else "inst_executed"
        self._launches = before, after
        self._texts = texts
        self._noise = noise
        self._totals = launch_cost(before), launch_cost(after)
        if not all(heat(total, self.by) for total in self._totals):
            self.by = None
        self.unmatched_text: set[str] = set()

    def changes(self) -> list[LineMove] | None:
        """Lines that appeared, vanished or moved, the largest change first; None: not measured.

        A line moved if its time changed by more than chance gives so many samples and more than
        the noise, or, without samples, if it was executed more or less often.
        """
        own = [{c.line: c for c in by_line(launch) if c.own} for launch in self._launches]
        if self.by is None or not all(own):
            return None
        same = self._same_lines(set(own[0]), set(own[1]))
        pairs: list[tuple[LineCost | None, LineCost | None]] = [
            (cost, own[1].get(same[line]) if line in same else None)
            for line, cost in own[0].items()
        ]
        matched = {other.line for _, other in pairs if other}
        pairs += [(None, cost) for line, cost in own[1].items() if line not in matched]
        moves = [move for one, other in pairs if (move := self._compare(one, other))]
        return sorted(moves, key=lambda move: -move.size)

    def _same_lines(
        self, before: set[SourceLine], after: set[SourceLine]
    ) -> Mapping[SourceLine, SourceLine]:
        files = match_files({line.file for line in before}, {line.file for line in after})
        numbers = cache(self._numbers)
        same = {}
        for line in before:
            if line.file in files:
                other = files[line.file]
                number = numbers(line.file, other).get(line.line)
                if number is not None:
                    same[line] = SourceLine(other, number)
        return same

    def _numbers(self, before: str, after: str) -> Mapping[int, int]:
        one, other = self._texts[0](before), self._texts[1](after)
        if one is None or other is None:
            self.unmatched_text.add(after)
            last = max(line.line for line in self._launches[0].code.lines.values())
            return {number: number for number in range(1, last + 1)}
        return match_lines(one, other)

    def _compare(self, before: LineCost | None, after: LineCost | None) -> LineMove | None:
        heats = tuple(heat(side.own if side else None, self.by) for side in (before, after))
        sizes = heats[0] * self._scale(0), heats[1] * self._scale(1)
        if not any(heats) or (before and after and not self._moved(heats, sizes)):
            return None
        return LineMove(
            move_of(before is not None, after is not None),
            before,
            after,
            sizes[0] if before and self._timed else None,
            sizes[1] if after and self._timed else None,
            abs(sizes[1] - sizes[0]),
        )

    def _moved(self, heats: tuple[int, ...], sizes: tuple[float, float]) -> bool:
        if self.by != "samples":
            return heats[0] != heats[1]
        chance = counting(sum(sizes[side] * self._scale(side) for side in (0, 1)))
        relative = self._noise.relative_pct / 100 * max(sizes)
        return abs(sizes[1] - sizes[0]) > max(chance, relative)

    def _scale(self, side: int) -> float:
        """What a sample stands for: its part of the duration, else of all; an instruction: 1."""
        if self.by != "samples":
            return 1.0
        duration = self._launches[side].number(_DURATION) if self._timed else 1.0
        return (duration or 1.0) / heat(self._totals[side], self.by)

    @property
    def _timed(self) -> bool:
        return self.by == "samples" and all(one.number(_DURATION) for one in self._launches)
