"""measurement.*: why the numbers of a launch deserve less trust."""

from __future__ import annotations

from warpwright.hardware import nearest_limits, sm_limits
from warpwright.model.digest import Caution
from warpwright.model.report import Launch, Report

SHORT_NS = 5_000
_PROBES = (
    "gpu__time_duration.sum",
    "sm__throughput.avg.pct_of_peak_sustained_elapsed",
    "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
    "smsp__inst_executed.sum",
    "sm__cycles_active.avg",
)


def unreadable(launch: Launch) -> bool:
    """All counters are NaN: the capture was interrupted, or ncu and driver do not match."""
    present = [launch.metrics[name].value for name in _PROBES if name in launch.metrics]
    numbers = [value for value in present if isinstance(value, int | float)]
    return bool(numbers) and all(value != value for value in numbers)


def cautions(launch: Launch, report: Report) -> tuple[Caution, ...]:
    """Everything that makes this launch's numbers less reliable.

    What could not be read of the file, and an interrupted capture, show at its last launch.
    """
    found = []
    last = launch.index == len(report.launches) - 1
    if last:
        found += [Caution(id="measurement.file", text=text) for text in report.cautions]
    if launch.damage:
        return (*found, Caution(id="measurement.damaged", text=f"not read: {launch.damage}"))
    if unreadable(launch):
        why = "an interrupted capture" if last else "ncu and the driver may not match"
        found.append(
            Caution(
                id="measurement.nan",
                text=f"all counters of this launch are NaN ({why}): it is not ranked",
            )
        )
        return tuple(found)
    if launch.workload != "kernel":
        found.append(
            Caution(
                id="measurement.range",
                text=f"a whole {launch.workload} was measured as one, and causes belong to "
                "kernels: profile those one by one (kernel replay, --graph-profiling node)",
            )
        )
    found += _unknown_device(launch)
    duration = launch.number("gpu__time_duration.sum")
    if duration is None:
        found.append(
            Caution(id="measurement.no_duration", text="the report has no gpu__time_duration")
        )
    elif duration < SHORT_NS:
        found.append(
            Caution(
                id="measurement.short",
                text=f"it took {duration / 1000:.1f} us: launch overhead and cold caches weigh "
                "as much as the kernel's own work",
            )
        )
    if report.clocks_unlocked:
        clock = launch.number("sm__cycles_elapsed.avg.per_second")
        if launch.workload != "kernel":
            clock = None  # of all that ran in between
        at = f" (SMs ran at {clock / 1e6:.0f} MHz)" if clock else ""
        found.append(
            Caution(
                id="measurement.clocks",
                text=f"clocks were not locked{at}: compare durations with a few percent of doubt",
            )
        )
    return tuple(found)


def _unknown_device(launch: Launch) -> list[Caution]:
    """What is assumed of a device that the tables do not know."""
    capability = launch.compute_capability
    if capability is None:
        text = "the report does not say which device it is from: no limits of an SM are known"
    elif sm_limits(capability) is None:
        near = ".".join(map(str, nearest_limits(capability)[0]))
        text = (
            f"compute capability {capability[0]}.{capability[1]} is not known: what the report "
            f"does not tell of its SMs is assumed to be as for {near}"
        )
    else:
        return []
    return [Caution(id="measurement.device", text=text)]
