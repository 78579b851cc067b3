"""The option that cuts lists."""

from __future__ import annotations

from typing import Any

import typer

_MOST = 1_000_000_000  # what every library below takes for a count


def limit_option(told: str) -> Any:
    """`N`, at least 1. `told` is its help."""
    return typer.Option(min=1, max=_MOST, metavar="N", help=told)
