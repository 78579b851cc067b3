"""How each kind of candidate is compiled: the command, and everything that decides its result."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from warpwright.build.binding import torch_binding
from warpwright.build.flags import CPP_FLAGS, NVCC_FLAGS, candidate_flags
from warpwright.build.target import choose_target, gencode
from warpwright.config import require_tool
from warpwright.errors import BadInput, ToolMissing
from warpwright.isolated import execution_command, shown_command
from warpwright.model.candidate import Candidate
from warpwright.model.task import Task

Via = Literal["nvcc", "torch"]

OUTPUT = "{output}"  # stands for the folder of the build in a command or request
LIBRARY = "candidate.so"
_TORCH_EXTENSION = "warpwright.execution.torch_extension"
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Recipe:
    """`request` is text for the command's standard input. `ingredients`: see `build_key`.

    `shown`: the command as reports tell it, without this machine's folders.
    """

    command: tuple[str, ...]
    shown: tuple[str, ...]
    request: str | None
    target: str | None
    compiler: str
    ingredients: dict[str, str | None]


def native_recipe(
    candidate: Candidate, source: bytes, target: str | None, via: Via, task: Task | None
) -> Recipe:
    """The recipe of a CUDA or C++ candidate.

    Raises:
        ToolMissing: no compiler, or via="torch" without torch or ninja.
        BadInput: a target that is none, or via="torch" without a task.
        BadCandidate: a compiler flag that it may not set.
    """
    flags = candidate_flags(source.decode("utf-8"), candidate.language, candidate.path)
    is_cuda = candidate.language == "cuda"
    chosen = choose_target(target) if is_cuda else None
    fixed = (*NVCC_FLAGS, gencode(chosen)) if chosen else CPP_FLAGS
    program = str(require_tool("nvcc")) if is_cuda else _cpp_compiler()
    request = None
    if via == "torch":
        if task is None:
            raise BadInput("--via torch needs a task", hint="it says how the candidate is called")
        _require_torch()
        request = _torch_request(candidate, task, (*fixed, *flags))
        command = tuple(execution_command(_TORCH_EXTENSION))
        shown = shown_command(_TORCH_EXTENSION)
    else:
        library = ("-shared", "-Xcompiler", "-fPIC") if is_cuda else ()
        output = (candidate.path, "-o", f"{OUTPUT}/{LIBRARY}")
        command = (program, *library, *fixed, *flags, *output)
        shown = tuple(part.replace(f"{OUTPUT}/", "") for part in (Path(program).name, *command[1:]))
    return Recipe(
        command=command,
        shown=shown,
        request=request,
        target=chosen,
        compiler=_version(program),
        ingredients={
            "source": source_hash(Path(candidate.path), source),
            "flags": json.dumps([*fixed, *flags]),
            "compiler": _version(program),
            "processor": None if is_cuda else _processor(),
            "request": request,
            "python": sys.version if via == "torch" else None,
        },
    )


def source_hash(path: Path, source: bytes) -> str:
    """Hash of a source and of the files beside it that it includes, and those include."""
    digest = hashlib.sha256(source)
    for included in _included(path, source, {path.resolve()}):
        digest.update(included)
    return digest.hexdigest()


def _included(path: Path, source: bytes, seen: set[Path]) -> Iterator[bytes]:
    for name in _INCLUDE.findall(source):
        file = (path.parent / os.fsdecode(name)).resolve()
        if file in seen or not file.is_file():
            continue
        seen.add(file)
        content = file.read_bytes()
        yield os.fsencode(name) + b"\0" + content
        yield from _included(file, content, seen)


def _torch_request(candidate: Candidate, task: Task, flags: tuple[str, ...]) -> str:
    return json.dumps(
        {
            "source": str(Path(candidate.path).resolve()),
            "is_cuda": candidate.language == "cuda",
            "flags": [flag for flag in flags if flag not in ("-shared", "-fPIC")],
            "binding": torch_binding(task),
            "folder": OUTPUT,
            "library": LIBRARY,
        }
    )


def _require_torch() -> None:
    if importlib.util.find_spec("torch") is None:
        raise ToolMissing("torch is not installed here", hint="leave out --via torch")
    if shutil.which("ninja") is None:
        raise ToolMissing("ninja, which torch builds with, was not found", hint="pip install ninja")


def _cpp_compiler() -> str:
    for name in (os.environ.get("CXX"), "g++", "c++", "clang++"):
        found = shutil.which(name) if name else None
        if found:
            return found
    raise ToolMissing("no C++ compiler was found", hint="install g++, or set CXX to a compiler")


@cache
def _version(program: str) -> str:
    """Name and version of a compiler."""
    try:
        done = subprocess.run(
            [program, "--version"], capture_output=True, text=True, check=False, timeout=60
        )
    except (OSError, subprocess.TimeoutExpired):
        raise ToolMissing(f"{program} does not answer --version") from None
    lines = [line.strip() for line in done.stdout.splitlines() if line.strip()]
    release = next((line for line in lines if "release" in line), lines[0] if lines else "unknown")
    return f"{Path(program).name}: {release}"


def _processor() -> str:
    """What -march=native depends on."""
    try:
        told = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return "unknown"
    lines = (li for li in told.splitlines() if li.startswith(("model name", "flags", "Features")))
    return hashlib.sha256("\n".join(sorted(set(lines))).encode()).hexdigest()
