"""Finished builds on disk, by the hash of everything that went into them.

A build is one folder that appears under its name in one step, so a reader or a second builder
never sees half of one.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from pydantic import ValidationError

from warpwright.config import cache_dir, cache_folder, unwritable_cache
from warpwright.cubin.sass import find_disassembler
from warpwright.model.build import BuildReport

_FOLDER = "builds"
_REPORT = "report.json"
_FORMAT = 1  # raise it when what a build folder holds changes


def build_key(ingredients: Mapping[str, str | None]) -> str:
    """The name of a build: hash of source, flags, compiler and whatever else decides it.

    Whether a disassembler is here counts too: without one the report says less.
    """
    reads_code = any(find_disassembler(tool) for tool in ("nvdisasm", "cuobjdump"))
    own = {"format": str(_FORMAT), "disassembler": str(reads_code)}
    text = json.dumps({**own, **ingredients}, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def stored_build(key: str, artifact: str) -> tuple[Path, BuildReport] | None:
    """The folder and report of a finished build; None if there is none.

    One whose `artifact` (a file's name) is gone counts as none.
    """
    folder = _root() / key
    if not (folder / artifact).is_file():
        return None
    try:
        report = BuildReport.model_validate_json((folder / _REPORT).read_bytes())
    except (OSError, ValidationError):
        return None
    return folder, report


@contextmanager
def new_build_folder() -> Iterator[Path]:
    """A folder to build in; whatever is still there at the end is removed.

    Raises:
        EnvironmentFault: the cache cannot be written.
    """
    root = cache_folder(_FOLDER)
    try:
        folder = Path(tempfile.mkdtemp(prefix=".making-", dir=root))
    except OSError as error:
        raise unwritable_cache(error) from None
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def store_build(key: str, artifact: str, folder: Path, report: BuildReport) -> Path:
    """Give a finished build, with its `artifact`, its name; returns where it is now.

    Where another builder was first, its build stays and is returned.
    """
    (folder / _REPORT).write_text(report.model_dump_json(), encoding="utf-8")
    final = _root() / key
    if final.exists() and stored_build(key, artifact) is None:
        shutil.rmtree(final, ignore_errors=True)  # damaged, or of an older version
    try:
        os.replace(folder, final)  # noqa: PTH105
    except OSError:
        if stored_build(key, artifact) is None:
            raise
    return final


def _root() -> Path:
    return cache_dir() / _FOLDER
