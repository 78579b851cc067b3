"""What Nsight Compute runs for a task: one call of one candidate inside the profiler range.

Arguments: the path of a request (JSON of `Request`) and the path to write an `Outcome` to. What
the process prints is mixed with the profiler's own lines, so the outcome has a file of its own.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

from warpwright.errors import NoGpu, ToolMissing, WarpwrightError
from warpwright.execution.profile_request import Outcome, Request
from warpwright.tasks import load_task

WARM_UP_CALLS = 3
_SEED = 20_250_101


def main() -> int:
    """Run the request; the exit code says whether the call went well."""
    request = Request.model_validate_json(Path(sys.argv[1]).read_bytes())
    outcome = _outcome(request)
    Path(sys.argv[2]).write_text(outcome.model_dump_json(), encoding="utf-8")
    return 0 if outcome.error is None else 1


def _outcome(request: Request) -> Outcome:
    try:
        return Outcome(finite=_profile_one_call(request))
    except WarpwrightError as error:
        kind, message, hint = type(error).__name__, str(error), error.hint
    except Exception as error:  # noqa: BLE001  # process boundary: told as one line
        text = " ".join(str(error).split())
        kind, message, hint = "BadCandidate", f"{type(error).__name__}: {text}", None
    return Outcome(finite=None, error=message, kind=kind, hint=hint)


def _profile_one_call(request: Request) -> bool:
    """Warm up, open the range, call once, close it; returns whether all outputs are finite."""
    _require_torch()
    import torch

    from warpwright.execution.calling import load_call
    from warpwright.execution.device import open_device
    from warpwright.execution.reference_file import DTYPES, load_reference, output_shapes

    if not torch.cuda.is_available():
        raise NoGpu("no CUDA device can be used here", hint="nvidia-smi shows what the driver sees")
    open_device("cuda")  # the flags of torch that evaluation sets
    loaded = load_task(Path(request.task))
    task, dims = loaded.task, dict(request.dims)
    reference = load_reference(loaded.reference_path)
    inputs = reference.make_inputs(task, dims, request.distribution, _SEED, "cuda")
    shapes = output_shapes(task, dims)
    outputs = {
        spec.name: torch.zeros(shapes[spec.name], dtype=DTYPES[spec.dtype], device="cuda")
        for spec in task.outputs
    }
    call = load_call(task, request.language, Path(request.artifact))
    with torch.inference_mode():
        for _ in range(WARM_UP_CALLS):
            call(inputs, outputs, dims)
        torch.cuda.synchronize()
        torch.cuda.profiler.start()
        results = call(inputs, outputs, dims)
        torch.cuda.synchronize()
        torch.cuda.profiler.stop()
    return all(bool(result.isfinite().all()) for result in results)


def _require_torch() -> None:
    if importlib.util.find_spec("torch") is None:
        raise ToolMissing(
            "torch cannot be imported, and a task's inputs are made with it",
            hint="install torch for your CUDA version (https://pytorch.org), or profile a "
            "program of your own: warpwright ncu profile -- COMMAND",
        )


if __name__ == "__main__":
    sys.exit(main())
