from dataclasses import replace

import pytest

from warpwright.model.report import Launch, Metric, NoCode, SourceLine
from warpwright.query.line_changes import LineComparison, LineMove, Texts
from warpwright.query.noise import Noise
from warpwright.query.opcode_changes import opcode_changes

TIME, SAMPLES = "gpu__time_duration.sum", "smsp__pcsamp_sample_count"
OPCODES = "sass__inst_executed_per_opcode"


def _launch(costs: dict[int, int], ns: float | None = 1000.0, metric: str = SAMPLES) -> Launch:
    """A launch with one instruction for each line, by its number."""
    lines = {16 * at: SourceLine("/p/k.cu", line) for at, line in enumerate(costs)}
    instances = {16 * at: cost for at, cost in enumerate(costs.values())}
    metrics = {metric: Metric(metric, sum(costs.values()), instances)}
    if ns is not None:
        metrics[TIME] = Metric(TIME, ns)
    code = NoCode(lines=lines, chains={pc: (line,) for pc, line in lines.items()})
    return Launch(0, "k", "k", "k", (1, 1, 1), (32, 1, 1), (9, 0), metrics, code)


def _changes(before: Launch, after: Launch, *texts: list[str] | None) -> list[LineMove] | None:
    one, other = texts or (None, None)
    read: tuple[Texts, Texts] = (lambda _: one, lambda _: other)
    return LineComparison(before, after, read, Noise()).changes()


def _told(moves: list[LineMove] | None) -> list[tuple[str, int | None, int | None]]:
    assert moves is not None
    return [
        (m.move, m.before.line.line if m.before else None, m.after.line.line if m.after else None)
        for m in moves
    ]


def test_lines_are_followed_through_an_edit() -> None:
    before = _launch({1: 40_000, 2: 50_000, 3: 10_000})
    after = _launch({2: 40_000, 3: 10_000, 5: 50_000}, ns=1000.0)
    moves = _changes(before, after, ["a;", "b;", "c;"], ["//", "a;", "b;", "", "new;"])
    assert _told(moves) == [("appeared", None, 5), ("moved", 2, 3), ("vanished", 3, None)]
    assert moves is not None
    assert (moves[0].before_ns, moves[0].after_ns) == (None, pytest.approx(500))
    assert (moves[1].before_ns, moves[1].after_ns) == (pytest.approx(500), pytest.approx(100))


def test_without_text_lines_are_matched_by_number_and_it_is_said() -> None:
    comparison = LineComparison(
        _launch({1: 50, 2: 50}), _launch({1: 50, 3: 50}), (lambda _: None, lambda _: None), Noise()
    )
    assert {told[0] for told in _told(comparison.changes())} == {"vanished", "appeared"}
    assert comparison.unmatched_text == {"/p/k.cu"}


def test_the_same_share_of_half_the_time_moved_and_a_chance_of_few_samples_did_not() -> None:
    many = _launch({1: 50_000, 2: 50_000})
    assert len(_changes(many, _launch({1: 50_000, 2: 50_000}, ns=500.0)) or []) == 2
    assert _changes(_launch({1: 50, 2: 50}), _launch({1: 40, 2: 60})) == []
    assert len(_changes(many, _launch({1: 40_000, 2: 60_000})) or []) == 2


def test_without_a_duration_shares_are_compared() -> None:
    moves = _changes(_launch({1: 50_000, 2: 50_000}, None), _launch({1: 9_000, 2: 1_000}, None))
    assert moves is not None
    assert [(m.before_ns, m.after_ns, round(m.size, 6)) for m in moves] == [(None, None, 0.4)] * 2


def test_executed_instructions_serve_where_one_side_was_not_sampled() -> None:
    counted = _launch({1: 8, 2: 4}, metric="inst_executed")
    assert _told(_changes(counted, _launch({1: 8, 2: 5}, metric="inst_executed"))) == [
        ("moved", 2, 2)
    ]
    assert _changes(counted, _launch({1: 8, 2: 5})) is None  # nothing that both have
    assert _changes(replace(counted, metrics={}), counted) is None


def test_opcodes_that_appear_vanish_and_move() -> None:
    def counted(**counts: float) -> Launch:
        return replace(_launch({}), metrics={OPCODES: Metric(OPCODES, 0, counts)})

    found = opcode_changes(counted(LDL=9, FFMA=5, MOV=1), counted(FFMA=7, MOV=1, LDG=2))
    assert found is not None
    told = [(c.move, c.opcode, c.before, c.after) for c in found]
    assert told == [
        ("vanished", "LDL", 9, None),
        ("moved", "FFMA", 5, 7),
        ("appeared", "LDG", None, 2),
    ]
    assert opcode_changes(counted(MOV=1), _launch({})) is None
