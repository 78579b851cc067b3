"""Why two reports, or two launches, compare less well than they seem to."""

from __future__ import annotations

import math

from warpwright.advice.cautions import cautions
from warpwright.errors import BadInput
from warpwright.model.report import Launch, Report
from warpwright.query.difference import unreadable_names
from warpwright.query.noise import DEFAULT_PCT

_CLOCK = "sm__cycles_elapsed.avg.per_second"
_MOST_SECTIONS = 4
_TOLD = ("measurement.file", "measurement.clocks")  # of the reports, once


def device_differences(before: Report, after: Report) -> tuple[str, ...]:
    """In which facts the GPUs differ, as far as both reports tell them."""
    facts = (
        ("device", before.device, after.device),
        ("compute capability", before.capability_text, after.capability_text),
        ("SMs", before.sm_count, after.sm_count),
    )
    return tuple(f"{what} {one} and {other}" for what, one, other in facts if _differ(one, other))


def check_device(before: Report, after: Report, any_device: bool) -> tuple[str, ...]:
    """A caution if the GPUs differ or are not known.

    Raises:
        BadInput: they differ, and `any_device` is not set.
    """
    differences = device_differences(before, after)
    if differences and not any_device:
        raise BadInput(
            f"{before.path} and {after.path} are of different GPUs: {', '.join(differences)}",
            hint="--any-device compares them all the same; their times tell nothing of the code",
        )
    if differences:
        return (
            f"different GPUs ({', '.join(differences)}): what moved may be the GPU, not the code",
        )
    if before.device is None or after.device is None:
        return ("a report does not tell its GPU: make sure that both are of the same",)
    return ()


def report_cautions(before: Report, after: Report) -> tuple[str, ...]:
    """What of the measurement differs, and what either reader complained about."""
    found = []
    if _differ(before.tool_version, after.tool_version):
        found.append(
            f"measured by ncu {before.tool_version} and ncu {after.tool_version}: names and "
            "meanings of metrics may differ"
        )
    if before.clocks_unlocked and after.clocks_unlocked:
        found.append("clocks were not locked: what is measured is given twice the noise")
    elif before.clocks_unlocked or after.clocks_unlocked:
        which = "before" if before.clocks_unlocked else "after"
        found.append(
            f"clocks were unlocked only {which}: times and throughputs are of different clocks"
        )
    for report in (before, after) if before.path != after.path else (before,):
        found += [f"{report.path}: {text}" for text in report.cautions]
    return tuple(found)


def pair_cautions(before: tuple[Report, Launch], after: tuple[Report, Launch]) -> tuple[str, ...]:
    """What of two launches differs beside their code, and what could not be read of them."""
    one, other = before[1], after[1]
    return (
        *_work(one, other),
        *_clocks(one, other),
        *_sections(one, other),
        *_doubts(_doubts_of(*before), _doubts_of(*after)),
    )


def _work(one: Launch, other: Launch) -> tuple[str, ...]:
    if one.workload != other.workload:
        return (f"a {one.workload} before and a {other.workload} after",)
    threads = [math.prod(launch.grid) * math.prod(launch.block) for launch in (one, other)]
    if threads[0] == threads[1] or not all(threads):
        return ()
    return (
        f"{threads[0]:,} threads before and {threads[1]:,} after: the work may not be the same",
    )


def _clocks(one: Launch, other: Launch) -> tuple[str, ...]:
    rates = one.number(_CLOCK), other.number(_CLOCK)
    if not rates[0] or not rates[1]:
        return ()
    if abs(rates[1] / rates[0] - 1) <= DEFAULT_PCT / 100:
        return ()
    return (
        f"SMs ran at {rates[0] / 1e6:.0f} MHz before and {rates[1] / 1e6:.0f} MHz after: "
        "compare cycles rather than times",
    )


def _sections(one: Launch, other: Launch) -> tuple[str, ...]:
    ids = [dict.fromkeys(s.id for s in launch.annotations.sections) for launch in (one, other)]
    if not all(ids):
        return ()
    found = []
    for which, mine, others in (("before", *ids), ("after", *reversed(ids))):
        only = [section for section in mine if section not in others]
        if only:
            more = f" and {len(only) - _MOST_SECTIONS} more" if len(only) > _MOST_SECTIONS else ""
            found.append(
                f"collected only {which}: sections {', '.join(only[:_MOST_SECTIONS])}{more}"
            )
    return tuple(found)


def _doubts_of(report: Report, launch: Launch) -> list[str]:
    """What the digest says against this launch, and counters that could not be read."""
    found = [c for c in cautions(launch, report) if c.id not in _TOLD]
    names = unreadable_names(launch)
    texts = [caution.text for caution in found]
    if names and all(caution.id != "measurement.nan" for caution in found):
        texts.append(f"NaN in {len(names)} metrics, {names[0]} for one")
    return texts


def _doubts(before: list[str], after: list[str]) -> list[str]:
    """Each text once, with the side that it is about."""
    both = [text for text in before if text in after]
    return [
        *(f"both: {text}" for text in both),
        *(f"before: {text}" for text in before if text not in both),
        *(f"after: {text}" for text in after if text not in both),
    ]


def _differ(one: object, other: object) -> bool:
    return one is not None and other is not None and one != other
