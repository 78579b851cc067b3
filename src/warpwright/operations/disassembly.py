"""The instructions of a launch; those of a function are remembered: disassembling takes time."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from warpwright.config import cache_folder
from warpwright.cubin.sass import Disassembly, Instruction, disassemble, parse_instruction
from warpwright.errors import EnvironmentFault
from warpwright.model.report import CodePart, Launch

Reader = Callable[[bytes, str], Disassembly | None]

_FORMAT = "1"  # of the remembered files; a change of it makes them anew


def launch_code(launch: Launch, read: Reader | None = None) -> Disassembly | None:
    """The instructions of a launch under its mangled name, by offset as `Code.lines` counts.

    Those of an export are its own texts. Of the functions of a range, those are read that were
    executed. `read` is what reads a function of a cubin (default: `disassembled`).

    Returns:
        None if the report holds no machine code, or no disassembler here can read it.
    """
    code = launch.code
    if code.sass:
        own = (parse_instruction(offset, text) for offset, text in sorted(code.sass.items()))
        return Disassembly("the export", {launch.mangled: tuple(one for one in own if one)})
    found: list[Instruction] = []
    tool = None
    for part in _executed(launch):
        listing = (read or disassembled)(part.cubin, part.mangled)
        if listing is not None:
            tool = listing.tool
            functions = listing.functions.get(part.mangled, ())
            found += (replace(one, offset=part.start + one.offset) for one in functions)
    return Disassembly(tool, {launch.mangled: tuple(found)}) if tool else None


def _executed(launch: Launch) -> list[CodePart]:
    """The parts that hold a PC of the launch's source metrics; the only one in any case."""
    parts = sorted(launch.code.parts, key=lambda part: part.start)
    if len(parts) < 2:
        return parts
    starts = [part.start for part in parts]
    names = ("inst_executed", "smsp__pcsamp_sample_count")
    offsets = {pc for name in names for pc in launch.per_pc(name)}
    used = {bisect_right(starts, offset) - 1 for offset in offsets}
    return [parts[index] for index in sorted(used) if index >= 0]


def disassembled(cubin: bytes, function: str) -> Disassembly | None:
    """The instructions of a function of a cubin.

    A cache that cannot be read or written costs time, nothing else.

    Returns:
        None if no disassembler here can read the cubin, or it has no such function.
    """
    key = hashlib.sha256(b"\0".join((_FORMAT.encode(), function.encode(), cubin))).hexdigest()
    try:
        path = cache_folder("sass") / f"{key}.json"
    except EnvironmentFault:
        return disassemble(cubin, function)
    remembered = _remembered(path, function)
    if remembered is not None:
        return remembered
    code = disassemble(cubin, function)
    if code is not None:
        _remember(path, code, function)
    return code


def _remembered(path: Path, function: str) -> Disassembly | None:
    try:
        held = json.loads(path.read_bytes())
        code = tuple(Instruction(*row) for row in held["instructions"])
        return Disassembly(held["tool"], {function: code})
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _remember(path: Path, code: Disassembly, function: str) -> None:
    rows = [(i.offset, i.opcode, i.operands, i.predicate) for i in code.functions.get(function, ())]
    text = json.dumps({"tool": code.tool, "instructions": rows})
    try:
        handle, name = tempfile.mkstemp(prefix=".", dir=path.parent)
        with os.fdopen(handle, "w") as file:
            file.write(text)
        Path(name).replace(path)
    except OSError:
        return
