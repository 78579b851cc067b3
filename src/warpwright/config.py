"""Where tools, Warpwright's caches and the ledger are. Settings come from the environment."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from warpwright.errors import EnvironmentFault, ToolMissing

_USUAL_PLACES = {
    "nvcc": ["/usr/local/cuda/bin/nvcc", "/opt/cuda/bin/nvcc"],
    "ncu": [
        "/usr/local/cuda/bin/ncu",
        "/opt/nvidia/nsight-compute/*/ncu",
        "/usr/local/cuda/nsight-compute-*/ncu",
    ],
    "cuobjdump": ["/usr/local/cuda/bin/cuobjdump"],
    "nvdisasm": ["/usr/local/cuda/bin/nvdisasm"],
    "compute-sanitizer": ["/usr/local/cuda/bin/compute-sanitizer"],
}
_HINTS = {
    "nvcc": "install the CUDA toolkit, or set WARPWRIGHT_NVCC to its path",
    "ncu": "install Nsight Compute (it comes with the CUDA toolkit), or set WARPWRIGHT_NCU",
    "cuobjdump": "pip install 'warpwright[sass]', or set WARPWRIGHT_CUOBJDUMP",
    "nvdisasm": "pip install 'warpwright[sass]', or set WARPWRIGHT_NVDISASM",
}


def cache_dir() -> Path:
    """Folder for builds and measured baselines: WARPWRIGHT_CACHE, or the user's cache folder."""
    override = os.environ.get("WARPWRIGHT_CACHE")
    if override:
        return Path(override)
    import platformdirs

    return Path(platformdirs.user_cache_dir("warpwright"))


def cache_folder(name: str) -> Path:
    """A folder of the cache, made where it is not there yet.

    Raises:
        EnvironmentFault: the cache cannot be written.
    """
    folder = cache_dir() / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable_cache(error) from None
    return folder


def unwritable_cache(error: OSError) -> EnvironmentFault:
    """The fault that a failed write to the cache is."""
    return EnvironmentFault(
        f"the cache {cache_dir()} cannot be written: {(error.strerror or str(error)).lower()}",
        hint="set WARPWRIGHT_CACHE to a folder that can be",
    )


def ledger_path() -> Path:
    """The file of the user's ledger: WARPWRIGHT_LEDGER, or one in the user's data folder."""
    override = os.environ.get("WARPWRIGHT_LEDGER")
    if override:
        return Path(override)
    import platformdirs

    return Path(platformdirs.user_data_dir("warpwright")) / "ledger.jsonl"


def calibration_path() -> Path:
    """The file of measured device rates: WARPWRIGHT_CALIBRATION, or one in the data folder."""
    override = os.environ.get("WARPWRIGHT_CALIBRATION")
    if override:
        return Path(override)
    import platformdirs

    return Path(platformdirs.user_data_dir("warpwright")) / "calibration.json"


def tool_variable(name: str) -> str:
    """The environment variable that overrides where tool `name` is."""
    return "WARPWRIGHT_" + name.upper().replace("-", "_")


def find_tool(name: str) -> Path | None:
    """The path of a tool: its WARPWRIGHT_ variable, PATH, then where installers put it.

    A variable that names no file means: not here (so that absence can be tried out).
    """
    override = os.environ.get(tool_variable(name))
    if override:
        return Path(override) if Path(override).is_file() else None
    on_path = shutil.which(name)
    if on_path:
        return Path(on_path)
    for pattern in _USUAL_PLACES.get(name, []):
        found = sorted(Path("/").glob(pattern.lstrip("/")))
        if found:
            return found[-1]
    return None


def require_tool(name: str) -> Path:
    """Like `find_tool`, but raises ToolMissing with a hint."""
    path = find_tool(name)
    if path is None:
        hint = _HINTS.get(name, f"install {name} or put it on PATH")
        raise ToolMissing(f"{name} was not found on this machine", hint=hint)
    return path
