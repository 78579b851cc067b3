"""The occupancy arithmetic, against every curve in real reports and NVIDIA's own calculator."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from warpwright.config import find_tool
from warpwright.hardware import (
    MAX_BLOCK_THREADS,
    SmLimits,
    nearest_limits,
    occupancy,
    sm_limits,
)
from warpwright.model.report import Launch
from warpwright.report.reader import read_report

ROOT = Path(__file__).resolve().parent.parent
KIB = 1024
CAPABILITIES = [(7, 0), (7, 2), (7, 5), (8, 0), (8, 6), (8, 7), (8, 9), (9, 0), (10, 0), (10, 3)]
CAPABILITIES += [(11, 0), (12, 0), (12, 1)]
SHARED = "launch__shared_mem_per_block"
FOLDERS = (ROOT / "tests" / "reports", ROOT.parent / "shared" / "reports")
REPORTS = [path for folder in FOLDERS for path in sorted(folder.glob("*.ncu-rep*"))]


def kernels(path: Path) -> Iterator[Launch]:
    """Launches with numbers; of the same launch many times over, the first twenty."""
    seen: dict[str, int] = {}
    for launch in read_report(path, path.name).launches:
        seen[launch.kernel] = seen.get(launch.kernel, 0) + 1
        if launch.workload == "kernel" and launch.metrics and seen[launch.kernel] <= 20:
            yield launch


def number(launch: Launch, name: str) -> int:
    return int(launch.number(name) or 0)


def known(launch: Launch) -> SmLimits:
    assert launch.compute_capability is not None
    limits = sm_limits(launch.compute_capability)
    assert limits is not None
    return limits


class Today:
    """What the launch has, and the carveout that Nsight Compute took for its limits.

    Versions of 2020 took the largest, later ones that of the launch: the limit by shared memory
    tells which.
    """

    def __init__(self, launch: Launch) -> None:
        self.limits = known(launch)
        self.threads = number(launch, "launch__block_size")
        self.registers = number(launch, "launch__registers_per_thread")
        self.static = number(launch, f"{SHARED}_static")
        self.dynamic = number(launch, f"{SHARED}_dynamic")
        self.barriers = number(launch, "launch__barrier_count")
        self.carveout: int | None = number(launch, "launch__shared_mem_config_size")
        if self.held().by_shared != number(launch, "launch__occupancy_limit_shared_mem"):
            self.carveout = None

    def held(self, **change: int):
        asked = {
            "block_threads": self.threads,
            "registers": self.registers,
            "shared_bytes": self.static + self.dynamic,
            "barriers": self.barriers,
        }
        return occupancy(self.limits, **asked | change, carveout=self.carveout)

    @property
    def largest_total(self) -> int:
        """Total bytes beyond which Nsight Compute's curve is zero.

        It compares the total, reserved part included, with the limit of a block: that of a
        kernel that opted in where static plus permitted dynamic memory exceed 48 KiB.
        """
        opted_in = self.static > 0 or self.dynamic > 48 * KIB
        return self.limits.block_shared_bytes if opted_in else 48 * KIB


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.name)
def test_every_point_of_every_stored_curve(path: Path) -> None:
    for launch in kernels(path):
        if "launch__occupancy_limit_warps" not in launch.metrics:
            continue
        today = Today(launch)
        for name, asked in (
            ("block_size", "block_threads"),
            ("register_count", "registers"),
            ("barrier_count", "barriers"),
        ):
            curve = launch.metrics.get(f"launch__occupancy_per_{name}")
            for at, warps in curve.instances.items() if curve else ():
                assert today.held(**{asked: int(at)}).warps_per_sm == warps, (
                    launch.index,
                    name,
                    at,
                )
        shared = launch.metrics.get("launch__occupancy_per_shared_mem_size")
        reserved = today.limits.reserved_shared_bytes
        for total, warps in shared.instances.items() if shared else ():
            held = today.held(shared_bytes=int(total) - reserved).warps_per_sm
            assert (held if int(total) <= today.largest_total else 0) == warps, (
                launch.index,
                total,
            )


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.name)
def test_every_stored_limit_and_the_waves(path: Path) -> None:
    sms = read_report(path, path.name).sm_count
    assert sms
    for launch in kernels(path):
        if "launch__occupancy_limit_warps" not in launch.metrics:
            continue
        held = Today(launch).held()
        limits = {**held.limits, "shared_mem": held.by_shared}
        for name in ("registers", "shared_mem", "warps", "blocks", "barriers"):
            stored = launch.number(f"launch__occupancy_limit_{name}")
            assert stored is None or limits[name] == stored, (launch.index, name)
        waves = launch.number("launch__grid_size") / (held.blocks_per_sm * sms)
        assert waves == pytest.approx(launch.number("launch__waves_per_multiprocessor"))
        theoretical = launch.number("sm__maximum_warps_per_active_cycle_pct")
        assert theoretical is None or held.percent == pytest.approx(theoretical)


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.name)
def test_the_table_agrees_with_the_attributes_of_real_devices(path: Path) -> None:
    per_sm = "_per_multiprocessor"
    for launch in kernels(path):
        limits = known(launch)
        attributes = {
            f"max_warps{per_sm}": limits.max_warps,
            f"max_blocks{per_sm}": limits.max_blocks,
            f"max_registers{per_sm}": limits.registers,
            f"max_shared_memory{per_sm}": limits.shared_bytes,
            "max_shared_memory_per_block_optin": limits.block_shared_bytes,
            "reserved_shared_memory_per_block": limits.reserved_shared_bytes,
            "max_threads_per_block": MAX_BLOCK_THREADS,
        }
        for name, value in attributes.items():
            stored = launch.number(f"device__attribute_{name}")
            assert stored is None or stored == value, name


# Prints, for each line "major minor warps shared optin reserved barriers threads registers static
# dynamic" of its input, what NVIDIA's calculator says: regs shared warps blocks barriers active.
CALCULATOR = r"""
#include <climits>
#include <cstdio>
#include <cuda_occupancy.h>
int main() {
    int major, minor, warps, shared, optin, reserved, bars, threads, regs, statics, dynamic;
    while (scanf("%d %d %d %d %d %d %d %d %d %d %d", &major, &minor, &warps, &shared, &optin,
                 &reserved, &bars, &threads, &regs, &statics, &dynamic) == 11) {
        cudaOccDeviceProp device;
        device.computeMajor = major;
        device.computeMinor = minor;
        device.maxThreadsPerBlock = 1024;
        device.maxThreadsPerMultiprocessor = warps * 32;
        device.regsPerBlock = device.regsPerMultiprocessor = 65536;
        device.warpSize = 32;
        device.sharedMemPerBlock = 49152;
        device.sharedMemPerMultiprocessor = shared;
        device.numSms = 1;
        device.sharedMemPerBlockOptin = optin;
        device.reservedSharedMemPerBlock = reserved;
        cudaOccFuncAttributes kernel;
        kernel.maxThreadsPerBlock = 1024;
        kernel.numRegs = regs;
        kernel.sharedSizeBytes = statics;
        kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
        kernel.maxDynamicSharedSizeBytes = optin - statics;
        kernel.numBlockBarriers = bars;
        cudaOccDeviceState state;
        cudaOccResult found;
        if (cudaOccMaxActiveBlocksPerMultiprocessor(&found, &device, &kernel, &state, threads,
                                                    dynamic) != CUDA_OCC_SUCCESS)
            found.activeBlocksPerMultiprocessor = -1;
        printf("%d\n", found.activeBlocksPerMultiprocessor);
    }
}
"""


@pytest.mark.nvcc
def test_nvidias_calculator_says_the_same_for_every_compute_capability(tmp_path: Path) -> None:
    (tmp_path / "calculator.cpp").write_text(CALCULATOR)
    nvcc = find_tool("nvcc")
    subprocess.run([nvcc, "calculator.cpp", "-o", "calculator"], cwd=tmp_path, check=True)
    asked = []
    for capability in CAPABILITIES:
        limits = sm_limits(capability)
        assert limits is not None
        most = limits.block_shared_bytes
        asked += [
            (capability, limits, bars, threads, registers, static, dynamic)
            for threads in (1, 32, 33, 64, 96, 100, 128, 160, 192, 256, 288, 384, 512, 768, 1024)
            for registers in (1, 16, 24, 32, 33, 40, 63, 64, 72, 96, 128, 168, 200, 255)
            for static in (0, 1, 4096)
            for dynamic in (0, 100, 5000, 20000, 40 * KIB, 70000, most - 4096, most)
            for bars in (1, 3, 16)
            if static + dynamic <= most
        ]
    lines = [
        f"{major} {minor} {limits.max_warps} {limits.shared_bytes} {limits.block_shared_bytes} "
        f"{limits.reserved_shared_bytes} {bars} {threads} {registers} {static} {dynamic}"
        for (major, minor), limits, bars, threads, registers, static, dynamic in asked
    ]
    done = subprocess.run(
        [tmp_path / "calculator"],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        check=True,
    )
    said = [int(line) for line in done.stdout.split()]
    ours = [
        occupancy(limits, threads, registers, static + dynamic, barriers=bars).blocks_per_sm
        for _, limits, bars, threads, registers, static, dynamic in asked
    ]
    wrong = [row for row in zip(lines, said, ours, strict=True) if row[1] != row[2]]
    assert (wrong[:3], len(said) > 50_000) == ([], True)


def test_what_a_block_may_not_have() -> None:
    hopper = sm_limits((9, 0))
    assert hopper is not None
    assert occupancy(hopper, 1025, 16, 0).limiters == ("warps",)
    assert occupancy(hopper, 128, 257, 0).limiters == ("registers",)
    assert occupancy(hopper, 128, 16, 227 * KIB).blocks_per_sm == 1
    assert occupancy(hopper, 128, 16, 227 * KIB + 1).limiters == ("shared memory",)
    assert occupancy(hopper, 1024, 65, 0).blocks_per_sm == 0


def test_all_limits_that_are_equal_are_named() -> None:
    hopper = sm_limits((9, 0))
    assert hopper is not None
    assert occupancy(hopper, 256, 32, 0).limiters == ("warps", "registers")


def test_a_small_carveout_limits_and_gives_way_to_a_block_that_needs_more() -> None:
    hopper = sm_limits((9, 0))
    assert hopper is not None
    assert occupancy(hopper, 64, 16, 4096, carveout=16 * KIB).by_shared == 3
    assert occupancy(hopper, 64, 16, 40 * KIB, carveout=16 * KIB).by_shared == 1
    assert hopper.carveout_for(4096, 8) == 64 * KIB
    assert hopper.carveout_for(4096, 1000) == 228 * KIB


def test_an_unknown_capability_takes_the_last_known_one_before_it() -> None:
    assert sm_limits((13, 5)) is None
    assert nearest_limits((13, 5)) == ((12, 1), sm_limits((12, 1)))
    assert nearest_limits((9, 9))[0] == (9, 0)
    assert nearest_limits((5, 2))[0] == (7, 0)


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.name)
def test_single_blocks_and_active_clusters_of_the_cluster_curve(path: Path) -> None:
    """What larger clusters leave over hangs on the GPCs of the device: no table tells that."""
    sms = read_report(path, path.name).sm_count
    assert sms
    for launch in kernels(path):
        curve = launch.metrics.get("launch__occupancy_per_cluster_size")
        size = number(launch, "launch__cluster_size")
        if curve is None or size == 0:
            continue
        assert curve.instances[1] == Today(launch).held().blocks_per_sm * sms
        assert curve.instances[size] == number(launch, "launch__cluster_max_active")
