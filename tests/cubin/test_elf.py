"""Facts of kernels against what ptxas says."""

import re
import subprocess
from pathlib import Path

import pytest

from warpwright.cubin.elf import KernelCode, read_cubin
from warpwright.cubin.fatbin import embedded_cubins
from warpwright.errors import BadInput

HERE = Path(__file__).parent
TINY = (HERE / "tiny.cubin").read_bytes()


def test_the_committed_cubin():
    cubin = read_cubin(TINY)
    assert cubin.target == "sm_90a"
    assert {kernel.name: kernel for kernel in cubin.kernels} == {
        "tiny": KernelCode("tiny", 1664, 18, 128, 256, 64),
        "other": KernelCode("other", 384, 10, 0, 0, None),
    }


@pytest.mark.nvcc
@pytest.mark.parametrize("target", ["sm_75", "sm_80", "sm_90a", "sm_100a"])
def test_facts_are_those_of_ptxas(target, tmp_path):
    out = tmp_path / "tiny.cubin"
    flags = ["-cubin", f"-arch={target}", "-Xptxas", "-v"]
    log = subprocess.run(
        ["nvcc", *flags, "-o", out, HERE / "tiny.cu"], check=True, capture_output=True, text=True
    ).stderr
    cubin = read_cubin(out.read_bytes())
    assert cubin.target == target
    for kernel in cubin.kernels:
        told = log.partition(f"Function properties for {kernel.name}\n")[2].partition("Compile")[0]
        shared = re.search(r"(\d+) bytes smem", told)
        assert kernel.registers == int(re.search(r"Used (\d+) registers", told)[1])
        assert kernel.frame_bytes == int(re.search(r"(\d+) bytes stack frame", told)[1])
        assert kernel.shared_static_bytes == (int(shared[1]) if shared else 0)
    assert {kernel.max_threads for kernel in cubin.kernels} == {64, None}


def test_damage_never_raises_anything_but_bad_input():
    outcomes = set()
    for at in range(0, len(TINY), 5):
        damaged = bytearray(TINY)
        damaged[at] ^= 0xFF
        try:
            read_cubin(bytes(damaged))
            outcomes.add("read")
        except BadInput:
            outcomes.add("refused")
    assert outcomes == {"read", "refused"}


def test_a_cubin_is_found_inside_a_library():
    library = b"\x7fELF\x02\x01 not one" + bytes(99) + TINY + b"behind"
    assert list(embedded_cubins(library)) == [TINY]
