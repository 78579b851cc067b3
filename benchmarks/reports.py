"""Reading reports: whole processes, time and memory, beside NVIDIA's own readers.

    python3 benchmarks/reports.py [--oracle PYTHON]

Everything is measured in one run, in turn, five times; printed are medians, the ratio to
Warpwright's row, and the largest resident memory. `--oracle` names a Python that can import
ncu_report; `ncu --import` is measured where ncu is on the PATH. Needs a bench folder of 200 MB.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from large_report import write_large

from warpwright.operations.locate import locate_report
from warpwright.report.files import load_report_bytes

ROOT = Path(__file__).resolve().parent.parent
ONE_LAUNCH = ROOT / "examples/kda/runs/h200/before.ncu-rep"
SMALL_LAUNCHES = (  # results of about 20 KB: the first that is here is repeated
    ROOT.parent / "shared/reports/mojo.gtx1660ti.2022.4.ncu-rep",
    ROOT / "tests/reports/two_metrics.ncu-rep.xz",
)
WARPWRIGHT = [sys.executable, "-m", "warpwright", "ncu"]
ROUNDS = 5

_ORACLE_LIST = """
import sys, ncu_report
for one in ncu_report.load_report(sys.argv[1]):
    for action in one:
        action.name(); action["gpu__time_duration.sum"].value()
"""
_ORACLE_ALL = """
import sys, ncu_report
for one in ncu_report.load_report(sys.argv[1]):
    for action in one:
        for name in action.metric_names():
            metric = action.metric_by_name(name)
            metric.value()
            for i in range(metric.num_instances()): metric.value(i)
"""


@dataclass
class Case:
    """One command, and what was measured of it."""

    name: str
    command: list[str]
    seconds: list[float] = field(default_factory=list)
    peak_mb: float = 0.0

    def measure(self) -> None:
        """Run it once."""
        start = time.perf_counter()
        process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, cwd=ROOT)
        _, status, usage = os.wait4(process.pid, 0)
        self.seconds.append(time.perf_counter() - start)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{self.name}: exit code {process.returncode}")
        self.peak_mb = max(self.peak_mb, usage.ru_maxrss / 1024)


def table(title: str, cases: list[Case], rounds: int = ROUNDS) -> None:
    """Measure the cases in turn, and print a table; the first is what the others are held to."""
    for _ in range(rounds):
        for case in cases:
            case.measure()
    base = statistics.median(cases[0].seconds)
    sys.stdout.write(f"\n{title}\n")
    for case in cases:
        median = statistics.median(case.seconds)
        sys.stdout.write(
            f"  {median:7.2f} s  {case.peak_mb:6.0f} MB  {median / base:5.1f}x  {case.name}\n"
        )
    sys.stdout.flush()


def oracle(python: str | None, name: str, code: str, path: Path) -> list[Case]:
    """NVIDIA's Python library on the same file."""
    return [Case(f"ncu_report: {name}", [python, "-c", code, str(path)])] if python else []


def imported(path: Path, *options: str) -> list[Case]:
    """`ncu --import` on the same file."""
    ncu = shutil.which("ncu")
    name = f"ncu --import {' '.join(options)}"
    return [Case(name, [ncu, "--import", str(path), *options])] if ncu else []


def main() -> None:
    """Measure everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--oracle", metavar="PYTHON")
    python = parser.parse_args().oracle
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        one, many = folder / "one.ncu-rep", folder / "many.ncu-rep"
        one.write_bytes(load_report_bytes(locate_report(ONE_LAUNCH)))
        small = next(path for path in SMALL_LAUNCHES if path.exists())
        write_large(small, many, launches=5000, size_bytes=100_000_000)
        page = imported(one, "--page", "details")
        shown = [
            Case("ncu show", [*WARPWRIGHT, "show", str(one)]),
            Case("ncu show #L0", [*WARPWRIGHT, "show", f"{one}#L0"]),
            Case("ncu launches", [*WARPWRIGHT, "launches", str(one)]),
            Case("ncu digest", [*WARPWRIGHT, "digest", str(one)]),
            *oracle(python, "names and durations", _ORACLE_LIST, one),
            *oracle(python, "every value", _ORACLE_ALL, one),
            *page,
        ]
        table(f"one launch, --set full, {one.stat().st_size / 1e6:.1f} MB", shown)
        listed = [
            Case("ncu launches", [*WARPWRIGHT, "launches", str(many)]),
            *oracle(python, "names and durations", _ORACLE_LIST, many),
        ]
        table(f"5,000 launches, {many.stat().st_size / 1e6:.0f} MB: list", listed, 3)
        target = str(folder / "out.sqlite")
        whole = [
            Case(
                "ncu export --format sqlite",
                [*WARPWRIGHT, "export", str(many), "--format", "sqlite", "-o", target, "--force"],
            ),
            *oracle(python, "every value", _ORACLE_ALL, many),
        ]
        table("5,000 launches: everything", whole, 2)


if __name__ == "__main__":
    main()
