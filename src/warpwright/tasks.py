"""Read a task from its folder. `load_task` is what every verb that takes a TASK starts with."""

from __future__ import annotations

import ast
import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from warpwright.arithmetic import evaluate
from warpwright.errors import BadTask
from warpwright.model.task import DTYPE_BYTES, Shape, Task, TensorSpec

TASK_FILE = "task.toml"
_ANY = "*"  # a star import may bind any name


@dataclass(frozen=True, slots=True)
class LoadedTask:
    """A task and where it came from. `sha256` covers task.toml and the reference file."""

    task: Task
    folder: Path
    sha256: str

    @property
    def reference_path(self) -> Path:
        """The Python file that defines inputs, reference and baselines."""
        return self.folder / self.task.reference


def load_task(path: Path) -> LoadedTask:
    """Read `task.toml` from a folder (or the file itself). Executes nothing of the task.

    Raises:
        BadTask: no such file, no TOML, a key missing or wrong, a reference that is not there,
            is no Python or lacks a function, dimensions that a shape lacks, an expression that
            cannot be computed. One line: file and key or line.
    """
    file = path / TASK_FILE if path.is_dir() else path
    text = _read(file, "a task is a folder with a task.toml, or that file")
    try:
        task = Task.model_validate(_parse(file, text))
    except ValidationError as error:
        raise _first_problem(file, error.errors()[0]) from None
    for message, hint in _contradictions(task):
        raise BadTask(f"{file}: {message}", hint=hint)
    source = _read(file.parent / task.reference, f"{file} names it as `reference`")
    _check_reference(file.parent / task.reference, source, task)
    digest = hashlib.sha256(b"%d\n" % len(text) + text + source).hexdigest()
    return LoadedTask(task=task, folder=file.parent, sha256=digest)


def dims_of(task: Task, shape_name: str) -> dict[str, int]:
    """The dimensions of a shape, by its name. Raises BadTask where there is no such shape."""
    for shape in task.shapes:
        if shape.name == shape_name:
            return dict(shape.dims)
    known = ", ".join(shape.name for shape in task.shapes)
    raise BadTask(f"task {task.name} has no shape '{shape_name}'", hint=f"it has {known}")


def tensor_sizes(tensor: TensorSpec, dims: Mapping[str, int]) -> tuple[int, ...]:
    """A tensor's shape in numbers. `dims` must hold every dimension it names."""
    return tuple(size if isinstance(size, int) else dims[size] for size in tensor.shape)


def tensor_bytes(tensor: TensorSpec, dims: Mapping[str, int]) -> int:
    """A tensor's size in bytes."""
    return prod(tensor_sizes(tensor, dims)) * DTYPE_BYTES[tensor.dtype]


def floor_bytes(task: Task, dims: Mapping[str, int]) -> float:
    """Bytes of device memory that the task must at least move. Raises BadTask."""
    return _floor("floor.bytes", task.floor.bytes, dims)


def floor_flops(task: Task, dims: Mapping[str, int]) -> float:
    """Floating-point operations of the task as stated. Raises BadTask."""
    return _floor("floor.flops", task.floor.flops, dims)


def _floor(key: str, expression: str, dims: Mapping[str, int]) -> float:
    try:
        return evaluate(expression, dims)
    except ValueError as error:
        raise BadTask(f"{key}: {error}") from None


def _read(file: Path, hint: str) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        reason = (error.strerror or "cannot be read").lower()
        raise BadTask(f"{file}: {reason}", hint=hint) from None


def _parse(file: Path, text: bytes) -> dict[str, Any]:
    try:
        return tomllib.loads(text.decode())
    except UnicodeDecodeError as error:
        raise BadTask(f"{file}: not UTF-8 at byte {error.start}", hint="save as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        found = re.fullmatch(r"(.*) \(at line (\d+), column \d+\)", str(error), re.DOTALL)
        place, message = (f"{file}:{found[2]}", found[1]) if found else (str(file), str(error))
        raise BadTask(f"{place}: no TOML: {message}", hint="see https://toml.io") from None


def _first_problem(file: Path, problem: ErrorDetails) -> BadTask:
    """One line from pydantic's first error: `task.toml: tolerance.rmse_rel is missing`."""
    parts = [p for p in problem["loc"] if not (isinstance(p, str) and "[" in p)]  # union members
    key = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in parts).lstrip(".")
    if problem["type"] == "missing":
        table = key.rpartition(".")[0]
        where = f"in [{table}]" if table else "at the top of the file"
        return BadTask(f"{file}: {key} is missing", hint=f"add `{parts[-1]} = ...` {where}")
    if problem["type"] == "extra_forbidden":
        return BadTask(f"{file}: {key} is no key of a task", hint="remove it, or mend its spelling")
    value = repr(problem["input"])
    shown = value if len(value) <= 60 else value[:57] + "..."
    return BadTask(f"{file}: {key} cannot be {shown}", hint=problem["msg"])


