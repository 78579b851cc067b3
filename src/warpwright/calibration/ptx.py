"""The kernels that a calibration times, as PTX that the driver compiles for its device.

Every kernel takes (first buffer, second buffer, loops) and is launched with as many threads as it
says. Arithmetic kernels keep independent chains in registers and store their sum, so that nothing
of them can be left out; `tests/calibration/test_ptx.py` counts what the assembler made of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

Scalar = Literal["f32", "f64", "f16x2"]

_CHAINS = 16
_ROUNDS = 8
_TILES = 8
_REGISTER = {"f32": ("f", "f32"), "f64": ("d", "f64"), "f16x2": ("r", "b32")}
_ACCUMULATORS = 128
_WGMMAS = 8

WGMMA_SHARED_BYTES = 10240
"""A tile of A, 64 x 16 halves, and one of B, 256 x 16."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """PTX of one kernel `name`. `flop` are operations of one warp in one loop (0: none)."""

    name: str
    text: str
    flop: float = 0.0
    threads: int = 256


def copy_kernel(target: str) -> Kernel:
    """16-byte copies, four in flight: blocks stride over `loops` pieces of 16 KiB."""
    moves = [f"ld.global.v4.u32 {{{_four(i)}}}, [%rd1 + {i * 4096}];" for i in range(4)]
    moves += [f"st.global.v4.u32 [%rd2 + {i * 4096}], {{{_four(i)}}};" for i in range(4)]
    body = [
        "mov.u32 %r30, %ctaid.x;",
        "mov.u32 %r31, %nctaid.x;",
        "mov.u32 %r32, %tid.x;",
        "LOOP:",
        "setp.ge.u32 %p1, %r30, %r2;",
        "@%p1 bra END;",
        "mul.wide.u32 %rd4, %r30, 16384;",
        "mad.wide.u32 %rd4, %r32, 16, %rd4;",
        "add.u64 %rd1, %rd6, %rd4;",
        "add.u64 %rd2, %rd7, %rd4;",
        *moves,
        "add.u32 %r30, %r30, %r31;",
        "bra LOOP;",
        "END:",
    ]
    return Kernel("copy", _module(target, "copy", body))


def read_kernel(target: str, piece_bytes: int) -> Kernel:
    """Every block reads `piece_bytes` (a power of two) of the first buffer over and over.

    A block reads 16 KiB a loop, past the L1 (.cg), from a place of its own onwards.
    """
    reads = []
    for i in range(4):
        reads.append(f"ld.global.cg.v4.u32 {{{_four(i)}}}, [%rd1 + {i * 4096}];")
    reads += [f"xor.b32 %r40, %r40, %r{10 + i};" for i in range(16)]
    body = [
        "mov.u32 %r30, %ctaid.x;",
        "mov.u32 %r32, %tid.x;",
        "mov.u32 %r40, 0;",
        "LOOP:",
        f"and.b32 %r33, %r30, {piece_bytes // 16384 - 1};",
        "mul.wide.u32 %rd4, %r33, 16384;",
        "mad.wide.u32 %rd4, %r32, 16, %rd4;",
        "add.u64 %rd1, %rd6, %rd4;",
        *reads,
        "add.u32 %r30, %r30, 37;",
        *_again(),
        *_kept("u32", "%r40"),
    ]
    return Kernel("read", _module(target, "read", body))


def empty_kernel(target: str) -> Kernel:
    """Nothing."""
    return Kernel("empty", _module(target, "empty", []), threads=32)


def fma_kernel(target: str, scalar: Scalar) -> Kernel:
    """Fused multiply-adds, 16 chains a thread, 8 rounds a loop."""
    letter, stored = _REGISTER[scalar]
    names = [f"%{letter}{100 + i}" for i in range(_CHAINS)]
    by, plus = f"%{letter}90", f"%{letter}91"
    body = [*_values(scalar, [by, plus, *names]), "LOOP:"]
    body += [f"fma.rn.{scalar} {name}, {name}, {by}, {plus};" for name in names] * _ROUNDS
    body += [*_again(), *_summed(f"add.rn.{scalar}", names), *_kept(stored, names[0])]
    operations = 4 if scalar == "f16x2" else 2
    return Kernel("fma", _module(target, "fma", body), float(operations * 32 * _CHAINS * _ROUNDS))


def mma_kernel(target: str, kind: Literal["f16", "bf16"], depth: Literal[8, 16]) -> Kernel:
    """mma.sync m16n8k8 or m16n8k16 into FP32: eight accumulator tiles a warp, two rounds a loop."""
    of_a = ", ".join(f"%r{100 + i}" for i in range(depth // 4))
    of_b = ", ".join(f"%r{110 + i}" for i in range(depth // 8))
    sums = [f"%f{i}" for i in range(4 * _TILES)]
    body = [*_halves(kind, [*range(100, 100 + depth // 4), *range(110, 110 + depth // 8)])]
    body += [f"mov.f32 {name}, 0f00000000;" for name in sums]
    body.append("LOOP:")
    for tile in [*range(_TILES)] * 2:
        into = ", ".join(sums[4 * tile : 4 * tile + 4])
        body.append(
            f"mma.sync.aligned.m16n8k{depth}.row.col.f32.{kind}.{kind}.f32 "
            f"{{{into}}}, {{{of_a}}}, {{{of_b}}}, {{{into}}};"
        )
    body += [*_again(), *_summed("add.f32", sums), *_kept("f32", sums[0])]
    flop = 2.0 * 16 * 8 * depth * 2 * _TILES
    return Kernel("mma", _module(target, "mma", body), flop)


def wgmma_kernel(kind: Literal["f16", "bf16"]) -> Kernel:
    """Products by wgmma m64n256k16, operands in shared memory: eight in flight, then a wait.

    Operands are 8 x 16-byte core matrices in a row, unswizzled: along K 128 bytes apart, along M
    and N 256. What the numbers mean does not matter, where they lie does.
    """
    sums = [f"%f{i}" for i in range(_ACCUMULATORS)]
    one = (
        f"wgmma.mma_async.sync.aligned.m64n256k16.f32.{kind}.{kind} {{{', '.join(sums)}}}, "
        "%rd20, %rd21, 1, 1, 1, 0, 0;"
    )
    body = [
        f".shared .align 128 .b8 tiles[{WGMMA_SHARED_BYTES}];",
        "mov.u32 %r60, tiles;",
        "mov.u32 %r32, %tid.x;",
        "mad.lo.u32 %r61, %r32, 4, %r60;",
    ]
    for step in range(WGMMA_SHARED_BYTES // 512):
        body += [*_halves(kind, [100], step), f"st.shared.u32 [%r61 + {step * 512}], %r100;"]
    body += [
        "fence.proxy.async.shared::cta;",
        "bar.sync 0;",
        *_descriptor("%rd20", 0),
        *_descriptor("%rd21", 2048),
        *(f"mov.f32 {name}, 0f00000000;" for name in sums),
        "LOOP:",
        "wgmma.fence.sync.aligned;",
        *[one] * _WGMMAS,
        "wgmma.commit_group.sync.aligned;",
        "wgmma.wait_group.sync.aligned 0;",
        *_again(),
        *_summed("add.f32", sums),
        *_kept("f32", sums[0]),
    ]
    flop = 2.0 * 64 * 256 * 16 * _WGMMAS / 4  # of one of the four warps
    return Kernel("wgmma", _module("sm_90a", "wgmma", body), flop, threads=128)


def _module(target: str, name: str, body: Iterable[str]) -> str:
    lines = [
        f".version {'8.0' if target == 'sm_90a' else '7.0'}",
        f".target {target}",
        ".address_size 64",
        f".visible .entry {name}(.param .u64 first, .param .u64 second, .param .u32 loops) {{",
        ".reg .pred %p<4>;",
        ".reg .b32 %r<128>;",
        ".reg .b64 %rd<32>;",
        ".reg .f32 %f<160>;",
        ".reg .f64 %d<128>;",
        "ld.param.u64 %rd6, [first];",
        "ld.param.u64 %rd7, [second];",
        "ld.param.u32 %r2, [loops];",
        *body,
        "ret;",
        "}",
    ]
    return "\n".join(lines) + "\n"


def _four(i: int) -> str:
    return ", ".join(f"%r{10 + 4 * i + j}" for j in range(4))


def _again() -> list[str]:
    return ["sub.u32 %r2, %r2, 1;", "setp.ne.u32 %p1, %r2, 0;", "@%p1 bra LOOP;"]


def _summed(add: str, names: Sequence[str]) -> list[str]:
    return [f"{add} {names[0]}, {names[0]}, {name};" for name in names[1:]]


def _kept(kind: str, name: str) -> list[str]:
    """Store a value of each thread into the second buffer, 8 bytes apart."""
    return [
        "mov.u32 %r50, %ctaid.x;",
        "mov.u32 %r51, %ntid.x;",
        "mov.u32 %r52, %tid.x;",
        "mad.lo.u32 %r50, %r50, %r51, %r52;",
        "mad.wide.u32 %rd8, %r50, 8, %rd7;",
        f"st.global.{kind} [%rd8], {name};",
    ]


def _values(scalar: Scalar, names: Sequence[str]) -> list[str]:
    """Different numbers near one, which only the running kernel knows."""
    lines = ["mov.u32 %r50, %tid.x;"]
    for i, name in enumerate(names):
        lines.append(f"mad.lo.u32 %r51, %r50, 2654435761, {(i + 1) * 40503};")
        if scalar == "f64":
            lines += [
                "and.b32 %r51, %r51, 0x800fffff;",
                "or.b32 %r51, %r51, 0x3fe00000;",
                f"mov.b64 {name}, {{%r50, %r51}};",
            ]
        elif scalar == "f32":
            lines += ["and.b32 %r51, %r51, 0x807fffff;", "or.b32 %r51, %r51, 0x3f000000;"]
            lines.append(f"mov.b32 {name}, %r51;")
        else:
            lines += ["and.b32 %r51, %r51, 0x83ff83ff;", f"or.b32 {name}, %r51, 0x38003800;"]
    return lines


def _halves(kind: str, registers: Iterable[int], salt: int = 0) -> list[str]:
    """Pairs of numbers from half to one of either sign, different in each thread and register."""
    mantissas, exponents = ("0x83ff83ff", "0x38003800")
    if kind == "bf16":
        mantissas, exponents = ("0x807f807f", "0x3f003f00")
    lines = ["mov.u32 %r50, %tid.x;"]
    for register in registers:
        name = f"%r{register}"
        lines += [
            f"mad.lo.u32 {name}, %r50, 2654435761, {(register + 7 * salt) * 40503};",
            f"shr.u32 %r51, {name}, 13;",
            f"xor.b32 {name}, {name}, %r51;",
            f"and.b32 {name}, {name}, {mantissas};",
            f"or.b32 {name}, {name}, {exponents};",
        ]
    return lines


def _descriptor(name: str, offset: int) -> list[str]:
    """A matrix in shared memory: address, 128 bytes along K, 256 along M or N; in units of 16."""
    fixed = (128 >> 4) << 16 | (256 >> 4) << 32
    return [
        f"add.u32 %r62, %r60, {offset};",
        "shr.u32 %r62, %r62, 4;",
        "and.b32 %r62, %r62, 0x3fff;",
        f"cvt.u64.u32 {name}, %r62;",
        f"or.b64 {name}, {name}, {fixed:#x};",
    ]
