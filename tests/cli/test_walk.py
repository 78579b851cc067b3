"""From a report down to every kind of place, by nothing but the commands that are printed."""

from __future__ import annotations

import json
import resource
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from warpwright.cli.app import run

VERBS = ("show", "metrics", "rules", "launches", "session", "digest", "explain", "source")


@pytest.fixture
def before(root: Path) -> str:
    return str(root / "examples" / "kda" / "runs" / "h200" / "before.ncu-rep")


def _commands(text: str) -> list[list[str]]:
    lines = [line.strip() for line in text.splitlines()]
    return [shlex.split(line, comments=True) for line in lines if line.startswith("warpwright ncu")]


def test_every_printed_command_works(before: str, capsys: pytest.CaptureFixture[str]) -> None:
    todo, done, kinds = [["warpwright", "ncu", "show", before]], set(), set()
    while todo:
        words = todo.pop()
        if tuple(words) in done or words[2] not in VERBS or len(done) > 40:
            continue
        done.add(tuple(words))
        kinds.add(words[3].partition("#L0/")[2].partition("/")[0])
        assert run(words[1:]) == 0, (words, capsys.readouterr().err)
        printed = capsys.readouterr()
        assert printed.err == ""
        todo += _commands(printed.out)
    assert kinds == {"", "section", "metric", "line", "finding"}


@pytest.mark.parametrize(
    ("words", "schema"),
    [
        (("launches", ""), "launches"),
        (("show", ""), "view-report"),
        (("show", "#L0"), "view-launch"),
        (("show", "#L0/section/Occupancy"), "view-section"),
        (("show", "#L0/metric/inst_executed"), "view-metric"),
        (("show", "#L0/finding/memory.local"), "view-finding"),
        (("explain", "#L0/finding/memory.local"), "explanation"),
        (("metrics", "", "gpu__time_duration.sum"), "metrics"),
        (("rules", ""), "rules"),
        (("session", ""), "session"),
    ],
)
def test_json_is_one_document(
    before: str, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], schema: str
) -> None:
    verb, place, *rest = words
    assert run(["ncu", verb, before + place, *rest, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert next(iter(document.items())) == ("schema", f"warpwright.{schema}/1")


def test_a_wrong_name_exits_with_2_and_one_hint(
    before: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["ncu", "show", f"{before}#L0/section/Ocupancy"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.splitlines() == [
        f"error: {before}#L0 has no section Ocupancy",
        "hint: did you mean Occupancy?",
    ]


@pytest.mark.parametrize("words", [("launches", ""), ("show", "")])
def test_a_look_is_quick(before: str, words: tuple[str, str]) -> None:
    """The least of three in processor time, which a busy machine stretches little."""
    seconds = []
    for _ in range(3):
        start = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run(
            [sys.executable, "-m", "warpwright", "ncu", words[0], before + words[1]],
            check=True,
            capture_output=True,
        )
        seconds.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - start)
    assert min(seconds) < 0.5
