"""How a command prints: one JSON document or human text on stdout, all else on stderr."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:  # pydantic costs start-up time that text of a plain dataclass need not pay
    from collections.abc import Callable

D = TypeVar("D")


def emit(document: D, as_json: bool, text: Callable[[D], str]) -> None:
    """Print a model or dataclass as JSON (`--json`) or as the text that `text` makes of it."""
    out = json_text(document) if as_json else text(document)
    sys.stdout.write(out if out.endswith("\n") else out + "\n")
    sys.stdout.flush()


def json_text(document: object) -> str:
    """The JSON document, in the form that its schema tells."""
    from pydantic import TypeAdapter

    return TypeAdapter(type(document)).dump_json(document, indent=2, by_alias=True).decode()
