"""The controller's side of the reference process: what it can be asked, with types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from warpwright.config import cache_dir
from warpwright.errors import BadTask, EvaluatorFault, ToolMissing
from warpwright.evaluation.child import Child, ChildError, ChildLostError
from warpwright.evaluation.environment import of_reference
from warpwright.evaluation.judge import Draw, OutputError
from warpwright.model.task import Baseline, DeviceKind, Shape
from warpwright.model.verdict import Mode
from warpwright.tasks import LoadedTask

_START_S = 120.0
_ANSWER_S = 600.0
_COMPILE_S = 900.0
TORCH_HINT = (
    "install torch for your CUDA version (https://pytorch.org); "
    "the rest of warpwright works without it"
)


class Reference:
    """The reference process. All it raises is BadTask, ToolMissing or EvaluatorFault."""

    def __init__(self, memory: int, size: int) -> None:
        environment = of_reference(cache_dir())
        self._child = Child("warpwright.execution.reference_process", memory, size, environment)
        self._estimates: dict[tuple[str, str, str], float] = {}
        self.reference_s: dict[str, float] = {}
        """Seconds the reference took in its own precision, by shape."""

    def close(self) -> None:
        """End it."""
        self._child.close()

    def greeting(self) -> dict[str, Any]:
        """Versions of torch and CUDA, and whether a CUDA device can be used."""
        return self._told(lambda: self._child.greeting(_START_S))

    def open(self, task: LoadedTask, device: DeviceKind) -> dict[str, Any]:
        """Load the task. Returns the device's name, uuid and L2 bytes."""
        return self._ask(
            "open",
            task=task.task.model_dump(mode="json"),
            reference=str(task.reference_path.resolve()),
            device=device,
        )

    def fill(self, shape: Shape, slots: Sequence[int], drawn: Sequence[Draw]) -> None:
        """Write the inputs of every draw into its slot."""
        places = [(s, d.distribution, d.seed) for s, d in zip(slots, drawn, strict=True)]
        self._ask("fill", dims=shape.dims, draws=places)

    def compare(
        self, shape: Shape, slot: int, draw: Draw, poison_seed: int
    ) -> tuple[OutputError, ...]:
        """How far the outputs in a slot are from the float64 oracle."""
        answer = self._ask(
            "compare",
            dims=shape.dims,
            slot=slot,
            distribution=draw.distribution,
            seed=draw.seed,
            poison_seed=poison_seed,
        )
        self.reference_s[shape.name] = answer["reference_s"]
        return tuple(OutputError(**fields) for fields in answer["outputs"])

    def bandwidth(self) -> float:
        """Measured copy bandwidth in bytes (read plus written) per second."""
        return float(self._ask("bandwidth")["bytes_per_s"])

    def prepare(self, baseline: Baseline, mode: Mode, shape: Shape, draw: Draw) -> float:
        """Warm a baseline up, once. Returns an estimate of its time in ns.

        Raises:
            ChildError: it cannot run in this mode (no graph, say).
        """
        key = (baseline.function, mode, shape.name)
        if key not in self._estimates:
            arguments = {"distribution": draw.distribution, "seed": draw.seed}
            try:
                answer = self._child.request(
                    "prepare", _COMPILE_S, key=key, dims=shape.dims, **arguments
                )
            except ChildLostError as death:
                raise _fault(death) from None
            self._estimates[key] = float(answer["estimate_ns"])
        return self._estimates[key]

    def time(
        self, baseline: Baseline, mode: Mode, shape: Shape, distribution: str, seeds: list[int]
    ) -> list[float]:
        """Nanoseconds of one call of a baseline for every seed."""
        key = (baseline.function, mode, shape.name)
        answer = self._ask("time", key=key, dims=shape.dims, distribution=distribution, seeds=seeds)
        return [float(ns) for ns in answer["ns"]]

    def _ask(self, op: str, **arguments: Any) -> dict[str, Any]:
        return self._told(lambda: self._child.request(op, _ANSWER_S, **arguments))

    def _told(self, ask: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        try:
            return ask()
        except ChildError as error:
            if error.kind == "ToolMissing":
                raise ToolMissing(str(error), hint=TORCH_HINT) from None
            if error.kind == "BadTask":
                raise BadTask(str(error), hint=error.hint) from None
            raise EvaluatorFault(f"the reference process failed: {error}") from None
        except ChildLostError as death:
            raise _fault(death) from None


def _fault(death: ChildLostError) -> EvaluatorFault:
    return EvaluatorFault(f"the reference process {death}")
