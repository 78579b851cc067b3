from pathlib import Path

import pytest

from warpwright.errors import BadInput
from warpwright.operations.rules import list_rules
from warpwright.render.rules import rules_text


def test_the_kernels_own_gain_comes_first_and_a_units_never_ranks(shared_reports: Path) -> None:
    path = str(shared_reports / "kda_before.h200.ncu-rep.xz")
    rules = list_rules(path, limit=100).rules
    scopes = [row.estimate.scope if row.estimate and row.advice else None for row in rules]
    count = scopes.count("global")
    assert count > 2
    assert scopes[:count] == ["global"] * count
    gains = [row.estimate.pct for row in rules[:count] if row.estimate]
    assert gains == sorted(gains, reverse=True)
    local = [row.estimate for row in rules if row.estimate and row.estimate.scope == "local"]
    assert max(estimate.pct for estimate in local) > gains[0]
    assert {estimate.of for estimate in local} == {"of one unit: not the kernel's gain"}


def test_no_markup_is_left_and_mentions_can_be_followed(shared_reports: Path) -> None:
    path = str(shared_reports / "kda_before.h200.ncu-rep.xz")
    found = list_rules(path, limit=100)
    assert not any(mark in row.text for row in found.rules for mark in ("@section", "@url"))
    targets = {mention.target for row in found.rules for mention in row.mentions}
    assert f"{path}#L0/section/LaunchStats" in targets
    assert any(target.startswith("https://") for target in targets)
    cells = [cell for row in found.rules for one in row.tables for cell in one.columns[0]]
    assert "kda_seed.cu, line 78" in cells
    marker = next(one for row in found.rules for one in row.markers)
    assert (marker.file or "").endswith(".cu")
    assert marker.line
    text = rules_text(found)
    long = [line for line in text.splitlines() if len(line) > 80]
    assert all("#L0/" in line or "https://" in line for line in long)


def test_warnings_of_old_versions_are_advice(shared_reports: Path) -> None:
    path = str(shared_reports / "scan.rtx3070.2020.3.ncu-rep")
    rules = list_rules(path).rules
    advice = [row for row in rules if row.advice]
    assert {row.kind for row in advice} == {"warning"}
    assert not any(row.advice for row in rules[len(advice) :])
    source = next(m.target for row in rules for m in row.mentions if m.label.startswith("0x"))
    assert source.startswith("+0x")


def test_of_one_section_and_cut(shared_reports: Path) -> None:
    path = str(shared_reports / "kda_before.h200.ncu-rep.xz")
    occupancy = list_rules(f"{path}#L0/section/occupancy").rules
    assert {row.section for row in occupancy} == {f"{path}#L0/section/Occupancy"}
    cut = list_rules(path, limit=1)
    assert (len(cut.rules), cut.truncated, cut.rule_count > 10) == (1, True, True)


def test_a_focus_metric_has_an_address_only_if_it_is_there(shared_reports: Path) -> None:
    path = str(shared_reports / "kda_before.h200.ncu-rep.xz")
    focus = {f.metric: f.address for row in list_rules(path, limit=100).rules for f in row.focus}
    assert focus["launch__grid_size"] == f"{path}#L0/metric/launch__grid_size"
    assert focus["smsp_average_long_scoreboard"] is None


def test_not_a_place_of_rules(shared_reports: Path) -> None:
    path = str(shared_reports / "scan.rtx3070.2020.3.ncu-rep")
    with pytest.raises(BadInput, match="names a metric"):
        list_rules(f"{path}#L0/metric/x")
