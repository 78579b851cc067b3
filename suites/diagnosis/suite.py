"""The frame of a Triton or torch case: comparison, timing, and one profiled call.

A case is a module with `make() -> dict of tensors on the GPU`, `bad(**tensors) -> output tensor` and
`fixed(**tensors) -> output tensor`, and `TOLERANCE` (of the largest difference, relative to the
largest value). `python suite.py CASE.py time` prints one JSON line, as suite.cuh does; `bad` and
`fixed` make one warm call and then one inside of the profiler's range.
"""

import importlib.util
import json
import statistics
import sys

import torch


def load(path):
    spec = importlib.util.spec_from_file_location("case", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["case"] = module
    spec.loader.exec_module(module)
    return module


def median_ns(run, tensors, flush, rounds):
    times = []
    for _ in range(rounds):
        flush.zero_()
        start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        run(**tensors)
        stop.record()
        torch.cuda.synchronize()
        times.append(start.elapsed_time(stop) * 1e6)
    return statistics.median(times)


def main(path, what):
    torch.manual_seed(1)
    case = load(path)
    tensors = case.make()
    if what != "time":
        run = case.fixed if what == "fixed" else case.bad
        run(**tensors)
        torch.cuda.synchronize()
        torch.cuda.cudart().cudaProfilerStart()
        run(**tensors)
        torch.cuda.synchronize()
        torch.cuda.cudart().cudaProfilerStop()
        return 0
    one, other = (run(**tensors).double() for run in (case.bad, case.fixed))
    largest = one.abs().max().item()
    relative = (one - other).abs().max().item() / largest
    flush = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")
    runs = (case.bad, case.fixed)
    for run in runs:
        median_ns(run, tensors, flush, 3)
    times = [[median_ns(run, tensors, flush, 9) for run in runs] for _ in range(5)]
    bad_ns, fixed_ns = (statistics.median(column) for column in zip(*times, strict=True))
    same = relative <= case.TOLERANCE
    told = {
        "bad_ns": round(bad_ns),
        "fixed_ns": round(fixed_ns),
        "difference": relative,
        "same": same,
    }
    print(json.dumps(told))
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "time"))
