"""Our reader against NVIDIA's, fact by fact. The answers were recorded by `record.py`."""

from __future__ import annotations

import json
import lzma
from bisect import bisect_right
from collections.abc import Iterable
from pathlib import Path
from posixpath import basename
from typing import Any

import pytest

from tests.oracle.facts import (
    Facts,
    differing,
    metric_digest,
    metric_facts,
    rule_digest,
    text_digest,
)
from warpwright.cubin.lines import sequences
from warpwright.cubin.sections import read_elf
from warpwright.model.annotations import RuleResult, Section
from warpwright.model.report import Launch, Metric, Report
from warpwright.report.reader import read_report

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
FOLDERS = (HERE.parent / "reports", ROOT.parent / "shared" / "reports")
ANSWERS = sorted(path.name.removesuffix(".json.xz") for path in (HERE / "answers").glob("*.xz"))


def answers(stem: str) -> Facts:
    return json.loads(lzma.decompress((HERE / "answers" / f"{stem}.json.xz").read_bytes()))


@pytest.fixture(scope="module", params=ANSWERS)
def pair(request: pytest.FixtureRequest) -> tuple[Report, list[Facts]]:
    """A report as we read it, and what NVIDIA's reader said of its launches."""
    for folder in FOLDERS:
        for suffix in (".ncu-rep", ".ncu-rep.xz", ".ncu-repz"):
            path = folder / f"{request.param}{suffix}"
            if path.exists():
                return read_report(path), answers(request.param)["launches"]
    pytest.skip(f"the report {request.param} is not here")


def each(pair: tuple[Report, list[Facts]]) -> Iterable[tuple[Launch, Facts]]:
    report, launches = pair
    return zip(report.launches, launches, strict=True)


def test_launches_have_the_same_names_in_the_same_order(pair):
    for launch, facts in each(pair):
        assert launch.workload == facts["workload"]
        if launch.workload == "kernel":
            names = (launch.kernel, launch.demangled, launch.mangled)
            assert names == tuple(facts[k] for k in ("function", "demangled", "mangled"))


def digest(metric: Metric) -> bytes:
    has_ids = metric.has_ids and bool(metric.instances)
    return metric_digest(metric.name, metric.value, metric.instances.items(), has_ids)


def test_every_metric_and_every_instance_agrees(pair):
    for launch, facts in each(pair):
        ours = {name: digest(metric) for name, metric in launch.metrics.items()}
        told = facts["metrics"]
        assert len(ours) == told["count"]
        assert not differing(ours, told)
        assert metric_facts(ours) == told


def rule_facts(result: RuleResult) -> Facts:
    return {
        "rule": result.rule,
        "name": result.name,
        "section": result.section,
        "kind": result.kind,
        "title": result.title,
        "message": result.message,
        "speedup": result.speedup and [result.speedup.scope, result.speedup.pct],
        "focus": [[f.name, f.value, f.severity, f.info] for f in result.focus],
        "tables": [
            [table.title, list(table.headers), [list(column) for column in table.columns]]
            for table in result.tables
        ],
    }


def test_every_rule_result_agrees(pair):
    for launch, facts in each(pair):
        ours = [rule_digest(rule_facts(rule)) for rule in launch.annotations.rules]
        ours = [rule for rule in ours if rule["says"]]
        told = [rule for rule in facts["rules"] if rule["says"]]  # DIFFERENCES.md, 1
        assert sorted(ours, key=text_digest) == sorted(told, key=text_digest)


SEVERITIES = ("none", "ok", "warning", "error", "optimization")  # as the file numbers them


def test_every_source_marker_agrees(pair):
    for launch, facts in each(pair):
        rules = {rule.rule: rule for rule in launch.annotations.rules}  # each has its rule's
        ours = [
            text_digest(
                {
                    "rule": name,
                    "text": marker.text,
                    "severity": SEVERITIES.index(marker.severity),
                    "pc": marker.pc,
                    "file": marker.file and basename(marker.file),
                    "line": marker.line,
                }
            )
            for name, rule in rules.items()
            for marker in rule.markers
        ]
        assert sorted(ours) == facts["markers"]


def section_facts(section: Section) -> Facts:
    return {
        "id": section.id,
        "name": section.name,
        "order": section.order,
        "description": section.description,
        "parent": section.parent,
    }


def test_every_section_agrees(pair):
    for launch, facts in each(pair):
        ours = {section.id: section for section in launch.annotations.sections}
        assert sorted(ours) == sorted(told["id"] for told in facts["sections"])
        for told in facts["sections"]:
            section = ours[told["id"]]
            assert text_digest(section_facts(section)) == told["digest"]
            assert set(told["header"]) <= {metric.name for metric in section.header}
            names = {metric.name for metric in (*section.body, *section.header)}
            unknown = set(told["body"]) - names
            assert unknown <= {row.name for row in section.body} | set(launch.metrics)  # 3


def first_rows(launch: Launch) -> dict[int, tuple[str, int]]:
    """Offset -> file and line of the first row that the line table has for that address."""
    elf = read_elf(launch.code.parts[0].cubin)
    symbol, section = elf.function(launch.mangled)
    found: dict[int, tuple[str, int]] = {}
    for header, rows in sequences(elf, section):
        for row in rows:
            file = header.files[row.file] if row.file < len(header.files) else ""
            found.setdefault(row.address - symbol.value, (basename(file), row.line))
    return found


def test_every_pc_has_the_same_source_line(pair):
    for launch, facts in each(pair):
        lines: list[list[Any]] = facts["lines"]
        chains = launch.code.chains
        if not chains:
            assert not any(file for _, file, _ in lines)
            continue
        first = first_rows(launch) if launch.workload == "kernel" else {}
        starts = sorted(first)
        for pc, file, line in lines:
            chain = chains[pc - launch.code.base]
            ours = [(basename(at.file), at.line) for at in chain]
            if ours[0] == (file, line):
                continue
            if starts:  # DIFFERENCES.md, 2
                at = starts[bisect_right(starts, pc - launch.code.base) - 1]
                assert first[at] == (file, line), hex(pc)
            else:
                assert (file, line) in ours, hex(pc)


def test_source_files_agree(pair):
    """The library also names files whose text could not be imported."""
    report, launches = pair
    told = {name for facts in launches for name in facts["files"]}
    assert {basename(name) for name in report.sources} <= told


def test_open_nvtx_ranges_agree(pair):
    for launch, facts in each(pair):
        ours = sorted([one.domain, one.kind, one.name] for one in launch.annotations.nvtx)
        assert ours == facts["nvtx"]
