"""What the decoder says of every instruction at hand, against nvdisasm's text of it."""

import re
from pathlib import Path

import pytest

from warpwright.cubin.decode import ZERO, decode
from warpwright.cubin.sass import disassemble, find_disassembler
from warpwright.report.reader import read_report

_REGISTER = re.compile(r"(?<![A-Z])R(\d+)")
_OFFSET = re.compile(r"\.64\+(-?0x[0-9a-f]+)\]")
_WIDTH = re.compile(r"\.[US]?(8|16|64|128)(?:\.|$)")
# Registers that are read there and not told: they play no part in where a value comes from.
_UNTOLD = {"RET", "BRX", "LDGSTS", "HGMMA", "IGMMA", "SHFL"}


def parts(root: Path):
    for path in sorted((root / "suites" / "diagnosis" / "reports").glob("*.xz"))[::4]:
        launch = read_report(path).launches[0]
        yield from launch.code.parts


@pytest.mark.skipif(find_disassembler("nvdisasm") is None, reason="no nvdisasm: install [sass]")
def test_names_and_registers_are_those_of_nvdisasm(root: Path):
    seen = 0
    for part in parts(root):
        listing = disassemble(part.cubin, part.mangled)
        assert listing is not None
        decoded = {one.offset: one for one in decode(part.cubin, part.mangled)}
        for told in listing.functions[part.mangled]:
            ours = decoded[told.offset]
            if not ours.name:
                continue
            seen += 1
            assert ours.name.partition(".")[0] == told.base.replace("REDG", "RED"), told.text
            assert ours.guarded == bool(told.predicate), told.text
            if told.base in _UNTOLD or told.base.startswith("U"):
                continue
            if ours.address and told.base in ("LDG", "STG"):
                offset = _OFFSET.search(told.operands)
                assert ours.displacement == (int(offset[1], 16) if offset else 0), told.text
                width = _WIDTH.search(told.opcode)
                assert ours.size_bytes == (int(width[1]) // 8 if width else 4), told.text
            named = {int(number) for number in _REGISTER.findall(told.operands)}
            ours_all = {*ours.reads, *ours.writes} - {ZERO}
            assert named <= ours_all, told.text
            for register in (
                ours_all - named
            ):  # the rest of a pair or of a quad, or an unused operand
                wide = any(register - step in named for step in (1, 2, 3))
                assert wide or told.base == "ATOMS", told.text
    assert seen > 5_000


def test_branches_go_where_they_go(root: Path):
    """A loop's branch goes back, and every target is an instruction of the function."""
    back = 0
    for part in parts(root):
        code = decode(part.cubin, part.mangled)
        offsets = {one.offset for one in code}
        for one in code:
            if one.name == "BRA" and one.target is not None:
                assert one.target in offsets
                back += one.target < one.offset
    assert back > 10


def test_what_is_not_there_has_no_instructions(root: Path):
    part = next(parts(root))
    assert decode(part.cubin, "_Z7nothingv") == ()
