from pathlib import Path

import pytest

from warpwright.cli.app import run
from warpwright.errors import BadInput
from warpwright.model.difference import LaunchPair
from warpwright.operations.diff import diff
from warpwright.operations.diff_options import DiffOptions


@pytest.fixture
def places(root: Path) -> tuple[str, str]:
    folder = root / "examples" / "kda" / "runs" / "h200"
    return str(folder / "before.ncu-rep"), str(folder / "after.ncu-rep")


def _pair(places: tuple[str, str], *claims: str) -> LaunchPair:
    [pair] = diff(*places, DiffOptions(claims=claims)).pairs.rows
    return pair


def test_stalls_in_time_add_up_to_the_duration(places: tuple[str, str]):
    pair = _pair(places)
    assert pair.times is not None
    stalls = [move for move in pair.times if move.kind == "stall"]
    assert sum(move.before_ns or 0.0 for move in stalls) == pytest.approx(5_854_880, rel=0.01)
    assert sum(move.after_ns or 0.0 for move in stalls) == pytest.approx(2_927_552, rel=0.01)
    named = {move.name: move for move in stalls}
    local = named["stalls on local loads"]
    assert local.after_ns == 0.0 and (local.before_ns or 0.0) > 5e5
    sizes = [abs((move.after_ns or 0.0) - (move.before_ns or 0.0)) for move in stalls]
    assert sizes == sorted(sizes, reverse=True)


def test_resources_in_time(places: tuple[str, str]):
    pair = _pair(places)
    busy = {move.name: move for move in pair.times or () if move.kind == "resource"}
    assert (busy["L2"].before_ns or 0.0) > 10 * (busy["L2"].after_ns or 0.0)
    assert busy["DRAM"].before_ns == pytest.approx(busy["DRAM"].after_ns, rel=0.05)


def test_what_vanished_is_looked_for_in_the_machine_code(places: tuple[str, str]):
    pair = _pair(places)
    effects = {effect.id: effect for effect in pair.effects}
    solved = {cause.id for cause in pair.causes.rows if cause.state == "solved"}  # type: ignore[union-attr]
    assert effects.keys() == solved
    assert effects["memory.local"].verdict == "took effect"
    assert not effects["memory.local"].claimed


def test_a_claim_is_checked_whether_it_vanished_or_not(places: tuple[str, str]):
    address = f"{places[0]}#L0/finding/memory.local"
    one, other = _pair(places, "launch.small_grid", address).effects
    assert (one.id, one.verdict) == ("launch.small_grid", "did not take effect")
    assert (other.id, other.verdict) == ("memory.local", "took effect")
    assert one.claimed and other.claimed
    assert other.before_address == address


def test_the_next_limit_is_the_first_finding_after(places: tuple[str, str]):
    limit = _pair(places).next_limit
    assert limit is not None
    assert limit.finding is not None and limit.finding.startswith(f"{places[1]}#L0/finding/")
    assert limit.resource == "L1 data pipe"
    assert limit.busy_share == pytest.approx(0.14, abs=0.01)


def test_wrong_claims_are_told_before_anything_is_read(
    places: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(BadInput, match="names no finding") as caught:
        diff("none.ncu-rep", "none.ncu-rep", DiffOptions(claims=("memory.loca",)))
    assert caught.value.hint is not None and "memory.local" in caught.value.hint
    assert run(["ncu", "diff", *places, "--claim", "memory.local", "--raw"]) == 2
    assert "--claim asks for causes and --raw for numbers alone" in capsys.readouterr().err


def test_the_text_says_causes_first(
    places: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["ncu", "diff", *places, "--because", "memory.local"]) == 0
    text = capsys.readouterr().out
    parts = ("\ncauses", "\nmemory.local: took effect", "\nwhere the time went", "\nwhat limits")
    order = [text.index(part) for part in (*parts, "\nmetrics")]
    assert order == sorted(order)
    lines = text[order[0] : order[-1]].splitlines()
    assert not [line for line in lines if len(line) > 80]
