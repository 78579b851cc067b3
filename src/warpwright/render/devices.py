"""Calibrations and data sheets as text."""

from __future__ import annotations

from collections.abc import Mapping

from warpwright.model.calibration import Calibration, DataSheet, DeviceList, KnownDevice, Rate
from warpwright.render.layout import deeper_lines, shortened, table, wrapped
from warpwright.render.roofline_scale import rate_text

_NAMES: dict[Rate, str] = {
    "dram": "DRAM copy",
    "l2": "L2 reads",
    "fp64": "FP64 FMA",
    "fp32": "FP32 FMA",
    "fp16": "FP16 FMA",
    "tensor.fp64": "tensor FP64",
    "tensor.tf32": "tensor TF32",
    "tensor.fp16": "tensor FP16",
    "tensor.bf16": "tensor BF16",
    "tensor.fp8": "tensor FP8",
    "tensor.int8": "tensor INT8",
}
_SHORT: tuple[Rate, ...] = ("dram", "fp64", "fp32", "tensor.fp16")


def calibration_text(made: Calibration) -> str:
    """All that was measured, beside nothing else."""
    lines = [*_head(made), "", *_measured(made, {}), "", "kept; rooflines of such devices use it"]
    return "\n".join(lines) + "\n"


def devices_text(known: DeviceList) -> str:
    """One line a device; of a single one every rate."""
    if len(known.devices) == 1:
        lines = _one(known.devices[0])
    else:
        rows = [("device", "cc", "SMs", *_SHORT, "source")]
        rows += [_row(one) for one in known.devices]
        lines = table(rows, right=(2, 3, 4, 5, 6))
        lines += [
            "",
            "TB/s and TFLOP/s (tensor: dense); -: neither measured nor published for sure",
        ]
    return "\n".join([*lines, *deeper_lines(known.deeper)]) + "\n"


def _row(one: KnownDevice) -> tuple[str, ...]:
    source = "measured" if one.calibration else "data sheet"
    rates = [_number(_value(one, rate)) for rate in _SHORT]
    name = shortened(one.device.removeprefix("NVIDIA "), 22)
    return (name, one.compute_capability, str(one.sm_count), *rates, source)


def _value(one: KnownDevice, rate: Rate) -> float | None:
    measured = one.calibration.rates.get(rate) if one.calibration else None
    if measured is not None and measured.value is not None:
        return measured.value
    return one.data_sheet.rates.get(rate) if one.data_sheet else None


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value / 1e12:.4g}"


def _one(one: KnownDevice) -> list[str]:
    sheet = one.data_sheet
    if one.calibration is not None:
        published = {} if sheet is None else sheet.rates
        lines = [*_head(one.calibration), "", *_measured(one.calibration, published)]
        return [*lines, *([] if sheet is None else ["", *wrapped(f"published: {sheet.source}")])]
    lines = [f"{one.device}, cc {one.compute_capability}, {one.sm_count} SMs: not calibrated"]
    return lines if sheet is None else [*lines, "", *_published(sheet)]


def _head(made: Calibration) -> list[str]:
    text = f"{made.device}, cc {made.compute_capability}, {made.sm_count} SMs"
    return [f"{text}: calibrated {made.at[:10]}, driver for CUDA {made.driver}"]


def _published(sheet: DataSheet) -> list[str]:
    rows = [("", "published")]
    rows += [(_NAMES[rate], _rate(rate, value)) for rate, value in sheet.rates.items()]
    return [*table(rows, right=(1,), indent="  "), "", *wrapped(sheet.source, "  ")]


def _measured(made: Calibration, published: Mapping[Rate, float]) -> list[str]:
    rows: list[tuple[str, ...]] = [("", "median", "lowest", "highest", "published")]
    for rate, measured in made.rates.items():
        sheet = published.get(rate)
        values = (measured.value, measured.low, measured.high)
        told = ["-" if v is None else _rate(rate, v) for v in values]
        rows.append((_NAMES[rate], *told, "" if sheet is None else _rate(rate, sheet)))
    for rate, value in published.items():
        if rate not in made.rates:
            rows.append((_NAMES[rate], "", "", "", _rate(rate, value)))
    each = made.launch_interval
    times = (each.value, each.low, each.high)
    rows.append(("empty launch", *("-" if ns is None else f"{ns:.0f} ns" for ns in times), ""))
    lines = table(rows, right=(1, 2, 3, 4), indent="  ")
    ways = [(_NAMES[rate], measured) for rate, measured in made.rates.items()]
    for name, measured in [*ways, ("empty launch", each)]:
        how = measured.how or f"not measured: {measured.why_not}"
        lines += wrapped(f"{name}: {how}", "  ", hang=4)
    return lines


def _rate(rate: Rate, value: float) -> str:
    return rate_text(value, "B/s" if rate in ("dram", "l2") else "FLOP/s")
