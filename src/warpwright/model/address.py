"""Addresses: REPORT, REPORT#L0, REPORT#L0/finding/memory.local, REPORT#L0/line/kda.cu:42 ..."""

from __future__ import annotations

import re
from dataclasses import dataclass

from warpwright.errors import BadInput

KINDS = ("section", "finding", "line", "metric")
_LAUNCH = re.compile(r"L(\d+)")


@dataclass(frozen=True, slots=True)
class Address:
    """A place in a report. `kind` and `name` are None for a report or a launch."""

    report: str
    launch: int | None = None
    kind: str | None = None
    name: str | None = None

    def __str__(self) -> str:
        if self.launch is None:
            return self.report
        tail = f"/{self.kind}/{self.name}" if self.kind else ""
        return f"{self.report}#L{self.launch}{tail}"


def parse_address(text: str) -> Address:
    """Read an address.

    Raises:
        BadInput: where the part behind `#` is no launch or names an unknown kind.
    """
    report, hash_, rest = text.rpartition("#") if "#" in text else (text, "", "")
    if not hash_:
        return Address(report=text)
    head, _, tail = rest.partition("/")
    launch = _LAUNCH.fullmatch(head)
    kind, _, name = tail.partition("/")
    if not report or launch is None or (tail and (kind not in KINDS or not name)):
        raise BadInput(
            f"'{text}' is not an address",
            hint="write REPORT, REPORT#L0 or REPORT#L0/finding/memory.local "
            f"(kinds: {', '.join(KINDS)})",
        )
    return Address(report, int(launch[1]), kind or None, name or None)
