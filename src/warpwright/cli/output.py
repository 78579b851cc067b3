"""How a command prints: one JSON document or human text on stdout, all else on stderr."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:  # models cost start-up time that `--help` need not pay
    from collections.abc import Callable

    from warpwright.model.base import Model

M = TypeVar("M", bound="Model")


def emit(document: M, as_json: bool, text: Callable[[M], str]) -> None:
    """Print a model as JSON (`--json`) or as the text that `text` makes of it."""
    out = document.model_dump_json(indent=2) if as_json else text(document)
    sys.stdout.write(out if out.endswith("\n") else out + "\n")
    sys.stdout.flush()
