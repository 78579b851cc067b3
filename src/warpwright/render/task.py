"""A task's summary as text."""

from __future__ import annotations

import textwrap

from warpwright.model.task_summary import ShapeSummary, TaskSummary


def task_text(task: TaskSummary) -> str:
    """What a task is, readable in 80 columns."""
    tolerance = task.tolerance
    lines = [
        f"{task.name}: {task.description}",
        f"task {task.sha256[:12]}, reference {task.reference}",
        "",
        "a CUDA C++ or C++ candidate defines",
        *textwrap.wrap(task.signature, 76, initial_indent="  ", subsequent_indent="    "),
        "",
        f"tensors at shape {task.shapes[0].name}",
        *_tensor_lines(task.shapes[0]),
        "",
        "shapes",
        *(line for shape in task.shapes for line in _shape_lines(shape)),
        "",
        "distributions",
        *(
            line
            for d in task.distributions
            for line in textwrap.wrap(
                f"{d.name:<12} {d.description}",
                76,
                initial_indent="  ",
                subsequent_indent=" " * 15,
            )
        ),
        "",
        f"tolerance    {tolerance.precision}: relative RMSE {tolerance.rmse_rel:g}, "
        f"no element off by {tolerance.element_cap:g} of the RMS",
        "baselines    " + ", ".join(f"{b.name} ({b.function})" for b in task.baselines),
        f"libraries    {task.libraries} (declared; this version does not check it)",
    ]
    return "\n".join(lines) + "\n"


def _shape_lines(shape: ShapeSummary) -> list[str]:
    dims = " ".join(f"{name}={size}" for name, size in shape.dims.items())
    kind = "timed" if shape.timed else "held out" if shape.held_out else "checked"
    floor = f"at least {_scaled(shape.floor_bytes)}B moved, {_scaled(shape.floor_flops)}FLOP"
    return [
        f"  {shape.name:<12} {dims} ({kind}, {' and '.join(shape.devices)})",
        f"  {'':<12} {floor}",
    ]


def _tensor_lines(shape: ShapeSummary) -> list[str]:
    return [
        f"  {t.name:<12} {t.role:<7} {t.dtype}[{', '.join(map(str, t.sizes))}]"
        f" {_scaled(t.size_bytes)}B"
        for t in shape.tensors
    ]


def _scaled(value: float) -> str:
    for factor, prefix in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= factor:
            return f"{value / factor:.3g} {prefix}"
    return f"{value:.3g} "
