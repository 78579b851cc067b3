"""All that differs between a CUDA device and the CPU when a call is prepared and timed."""

from __future__ import annotations

import contextlib
import os
import statistics
from collections.abc import Callable
from pathlib import Path
from time import perf_counter_ns
from typing import Any, Protocol

import torch

_CPU_FLUSH_BYTES = 64 << 20
_MIN_FLUSH_BYTES = 64 << 20


class Device(Protocol):
    """Where calls run. `name` is what torch calls it."""

    name: str

    def facts(self) -> dict[str, Any]:
        """What it is: name, uuid, L2 bytes."""

    def register(self, memory: torch.Tensor) -> bool:
        """Pin host memory (bytes) so that copies are fast; False where that failed."""

    def synchronize(self) -> None:
        """Wait for everything on the device."""

    def flush(self) -> None:
        """Evict what a call could find in the caches (on a GPU: enqueued, not waited for)."""

    def time_call(self, call: Callable[[], Any]) -> tuple[float, Any]:
        """Call once: nanoseconds until what it enqueued on the current stream is done, result.

        It returns when the whole device is idle. What ran elsewhere escapes the events; the
        controller's clock (`evaluation.clocks`) does not miss it.
        """

    def capture(
        self, call: Callable[[], Any], warm_calls: int
    ) -> tuple[Callable[[], None], Any] | None:
        """A CUDA graph of one call: (replay, what the call returned). None: has no graphs."""

    def copy_bandwidth(self) -> float:
        """Bytes read plus written per second of a large copy."""


class CpuDevice:
    """The CPU: perf_counter, and a 64 MB buffer touched before every call."""

    name = "cpu"

    def __init__(self) -> None:
        self._flush = torch.zeros(_CPU_FLUSH_BYTES, dtype=torch.uint8)

    def facts(self) -> dict[str, Any]:
        return {"name": _cpu_name(), "uuid": None, "l2_bytes": None}

    def register(self, memory: torch.Tensor) -> bool:
        return False

    def synchronize(self) -> None:
        return None

    def flush(self) -> None:
        self._flush.add_(1)

    def time_call(self, call: Callable[[], Any]) -> tuple[float, Any]:
        start = perf_counter_ns()
        result = call()
        return float(perf_counter_ns() - start), result

    def capture(
        self, call: Callable[[], Any], warm_calls: int
    ) -> tuple[Callable[[], None], Any] | None:
        return None

    def copy_bandwidth(self) -> float:
        return _bandwidth(self, 128 << 20, repeats=5)


class CudaDevice:
    """The current CUDA device: events on the current stream."""

    name = "cuda"

    def __init__(self) -> None:
        self._properties = torch.cuda.get_device_properties(torch.cuda.current_device())
        size = max(_MIN_FLUSH_BYTES, 2 * int(getattr(self._properties, "L2_cache_size", 0)))
        self._flush = torch.empty(size, dtype=torch.uint8, device="cuda")

    def facts(self) -> dict[str, Any]:
        uuid = str(getattr(self._properties, "uuid", "")) or None
        if uuid and not uuid.startswith("GPU-"):
            uuid = "GPU-" + uuid
        l2 = getattr(self._properties, "L2_cache_size", None)
        return {"name": self._properties.name, "uuid": uuid, "l2_bytes": l2}

    def register(self, memory: torch.Tensor) -> bool:
        runtime = torch.cuda.cudart()
        status = runtime.cudaHostRegister(memory.data_ptr(), memory.numel(), 0)
        if status == runtime.cudaError.success:
            return True
        with contextlib.suppress(RuntimeError):  # the next call would meet the error's remains
            torch.zeros(1, device="cuda").add_(1)
        return False

    def synchronize(self) -> None:
        torch.cuda.synchronize()

    def flush(self) -> None:
        self._flush.zero_()

    def time_call(self, call: Callable[[], Any]) -> tuple[float, Any]:
        start = torch.cuda.Event(enable_timing=True)
        end = torch.cuda.Event(enable_timing=True)
        start.record()
        result = call()
        end.record()
        torch.cuda.synchronize()
        return start.elapsed_time(end) * 1e6, result

    def capture(
        self, call: Callable[[], Any], warm_calls: int
    ) -> tuple[Callable[[], None], Any] | None:
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(warm_calls):
                call()
        torch.cuda.current_stream().wait_stream(side)
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            result = call()
        torch.cuda.synchronize()
        return graph.replay, result

    def copy_bandwidth(self) -> float:
        free, _ = torch.cuda.mem_get_info()
        return _bandwidth(self, min(1 << 30, free // 4), repeats=15)


def open_device(name: str) -> Device:
    """The device by torch's name, with gradients and TF32 off: the same on both sides."""
    torch.set_grad_enabled(False)
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    return CudaDevice() if name == "cuda" else CpuDevice()


def poison(tensor: torch.Tensor, seed: int) -> None:
    """Fill a contiguous tensor with random bits, the same for the same seed and device kind."""
    generator = torch.Generator(tensor.device).manual_seed(seed)
    tensor.view(-1).view(torch.uint8).random_(0, 256, generator=generator)


def _bandwidth(device: Device, size: int, repeats: int) -> float:
    source = torch.ones(size, dtype=torch.uint8, device=device.name)
    target = torch.zeros_like(source)
    target.copy_(source)
    device.synchronize()
    times = []
    for _ in range(repeats):
        device.flush()
        times.append(device.time_call(lambda: target.copy_(source))[0])
    return 2.0 * size / (statistics.median(times) * 1e-9)


def _cpu_name() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2] for line in lines if line.startswith("model name")]
    count = len(os.sched_getaffinity(0))
    return f"{names[0].strip() if names else 'CPU'} ({count} threads)"
