"""The verb `redact`: a copy of a report without what is private, or what that would be."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from warpwright.errors import BadInput, BadReport, EnvironmentFault, UsageError
from warpwright.model.redaction import PrivateCount, PrivateKind, Redaction
from warpwright.operations.deeper import deeper
from warpwright.operations.locate import locate_report
from warpwright.operations.place import place_of
from warpwright.operations.target import check_target
from warpwright.report.files import MAGIC, STDIN, load_bytes, no_report
from warpwright.report.pack import PLAIN, XZ, ZSTD, packing
from warpwright.report.redact import Redacted, redact
from warpwright.runs.project import replace_file

_STAYS = (
    "metrics, devices, versions, names of kernels and NVTX ranges, source text, process ids "
    "and the time of the profile stay; --also TEXT masks a text in all but the metrics"
)
_LEAST = 3


def redact_file(
    address: str, target: Path | None = None, *, also: tuple[str, ...] = (), force: bool = False
) -> Redaction:
    """Write a copy of a report in which private facts are overwritten; its length stays.

    Args:
        address: REPORT.
        target: the copy (default: NAME.redacted.ncu-rep in the current folder).
        also: further texts to mask, as whole words, wherever they stand but in metrics.
        force: replace a file that is there.

    Raises:
        UsageError: `target` is not called as a report is, or a text is too short to be told
            from others.
        BadInput: the file is there already, or it is the report itself.
        BadReport: the report cannot be read, or not to its end.
        EnvironmentFault: the file cannot be written.
    """
    path = _path(address)
    if target is None and path == STDIN:
        raise UsageError("a report from stdin has no name", hint="name the copy: -o NAME.ncu-rep")
    target = target or _default(Path(path.name))
    pack = packing(target.name)
    if pack is None:
        raise UsageError(
            f"{target} is not called as a report is",
            hint=f"give it the suffix {', '.join(PLAIN)}, {ZSTD}, or {PLAIN[0]}{XZ}",
        )
    check_target(target, locate_report(path), force)
    done = _redacted(path, also)
    _write(target, pack(done.data))
    if load_bytes(target) != done.data:
        raise EnvironmentFault(f"{target} reads back as other bytes", hint="is the disk sound?")
    return Redaction(
        report=str(path),
        path=str(target),
        found=_counts(done.found),
        left=_counts(done.left),
        clean=not done.left,
        stays=_STAYS,
        deeper=(deeper("what it still tells of its making", "session", str(target)),),
    )


def check_file(address: str, *, also: tuple[str, ...] = ()) -> Redaction:
    """What of a report is private; nothing is written.

    Raises:
        UsageError, BadReport: as `redact_file`.
    """
    path = _path(address)
    done = _redacted(path, also)
    clean = not done.found and not done.left
    step = deeper("a copy without them", "redact", str(path), *_options(also))
    return Redaction(
        report=str(path),
        path=None,
        found=_counts(done.found),
        left=_counts(done.left),
        clean=clean,
        stays=_STAYS,
        deeper=() if clean else (step,),
    )


def _path(address: str) -> Path:
    place = place_of(address)
    if place.launch is not None:
        raise BadInput(
            f"'{address}' names a part of a report; redact takes all of it",
            hint=deeper("", "redact", place.report).command,
        )
    return Path(place.report)


def _redacted(path: Path, also: tuple[str, ...]) -> Redacted:
    for text in also:
        if len(text.encode()) < _LEAST:
            raise UsageError(
                f"--also takes a text of at least {_LEAST} characters",
                hint="a shorter one stands in every report by chance",
            )
    data = load_bytes(locate_report(path))
    if not data.startswith(MAGIC):
        from warpwright.report.csv_reader import looks_like_csv

        if looks_like_csv(data):
            raise BadReport(
                f"{path} is an export of a report as CSV, without a session",
                hint="redact the report that it was made from",
            )
        raise no_report(data, str(path))
    return redact(data, everywhere=also, name=str(path))


def _write(target: Path, data: bytes) -> None:
    try:
        replace_file(target, data)
    except OSError as error:
        said = (error.strerror or str(error)).lower()
        raise EnvironmentFault(
            f"{target} cannot be written: {said}",
            hint="is its folder one that you may write to, and is the disk full?",
        ) from None


def _default(path: Path) -> Path:
    name = path.name.removesuffix(XZ)
    for suffix in (*PLAIN, ZSTD):
        name = name.removesuffix(suffix)
    return path.with_name(f"{name}.redacted{PLAIN[0]}")


def _options(also: tuple[str, ...]) -> tuple[str, ...]:
    """Not the texts themselves: what is private is not printed."""
    return ("--also", "...") * len(also)


def _counts(counts: Mapping[PrivateKind, int]) -> tuple[PrivateCount, ...]:
    return tuple(PrivateCount(kind=kind, count=n) for kind, n in sorted(counts.items()))
