"""What the assembler makes of the timed kernels: nothing of the work is left out."""

import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from warpwright.calibration import ptx
from warpwright.config import find_tool
from warpwright.cubin.sass import find_disassembler

pytestmark = pytest.mark.nvcc

CASES = [
    (ptx.fma_kernel("sm_75", "f32"), ("sm_75", "sm_80", "sm_90a", "sm_120"), "FFMA", 128),
    (ptx.fma_kernel("sm_75", "f64"), ("sm_75", "sm_80", "sm_90a", "sm_120"), "DFMA", 128),
    (ptx.fma_kernel("sm_75", "f16x2"), ("sm_75", "sm_80", "sm_90a", "sm_120"), "HFMA2", 128),
    (ptx.mma_kernel("sm_75", "f16", 8), ("sm_75",), "HMMA", 16),
    (ptx.mma_kernel("sm_80", "f16", 16), ("sm_80", "sm_90a", "sm_120"), "HMMA", 16),
    (ptx.mma_kernel("sm_80", "bf16", 16), ("sm_80", "sm_90a", "sm_120"), "HMMA", 16),
    (ptx.wgmma_kernel("f16"), ("sm_90a",), "HGMMA", 8),
    (ptx.wgmma_kernel("bf16"), ("sm_90a",), "HGMMA", 8),
    (ptx.copy_kernel("sm_75"), ("sm_75", "sm_80", "sm_90a", "sm_120"), "STG", 4),
    (ptx.read_kernel("sm_75", 1 << 23), ("sm_75", "sm_80", "sm_90a", "sm_120"), "LDG", 4),
    (ptx.empty_kernel("sm_75"), ("sm_75", "sm_80", "sm_90a", "sm_120"), "EXIT", 1),
]


@pytest.mark.parametrize(
    ("kernel", "target", "opcode", "each"),
    [(kernel, target, opcode, n) for kernel, targets, opcode, n in CASES for target in targets],
    ids=lambda value: getattr(value, "name", str(value)),
)
def test_the_work_is_in_the_machine_code(
    kernel: ptx.Kernel, target: str, opcode: str, each: int, tmp_path: Path
) -> None:
    said, counts = assembled(kernel.text, target, tmp_path)
    assert counts[opcode] >= each
    assert " 0 bytes spill stores" in said
    assert "serializ" not in said  # of wgmma, where registers were touched in flight


def test_operations_are_those_of_the_instructions() -> None:
    assert ptx.fma_kernel("sm_75", "f32").flop == 2 * 32 * 128
    assert ptx.fma_kernel("sm_75", "f16x2").flop == 4 * 32 * 128
    assert ptx.mma_kernel("sm_80", "f16", 16).flop == 16 * 4096
    assert ptx.wgmma_kernel("f16").flop * 4 == 8 * 2 * 64 * 256 * 16


def assembled(text: str, target: str, folder: Path) -> tuple[str, Counter[str]]:
    """What ptxas said, and the opcodes of its machine code."""
    nvcc, nvdisasm = find_tool("nvcc"), find_disassembler("nvdisasm")
    if nvdisasm is None:
        pytest.skip("nvdisasm is not here")
    assert nvcc is not None
    source, cubin = folder / "kernel.ptx", folder / "kernel.cubin"
    source.write_text(text)
    command = [nvcc, "-cubin", f"-arch={target}", "-Xptxas", "-v", source, "-o", cubin]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    sass = subprocess.run([nvdisasm, "-c", cubin], capture_output=True, text=True, check=True)
    opcodes = re.findall(r"^\s+/\*[0-9a-f]+\*/\s+(?:@!?\w+ )?([A-Z0-9]+)", sass.stdout, re.M)
    return done.stdout + done.stderr, Counter(opcodes)
