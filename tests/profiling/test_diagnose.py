"""The symptoms are lines that real versions of Nsight Compute printed (2019 to 2026)."""

from __future__ import annotations

import pytest

from warpwright.profiling import diagnose

PERMISSION = """\
==PROF== Connected to process 1929595 (/opt/app)
==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance \
Counters on the target device 0. For instructions on enabling permissions and to get more \
information see https://developer.nvidia.com/ERR_NVGPUCTRPERM
==PROF== Disconnected from process 1929595
==WARNING== No kernels were profiled.
==WARNING== Profiling kernels launched by child processes requires the --target-processes all \
option.
"""
INCOMPATIBLE = """\
==ERROR== An error was reported by the driver:
==ERROR== Cuda driver is not compatible with Nsight Compute.
==PROF== Connected to process 2305223 (/usr/bin/python3.11)
==ERROR== The application returned an error code (11).
"""
NOT_LOADED = """\
==ERROR== An error was reported by the counter measurement library:
==ERROR== Failed to initialize the profiler: LibraryNotLoaded. Check that a compatible driver \
library is loaded.
==PROF== Trying to shutdown target application
==ERROR== The application returned an error code (9).
"""
STUB = """\
==ERROR== Nsight Compute failed to connect to the CUDA driver (stub libcuda.so[.1] on path?).
==ERROR== The application returned an error code (1).
"""
UNSUPPORTED = """\
==ERROR== Profiling is not supported on device 0. To find out supported GPUs refer --list-chips \
option.
==WARNING== No kernels were profiled.
"""
LOCK = """\
==ERROR== Failed to open/create lock file /tmp/nsight-compute-lock. Please check that this process \
has write permissions on this file. See \
https://docs.nvidia.com/nsight-compute/ProfilingGuide/index.html#faq for more details.
==ERROR== Failed to profile "vectorized_elementwise_kernel" in process 2323392
==PROF== Trying to shutdown target application
"""
BUSY = """\
==ERROR== An error was reported by the driver:

==ERROR== Profiling failed because a driver resource was unavailable. Ensure that no other tool \
(like DCGM) is concurrently collecting profiling data. See \
https://docs.nvidia.com/nsight-compute/ProfilingGuide/index.html#faq for more details.
==ERROR== Failed to profile "risk_battle_kernel" in process 7508
==PROF== Trying to shutdown target application
==ERROR== An error occurred while trying to profile.
==WARNING== No kernels were profiled.
"""
MIG = """\
==PROF== Profiling "v1" - 0: 0%
==ERROR== An error was reported by the driver

==ERROR== Cannot lock GPU clock frequencies on MIG! Try locking the clocks externally (e.g. using \
'nvidia-smi --lock-gpu-clocks=tdp,tdp') or profile without fixed frequencies (see \
'--clock-control').
"""
METRIC = """\
==PROF== Connected to process 20101 (/usr/bin/python3.10)
==ERROR== Failed to find metric regex:^flop_count_sp\\.(sum|min|max|avg|pct|ratio|max_rate)$
"""
OPTION = "==ERROR== unrecognised option '--output'. Use --help for further details.\n"
FILTERED = """\
==PROF== Connected to process 664418 (/home/user/wmma)
C[0,0]=79.000000
==PROF== Disconnected from process 664418
==WARNING== No kernels were profiled.
Available Kernels:
1. wmma_cxx_kernel
2. gn_stats_kernel_h(const __half *, float *, int, int)
"""
NO_KERNELS = """\
==PROF== Connected to process 1 (/opt/app)
==PROF== Disconnected from process 1
==WARNING== No kernels were profiled.
==WARNING== Profiling kernels launched by child processes requires the --target-processes all \
option.
"""
CRASHED = """\
==PROF== Connected to process 631 (/usr/bin/python3.12)
==PROF== Disconnected from process 631
==ERROR== The application returned an error code (1).
"""
EIGHTEEN = """\
==PROF== Profiling "volta_h884gemm_128x256_ldg8_nn" - 16: 0%....50%....100% - 19 passes
==PROF== Profiling "volta_h884gemm_128x256_ldg8_nn" - 17: 0%
the program's own line
....50%....100% - 1 pass
==PROF== Profiling "volta_h884gemm_128x256_ldg8_nn" - 18: 0%....50%.... - 19 passes
==ERROR== Failed to profile "volta_h884gemm_128x256_ldg8_nn" in process 24701
==PROF== Trying to shutdown target application
==ERROR== The application returned an error code (15).
==ERROR== An error occurred while trying to profile.
==PROF== Report: /reports/gemm.ncu-rep
"""


