"""The verbs of `device`: measure what this GPU reaches, and tell what is known of devices."""

from __future__ import annotations

import sys
from datetime import UTC, datetime

from warpwright import __version__
from warpwright.calibration.driver import open_gpu
from warpwright.calibration.measure import measure_launch_interval, measure_rates
from warpwright.calibration.store import find_calibration, keep_calibration, read_calibrations
from warpwright.config import calibration_path
from warpwright.datasheet.table import data_sheet_of, data_sheets
from warpwright.errors import BadInput, EnvironmentFault
from warpwright.evaluation.devices import only_one_on
from warpwright.model.calibration import Calibration, DeviceList, KnownDevice
from warpwright.model.deeper import Deeper
from warpwright.operations.nearest import nearest

_BUSY = "is the GPU free of other programs, and has it memory left? `nvidia-smi` shows both"


def calibrate(index: int) -> Calibration:
    """Measure the device of this number and keep the result, also for rooflines.

    No evaluation runs on it meanwhile; it takes some seconds.

    Raises:
        NoGpu: no driver or no such device.
        EnvironmentFault: the driver or the file of calibrations refuses, or nothing could be
            measured; what was kept before stays.
        BadInput: that file is damaged; nothing was measured.
    """
    path = calibration_path()
    read_calibrations(path)
    with open_gpu(index) as gpu:
        facts = gpu.facts
        with only_one_on(facts.uuid, lambda text: _say(f"{text}\n")):
            rates = measure_rates(gpu)
            interval = measure_launch_interval(gpu)
    if all(measured.value is None for measured in rates.values()):
        why = "; ".join(dict.fromkeys(measured.why_not or "" for measured in rates.values()))
        raise EnvironmentFault(f"nothing could be measured: {why}", hint=_BUSY)
    made = Calibration(
        at=datetime.now(UTC).isoformat(timespec="seconds"),
        version=__version__,
        device=facts.name,
        compute_capability="{}.{}".format(*facts.compute_capability),
        sm_count=facts.sm_count,
        driver=facts.driver,
        rates=rates,
        launch_interval=interval,
    )
    keep_calibration(path, made)
    return made


def known_devices(name: str | None) -> DeviceList:
    """All devices that are calibrated or in the table, or those whose name contains `name`.

    Raises:
        BadInput: there is none of that name, or the file of calibrations is damaged.
    """
    kept = read_calibrations(calibration_path())
    known = [
        KnownDevice(
            device=one.device,
            compute_capability=one.compute_capability,
            sm_count=one.sm_count,
            calibration=one,
            data_sheet=data_sheet_of(one.device, one.compute_capability, one.sm_count),
        )
        for one in kept
    ]
    for sheet in data_sheets():
        key = (sheet.device, sheet.compute_capability, sheet.sm_count)
        if any(
            find_calibration(kept, device, *key[1:])
            for device in (sheet.device, f"NVIDIA {sheet.device}")
        ):
            continue
        known.append(
            KnownDevice(
                device=sheet.device,
                compute_capability=sheet.compute_capability,
                sm_count=sheet.sm_count,
                calibration=None,
                data_sheet=sheet,
            )
        )
    return DeviceList(devices=_named(known, name), deeper=_deeper(known, name))


def _named(known: list[KnownDevice], name: str | None) -> tuple[KnownDevice, ...]:
    if name is None:
        return tuple(known)
    asked = name.casefold().removeprefix("nvidia ")
    names = [one.device.casefold().removeprefix("nvidia ") for one in known]
    found = tuple(one for one, its in zip(known, names, strict=True) if its == asked)
    found = found or tuple(one for one, its in zip(known, names, strict=True) if asked in its)
    if not found:
        hint = nearest(name, (one.device for one in known), "`warpwright device show` lists all")
        raise BadInput(f"nothing is known of a device '{name}'", hint=hint)
    return found


def _deeper(known: list[KnownDevice], name: str | None) -> tuple[Deeper, ...]:
    steps = [Deeper(what="measure the GPU that is here", command="warpwright device calibrate")]
    if name is None:
        first = f"warpwright device show '{known[0].device}'"
        steps.insert(0, Deeper(what="every rate of one device, and its source", command=first))
    return tuple(steps)


def _say(text: str) -> None:
    sys.stderr.write(text)
