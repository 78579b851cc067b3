"""`ncu source` on recorded launches: views, source text, disassembly, what is missing."""

import json
import lzma
import os

import pytest

from warpwright.cli.app import run
from warpwright.config import cache_dir
from warpwright.cubin.sass import find_disassembler
from warpwright.errors import BadInput
from warpwright.model.report import Launch, NoCode, Report, SourceLine
from warpwright.operations.source import show_source
from warpwright.operations.source_text import SourceText
from warpwright.render.source import source_text

needs_disassembler = pytest.mark.skipif(
    not any(find_disassembler(tool) for tool in ("nvdisasm", "cuobjdump")),
    reason="no disassembler is here",
)


@pytest.fixture
def tiled(root):
    return str(root / "examples" / "kda" / "runs" / "h200" / "tiled.ncu-rep")


@pytest.fixture
def no_disassembler(monkeypatch):
    monkeypatch.setenv("WARPWRIGHT_NVDISASM", "/nowhere")
    monkeypatch.setenv("WARPWRIGHT_CUOBJDUMP", "/nowhere")


def test_lines_have_text_shares_and_what_was_inlined_at_them(tiled):
    view = show_source(tiled, limit=4)
    assert (view.by, view.ranked_by, len(view.lines)) == ("line", "samples", 4)
    first = view.lines[0]
    assert first.place.address == f"{tiled}#L0/line/tiled.cu:45"
    assert "fmaf" in first.text
    assert first.own_share == first.own.samples / view.samples
    call = view.call_sites[0]
    assert "steps(" in call.text
    assert call.inlined_share > 0.5 > call.own_share
    assert first.place.address in view.deeper[0].command


def test_a_line_shows_its_neighbours_and_what_was_inlined(tiled):
    view = show_source(f"{tiled}#L0/line/tiled.cu:71")
    assert view == show_source(tiled, around="tiled.cu:71")
    assert [row.place.line for row in view.lines] == list(range(66, 77))
    row = view.lines[5]
    assert row.place == view.around
    assert len(view.instructions) + view.left_out > len(view.instructions) == 40
    whole = show_source(tiled, around="tiled.cu:71", limit=1000)
    for part, own in ((row.own, True), (row.inlined, False)):
        found = [one for one in whole.instructions if (one.place == view.around) is own]
        assert sum(one.cost.samples for one in found) == part.samples
    assert all(view.around in one.chain for one in whole.instructions)
    offsets = [one.offset for one in whole.instructions]
    assert offsets == sorted(offsets)


def test_a_line_of_the_toolkits_headers_counts_for_its_caller(tiled):
    view = show_source(tiled, around="cuda_pipeline_helpers.h:219")
    (row,) = [row for row in view.lines if row.place == view.around]
    assert (row.own, row.inlined) == (None, None)
    assert row.header.inst_executed > 0
    assert {one.place.file for one in view.instructions} == {"tiled.cu"}
    assert "header" in source_text(view)


def test_stall_reasons_with_their_lines(tiled):
    view = show_source(tiled, by="stall", limit=100)
    assert sum(row.share for row in view.stalls) == pytest.approx(1)
    shuffles = next(row for row in view.stalls if row.reason == "short_scoreboard")
    assert shuffles.lines[0].samples <= shuffles.samples
    assert show_source(tiled, by="stall", limit=2).left_out == len(view.stalls) - 2


@needs_disassembler
def test_hot_instructions_stand_in_program_order_with_their_text(tiled):
    view = show_source(tiled, by="sass", limit=2)
    offsets = [row.offset for row in view.instructions]
    assert offsets == sorted(set(offsets))
    assert {1, 2} <= {row.rank for row in view.instructions}
    assert all(row.sass for row in view.instructions)
    assert view.disassembler in ("nvdisasm", "cuobjdump")


@needs_disassembler
def test_a_disassembly_is_remembered_and_a_damaged_memory_made_again(tiled, monkeypatch):
    first = show_source(tiled, by="sass")
    with monkeypatch.context() as without:
        without.setenv("WARPWRIGHT_NVDISASM", "/nowhere")
        without.setenv("WARPWRIGHT_CUOBJDUMP", "/nowhere")
        assert show_source(tiled, by="sass") == first
    for held in (cache_dir() / "sass").iterdir():
        held.write_text('{"tool": "nvdisasm"')
    assert show_source(tiled, by="sass") == first


def test_without_a_disassembler_there_is_a_caution_and_lines_work(
    tiled, no_disassembler, monkeypatch, tmp_path
):
    monkeypatch.setenv("WARPWRIGHT_CACHE", str(tmp_path))
    view = show_source(tiled, by="sass")
    assert any("pip install 'warpwright[sass]'" in caution for caution in view.cautions)
    assert {row.sass for row in view.instructions} == {None}
    assert "(no SASS text)" in source_text(view)
    assert show_source(tiled).cautions == ()


