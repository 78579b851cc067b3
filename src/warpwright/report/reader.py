"""Read a report of Nsight Compute without any NVIDIA software."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import overload

from warpwright.errors import BadReport
from warpwright.model.report import Launch, Report
from warpwright.report.code import CodeSource
from warpwright.report.container import Container, load_bytes, parse
from warpwright.report.launch import decode_launch
from warpwright.report.wire import WireError, as_bytes, as_text, fields


def read_report(path: Path, shown_as: str | None = None) -> Report:
    """Open a report (`.ncu-rep`, also xz-compressed). Launches are decoded when asked for.

    Args:
        path: the file.
        shown_as: what the report is called in addresses and errors (default: the path).

    Raises:
        BadReport: the file is missing, no report, truncated, damaged, or has no launches.
    """
    name = shown_as or str(path)
    container = parse(load_bytes(path), name)
    try:
        sources = [CodeSource(message) for message in container.sources]
        facts = _session_facts(container.details)
        launches = LazyLaunches(container, {source.id: source for source in sources}, name)
        first = launches[0]
    except WireError as error:
        raise BadReport(f"{name} is damaged: {error}", hint="copy it again") from None
    sms = first.number("device__attribute_multiprocessor_count")
    return Report(
        path=name,
        tool_version=facts.get("tool"),
        device=facts.get("device"),
        compute_capability=first.compute_capability,
        sm_count=int(sms) if sms else None,
        launches=launches,
        sources={file: text for source in sources for file, text in source.texts.items()},
        clocks_unlocked="--clock-control none" in facts.get("command", "").replace("=", " "),
    )


class LazyLaunches(Sequence[Launch]):
    """The launches of a report, each decoded once, at its first use."""

    def __init__(self, container: Container, code: dict[int, CodeSource], name: str) -> None:
        self._results = container.results
        self._strings = container.strings
        self._code = code
        self._name = name
        self._decode = cache(self._decode_one)

    def _decode_one(self, index: int) -> Launch:
        try:
            return decode_launch(index, self._results[index], self._strings, self._code)
        except WireError as error:
            raise BadReport(
                f"{self._name}#L{index} is damaged: {error}", hint="profile that kernel again"
            ) from None

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
        return len(self._results)


def _session_facts(details: Sequence[bytes]) -> dict[str, str]:
    """Tool version, device name, command line out of the session details (8, 6, 11)."""
    facts: dict[str, str] = {}
    for message in details:
        for number, _, content in fields(message):
            if number == 8:
                parts = {n: as_text(v) for n, _, v in fields(as_bytes(content)) if n in (1, 2)}
                if parts.get(1) == "Nsight Compute Target":
                    facts["tool"] = parts.get(2, "").split(" ")[0]
            elif number == 11:
                facts["command"] = as_text(content)
            elif number == 6 and "device" not in facts:
                for part, _, inner in fields(as_bytes(content)):
                    if part == 2:
                        facts["device"] = as_text(inner)
                        break
    return facts
