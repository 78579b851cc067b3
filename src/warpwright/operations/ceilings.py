"""Which ceiling counts for a launch: measured on such a device, then published, then its own."""

from __future__ import annotations

from collections.abc import Iterable

from warpwright.calibration.store import find_calibration, read_calibrations
from warpwright.config import calibration_path
from warpwright.datasheet.table import data_sheet_of
from warpwright.model.calibration import Calibration, DataSheet, Rate
from warpwright.model.report import Launch, Report
from warpwright.model.roofline import Ceiling
from warpwright.query.ceilings import report_ceiling
from warpwright.query.roofline import Ceilings

_SM_COUNT = "device__attribute_multiprocessor_count"


def device_of(report: Report, launch: Launch) -> tuple[str | None, str | None, int | None]:
    """Name, compute capability and SMs of the device of one launch, as its report has them."""
    own = launch.metrics.get("device__attribute_display_name")
    name = own.value if own is not None and isinstance(own.value, str) else report.device
    capability = launch.compute_capability
    text = f"{capability[0]}.{capability[1]}" if capability else None
    count = launch.number(_SM_COUNT)
    return name or report.device, text, int(count) if count else report.sm_count


def ceilings_of(
    report: Report, launch: Launch, rates: Iterable[Rate]
) -> tuple[Ceilings, tuple[str, ...]]:
    """The ceiling of each rate, the report's own beside it, and what was assumed.

    Raises:
        BadInput: the file of calibrations is damaged.
    """
    device, capability, sm_count = device_of(report, launch)
    calibration: Calibration | None = None
    sheet: DataSheet | None = None
    if device and capability and sm_count:
        kept = read_calibrations(calibration_path())
        calibration = find_calibration(kept, device, capability, sm_count)
        sheet = data_sheet_of(device, capability, sm_count)
    found = {}
    for rate in rates:
        own = report_ceiling(launch, rate, sm_count)
        counts = _calibrated(calibration, rate) or _published(sheet, rate) or own
        found[rate] = (counts, None if counts is own else own)
    return found, _assumed(device, calibration, sheet, found)


def _calibrated(calibration: Calibration | None, rate: Rate) -> Ceiling | None:
    measured = calibration.rates.get(rate) if calibration else None
    if calibration is None or measured is None or measured.value is None:
        return None
    detail = f"{measured.how}; {calibration.at[:10]}"
    return Ceiling(value=measured.value, source="calibrated", detail=detail)


def _published(sheet: DataSheet | None, rate: Rate) -> Ceiling | None:
    value = sheet.rates.get(rate) if sheet else None
    if sheet is None or value is None:
        return None
    return Ceiling(value=value, source="data sheet", detail=sheet.source)


def _assumed(
    device: str | None, calibration: Calibration | None, sheet: DataSheet | None, found: Ceilings
) -> tuple[str, ...]:
    if calibration is not None or sheet is not None:
        return ()
    own = {ceiling.source for ceiling, _ in found.values() if ceiling}
    name = device or "the device"
    if not own:
        return (f"{name} is neither calibrated nor in the table: no ceiling is known",)
    whose = "the report's own peaks" if own == {"report"} else "the report's own facts"
    return (f"{name} is neither calibrated nor in the table: ceilings are {whose}",)
