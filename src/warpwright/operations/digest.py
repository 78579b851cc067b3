"""The verb `digest`: a report's ranked causes."""

from __future__ import annotations

from pathlib import Path

from warpwright.advice.digest import make_digest
from warpwright.errors import BadInput
from warpwright.model.digest import Digest
from warpwright.model.ledger import DigestWithLedger
from warpwright.operations.ledger import with_ledger
from warpwright.operations.locate import locate_report
from warpwright.operations.place import place_of
from warpwright.operations.record import recorded_command
from warpwright.report.reader import read_report


def digest_file(path: Path, shown_as: str | None = None) -> Digest:
    """Digest a report without recording it.

    Args:
        path: the report (in a run's folder: the name it had there, see `locate_report`).
        shown_as: what addresses call it (default: the path as given).

    Raises:
        BadReport: it cannot be read.
    """
    return make_digest(read_report(locate_report(path), shown_as or str(path)))


def digest(address: str) -> DigestWithLedger:
    """Digest a report, or one launch of it (`REPORT#L0`), and record it into the active run.

    What the ledger knows stands beside it, and is not recorded: it is no part of the digest.

    Raises:
        BadInput: no such launch, or the address names more than a launch.
        BadReport: the report cannot be read.
    """
    place = place_of(address)
    if place.kind is not None:
        raise BadInput(
            f"'{address}' names a {place.kind}; digest takes a report or a launch",
            hint=f"warpwright ncu show '{address}'",
        )
    whole = digest_file(Path(place.report))
    if place.launch is not None and place.launch >= len(whole.launches):
        raise BadInput(
            f"{place.report} has no launch L{place.launch}",
            hint=f"it has L0 to L{len(whole.launches) - 1}",
        )
    command = recorded_command()
    if command is not None:
        command.digested(locate_report(Path(place.report)), whole)
    if place.launch is None:
        return with_ledger(whole)
    return with_ledger(whole.model_copy(update={"launches": (whole.launches[place.launch],)}))
