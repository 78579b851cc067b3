"""What the reference and worker processes compute, called here without a process between."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from warpwright.execution.layout import offsets, slot_bytes
from warpwright.model.task import Task

from .conftest import TASK, write_candidate

pytestmark = pytest.mark.torch

DIMS = {"N": 5, "M": 7}


@pytest.fixture
def affine() -> Task:
    return Task.model_validate(tomllib.loads(TASK))


@pytest.fixture
def memory(affine: Task) -> Iterator[tuple[int, int]]:
    size = 3 * slot_bytes(affine, DIMS)
    descriptor = os.memfd_create("test")
    os.ftruncate(descriptor, size)
    yield descriptor, size
    os.close(descriptor)


def test_slots_do_not_overlap_and_are_page_aligned(affine: Task) -> None:
    places = [place for slot in range(3) for place in offsets(affine, DIMS, slot).values()]
    assert len(set(places)) == 9
    assert all(place % 4096 == 0 for place in places)
    assert max(places) < 3 * slot_bytes(affine, DIMS)


def test_numbers_of_a_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    from warpwright.execution import comparing

    monkeypatch.setattr(comparing, "_CHUNK", 7)  # several chunks, the last one ragged
    oracle = torch.linspace(1.0, 4.0, 30, dtype=torch.float64).view(5, 6)
    output = oracle.clone()
    output[3, 2] += 0.5
    poisoned = torch.zeros_like(output)
    output[0, 0] = poisoned[0, 0]
    found = comparing.compare("y", output, oracle, oracle, poisoned)
    scale = float(oracle.square().mean().sqrt())
    assert found["rel_rmse"] == pytest.approx(((0.25 + 1.0) / 30) ** 0.5 / scale)
    assert found["rel_worst"] == pytest.approx(1.0 / scale)
    assert found["worst_at"] == [0, 0]
    assert (found["unwritten"], found["wrong_finiteness"]) == (1, 0)
    assert found["rel_rmse_reference"] == 0.0


def test_infinities_are_right_only_where_the_oracle_has_the_same() -> None:
    import torch

    from warpwright.execution.comparing import compare

    inf, nan = float("inf"), float("nan")
    oracle = torch.tensor([1.0, inf, inf, nan, 2.0], dtype=torch.float64)
    output = torch.tensor([1.0, inf, -inf, nan, nan])
    found = compare("y", output, oracle.float(), oracle, torch.zeros(5))
    assert found["wrong_finiteness"] == 2
    assert found["rel_rmse"] == 0.0


@pytest.mark.parametrize("size", [1e-200, 1.0, 1e200])
def test_errors_are_relative_whatever_the_size_of_float64(size: float) -> None:
    import torch

    from warpwright.execution.channel import pack
    from warpwright.execution.comparing import compare

    oracle = torch.linspace(-4.0, 4.0, 30, dtype=torch.float64) * size
    zeros = torch.zeros_like(oracle)
    found = compare("y", oracle * 1.01, oracle, oracle, zeros)
    assert found["rel_rmse"] == pytest.approx(0.01)
    assert found["rel_rmse_reference"] == 0.0
    wild = torch.full_like(oracle, -1.7e308)
    found = compare("y", wild, wild, oracle, zeros)
    pack(found)  # all numbers can be told
    assert found["rel_rmse"] > 1e100
    assert found["rel_rmse_reference"] in (0.0, found["rel_rmse"])


def test_poison_is_the_same_for_the_same_seed_only() -> None:
    import torch

    from warpwright.execution.device import poison

    one, same, other = (torch.zeros(64) for _ in range(3))
    poison(one, 1)
    poison(same, 1)
    poison(other, 2)
    bits = [x.view(torch.int32) for x in (one, same, other)]
    assert torch.equal(bits[0], bits[1])
    assert not torch.equal(bits[0], bits[2])


def _with_graphs() -> Any:
    """The CPU with graphs as CUDA has them: fixed tensors, recomputed by every replay."""
    from warpwright.execution.device import CpuDevice

    class GraphDevice(CpuDevice):
        def capture(
            self, call: Callable[[], Any], warm_calls: int
        ) -> tuple[Callable[[], None], Any] | None:
            outputs = call()

            def replay() -> None:
                for output, fresh in zip(outputs, call(), strict=True):
                    output.copy_(fresh)

            return replay, outputs

    return GraphDevice()


@pytest.mark.parametrize("mode", ["cpu", "graph"])
def test_a_worker_times_fresh_inputs_and_leaves_the_outputs(
    affine: Task, memory: tuple[int, int], tmp_path: Path, mode: str
) -> None:
    import torch

    from warpwright.execution.worker_process import WorkerProcess

    worker = WorkerProcess(memory)
    path = write_candidate(tmp_path, "good", "return scale * x + 1.5")
    worker.open(affine.model_dump(mode="json"), "python", str(path), "cpu")
    worker.device = _with_graphs()
    for slot in range(3):
        for tensor in worker.arena.inputs(DIMS, slot).values():
            tensor.fill_(slot + 1.0)
    assert worker.prepare(DIMS, mode, 1)["problems"] == []
    timed = worker.time(DIMS, [2, 0, 1], [4, 5, 6])
    assert timed["problems"] == []
    assert len(timed["ns"]) == 3
    for slot in range(3):
        value = (slot + 1.0) ** 2 + 1.5
        expected = torch.full((5, 7), value)
        assert torch.equal(worker.arena.outputs(DIMS, slot)["y"], expected)


def test_a_graph_that_computes_nothing_leaves_poison(
    affine: Task, memory: tuple[int, int], tmp_path: Path
) -> None:
    import torch

    from warpwright.execution.device import poison
    from warpwright.execution.worker_process import WorkerProcess

    worker = WorkerProcess(memory)
    path = write_candidate(tmp_path, "good", "return scale * x + 1.5")
    worker.open(affine.model_dump(mode="json"), "python", str(path), "cpu")
    device = _with_graphs()
    device.capture = lambda call, warm_calls: (lambda: None, call())
    worker.device = device
    worker.prepare(DIMS, "graph", 1)
    worker.time(DIMS, [0], [77])
    poisoned = torch.empty(5, 7)
    poison(poisoned, 77)
    left = worker.arena.outputs(DIMS, 0)["y"]
    assert torch.equal(left.view(torch.int32), poisoned.view(torch.int32))


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("return (scale * x + 1.5).t().contiguous().t()", "strides [1, 5], it must be contiguous"),
        ("return x[:1].expand(5, 7)", "strides [0, 1]"),
        ("return scale * x + 1.5, x", "returned 2 outputs, the task has 1"),
        ("return x.mul_(scale).add_(1.5)", "shares memory with another tensor"),
        ("return torch.nn.Parameter(x.clone())", "is a Parameter, not a torch.Tensor"),
        ("return torch.empty(5, 7, device='meta')", "its memory on meta, the task runs on cpu"),
    ],
)
def test_outputs_of_another_form_are_told(
    affine: Task, memory: tuple[int, int], tmp_path: Path, body: str, words: str
) -> None:
    from warpwright.execution.worker_process import WorkerProcess

    worker = WorkerProcess(memory)
    path = write_candidate(tmp_path, "formless", body)
    worker.open(affine.model_dump(mode="json"), "python", str(path), "cpu")
    (problem,) = worker.check(DIMS, 0, 1)["problems"]
    assert words in problem
