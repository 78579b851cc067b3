"""Whether a run of Nsight Compute left a report worth keeping, and the error if not."""

from __future__ import annotations

from warpwright.errors import ProfilerFault, WarpwrightError
from warpwright.profiling import diagnose
from warpwright.profiling.diagnose import Diagnosis
from warpwright.profiling.options import Options
from warpwright.profiling.place import Place
from warpwright.profiling.process import Finished
from warpwright.profiling.tool import Tool, driver_version


def judge(
    finished: Finished,
    tool: Tool,
    options: Options,
    place: Place,
    *,
    failure: WarpwrightError | None,
) -> tuple[str, ...]:
    """Cautions about a report that is there; raises where there is none worth keeping.

    `failure` is what the target process itself reported. A fault that the profiler names comes
    first: it is what makes a target fail that is sound by itself.
    """
    if finished.exit_code is None:
        raise _fault(_timed_out(options), place)
    text, made = finished.text, place.made()
    complaints = diagnose.error_lines(text)
    usable = made is not None and (not complaints or diagnose.launch_count(text) is not None)
    driver = driver_version() if complaints else None
    known = diagnose.known_fault(text, ncu=tool.version, driver=driver)
    if known is not None and not usable:
        raise _fault(known, place)
    if failure is not None:
        raise failure
    empty = diagnose.no_kernels(
        text, kernel=options.kernel, target_processes=options.target_processes
    )
    crashed = diagnose.program_exit_code(text) is not None
    if empty is not None and (not crashed or diagnose.available_kernels(text)):
        raise _fault(empty, place)
    if empty is not None or not usable:
        raise _fault(diagnose.no_report(finished.exit_code, text), place)
    if not complaints:
        return ()
    return (f"launches may be missing: {known.message if known else complaints[0]}",)


def _timed_out(options: Options) -> Diagnosis:
    return Diagnosis(
        "timeout",
        f"Nsight Compute was stopped after {options.timeout_s:g} s without a report",
        "profile fewer launches (--kernel, --launch-count) or less of each (--set quick), or give "
        "it time (--timeout); kernels that wait for each other (NCCL, spinning) hang under kernel "
        "replay: try --replay application or range",
    )


def _fault(diagnosis: Diagnosis, place: Place) -> ProfilerFault:
    log = place.log.read_text(encoding="utf-8", errors="replace")
    kept = place.keep_log()
    hint = f"{diagnosis.hint} (log: {kept})" if kept else diagnosis.hint
    return ProfilerFault(diagnosis.message, hint=hint, log=log)
