"""The instructions of one function, remembered in the cache: a disassembler takes half a second."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from pathlib import Path

from warpwright.config import cache_folder
from warpwright.cubin.sass import Disassembly, Instruction, disassemble
from warpwright.errors import EnvironmentFault

_FORMAT = "1"  # of the remembered files; a change of it makes them anew


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
