from __future__ import annotations

from pathlib import Path

import pytest

from warpwright.profiling.command import EXTRA_SECTIONS, QUICK_SECTIONS, ncu_command
from warpwright.profiling.options import Options
from warpwright.profiling.tool import Tool, parse_sections, parse_version

TOOL = Tool(Path("/opt/ncu"), "2025.3.1.0", frozenset(), frozenset())
REPORT = Path("/there/report.ncu-rep")
LIST_SECTIONS = """\
------------------ ------------------ ------- ------------------------------------------
Identifier         Display Name       Enabled Filename
------------------ ------------------ ------- ------------------------------------------
C2CLink            C2CLink            no      ...sight Compute/2024.1.1/Sections/C2CLink.section
LaunchStats        Launch Statistics  yes     ...pute/2024.1.1/Sections/LaunchStatistics.section
SourceCounters     Source Counters    no      ...24.1.1/Sections/SourceCounters.section
"""


def _options(**values: object) -> Options:
    return Options(output=Path("x.ncu-rep"), **values)  # type: ignore[arg-type]


def _command(options: Options, tool: Tool = TOOL, **values: object) -> list[str]:
    return ncu_command(tool, ["./app", "--n", "3"], options, report=REPORT, **values)  # type: ignore[arg-type]


def _values(command: list[str], option: str) -> list[str]:
    return [command[i + 1] for i, word in enumerate(command) if word == option]


def test_the_program_comes_last_with_its_own_options() -> None:
    command = _command(_options())
    assert command[0] == "/opt/ncu"
    assert command[-4:] == [str(REPORT), "./app", "--n", "3"]


def test_quick_and_full() -> None:
    quick = _command(_options(preset="quick"))
    assert _values(quick, "--set") == []
    assert _values(quick, "--section") == list(QUICK_SECTIONS)
    full = _command(_options(preset="full"))
    assert _values(full, "--set") == ["full"]
    assert _values(full, "--section") == list(EXTRA_SECTIONS)


def test_an_old_version_is_not_asked_for_what_it_lacks() -> None:
    options = frozenset({"--set", "--section", "--export"})
    old = Tool(TOOL.path, "2022.1.0.0", frozenset({"LaunchStats", "SourceCounters"}), options)
    quick = _command(_options(preset="quick"), old, source_folder=Path("/src"))
    assert _values(quick, "--section") == ["LaunchStats", "SourceCounters"]
    assert "--import-source" not in quick
    assert "--source-folders" not in quick
    assert _values(_command(_options(preset="full"), old), "--section") == ["SourceCounters"]


def test_a_range_is_opened_by_the_program() -> None:
    assert _values(_command(_options(), range_only=True), "--profile-from-start") == ["off"]
    assert "--profile-from-start" not in _command(_options())
    assert "--profile-from-start" not in _command(_options(replay="range"), range_only=True)


def test_filters() -> None:
    assert not {"--kernel-name", "--launch-skip", "--launch-count"} & set(_command(_options()))
    command = _command(
        _options(kernel="row_.*", launch_skip=2, launch_count=1, target_processes="all")
    )
    assert _values(command, "--kernel-name") == ["regex:row_.*"]
    assert _values(command, "--launch-skip") == ["2"]
    assert _values(command, "--launch-count") == ["1"]
    assert _values(command, "--target-processes") == ["all"]


def test_clocks_replay_and_sources() -> None:
    command = _command(
        _options(clock_control="base", replay="application"), source_folder=Path("/src")
    )
    assert _values(command, "--clock-control") == ["base"]
    assert _values(command, "--replay-mode") == ["application"]
    assert _values(command, "--import-source") == ["yes"]
    assert _values(command, "--source-folders") == ["/src"]


def test_sections_are_the_first_column_of_the_list() -> None:
    assert parse_sections(LIST_SECTIONS) == {"C2CLink", "LaunchStats", "SourceCounters"}
    assert parse_sections("==ERROR== something else\n") == frozenset()


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("Copyright (c) 2018-2024\nVersion 2024.1.1.0 (build 33998838) (public-release)\n",
         "2024.1.1.0"),
        ("command not found\n", None),
    ],
)  # fmt: skip
def test_version(text: str, version: str | None) -> None:
    assert parse_version(text) == version
