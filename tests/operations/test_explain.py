import json
import shlex
from pathlib import Path

import pytest

from warpwright.advice.findings import FINDINGS
from warpwright.cli.app import run
from warpwright.errors import BadInput
from warpwright.operations.basis import basis_of
from warpwright.operations.explain import explain
from warpwright.operations.found import find_finding
from warpwright.query.sight_table import SIGHTS
from warpwright.render.explanation import explanation_text


@pytest.fixture
def local(root: Path) -> str:
    report = root / "examples" / "kda" / "runs" / "h200" / "before.ncu-rep"
    return f"{report}#L0/finding/memory.local"


def test_a_finding_with_all_that_it_rests_on(local: str):
    found = explain(local)
    finding = find_finding(local).finding
    assert found.finding == finding
    assert found.predicted_ns == pytest.approx(5_854_880 / finding.speedup.expected)
    assert found.basis is not None and "T'" in found.basis
    assert [row.metric for row in found.evidence] == [row.metric for row in finding.evidence]
    loads = found.evidence[0]
    assert loads.address == local.replace("finding/memory.local", f"metric/{loads.metric}")
    assert loads.meaning is not None and "local" in loads.meaning
    assert [(line.place.line, line.share) for line in found.lines] == [
        (place.line, place.share) for place in finding.where
    ]
    assert all(line.text for line in found.lines)  # the report imported its source


def test_the_machine_code_stands_around_the_costliest_instruction(local: str):
    found = explain(local)
    offsets = [row.offset for row in found.instructions]
    assert found.hottest in offsets
    assert offsets == sorted(offsets) and len(offsets) == 7
    hot = next(row for row in found.instructions if row.offset == found.hottest)
    assert hot.place == found.lines[0].place


def test_stalls_at_the_lines_are_told_beside_the_whole(local: str):
    found = explain(local)
    here = [stall.here for stall in found.stalls]
    assert here == sorted(here, reverse=True)
    assert 0.95 < sum(here) <= 1.0 + 1e-9
    assert any(abs(stall.here - stall.whole) > 0.02 for stall in found.stalls)


def test_it_says_what_must_move_and_how_to_see_it(local: str):
    found = explain(local)
    [check] = found.checks
    assert (check.toward, check.decisive) == ("gone", True)
    launch = find_finding(local).launch
    kinds = [launch.number(f"sass__inst_executed_local_{kind}") for kind in ("loads", "stores")]
    assert check.now == sum(count or 0.0 for count in kinds) > 5e7
    commands = [step.command for step in found.verify]
    place = shlex.quote(local.partition("/finding")[0])
    assert commands == [
        "warpwright ncu profile TASK NEW",
        f"warpwright ncu diff {place} NEW.ncu-rep --claim memory.local",
        f"warpwright evaluate TASK NEW --because {shlex.quote(local)}",
    ]


def test_findings_that_claim_the_same_time_are_named(local: str):
    found = explain(local)
    rivals = {rival.id: rival for rival in found.rivals}
    assert "memory.local" not in rivals
    chain = rivals["latency.dependency"]  # it waits at the same lines
    assert chain.overlap is not None and chain.overlap > 0.5


def test_a_finding_without_lines_has_no_code(local: str):
    found = explain(local.replace("memory.local", "launch.small_grid"))
    assert (found.lines, found.instructions, found.stalls, found.hottest) == ((), (), (), None)
    text = explanation_text(found)
    assert "where it costs" not in text
    assert "warpwright ncu what-if" in text


def test_text_fits_80_columns(local: str):
    lines = explanation_text(explain(local)).splitlines()
    assert not [line for line in lines[1:] if len(line) > 80 and "warpwright" not in line]


def test_what_is_no_finding_is_told(local: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(BadInput, match="does not name a finding"):
        explain(local.partition("#")[0])
    assert run(["ncu", "explain", local.replace("memory.local", "compute.fp64")]) == 2
    assert "has no finding compute.fp64 for L0" in capsys.readouterr().err


def test_every_id_of_the_schema_has_sights(root: Path):
    """Each finding of every report here can be verified, or says why not."""
    assert all(sights.rows or sights.blind for sights in SIGHTS.values())
    assert all(any(s.decisive for s in sights.rows) for sights in SIGHTS.values() if sights.rows)
    schema = json.loads((root / "schemas" / "explanation.json").read_text())
    assert schema["properties"]["schema"]["const"] == "warpwright.explanation/1"


def test_every_finding_states_its_model():
    """Each function of the advice is found by the id that it gives."""
    texts = {name: basis_of(name) for name in SIGHTS}
    stated = [text for text in texts.values() if text is not None]
    assert len(set(stated)) == len(stated) == len(FINDINGS)
