"""Shared fixtures, and which tests this machine can run."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

ROOT = Path(__file__).resolve().parent.parent
SHARED_REPORTS = ROOT.parent / "shared" / "reports"


def pytest_configure() -> None:
    """Let Ctrl-C reach the commands under test, also where this runs in the background."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _has_gpu() -> bool:
    if shutil.which("nvidia-smi") is None:
        return False
    found = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=False)
    return found.returncode == 0 and "GPU" in found.stdout


def _has_nvcc() -> bool:
    from warpwright.config import find_tool

    return find_tool("nvcc") is not None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip, with the reason, what this machine lacks."""
    missing = {
        "gpu": None if _has_gpu() else "no NVIDIA GPU here",
        "torch": None if importlib.util.find_spec("torch") else "torch cannot be imported here",
        "nvcc": None if _has_nvcc() else "nvcc is not here",
    }
    for item in items:
        for marker, reason in missing.items():
            if reason and item.get_closest_marker(marker):
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session", autouse=True)
def _own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A test session never meets the user's settings, cache and ledger: nor do wide fixtures."""
    base = tmp_path_factory.getbasetemp()
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("WARPWRIGHT_")]:
            patch.delenv(name)
        patch.setenv("WARPWRIGHT_CACHE", str(base / "cache"))
        patch.setenv("WARPWRIGHT_LEDGER", str(base / "ledger.jsonl"))
        patch.setenv("WARPWRIGHT_CALIBRATION", str(base / "calibration.json"))
        yield


@pytest.fixture(autouse=True)
def _own_ledger(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """What one test scores is not known to the next."""
    path = tmp_path_factory.getbasetemp() / f"ledger-{uuid4().hex}.jsonl"
    monkeypatch.setenv("WARPWRIGHT_LEDGER", str(path))


@pytest.fixture
def root() -> Path:
    """The repository's root."""
    return ROOT


@pytest.fixture
def shared_reports() -> Path:
    """Real reports that lie beside a developer's checkout."""
    if not SHARED_REPORTS.is_dir():
        pytest.skip("../shared/reports is not here")
    return SHARED_REPORTS
