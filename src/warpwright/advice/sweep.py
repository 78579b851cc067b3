"""Theoretical occupancy over block size, registers and shared memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal

from warpwright.advice.device import Device
from warpwright.advice.what_if import Shape, next_carveout
from warpwright.hardware import MAX_BLOCK_THREADS, MAX_REGISTERS, WARP, occupancy
from warpwright.model.report import Launch
from warpwright.model.what_if import Curve, CurvePoint, Plan

_SHARED_STEP = 512  # bytes, as in NVIDIA's curve


@dataclass(frozen=True)
class _Axis:
    """`stored_extra`: by how much the report's own values are larger than ours."""

    over: Literal["block", "registers", "shared_bytes"]
    metric: str
    today: int
    values: Iterable[int]
    at: Callable[[int], Shape]
    stored_extra: int = 0


def sweep(launch: Launch, device: Device, shape: Shape, today: Plan) -> tuple[Curve, ...]:
    """Each curve as the report has it, and as computed where that is missing or says otherwise.

    What a report stores (launch__occupancy_per_*) holds for the carveout of that launch, and for a
    kernel that may not use more than 48 KiB of shared memory is zero beyond it. The computed curve
    is for the carveout that the driver would set, and for a kernel that has opted in.
    """
    curves = []
    for axis in _axes(device, shape):
        stored = _stored(launch, axis, today)
        values = [point.at for point in stored.points] if stored else list(axis.values)
        computed = Curve(
            over=axis.over,
            source="computed",
            carveout_bytes=None,
            today=axis.today,
            points=tuple(
                CurvePoint(at=value, warps=_warps(device, axis.at(value), today))
                for value in values
            ),
        )
        if stored:
            curves.append(stored)
        if stored is None or stored.points != computed.points:
            curves.append(computed)
    return tuple(curves)


def _axes(device: Device, shape: Shape) -> tuple[_Axis, ...]:
    limits = device.limits
    return (
        _Axis(
            "block",
            "block_size",
            shape.threads,
            range(WARP, MAX_BLOCK_THREADS + 1, WARP),
            lambda value: replace(shape, threads=value),
        ),
        _Axis(
            "registers",
            "register_count",
            shape.registers,
            range(1, MAX_REGISTERS + 1),
            lambda value: replace(shape, registers=value),
        ),
        _Axis(
            "shared_bytes",
            "shared_mem_size",
            shape.shared_bytes,
            range(0, limits.block_shared_bytes + 1, _SHARED_STEP),
            lambda value: replace(shape, shared_bytes=value),
            limits.reserved_shared_bytes,
        ),
    )


def _stored(launch: Launch, axis: _Axis, today: Plan) -> Curve | None:
    metric = launch.metrics.get(f"launch__occupancy_per_{axis.metric}")
    if metric is None:
        return None
    points = tuple(
        CurvePoint(at=int(at) - axis.stored_extra, warps=int(warps))
        for at, warps in metric.instances.items()
        if not isinstance(at, str) and not isinstance(warps, str) and at >= axis.stored_extra
    )
    if not points:
        return None
    return Curve(
        over=axis.over,
        source="report",
        carveout_bytes=today.carveout_bytes,
        today=axis.today,
        points=points,
    )


def _warps(device: Device, shape: Shape, today: Plan) -> int:
    return occupancy(
        device.limits,
        shape.threads,
        shape.registers,
        shape.shared_bytes,
        barriers=shape.barriers,
        carveout=next_carveout(device, shape, today),
    ).warps_per_sm
