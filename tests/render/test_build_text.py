from warpwright.model.build import Access, BuildReport, KernelBuild, OccupancyLimit
from warpwright.render.build import build_text, local_memory, short_name

FITS = OccupancyLimit(
    block_threads=128, blocks_per_sm=12, warps_per_sm=48, occupancy_pct=75.0, limiter="registers"
)


def kernel(**changes):
    facts = {
        "name": "k",
        "demangled": "void ns::k<float, (int)4>(float*, ns::pair<int(), int>)",
        "registers": 34,
        "stack_bytes": 0,
        "spill_store_bytes": 0,
        "spill_load_bytes": 0,
        "shared_static_bytes": 1024,
        "max_threads": 128,
        "occupancy": (FITS,),
        "instructions": 240,
        "opcodes": {"FFMA": 100, "LDL": 12},
    }
    return KernelBuild(**{**facts, **changes})


def report(*kernels, **changes):
    facts = {
        "candidate": "before.cu",
        "candidate_sha256": "0" * 64,
        "language": "cuda",
        "target": "sm_90a",
        "compiler": "nvcc: release 13.0",
        "command": ("nvcc",),
        "seconds": 1.26,
        "kernels": kernels,
    }
    return BuildReport(**{**facts, **changes})


def local(op, width, count, line):
    return Access(space="local", op=op, width_bits=width, count=count, file="before.cu", line=line)


def test_a_kernel_with_an_array_in_local_memory():
    array = kernel(
        stack_bytes=512, accesses=(local("load", 128, 4, 30), local("store", 128, 4, 18))
    )
    assert build_text(report(array)) == (
        "before.cu\n"
        "  cuda, sm_90a, nvcc: release 13.0, 1.3 s\n"
        "\n"
        "ns::k<float, (int)4>\n"
        "  34 registers, stack 512 B, no spills, shared 1024 B, 240 instructions\n"
        "  block of 128: 12 blocks an SM, 48 warps, 75 % occupancy, limit: registers\n"
        "  An array lives in local memory: it is indexed by a run-time value or too large\n"
        "    (512 B of stack a thread, and nothing is spilled). Lines 18, 30.\n"
        "  most: FFMA 100, LDL 12\n"
        "  local  before.cu:18       store 4 x 128 bit\n"
        "  local  before.cu:30       load 4 x 128 bit\n"
    )


def test_spills_are_told_apart_from_arrays():
    spilled = {"stack_bytes": 96, "spill_store_bytes": 132, "spill_load_bytes": 120}
    only = kernel(**spilled, accesses=(local("store", 32, 33, 5), local("load", 32, 30, 6)))
    (text,) = local_memory(only)
    assert text.startswith("Registers spill: 132 B stored and 120 B loaded")
    both = kernel(**spilled, accesses=(local("store", 32, 34, 5),))
    assert ["spill" in text for text in local_memory(both)] == [True, False]
    assert "An array lives in local memory" in local_memory(both)[1]


def test_a_stack_without_a_disassembler_is_an_array_unless_it_spills():
    blind = {"instructions": None, "opcodes": {}, "stack_bytes": 64}
    assert "An array" in local_memory(kernel(**blind))[0]
    spills = kernel(**blind, spill_store_bytes=60, spill_load_bytes=60)
    assert [text[:15] for text in local_memory(spills)] == ["Registers spill"]
    assert "spills unknown" in build_text(report(kernel(**blind, spill_store_bytes=None)))


def test_no_local_memory_is_not_spoken_of():
    assert local_memory(kernel()) == []


def test_every_line_fits_in_80_columns():
    many = tuple(
        Access(space="global", op=op, width_bits=w, count=99, file="a_long_name.cu", line=n)
        for n in range(12)
        for op in ("load", "store", "atomic")
        for w in (8, 16, 32, 64, 128)
    )
    big = kernel(spill_store_bytes=12345, spill_load_bytes=12345, stack_bytes=99999, accesses=many)
    text = build_text(report(big, cautions=("word " * 40,), warnings=("k.cu(3): warning " * 9,)))
    assert max(map(len, text.splitlines())) <= 80
    assert "global ... and 4 more lines" in text
    assert "caution: word" in text and "compiler: k.cu(3)" in text


def test_a_block_that_does_not_fit():
    none = FITS.model_copy(update={"blocks_per_sm": 0, "limiter": "shared memory"})
    assert "does not fit on an SM: shared memory" in build_text(report(kernel(occupancy=(none,))))


def test_a_build_from_the_cache_says_so():
    assert "from an earlier build" in build_text(report(cached=True))


def test_short_names():
    assert short_name("k") == "k"
    assert short_name("(anonymous namespace)::k(int)") == "(anonymous namespace)::k"
    assert short_name("void f<g(int)>(int (*)(float))") == "f<g(int)>"
