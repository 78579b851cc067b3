"""Look at everything that a report holds."""

from __future__ import annotations

from pathlib import Path

from warpwright.advice.digest import make_digest
from warpwright.errors import BadReport, WarpwrightError
from warpwright.model.report import Launch, Report
from warpwright.report.reader import read_report


def walk(path: Path) -> tuple[Report | None, list[WarpwrightError]]:
    """Read a report and all of it, and digest it.

    Returns:
        The report (None if it could not be opened) and the errors that parts of it gave. Any
        other exception is a bug, and passes through.
    """
    try:
        report = read_report(path)
    except BadReport as error:
        return None, [checked(error)]
    errors: list[WarpwrightError] = []
    assert repr(report.session)
    for index in range(len(report.launches)):
        try:
            look(report.launches[index], errors)
        except BadReport as error:
            errors.append(checked(error))
    try:
        assert make_digest(report).model_dump_json()
    except WarpwrightError as error:
        errors.append(checked(error))
    return report, errors


def look(launch: Launch, errors: list[WarpwrightError]) -> None:
    """Decode every part of a launch."""
    for name in launch.metrics:
        try:
            assert launch.metrics[name].name == name
            assert launch.per_pc(name) is not None
        except BadReport as error:
            errors.append(checked(error))
    for part in ("sections", "rules", "nvtx"):
        try:
            tuple(getattr(launch.annotations, part))
        except BadReport as error:
            errors.append(checked(error))
    assert set(launch.code.lines) == set(launch.code.chains)
    assert launch.code.frame_bytes is None or launch.code.frame_bytes >= 0


def checked(error: WarpwrightError) -> WarpwrightError:
    """An error must be one line, and have a hint."""
    assert "\n" not in str(error)
    assert error.hint
    error.__context__ = error.__traceback__ = None  # they hold on to what was half decoded
    return error
