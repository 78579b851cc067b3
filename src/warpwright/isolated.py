"""Run a module of the package in a process of its own, where nothing else can stand in for it.

This file is also what such a process starts with: `-I THIS PATH MODULE ARGUMENTS`, in Python's
isolated mode (no PYTHONPATH, no user site, neither the current folder nor the script's on the
path). PATH is the starting process's own import path, joined by `os.pathsep`, so that a source
tree works as well as an installed package.
"""

from __future__ import annotations

import os
import runpy
import sys
from pathlib import Path

_THIS = Path(__file__).resolve()


def execution_command(module: str) -> list[str]:
    """Arguments that run `module` in isolated mode; append the module's own arguments.

    The process imports from where this one does, save for the current folder: what lies there
    (a candidate, say) cannot stand in for a module.
    """
    return [sys.executable, "-I", str(_THIS), os.pathsep.join(_import_path()), module]


def shown_command(module: str) -> tuple[str, ...]:
    """The same for a reader: how to run the module by hand, without this machine's paths."""
    return (Path(sys.executable).name, "-m", module)


def _import_path() -> list[str]:
    here = Path.cwd()
    path = [entry for entry in sys.path if entry and Path(entry).resolve() != here]
    home = str(_THIS.parent.parent)
    return path if home in path else [*path, home]


def _main() -> None:
    """Replace the import path and become the module, with what arguments remain."""
    _, path, module, *arguments = sys.argv
    sys.path[:] = path.split(os.pathsep)
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    _main()
