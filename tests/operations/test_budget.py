import json
import shlex
from pathlib import Path

import pytest

from warpwright.cli.app import run
from warpwright.errors import UsageError
from warpwright.operations.budget import allowed_tokens, tokens, within_budget
from warpwright.operations.digest import digest
from warpwright.render.digest import digest_text


@pytest.fixture
def before(root: Path) -> str:
    return str(root / "examples" / "kda" / "runs" / "h200" / "before.ncu-rep")


def test_a_token_is_four_bytes_of_utf8():
    assert [tokens(text) for text in ("", "a", "abcd", "abcde", "\u00b5\u00b5\u00b5")] == [
        0,
        1,
        1,
        2,
        2,
    ]


def test_the_best_findings_stay_whole_the_least_go_first(before: str):
    whole = digest(before)
    names = [finding.id for finding in whole.launches[0].findings]
    assert len(names) >= 4
    shown = []
    for budget in (10_000, 800, 500, 300, 200):
        text = digest_text(whole, budget=budget)
        assert tokens(text) <= budget
        assert "bound by" in text and "caution: clocks" in text  # the head is there to the last
        evidence = [name for name in names if f". {name}: " in text]
        listed = [name for name in names if f". {name}" in text]
        assert evidence == names[: len(evidence)] and listed == names[: len(listed)]
        gone = f"{len(names) - len(listed)} left out" in text
        assert gone == (listed != names)
        shown.append((len(evidence), len(listed)))
    assert shown[0] == (len(names), len(names))
    assert shown == sorted(shown, reverse=True)
    assert 0 < shown[1][0] < len(names)  # by default some are whole, and the others are named
    assert shown[1][1] == len(names)


def test_the_printed_command_shows_the_rest(before: str, capsys: pytest.CaptureFixture[str]):
    assert run(["ncu", "digest", before]) == 0
    short = capsys.readouterr().out
    [command] = [line for line in short.splitlines() if "--budget" in line]
    assert run(shlex.split(command)[1:]) == 0
    text = capsys.readouterr().out
    assert "shortened" not in text and "left out" not in text
    assert all(f". {finding.id}: " in text for finding in digest(before).launches[0].findings)


def test_several_launches_share_the_budget_of_four(root: Path):
    whole = digest(str(root / "tests" / "reports" / "multi.ncu-rep.xz"))
    assert len(whole.launches) == 12
    for budget in (200, 400, 800):
        text = digest_text(whole, budget=budget)
        assert tokens(text) <= 4 * budget
        assert text.index("First:") < text.index("\nL10 reduce")
    few = digest_text(whole, budget=200)
    assert "more launches" in few
    assert tokens(digest_text(whole, limit=1, budget=300)) <= 300
    assert allowed_tokens(800, 2) == 1600


def test_json_is_cut_only_where_a_budget_is_given(
    before: str, capsys: pytest.CaptureFixture[str]
) -> None:
    count = len(digest(before).launches[0].findings)
    assert run(["ncu", "digest", before, "--json"]) == 0
    [launch] = json.loads(capsys.readouterr().out)["launches"]
    assert (len(launch["findings"]), launch["truncated"]) == (count, False)
    assert run(["ncu", "digest", before, "--json", "--budget", "1000"]) == 0
    text = capsys.readouterr().out
    assert tokens(text) <= 1000
    [launch] = json.loads(text)["launches"]
    assert 0 < len(launch["findings"]) < count
    assert launch["truncated"]
    assert [finding["rank"] for finding in launch["findings"]] == list(
        range(1, len(launch["findings"]) + 1)
    )


def test_json_of_many_launches_keeps_the_costliest(root: Path):
    whole = digest(str(root / "tests" / "reports" / "many.ncu-rep.xz"))
    cut = within_budget(whole, 400)
    assert tokens(cut.model_dump_json(indent=2, by_alias=True)) <= 1600
    assert 0 < len(cut.launches) < len(whole.launches)
    assert cut.launches_left_out == len(whole.launches) - len(cut.launches)
    least = min(launch.share_of_time or 0.0 for launch in cut.launches)
    kept = {launch.index for launch in cut.launches}
    gone = [launch for launch in whole.launches if launch.index not in kept]
    assert all((launch.share_of_time or 0.0) <= least for launch in gone)


def test_a_budget_that_holds_nothing_is_one_error(
    before: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for wrong in ("0", "-5", "199", "many"):
        assert run(["ncu", "digest", before, "--budget", wrong]) == 2
        printed = capsys.readouterr()
        assert printed.out == "" and len(printed.err.splitlines()) == 2
        assert "'--budget'" in printed.err
    with pytest.raises(UsageError, match="--budget 20 is less than this digest's head takes"):
        within_budget(digest(before), 20)
