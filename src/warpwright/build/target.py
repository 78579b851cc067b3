"""Which GPU to compile for."""

from __future__ import annotations

import re
import subprocess

from warpwright.config import find_tool
from warpwright.errors import BadInput

DEFAULT_TARGET = "sm_90a"
_NAME = re.compile(r"sm_(\d+)(\d)[af]?")
_FIRST_WITH_OWN_FEATURES = (9, 0)  # from here on sm_XYa has instructions that sm_XY lacks


def choose_target(asked: str | None) -> str:
    """The target asked for, else that of this machine's first GPU, else sm_90a.

    Raises:
        BadInput: a name that is not like sm_90 or sm_90a.
    """
    if asked is not None:
        compute_capability(asked)
        return asked
    return device_target() or DEFAULT_TARGET


def device_target() -> str | None:
    """For example sm_90a for an H200; None where the driver shows no GPU."""
    tool = find_tool("nvidia-smi")
    if tool is None:
        return None
    try:
        told = subprocess.run(
            [str(tool), "--query-gpu=compute_cap", "--format=csv,noheader"],
            capture_output=True,
            text=True,
            check=False,
            timeout=30,
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.match(r"(\d+)\.(\d+)", told)
    if found is None:
        return None
    capability = int(found[1]), int(found[2])
    suffix = "a" if capability >= _FIRST_WITH_OWN_FEATURES else ""
    return f"sm_{capability[0]}{capability[1]}{suffix}"


def compute_capability(target: str) -> tuple[int, int]:
    """(9, 0) of sm_90a.

    Raises:
        BadInput: a name that is not like sm_90 or sm_90a.
    """
    found = _NAME.fullmatch(target)
    if found is None:
        raise BadInput(f"{target!r} is no target", hint="name one as in --target sm_90a")
    return int(found[1]), int(found[2])


def gencode(target: str) -> str:
    """The flag of nvcc that makes machine code for `target` and nothing else."""
    return f"-gencode=arch=compute_{target.removeprefix('sm_')},code={target}"
