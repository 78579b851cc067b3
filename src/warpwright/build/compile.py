"""Build a candidate: what can be loaded and called, and the report on it."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path

from warpwright.build.candidates import check_unchanged
from warpwright.build.kernels import read_kernels
from warpwright.build.log import first_error, warnings
from warpwright.build.process import run_compiler
from warpwright.build.recipes import LIBRARY, OUTPUT, Recipe, Via, native_recipe
from warpwright.build.store import build_key, new_build_folder, store_build, stored_build
from warpwright.build.triton import build_triton
from warpwright.cubin.fatbin import embedded_cubins
from warpwright.errors import BuildFailed
from warpwright.model.build import BuildReport, KernelBuild
from warpwright.model.candidate import Candidate
from warpwright.tasks import LoadedTask

TIMEOUT_S = 300.0
_NO_MACHINE_CODE = "a Python candidate has no machine code of its own to report on"


@dataclass(frozen=True, slots=True)
class Build:
    """`artifact`: the shared library with the candidate's entry, or its Python file itself."""

    report: BuildReport
    artifact: Path


def build_candidate(
    candidate: Candidate,
    *,
    target: str | None = None,
    via: Via = "nvcc",
    task: LoadedTask | None = None,
    timeout_s: float = TIMEOUT_S,
) -> Build:
    """Compile a candidate, or take the finished build of the same source, flags and compiler.

    Args:
        candidate: as `load_candidate` read it.
        target: sm_90a and the like; None: this machine's GPU, else sm_90a.
        via: nvcc alone (seconds, no torch), or torch's extension builder (needs `task`).
        task: how the candidate is called; a Triton candidate is compiled for its shapes.
        timeout_s: limit on the compiler's wall-clock time.

    Raises:
        BuildFailed: the compiler refused it (its first error; `log` has all) or took too long.
        BadCandidate: the file changed since it was loaded, or sets a flag it may not set.
        BadInput: a target that is none; via="torch" without a task.
        ToolMissing: no compiler here.
    """
    source = check_unchanged(candidate)
    if candidate.language == "python":
        return Build(_uncompiled(candidate), Path(candidate.path))
    if candidate.language == "triton":
        return Build(build_triton(candidate, target, task, timeout_s), Path(candidate.path))
    recipe = native_recipe(candidate, source, target, via, task.task if task else None)
    key = build_key(recipe.ingredients)
    found = stored_build(key, LIBRARY)
    if found is not None:
        folder, report = found
        own = {"candidate": candidate.path, "cached": True}
        return Build(report.model_copy(update=own), folder / LIBRARY)
    with new_build_folder() as folder:
        report = _make(candidate, recipe, folder, timeout_s)
        return Build(report, store_build(key, LIBRARY, folder, report) / LIBRARY)


def _uncompiled(candidate: Candidate) -> BuildReport:
    return BuildReport(
        candidate=candidate.path,
        candidate_sha256=candidate.sha256,
        language=candidate.language,
        target=None,
        compiler=None,
        command=(),
        seconds=0.0,
        kernels=(),
        cautions=(_NO_MACHINE_CODE,),
    )


def _make(candidate: Candidate, recipe: Recipe, folder: Path, timeout_s: float) -> BuildReport:
    command = [part.replace(OUTPUT, str(folder)) for part in recipe.command]
    request = recipe.request and recipe.request.replace(OUTPUT, str(folder))
    done = run_compiler(command, folder=folder, timeout_s=timeout_s, request=request)
    library = folder / LIBRARY
    if done.status != 0 or not library.is_file():
        hint = f"compiled with: {shlex.join(recipe.shown)}"
        raise BuildFailed(_blame(candidate, done.log), hint=hint, log=done.log)
    check_unchanged(candidate)
    kernels, cautions = _machine_code(candidate, library, done.log)
    return BuildReport(
        candidate=candidate.path,
        candidate_sha256=candidate.sha256,
        language=candidate.language,
        target=recipe.target,
        compiler=recipe.compiler,
        command=recipe.shown,
        seconds=round(done.seconds, 3),
        kernels=kernels,
        warnings=warnings(done.log),
        cautions=cautions,
    )


def _blame(candidate: Candidate, log: str) -> str:
    """The compiler's first error, with the candidate's path as the user gave it."""
    told = first_error(log).replace(str(Path(candidate.path).resolve()), candidate.path)
    return told if candidate.path in told else f"{candidate.path}: {told}"


def _machine_code(
    candidate: Candidate, library: Path, log: str
) -> tuple[tuple[KernelBuild, ...], tuple[str, ...]]:
    if candidate.language != "cuda":
        return (), ()
    kernels: list[KernelBuild] = []
    cautions: list[str] = []
    for cubin in embedded_cubins(library.read_bytes()):
        more, said = read_kernels(cubin, log, Path(candidate.path).name)
        kernels += more
        cautions += said
    if not kernels:
        cautions.append("the library holds no kernel")
    return tuple(kernels), tuple(dict.fromkeys(cautions))
