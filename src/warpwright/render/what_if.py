"""A what-if as text: today beside the change."""

from __future__ import annotations

from itertools import groupby

from warpwright.model.what_if import Curve, Forecast, Plan, WhatIf
from warpwright.render.layout import deeper_lines, shortened, table, wrapped
from warpwright.render.numbers import time_text

_COLUMN = 28
_OVER = {
    "block": "threads of a block",
    "registers": "registers of a thread",
    "shared_bytes": "bytes of shared memory of a block",
}


def what_if_text(found: WhatIf) -> str:
    """The configuration in two columns, the prediction, what it assumes, and the curves."""
    device = f"{found.device or 'unknown device'}, cc {found.compute_capability}"
    lines = [
        shortened(f"{found.address} {found.kernel}", 80),
        f"{device}, {found.sm_count} SMs",
        "",
        *_columns(found),
        "",
        *_prediction(found),
    ]
    for text in found.assumptions:
        lines += wrapped(f"assumed: {text}", "  ", hang=9)
    for caution in found.cautions:
        lines += wrapped(f"caution: {caution.text}", "  ", hang=9)
    for curve in found.curves:
        lines += ["", *_curve(curve)]
    return "\n".join([*lines, *deeper_lines(found.deeper)]) + "\n"


def _columns(found: WhatIf) -> list[str]:
    plans = [plan for plan in (found.today, found.changed) if plan is not None]
    columns = [_rows(plan, found.sm_count) for plan in plans]
    rows = [("", "today", "changed")[: 1 + len(plans)]]
    clustered = any(plan.cluster > 1 for plan in plans)
    for label in columns[0]:
        if label != "cluster" or clustered:
            rows.append((label, *(column[label] for column in columns)))
    return table(rows, right=(1, 2), indent="  ")


def _rows(plan: Plan, sm_count: int) -> dict[str, str]:
    last = f"{plan.last_wave_blocks:,} of {plan.capacity_blocks:,}"
    if plan.waves > 1 and plan.last_wave_time_share is not None:
        last += f", {plan.last_wave_time_share:.0%} of time"
    return {
        "grid": f"{plan.grid_blocks:,} blocks",
        "block": f"{plan.block_threads} threads",
        "registers": f"{plan.registers} a thread",
        "shared memory": f"{plan.shared_bytes:,} bytes",
        "cluster": f"{plan.cluster} blocks",
        "blocks per SM": str(plan.blocks_per_sm),
        "  limited by": shortened(", ".join(plan.limiters), _COLUMN),
        "occupancy": f"{plan.warps_per_sm} warps, {plan.occupancy_pct:.3g} %",
        "blocks to fill it": f"{plan.capacity_blocks:,}",
        "waves": f"{plan.waves:.2f}",
        "last wave's blocks": last,
        "SMs idle": f"{plan.idle_sms} of {sm_count}",
    }


def _prediction(found: WhatIf) -> list[str]:
    now = "duration not measured" if found.duration_ns is None else time_text(found.duration_ns, 4)
    if found.changed is None:
        return [
            f"  takes {now}; no change asked (--block, --grid, --registers, --shared, --cluster)"
        ]
    if found.forecast is None:
        return [f"  takes {now}; not predicted"]
    return [f"  predicted {_forecast(found.forecast)}", f"  today {now}"]


def _forecast(forecast: Forecast) -> str:
    gain, time = forecast.speedup, forecast.duration
    factor = f"{gain.expected:.2f}x ({gain.low:.2f} to {gain.high:.2f})"
    if time is None:
        return factor
    low, expected, high = (time_text(ns) for ns in (time.low_ns, time.expected_ns, time.high_ns))
    return f"{expected} ({low} to {high}): {factor}"


def _curve(curve: Curve) -> list[str]:
    """Ranges of equal value, `33-64: 32`; the range that holds today's value is in brackets."""
    source = {"report": "from the report", "computed": "computed"}[curve.source]
    size = curve.carveout_bytes
    with_shared = "as needed" if size is None else f"{size // 1024} KiB as in this launch"
    parts = []
    before = -1
    for warps, group in groupby(curve.points, key=lambda point: point.warps):
        values = [point.at for point in group]
        text = f"{values[0]}-{values[-1]}:{warps}" if len(values) > 1 else f"{values[0]}:{warps}"
        parts.append(f"[{text}]" if before < curve.today <= values[-1] else text)
        before = values[-1]
    head = (
        f"warps per SM over {_OVER[curve.over]} (today {curve.today:,}), {source}, "
        f"shared memory of an SM {with_shared}:"
    )
    return [*wrapped(head, "  "), *wrapped("  ".join(parts), "    ")]
