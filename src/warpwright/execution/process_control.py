"""What a process asks of the kernel about itself (Linux, prctl). Standard library only."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_SET_PDEATHSIG = 1
_GET_DUMPABLE = 3
_SET_DUMPABLE = 4
_SET_CHILD_SUBREAPER = 36
_GET_CHILD_SUBREAPER = 37


def die_with(controller: int) -> None:
    """Ask the kernel to kill this process when process `controller`, its parent, dies."""
    _prctl(_SET_PDEATHSIG, int(signal.SIGKILL))
    if os.getppid() != controller:  # it died before the kernel was asked
        sys.exit(1)


def hide_memory() -> None:
    """Let no other process of this user trace this one or open its memory and descriptors.

    Root still can. What this process starts is not hidden.
    """
    _prctl(_SET_DUMPABLE, 0)


@contextmanager
def guarding() -> Iterator[None]:
    """Hide this process's memory, and adopt the orphans of what it starts, until the end."""
    adopts = ctypes.c_int(0)
    _prctl(_GET_CHILD_SUBREAPER, ctypes.byref(adopts))
    dumpable = _prctl(_GET_DUMPABLE, 0)
    _prctl(_SET_CHILD_SUBREAPER, 1)
    hide_memory()
    try:
        yield
    finally:
        _prctl(_SET_DUMPABLE, int(dumpable == 1))  # 2 cannot be set
        _prctl(_SET_CHILD_SUBREAPER, adopts.value)


def _prctl(option: int, argument: object) -> int:
    return int(ctypes.CDLL(None).prctl(option, argument, 0, 0, 0))
