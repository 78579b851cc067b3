"""From what Nsight Compute printed to what is wrong and what to do. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

_LAUNCH = re.compile(r"100% - \d+ pass")
_LISTED = re.compile(r"\s*\d+\.\s+(\S.*?)\s*$")
_APPLICATION = re.compile(r"==ERROR== The application returned an error code \((-?\d+)\)")
_SHOWN_KERNELS = 8


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One line that says what is wrong, and what to do about it."""

    id: str
    message: str
    hint: str


@dataclass(frozen=True, slots=True)
class Known:
    """What the profiler says, and what it means."""

    id: str
    pattern: str
    message: str
    hint: str


NO_COUNTERS = (
    "what needs no counters still works: warpwright build (registers, spills, SASS) and "
    "warpwright evaluate"
)
KNOWN = (
    Known(
        "counters.permission",
        r"ERR_NVGPUCTRPERM",
        "this user may not read the GPU's performance counters (ERR_NVGPUCTRPERM)",
        "on the host set NVreg_RestrictProfilingToAdminUsers=0 for the nvidia module and reboot; "
        "in a container add CAP_SYS_ADMIN; a tenant of a rented GPU cannot change it: "
        f"{NO_COUNTERS}",
    ),
    Known(
        "driver.mismatch",
        r"driver is not compatible with Nsight Compute",
        "Nsight Compute {ncu} does not work with NVIDIA driver {driver}",
        "update the driver, or install an Nsight Compute no newer than it and set WARPWRIGHT_NCU",
    ),
    Known(
        "driver.library",
        r"LibraryNotLoaded|Failed to load Nsight Compute CUDA modules",
        "Nsight Compute {ncu} found no driver library to profile with (NVIDIA driver {driver})",
        "the two do not fit, or the GPU is virtualized or sandboxed without counters: use an "
        f"Nsight Compute that fits the driver; else {NO_COUNTERS}",
    ),
    Known(
        "driver.stub",
        r"failed to connect to the CUDA driver",
        "Nsight Compute could not connect to the CUDA driver (a stub libcuda.so on the path?)",
        "take folders named stubs out of LD_LIBRARY_PATH; nvidia-smi shows whether a driver runs",
    ),
    Known(
        "device.unsupported",
        r"Profiling is not supported on device",
        "Nsight Compute {ncu} does not know this GPU",
        "ncu --list-chips shows what it knows; install a newer Nsight Compute, set WARPWRIGHT_NCU",
    ),
    Known(
        "lock",
        r"nsight-compute-lock|InterprocessLockFailed",
        "another user's lock file stops Nsight Compute (nsight-compute-lock in the temporary "
        "folder)",
        "remove that file if nobody is profiling, or run with TMPDIR set to a folder of your own",
    ),
    Known(
        "counters.busy",
        r"driver resource was unavailable|HARDWARE_BUSY|hardware busy",
        "another tool holds the GPU's performance counters (DCGM, most likely)",
        "dcgmi profile --pause, profile again, then dcgmi profile --resume",
    ),
    Known(
        "mig.clocks",
        r"Cannot lock GPU clock frequencies on MIG",
        "clocks cannot be locked on a MIG instance",
        "profile with --clock-control none",
    ),
    Known(
        "option",
        r"unrecogni[sz]ed option '([^']+)'",
        "Nsight Compute {ncu} does not know an option it was given: {0}",
        "install a newer Nsight Compute and set WARPWRIGHT_NCU to it",
    ),
    Known(
        "metric",
        r"Failed to find (?:metric|section)s? (\S+)",
        "Nsight Compute {ncu} does not know what was to be collected: {0}",
        "install a newer Nsight Compute and set WARPWRIGHT_NCU to it, or try --set quick",
    ),
)


def known_fault(text: str, *, ncu: str | None, driver: str | None) -> Diagnosis | None:
    """The first of `KNOWN` that the output shows; None if there is none.

    Args:
        text: all that Nsight Compute and the program printed.
        ncu: version of Nsight Compute.
        driver: version of the NVIDIA driver.
    """
    said = "\n".join(line for line in text.splitlines() if "==ERROR==" in line)
    for known in KNOWN:
        found = re.search(known.pattern, said)
        if found:
            versions = {"ncu": ncu or "(unknown version)", "driver": driver or "(unknown version)"}
            message = known.message.format(*found.groups(), **versions)
            return Diagnosis(known.id, message, known.hint)
    return None


def no_kernels(text: str, *, kernel: str | None, target_processes: str) -> Diagnosis | None:
    """Why nothing was profiled; None if the output does not say so."""
    if "No kernels were profiled" not in text:
        return None
    ran = available_kernels(text)
    if ran:
        shown = ", ".join(ran[:_SHOWN_KERNELS])
        rest = f" and {len(ran) - _SHOWN_KERNELS} more" if len(ran) > _SHOWN_KERNELS else ""
        wanted = f"'{kernel}'" if kernel else "the launch filter"
        return Diagnosis(
            "no_kernels.filter",
            f"no launch matches {wanted}; kernels that ran: {shown}{rest}",
            "give --kernel part of one of these names (a regular expression), or a smaller "
            "--launch-skip",
        )
    if target_processes != "all":
        return Diagnosis(
            "no_kernels.processes",
            "no kernel was launched in the program's own process",
            "if a child process launches them, profile with --target-processes all",
        )
    return Diagnosis(
        "no_kernels.none",
        "no kernel was profiled: none was launched where Nsight Compute could see it",
        "does the program use the GPU here, and not in a process that was already running (a "
        "server, a remote worker)? Check it without the profiler first",
    )


def no_report(exit_code: int, text: str) -> Diagnosis:
    """The last resort: the program failed, or Nsight Compute said something unknown."""
    program = _APPLICATION.search(text)
    errors = error_lines(text)
    if program and len(errors) == 1:
        return Diagnosis(
            "program",
            f"the program failed under the profiler: it ended with code {program[1]}",
            "run it without the profiler first; the log has what it printed",
        )
    what = f": {errors[0]}" if errors else f" (exit code {exit_code})"
    return Diagnosis("unknown", f"Nsight Compute made no report{what}", "the log has all it said")


def available_kernels(text: str) -> tuple[str, ...]:
    """The list that follows `Available Kernels:`, each once."""
    lines = iter(text.splitlines())
    for line in lines:
        if line.strip() == "Available Kernels:":
            break
    names = []
    for line in lines:
        listed = _LISTED.match(line)
        if listed is None:
            break
        names.append(listed[1])
    return tuple(dict.fromkeys(names))


def error_lines(text: str) -> list[str]:
    """What Nsight Compute calls an error, each in one line; its headings are left out."""
    lines = [line.partition("==ERROR==")[2].strip() for line in text.splitlines()]
    return [line for line in lines if line and not line.startswith("An error was reported by")]


def launch_count(text: str) -> int | None:
    """Launches whose every pass was made; None if the output shows none."""
    return len(_LAUNCH.findall(text)) or None


def program_exit_code(text: str) -> int | None:
    """What the program itself returned, where Nsight Compute complains of it."""
    found = _APPLICATION.search(text)
    return int(found[1]) if found else None
