"""Which Nsight Compute is here and what its version knows."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from warpwright.config import find_tool, require_tool
from warpwright.errors import ProfilerFault

_ASK_TIMEOUT_S = 60


@dataclass(frozen=True, slots=True)
class Tool:
    """Nsight Compute's command line. Empty sets: it did not tell."""

    path: Path
    version: str | None
    sections: frozenset[str]
    options: frozenset[str]

    def has(self, option: str) -> bool:
        """Whether this version takes an option (assumed where its help could not be read)."""
        return option in self.options or not self.options


def find_ncu() -> Tool:
    """Find Nsight Compute and ask it for its version, sections and options.

    Raises:
        ToolMissing: it is not here.
        ProfilerFault: it is here and cannot be started.
    """
    path = require_tool("ncu")
    return Tool(
        path=path,
        version=parse_version(_ask(path, "--version")),
        sections=parse_sections(_ask(path, "--list-sections")),
        options=frozenset(re.findall(r"--[a-z][a-z-]+", _ask(path, "--help"))),
    )


def parse_version(text: str) -> str | None:
    """The number in `Version 2025.3.1.0 (build 36398880)`."""
    found = re.search(r"Version (\d+(?:\.\d+)+)", text)
    return found[1] if found else None


def parse_sections(text: str) -> frozenset[str]:
    """The identifiers, the first column of `--list-sections`; empty if that is no such table."""
    lines = [line.split() for line in text.splitlines() if line.strip()]
    heads = [index for index, words in enumerate(lines) if words[0] == "Identifier"]
    if not heads:
        return frozenset()
    names = (words[0] for words in lines[heads[0] + 1 :])
    return frozenset(name for name in names if not name.startswith("-"))


def driver_version() -> str | None:
    """The NVIDIA driver's version, where nvidia-smi tells."""
    nvidia_smi = find_tool("nvidia-smi")
    if nvidia_smi is None:
        return None
    asked = ["--query-gpu=driver_version", "--format=csv,noheader"]
    lines = _ask(nvidia_smi, *asked).strip().splitlines()
    return lines[0].strip() if lines and lines[0][:1].isdigit() else None


def _ask(path: Path, *arguments: str) -> str:
    try:
        answer = subprocess.run(
            [str(path), *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_ASK_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ProfilerFault(
            f"{path} cannot be run: {error}", hint=f"try it: {path} {' '.join(arguments)}"
        ) from None
    return answer.stdout
