"""A run as a real optimization leaves it, recorded through the recorder itself."""

from __future__ import annotations

import hashlib
from pathlib import Path

from warpwright.model.build import BuildReport, KernelBuild
from warpwright.model.candidate import Candidate
from warpwright.model.digest import (
    Digest,
    DigestLaunch,
    DigestReport,
    Evidence,
    Finding,
    Place,
    Speedup,
)
from warpwright.model.event import CommandStarted
from warpwright.model.ledger import LedgerEntry
from warpwright.model.verdict import (
    Check,
    Environment,
    Prediction,
    SpeedupMeasured,
    Status,
    Timing,
    Verdict,
)
from warpwright.operations.record import recorded_command, recording
from warpwright.operations.runs import start_run
from warpwright.runs.store import RunStore

BEFORE = """// one row of the state per thread
__global__ void kda(const float* k, float* s) {
    float row[128];
    for (int i = 0; i < 128; ++i) row[i] = k[i] < 1 && k[i] > 0 ? k[i] : 0;
    s[threadIdx.x] = row[blockIdx.x % 128];
}
"""
AFTER = BEFORE.replace("float row[128];", "float4 row[32];\n    #pragma unroll")


def candidate(path: Path, text: str) -> Candidate:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    return Candidate(name=path.stem, path=str(path), language="cuda", sha256=sha256)


def verdict(
    of: Candidate, ms: float, status: Status = "correct", prediction: Prediction | None = None
) -> Verdict:
    def timing(subject: str, mode: str, ns: float) -> Timing:
        return Timing.model_validate(
            {"subject": subject, "shape": "W1", "mode": mode, "median_ns": ns, "p20_ns": ns * 0.99,
             "p80_ns": ns * 1.01, "samples": 60}
        )  # fmt: skip

    def speedup(baseline: str, mode: str, ratio: float) -> SpeedupMeasured:
        return SpeedupMeasured.model_validate(
            {"baseline": baseline, "shape": "W1", "mode": mode, "ratio": ratio,
             "low": ratio * 0.98, "high": ratio * 1.02, "pairs": 20, "paired": True}
        )  # fmt: skip

    timed = status == "correct"
    return Verdict(
        task="kda",
        task_sha256="0" * 64,
        candidate=of.name,
        candidate_sha256=of.sha256,
        status=status,
        reasons=() if timed else ("W1, slow gates: relative error 0.5 is above 0.001",),
        rel_error=1e-6 if timed else 0.5,
        checks=(Check(name="error", passed=timed, detail="against float64", shape="W1"),),
        timings=(timing("candidate", "launch", ms * 1.1e6), timing("candidate", "graph", ms * 1e6))
        if timed
        else (),
        speedups=(
            speedup("eager", "launch", 90 / ms),
            speedup("compile", "launch", 18 / ms),
            speedup("compile", "graph", 16 / ms),
        )
        if timed
        else (),
        prediction=prediction,
        environment=Environment(
            device_kind="cuda", device="NVIDIA H200", driver="580.1", torch="2.9", cuda="13.0",
            tf32=False, sandbox="process",
        ),
    )  # fmt: skip


def build_report(of: Candidate, compiler: str = "/usr/local/cuda/bin/nvcc") -> BuildReport:
    kernel = KernelBuild(
        name="kda", demangled="kda(float const*, float*)", registers=40, stack_bytes=512,
        spill_store_bytes=0, spill_load_bytes=0, shared_static_bytes=0, max_threads=None,
        occupancy=(),
    )  # fmt: skip
    return BuildReport(
        candidate=of.name, candidate_sha256=of.sha256, language="cuda", target="sm_90a",
        compiler=compiler, command=(compiler, "-o", "out.so", of.path), seconds=1.5,
        kernels=(kernel,),
    )  # fmt: skip


