"""The one formula behind every prediction, and the order of findings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.advice.conftest import ELAPSED, make_facts
from warpwright.advice.draft import Draft, speedup
from warpwright.advice.facts import ATTAINABLE, LAUNCH_NS
from warpwright.advice.ranking import ranked

SHARES = st.floats(0, 1)


@given(gone=SHARES, more=SHARES, busy=st.floats(0, 100), nanoseconds=st.floats(100, 1e9))
def test_more_that_vanishes_is_never_slower(gone, more, busy, nanoseconds):
    facts = make_facts(
        metrics={
            "gpu__time_duration.sum": nanoseconds,
            f"gpu__dram_throughput.{ELAPSED}": busy,
        }
    )
    low, high = sorted((gone, more))
    assert 1.0 <= facts.after(low) <= facts.after(high) * (1 + 1e-12)
    fixed = min(1.0, LAUNCH_NS / nanoseconds)
    assert facts.after(1.0) <= 1 / max(fixed, 0.003) * (1 + 1e-9)


def test_a_resource_caps_what_leaves_its_work(facts):
    busy = facts(metrics={f"gpu__dram_throughput.{ELAPSED}": 46.0})
    fixed = LAUNCH_NS / 1e6
    assert busy.after(1.0) == pytest.approx(1 / (fixed + 0.46 / ATTAINABLE))
    assert busy.after(1.0, left={"DRAM": 0.5}) == pytest.approx(1 / (fixed + 0.23 / ATTAINABLE))


def test_a_launch_of_two_microseconds_is_mostly_launch(facts):
    short = facts(metrics={"gpu__time_duration.sum": 2_300.0})
    assert short.after(1.0) == 1.0


def draft(name: str, expected: float, confidence: str = "medium") -> Draft:
    return Draft(name, name, speedup(1.0, expected, expected), (), (), confidence)


def test_promise_and_confidence_rank():
    sure, unsure = draft("control.divergence", 1.5, "high"), draft("launch.tail", 1.8, "low")
    assert ranked([unsure, sure]) == [sure, unsure]


def test_a_cause_comes_before_its_symptom():
    symptom, cause = draft("latency.memory", 2.5), draft("memory.narrow", 2.2)
    assert ranked([symptom, cause]) == [cause, symptom]


def test_a_cause_that_explains_little_stays_behind():
    symptom, cause = draft("latency.memory", 2.5), draft("memory.narrow", 1.1)
    assert ranked([cause, symptom]) == [symptom, cause]


def test_a_roof_comes_before_gains_that_hardly_matter():
    roof, small, large = (
        draft("roofline.memory", 1.0, "high"),
        draft("latency.memory", 1.05),
        draft("memory.local", 1.4, "high"),
    )
    assert ranked([small, roof, large]) == [large, roof, small]
