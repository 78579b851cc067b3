import pytest

from warpwright.model.annotations import RuleKind, RuleResult
from warpwright.query.advice import advice_kinds


def _rule(kind: RuleKind) -> RuleResult:
    return RuleResult("R", "A rule", "S", kind, None, "text")


@pytest.mark.parametrize(
    ("version", "old"),
    [("2020.3.1.0", True), ("2023.1.0.0", True), ("2023.2.0.0", False), ("2025.3.1.0", False)],
)
def test_a_warning_was_advice_before_2023_2(version: str, old: bool) -> None:
    assert ("warning" in advice_kinds(version, [_rule("warning")])) is old


def test_without_a_version_the_rules_tell() -> None:
    assert "warning" in advice_kinds(None, [_rule("warning"), _rule("ok")])
    assert advice_kinds(None, [_rule("warning"), _rule("optimization")]) == ("optimization",)
