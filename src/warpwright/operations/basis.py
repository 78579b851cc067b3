"""The model behind a finding's prediction, as its function states it."""

from __future__ import annotations

import inspect

from warpwright.advice.findings import FINDINGS


def basis_of(finding: str) -> str | None:
    """The docstring of the function that makes findings of this id, as one paragraph.

    It is the one whose code names the id. None where the interpreter dropped docstrings (-OO).
    """
    for find in FINDINGS:
        code = inspect.unwrap(find).__code__
        if finding in code.co_consts:
            text = inspect.getdoc(find)
            return " ".join(text.split()) if text else None
    return None
