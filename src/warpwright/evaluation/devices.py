"""Which device candidates run on, who may use it, and what nvidia-smi tells of it."""

from __future__ import annotations

import fcntl
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from warpwright.config import cache_dir
from warpwright.errors import BadInput, NoGpu
from warpwright.model.candidate import Candidate
from warpwright.model.task import DeviceKind

DeviceChoice = Literal["auto", "cuda", "cpu"]
Say = Callable[[str], None]


def has_nvidia_device() -> bool:
    """Whether a driver's device files are here. torch has the last word."""
    return any(Path(node).exists() for node in ("/dev/nvidiactl", "/dev/dxg"))


def choose_device(candidates: list[Candidate], choice: DeviceChoice, has_cuda: bool) -> DeviceKind:
    """The device that all candidates run on: CUDA C++ and Triton need CUDA, C++ the CPU."""
    on_cuda = [c.name for c in candidates if c.language in ("cuda", "triton")]
    on_cpu = [c.name for c in candidates if c.language == "cpp"]
    if on_cuda and (on_cpu or choice == "cpu"):
        other = f"{on_cpu[0]} needs the CPU" if on_cpu else "--device cpu was asked for"
        raise BadInput(
            f"{on_cuda[0]} needs a CUDA device, and {other}", hint="evaluate them separately"
        )
    if on_cpu and choice == "cuda":
        raise BadInput(
            f"{on_cpu[0]} is C++ for the CPU: it cannot run with --device cuda",
            hint="leave --device out",
        )
    if (on_cuda or choice == "cuda") and not has_cuda:
        who = f"{on_cuda[0]} needs" if on_cuda else "--device cuda asks for"
        raise NoGpu(
            f"{who} a CUDA device, and torch finds none here",
            hint="evaluate a portable candidate (.py or .cpp) with --device cpu",
        )
    if on_cpu or choice == "cpu":
        return "cpu"
    return "cuda" if has_cuda else "cpu"


@contextmanager
def only_one_on(uuid: str, say: Say) -> Iterator[None]:
    """Hold a GPU against other evaluations. The lock is gone with the process that holds it."""
    folder = cache_dir() / "locks"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / uuid).open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another evaluation on this GPU")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def driver_and_clock(uuid: str | None) -> tuple[str | None, int | None]:
    """Driver version and SM clock (MHz) from nvidia-smi; None where it does not tell."""
    command = ["nvidia-smi", "--query-gpu=driver_version,clocks.sm"]
    command += ["--format=csv,noheader,nounits", *([f"--id={uuid}"] if uuid else [])]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError):
        return None, None
    driver, _, clock = done.stdout.strip().partition("\n")[0].partition(", ")
    return driver or None, int(clock) if clock.strip().isdigit() else None
