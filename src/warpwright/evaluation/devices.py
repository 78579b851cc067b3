"""Which device candidates run on, who may use it, and what nvidia-smi tells of it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from warpwright.errors import BadInput, EvaluatorFault, NoGpu
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
    """Hold a GPU against other evaluations, those of other users too.

    The lock is gone with the process that holds it; its file stays in the system's temporary
    folder, for all to open.

    Raises:
        EvaluatorFault: the file cannot be opened.
    """
    path = Path(tempfile.gettempdir()) / f"warpwright-{uuid}.lock"
    try:
        file = _opened_for_all(path)
    except OSError as error:
        raise EvaluatorFault(
            f"{path}: cannot be opened ({error.strerror})", hint="remove it, or set TMPDIR"
        ) from None
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another evaluation on this GPU")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)


def _opened_for_all(path: Path) -> int:
    """A descriptor. Another user's file is never opened to create it: kernels refuse that."""
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW
    with contextlib.suppress(FileExistsError):
        file = os.open(path, flags | os.O_CREAT | os.O_EXCL, 0o666)
        os.fchmod(file, 0o666)  # whatever the umask
        return file
    return os.open(path, flags)


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