def test_a_cache_that_cannot_be_written_does_no_harm(tiled, monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("WARPWRIGHT_CACHE", str(tmp_path / "file"))
    assert show_source(tiled, by="sass").instructions


def texts(root, *, created_s=None, last=3, sources=None):
    line = SourceLine("/build/p/k.cu", last)
    code = NoCode(lines={0: line}, chains={0: (line,)})
    launch = Launch(0, "k", "k", "k", (1, 1, 1), (1, 1, 1), None, {}, code, created_s=created_s)
    report = Report("r", None, None, None, None, [launch], sources or {})
    return SourceText(report, launch, root)


def test_text_comes_from_the_source_root_by_the_longest_end_of_the_path(tmp_path):
    (tmp_path / "p").mkdir()
    (tmp_path / "k.cu").write_text("wrong\n" * 9)
    (tmp_path / "p" / "k.cu").write_text("a\r\nb\fb\nc")
    text = texts(tmp_path)
    assert [text("/build/p/k.cu", n) for n in (0, 1, 2, 3, 4)] == [None, "a", "b\fb", "c", None]
    assert text.cautions == []


def test_a_file_that_is_too_short_is_refused(tmp_path):
    (tmp_path / "k.cu").write_text("a\nb\n")
    text = texts(tmp_path)
    assert text("/build/p/k.cu", 1) is None
    assert text.cautions == [
        f"{tmp_path}/k.cu has 2 lines, but instructions come from line 3: "
        "it is of another version and is not shown"
    ]


def test_a_file_that_was_changed_later_is_shown_with_a_caution(tmp_path):
    path = tmp_path / "k.cu"
    path.write_text("a\nb\nc\n")
    os.utime(path, (2000, 2000))
    text = texts(tmp_path, created_s=1999)
    assert text("/build/p/k.cu", 3) == "c"
    assert "changed after the launch was profiled" in text.cautions[0]
    old = texts(tmp_path, created_s=2001)
    assert (old("/build/p/k.cu", 3), old.cautions) == ("c", [])


def test_imported_text_comes_first_and_its_path_may_be_written_otherwise(tmp_path):
    (tmp_path / "k.cu").write_text("wrong\n" * 9)
    text = texts(tmp_path, sources={"/build/x/../p/k.cu": "a\nb\nc\n"})
    assert text("/build/p/k.cu", 2) == "b"


def test_where_no_text_is_known_it_says_how_to_get_it(tmp_path):
    nowhere = texts(None)
    assert nowhere("/build/p/k.cu", 1) is None
    assert "--source-root DIR" in nowhere.cautions[0]
    empty = texts(tmp_path)
    assert empty("/build/p/k.cu", 1) is None
    assert empty("/build/p/k.cu", 2) is None
    assert empty.cautions == [f"{tmp_path} holds no file that could be /build/p/k.cu"]
    with pytest.raises(BadInput, match="is no folder"):
        texts(tmp_path / "none")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["{r}#L0/metric/x"], "names a metric"),
        (["{r}#L0/line/tiled.cu:71", "--around", "tiled.cu:72"], "--around another one"),
        (["{r}", "--around", "tiled.cu:71", "--by", "sass"], "leave out --by sass"),
        (["{r}", "--around", "none.cu:1"], "tiled.cu"),
        (["{r}", "--around", "tiled.cu:99999"], "hint: the nearest that one comes from is"),
        (["{r}#L7"], "no launch L7"),
        (["{r}", "--source-root", "/nowhere"], "is no folder"),
    ],
)
def test_what_cannot_be_shown(tiled, capsys, words, said):
    assert run(["ncu", "source", *(word.format(r=tiled) for word in words)]) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert said in error
    assert "hint: " in error


@pytest.mark.parametrize("by", ["line", "sass", "stall"])
def test_the_command_prints_one_document_or_text_of_80_columns(tiled, capsys, by):
    assert run(["ncu", "source", tiled, "--by", by, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["schema"], document["by"]) == ("warpwright.source/1", by)
    assert run(["ncu", "source", tiled, "--by", by]) == 0
    text = capsys.readouterr().out
    assert "next:" in text
    wide = [line for line in text.splitlines() if len(line) > 80 and tiled not in line]
    assert wide == []


def test_of_several_launches_the_longest_is_shown(shared_reports):
    path = str(shared_reports / "kda_fla_chunk.h200.ncu-rep.xz")
    view = show_source(path, limit=1)
    assert view.notes == (f"the longest of 8 launches: {path}#L2",)
    assert show_source(f"{path}#L2", limit=1).notes == ()


def test_a_launch_without_source_counters_says_what_to_collect(shared_reports):
    view = show_source(str(shared_reports / "mojo.gtx1660ti.2022.4.ncu-rep"))
    assert (view.ranked_by, view.lines) == (None, ())
    assert any("--section SourceCounters" in caution for caution in view.cautions)


def test_code_without_lines_leads_to_its_instructions(shared_reports):
    view = show_source(str(shared_reports / "matmul.h100.2023.2.ncu-rep"))
    assert view.lines == ()
    assert any("-lineinfo" in caution for caution in view.cautions)
    assert any("--by sass" in step.command for step in view.deeper)


def test_instructions_of_a_range_are_those_of_its_kernels(root):
    if find_disassembler("nvdisasm") is None:
        pytest.skip("nvdisasm is not here")
    view = show_source(str(root / "tests/reports/range_full.ncu-rep.xz#L1"), by="sass")
    hottest = next(row for row in view.instructions if row.rank == 1)
    assert hottest.sass is not None and hottest.sass.startswith("FADD")
    assert hottest.place is not None and hottest.place.line == 7


def test_instructions_of_an_exported_page_are_its_own(root, no_disassembler, tmp_path):
    page = tmp_path / "page.csv"
    packed = root / "tests/report/csv/kda_before.source_sass.csv.xz"
    page.write_bytes(lzma.decompress(packed.read_bytes()))
    view = show_source(str(page), by="sass")
    hottest = next(row for row in view.instructions if row.rank == 1)
    assert hottest.sass == "STS [R5], R16"
    assert not any("machine code" in caution for caution in view.cautions)
