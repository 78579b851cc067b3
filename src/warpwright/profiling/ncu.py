"""Run Nsight Compute on a program or on one call of a candidate, and come back with a report."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from warpwright import errors
from warpwright.errors import BadCandidate, BadInput, WarpwrightError
from warpwright.execution.profile_request import Outcome, Request
from warpwright.isolated import execution_command
from warpwright.model.candidate import Candidate
from warpwright.profiling import diagnose
from warpwright.profiling.command import ncu_command
from warpwright.profiling.judge import judge
from warpwright.profiling.options import Options
from warpwright.profiling.place import Place, move_into_place, open_place
from warpwright.profiling.process import Finished, run_in_group
from warpwright.profiling.tool import Tool, find_ncu
from warpwright.tasks import LoadedTask

TASK_LAUNCH_LIMIT = 64
OnLine = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Profiled:
    """A report and how it came about. `seconds`: wall-clock of Nsight Compute."""

    report: Path
    ncu_version: str | None
    launches: int | None
    seconds: float
    cautions: tuple[str, ...] = ()


def profile_command(
    program: Sequence[str], options: Options, on_line: OnLine | None = None
) -> Profiled:
    """Profile a program of the user's own.

    Raises:
        BadInput: no such program; the report exists already; no such folder.
        ToolMissing: no Nsight Compute.
        ProfilerFault: it could not profile, or no kernel matched.
    """
    if shutil.which(program[0]) is None:
        raise BadInput(f"{program[0]}: no such program", hint="give a path, or a name on PATH")
    with open_place(options) as place:
        tool = find_ncu()
        command = ncu_command(tool, program, options, report=place.report)
        finished = _run(command, options, place, on_line)
        cautions = judge(finished, tool, options, place, failure=None)
        return _keep(finished, tool, options, place, cautions)


def profile_task(
    task: LoadedTask,
    candidate: Candidate,
    artifact: Path,
    options: Options,
    dims: Mapping[str, int],
    distribution: str,
    on_line: OnLine | None = None,
) -> Profiled:
    """Profile every launch of one warm call of a built candidate.

    Args:
        task: the task, as loaded.
        candidate: the candidate, as loaded; its folder is searched for the source.
        artifact: what the build made of it.
        options: how; without a `launch_count` at most `TASK_LAUNCH_LIMIT` launches.
        dims: sizes of the call.
        distribution: how its inputs are drawn.
        on_line: gets every line that Nsight Compute and the target print.

    Raises:
        BadInput: the report exists already; the candidate cannot be called.
        ToolMissing: no Nsight Compute, or no torch.
        NoGpu: torch sees no CUDA device.
        ProfilerFault: Nsight Compute could not profile.
    """
    limited = options.launch_count is None
    options = replace(
        options,
        target_processes="application-only",
        launch_count=options.launch_count or TASK_LAUNCH_LIMIT,
    )
    with open_place(options) as place:
        tool = find_ncu()
        request = Request(
            task=str(task.folder.resolve()),
            language=candidate.language,
            artifact=str(artifact.resolve()),
            dims=dict(dims),
            distribution=distribution,
        )
        asked, answered = place.folder / "request.json", place.folder / "outcome.json"
        asked.write_text(request.model_dump_json(), encoding="utf-8")
        target = execution_command("warpwright.execution.profile_target")
        command = ncu_command(
            tool,
            [*target, str(asked), str(answered)],
            options,
            report=place.report,
            range_only=True,
            source_folder=Path(candidate.path).resolve().parent,
        )
        finished = _run(command, options, place, on_line)
        outcome = _read_outcome(answered)
        cautions = judge(finished, tool, options, place, failure=_failure(outcome))
        if outcome is not None and outcome.finite is False:
            cautions += ("the profiled call's outputs are not all finite",)
        if limited and diagnose.launch_count(finished.text) == TASK_LAUNCH_LIMIT:
            cautions += (
                f"only the first {TASK_LAUNCH_LIMIT} launches of the call were profiled "
                "(--launch-count takes more)",
            )
        return _keep(finished, tool, options, place, cautions)


def _run(command: list[str], options: Options, place: Place, on_line: OnLine | None) -> Finished:
    return run_in_group(command, timeout_s=options.timeout_s, log=place.log, on_line=on_line)


def _keep(
    finished: Finished, tool: Tool, options: Options, place: Place, cautions: tuple[str, ...]
) -> Profiled:
    made = place.made()
    assert made is not None  # judge has seen it
    report = move_into_place(made, options)
    launches = diagnose.launch_count(finished.text)
    return Profiled(report, tool.version, launches, finished.seconds, cautions)


def _read_outcome(path: Path) -> Outcome | None:
    """What the target wrote; None if it did not come to that."""
    return Outcome.model_validate_json(path.read_bytes()) if path.is_file() else None


def _failure(outcome: Outcome | None) -> WarpwrightError | None:
    if outcome is None or outcome.error is None:
        return None
    named = getattr(errors, outcome.kind or "", BadCandidate)
    known = isinstance(named, type) and issubclass(named, WarpwrightError)
    kind: type[WarpwrightError] = named if known else BadCandidate
    return kind(outcome.error, hint=outcome.hint)
