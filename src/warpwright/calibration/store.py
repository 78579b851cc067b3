"""The user's calibrations: one JSON file, replaced as a whole."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from warpwright.errors import BadInput, EnvironmentFault
from warpwright.model.calibration import Calibration, CalibrationFile
from warpwright.runs.project import replace_file


def read_calibrations(path: Path) -> tuple[Calibration, ...]:
    """All that was kept; a file that is not there yet holds none.

    Raises:
        BadInput: the file is damaged.
        EnvironmentFault: it is there and cannot be read.
    """
    try:
        return CalibrationFile.model_validate_json(path.read_bytes()).calibrations
    except FileNotFoundError:
        return ()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise EnvironmentFault(
            f"{path}: cannot be read: {reason}", hint="set WARPWRIGHT_CALIBRATION to another file"
        ) from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        said = first["msg"].partition(" at line")[0]
        raise BadInput(
            f"{path}: is no calibration file ({place + ': ' if place else ''}{said})",
            hint="remove it, then `warpwright device calibrate` on the GPU machine; or set "
            "WARPWRIGHT_CALIBRATION to another file",
        ) from None


def find_calibration(
    kept: tuple[Calibration, ...], device: str, compute_capability: str, sm_count: int
) -> Calibration | None:
    """The calibration of a kind of device."""
    wanted = (device, compute_capability, sm_count)
    return next((one for one in kept if _key(one) == wanted), None)


def keep_calibration(path: Path, new: Calibration) -> None:
    """Keep a calibration in place of an older one of the same kind of device.

    Raises:
        BadInput: the file is damaged; it is left as it is.
        EnvironmentFault: it cannot be written; it is as it was.
    """
    others = [one for one in read_calibrations(path) if _key(one) != _key(new)]
    whole = CalibrationFile(calibrations=(new, *others)).model_dump_json(indent=2) + "\n"
    try:
        replace_file(path, whole.encode())
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise EnvironmentFault(
            f"{path}: cannot be written: {reason}",
            hint="set WARPWRIGHT_CALIBRATION to a file that can be",
        ) from None


def _key(one: Calibration) -> tuple[str, str, int]:
    return one.device, one.compute_capability, one.sm_count
