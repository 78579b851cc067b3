"""Disassembly with NVIDIA's tools, where they are."""

from pathlib import Path

import pytest

from warpwright.cubin.sass import disassemble, find_disassembler

TINY = (Path(__file__).parent / "tiny.cubin").read_bytes()


@pytest.mark.parametrize("tool", ["nvdisasm", "cuobjdump"])
def test_both_tools_tell_the_same_instructions(tool, monkeypatch):
    if find_disassembler(tool) is None:
        pytest.skip(f"{tool} is not here")
    other = {"nvdisasm": "CUOBJDUMP", "cuobjdump": "NVDISASM"}[tool]
    monkeypatch.setenv(f"WARPWRIGHT_{other}", "/nowhere")
    code = disassemble(TINY)
    assert code.tool == tool
    tiny = code.functions["tiny"]
    assert [one.offset for one in tiny] == list(range(0, 1664, 16))
    local = [(one.opcode, one.operands) for one in tiny if one.base in ("STL", "LDL")]
    assert local == [
        ("STL", "[R6], R7"),
        ("STL", "[R4], R11"),
        ("STL", "[R15], R12"),
        ("STL", "[R2], R13"),
        ("STL", "[R7], R4"),
        ("LDL", "R7, [R7]"),
    ]
    assert any(one.predicate == "@!P0" and one.base == "BRA" for one in tiny)
    (barrier,) = [one for one in tiny if one.base == "BAR"]
    assert barrier.opcode == "BAR.SYNC.DEFER_BLOCKING"
    assert [one.base for one in code.functions["other"] if one.base in ("STG", "EXIT")] == [
        "STG",
        "EXIT",
    ]


def test_without_a_tool_there_is_no_disassembly(monkeypatch):
    monkeypatch.setenv("WARPWRIGHT_NVDISASM", "/nowhere")
    monkeypatch.setenv("WARPWRIGHT_CUOBJDUMP", "/nowhere")
    assert disassemble(TINY) is None


def test_what_no_tool_can_read_has_no_disassembly():
    assert disassemble(b"no cubin") is None


@pytest.mark.parametrize("tool", ["nvdisasm", "cuobjdump"])
def test_one_function_alone(tool, monkeypatch):
    if find_disassembler(tool) is None:
        pytest.skip(f"{tool} is not here")
    other = {"nvdisasm": "CUOBJDUMP", "cuobjdump": "NVDISASM"}[tool]
    monkeypatch.setenv(f"WARPWRIGHT_{other}", "/nowhere")
    assert disassemble(TINY, "other").functions == {"other": disassemble(TINY).functions["other"]}
    assert disassemble(TINY, "none") is None
