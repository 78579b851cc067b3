"""Hot spots of one launch by source line and by instruction (schema warpwright.source/1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from warpwright.model.base import Model
from warpwright.model.deeper import Deeper

Grouping = Literal["line", "sass", "stall", "around"]
Ranking = Literal["samples", "inst_executed"]


@dataclass(frozen=True, slots=True)
class Cost:
    """What some instructions cost, as far as the report measured it; None: not measured.

    `samples` are warps seen at them, `stalls` the same by reason (most first, `selected` is a warp
    that issued), `not_issued` those of moments in which the scheduler issued nothing.
    `inst_executed` counts warps, `thread_inst_executed` lanes, `active_lanes` is their ratio and
    `predicated_on_lanes` the same of lanes that were not predicated off. Sectors are of 32 bytes.
    What is of one kind of memory is None where none of the instructions is of that kind.
    """

    samples: int | None = None
    stalls: Mapping[str, int] | None = None
    not_issued: Mapping[str, int] | None = None
    inst_executed: int | None = None
    thread_inst_executed: int | None = None
    active_lanes: float | None = None
    predicated_on_lanes: float | None = None
    l2_global_sectors: int | None = None
    l2_global_sectors_ideal: int | None = None
    shared_wavefronts: int | None = None
    shared_wavefronts_ideal: int | None = None
    local_inst_executed: int | None = None
    l2_local_sectors: int | None = None


class CodePlace(Model):
    """A place in the source, by the shortest name that tells its file from the others."""

    file: str
    line: int
    address: str


class LineRow(Model):
    """One source line. Shares (0..1) are of what `ranked_by` says, over the whole launch."""

    place: CodePlace
    text: str | None = Field(description="The source line, if it is known.")
    own_share: float | None
    inlined_share: float | None
    header_share: float | None
    own: Cost | None = Field(
        description="What the line itself compiled to, with what headers of an include folder "
        "inlined into it. Own costs of all lines add up."
    )
    inlined: Cost | None = Field(description="Functions inlined at the line: own to other lines.")
    header: Cost | None = Field(
        description="If it is a line of an include folder: what came through it, which is own "
        "to the line that calls it."
    )


class InstructionRow(Model):
    """One machine instruction, in program order."""

    offset: int = Field(description="Bytes from the function's start.")
    sass: str | None = Field(description="None: there is no disassembler.")
    share: float | None
    rank: int | None = Field(description="1 is the hottest of the launch; None: it cost nothing.")
    cost: Cost
    place: CodePlace | None = Field(description="The line that it counts for.")
    chain: tuple[CodePlace, ...] = Field(
        description="Every line that it comes from: innermost first, then what inlined it."
    )


class StallLine(Model):
    """The part (0..1) of a reason's samples at one line."""

    place: CodePlace
    samples: int
    share: float


class StallRow(Model):
    """One reason for which warps were not issued, and the lines where they waited most."""

    reason: str
    samples: int
    share: float
    not_issued: int | None
    lines: tuple[StallLine, ...]


class SourceView(Model):
    """The answer of `ncu source`: the rows of what was asked for; the other tuples are empty."""

    schema_name: Literal["warpwright.source/1"] = Field(
        default="warpwright.source/1", alias="schema"
    )
    launch: str = Field(description="The launch's address.")
    kernel: str
    by: Grouping
    around: CodePlace | None = None
    ranked_by: Ranking | None = Field(description="None: neither was collected.")
    samples: int | None = Field(description="Of the whole launch.")
    inst_executed: int | None = Field(description="Of the whole launch, by warps.")
    disassembler: str | None = None
    lines: tuple[LineRow, ...] = ()
    call_sites: tuple[LineRow, ...] = Field(
        default=(), description="Lines at which the most was inlined."
    )
    instructions: tuple[InstructionRow, ...] = ()
    stalls: tuple[StallRow, ...] = ()
    left_out: int = Field(default=0, description="Rows that --limit left out.")
    notes: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()
    deeper: tuple[Deeper, ...] = ()
