"""The session of a report as text."""

from __future__ import annotations

from collections.abc import Iterator

from warpwright.model.session_facts import Device, Machine
from warpwright.model.session_view import SessionView
from warpwright.render.layout import deeper_lines, wrapped

_CC = "device__attribute_compute_capability_"
_SMS = "device__attribute_multiprocessor_count"


def session_text(view: SessionView) -> str:
    """Who made the report, when, where, with what, and how to take that out of it."""
    facts = view.session
    lines = [view.report]
    for label, text in _facts(view):
        if text:
            lines += wrapped(f"{label}: {text}", "  ", 4)
    for device in facts.devices:
        lines += wrapped(_device(device), "  ", 4)
    for process in facts.processes:
        at = f" on {process.host}" if process.host else ""
        lines += wrapped(f"process {process.pid}{at}: {process.program or '?'}", "  ", 4)
    if facts.environment:
        count = len(facts.environment)
        lines.append(f"  environment: {count} characters of it are in the report (--json)")
    lines += ["", *wrapped(f"note: {view.note}"), *deeper_lines(view.deeper)]
    return "\n".join(lines) + "\n"


def _facts(view: SessionView) -> Iterator[tuple[str, str | None]]:
    facts = view.session
    yield "Nsight Compute", facts.tool_version
    yield "driver", facts.driver
    yield "created", view.created
    yield "command line", facts.command_line
    yield "program", " ".join(filter(None, (facts.executable, facts.arguments)))
    yield "folder", facts.working_folder
    yield "profiled on", _machine(facts.target)
    yield "opened from", _machine(facts.host)
    yield from ((name, told) for name, told in facts.versions.items() if told != facts.driver)
    yield "settings", ", ".join(f"{name} {value}" for name, value in facts.settings.items())


def _machine(machine: Machine | None) -> str | None:
    if machine is None:
        return None
    processor = (machine.processor or "").partition("\n")[0]  # some are all of /proc/cpuinfo
    parts = (machine.name, machine.os, processor, machine.architecture, *machine.addresses)
    return ", ".join(filter(None, parts))


def _device(device: Device) -> str:
    held = device.attributes
    parts = [device.name]
    if f"{_CC}major" in held and f"{_CC}minor" in held:
        parts.append(f"cc {held[f'{_CC}major']}.{held[f'{_CC}minor']}")
    if _SMS in held:
        parts.append(f"{held[_SMS]} SMs")
    if held:
        parts.append(f"{len(held)} attributes in --json")
    return f"device {device.index}: " + ", ".join(filter(None, parts))
