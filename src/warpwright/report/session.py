"""The session of a report, out of its details and process messages.

ReportSessionDetails: 2 creation time, 3 host, 4 target, 6 device attributes (1 index, 2 name,
3 attributes), 8 versions (1 of what, 2 version), 9 executable (1 path, 2 folder, 3 arguments,
4 environment), 10 settings, 11 command line. They come in several pieces, over several blocks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from warpwright.model.session_facts import Device, Machine, Process, Session
from warpwright.report.metrics import decode_value
from warpwright.report.wire import as_bytes, as_text, fields

_TOOL = "Nsight Compute Target"
_SETTINGS = {
    1: "nvtx",
    4: "activity",
    7: "sections",
    8: "clock_control",
    10: "import_source",
    11: "replay_mode",
    12: "cpu_stack",
    15: "mma_boost",
    16: "import_sass",
}


def session_facts(details: Sequence[bytes], processes: Iterable[bytes]) -> Session:
    """Everything that the report says of its making.

    Args:
        details: its ReportSessionDetails messages.
        processes: its ProcessInfo messages.

    Raises:
        WireError: one of them is damaged.
    """
    found: dict[str, Any] = {}
    devices: dict[int, Device] = {}
    versions: dict[str, str] = {}
    settings: dict[str, str] = {}
    for message in details:
        for number, _, content in fields(message):
            if isinstance(content, int):
                if number == 2:
                    found["created_s"] = content
            elif number in (3, 4):
                found["host" if number == 3 else "target"] = _machine(content)
            elif number == 6:
                device = _device(content)
                devices[device.index] = device
            elif number == 8:
                texts = _texts(content)
                versions[texts.get(1, "")] = texts.get(2, "")
            elif number == 9:
                found |= _executable(content)
            elif number == 10:
                settings |= _settings(content)
            elif number == 11:
                found["command_line"] = as_text(content)
    tool = versions.get(_TOOL, "").partition(" ")[0]
    return Session(
        tool_version=tool or None,
        processes=tuple(_process(message) for message in processes),
        devices=tuple(devices[index] for index in sorted(devices)),
        versions=versions,
        settings=settings,
        **found,
    )


def _texts(message: bytes) -> dict[int, str]:
    return {n: as_text(v) for n, _, v in fields(message) if isinstance(v, bytes)}


def _machine(message: bytes) -> Machine:
    texts = _texts(message)
    addresses = (v for n, _, v in fields(message) if n == 7)
    return Machine(
        os=texts.get(1),
        build=texts.get(2),
        processor=texts.get(3),
        architecture=texts.get(4),
        name=texts.get(5),
        addresses=tuple(_texts(as_bytes(address)).get(1, "") for address in addresses),
    )


def _device(message: bytes) -> Device:
    index, name = 0, None
    attributes: dict[str, float | int | str] = {}
    for number, _, content in fields(message):
        if number == 1 and isinstance(content, int):
            index = content
        elif number == 2:
            name = as_text(content)
        elif number == 3:
            parts = {n: as_bytes(v) for n, _, v in fields(as_bytes(content)) if n in (1, 2)}
            value = decode_value(parts.get(2, b""))
            if value is not None:
                attributes[as_text(parts.get(1, b""))] = value
    return Device(index, name, attributes)


def _executable(message: bytes) -> dict[str, str]:
    names = {1: "executable", 2: "working_folder", 3: "arguments", 4: "environment"}
    return {names[n]: text for n, text in _texts(message).items() if n in names and text}


def _settings(message: bytes) -> dict[str, str]:
    """ProfilerSettings, those that one field tells."""
    found = {}
    for number, _, content in fields(message):
        if number in _SETTINGS:
            told = ("no", "yes")[content] if content in (0, 1) else content
            found[_SETTINGS[number]] = as_text(told) if isinstance(told, bytes) else str(told)
    return found


def _process(message: bytes) -> Process:
    """ProcessInfo: 1 id, 2 host, 3 program."""
    texts = _texts(message)
    pid = next((v for n, _, v in fields(message) if n == 1 and isinstance(v, int)), 0)
    return Process(pid, texts.get(2) or None, texts.get(3) or None)
