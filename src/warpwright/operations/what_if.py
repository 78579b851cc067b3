"""The verb `what-if`: today's launch beside a changed one."""

from __future__ import annotations

import math

from warpwright.advice.cautions import cautions
from warpwright.advice.device import Device, device_of
from warpwright.advice.facts import Facts
from warpwright.advice.forecast import forecast, last_wave_time_share
from warpwright.advice.sweep import sweep
from warpwright.advice.what_if import (
    Shape,
    changed_shape,
    make_plan,
    next_carveout,
    shape_of,
    today_carveout,
)
from warpwright.errors import BadInput
from warpwright.hardware import MAX_BLOCK_THREADS, MAX_REGISTERS
from warpwright.model.report import Launch
from warpwright.model.what_if import Change, Plan, WhatIf
from warpwright.operations.opened import launch_address, open_report
from warpwright.operations.what_if_notes import assumptions_of, cautions_of, steps_from

_MAX_GRID = 2**31 - 1
_MAX_CLUSTER = 16


def what_if(address: str, asked: Change, with_curves: bool = False) -> WhatIf:
    """What the launch that an address names would do with another configuration.

    Args:
        address: REPORT (of one launch) or REPORT#L0.
        asked: what to change; may be nothing.
        with_curves: theoretical occupancy over block size, registers and shared memory too.

    Raises:
        BadInput: no such launch, one that has no configuration, or a change that cannot run.
        BadReport: the report cannot be read.
    """
    opened = open_report(address)
    here = launch_address(opened.place, opened.launch.index)
    if opened.place.kind is not None:
        raise BadInput(
            f"'{address}' names a {opened.place.kind}; what-if takes a launch",
            hint=f"warpwright ncu what-if '{here}'",
        )
    launch = _kernel(opened.launch, here)
    device = device_of(launch, opened.report.sm_count)
    shape = shape_of(launch)
    _check(asked, device, shape)
    facts = Facts(launch, device.sm_count, opened.report.sources)
    today = make_plan(launch, device, shape, today_carveout(launch, device, shape))
    kept, changed = (
        make_plan(launch, device, one, next_carveout(device, one, today))
        for one in (
            changed_shape(shape, asked.model_copy(update={"grid": None})),
            changed_shape(shape, asked),
        )
    )
    nothing = asked == Change()
    report = opened.report
    return WhatIf(
        address=here,
        kernel=launch.kernel,
        device=report.device,
        compute_capability=".".join(map(str, device.compute_capability)),
        sm_count=device.sm_count,
        duration_ns=facts.duration_ns,
        asked=asked,
        today=_with_share(facts, today, today),
        changed=None if nothing else _with_share(facts, today, changed),
        forecast=None if nothing else forecast(facts, today, kept, changed),
        assumptions=device.assumptions + assumptions_of(launch, asked, today, changed),
        cautions=cautions(launch, report) + cautions_of(facts, asked, today),
        curves=sweep(launch, device, shape, today) if with_curves else (),
        deeper=steps_from(here, asked, today, with_curves),
    )


def _kernel(launch: Launch, here: str) -> Launch:
    listing = f"warpwright ncu launches '{here.partition('#')[0]}' lists what it has"
    if launch.damage:
        raise BadInput(f"{here} was not read: {launch.damage}", hint=listing)
    if launch.workload != "kernel":
        raise BadInput(
            f"{here} is a whole {launch.workload} measured as one: it has no grid and no block",
            hint="profile its kernels one by one (kernel replay, --graph-profiling node)",
        )
    return launch


def _check(asked: Change, device: Device, shape: Shape) -> None:
    """Refuse what no launch on this device can have."""
    name = ".".join(map(str, device.compute_capability))
    most = device.limits.block_shared_bytes
    if asked.cluster is not None and device.compute_capability < (9, 0):
        raise BadInput(
            f"--cluster {asked.cluster}: compute capability {name} has no clusters",
            hint="clusters came with 9.0; leave --cluster out",
        )
    ranges = {
        "block": (asked.block, 1, MAX_BLOCK_THREADS, "threads a block"),
        "grid": (asked.grid, 1, _MAX_GRID, "blocks a grid"),
        "registers": (asked.registers, 1, MAX_REGISTERS, "registers a thread"),
        "shared": (asked.shared_bytes, 0, most, "bytes of shared memory a block"),
        "cluster": (asked.cluster, 1, _MAX_CLUSTER, "blocks a cluster"),
    }
    for option, (value, least, limit, what) in ranges.items():
        if value is not None and not least <= value <= limit:
            raise BadInput(
                f"--{option} {value}: compute capability {name} allows {least} to {limit} {what}",
                hint=f"--{option} N with N from {least} to {limit}",
            )
    cluster = asked.cluster or shape.cluster
    if asked.grid is not None and asked.grid % cluster:
        raise BadInput(
            f"--grid {asked.grid} is no multiple of the cluster's {cluster} blocks",
            hint=f"--grid {math.ceil(asked.grid / cluster) * cluster}",
        )


def _with_share(facts: Facts, today: Plan, plan: Plan) -> Plan:
    share = last_wave_time_share(facts, today, plan)
    return plan.model_copy(update={"last_wave_time_share": share})
