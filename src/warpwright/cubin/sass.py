"""Disassemble a cubin with NVIDIA's nvdisasm or cuobjdump, whichever can read it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from warpwright.config import find_tool, tool_variable
from warpwright.cubin.sections import STT_FUNC, read_elf
from warpwright.errors import BadInput

_TIMEOUT_S = 60
_FUNCTION = re.compile(r"^\.text\.(\S+):$|^\s*Function : (\S+)$")
_INSTRUCTION = re.compile(
    r"^\s*/\*(?P<offset>[0-9a-f]{4,})\*/[\s{]*(?P<predicate>@!?U?P\w+)?\s*"
    r"(?P<opcode>[A-Z][\w.]*)\s*(?P<operands>[^;]*?)\s*;"
)


_TEXT = re.compile(
    r"(?P<predicate>@!?U?P\w+)?\s*(?P<opcode>[A-Z][\w.]*)\s*(?P<operands>.*)", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Instruction:
    """One machine instruction: `offset` bytes from its function's start.

    `opcode` has its modifiers (LDG.E.128); `predicate` is for example @!P0, or empty.
    """

    offset: int
    opcode: str
    operands: str
    predicate: str = ""

    @property
    def base(self) -> str:
        """The opcode without modifiers."""
        return self.opcode.partition(".")[0]

    @property
    def text(self) -> str:
        """As an assembler would take it: @!P0 LDG.E.128 R4, [R2.64]."""
        return " ".join(f"{self.predicate} {self.opcode} {self.operands}".split())


@dataclass(frozen=True, slots=True)
class Disassembly:
    """Instructions by mangled name of the function, and the tool that told them."""

    tool: str
    functions: Mapping[str, tuple[Instruction, ...]]


def disassemble(cubin: bytes, function: str | None = None) -> Disassembly | None:
    """The instructions of every function, or of one only, which takes less time.

    Args:
        cubin: the ELF file.
        function: mangled name of a function in it.

    Returns:
        None if no disassembler here can read the cubin, or it has no such function.
    """
    index = None if function is None else _symbol_index(cubin, function)
    if function is not None and index is None:
        return None
    only = {"nvdisasm": ["-fun", str(index)], "cuobjdump": ["-fun", str(function)]}
    with tempfile.TemporaryDirectory(prefix="warpwright-") as folder:
        path = Path(folder) / "code.cubin"
        path.write_bytes(cubin)
        for tool, options in (("nvdisasm", ["-c"]), ("cuobjdump", ["-sass"])):
            program = find_disassembler(tool)
            narrowed = [*options, *(only[tool] if function is not None else ())]
            text = _run([str(program), *narrowed, str(path)]) if program else None
            functions = _parse(text) if text else {}
            if functions:
                return Disassembly(tool, functions)
    return None


def parse_instruction(offset: int, text: str) -> Instruction | None:
    """An instruction as it is printed: @!P0 LDG.E.128 R4, [R2.64]. None if it is none."""
    found = _TEXT.fullmatch(text.strip().rstrip("; "))
    if found is None:
        return None
    return Instruction(offset, found["opcode"], found["operands"], found["predicate"] or "")


def find_disassembler(tool: str) -> Path | None:
    """The tool on this machine, or that of the pip packages of the [sass] extra."""
    found = find_tool(tool)
    if found or tool_variable(tool) in os.environ:
        return found
    for folder in sys.path:
        packaged = sorted(Path(folder or ".").glob(f"nvidia/*/bin/{tool}"))
        if packaged:
            return packaged[-1]
    return None


def _symbol_index(cubin: bytes, function: str) -> int | None:
    """The position in the symbol table by which nvdisasm is told a function."""
    try:
        symbols = read_elf(cubin).symbols
    except BadInput:
        return None
    found = (i for i, s in enumerate(symbols) if s.name == function and s.kind == STT_FUNC)
    return next(found, None)


def _run(command: list[str]) -> str | None:
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=_TIMEOUT_S
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def _parse(text: str) -> dict[str, tuple[Instruction, ...]]:
    functions: dict[str, list[Instruction]] = {}
    current: list[Instruction] = []
    for line in text.splitlines():
        if start := _FUNCTION.match(line):
            current = functions.setdefault(start[1] or start[2], [])
        elif found := _INSTRUCTION.match(line):
            current.append(
                Instruction(
                    int(found["offset"], 16),
                    found["opcode"],
                    found["operands"],
                    found["predicate"] or "",
                )
            )
    return {name: tuple(instructions) for name, instructions in functions.items() if instructions}
