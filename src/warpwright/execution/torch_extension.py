"""Build a candidate as a Python extension with torch's own builder, in a process of its own.

Standard input is one JSON object: `source` (path), `is_cuda`, `flags` (of nvcc or g++),
`binding` (C++ text), `folder`, and `library`, the name that the result gets in it.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

_NAME = "warpwright_candidate"


def build(request: dict[str, Any]) -> None:
    """Compile and link; what the compilers say comes out on standard output."""
    from torch.utils.cpp_extension import load

    folder = Path(request["folder"])
    work = folder / "torch"
    work.mkdir()
    binding = work / "binding.cpp"
    binding.write_text(request["binding"], encoding="utf-8")
    flags = list(request["flags"])
    load(
        name=_NAME,
        sources=[request["source"], str(binding)],
        extra_cflags=["-O3"] if request["is_cuda"] else flags,
        extra_cuda_cflags=flags if request["is_cuda"] else None,
        build_directory=str(work),
        with_cuda=request["is_cuda"],
        verbose=True,
    )
    shutil.copyfile(work / f"{_NAME}.so", folder / request["library"])
    shutil.rmtree(work)


if __name__ == "__main__":
    build(json.load(sys.stdin))
