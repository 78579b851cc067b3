"""The scoreboard: how it counts, and that this version is no worse than README says."""

import json
import shutil
from pathlib import Path

import pytest

from warpwright.errors import BadInput
from warpwright.operations.score import _rank_correlation, _ranks, score_suite
from warpwright.render.scoreboard import scoreboard_text, verdict_table


@pytest.fixture(scope="module")
def suite() -> Path:
    return Path(__file__).resolve().parents[2] / "suites" / "diagnosis"


@pytest.fixture(scope="module")
def board(suite: Path):
    return score_suite(suite)


def test_readme_prints_what_this_version_scores(board, root: Path):
    told = (root / "README.md").read_text(encoding="utf-8")
    for verdicts in (board.warpwright, board.nvidia):
        assert "\n".join(verdict_table(verdicts)) in told


def test_it_is_no_worse_than_what_was_reached(board):
    columns = {column.kind: column for column in board.warpwright.columns}
    for kind in ("planted", "second", "heldout", "mixture", "trap"):
        column = columns[kind]
        assert column.first >= 0.9 * column.cases, kind
        assert column.among_three >= 0.97 * column.cases, kind
        assert column.false_promises == 0, kind
    assert columns["all"].within_2x >= 0.85
    assert columns["all"].rank_correlation > 0.8
    theirs = {column.kind: column for column in board.nvidia.columns}
    assert columns["all"].first > 2 * theirs["all"].first


def test_every_recorded_case_is_scored_and_fixed_versions_computed_the_same(board, suite: Path):
    times = json.loads((suite / "times.json").read_text())
    assert [case.name for case in board.warpwright.cases] == sorted(times)
    assert all(told["same"] for told in times.values())
    for case in board.warpwright.cases:
        told = times[case.name]
        assert case.measured == pytest.approx(told["bad_ns"] / told["fixed_ns"], abs=1e-3)


def test_a_hit_is_the_first_cause_named(board):
    by_name = {case.name: case for case in board.warpwright.cases}
    case = by_name["memory.uncoalesced.columns"]
    assert case.first and case.said[0].id == "memory.uncoalesced"
    assert all(
        not case.said or case.first == (case.said[0].id in case.causes)
        for case in by_name.values()
        if case.causes
    )


def test_promises_where_nothing_is_to_gain_are_false(suite: Path, tmp_path: Path):
    """The same case, as if its fix had gained nothing."""
    name = "memory.uncoalesced.columns"
    (tmp_path / "reports").mkdir()
    (tmp_path / "cases" / name).mkdir(parents=True)
    shutil.copy(suite / "cases" / name / "case.toml", tmp_path / "cases" / name)
    shutil.copy(suite / "reports" / f"{name}.ncu-rep.xz", tmp_path / "reports")
    times = {name: {"bad_ns": 100, "fixed_ns": 100}}
    (tmp_path / "times.json").write_text(json.dumps(times))
    board = score_suite(tmp_path)
    assert board.warpwright.columns[-1].false_promises == 1
    assert "false promise: memory.uncoalesced" in scoreboard_text(board, cases=True)


def test_ranks_share_what_is_equal():
    assert _ranks([3.0, 1.0, 3.0]) == [1.5, 0.0, 1.5]
    assert _rank_correlation([(1, 10), (2, 20), (3, 30)]) == 1.0
    assert _rank_correlation([(1, 10), (2, 20)]) is None


@pytest.mark.parametrize(
    ("times", "said"), [(None, "no times.json"), ("{", "times.json"), ("{}", "no reports")]
)
def test_what_is_no_suite(tmp_path: Path, times: str | None, said: str):
    if times is not None:
        (tmp_path / "times.json").write_text(times)
    with pytest.raises(BadInput, match=said) as caught:
        score_suite(tmp_path)
    assert caught.value.hint
