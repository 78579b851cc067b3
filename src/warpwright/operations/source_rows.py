"""The rows of a source view: hot spots with names, addresses, shares and text."""

from __future__ import annotations

from collections.abc import Iterable

from warpwright.model.address import Address
from warpwright.model.report import Launch, SourceLine
from warpwright.model.source_view import (
    CodePlace,
    Cost,
    InstructionRow,
    LineRow,
    Ranking,
    StallLine,
    StallRow,
)
from warpwright.operations.source_text import SourceText
from warpwright.query.hotspots import InstructionCost, LineCost, StallReason, launch_cost, ranking
from warpwright.query.line_names import short_names, source_files
from warpwright.query.pc_counters import heat

_MOST_LINES = 4  # of one stall reason


class Rows:
    """Makes the rows of one launch. `total` is what all its instructions cost."""

    def __init__(self, report: str, launch: Launch, text: SourceText) -> None:
        self.ranked_by: Ranking | None = ranking(launch)
        self.total = launch_cost(launch)
        self._report = report
        self._launch = launch
        self._text = text
        self._names = short_names(source_files(launch))

    def place(self, line: SourceLine) -> CodePlace:
        """A line by its short name."""
        name = self._names.get(line.file, line.file)
        address = Address(self._report, self._launch.index, "line", f"{name}:{line.line}")
        return CodePlace(file=name, line=line.line, address=str(address))

    def lines(self, costs: Iterable[LineCost]) -> tuple[LineRow, ...]:
        """One row for each line."""
        return tuple(
            LineRow(
                place=self.place(cost.line),
                text=self._text(cost.line.file, cost.line.line),
                own_share=self._share(cost.own),
                inlined_share=self._share(cost.inlined),
                header_share=self._share(cost.header),
                own=cost.own,
                inlined=cost.inlined,
                header=cost.header,
            )
            for cost in costs
        )

    def instructions(
        self, ranked: tuple[InstructionCost, ...], shown: Iterable[InstructionCost]
    ) -> tuple[InstructionRow, ...]:
        """The `shown` of all `ranked` instructions, in program order."""
        ranks = {cost.offset: rank for rank, cost in enumerate(ranked, 1)}
        return tuple(
            InstructionRow(
                offset=cost.offset,
                sass=cost.instruction.text if cost.instruction else None,
                share=self._share(cost.cost),
                rank=ranks[cost.offset] if heat(cost.cost, self.ranked_by) else None,
                cost=cost.cost,
                place=self.place(cost.line) if cost.line else None,
                chain=tuple(map(self.place, cost.chain)),
            )
            for cost in sorted(shown, key=lambda cost: cost.offset)
        )

    def stalls(self, reasons: Iterable[StallReason]) -> tuple[StallRow, ...]:
        """One row for each reason; shares of the launch's samples, and of the reason's."""
        whole = self.total.samples or 0
        return tuple(
            StallRow(
                reason=reason.reason,
                samples=reason.samples,
                share=reason.samples / whole,
                not_issued=reason.not_issued,
                lines=tuple(
                    StallLine(
                        place=self.place(line), samples=samples, share=samples / reason.samples
                    )
                    for line, samples in reason.lines[:_MOST_LINES]
                ),
            )
            for reason in reasons
        )

    def _share(self, cost: Cost | None) -> float | None:
        whole = heat(self.total, self.ranked_by)
        return heat(cost, self.ranked_by) / whole if cost is not None and whole else None
