"""How to leave what is private out of words, prose, programs and JSON."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Any

from warpwright.operations.private import Private
from warpwright.report.masks import commented_names, in_comments, without_names

# Two or more components; not behind a word (`a/b`, `GB/s`), but behind an option (`-I/usr/...`).
_START = r"(?:(?<![\w.~/$)\]-])|(?<=\s-[A-Za-z])|(?<=^-[A-Za-z]))"
_PART = r"[^\s/'\"`:;,=<>()\[\]{}|#*]+"
_PATH = re.compile(rf"{_START}/{_PART}(?:/{_PART})+/?")
_QUOTED = re.compile(rf"(?<=[\"'<])/{_PART}(?:/{_PART})+/?(?=[\"'>])")
_LAUNCH = re.compile(r"L\d+(?:/.*)?")
_REPORT = re.compile(r"^[^#]+(?=#L\d)")
_QUOTE = re.compile(r"(?P<file>[^\s`:(]+\.\w+)(?P<line>:\d+)(?: `(?P<text>[^`]*)`)?")
_PATHS = {"address", "because", "candidate", "command", "from_candidate", "path"}
_PROSE = {"cautions", "detail", "reasons", "warnings"}


def public_text(private: Private, text: str) -> str:
    """Prose: absolute paths become relative to the project, or a file's name alone."""
    return _names_out(private, _paths_out(private, text))


def public_word(private: Private, word: str) -> str:
    """One word of a command line, a path or an address: a path in it may hold spaces.

    What options are called, and what an address names in its report, stays.
    """
    option, equals, value = word.partition("=") if word.startswith("-") else ("", "", word)
    path, hash_, rest = _relative(private, value).partition("#")
    if path.startswith("/"):
        path = PurePosixPath(path).name
    option = public_text(private, option) if "/" in option else option
    rest = rest if _LAUNCH.fullmatch(rest) else public_text(private, rest)
    return f"{option}{equals}{public_text(private, path)}{hash_}{rest}"


def public_source(private: Private, text: str, *, python: bool = False) -> str:
    """A program: only what is certain to be no operator between slashes, and names in comments."""
    text = _QUOTED.sub(lambda found: PurePosixPath(found[0]).name, _relative(private, text))
    text = _homes_out(private, text)

    def comment(found: bytes) -> bytes:
        return _names_out(private, found.decode(errors="surrogateescape")).encode(
            errors="surrogateescape"
        )

    source = text.encode(errors="surrogateescape")
    return in_comments(source, comment, python=python).decode(errors="surrogateescape")


def public_json(private: Private, value: Any, hashes: dict[str, str], key: str = "") -> Any:
    """A JSON value without private paths, and its hashes as `hashes` renames them.

    Names of users and hosts go where somebody else's text may hold them: in paths, command
    lines and prose of a compiler or candidate. Our own words (a metric, a mode, a finding) stay.
    """
    if isinstance(value, dict):
        return {name: public_json(private, item, hashes, name) for name, item in value.items()}
    if isinstance(value, list):
        return [public_json(private, item, hashes, key) for item in value]
    if isinstance(value, str):
        return hashes.get(value) or _public_value(private, value, key)
    return value


def _public_value(private: Private, text: str, key: str) -> str:
    if key in _PATHS:
        return public_word(private, text)
    if key in _PROSE:
        return public_text(private, text)
    text = _paths_out(private, text)
    if key == "file":  # of a line table: masked as a redacted report masks it
        return _masked(private, text)
    text = _REPORT.sub(lambda found: _names_out(private, found[0]), text)
    return _QUOTE.sub(lambda found: _quoted_line(private, found), text)


def _quoted_line(private: Private, found: re.Match[str]) -> str:
    """A quoted source line, masked as a redacted report masks it."""
    python = found["file"].endswith(".py")
    names = (*private.users, *private.hosts)
    place = _masked(private, found["file"]) + found["line"]
    if found["text"] is None:
        return place
    return f"{place} `{commented_names(found['text'].encode(), names, python=python).decode()}`"


def _masked(private: Private, file: str) -> str:
    return without_names(file.encode(), (*private.users, *private.hosts)).decode()


def _paths_out(private: Private, text: str) -> str:
    text = _PATH.sub(lambda found: PurePosixPath(found[0]).name, _relative(private, text))
    return _homes_out(private, text)


def _relative(private: Private, text: str) -> str:
    for project in private.projects:
        text = text.replace(project + "/", "")
        text = re.sub(re.escape(project) + r"(?![\w.-])", ".", text)
    return text


def _homes_out(private: Private, text: str) -> str:
    for home in private.homes:
        text = re.sub(rf"(?<![\w.]){re.escape(home)}(?![\w.-])", "~", text)
    return text


def _names_out(private: Private, text: str) -> str:
    for names, word in ((private.users, "user"), (private.hosts, "host")):
        for name in names:
            text = re.sub(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])", word, text)
    return text
