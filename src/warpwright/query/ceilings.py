"""The ceilings that a report itself tells: Nsight Compute's peaks, or the device's attributes."""

from __future__ import annotations

import re

from warpwright.datasheet.clock import flop_per_clock
from warpwright.model.calibration import Rate
from warpwright.model.report import Launch
from warpwright.model.roofline import Ceiling
from warpwright.query.achieved import sm_hz

_FMA: dict[Rate, tuple[str, int]] = {
    "fp64": ("sm__sass_thread_inst_executed_op_dfma_pred_on", 2),
    "fp32": ("sm__sass_thread_inst_executed_op_ffma_pred_on", 2),
    "fp16": ("sm__sass_thread_inst_executed_op_hfma_pred_on", 4),
}
_DENSE = re.compile(
    r"sm__ops_path_tensor_(?:op_[a-z]+_)?src_([a-z0-9]+)(?:_dst_(?!fp16)\w+?)?_sparsity_off"
)
_ATTRIBUTE = "device__attribute_"


def report_ceiling(launch: Launch, rate: Rate, sm_count: int | None) -> Ceiling | None:
    """A rate's ceiling at this launch's clocks; from device attributes where those are not told.

    None where neither is in the report. L1 and L2 have none: their peaks are of one unit's ports,
    which no kernel reaches.
    """
    if rate == "dram":
        return _dram(launch)
    if rate == "l2":
        return None
    return _peak(launch, rate) or _by_clock(launch, rate, sm_count)


def _dram(launch: Launch) -> Ceiling | None:
    peak = launch.number("dram__bytes.sum.peak_sustained")
    clock = launch.number("dram__cycles_elapsed.avg.per_second")
    if peak and clock:
        text = f"dram__bytes.sum.peak_sustained at {clock / 1e9:.2f} GHz"
        return Ceiling(value=peak * clock, source="report", detail=text)
    rate_khz = launch.number(f"{_ATTRIBUTE}memory_clock_rate")
    width = launch.number(f"{_ATTRIBUTE}global_memory_bus_width")
    if not rate_khz or not width:
        return None
    value = rate_khz * 1e3 * width / 8 * 2
    text = f"{width:.0f} bits at {rate_khz / 1e6:.2f} GHz, two transfers a clock assumed"
    return Ceiling(value=value, source="derived", detail=text)


def _peak(launch: Launch, rate: Rate) -> Ceiling | None:
    """Nsight Compute's operations a cycle, times the SM clock of this launch."""
    clock = sm_hz(launch)
    if clock is None:
        return None
    if rate in _FMA:
        counter, operations = _FMA[rate]
        peaks = {counter: launch.number(f"{counter}.sum.peak_sustained")}
    else:
        operations = 1
        peaks = {name: launch.number(f"{name}.sum.peak_sustained") for name in _dense(launch, rate)}
    known = {name: peak for name, peak in peaks.items() if peak}
    if not known:
        return None
    name = max(known, key=lambda name: known[name])
    text = f"{name}.sum.peak_sustained at {clock / 1e9:.2f} GHz"
    return Ceiling(value=known[name] * operations * clock, source="report", detail=text)


def _dense(launch: Launch, rate: Rate) -> set[str]:
    wanted = rate.removeprefix("tensor.")
    counters = {name.partition(".")[0] for name in launch.metrics if "ops_path_tensor" in name}
    matches = ((name, _DENSE.fullmatch(name)) for name in counters)
    return {name for name, match in matches if match and match[1] == wanted}


def _by_clock(launch: Launch, rate: Rate, sm_count: int | None) -> Ceiling | None:
    """What an SM does in a clock, times SMs, times the clock of the launch or of the device."""
    capability = launch.compute_capability
    each = flop_per_clock(rate, capability) if capability else None
    if each is None or not sm_count:
        return None
    clock, whose = sm_hz(launch), "this launch's"
    if clock is None:
        rate_khz = launch.number(f"{_ATTRIBUTE}clock_rate")
        clock, whose = (rate_khz * 1e3 if rate_khz else None), "the device's highest"
    if clock is None:
        return None
    text = f"{sm_count} SMs x {each} operations a clock at {clock / 1e9:.2f} GHz, {whose} clock"
    return Ceiling(value=sm_count * each * clock, source="derived", detail=text)
