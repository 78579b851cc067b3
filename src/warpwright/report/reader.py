"""Read a report of Nsight Compute without any NVIDIA software."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import overload

from warpwright.errors import BadReport
from warpwright.model.report import Launch, Report
from warpwright.model.session_facts import Session
from warpwright.report.code import CodeSource, read_sources
from warpwright.report.container import Container, parse
from warpwright.report.files import MAGIC, load_bytes, no_report
from warpwright.report.launch import damaged_launch, decode_launch, driver_version
from warpwright.report.session import session_facts
from warpwright.report.wire import WireError

_KEPT = 4  # launches that stay decoded; a report may have thousands

_DRIVER = "Display Driver Version"  # as the session page calls it
_MOST_SMS = 1 << 16


def read_report(path: Path, shown_as: str | None = None) -> Report:
    """Open a report (`.ncu-rep`, `.ncu-repz`, `.nsight-cuprof-report`, `.xz` of one) or a CSV
    export of one. Launches are decoded when asked for.

    Args:
        path: the file; `-` is stdin.
        shown_as: what the report is called in addresses and errors (default: the path).

    Raises:
        BadReport: the file is missing, no report, damaged before any launch, or has no launches.
    """
    name = shown_as or str(path)
    cautions: list[str] = []
    data = load_bytes(path, cautions)
    if not data.startswith(MAGIC):
        from warpwright.report.csv_reader import csv_as_text, looks_like_csv, read_csv_report

        if looks_like_csv(data):
            return read_csv_report(csv_as_text(data), name)
        raise no_report(data, name)
    container = parse(data, name)
    container.cautions[:0] = cautions
    sources = read_sources(data, container.sources, container.cautions)
    launches = LazyLaunches(container, sources, name)
    first = launches.first_sound()
    sms = first.number("device__attribute_multiprocessor_count")
    session = _session(container)
    return Report(
        path=name,
        tool_version=session.tool_version,
        device=_device(first, session),
        compute_capability=first.compute_capability,
        sm_count=int(sms) if sms and 0 < sms < _MOST_SMS else None,
        launches=launches,
        sources={file: text for source in sources.values() for file, text in source.texts.items()},
        clocks_unlocked=first.clocks_locked is False,
        session=session,
        cautions=tuple(container.cautions),
    )


def _device(launch: Launch, session: Session) -> str | None:
    """The GPU of a launch: the session's only one, or of several what the launch names."""
    if len(session.devices) == 1:
        return session.devices[0].name
    own = launch.metrics.get("device__attribute_display_name")
    if own is not None and isinstance(own.value, str) and own.value:
        return own.value
    return session.devices[0].name if session.devices else None


def _session(container: Container) -> Session:
    try:
        session = session_facts(container.details, container.processes)
        driver = session.versions.get(_DRIVER) or driver_version(container)
        return replace(session, driver=driver)
    except WireError as error:
        container.cautions.append(f"the session page is damaged and left out: {error}")
        return Session()


class LazyLaunches(Sequence[Launch]):
    """The launches of a report, decoded at their first use; the last few used stay decoded."""

    def __init__(self, container: Container, code: Mapping[int, CodeSource], name: str) -> None:
        self._container = container
        self._code = code
        self._name = name
        self._decode = lru_cache(maxsize=_KEPT)(self._decode_one)

    def _decode_one(self, index: int) -> Launch:
        owner = f"{self._name}#L{index}"
        entry = self._container.results[index]
        try:
            return decode_launch(index, entry, self._container, self._code, owner)
        except WireError as error:
            return damaged_launch(index, f"its record is damaged at byte {error.at}: {error}")

    def first_sound(self) -> Launch:
        """The first launch that could be read.

        Raises:
            BadReport: none could.
        """
        for launch in self:
            if launch.damage is None:
                return launch
        raise BadReport(
            f"{self._name}: no launch of its {len(self)} can be read; of L0, {self[0].damage}",
            hint="copy the file again, or profile again",
        )

    @overload
    def __getitem__(self, index: int) -> Launch: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Launch]: ...
    def __getitem__(self, index: int | slice) -> Launch | Sequence[Launch]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError(index)
        return self._decode(index)

    def __iter__(self) -> Iterator[Launch]:
        return (self[index] for index in range(len(self)))

    def __len__(self) -> int:
        return len(self._container.results)
