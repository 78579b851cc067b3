"""A launch's configuration, and a changed one, on its device. Pure functions of the launch."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from warpwright.advice.device import Device
from warpwright.errors import BadInput
from warpwright.hardware import occupancy
from warpwright.model.report import Launch
from warpwright.model.what_if import Change, Plan

_SHARED = "launch__shared_mem_per_block"


@dataclass(frozen=True)
class Shape:
    """What a launch asks for. `shared_bytes`: static plus dynamic of a block."""

    blocks: int
    threads: int
    registers: int
    shared_bytes: int
    barriers: int
    cluster: int


def shape_of(launch: Launch) -> Shape:
    """What the launch asks for today.

    Raises:
        BadInput: the report does not tell its registers, or tells what no launch can have.
    """
    registers = launch.number("launch__registers_per_thread")
    static, dynamic = (launch.number(f"{_SHARED}_{kind}") for kind in ("static", "dynamic"))
    if registers is None or static is None or dynamic is None:
        raise BadInput(
            f"L{launch.index} does not tell its registers and shared memory",
            hint="profile again with --section LaunchStats",
        )
    shape = Shape(
        blocks=math.prod(launch.grid),
        threads=math.prod(launch.block),
        registers=int(registers),
        shared_bytes=int(static + dynamic),
        barriers=int(launch.number("launch__barrier_count") or 0),
        cluster=max(1, int(launch.number("launch__cluster_size") or 1)),
    )
    if min(shape.blocks, shape.threads) < 1 or min(shape.registers, shape.shared_bytes) < 0:
        raise BadInput(f"L{launch.index} has no grid, block or registers that a launch can have")
    return shape


def changed_shape(shape: Shape, change: Change) -> Shape:
    """The shape with the change; without --grid, as many blocks as keep the threads in all."""
    threads = change.block or shape.threads
    cluster = change.cluster or shape.cluster
    needed = math.ceil(shape.blocks * shape.threads / threads)
    if threads == shape.threads and cluster == shape.cluster:
        needed = shape.blocks
    else:
        needed = math.ceil(needed / cluster) * cluster
    return replace(
        shape,
        blocks=change.grid or needed,
        threads=threads,
        registers=shape.registers if change.registers is None else change.registers,
        shared_bytes=shape.shared_bytes if change.shared_bytes is None else change.shared_bytes,
        cluster=cluster,
    )


def today_carveout(launch: Launch, device: Device, shape: Shape) -> int:
    """The launch's carveout; the largest where the report's own limits are for that."""
    told = launch.number("launch__shared_mem_config_size")
    if not told:
        return device.limits.shared_bytes
    stored = launch.number("launch__occupancy_limit_shared_mem")
    held = occupancy(device.limits, shape.threads, 0, shape.shared_bytes, carveout=int(told))
    return device.limits.shared_bytes if stored not in (None, held.by_shared) else int(told)


def next_carveout(device: Device, shape: Shape, today: Plan) -> int:
    """The carveout that the driver is assumed to set for a changed launch.

    Today's, enlarged where it would limit, for the driver avoids that; kept where it is what
    limits already today, for then somebody has set it.
    """
    asks = (shape.threads, shape.registers, shape.shared_bytes)
    if asks == (today.block_threads, today.registers, today.shared_bytes):
        return today.carveout_bytes
    largest = device.limits.shared_bytes
    if today.limiters == ("shared memory",) and today.carveout_bytes < largest:
        return max(today.carveout_bytes, device.limits.carveout_for(shape.shared_bytes, 1))
    held = occupancy(
        device.limits, shape.threads, shape.registers, 0, barriers=shape.barriers, carveout=largest
    )
    others = min(count for name, count in held.limits.items() if name != "shared memory")
    return max(today.carveout_bytes, device.limits.carveout_for(shape.shared_bytes, others + 1))


def make_plan(launch: Launch, device: Device, shape: Shape, carveout: int) -> Plan:
    """How the shape fills the device; its last wave's share of time is left open.

    Raises:
        BadInput: not one block (or cluster) of it fits.
    """
    held = occupancy(
        device.limits,
        shape.threads,
        shape.registers,
        shape.shared_bytes,
        barriers=shape.barriers,
        carveout=carveout,
    )
    capacity = held.blocks_per_sm * device.sm_count
    part = cluster_part(launch, shape.cluster)
    clusters = round(capacity * (1.0 if part is None else part)) // shape.cluster
    capacity = clusters * shape.cluster
    if capacity < 1:
        raise BadInput(
            f"a block of {shape.threads} threads, {shape.registers} registers each and "
            f"{shape.shared_bytes} bytes of shared memory does not fit: it would not run "
            f"(by {' and '.join(held.limiters)})",
            hint="fewer threads, registers or bytes; --sweep shows what fits",
        )
    waves = math.ceil(shape.blocks / capacity)
    return Plan(
        grid_blocks=shape.blocks,
        block_threads=shape.threads,
        registers=shape.registers,
        shared_bytes=shape.shared_bytes,
        cluster=shape.cluster,
        carveout_bytes=carveout,
        limits=held.limits,
        limiters=held.limiters,
        blocks_per_sm=held.blocks_per_sm,
        warps_per_sm=held.warps_per_sm,
        occupancy_pct=held.percent,
        capacity_blocks=capacity,
        waves=shape.blocks / capacity,
        last_wave_blocks=shape.blocks - (waves - 1) * capacity,
        last_wave_time_share=None,
        idle_sms=max(0, device.sm_count - shape.blocks),
    )


def cluster_part(launch: Launch, cluster: int) -> float | None:
    """The part (0..1) of the device's block slots that clusters of a size can fill.

    A cluster must lie within one GPC, and only launch__occupancy_per_cluster_size tells what that
    leaves over; None: not for this size (zero there: larger than the kernel may have today).
    """
    if cluster == 1:
        return 1.0
    curve = launch.metrics.get("launch__occupancy_per_cluster_size")
    alone, together = (curve.instances.get(size) if curve else None for size in (1, cluster))
    if not isinstance(alone, int | float) or not isinstance(together, int | float):
        return None
    return min(1.0, together * cluster / alone) if min(alone, together) > 0 else None