def digest(report: str, source: str) -> Digest:
    def finding(rank: int, name: str, expected: float) -> Finding:
        return Finding(
            rank=rank, id=name, address=f"{report}#L0/finding/{name}", title=f"Title of {name}",
            speedup=Speedup(low=expected * 0.7, expected=expected, high=expected * 1.4),
            evidence=(Evidence(metric="m", value=1.0, unit="B/s", meaning="bytes / s < peak"),),
            where=(Place(file=source, line=4, share=0.9),), actions=("keep it in registers",),
            confidence="high",
        )  # fmt: skip

    return Digest(
        report=DigestReport(
            path=report, tool_version="2025.3", device="NVIDIA H200", compute_capability="9.0",
            sm_count=132,
        ),
        first=("do this",),
        missing=(),
        launches=(
            DigestLaunch(
                index=0, address=f"{report}#L0", kernel="kda", grid=(64, 1, 1), block=(128, 1, 1),
                duration_ns=3e7, share_of_time=1.0, bound="memory",
                findings=(finding(1, "memory.local", 5.0), finding(2, "launch.small_grid", 2.0)),
                cautions=(),
            ),
        ),
    )  # fmt: skip


def record_sample(project: Path, report: bytes, *, absolute: bool = False) -> Path:
    """Record a run named `kda` in `project`, the current folder; returns the run's folder.

    `before` is built, profiled, digested and judged; `after` acts on the first finding; a third
    is wrong; a command fails; one is killed.
    """
    base = project if absolute else Path()
    folder = Path(start_run("kda", project).path)
    path = base / "before.ncu-rep"
    path.write_bytes(report)
    before = candidate(base / "candidates" / "before.cu", BEFORE)
    task = str(base / "task")
    with recording(("build", task, before.path)):
        _now().built(before, build_report(before))
    with recording(("ncu", "profile", task, before.path, "-o", str(path))):
        _now().profiled(path, before)
    with recording(("ncu", "digest", str(path))):
        _now().digested(path, digest(str(path), before.path))
    with recording(("evaluate", task, before.path)):
        _now().evaluated(before, build_report(before), verdict(before, 36.0), None)
    with recording(("ncu", "digest", "nothing.ncu-rep")) as command:
        command.exit_code = 2
    after = candidate(base / "candidates" / "after.cu", AFTER)
    because = f"{path}#L0/finding/memory.local"
    with recording(("evaluate", task, after.path, "--because", because)):
        was = _now().time_before(path, "W1", "graph")
        assert was is not None
        prediction = Prediction(
            because=because, finding="memory.local", low=3.5, expected=5.0, high=7.0,
            from_candidate=was[0], measured=was[1].median_ns / 6e6, within=True,
        )  # fmt: skip
        judged = verdict(after, 6.0, prediction=prediction)
        _now().evaluated(after, build_report(after), judged, because)
    wrong = candidate(base / "candidates" / "wrong.cu", AFTER.replace("> 0", "> 1"))
    with recording(("evaluate", task, wrong.path)) as command:
        _now().evaluated(wrong, None, verdict(wrong, 1.0, "incorrect"), None)
        command.exit_code = 1
    RunStore(folder).append(CommandStarted, argv=("evaluate", task, "killed.cu"))
    return folder


def _now():
    command = recorded_command()
    assert command is not None
    return command


def ledger_entry(**told: object) -> LedgerEntry:
    """An entry of the ledger: paid 1.9x of the 2x expected, but for what is `told`."""
    return LedgerEntry.model_validate(
        {"at": "2026-01-02T03:04:05.678+00:00", "version": "0.1.0", "device": "NVIDIA H200",
         "compute_capability": "9.0", "finding": "memory.local", "confidence": "high",
         "low": 1.5, "expected": 2.0, "high": 3.0, "status": "correct", "measured": 1.9,
         "measured_low": 1.8, "measured_high": 2.0, "within": True, "task": "kda",
         "candidate": "after", "candidate_sha256": "0" * 64, "from_candidate": "before",
         "because": "before.ncu-rep#L0/finding/memory.local", "run": "r", **told}
    )  # fmt: skip
