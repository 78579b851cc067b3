"""What all candidates of one command share: the task, the reference process, the memory."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import Literal

from warpwright.config import cache_dir
from warpwright.errors import BadTask
from warpwright.evaluation.child import Child, ChildError, ChildLostError
from warpwright.evaluation.devices import (
    DeviceChoice,
    Say,
    choose_device,
    driver_and_clock,
    only_one_on,
)
from warpwright.evaluation.effort import Effort, effort_for, shapes_on
from warpwright.evaluation.environment import of_candidate
from warpwright.evaluation.judge import Draw
from warpwright.evaluation.reference import Reference
from warpwright.evaluation.stored import StoredMeasurements
from warpwright.evaluation.worker import Subject, Worker, open_worker
from warpwright.execution.layout import slot_bytes
from warpwright.execution.process_control import guarding
from warpwright.model.candidate import Candidate
from warpwright.model.task import DeviceKind, Shape
from warpwright.model.verdict import Environment
from warpwright.tasks import LoadedTask

BaselineSource = Literal["auto", "live", "cached"]

_MEMORY_BYTES = 2 << 30
_PROBE_S = 60.0


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of a bench. `time_limit_s` None: the task's own."""

    device: DeviceChoice = "auto"
    baselines: BaselineSource = "auto"
    time_limit_s: float | None = None
    call_timeout_s: float | None = None
    quick: bool = False


@dataclass(frozen=True, slots=True)
class Bench:
    """An open bench. `memory` is the descriptor and the size of the shared memory."""

    task: LoadedTask
    request: Request
    effort: Effort
    device: DeviceKind
    reference: Reference
    memory: tuple[int, int]
    environment: Environment
    uuid: str | None
    l2_bytes: int | None
    stored: StoredMeasurements
    rng: random.Random
    say: Say
    compare_s: dict[str, float] = field(default_factory=dict)
    """Seconds that comparing one call with the oracle takes at least, by shape."""

    def slots(self, shape: Shape) -> int:
        """How many calls of a shape fit into the shared memory, at most a block of samples."""
        size = slot_bytes(self.task.task, shape.dims)
        return max(1, min(self.effort.samples, _MEMORY_BYTES // size))

    def fill(self, shape: Shape, drawn: list[Draw]) -> None:
        """Inputs of each draw into the slot of its position."""
        self.reference.fill(shape, list(range(len(drawn))), drawn)

    def environment_now(self) -> Environment:
        """The environment with the SM clock of this moment."""
        if self.device == "cpu":
            return self.environment
        _, clock = driver_and_clock(self.uuid)
        return self.environment.model_copy(update={"sm_clock_mhz": clock})

    def device_works(self) -> bool:
        """After a failed candidate: does a GPU still compute, seen from a fresh process?"""
        if self.device == "cpu":
            return True
        self.say("probing the GPU")
        try:
            environment = of_candidate(cache_dir())
            with Child("warpwright.execution.worker_process", *self.memory, environment) as child:
                child.greeting(_PROBE_S)
                return bool(child.request("probe", _PROBE_S, device=self.device).get("works"))
        except (ChildError, ChildLostError):
            return False

    @contextmanager
    def worker(self, subject: Subject) -> Iterator[Worker]:
        """A fresh process with the candidate."""
        with open_worker(self.task, subject, self.device, self.memory, self.effort) as worker:
            yield worker


@contextmanager
def open_bench(
    task: LoadedTask, candidates: list[Candidate], request: Request, say: Say
) -> Iterator[Bench]:
    """Start the reference process on the device that the candidates need.

    Raises:
        ToolMissing: torch is not there.
        NoGpu: a CUDA or Triton candidate, and no device for it.
        BadInput: candidates that cannot run on one and the same device.
        BadTask: the task has no shape for that device, or its reference cannot be used.
        EvaluatorFault: the reference process failed.
    """
    size = _memory_size(task, quick=request.quick)
    with ExitStack() as stack:
        stack.enter_context(guarding())
        memory = os.memfd_create("warpwright")
        stack.callback(os.close, memory)
        os.ftruncate(memory, size)
        say("starting the reference process")
        reference = Reference(memory, size)
        stack.callback(reference.close)
        versions = reference.greeting()
        device = choose_device(candidates, request.device, bool(versions["has_cuda"]))
        if not shapes_on(task.task, device):
            where = "GPU" if device == "cuda" else "CPU"
            raise BadTask(
                f"task {task.task.name} has no shape for the {where}",
                hint=f'"{device}" must be among the `devices` of a shape in task.toml',
            )
        facts = reference.open(task, device)
        if device == "cuda":
            stack.enter_context(only_one_on(facts["uuid"] or "gpu", say))
        driver, clock = driver_and_clock(facts["uuid"]) if device == "cuda" else (None, None)
        environment = Environment(
            device_kind=device,
            device=str(facts["name"]),
            driver=driver,
            torch=str(versions["torch"]),
            cuda=versions["cuda"] if device == "cuda" else None,
            tf32=False,
            sandbox="process",
            sm_clock_mhz=clock,
        )
        identity = (environment.device, facts["uuid"], driver, environment.torch)
        yield Bench(
            task=task,
            request=request,
            effort=_effort(task, device, request),
            device=device,
            reference=reference,
            memory=(memory, size),
            environment=environment,
            uuid=facts["uuid"],
            l2_bytes=facts["l2_bytes"],
            stored=StoredMeasurements(cache_dir() / "baselines", identity),
            rng=random.SystemRandom(),
            say=say,
        )


def _effort(task: LoadedTask, device: DeviceKind, request: Request) -> Effort:
    effort = effort_for(device, task.task, quick=request.quick, time_limit_s=request.time_limit_s)
    if request.call_timeout_s is None:
        return effort
    return replace(effort, call_timeout_s=request.call_timeout_s)


def _memory_size(task: LoadedTask, *, quick: bool) -> int:
    """Enough for a block of samples of every shape. Pages that are not touched cost nothing."""
    sizes = []
    for device in ("cuda", "cpu"):
        samples = effort_for(device, task.task, quick=quick, time_limit_s=None).samples
        for shape in shapes_on(task.task, device):
            slot = slot_bytes(task.task, shape.dims)
            sizes.append(max(slot, min(samples * slot, _MEMORY_BYTES)))
    return max(sizes)
