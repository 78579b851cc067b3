"""What a process says, made fit for a terminal and for JSON: it may hold anything."""

from __future__ import annotations

import re

MOST_CHARACTERS = 300
_LOOKED_AT = 4096
_ESCAPE = re.compile(r"\x1b(?:\][^\x07\x1b]*(?:\x07|\x1b\\)?|\[[0-?]*[ -/]*[@-~]?|.)?", re.DOTALL)


def one_line(told: object, limit: int = MOST_CHARACTERS) -> str:
    """At most `limit` printable characters in one line: no escape sequence, no lone surrogate."""
    text = _ESCAPE.sub(" ", str(told)[:_LOOKED_AT])
    printable = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(printable.split())[:limit]
