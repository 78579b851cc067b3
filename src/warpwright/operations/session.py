"""The verb `session`: when, where and with what a report was made."""

from __future__ import annotations

from warpwright.model.session_view import SessionView
from warpwright.operations.deeper import deeper
from warpwright.operations.moment import moment
from warpwright.operations.opened import open_report


def show_session(address: str) -> SessionView:
    """The session of a report (of the whole of it, whatever the address names in it).

    Raises:
        BadReport: the report cannot be read.
    """
    report = open_report(address).report
    whole = bool(report.session.processes) and not report.cautions
    return SessionView(
        report=report.path,
        created=moment(report.session.created_s),
        session=report.session,
        note="names of hosts and users, paths, command line and environment are private",
        deeper=(deeper("a copy without them", "redact", report.path),) if whole else (),
    )
