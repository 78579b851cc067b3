"""A candidate: one implementation of a task."""

from __future__ import annotations

from typing import Literal

from warpwright.model.base import Model

Language = Literal["cuda", "cpp", "triton", "python"]


class Candidate(Model):
    """One source file. `sha256` is that of its bytes."""

    name: str
    path: str
    language: Language
    sha256: str
