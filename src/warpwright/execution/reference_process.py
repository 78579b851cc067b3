"""The reference process: inputs, oracle, comparison, baselines. It never loads a candidate.

A candidate of the same user cannot look into it: its memory is hidden (root could).

Arguments: descriptors of the channel and of the shared memory, the memory's bytes, and the
controller's process id.
"""

from __future__ import annotations

import importlib.util
import statistics
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

from warpwright.errors import ToolMissing
from warpwright.execution.channel import Channel, Message
from warpwright.execution.process_control import die_with, hide_memory
from warpwright.execution.serving import serve

Dims = dict[str, int]
Key = list[str]
"""Of a baseline that is ready: function, mode, shape."""


@dataclass
class _Baseline:
    """A baseline at one shape, warmed up. `call` reads `inputs`, whose storage stays."""

    mode: str
    inputs: dict[str, Any]
    call: Callable[[], Any]


@dataclass
class ReferenceProcess:
    """What the process holds between requests."""

    memory: tuple[int, int]
    baselines: dict[tuple[str, ...], _Baseline] = field(default_factory=dict)

    def greet(self) -> Message:
        """Say what torch and what device are here."""
        if importlib.util.find_spec("torch") is None:
            raise ToolMissing("torch cannot be imported by this Python")
        import torch

        return {
            "torch": torch.__version__,
            "cuda": torch.version.cuda,
            "has_cuda": torch.cuda.is_available(),
        }

    def open(self, task: Message, reference: str, device: str) -> Message:
        """Load the task's reference file and open the device."""
        from warpwright.execution.arena import Arena
        from warpwright.execution.device import open_device
        from warpwright.execution.reference_file import load_reference
        from warpwright.model.task import Task

        self.task = Task.model_validate(task)
        self.device = open_device(device)
        self.reference = load_reference(Path(reference))
        self.arena = Arena(*self.memory, self.task)
        pinned = self.device.register(self.arena.bytes)
        return {"pinned": pinned, **self.device.facts()}

    def fill(self, dims: Dims, draws: list[tuple[int, str, int]]) -> Message:
        """Write fresh inputs into slots; a draw is (slot, distribution, seed)."""
        for slot, distribution, seed in draws:
            views = self.arena.inputs(dims, slot)
            for name, tensor in self._draw(dims, distribution, seed).items():
                views[name].copy_(tensor)
        return {}

    def compare(
        self, dims: Dims, slot: int, distribution: str, seed: int, poison_seed: int
    ) -> Message:
        """Compare the outputs in a slot with the reference on the inputs drawn from `seed`.

        The inputs are drawn again: what lies in shared memory may have been changed.
        """
        import torch

        from warpwright.execution.comparing import compare
        from warpwright.execution.device import poison

        inputs = self._draw(dims, distribution, seed)
        began = perf_counter()
        native = self._checked("reference", self._run("reference", inputs), dims)
        self.device.synchronize()
        seconds = perf_counter() - began
        exact = {name: x.double() if x.is_floating_point() else x for name, x in inputs.items()}
        oracle = self._checked("reference", self._run("reference", exact), dims, wide=True)
        results = []
        views = self.arena.outputs(dims, slot)
        for spec, mine, truth in zip(self.task.outputs, native, oracle, strict=True):
            output = views[spec.name].to(self.device.name, copy=True)
            poisoned = torch.empty_like(output)
            poison(poisoned, poison_seed)
            results.append(compare(spec.name, output, mine, truth, poisoned))
        return {"outputs": results, "reference_s": seconds}

    def bandwidth(self) -> Message:
        """Measure the device's copy bandwidth."""
        return {"bytes_per_s": self.device.copy_bandwidth()}

    def prepare(self, key: Key, dims: Dims, distribution: str, seed: int) -> Message:
        """Warm a baseline up (which compiles it), and capture its graph if mode is "graph"."""
        from warpwright.execution.timing import warm_up

        function, mode, _ = key
        inputs = self._draw(dims, distribution, seed)
        baseline = self.reference.function(function)

        def call() -> Any:
            return baseline(inputs)

        began = perf_counter()
        self._checked(function, call(), dims)
        self.device.synchronize()
        first_s = perf_counter() - began
        if mode == "graph":
            captured = self.device.capture(call, warm_calls=1)
            if captured is None:
                raise NotImplementedError("this device has no graphs")
            call = captured[0]
        warm_up(self.device, call)
        ready = self.baselines[tuple(key)] = _Baseline(mode, inputs, call)
        estimate = statistics.median(self._times(ready, lambda: None, 2))
        return {"first_s": first_s, "estimate_ns": estimate}

    def time(self, key: Key, dims: Dims, distribution: str, seeds: list[int]) -> Message:
        """Time one call for every seed, each on fresh inputs."""
        fresh = iter(seeds)
        baseline = self.baselines[tuple(key)]

        def refresh() -> None:
            drawn = self._draw(dims, distribution, next(fresh))
            for name, tensor in baseline.inputs.items():
                tensor.copy_(drawn[name])

        return {"ns": self._times(baseline, refresh, len(seeds))}

    def _times(self, baseline: _Baseline, refresh: Callable[[], None], count: int) -> list[float]:
        from warpwright.execution.timing import timed_sample

        call, mode = baseline.call, baseline.mode
        return [timed_sample(self.device, refresh, call, mode)[0] for _ in range(count)]

    def _draw(self, dims: Dims, distribution: str, seed: int) -> dict[str, Any]:
        return self.reference.make_inputs(self.task, dims, distribution, seed, self.device.name)

    def _run(self, function: str, inputs: dict[str, Any]) -> tuple[Any, ...]:
        """Call the reference; what its own code raises is the task's fault, CUDA's is not."""
        from warpwright.errors import BadTask, WarpwrightError
        from warpwright.execution.source_file import blame

        try:
            return self.reference.function(function)(inputs)
        except WarpwrightError:
            raise
        except Exception as error:
            if "CUDA" in str(error):
                raise
            raise BadTask(f"{blame(self.reference.path, error)} (in {function})") from error

    def _checked(
        self, function: str, outputs: tuple[Any, ...], dims: Dims, *, wide: bool = False
    ) -> tuple[Any, ...]:
        """The outputs, if they are what the task says (`wide`: computed on float64 inputs)."""
        from warpwright.errors import BadTask
        from warpwright.execution.form import problems

        found = problems(self.task, outputs, dims, self.device.name, wide=wide)
        if found:
            where = f"{self.reference.path}: {function}{' on float64 inputs' if wide else ''}"
            raise BadTask(f"{where}: {found[0]}")
        return outputs


def main() -> None:
    """Serve the controller."""
    channel, memory, size, controller = map(int, sys.argv[1:5])
    die_with(controller)
    hide_memory()
    process = ReferenceProcess((memory, size))
    handlers = {
        name: getattr(process, name)
        for name in ("open", "fill", "compare", "bandwidth", "prepare", "time")
    }
    serve(Channel(channel), process.greet, handlers)


if __name__ == "__main__":
    main()
