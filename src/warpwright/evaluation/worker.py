"""The controller's side of a candidate worker: requests, and what may be believed of answers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter_ns
from typing import Any

from warpwright.config import cache_dir
from warpwright.evaluation.child import Child, ChildError, ChildLostError
from warpwright.evaluation.effort import Effort
from warpwright.evaluation.environment import of_candidate
from warpwright.evaluation.texts import one_line
from warpwright.model.candidate import Candidate
from warpwright.model.task import DeviceKind, Shape
from warpwright.model.verdict import Mode
from warpwright.tasks import LoadedTask

_MOST_PROBLEMS = 16


@dataclass(frozen=True, slots=True)
class Subject:
    """A candidate and what the build made of it.

    `source`: the bytes of a candidate that is loaded as Python; every process gets a copy of
    them, so that no edit of the file, the user's or a candidate's, changes what is judged.
    None: `artifact` is loaded.
    """

    candidate: Candidate
    artifact: Path
    build_s: float
    source: bytes | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """Times a worker says its calls took, and the wall time the controller saw, in ns."""

    times_ns: tuple[float, ...]
    wall_ns: float


class CandidateError(Exception):
    """The candidate is at fault. `name` is that of the check it fails (see `judge.GRAVITY`)."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(text)
        self.name = name


class Worker:
    """One fresh process that holds the candidate. All it raises is CandidateError."""

    def __init__(self, child: Child, effort: Effort, names: tuple[str, str]) -> None:
        """`names`: the path of the file that is loaded, and the path to call it by."""
        self._child = child
        self._effort = effort
        self._names = names

    def open(self, task: LoadedTask, language: str, device: DeviceKind) -> None:
        """Wait for its start and have it load the candidate."""
        timeout = self._effort.setup_timeout_s
        try:
            self._child.greeting(timeout)
            self._child.request(
                "open",
                timeout,
                task=task.task.model_dump(mode="json"),
                language=language,
                artifact=self._names[0],
                device=device,
            )
        except ChildError as error:
            text = f"cannot be loaded: {self._by_its_path(str(error))}"
            raise CandidateError("raised", text) from None
        except ChildLostError as death:
            text = f"while it was loaded, {self._by_its_path(str(death))}"
            raise CandidateError(death.kind, text) from None

    def check(self, shape: Shape, slot: int, poison_seed: int, slack_s: float) -> list[str]:
        """One call. Returns what the worker says is wrong with the form of the outputs."""
        timeout = self._effort.call_timeout_s + slack_s
        answer = self._ask("check", timeout, dims=shape.dims, slot=slot, poison_seed=poison_seed)
        return _texts(answer.get("problems"))

    def prepare(self, shape: Shape, mode: Mode, poison_seed: int) -> None:
        """Warm up at a shape; mode "graph": capture a call."""
        timeout = self._effort.setup_timeout_s
        answer = self._ask("prepare", timeout, dims=shape.dims, mode=mode, poison_seed=poison_seed)
        if problems := _texts(answer.get("problems")):
            raise CandidateError("form", problems[0])

    def time(self, shape: Shape, slots: list[int], poison_seeds: list[int]) -> Claim:
        """Time one call on every slot, in the mode that was prepared last."""
        timeout = self._effort.call_timeout_s * len(slots)
        arguments = {"dims": shape.dims, "slots": slots, "poison_seeds": poison_seeds}
        began = perf_counter_ns()
        answer = self._ask("time", timeout, **arguments)
        wall = float(perf_counter_ns() - began)
        if problems := _texts(answer.get("problems")):
            raise CandidateError("form", problems[0])
        return Claim(believable_times(answer.get("ns"), len(slots)), wall)

    def repeat(self, calls: int) -> float:
        """That many calls in a row as they were last timed, and everything waited for.

        Returns nanoseconds on this process's own clock.
        """
        began = perf_counter_ns()
        self._ask("repeat", self._effort.call_timeout_s * max(1, calls), calls=calls)
        return float(perf_counter_ns() - began)

    def _ask(self, op: str, timeout_s: float, **arguments: Any) -> dict[str, Any]:
        try:
            return self._child.request(op, timeout_s, **arguments)
        except ChildError as error:
            raise CandidateError("raised", self._by_its_path(str(error))) from None
        except ChildLostError as death:
            raise CandidateError(death.kind, self._by_its_path(str(death))) from None

    def _by_its_path(self, text: str) -> str:
        return text.replace(*self._names)


@contextmanager
def open_worker(
    task: LoadedTask,
    subject: Subject,
    device: DeviceKind,
    memory: tuple[int, int],
    effort: Effort,
) -> Iterator[Worker]:
    """Start a worker and load the candidate; killed with all it started at the end."""
    candidate = subject.candidate
    caches = cache_dir() / "workers" / candidate.sha256[:16]  # no candidate meets another's
    environment = of_candidate(caches)
    with (
        _loaded_from(subject) as file,
        Child("warpwright.execution.worker_process", *memory, environment) as child,
    ):
        worker = Worker(child, effort, (str(file), candidate.path))
        worker.open(task, candidate.language, device)
        yield worker


@contextmanager
def _loaded_from(subject: Subject) -> Iterator[Path]:
    if subject.source is None:
        yield subject.artifact.resolve()
        return
    with TemporaryDirectory(prefix="warpwright-", ignore_cleanup_errors=True) as folder:
        file = Path(folder).resolve() / subject.artifact.name
        file.write_bytes(subject.source)
        yield file


def _texts(claimed: object) -> list[str]:
    if not isinstance(claimed, list):
        raise CandidateError("protocol", "sent a malformed answer")
    return [one_line(text) for text in claimed[:_MOST_PROBLEMS]]


def believable_times(claimed: object, count: int) -> tuple[float, ...]:
    """That many positive numbers. Raises CandidateError ("protocol") for anything else."""
    times = claimed if isinstance(claimed, list) else []
    if len(times) != count or not all(map(_is_time, times)):
        raise CandidateError("protocol", "claimed times that are no times")
    return tuple(map(float, times))


def _is_time(claimed: object) -> bool:
    """A positive number that a float can hold."""
    if isinstance(claimed, bool) or not isinstance(claimed, int | float):
        return False
    try:
        return math.isfinite(claimed) and claimed > 0
    except OverflowError:  # an integer of hundreds of digits
        return False
