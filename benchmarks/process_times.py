"""Whole-process times of the commands that must feel instant. Prints the median of ten runs."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REPORT = "examples/kda/runs/h200/before.ncu-rep"
COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "warpwright --help": [sys.executable, "-m", "warpwright", "--help"],
    f"warpwright ncu digest {REPORT}": [
        sys.executable,
        "-m",
        "warpwright",
        "ncu",
        "digest",
        REPORT,
    ],
}


def seconds(command: list[str]) -> float:
    """Wall-clock of one process, start to exit."""
    start = time.perf_counter()
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return time.perf_counter() - start


for name, command in COMMANDS.items():
    median = statistics.median(seconds(command) for _ in range(10))
    sys.stdout.write(f"{median:6.2f} s  {name}\n")
