"""The controller's side of a candidate worker: requests, and what may be believed of answers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter_ns
from typing import Any

from warpwright.config import cache_dir
from warpwright.evaluation.child import Child, ChildError, ChildLostError
from warpwright.evaluation.effort import Effort
from warpwright.model.candidate import Candidate
from warpwright.model.task import DeviceKind, Shape
from warpwright.model.verdict import Mode
from warpwright.tasks import LoadedTask


@dataclass(frozen=True, slots=True)
class Subject:
    """A candidate and what the build made of it."""

    candidate: Candidate
    artifact: Path
    build_s: float


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

    def __init__(self, child: Child, effort: Effort) -> None:
        self._child = child
        self._effort = effort

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
        return Claim(_times(answer.get("ns"), len(slots)), wall)

    def _ask(self, op: str, timeout_s: float, **arguments: Any) -> dict[str, Any]:
        try:
            return self._child.request(op, timeout_s, **arguments)
        except ChildError as error:
            raise CandidateError("raised", str(error)) from None
        except ChildLostError as death:
            raise _failure(death) from None


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
    module = "warpwright.execution.worker_process"
    with Child(module, *memory, _own_caches(candidate)) as child:
        try:
            child.greeting(effort.setup_timeout_s)
            child.request(
                "open",
                effort.setup_timeout_s,
                task=task.task.model_dump(mode="json"),
                language=candidate.language,
                artifact=str(subject.artifact.resolve()),
                device=device,
            )
        except ChildError as error:
            raise CandidateError("raised", f"cannot be loaded: {error}") from None
        except ChildLostError as death:
            raise _failure(death, "while it was loaded, ") from None
        yield Worker(child, effort)


def _own_caches(candidate: Candidate) -> Mapping[str, str]:
    """Caches of compilers that run inside the worker: no candidate meets another's."""
    folder = cache_dir() / "workers" / candidate.sha256[:16]
    return {
        "TORCHINDUCTOR_CACHE_DIR": str(folder / "inductor"),
        "TRITON_CACHE_DIR": str(folder / "triton"),
    }


def _failure(death: ChildLostError, when: str = "") -> CandidateError:
    return CandidateError(death.kind, f"{when}{death}")


def _texts(claimed: object) -> list[str]:
    if not isinstance(claimed, list):
        raise CandidateError("protocol", "sent a malformed answer")
    return [str(text)[:300] for text in claimed]


def _times(claimed: object, count: int) -> tuple[float, ...]:
    times = claimed if isinstance(claimed, list) else []
    sound = [t for t in times if isinstance(t, int | float) and math.isfinite(t) and t > 0]
    if len(sound) != count or len(times) != count:
        raise CandidateError("protocol", "claimed times that are no times")
    return tuple(float(t) for t in sound)
