"""Line tables against what NVIDIA's and GNU's own tools say of the same files."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from warpwright.cubin.line_header import StringTables, read_headers
from warpwright.cubin.line_program import run, sequence_starts
from warpwright.cubin.lines import call_chains
from warpwright.cubin.sass import find_disassembler
from warpwright.errors import BadInput

HERE = Path(__file__).parent
TINY = (HERE / "tiny.cubin").read_bytes()
TOLD = json.loads((HERE / "tiny.lines.json").read_text())

HOST = """\
inline int twice(int x) { return 2 * x; }
int first(int a) {
  return twice(a) + 1;
}
int second(int b) { int s = 0; for (int i = 0; i < b; ++i) s += first(i); return s; }
"""


@pytest.mark.parametrize("function", ["tiny", "other"])
def test_every_offset_has_the_line_that_nvdisasm_says(function):
    table = {at: chain[0] for at, chain in call_chains(TINY, function).items()}
    assert {offset: line.line for offset, line in table.items()} == {
        offset: lines[0] for offset, lines in TOLD[function]
    }
    assert {line.file.rpartition("/")[2] for line in table.values()} == {"tiny.cu"}


def test_inlined_code_knows_the_lines_that_called_it():
    chains = call_chains(TINY, "tiny")
    inlined = {offset: lines for offset, lines in TOLD["tiny"] if len(lines) > 1}
    assert inlined  # the fixture has some: norm() at line 16
    for offset, lines in inlined.items():
        assert [line.line for line in chains[offset]] == lines


def test_a_function_that_is_not_there_has_no_lines():
    assert call_chains(TINY, "nobody") == {}


def test_what_is_no_cubin_is_refused():
    with pytest.raises(BadInput, match="not a cubin"):
        call_chains(b"", "tiny")
    with pytest.raises(BadInput, match="machine 62"):
        call_chains(Path(shutil.which("true")).read_bytes(), "tiny")


@pytest.mark.parametrize("cut", [100, 1000, 5000, 11000])
def test_a_cut_cubin_is_refused(cut):
    with pytest.raises(BadInput, match="cut short"):
        call_chains(TINY[:cut], "tiny")


def test_damage_never_raises_anything_but_bad_input():
    outcomes = set()
    for at in range(0, len(TINY), 7):
        damaged = bytearray(TINY)
        damaged[at] ^= 0xFF
        try:
            call_chains(bytes(damaged), "tiny")
            outcomes.add("read")
        except BadInput:
            outcomes.add("refused")
    assert outcomes == {"read", "refused"}


@pytest.mark.parametrize("version", [2, 3, 4, 5])
def test_the_decoder_agrees_with_objdump_on_every_dwarf_version(version, tmp_path):
    for tool in ("g++", "objdump", "objcopy"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not here")
    (tmp_path / "host.cpp").write_text(HOST)
    library = tmp_path / "host.so"
    flags = ["-g", f"-gdwarf-{version}", "-O1", "-shared", "-fPIC"]
    subprocess.run(["g++", *flags, "-o", library, "host.cpp"], cwd=tmp_path, check=True)
    lines = _section(library, ".debug_line")
    tables = StringTables(_section(library, ".debug_str"), _section(library, ".debug_line_str"))
    rows = [
        (header.files[row.file].rpartition("/")[2], row.line, row.address)
        for header in read_headers(lines, tables)
        for start, _ in sequence_starts(header, lines)
        for row in run(header, lines, start, 0)[0][:-1]
    ]
    assert rows == _objdump(library)


@pytest.mark.nvcc
@pytest.mark.parametrize("target", ["sm_75", "sm_80", "sm_90a"])
def test_a_fresh_cubin_agrees_with_nvdisasm(target, tmp_path):
    nvdisasm = find_disassembler("nvdisasm")
    if nvdisasm is None:
        pytest.skip("nvdisasm is not here")
    cubin = tmp_path / "tiny.cubin"
    command = ["nvcc", "-cubin", "-lineinfo", f"-arch={target}", "-o", cubin, HERE / "tiny.cu"]
    subprocess.run(command, check=True, capture_output=True)
    text = subprocess.run(
        [nvdisasm, "-c", "-g", cubin], check=True, capture_output=True, text=True
    ).stdout
    for function in ("tiny", "other"):
        chains = call_chains(cubin.read_bytes(), function)
        table = {offset: chain[0] for offset, chain in chains.items()}
        assert {offset: line.line for offset, line in table.items()} == _nvdisasm(text, function)


def _section(library, name):
    out = library.with_suffix(name)
    flags = [f"--only-section={name}", f"--set-section-flags={name}=alloc"]
    subprocess.run(["objcopy", "-O", "binary", *flags, library, out], check=True)
    return out.read_bytes() if out.exists() else b""


def _objdump(library):
    text = subprocess.run(
        ["objdump", "--dwarf=decodedline", library], check=True, capture_output=True, text=True
    ).stdout
    found = re.findall(r"^(\S+)\s+(\d+)\s+0x([0-9a-f]+)", text, re.MULTILINE)
    return [(file, int(line), int(address, 16)) for file, line, address in found]


def _nvdisasm(text, function):
    _, _, body = text.partition(f".text.{function}:\n")
    found, line = {}, None
    for said in body.partition("//-----")[0].splitlines():
        if marker := re.search(r'//## File ".*", line (\d+)', said):
            line = int(marker[1])
        elif instruction := re.match(r"\s*/\*([0-9a-f]+)\*/", said):
            found[int(instruction[1], 16)] = line
    assert found
    return found


def test_before_volta_instructions_have_8_bytes():
    flags = int.from_bytes(TINY[48:52], "little")  # e_flags: the architecture in bits 8 to 15
    pascal = TINY[:48] + ((flags & ~0xFF00) | 61 << 8).to_bytes(4, "little") + TINY[52:]
    lines, halves = call_chains(TINY, "tiny"), call_chains(pascal, "tiny")
    assert sorted(halves) == list(range(0, 2 * 8 * len(lines), 8))
    assert all(halves[offset] == halves[offset + 8] == line for offset, line in lines.items())
