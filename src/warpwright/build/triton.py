"""Build report of a Triton candidate: its kernels are compiled in a process that has Triton."""

from __future__ import annotations

import json
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from warpwright.build.candidates import check_unchanged
from warpwright.build.kernels import occupancy_limits, read_kernels
from warpwright.build.log import first_error
from warpwright.build.process import run_compiler
from warpwright.build.recipes import source_hash
from warpwright.build.store import build_key, new_build_folder, store_build, stored_build
from warpwright.build.target import choose_target, compute_capability
from warpwright.errors import BuildFailed
from warpwright.isolated import execution_command, shown_command
from warpwright.model.build import BuildReport, KernelBuild
from warpwright.model.candidate import Candidate
from warpwright.model.task import Task
from warpwright.tasks import LoadedTask

_RESULT = "kernels.json"
_TRITON_BUILD = "warpwright.execution.triton_build"


def build_triton(
    candidate: Candidate, target: str | None, task: LoadedTask | None, timeout_s: float
) -> BuildReport:
    """Compile what the candidate launches for the task's first timed shape, without a GPU.

    Where that cannot be done, the report has no kernels and a caution that says why: a Triton
    candidate needs no build to run.

    Raises:
        BadInput: a target that is none.
        BadCandidate: the file changed since it was loaded.
    """
    source = check_unchanged(candidate)
    chosen = choose_target(target)
    versions = _versions()
    report = BuildReport(
        candidate=candidate.path,
        candidate_sha256=candidate.sha256,
        language=candidate.language,
        target=chosen,
        compiler=versions,
        command=shown_command(_TRITON_BUILD),
        seconds=0.0,
        kernels=(),
    )
    if task is None:
        return _caution(report, "Triton compiles at a call: name the task to see its kernels")
    if versions is None:
        return _caution(report, "triton or torch is not installed here: its kernels are not known")
    key = build_key(
        {
            "source": source_hash(Path(candidate.path), source),
            "task": task.sha256,
            "target": chosen,
            "compiler": versions,
            "python": sys.version,
        }
    )
    if found := stored_build(key, _RESULT):
        return found[1].model_copy(update={"candidate": candidate.path, "cached": True})
    with new_build_folder() as folder:
        request = _request(candidate, task.task, chosen, folder)
        try:
            command = execution_command(_TRITON_BUILD)
            done = run_compiler(command, folder=folder, timeout_s=timeout_s, request=request)
        except BuildFailed as slow:
            return _caution(report, str(slow))
        if not (folder / _RESULT).is_file():
            return _caution(report, f"Triton could not compile it: {first_error(done.log)}")
        check_unchanged(candidate)
        result = json.loads((folder / _RESULT).read_text(encoding="utf-8"))
        kernels, cautions = _kernels(result, folder, Path(candidate.path).name, chosen)
        report = report.model_copy(
            update={"seconds": round(done.seconds, 3), "kernels": kernels, "cautions": cautions}
        )
        if kernels and not result["error"]:
            store_build(key, _RESULT, folder, report)
        return report


def _kernels(
    result: dict[str, Any], folder: Path, own_file: str, target: str
) -> tuple[tuple[KernelBuild, ...], tuple[str, ...]]:
    kernels: list[KernelBuild] = []
    cautions: list[str] = list(result["cautions"])
    if result["error"]:
        cautions.append(f"the candidate's call ended early: {result['error']}")
    elif not result["kernels"]:
        cautions.append("the candidate's call launched no Triton kernel")
    for made in result["kernels"]:
        more, said = read_kernels((folder / made["cubin"]).read_bytes(), made["log"], own_file)
        kernels += (_with_shared(kernel, made["shared_bytes"], target) for kernel in more)
        cautions += said
    return tuple(kernels), tuple(dict.fromkeys(cautions))


def _with_shared(kernel: KernelBuild, shared_bytes: int, target: str) -> KernelBuild:
    """Triton's shared memory is fixed when it compiles, though launched as dynamic."""
    return kernel.model_copy(
        update={
            "shared_static_bytes": shared_bytes,
            "occupancy": occupancy_limits(
                target, kernel.registers, shared_bytes, kernel.max_threads
            ),
        }
    )


def _request(candidate: Candidate, task: Task, target: str, folder: Path) -> str:
    shape = next((s for s in task.shapes if s.timed and "cuda" in s.devices), task.shapes[0])
    major, minor = compute_capability(target)
    return json.dumps(
        {
            "candidate": str(Path(candidate.path).resolve()),
            "symbol": task.entry.symbol,
            "inputs": [
                {
                    "dtype": spec.dtype,
                    "shape": [shape.dims[n] if isinstance(n, str) else n for n in spec.shape],
                }
                for spec in task.inputs
            ],
            "architecture": 10 * major + minor,
            "folder": str(folder),
            "result": _RESULT,
        }
    )


def _versions() -> str | None:
    try:
        return f"triton {version('triton')}, torch {version('torch')}"
    except PackageNotFoundError:
        return None


def _caution(report: BuildReport, text: str) -> BuildReport:
    return report.model_copy(update={"cautions": (text,)})
