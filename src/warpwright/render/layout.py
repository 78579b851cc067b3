"""Columns, paragraphs and next steps for an 80-column terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterable, Sequence

from warpwright.model.deeper import Deeper

WIDTH = 80
CUT = "... more of it: --limit N"


def table(
    rows: Sequence[Sequence[str]], right: Collection[int] = (), indent: str = ""
) -> list[str]:
    """Rows in columns, two blanks apart; the columns numbered in `right` end flush.

    The first row is the heading. A column that is empty but for its heading is left out.
    """
    kept = [
        column
        for column in range(len(rows[0]))
        if any(row[column] for row in rows[1:]) or not rows[0][column]
    ]
    widths = {column: max(len(row[column]) for row in rows) for column in kept}
    return [
        (
            indent
            + "  ".join(
                row[column].rjust(widths[column])
                if column in right
                else row[column].ljust(widths[column])
                for column in kept
            )
        ).rstrip()
        for row in rows
    ]


def wrapped(text: str, indent: str = "", hang: int = 0) -> list[str]:
    """A paragraph of lines of at most 80 columns; what follows the first hangs further in."""
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + " " * hang,
        break_long_words=False,
        break_on_hyphens=False,
    )


def shortened(text: str, most: int) -> str:
    """The text, cut to `most` characters with an ellipsis."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def deeper_lines(steps: Iterable[Deeper]) -> list[str]:
    """What lies one step deeper: commands that a shell takes with their comment."""
    lines = ["", "next:"]
    for step in steps:
        whole = f"  {step.command}  # {step.what}"
        lines += [whole] if len(whole) <= WIDTH else [f"  # {step.what}:", f"  {step.command}"]
    return lines
