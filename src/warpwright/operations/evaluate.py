"""Build candidates and judge them: correct or not, and how fast."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Literal

from warpwright.build.candidates import check_unchanged, load_candidate
from warpwright.build.compile import build_candidate
from warpwright.errors import BuildFailed, ToolMissing
from warpwright.evaluation.bench import Request
from warpwright.evaluation.devices import Say, choose_device, has_nvidia_device
from warpwright.evaluation.judging import judge_all
from warpwright.evaluation.reference import TORCH_HINT
from warpwright.evaluation.worker import Subject
from warpwright.model.build import BuildReport
from warpwright.model.candidate import Candidate
from warpwright.model.digest import Finding, Speedup
from warpwright.model.verdict import Check, Evaluation, Prediction, Timing, Verdict
from warpwright.operations.found import find_finding
from warpwright.operations.ledger import score_prediction
from warpwright.operations.locate import locate_report
from warpwright.operations.place import place_of
from warpwright.operations.record import recorded_command
from warpwright.tasks import LoadedTask, load_task

_SLACK = 0.02  # a measured gain this far outside the predicted range still counts as within


@dataclass(frozen=True, slots=True)
class EvaluateOptions:
    """How to evaluate. `because`: the address of the finding that was acted on."""

    request: Request = field(default_factory=Request)
    via: Literal["nvcc", "torch"] = "nvcc"
    because: str | None = None


@dataclass(frozen=True, slots=True)
class _Entrant:
    """A candidate and what its build gave: a subject, or the compiler's first error."""

    candidate: Candidate
    report: BuildReport | None
    subject: Subject | None
    problem: str | None = None


def evaluate(
    task_path: Path,
    candidate_paths: Sequence[Path],
    options: EvaluateOptions,
    say: Say = lambda _: None,
) -> Evaluation:
    """Judge every candidate, record each verdict as soon as it is there, return them all.

    Args:
        task_path: the task's folder.
        candidate_paths: the candidates' files.
        options: how.
        say: gets one line at every step, for a progress display.

    Raises:
        BadInput: a task, candidate or address that cannot be used; the only candidate does not
            compile (one of several gets the verdict "incorrect").
        EnvironmentFault: no torch, no GPU for a candidate that needs one, no compiler.
    """
    task = load_task(task_path)
    candidates = [load_candidate(path) for path in candidate_paths]
    found = find_finding(options.because) if options.because else None
    if importlib.util.find_spec("torch") is None:
        raise ToolMissing("torch cannot be imported by this Python", hint=TORCH_HINT)
    choose_device(candidates, options.request.device, has_nvidia_device())
    command = recorded_command()
    if command:
        for candidate in candidates:
            command.keep(candidate)
    entrants = [_built(task, c, options, say, alone=len(candidates) == 1) for c in candidates]
    verdicts = []
    for entrant, verdict in _judged(task, entrants, options.request, say):
        if found and options.because:
            prediction = _prediction(found.finding, options.because, verdict)
            verdict = verdict.model_copy(update={"prediction": prediction})
        if command:
            command.evaluated(entrant.candidate, entrant.report, verdict, options.because)
        if found:
            score_prediction(found, verdict, command.store.name if command else None)
        verdicts.append(verdict)
    return Evaluation(verdicts=tuple(verdicts))


def shortfalls(evaluation: Evaluation, min_speedup: float | None) -> tuple[str, ...]:
    """A line for every correct candidate whose speedup's interval reaches below `min_speedup`."""
    if min_speedup is None:
        return ()
    lines = []
    for verdict in evaluation.verdicts:
        lows = [speedup.low for speedup in verdict.speedups]
        if verdict.status == "correct" and min(lows, default=0.0) < min_speedup:
            least = f"as little as {min(lows):.3g}x" if lows else "not measured"
            lines.append(f"{verdict.candidate}: speedup {least}, {min_speedup:g}x was asked for")
    return tuple(lines)


def is_positive(evaluation: Evaluation, min_speedup: float | None) -> bool:
    """Every candidate is correct, and no speedup's interval reaches below `min_speedup`."""
    correct = all(verdict.status == "correct" for verdict in evaluation.verdicts)
    return correct and not shortfalls(evaluation, min_speedup)


def has_fault(evaluation: Evaluation) -> bool:
    """The evaluator failed on some candidate."""
    return any(verdict.status == "infrastructure-error" for verdict in evaluation.verdicts)


def _built(
    task: LoadedTask, candidate: Candidate, options: EvaluateOptions, say: Say, *, alone: bool
) -> _Entrant:
    say(f"building {candidate.name}")
    began = monotonic()
    try:
        build = build_candidate(candidate, via=options.via, task=task)
    except BuildFailed as error:
        if alone:
            raise
        return _Entrant(candidate, None, None, str(error))
    is_python = candidate.language in ("python", "triton")
    source = check_unchanged(candidate) if is_python else None
    subject = Subject(candidate, build.artifact, monotonic() - began, source)
    return _Entrant(candidate, build.report, subject)


def _judged(
    task: LoadedTask, entrants: Sequence[_Entrant], request: Request, say: Say
) -> Iterator[tuple[_Entrant, Verdict]]:
    subjects = [entrant.subject for entrant in entrants if entrant.subject]
    all_built = len(subjects) == len(entrants)
    with closing(judge_all(task, subjects, request, say, first=all_built)) as verdicts:
        for entrant in entrants:
            yield entrant, next(verdicts) if entrant.subject else _unbuilt(task, entrant)


def _unbuilt(task: LoadedTask, entrant: _Entrant) -> Verdict:
    problem = f"does not compile: {entrant.problem}"
    return Verdict(
        task=task.task.name,
        task_sha256=task.sha256,
        candidate=entrant.candidate.name,
        candidate_sha256=entrant.candidate.sha256,
        status="incorrect",
        reasons=(problem,),
        rel_error=None,
        checks=(Check(name="build", passed=False, detail=problem),),
    )


def _prediction(finding: Finding, because: str, verdict: Verdict) -> Prediction:
    """What the finding promised, and old time over new time where the run knows the old time."""
    prediction = Prediction(
        because=because,
        finding=finding.id,
        low=finding.speedup.low,
        expected=finding.speedup.expected,
        high=finding.speedup.high,
        from_candidate=None,
        measured=None,
        within=None,
    )
    command = recorded_command()
    report = locate_report(Path(place_of(because).report))
    for timing in verdict.timings if command else ():
        if timing.subject != "candidate":
            continue
        known = command and command.time_before(report, timing.shape, timing.mode, like=verdict)
        if known:
            gain = {"from_candidate": known[0], **_gain(known[1], timing, finding.speedup)}
            return prediction.model_copy(update=gain)
    return prediction


def _gain(old: Timing, new: Timing, promised: Speedup) -> dict[str, float | bool]:
    measured = old.median_ns / new.median_ns
    low, high = promised.low * (1.0 - _SLACK), promised.high * (1.0 + _SLACK)
    return {
        "measured": measured,
        "measured_low": old.p20_ns / new.p80_ns,
        "measured_high": old.p80_ns / new.p20_ns,
        "within": low <= measured <= high,
    }
