"""`warpwright device ...`: what GPUs reach, measured or published."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(
    help="What GPUs reach: measure the one that is here, list what is known.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command()
def calibrate(
    device: Annotated[
        int, typer.Option("--device", metavar="N", min=0, help="Its number, as CUDA counts.")
    ] = 0,
    json: Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")] = False,
) -> None:
    """Measure this GPU's ceilings in some seconds; 'ncu roofline' uses them from then on.

    Copy bandwidth, L2, FP64, FP32 and FP16 multiply-adds, tensor products, and the interval of
    empty launches. Needs the driver alone. WARPWRIGHT_CALIBRATION is the file that keeps them.
    """
    from warpwright.cli.output import emit
    from warpwright.operations.calibrate import calibrate as measure
    from warpwright.render.devices import calibration_text

    emit(measure(device), json, calibration_text)


@app.command()
def show(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="A device's name, or a part of it.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")] = False,
) -> None:
    """The devices whose ceilings are known: calibrated here, or from NVIDIA's data sheets."""
    from warpwright.cli.output import emit
    from warpwright.operations.calibrate import known_devices
    from warpwright.render.devices import devices_text

    emit(known_devices(name), json, devices_text)
