"""What of a report is private, as text: kinds and counts, never the private text itself."""

from __future__ import annotations

from warpwright.model.redaction import PrivateCount, PrivateKind, Redaction
from warpwright.render.layout import deeper_lines, table, wrapped

_MEANINGS: dict[PrivateKind, str] = {
    "host": "names of the machine",
    "address": "its network addresses",
    "user": "names of users and hosts in paths, commands, comments",
    "path": "folders: of the program, the sources, the command line",
    "system": "its kernel's build",
    "environment": "environment variables",
    "comment": "comments typed into the report",
    "also": "texts given with --also",
    "other": "texts of a kind that this version does not know, or in 16-bit characters",
}


def redaction_text(redaction: Redaction) -> str:
    """What was found, what was done with it, and what is left."""
    lines = [redaction.report]
    if not redaction.found:
        lines.append("  no private facts found")
    else:
        masked = "private" if redaction.path is None else "masked"
        lines += table(_rows(masked, redaction.found), {0}, "  ")
    if redaction.path is not None:
        read_back = "read back, and sound" if redaction.clean else "read back: see below"
        lines += ["", *wrapped(f"written: {redaction.path} ({read_back})")]
    if redaction.left:
        lines += ["", "CAUTION: private texts that redaction does not take out:"]
        lines += table(_rows("places", redaction.left), {0}, "  ")
        lines += wrapped(
            "They stand in code, names or metrics. --also TEXT masks them in all but metrics.", "  "
        )
    lines += ["", *wrapped(f"note: {redaction.stays}")]
    if redaction.deeper:
        lines += deeper_lines(redaction.deeper)
    return "\n".join(lines) + "\n"


def _rows(heading: str, counts: tuple[PrivateCount, ...]) -> list[tuple[str, ...]]:
    rows = [(str(row.count), row.kind, _MEANINGS[row.kind]) for row in counts]
    return [(heading, "kind", "what"), *rows]
