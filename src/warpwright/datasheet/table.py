"""The table of published rates (`devices.toml`)."""

from __future__ import annotations

import tomllib
from pathlib import Path

from warpwright.model.calibration import DataSheet

_UNIT = 1e12


def data_sheets() -> tuple[DataSheet, ...]:
    """Every device of the table, under each of its names."""
    text = Path(__file__).with_name("devices.toml").read_text(encoding="utf-8")
    return tuple(
        DataSheet(
            device=name,
            compute_capability=row["compute_capability"],
            sm_count=row["sm_count"],
            source=row["source"],
            rates={rate: value * _UNIT for rate, value in row["rates"].items()},
        )
        for row in tomllib.loads(text)["device"]
        for name in row["names"]
    )


def data_sheet_of(device: str, compute_capability: str, sm_count: int) -> DataSheet | None:
    """The published rates of a device; None where it is unknown, or has another number of SMs.

    A part of a device (MIG), or another model of the same name, is another device.
    """
    wanted = (device.removeprefix("NVIDIA "), compute_capability, sm_count)
    return next(
        (
            sheet
            for sheet in data_sheets()
            if (sheet.device, sheet.compute_capability, sheet.sm_count) == wanted
        ),
        None,
    )