def _contradictions(task: Task) -> Iterator[tuple[str, str | None]]:
    """What pydantic cannot see: (message, hint)."""
    named = {
        "tensor": [t.name for t in (*task.inputs, *task.outputs)],
        "shape": [s.name for s in task.shapes],
        "distribution": [d.name for d in task.distributions],
        "baseline": [b.name for b in task.baselines],
        "entry dimension": list(task.entry.dims),
    }
    for kind, names in named.items():
        for name in sorted({n for n in names if names.count(n) > 1}):
            yield f"two {kind}s are named '{name}'", "every name may stand once"
    for shape in task.shapes:
        yield from _shape_contradictions(task, shape)


def _shape_contradictions(task: Task, shape: Shape) -> Iterator[tuple[str, str | None]]:
    place = f"shape '{shape.name}'"
    if shape.timed and shape.held_out:
        yield f"{place} is both timed and held_out", "held-out shapes are never timed"
    for name, value in shape.dims.items():
        if value < 1:
            yield f"{place}: {name} = {value} is no size", "a dimension is at least 1"
    users = [(f"tensor '{t.name}'", t.shape) for t in (*task.inputs, *task.outputs)]
    for user, sizes in [*users, ("entry.dims", task.entry.dims)]:
        for size in sizes:
            if isinstance(size, str) and size not in shape.dims:
                hint = f"add {size} to the shape's dims ({', '.join(shape.dims)})"
                yield f"{place} lacks dimension {size}, which {user} uses", hint
            if isinstance(size, int) and size < 1:
                yield f"{user}: {size} is no size", "a dimension is at least 1"
    for key, text in (("floor.bytes", task.floor.bytes), ("floor.flops", task.floor.flops)):
        try:
            if not 0 < evaluate(text, shape.dims) < float("inf"):
                yield f"{key} is not above 0 at {place}", None
        except ValueError as error:
            yield f"{key}: {error}", "write arithmetic over the dimensions: 4*B*T*(5*D + 1)"


def _check_reference(file: Path, source: bytes, task: Task) -> None:
    """Parse (never run) the reference and look for the functions it must define."""
    try:
        tree = ast.parse(source, filename=str(file))
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        place = f"{file}:{line}" if line else str(file)
        reason = error.msg if isinstance(error, SyntaxError) else error
        raise BadTask(f"{place}: not valid Python: {reason}") from None
    defined = set(_names_bound(tree.body))
    if _ANY in defined:
        return
    for name in ("make_inputs", "reference", *(b.function for b in task.baselines)):
        if name not in defined:
            raise BadTask(
                f"{file}: function {name} is not defined",
                hint="a reference defines make_inputs, reference and one function a baseline",
            )


def _names_bound(body: Sequence[ast.stmt]) -> Iterator[str]:
    """Names that statements bind, also under `if`, `try` and `with`; `*`: a star import."""
    for node in body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.ImportFrom(names=aliases) | ast.Import(names=aliases):
                yield from (alias.asname or alias.name.partition(".")[0] for alias in aliases)
            case ast.Assign(targets=targets):
                yield from (target.id for target in targets if isinstance(target, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
                yield name
            case ast.If(body=then, orelse=other):
                yield from _names_bound([*then, *other])
            case ast.With(body=inner):
                yield from _names_bound(inner)
            case ast.Try(body=tried, handlers=handlers, orelse=other, finalbody=last):
                handled = [statement for handler in handlers for statement in handler.body]
                yield from _names_bound([*tried, *handled, *other, *last])
