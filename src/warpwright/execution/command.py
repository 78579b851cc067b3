"""The command line that starts a module of this room in a process of its own."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent
_BOOTSTRAP = Path(__file__).resolve().with_name("bootstrap.py")


def execution_command(module: str) -> list[str]:
    """Arguments that run `module` in isolated mode; append the module's own arguments.

    The process imports from where this one does, save for the current folder: what lies there
    (a candidate, say) cannot stand in for a module.
    """
    return [sys.executable, "-I", str(_BOOTSTRAP), os.pathsep.join(_import_path()), module]


def _import_path() -> list[str]:
    here = Path.cwd()
    path = [entry for entry in sys.path if entry and Path(entry).resolve() != here]
    home = str(_PACKAGE.parent)
    return path if home in path else [*path, home]
