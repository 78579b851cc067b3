"""From a built candidate to its verdict: check, time in fresh processes, judge."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Generator, Sequence
from contextlib import closing
from time import monotonic

from warpwright.errors import EvaluatorFault, WarpwrightError
from warpwright.evaluation.assemble import verdict_of
from warpwright.evaluation.bench import Bench, Request, open_bench
from warpwright.evaluation.contestants import copy_bandwidth, keep, make_ready
from warpwright.evaluation.correctness import check, failed
from warpwright.evaluation.devices import Say
from warpwright.evaluation.effort import new_draw, seed, timed_shapes
from warpwright.evaluation.evidence import Evidence
from warpwright.evaluation.rounds import Heat, Timed, modes_of
from warpwright.evaluation.worker import CandidateError, Subject, Worker
from warpwright.model.task import Shape
from warpwright.model.verdict import Mode, Verdict
from warpwright.tasks import LoadedTask


def judge_all(
    task: LoadedTask, subjects: Sequence[Subject], request: Request, say: Say, *, first: bool = True
) -> Generator[Verdict, None, None]:
    """A verdict for every subject, in order, as soon as it is there.

    A reference process serves them all; after an infrastructure error the next subject gets a
    new one. Close the generator to end all processes early.

    Args:
        task: the task.
        subjects: the candidates.
        request: what is asked.
        say: gets one line at every step.
        first: no verdict has been reached before these.

    Raises:
        see `open_bench`; only before the first verdict. What happens later makes all that are
        left infrastructure errors.
    """
    left = deque(subjects)
    try:
        while left:
            with closing(_on_one_bench(task, left, request, say)) as verdicts:
                for verdict in verdicts:
                    left.popleft()
                    first = False
                    yield verdict
    except (WarpwrightError, OSError) as fault:
        if first:
            raise
        for subject in left:
            yield _not_judged(task, subject, fault)


def _on_one_bench(
    task: LoadedTask, subjects: Collection[Subject], request: Request, say: Say
) -> Generator[Verdict, None, None]:
    """Verdicts as long as the bench is usable."""
    everyone = list(subjects)
    with open_bench(task, [subject.candidate for subject in everyone], request, say) as bench:
        for subject in everyone:
            verdict = judge(bench, subject)
            yield verdict
            if verdict.status == "infrastructure-error" or (
                _shook_the_device(verdict) and not bench.device_works()
            ):
                return


def _not_judged(task: LoadedTask, subject: Subject, fault: Exception) -> Verdict:
    return Verdict(
        task=task.task.name,
        task_sha256=task.sha256,
        candidate=subject.candidate.name,
        candidate_sha256=subject.candidate.sha256,
        status="infrastructure-error",
        reasons=(str(fault),),
        rel_error=None,
    )


def judge(bench: Bench, subject: Subject) -> Verdict:
    """The verdict on one candidate. Whatever the candidate does ends up in it."""
    began = monotonic()
    evidence = Evidence()
    try:
        _examine(bench, subject, evidence)
        environment = bench.environment
        if evidence.timed:
            environment = bench.environment_now()
            copy_bandwidth(bench)
    except EvaluatorFault as fault:
        evidence.fault = str(fault)
        environment = bench.environment
    return verdict_of(bench, subject, evidence, environment, monotonic() - began)


def _shook_the_device(verdict: Verdict) -> bool:
    return any(not c.passed and c.name in ("crash", "hang", "raised") for c in verdict.checks)


def _examine(bench: Bench, subject: Subject, evidence: Evidence) -> None:
    try:
        for repetition in range(bench.effort.processes):
            bench.say(f"{subject.candidate.name}: process {repetition + 1}")
            with bench.worker(subject) as worker:
                if repetition == 0:
                    began = monotonic()
                    evidence.checks += check(bench, worker)
                    evidence.check_s = monotonic() - began
                if not evidence.sound:
                    break
                began = monotonic()
                _time(bench, worker, evidence)
                evidence.time_s += monotonic() - began
    except CandidateError as error:
        evidence.checks.append(failed(error, None))


def _time(bench: Bench, worker: Worker, evidence: Evidence) -> None:
    """One heat for every shape and mode, until one finds a fault."""
    for mode in modes_of(bench):
        for shape in timed_shapes(bench.task.task, bench.device):
            where = (shape.name, mode)
            if where not in evidence.contestants:
                evidence.contestants[where] = make_ready(bench, shape, mode)
            if not _is_ready(bench, worker, shape, mode, evidence):
                continue
            bench.say(f"timing shape {shape.name} ({mode})")
            timed = evidence.timed.setdefault(where, Timed())
            try:
                Heat(bench, worker, shape, mode, timed).run(evidence.contestants[where].live)
            finally:
                evidence.checks += timed.checks
                timed.checks.clear()
            if not evidence.sound:
                return
            for name, blocks in timed.baselines.items():
                keep(bench, shape, mode, name, [ns for _, block in blocks for ns in block])


def _is_ready(bench: Bench, worker: Worker, shape: Shape, mode: Mode, evidence: Evidence) -> bool:
    """Warm up the candidate. False, and a note, where it cannot be captured as a graph."""
    try:
        bench.fill(shape, [new_draw(bench.task.task, shape, bench.rng)])
        worker.prepare(shape, mode, seed(bench.rng))
    except CandidateError as error:
        if mode != "graph" or error.name != "raised":
            raise
        evidence.note(f"no CUDA graph of the candidate: {error}")
        return False
    return True
