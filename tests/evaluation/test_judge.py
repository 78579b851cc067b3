from __future__ import annotations

import dataclasses
import math
import random
import tomllib
from typing import Any

import pytest

from warpwright.evaluation.clocks import believe
from warpwright.evaluation.effort import draws, effort_for, shapes_on
from warpwright.evaluation.judge import Draw, OutputError, judge_output, reasons, status_of
from warpwright.evaluation.texts import one_line
from warpwright.evaluation.worker import CandidateError, Claim, believable_times
from warpwright.model.task import Task
from warpwright.model.verdict import Check

from .conftest import TASK

GOOD = OutputError(
    name="y",
    elements=1000,
    wrong_finiteness=0,
    mismatches=0,
    rel_rmse=2e-7,
    rel_rmse_reference=1e-7,
    rel_worst=1e-6,
    worst_at=(0, 1),
    unwritten=0,
)
DRAW = Draw("main", "normal", 1)


def _task(**changes: Any) -> Task:
    document = tomllib.loads(TASK)
    document["tolerance"].update(changes)
    return Task.model_validate(document)


def test_an_output_within_tolerance_passes_and_says_how_near() -> None:
    check = judge_output(_task(), DRAW, GOOD)
    assert check.passed
    assert (check.measured, check.limit) == (2e-7, 1e-6)


@pytest.mark.parametrize(
    ("changes", "name", "words"),
    [
        ({"rel_rmse": 2e-6}, "error", "relative error 2e-06 is above 1e-06"),
        ({"rel_worst": 1e-3}, "element", "element [0, 1] is off by 0.001"),
        ({"wrong_finiteness": 3}, "error", "3 of 1000 elements are NaN or infinite"),
        ({"rel_rmse": 1.0, "unwritten": 1000}, "error", "1000 elements were never written"),
    ],
)
def test_what_fails_is_named(changes: dict[str, Any], name: str, words: str) -> None:
    check = judge_output(_task(), DRAW, dataclasses.replace(GOOD, **changes))
    assert not check.passed
    assert check.name == name
    assert words in check.detail


def test_the_limit_follows_the_reference_where_that_is_worse() -> None:
    off = dataclasses.replace(GOOD, rel_rmse=2.5e-3, rel_rmse_reference=1e-3)
    assert not judge_output(_task(element_cap=1.0), DRAW, off).passed
    assert judge_output(_task(element_cap=1.0, precision="bf16"), DRAW, off).passed


def test_integers_must_be_equal() -> None:
    document = tomllib.loads(TASK)
    document["outputs"][0]["dtype"] = "int32"
    task = Task.model_validate(document)
    assert judge_output(task, DRAW, GOOD).passed
    check = judge_output(task, DRAW, dataclasses.replace(GOOD, mismatches=2))
    assert not check.passed
    assert "2 of 1000 elements differ" in check.detail


def test_reasons_are_grouped_by_shape_and_the_worst_comes_first() -> None:
    task = _task()
    checks = [
        judge_output(task, Draw(shape, kind, 1), dataclasses.replace(GOOD, rel_rmse=rmse))
        for shape, kind, rmse in [
            ("odd", "normal", 1e-5),
            ("main", "normal", 1e-3),
            ("main", "large", 1e-2),
            ("unseen", "normal", 1e-8),
        ]
    ]
    first, second = reasons(checks)
    assert first.startswith("shape main: y: relative error 0.01")
    assert first.endswith("(inputs 'large', 2 times)")
    assert "shape odd" in second
    assert status_of(checks) == "incorrect"
    assert status_of(checks[3:]) == "correct"


def test_nothing_is_correct_that_was_not_compared() -> None:
    note = Check(name="note", passed=True, detail="no CUDA graph")
    for checks in ([], [note]):
        assert status_of(checks) == "untrusted"
        assert reasons(checks) == ("no output was compared with float64",)
    doubt = Check(name="two clocks", passed=False, detail="claims 1 us")
    passed = judge_output(_task(), DRAW, GOOD)
    assert status_of([passed, doubt]) == "untrusted"
    assert status_of([passed, note]) == "correct"


def test_every_distribution_is_drawn_on_every_shape_with_seeds_of_its_own() -> None:
    task, rng = _task(), random.Random(7)
    everything = [draw for shape in shapes_on(task, "cpu") for draw in draws(task, shape, rng)]
    assert len({draw.seed for draw in everything}) == len(everything) == 9
    for shape in task.shapes:
        mine = [draw for draw in everything if draw.shape == shape.name]
        assert {draw.distribution for draw in mine} == {"normal", "large"}
    assert [shape.name for shape in shapes_on(task, "cpu")] == ["odd", "unseen", "main"]


def test_a_big_shape_gets_every_distribution_once() -> None:
    document = tomllib.loads(TASK)
    document["shapes"][0]["dims"] = {"N": 4096, "M": 4096}
    task = Task.model_validate(document)
    assert len(list(draws(task, task.shapes[0], random.Random(8)))) == 2


def test_quick_is_less_of_the_same() -> None:
    task = _task()
    usual = effort_for("cuda", task, quick=False, time_limit_s=None)
    quick = effort_for("cuda", task, quick=True, time_limit_s=None)
    assert (usual.processes, usual.time_limit_s) == (3, task.time_limit_s)
    assert usual.pairs >= 20
    assert quick.processes == 1
    assert quick.time_limit_s == task.time_limit_s / 4


@pytest.mark.parametrize(
    "claimed",
    [
        [1.0, 10**400], [1.0, math.nan], [1.0, math.inf], [1.0, -1.0], [1.0, 0], [1.0, "1"],
        [1.0, True], [1.0, None], [1.0], [1.0, 1.0, 1.0], "11", None, {"0": 1.0, "1": 1.0},
    ],
)  # fmt: skip
def test_what_is_no_time_breaks_the_protocol(claimed: object) -> None:
    with pytest.raises(CandidateError) as caught:
        believable_times(claimed, 2)
    assert caught.value.name == "protocol"
    assert believable_times([1, 2.5], 2) == (1.0, 2.5)


@pytest.mark.parametrize(
    ("told", "line"),
    [
        ("\ud800 a\n\tb", "a b"),
        ("\x1b]0;x\x07name \x1b[1;31mred\x1b[0m \x1b]8;;u\x1b\\link", "name red link"),
        ("left \u202e right\x1b", "left right"),
        ("x" * 10**6, "x" * 300),
        (None, "None"),
    ],
)
def test_what_a_process_says_becomes_one_clean_line(told: object, line: str) -> None:
    assert one_line(told) == line


def test_times_that_cannot_be_are_not_believed() -> None:
    believe(Claim((400.0, 500.0), wall_ns=1000.0), least_ns=300.0)
    with pytest.raises(CandidateError, match="controller's clock"):
        believe(Claim((600.0, 500.0), wall_ns=1000.0), least_ns=300.0)
    with pytest.raises(CandidateError, match="least possible"):
        believe(Claim((400.0, 500.0), wall_ns=1000.0), least_ns=450.0)
