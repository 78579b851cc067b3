"""Open what an address names: the report, and the launches of it that are meant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from warpwright.errors import BadInput
from warpwright.model.address import Address
from warpwright.model.report import Launch, Report
from warpwright.operations.locate import locate_report
from warpwright.operations.place import place_of
from warpwright.report.reader import read_report


@dataclass(frozen=True, slots=True)
class Opened:
    """A report that was read, and the place in it that was asked for."""

    report: Report
    place: Address

    @property
    def launches(self) -> Iterator[Launch]:
        """The launch that the address names, or all of them, one decoded after the other."""
        if self.place.launch is None:
            return iter(self.report.launches)
        return iter((self.report.launches[self.place.launch],))

    @property
    def launch(self) -> Launch:
        """The launch that the address names, or the only one.

        Raises:
            BadInput: the report has several, and the address names none of them.
        """
        if self.place.launch is None and len(self.report.launches) > 1:
            raise BadInput(
                f"{self.place.report} has {len(self.report.launches)} launches: say which",
                hint=f"{self.place.report}#L0; `warpwright ncu launches {self.place.report}` "
                "lists them",
            )
        return self.report.launches[self.place.launch or 0]


def open_report(address: str) -> Opened:
    """Read the report that an address names (`-`: from stdin).

    Raises:
        BadInput: not an address, or there is no such launch.
        BadReport: the report cannot be read.
    """
    place = place_of(address)
    report = read_report(locate_report(Path(place.report)), place.report)
    count = len(report.launches)
    if place.launch is not None and place.launch >= count:
        raise BadInput(
            f"{place.report} has no launch L{place.launch}",
            hint=f"it has L0 to L{count - 1}" if count > 1 else "it has only L0",
        )
    return Opened(report, place)


def launch_address(place: Address, index: int) -> str:
    """The address of a launch of the same report."""
    return str(Address(place.report, index))
