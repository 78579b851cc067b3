"""Import a Python file by its path, as tasks and candidates are given."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from pathlib import Path
from types import ModuleType


def import_file(path: Path, name: str) -> ModuleType:
    """Execute `path` as a module called `name`; whatever it raises comes out."""
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def blame(path: Path, error: Exception) -> str:
    """`FILE:LINE: TYPE: MESSAGE` in one line, at the deepest place inside `path`."""
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == str(path)]
    line = error.lineno if isinstance(error, SyntaxError) else (lines or [None])[-1]
    place = f"{path}:{line}" if line else str(path)
    message = error.msg if isinstance(error, SyntaxError) else str(error)
    text = " ".join(message.split())
    return (
        f"{place}: {type(error).__name__}: {text}" if text else f"{place}: {type(error).__name__}"
    )
