"""What a run tells of the machine and person it was recorded by."""

from __future__ import annotations

import getpass
import re
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

_USERS = re.compile(r"/(?:home|Users)/([^\s/'\":#]+)")
_NO_NAMES = {"root", "user", "host", "ubuntu", "runner", "nobody", "localhost"}


@dataclass(frozen=True, slots=True)
class Private:
    """Texts that must not leave: folders that paths become relative to, homes, names."""

    projects: tuple[str, ...]
    homes: tuple[str, ...]
    users: tuple[str, ...]
    hosts: tuple[str, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """All of them, the longest first."""
        every = {*self.projects, *self.homes, *self.users, *self.hosts}
        return tuple(sorted(every, key=lambda text: (-len(text), text)))


def private_facts(project: Path, texts: Iterable[str]) -> Private:
    """This machine's facts, and the users whose homes `texts` (command lines) name."""
    users = {_user()} | {u for text in texts for u in _USERS.findall(text)}
    host = socket.gethostname()
    return Private(
        projects=_folders(project, project.resolve()),
        homes=_homes(),
        users=_names(users),
        hosts=_names({host, host.partition(".")[0]}),
    )


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user without a name, as in many containers
        return ""


def _homes() -> tuple[str, ...]:
    try:
        home = Path.home()
    except RuntimeError:  # nor a home
        return ()
    return _folders(home, home.resolve())


def _folders(*paths: Path) -> tuple[str, ...]:
    return tuple(sorted({str(path) for path in paths if path != Path("/")}, key=len, reverse=True))


def _names(names: set[str]) -> tuple[str, ...]:
    told = {name for name in names if len(name) > 2 and name not in _NO_NAMES}
    return tuple(sorted(told, key=len, reverse=True))
