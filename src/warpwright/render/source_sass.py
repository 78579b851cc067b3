"""Instructions as text: in program order, or those of one line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from warpwright.model.source_view import CodePlace, InstructionRow
from warpwright.render.layout import WIDTH, wrapped
from warpwright.render.source_words import cut, place_text, share_text, stall_text

_SASS_WIDTH = 33
_ANNOTATION = re.compile(r'\s*\(\*"(\w+)"\*\)')  # nvdisasm's, as (*"SpillRefill"*)


def program_lines(rows: Sequence[InstructionRow]) -> Iterator[str]:
    """Instructions in program order, below the line that they count for."""
    step = min((b.offset - a.offset for a, b in pairwise(rows)), default=0)
    place: CodePlace | None = None
    before: InstructionRow | None = None
    for row in rows:
        gap = before is not None and row.offset - before.offset > step
        if gap:
            yield "         ..."
        if row.place is not None and (gap or row.place != place):
            yield f"{'':18}{place_text(row.place)}"
        place, before = row.place, row
        yield _instruction(row, f"{row.rank or '-':>7}")


def line_instructions(rows: Sequence[InstructionRow]) -> Iterator[str]:
    """The instructions of one line, below what they were inlined through."""
    yield from ("", "  its instructions (a < b: a was inlined at b)", "   rank  offset   share")
    through = ""
    for row in rows:
        chain = _chain(row.chain)
        if chain != through:
            yield from wrapped(chain, " " * 18, hang=2)
        through = chain
        yield _instruction(row, f"{row.rank or '-':>7}")


def _chain(chain: Sequence[CodePlace]) -> str:
    """`util.cuh:7 < kda.cu:42 < 99`: a file is named where it changes."""
    words = []
    file = ""
    for place in chain:
        words.append(str(place.line) if place.file == file else place_text(place))
        file = place.file
    return " < ".join(words)


def _instruction(row: InstructionRow, lead: str) -> str:
    sass = _ANNOTATION.sub(r"; \1", row.sass or "(no SASS text)")
    head = f"{lead}  {row.offset:#06x} {share_text(row.share)}  "
    stall = stall_text(row.cost, 1)
    room = WIDTH - len(head) - (len(stall) + 2 if stall else 0)
    return (head + f"{cut(sass, room):{min(_SASS_WIDTH, room)}}  {stall}").rstrip()
