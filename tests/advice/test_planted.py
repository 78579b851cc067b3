"""New causes on kernels in which they were planted, and silence on kernels without them."""

from pathlib import Path

import pytest

from warpwright.advice.digest import make_digest
from warpwright.advice.findings import FINDINGS
from warpwright.report.reader import read_report

SUITE = Path(__file__).resolve().parents[2] / "suites" / "diagnosis" / "reports"
PLANTED = {
    "memory.bank_conflicts.transpose": "memory.bank_conflicts",
    "memory.constant_divergence.tone": "memory.constant_divergence",
    "memory.atomics.histogram": "memory.atomics",
    "memory.narrow.blend": "memory.narrow",
    "compute.fp64.nbody": "compute.fp64",
    "compute.special_functions.fourier": "compute.special_functions",
}


def findings(name: str):
    (launch,) = make_digest(read_report(SUITE / f"{name}.ncu-rep.xz")).launches
    return {finding.id: finding for finding in launch.findings}, launch.findings


@pytest.mark.parametrize(("name", "cause"), PLANTED.items())
def test_the_planted_cause_is_first_and_has_lines_and_a_remedy(name: str, cause: str):
    found, ranked = findings(name)
    assert ranked[0].id == cause
    assert found[cause].where and found[cause].actions
    gain = found[cause].speedup
    assert 1.0 <= gain.low <= gain.expected <= gain.high


@pytest.mark.parametrize("name", PLANTED)
def test_other_causes_are_not_seen_where_they_are_not(name: str):
    found, _ = findings(name)
    others = set(PLANTED.values()) - {PLANTED[name]}
    assert not {one for one in others & found.keys() if found[one].speedup.expected > 1.15}


def test_every_id_has_a_rule_that_states_its_model_and_makes_that_id():
    for name, find in FINDINGS.items():
        assert find.__doc__
        assert name in Path(find.__code__.co_filename).read_text()
    seen = {
        finding.id
        for path in SUITE.glob("*.xz")
        for launch in make_digest(read_report(path)).launches[:2]
        for finding in launch.findings
    }
    assert seen == set(FINDINGS)
