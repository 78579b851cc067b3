"""The cases of a diagnosis suite: what was planted, what was measured, and the report."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from warpwright.errors import BadInput
from warpwright.model.scoreboard import SuiteCase


@dataclass(frozen=True, slots=True)
class RecordedCase:
    """A case that was recorded. `measured` is the speedup of its fixed version."""

    name: str
    case: SuiteCase
    measured: float
    report: Path


def recorded_cases(folder: Path) -> list[RecordedCase]:
    """Every case of a suite that has a report and times, by name.

    Args:
        folder: holds `cases/NAME/case.toml`, `reports/NAME.ncu-rep.xz` and `times.json`.

    Raises:
        BadInput: no such folder, none of it recorded, or a case.toml that cannot be read.
    """
    try:
        times = json.loads((folder / "times.json").read_text(encoding="utf-8"))
        pairs = {name: told["bad_ns"] / told["fixed_ns"] for name, told in times.items()}
    except OSError:
        raise BadInput(
            f"{folder} holds no times.json", hint="warpwright advice score suites/diagnosis"
        ) from None
    except (ValueError, KeyError, TypeError, ZeroDivisionError, AttributeError) as error:
        raise BadInput(
            f"{folder / 'times.json'}: {error!r}",
            hint="record it again: suites/diagnosis/record.sh",
        ) from None
    found = [
        RecordedCase(name, _case(folder / "cases" / name / "case.toml"), measured, report)
        for name, measured in sorted(pairs.items())
        if (report := folder / "reports" / f"{name}.ncu-rep.xz").exists()
    ]
    if not found:
        raise BadInput(
            f"{folder} holds no reports of its cases",
            hint="record them: suites/diagnosis/record.sh",
        )
    return found


def _case(path: Path) -> SuiteCase:
    try:
        return SuiteCase.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}", hint="is it there?") from None
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{path}: {error}", hint="it must be TOML") from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise BadInput(f"{path}: {place}: {first['msg']}", hint="see another case.toml") from None
