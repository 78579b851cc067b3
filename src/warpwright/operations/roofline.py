"""The verb `roofline`: where a launch stands under the roofs of its device."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

from warpwright.errors import BadInput, EnvironmentFault
from warpwright.model.calibration import Rate
from warpwright.model.deeper import Deeper
from warpwright.model.report import Launch
from warpwright.model.roofline import Roofline, Traffic, Work
from warpwright.operations.ceilings import ceilings_of, device_of
from warpwright.operations.deeper import deeper
from warpwright.operations.locate import locate_report
from warpwright.operations.opened import Opened, launch_address, open_report
from warpwright.operations.place import place_of
from warpwright.operations.roofline_words import meaning_of, rate_name
from warpwright.operations.target import check_target
from warpwright.query.achieved import Achieved, achieved, sm_hz
from warpwright.query.roofline import nearest_roof, traffic_rows, work_rows
from warpwright.runs.project import replace_file

_DURATION = "gpu__time_duration.sum"
_SLOWER = 0.9


def roofline(address: str) -> Roofline:
    """The roofline of one launch: the one that the address names, else that with the most time.

    Raises:
        BadInput: no such launch, an address of something else, or the launch has no duration.
        BadReport: the report cannot be read.
    """
    opened = open_report(address)
    if opened.place.kind is not None:
        raise BadInput(
            f"'{address}' names a {opened.place.kind}; roofline takes a launch",
            hint=f"warpwright ncu roofline '{launch_address(opened.place, opened.launch.index)}'",
        )
    launch = max(opened.launches, key=_duration)
    here = launch_address(opened.place, launch.index)
    duration_ns = launch.number(_DURATION)
    if not duration_ns:
        raise BadInput(
            f"{here} has no duration: no rate can be told",
            hint="collect --section SpeedOfLight --section SpeedOfLight_RooflineChart",
        )
    return _roofline(opened, launch, here, duration_ns)


def write_picture(target: Path, text: str, address: str, force: bool) -> None:
    """Write the picture of a report's launch, whole or not at all.

    Raises:
        BadInput: see `check_target`.
        EnvironmentFault: it cannot be written there.
    """
    check_target(target, locate_report(Path(place_of(address).report)), force)
    try:
        replace_file(target, text.encode())
    except OSError as error:
        raise EnvironmentFault(
            f"{target} cannot be written: {(error.strerror or str(error)).lower()}",
            hint="is its folder one that you may write to, and is the disk full?",
        ) from None


def _duration(launch: Launch) -> float:
    return launch.number(_DURATION) or -math.inf


def _roofline(opened: Opened, launch: Launch, here: str, duration_ns: float) -> Roofline:
    seconds = duration_ns * 1e-9
    found = achieved(launch, duration_ns)
    rates: list[Rate] = ["dram", "l2", *found.work]
    ceilings, assumed = ceilings_of(opened.report, launch, rates)
    traffic = traffic_rows(found, ceilings, seconds)
    work = work_rows(found, ceilings, seconds)
    side, headroom = nearest_roof(found, traffic, work)
    device, capability, sm_count = device_of(opened.report, launch)
    return Roofline(
        address=here,
        kernel=launch.kernel,
        device=device,
        compute_capability=capability,
        sm_count=sm_count,
        duration_ns=duration_ns,
        sm_hz=sm_hz(launch),
        traffic=traffic,
        work=work,
        side=side,
        headroom=headroom,
        meaning=meaning_of(side, headroom, traffic, work),
        notes=(*assumed, *_clock(work[:1]), *found.notes),
        missing=tuple(_missing(found)),
        deeper=tuple(_deeper(opened, here, traffic)),
    )


def _clock(nearest: tuple[Work, ...]) -> Iterator[str]:
    """Where the launch's own clock keeps it from the ceiling that counts."""
    for row in nearest:
        own, ceiling = row.at_clock, row.ceiling
        if own and ceiling and own.value < _SLOWER * ceiling.value:
            share, factor = own.value / ceiling.value, own.value / row.flop_per_s
            yield (
                f"at this launch's clock the {rate_name(row)} peak is {share:.0%} of that "
                f"ceiling, {factor:.3g}x of what was reached"
            )


def _missing(found: Achieved) -> Iterator[str]:
    """Sections that would tell what this report does not."""
    if "dram" not in found.moved:
        yield "--section MemoryWorkloadAnalysis: the bytes of device memory"
    if not found.scalars_known:
        yield "--section SpeedOfLight_RooflineChart: FP32 and FP64 operations"
    if not found.tensors_known:
        yield "--section SourceCounters: the tensor cores' operations"
    if "l2" not in found.moved:
        yield "--section MemoryWorkloadAnalysis_Tables: the bytes of the L2"


def _deeper(opened: Opened, here: str, traffic: tuple[Traffic, ...]) -> Iterator[Deeper]:
    yield deeper("why it is not at a roof, and what to change", "digest", here)
    yield deeper("the same as a picture", "roofline", here, "--svg", "roofline.svg")
    if len(opened.report.launches) > 1:
        yield deeper("the other launches", "launches", opened.place.report)
    if any(row.ceiling and row.ceiling.source == "calibrated" for row in traffic):
        return
    calibrate = "warpwright device calibrate"
    yield Deeper(what="measure this device's own ceilings, on it", command=calibrate)
