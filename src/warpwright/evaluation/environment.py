"""The environment variables of the processes that the evaluator starts."""

from __future__ import annotations

import os
from pathlib import Path

_SHARING = {"OMP_WAIT_POLICY": "PASSIVE"}
"""Two processes take turns: idle OpenMP threads that spin slow the other side tenfold."""
_NAMES = {"PATH", "HOME", "LANG", "TMPDIR", "LD_LIBRARY_PATH", "PYTHONUNBUFFERED", "CC", "CXX"}
_PREFIXES = ("LC_", "CUDA_", "NVIDIA_", "OMP_", "GOMP_", "KMP_", "MKL_", "PYTORCH_")


def of_reference(caches: Path) -> dict[str, str]:
    """The user's own environment: the reference is the task's code."""
    return {**_SHARING, **os.environ, "TORCHINDUCTOR_CACHE_DIR": str(caches / "inductor")}


def of_candidate(caches: Path) -> dict[str, str]:
    """What finds compilers and libraries and sets threads and the GPU: no token, no cache of ours.

    `caches`: where compilers that run inside the worker keep theirs.
    """
    passed = {
        name: value
        for name, value in os.environ.items()
        if name in _NAMES or name.startswith(_PREFIXES)
    }
    return {
        **_SHARING,
        **passed,
        "TORCHINDUCTOR_CACHE_DIR": str(caches / "inductor"),
        "TRITON_CACHE_DIR": str(caches / "triton"),
    }
