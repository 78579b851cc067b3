"""The model behind a finding's prediction, as its function states it."""

from __future__ import annotations

import inspect

from warpwright.advice.findings import FINDINGS


def basis_of(finding: str) -> str | None:
    """The docstring of the function that makes findings of this id, as one paragraph.

    None for an id of another version, and where the interpreter dropped docstrings (-OO).
    """
    find = FINDINGS.get(finding)
    text = inspect.getdoc(find) if find is not None else None
    return " ".join(text.split()) if text else None
