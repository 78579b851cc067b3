"""Run one module with the import path it is given, and nothing else: `-I BOOTSTRAP PATH MODULE`.

Started by its absolute path in Python's isolated mode (no PYTHONPATH, no user site, neither the
current folder nor the script's on the path). PATH is the starting process's own import path,
joined by `os.pathsep`, so that a source tree works as well as an installed package.
"""

from __future__ import annotations

import os
import runpy
import sys


def main() -> None:
    """Replace the import path and become the module, with what arguments remain."""
    _, path, module, *arguments = sys.argv
    sys.path[:] = path.split(os.pathsep)
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
