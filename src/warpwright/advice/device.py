"""The device a launch ran on, as its report and our table know it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from warpwright.errors import BadInput
from warpwright.hardware import SmLimits, nearest_limits, sm_limits
from warpwright.model.report import Launch

_ATTRIBUTE = "device__attribute_"


@dataclass(frozen=True)
class Device:
    """What a launch runs on. `assumptions` say what of it the report and our table do not know."""

    limits: SmLimits
    sm_count: int
    compute_capability: tuple[int, int]
    assumptions: tuple[str, ...] = ()


def device_of(launch: Launch, sm_count: int | None) -> Device:
    """The launch's device.

    Raises:
        BadInput: the report does not say what it is.
    """
    capability = launch.compute_capability
    if capability is None or sm_count is None:
        raise BadInput(
            "the report does not say which device it is from (compute capability, number of SMs)",
            hint="profile again with --section LaunchStats --section Occupancy, as .ncu-rep",
        )
    limits = sm_limits(capability)
    if limits is not None:
        return Device(limits, sm_count, capability)
    near, assumed = nearest_limits(capability)
    told = _told_limits(launch, assumed)
    name, like = (".".join(map(str, one)) for one in (capability, near))
    if told == assumed:
        text = f"compute capability {name} is not known: all limits and allocation units are "
    else:
        text = (
            f"compute capability {name} is not known: the limits of an SM are those the report "
            "tells, allocation units "
        )
    text += f"those of {like}"
    return Device(told, sm_count, capability, (text,))


def _told_limits(launch: Launch, assumed: SmLimits) -> SmLimits:
    """The device attributes in the report, in place of what would be assumed."""

    def told(name: str, otherwise: int) -> int:
        value = launch.number(f"{_ATTRIBUTE}{name}")
        return otherwise if value is None or value < 1 else int(value)

    shared = told("max_shared_memory_per_multiprocessor", assumed.shared_bytes)
    reserved = launch.number(f"{_ATTRIBUTE}reserved_shared_memory_per_block")
    return replace(
        assumed,
        max_warps=told("max_warps_per_multiprocessor", assumed.max_warps),
        max_blocks=told("max_blocks_per_multiprocessor", assumed.max_blocks),
        registers=told("max_registers_per_multiprocessor", assumed.registers),
        reserved_shared_bytes=assumed.reserved_shared_bytes if reserved is None else int(reserved),
        carveouts=(*(size for size in assumed.carveouts if size < shared), shared),
    )
