"""What lies one step deeper than a document."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Deeper:
    """A command that goes on from here."""

    what: str
    command: str
