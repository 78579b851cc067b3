"""The candidate worker: it holds a candidate and does as the controller asks.

Whatever it answers is a claim. Arguments: descriptors of the channel and of the shared memory,
the memory's bytes, and the controller's process id.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from warpwright.execution.channel import Channel, Message
from warpwright.execution.process_control import die_with
from warpwright.execution.serving import serve

Dims = dict[str, int]
Tensors = dict[str, Any]


@dataclass
class _Stage:
    """The device tensors of one shape, and how the candidate is called on them.

    `held`: the tensors that the next call will write, where they are known beforehand (a Python
    candidate allocates its own at every call, unless a graph was captured).
    """

    dims: Dims
    inputs: Tensors
    call: Callable[[], tuple[Any, ...]]
    mode: str = "launch"
    held: tuple[Any, ...] = ()


class WorkerProcess:
    """What the process holds between requests."""

    def __init__(self, memory: tuple[int, int]) -> None:
        self._memory = memory
        self._stage: _Stage | None = None

    def greet(self) -> Message:
        """Import torch; what is here was said by the reference process."""
        import torch

        return {"torch": torch.__version__}

    def open(self, task: Message, language: str, artifact: str, device: str) -> Message:
        """Open the device and load the candidate, in this order."""
        from warpwright.execution.arena import Arena
        from warpwright.execution.calling import load_call
        from warpwright.execution.device import open_device
        from warpwright.model.task import Task

        self.task = Task.model_validate(task)
        self.device = open_device(device)
        self.arena = Arena(*self._memory, self.task)
        self.device.register(self.arena.bytes)
        self.native = language in ("cuda", "cpp")
        self.candidate = load_call(self.task, language, Path(artifact))
        return {}

    def probe(self, device: str) -> Message:
        """Whether the device still computes, seen from a fresh context. Loads no candidate."""
        import torch

        total = torch.ones(1 << 16, device=device).sum()
        return {"works": float(total) == float(1 << 16)}

    def check(self, dims: Dims, slot: int, poison_seed: int) -> Message:
        """One call on the inputs of a slot; the outputs go there. Returns what looked wrong."""
        stage = self._staged(dims)
        self._refresh(stage, slot, poison_seed)
        outputs = stage.call()
        self.device.synchronize()
        found = self._problems(stage, outputs)
        if not found:
            self._keep(dims, slot, outputs)
            found = self._changed_inputs(stage, slot)
        return {"problems": found}

    def prepare(self, dims: Dims, mode: str, poison_seed: int) -> Message:
        """Warm up on the inputs of slot 0; in mode "graph" capture a call."""
        from warpwright.execution.timing import warm_up

        self._stage = None
        stage = self._staged(dims)
        self._refresh(stage, 0, poison_seed)
        calls, outputs = warm_up(self.device, stage.call)
        if mode == "graph":
            captured = self.device.capture(stage.call, warm_calls=2)
            if captured is None:
                raise NotImplementedError("this device has no graphs")
            replay, outputs = captured
            stage.call, stage.held = _replaying(replay, outputs), outputs
        stage.mode = mode
        return {"problems": self._problems(stage, outputs), "calls": calls}

    def time(self, dims: Dims, slots: list[int], poison_seeds: list[int]) -> Message:
        """Time one call on each slot, in order, and leave the outputs there."""
        from warpwright.execution.timing import timed_sample

        stage = self._staged(dims)
        times, found = [], []
        for slot, seed in zip(slots, poison_seeds, strict=True):
            refresh = partial(self._refresh, stage, slot, seed)
            ns, outputs = timed_sample(self.device, refresh, stage.call, stage.mode)
            times.append(ns)
            found += self._problems(stage, outputs)
            if found:
                break
            self._keep(dims, slot, outputs)
            del outputs
        return {"ns": times, "problems": found}

    def repeat(self, calls: int) -> Message:
        """Call in a row as it was last timed, then wait for the whole device."""
        stage = self._stage
        if stage is None:
            raise ValueError("nothing was timed")
        for _ in range(calls):
            stage.call()
        self.device.synchronize()
        return {}

    def _staged(self, dims: Dims) -> _Stage:
        if self._stage is None or self._stage.dims != dims:
            self._stage = None
            self._stage = self._new_stage(dims)
        return self._stage

    def _new_stage(self, dims: Dims) -> _Stage:
        import torch

        def empty_like(views: Tensors) -> Tensors:
            return {n: torch.empty_like(v, device=self.device.name) for n, v in views.items()}

        inputs = empty_like(self.arena.inputs(dims, 0))
        buffers = empty_like(self.arena.outputs(dims, 0)) if self.native else {}
        candidate = self.candidate

        def call() -> tuple[Any, ...]:
            return candidate(inputs, buffers, dims)

        return _Stage(dims, inputs, call, held=tuple(buffers.values()))

    def _refresh(self, stage: _Stage, slot: int, poison_seed: int) -> None:
        """Fresh inputs in place, and random bits where the outputs will be.

        Where the candidate allocates its outputs itself, poisoned tensors of their sizes are
        freed just before, for the allocator to hand out again.
        """
        import torch

        from warpwright.execution.device import poison

        for name, view in self.arena.inputs(stage.dims, slot).items():
            stage.inputs[name].copy_(view)
        views = self.arena.outputs(stage.dims, slot)
        held = stage.held or tuple(
            torch.empty_like(view, device=self.device.name) for view in views.values()
        )
        for output in held:
            poison(output, poison_seed)
        self.device.synchronize()

    def _problems(self, stage: _Stage, outputs: tuple[Any, ...]) -> list[str]:
        from warpwright.execution.form import problems

        inputs = stage.inputs.values()
        return problems(self.task, outputs, stage.dims, self.device.name, inputs=inputs)

    def _changed_inputs(self, stage: _Stage, slot: int) -> list[str]:
        import torch

        changed = []
        for name, view in self.arena.inputs(stage.dims, slot).items():
            pristine = view.to(self.device.name)
            bits = (x.view(-1).view(torch.uint8) for x in (pristine, stage.inputs[name]))
            if not torch.equal(*bits):
                changed.append(f"changed its input {name}")
        return changed

    def _keep(self, dims: Dims, slot: int, outputs: tuple[Any, ...]) -> None:
        for view, output in zip(self.arena.outputs(dims, slot).values(), outputs, strict=True):
            view.copy_(output)


def _replaying(
    replay: Callable[[], None], outputs: tuple[Any, ...]
) -> Callable[[], tuple[Any, ...]]:
    def call() -> tuple[Any, ...]:
        replay()
        return outputs

    return call


def main() -> None:
    """Serve the controller."""
    channel, memory, size, controller = map(int, sys.argv[1:5])
    die_with(controller)
    process = WorkerProcess((memory, size))
    handlers = {
        name: getattr(process, name)
        for name in ("open", "probe", "check", "prepare", "time", "repeat")
    }
    serve(Channel(channel), process.greet, handlers)


if __name__ == "__main__":
    main()
