"""A profile as text."""

from __future__ import annotations

import shlex
import textwrap

from warpwright.model.profile import Profile


def profile_text(profile: Profile) -> str:
    """Where the report is, how it was made, and the command to run next."""
    launches = "launches" if profile.launches is None else _count(profile.launches)
    version = f" {profile.ncu_version}" if profile.ncu_version else ""
    lines = [
        f"{profile.report}: {launches} of {_subject(profile)}",
        f"  Nsight Compute{version}, --set {profile.preset}, {profile.seconds:.1f} s",
    ]
    for caution in profile.cautions:
        lines += textwrap.wrap(
            f"caution: {caution}", 78, initial_indent="  ", subsequent_indent="    "
        )
    return "\n".join([*lines, f"next: warpwright ncu digest {shlex.quote(profile.report)}"])


def _count(launches: int) -> str:
    return "1 launch" if launches == 1 else f"{launches} launches"


def _subject(profile: Profile) -> str:
    if profile.command is not None:
        return shlex.join(profile.command)
    return f"one call of {profile.candidate} (task {profile.task}, shape {profile.shape})"
