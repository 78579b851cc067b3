"""The text of source lines: out of the report, else out of a folder (`--source-root`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from warpwright.errors import BadInput
from warpwright.model.report import Launch, Report
from warpwright.query.line_names import is_suffix, parts_of

_MOST_BYTES = 16 << 20  # a larger file is no source


class SourceText:
    """Texts of a launch's files; each is looked for once, when asked for.

    `cautions` grows by what was found out about the files that were asked for.

    Args:
        report: its imported sources come first.
        launch: its line table tells how long a file must be; its date, how old.
        root: a folder that holds the sources.

    Raises:
        BadInput: `root` is no folder.
    """

    def __init__(self, report: Report, launch: Launch, root: Path | None) -> None:
        if root is not None and not root.is_dir():
            raise BadInput(
                f"--source-root {root} is no folder",
                hint="give the folder below which the sources lie",
            )
        self.cautions: list[str] = []
        self._imported = report.sources
        self._root = root
        self._created_s = launch.created_s
        self._last = _last_lines(launch)
        self._lines = cache(self._find)

    def __call__(self, file: str, line: int) -> str | None:
        """The text of a line, without its end; None where it is not known."""
        lines = self._lines(file)
        return lines[line - 1] if 0 < line <= len(lines) else None

    def _find(self, file: str) -> list[str]:
        imported = _imported(self._imported, file)
        if imported is not None:
            return self._checked(file, _split(imported), f"the report's text of {file}")
        if self._root is None:
            self.cautions.append(
                f"the report has no text of {file}: give --source-root DIR, "
                "or profile with --import-source yes"
            )
            return []
        path = _below(self._root, file)
        if path is None:
            self.cautions.append(f"{self._root} holds no file that could be {file}")
            return []
        lines = self._checked(file, _split(_read(path)), str(path))
        if lines and self._created_s is not None and path.stat().st_mtime > self._created_s:
            self.cautions.append(
                f"{path} was changed after the launch was profiled: "
                "its text may be of another version"
            )
        return lines

    def _checked(self, file: str, lines: list[str], name: str) -> list[str]:
        last = self._last.get(file, 0)
        if len(lines) >= last:
            return lines
        self.cautions.append(
            f"{name} has {len(lines)} lines, but instructions come from line {last}: "
            "it is of another version and is not shown"
        )
        return []


def _last_lines(launch: Launch) -> dict[str, int]:
    last: dict[str, int] = {}
    for chain in launch.code.chains.values():
        for line in chain:
            last[line.file] = max(line.line, last.get(line.file, 0))
    return last


def _imported(sources: Mapping[str, str], file: str) -> str | None:
    if file in sources:
        return sources[file]
    same = [path for path in sources if parts_of(path) == parts_of(file)]
    alike = same or [path for path in sources if is_suffix(path, file) or is_suffix(file, path)]
    return sources[alike[0]] if len(alike) == 1 else None


def _below(root: Path, file: str) -> Path | None:
    """The file below `root` that shares the longest end of the path."""
    parts = parts_of(file)
    inside = root.resolve()
    candidates = (root.joinpath(*parts[start:]) for start in range(len(parts)))
    return next(
        (p for p in candidates if _is_source(p) and p.resolve().is_relative_to(inside)), None
    )


def _is_source(path: Path) -> bool:
    try:
        return path.is_file() and path.stat().st_size <= _MOST_BYTES
    except OSError:  # a folder on the way cannot be entered, a name is too long
        return False


def _split(text: str) -> list[str]:
    """Lines as compilers count them: only a newline ends one."""
    lines = text.split("\n")
    return [line.removesuffix("\r") for line in (lines if lines[-1] else lines[:-1])]


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise BadInput(
            f"{path} cannot be read: {(error.strerror or str(error)).lower()}",
            hint="give another --source-root, or leave it out",
        ) from None
