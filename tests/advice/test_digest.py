"""The digest of the flagship kernels, and of reports that deserve doubt."""

import json
from dataclasses import replace
from pathlib import Path

from warpwright.advice.digest import digest_launch, make_digest
from warpwright.model.digest import Digest
from warpwright.model.report import Report
from warpwright.render.digest import digest_text
from warpwright.report.reader import read_report


def digest_of(path: Path) -> Digest:
    return make_digest(read_report(path, path.name))


def test_the_before_kernel(shared_reports: Path):
    (launch,) = digest_of(shared_reports / "kda_before.h200.ncu-rep.xz").launches
    by_id = {finding.id: finding for finding in launch.findings}
    local, grid = by_id["memory.local"], by_id["launch.small_grid"]
    assert local.rank <= 2
    assert {place.line for place in local.where} >= {72, 78}
    assert local.speedup.low < 6.078 / 3.446 < local.speedup.high  # what full unrolling gave
    assert "64 blocks leave 68 of 132 SMs idle" in grid.title
    assert "1584 fill the device once" in " ".join(grid.actions)
    assert launch.bound == "launch"
    assert not any("occupancy" in finding.title for finding in launch.findings)


def test_the_after_kernel(shared_reports: Path):
    (launch,) = digest_of(shared_reports / "kda_after.h200.ncu-rep.xz").launches
    assert launch.findings[0].id == "launch.small_grid"
    assert "latency.dependency" in {finding.id for finding in launch.findings}


def test_ranks_addresses_and_ranges_are_in_order(shared_reports: Path):
    for path in sorted(shared_reports.glob("*.ncu-rep*")):
        for launch in digest_of(path).launches:
            assert [f.rank for f in launch.findings] == list(range(1, len(launch.findings) + 1))
            for finding in launch.findings:
                assert finding.address == f"{path.name}#L{launch.index}/finding/{finding.id}"
                gain = finding.speedup
                assert 1 <= gain.low <= gain.expected <= gain.high
                assert finding.evidence
                assert finding.actions


def test_an_interrupted_last_launch_is_not_ranked(shared_reports: Path):
    digest = digest_of(shared_reports / "esmm_nan_last_launch.a10g.2023.1.ncu-rep")
    last = digest.launches[-1]
    assert not last.findings
    assert last.duration_ns is None
    assert [caution.id for caution in last.cautions] == ["measurement.nan"]
    assert sum(launch.share_of_time or 0 for launch in digest.launches) == 1.0


def test_tiny_kernels_and_missing_sections_are_said(shared_reports: Path):
    digest = digest_of(shared_reports / "extrap_s10.a100.2020.3.ncu-rep")
    assert "measurement.short" in {c.id for c in digest.launches[0].cautions}
    assert any("SourceCounters" in line for line in digest.missing)


def test_the_contract_survives_json(shared_reports: Path):
    digest = digest_of(shared_reports / "kda_fla_chunk.h200.ncu-rep.xz")
    document = json.loads(digest.model_dump_json())
    assert document["schema"] == "warpwright.digest/1"
    assert Digest.model_validate(document) == digest
    assert "NaN" not in digest.model_dump_json()


def test_text_fits_80_columns(shared_reports: Path):
    for path in sorted(shared_reports.glob("*.ncu-rep*")):
        long = [line for line in digest_text(digest_of(path)).splitlines() if len(line) > 80]
        assert not [line for line in long if " " in line.strip() and "warpwright" not in line], long


def test_an_unknown_device_is_said(facts):
    """A device of tomorrow is ranked as the last one that is known, and the digest says so."""
    launch = replace(facts(blocks=66).launch, compute_capability=(13, 0))
    found = digest_launch(Report("a", None, None, (13, 0), 132, (launch,)), launch)
    (caution,) = [one for one in found.cautions if one.id == "measurement.device"]
    assert "13.0 is not known" in caution.text
    assert "12.1" in caution.text
    assert [one.id for one in found.findings] == ["launch.small_grid"]
