"""What a run tells of the machine and person it was recorded by, and how to leave that out."""

from __future__ import annotations

import getpass
import re
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

# Two or more components; not behind a word (`a/b`, `GB/s`), but behind an option (`-I/usr/...`).
_START = r"(?:(?<![\w.~/$)\]-])|(?<=\s-[A-Za-z])|(?<=^-[A-Za-z]))"
_PART = r"[^\s/'\"`:;,=<>()\[\]{}|#*]+"
_PATH = re.compile(rf"{_START}/{_PART}(?:/{_PART})+/?")
_QUOTED = re.compile(rf"(?<=[\"'<])/{_PART}(?:/{_PART})+/?(?=[\"'>])")
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
    users = {getpass.getuser()} | {u for text in texts for u in _USERS.findall(text)}
    host = socket.gethostname()
    return Private(
        projects=_folders(project, project.resolve()),
        homes=_folders(Path.home(), Path.home().resolve()),
        users=_names(users),
        hosts=_names({host, host.partition(".")[0]}),
    )


def _folders(*paths: Path) -> tuple[str, ...]:
    return tuple(sorted({str(path) for path in paths if path != Path("/")}, key=len, reverse=True))


def _names(names: set[str]) -> tuple[str, ...]:
    told = {name for name in names if len(name) > 2 and name not in _NO_NAMES}
    return tuple(sorted(told, key=len, reverse=True))


def public_text(private: Private, text: str) -> str:
    """Prose: absolute paths become relative to the project, or a file's name alone."""
    text = _relative(private, text)
    return _names_out(private, _PATH.sub(lambda found: PurePosixPath(found[0]).name, text))


def public_word(private: Private, word: str) -> str:
    """One word of a command line, a path or an address: a path in it may hold spaces."""
    option, equals, value = word.partition("=") if word.startswith("-") else ("", "", word)
    path, hash_, rest = _relative(private, value).partition("#")
    if path.startswith("/"):
        path = PurePosixPath(path).name
    return public_text(private, f"{option}{equals}{path}{hash_}{rest}")


def public_source(private: Private, text: str) -> str:
    """A program: only what is certain to be no operator between slashes."""
    text = _relative(private, text)
    return _names_out(private, _QUOTED.sub(lambda found: PurePosixPath(found[0]).name, text))


def public_json(private: Private, value: Any, hashes: dict[str, str]) -> Any:
    """A JSON value: its texts as prose, and its hashes as `hashes` renames them."""
    if isinstance(value, dict):
        return {key: public_json(private, item, hashes) for key, item in value.items()}
    if isinstance(value, list):
        return [public_json(private, item, hashes) for item in value]
    if isinstance(value, str):
        return hashes.get(value) or public_text(private, value)
    return value


def _relative(private: Private, text: str) -> str:
    for project in private.projects:
        text = text.replace(project + "/", "")
        text = re.sub(re.escape(project) + r"(?![\w.-])", ".", text)
    return text


def _names_out(private: Private, text: str) -> str:
    for home in private.homes:
        text = re.sub(rf"(?<![\w.]){re.escape(home)}(?![\w.-])", "~", text)
    for names, word in ((private.users, "user"), (private.hosts, "host")):
        for name in names:
            text = re.sub(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])", word, text)
    return text
