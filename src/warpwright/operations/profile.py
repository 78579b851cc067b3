"""Profile a candidate of a task, or any program, with Nsight Compute."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from warpwright.build.candidates import load_candidate
from warpwright.build.compile import build_candidate
from warpwright.config import require_tool
from warpwright.errors import BadInput
from warpwright.model.candidate import Candidate
from warpwright.model.profile import Profile
from warpwright.model.task import Shape, Task
from warpwright.operations.record import recorded_command
from warpwright.profiling import ncu
from warpwright.profiling.options import Options
from warpwright.profiling.place import check_output
from warpwright.tasks import load_task

OnLine = Callable[[str], None]
_UNLOCKED = (
    "clocks were not locked (--clock-control none): the times of two profiles can differ by a "
    "few percent"
)


def report_path(output: Path | None, stem: str) -> Path:
    """Where a report goes: as asked for, or named after its subject, in the current folder.

    Raises:
        BadInput: `output` cannot be a file's name.
    """
    path = Path(stem) if output is None else output
    if path.name in ("", ".."):
        raise BadInput(f"{path} is a folder", hint="give --output a file's name")
    return path if path.suffix == ".ncu-rep" else path.with_name(f"{path.name}.ncu-rep")


def profile_task(
    task_path: Path,
    candidate_path: Path,
    options: Options,
    shape_name: str | None = None,
    on_line: OnLine | None = None,
) -> Profile:
    """Build a candidate, warm it up and profile every launch of one call.

    Args:
        task_path: the task's folder.
        candidate_path: the candidate's file.
        options: how to profile.
        shape_name: one of the task's shapes; None: the first that is timed on CUDA.
        on_line: gets what Nsight Compute prints, line by line.

    Raises:
        BadInput: a task, candidate or shape that cannot be used; a report that exists already.
        EnvironmentFault: no ncu, no torch, no GPU, or a profiler that could not profile.
    """
    loaded = load_task(task_path)
    candidate = load_candidate(candidate_path)
    if candidate.language == "cpp":
        raise BadInput(
            f"{candidate.path} runs on the CPU; Nsight Compute profiles CUDA kernels",
            hint="profile a .cu or Triton candidate",
        )
    shape = choose_shape(loaded.task, shape_name)
    check_output(options)
    require_tool("ncu")
    artifact = build_candidate(candidate, task=loaded).artifact
    profiled = ncu.profile_task(
        loaded,
        candidate,
        artifact,
        options,
        shape.dims,
        loaded.task.distributions[0].name,
        on_line,
    )
    profile = _document(profiled, options)
    profile = profile.model_copy(
        update={"task": loaded.task.name, "candidate": candidate.path, "shape": shape.name}
    )
    _record(profiled.report, candidate)
    return profile


def profile_command(
    program: Sequence[str], options: Options, on_line: OnLine | None = None
) -> Profile:
    """Profile a program of the user's own.

    Raises:
        BadInput: no such program; a report that exists already.
        EnvironmentFault: no ncu, or a profiler that could not profile.
    """
    profiled = ncu.profile_command(program, options, on_line)
    profile = _document(profiled, options).model_copy(update={"command": tuple(program)})
    _record(profiled.report, None)
    return profile


def choose_shape(task: Task, name: str | None) -> Shape:
    """The shape to profile at.

    Raises:
        BadInput: no such shape, one that is held out, or none for a CUDA device.
    """
    usable = [s for s in task.shapes if "cuda" in s.devices and not s.held_out]
    if not usable:
        raise BadInput(f"task {task.name} has no shape for a CUDA device")
    if name is None:
        return next((s for s in usable if s.timed), usable[0])
    for shape in usable:
        if shape.name == name:
            return shape
    names = ", ".join(s.name for s in usable)
    raise BadInput(f"task {task.name} has no shape '{name}' to profile", hint=f"one of: {names}")


def _document(profiled: ncu.Profiled, options: Options) -> Profile:
    unlocked = (_UNLOCKED,) if options.clock_control == "none" else ()
    return Profile(
        report=str(profiled.report),
        ncu_version=profiled.ncu_version,
        launches=profiled.launches,
        seconds=profiled.seconds,
        preset=options.preset,
        clock_control=options.clock_control,
        cautions=profiled.cautions + unlocked,
    )


def _record(report: Path, candidate: Candidate | None) -> None:
    recorded = recorded_command()
    if recorded is not None:
        recorded.profiled(report, candidate)