@pytest.mark.parametrize(
    ("text", "id_", "said", "hinted"),
    [
        (PERMISSION, "counters.permission", "ERR_NVGPUCTRPERM", "RestrictProfilingToAdminUsers=0"),
        (INCOMPATIBLE, "driver.mismatch", "2026.2.1.0 does not work with NVIDIA driver 576.88",
         "WARPWRIGHT_NCU"),
        (NOT_LOADED, "driver.library", "2026.2.1.0", "virtualized"),
        (STUB, "driver.stub", "stub libcuda.so", "LD_LIBRARY_PATH"),
        (UNSUPPORTED, "device.unsupported", "2026.2.1.0 does not know this GPU", "--list-chips"),
        (LOCK, "lock", "lock file", "TMPDIR"),
        (BUSY, "counters.busy", "DCGM", "dcgmi profile --pause"),
        (MIG, "mig.clocks", "MIG", "--clock-control none"),
        (METRIC, "metric", "flop_count_sp", "WARPWRIGHT_NCU"),
        (OPTION, "option", "--output", "newer"),
    ],
)  # fmt: skip
def test_what_is_known(text: str, id_: str, said: str, hinted: str) -> None:
    found = diagnose.known_fault(text, ncu="2026.2.1.0", driver="576.88")
    assert found is not None
    assert found.id == id_
    assert said in found.message
    assert hinted in found.hint
    assert "\n" not in found.message + found.hint


def test_versions_that_nobody_tells() -> None:
    found = diagnose.known_fault(INCOMPATIBLE, ncu=None, driver=None)
    assert found is not None
    assert found.message.count("(unknown version)") == 2


@pytest.mark.parametrize("text", [FILTERED, NO_KERNELS, CRASHED, EIGHTEEN, ""])
def test_what_is_no_known_fault(text: str) -> None:
    assert diagnose.known_fault(text, ncu=None, driver=None) is None


def test_what_the_program_prints_is_no_fault_of_the_profiler() -> None:
    text = "my own message about ERR_NVGPUCTRPERM and nsight-compute-lock\n"
    assert diagnose.known_fault(text, ncu=None, driver=None) is None


def test_a_filter_that_matches_nothing_lists_what_ran() -> None:
    found = diagnose.no_kernels(FILTERED, kernel="kda", target_processes="all")
    assert found is not None
    assert found.id == "no_kernels.filter"
    assert "no launch matches 'kda'" in found.message
    assert "wmma_cxx_kernel, gn_stats_kernel_h(const __half *, float *, int, int)" in found.message


def test_a_long_list_is_cut() -> None:
    listed = "".join(f"{n}. kernel_{n}\n" for n in range(1, 21))
    text = f"==WARNING== No kernels were profiled.\nAvailable Kernels:\n{listed}trailing text\n"
    found = diagnose.no_kernels(text, kernel=None, target_processes="all")
    assert found is not None
    assert found.message.endswith("kernel_8 and 12 more")
    assert diagnose.available_kernels(text)[-1] == "kernel_20"


def test_no_kernels_and_child_processes() -> None:
    own = diagnose.no_kernels(NO_KERNELS, kernel=None, target_processes="application-only")
    every = diagnose.no_kernels(NO_KERNELS, kernel=None, target_processes="all")
    assert own is not None
    assert every is not None
    assert "--target-processes all" in own.hint
    assert every.id == "no_kernels.none"
    assert diagnose.no_kernels(EIGHTEEN, kernel=None, target_processes="all") is None


def test_the_programs_own_failure_and_the_unknown() -> None:
    program = diagnose.no_report(1, CRASHED)
    assert program.id == "program"
    assert "code 1" in program.message
    unknown = diagnose.no_report(5, "==ERROR== Something never seen before.\n")
    assert unknown.message == "Nsight Compute made no report: Something never seen before."
    assert "exit code 127" in diagnose.no_report(127, "").message


def test_launches_are_counted_when_every_pass_was_made() -> None:
    assert diagnose.launch_count(EIGHTEEN) == 2
    assert diagnose.launch_count(NO_KERNELS) is None
    assert diagnose.program_exit_code(EIGHTEEN) == 15
    assert diagnose.program_exit_code(NO_KERNELS) is None
