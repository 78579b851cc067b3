import pytest

from warpwright.build.accesses import access_kind, accesses
from warpwright.cubin.sass import Instruction
from warpwright.model.build import Access
from warpwright.model.report import SourceLine


@pytest.mark.parametrize(
    ("opcode", "kind"),
    [
        ("LDG.E", ("global", "load", 32)),
        ("LDG.E.128.CONSTANT", ("global", "load", 128)),
        ("LDG.E.U16", ("global", "load", 16)),
        ("LDG.E.LTC128B.64", ("global", "load", 64)),
        ("STG.E.U8.STRONG.GPU", ("global", "store", 8)),
        ("LDL.LU", ("local", "load", 32)),
        ("STL.128", ("local", "store", 128)),
        ("LDS.U.64", ("shared", "load", 64)),
        ("LDSM.16.M88.4", ("shared", "load", 128)),
        ("LDSM.16.MT88", ("shared", "load", 32)),
        ("LDGSTS.E.BYPASS.LTC128B.128", ("global", "async copy", 128)),
        ("REDG.E.ADD.F32.FTZ.RN.STRONG.GPU", ("global", "atomic", 32)),
        ("ATOMG.E.CAS.64", ("global", "atomic", 64)),
        ("RED.E.ADD.F64.RN", ("global", "atomic", 64)),
        ("REDG.E.ADD.F16x2.RN", ("global", "atomic", 32)),
        ("ATOMS.POPC.INC.32", ("shared", "atomic", 32)),
        ("UBLKCP.S.G", ("global", "async copy", None)),
        ("UTMALDG.2D", ("global", "async copy", None)),
        ("LDC.64", ("constant", "load", 64)),
        ("ST.E", ("generic", "store", 32)),
        ("FFMA", None),
        ("LDGDEPBAR", None),
        ("LEA.HI.X", None),
    ],
)
def test_kinds(opcode, kind):
    assert access_kind(Instruction(0, opcode, "")) == kind


def test_code_from_a_header_counts_at_the_candidates_line():
    chains = {
        0: (
            SourceLine("/cuda/bf16.hpp", 585),
            SourceLine("/my/k.cu", 33),
            SourceLine("/my/k.cu", 9),
        ),
        16: (SourceLine("/my/k.cu", 33),),
        32: (SourceLine("/cuda/bf16.hpp", 7),),
    }
    code = [Instruction(offset, "LDG.E", "R0, [R2]") for offset in (0, 16, 32, 48)]
    assert accesses(code, chains, "k.cu") == (
        Access(space="global", op="load", width_bits=32, count=1),
        Access(space="global", op="load", width_bits=32, count=1, file="bf16.hpp", line=7),
        Access(space="global", op="load", width_bits=32, count=2, file="k.cu", line=33),
    )
