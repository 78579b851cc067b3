"""Mask the texts of a report, each in the way of its kind, and count what was masked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial

from warpwright.cubin.line_header import StringTables, read_headers
from warpwright.cubin.sections import Section, read_elf
from warpwright.errors import BadInput
from warpwright.model.redaction import PrivateKind
from warpwright.report import masks
from warpwright.report.masks import Rewrite, is_public, masked
from warpwright.report.private_texts import PrivateTexts
from warpwright.report.redact_plan import Style

_WHOLE: dict[Style, PrivateKind] = {
    Style.HOST: "host",
    Style.ADDRESS: "address",
    Style.SYSTEM: "system",
    Style.FOLDER: "path",
    Style.ENVIRONMENT: "environment",
    Style.COMMENT: "comment",
    Style.UNKNOWN: "other",
}
_CACHED_BYTES = 4096
_STRINGS = re.compile(r"\.debug_(?:line_)?str$|\.note|\.comment$")
_SYMBOLS = {".strtab", ".shstrtab"}
_PATHS = re.compile(rb"[^\0]*/[^\0]*")
_FOLDER_STRING = re.compile(rb"(?<![^\0])(?:/[^\0/]*)*/[^\0/.]+/?(?=\0)")


class Masker:
    """Masks texts; `counts` says how often it changed something of each kind."""

    def __init__(self, private: PrivateTexts) -> None:
        self.counts: Counter[PrivateKind] = Counter()
        self._cache: dict[tuple[Style, bytes], tuple[bytes, Counter[PrivateKind]]] = {}
        deep = {folder for folder in private.folders if folder.count(b"/") > 1}
        wide = (private.folders - {b""}) | private.addresses | private.names
        self._everywhere = masks.whole_words(_both_widths(private.everywhere))
        self._deep = masks.folder_words(deep)
        self._shallow = masks.folder_words(private.folders)
        self._addresses = masks.whole_words(private.addresses)
        self._values = masks.whole_words(private.values)
        self._wide = masks.whole_words(map(_wide, wide))
        self._names = masks.whole_words(private.names)
        self._files = masks.whole_words(
            name for name in private.files if self._names and self._names.search(name)
        )
        self._styles: dict[Style, Rewrite] = {
            Style.NAME: lambda text: text,
            Style.PATH: self._path,
            Style.COMMAND: self._command,
            Style.PROSE: self._prose,
            Style.SOURCE: partial(self._source, python=False),
            Style.PYTHON: partial(self._source, python=True),
            Style.CUBIN: self._cubin,
            **{style: partial(self._whole, kind) for style, kind in _WHOLE.items()},
        }

    def __call__(self, style: Style, text: bytes) -> bytes:
        """The text with what is private in it masked; of the same length."""
        if len(text) > _CACHED_BYTES:
            return self._fresh(style, text)
        key = (style, text)
        if key not in self._cache:
            before = self.counts.copy()
            new = self._fresh(style, text)
            self._cache[key] = new, self.counts - before
            return new
        new, counted = self._cache[key]
        self.counts += counted
        return new

    def _fresh(self, style: Style, text: bytes) -> bytes:
        if style is not Style.CUBIN:  # of which not all is text
            text = self._out("also", self._everywhere, text)
        return self._styles[style](text)

    def _out(
        self,
        kind: PrivateKind,
        pattern: re.Pattern[bytes] | None,
        text: bytes,
        new: Rewrite = masked,
    ) -> bytes:
        return pattern.sub(self._counted(kind, new), text) if pattern else text

    def _counted(self, kind: PrivateKind, new: Rewrite) -> Callable[[re.Match[bytes]], bytes]:
        def change(found: re.Match[bytes]) -> bytes:
            after = new(found[0])
            self.counts[kind] += after != found[0]
            return after

        return change

    def _whole(self, kind: PrivateKind, text: bytes) -> bytes:
        after = masked(text)
        self.counts[kind] += after != text
        return after

    def _known(self, text: bytes) -> bytes:
        """Without what other places of the report tell is private, and homes of anybody."""
        text = self._out("path", self._deep, text)
        text = self._out("address", self._addresses, text)
        text = self._out("environment", self._values, text)
        text = self._out("other", self._wide, text)
        text = self._out("path", masks.HOMES, text)
        return self._out("path", masks.WINDOWS_HOMES, text)

    def _path(self, text: bytes) -> bytes:
        text = self._known(text)
        text = self._out("path", masks.WINDOWS, text, masks.masked_folder)
        folder, slash, name = text.rpartition(b"/")
        if is_public(text):
            return text
        if text.startswith(b"/"):
            folder = self._out("path", re.compile(rb".+", re.DOTALL), folder)
        return self._out("user", self._names, folder + slash + name)

    def _command(self, text: bytes) -> bytes:
        text = self._known(text)
        text = masks.SECRET.sub(lambda found: found[1] + self._whole("other", found[2]), text)
        for pattern in (masks.TILDE, masks.URL):
            text = self._out("path", pattern, text)
        text = self._out("path", masks.WINDOWS, text, masks.masked_folder)
        text = self._out("path", masks.ABSOLUTE, text, masks.masked_folder)
        text = masks.without_addresses(text, partial(self._whole, "address"))
        return b" ".join(map(self._word, text.split(b" ")))

    def _word(self, word: bytes) -> bytes:
        option, equals, value = word.partition(b"=") if word[:1] == b"-" else (b"", b"", word)
        if b"/" in option:  # -I/a/folder
            option = self._out("user", self._names, option)
        return option + equals + self._out("user", self._names, value)

    def _prose(self, text: bytes) -> bytes:
        text = self._known(text)
        text = self._out("path", masks.WINDOWS_IN_PROSE, text, masks.masked_folder)
        text = self._out("path", masks.IN_PROSE, text, masks.masked_folder)
        return self._out("user", self._names, text)

    def _source(self, text: bytes, *, python: bool) -> bytes:
        text = self._known(text)
        text = self._out("path", masks.QUOTED, text, masks.masked_folder)
        return masks.in_comments(text, partial(self._out, "user", self._names), python=python)

    def _nameless(self, text: bytes) -> bytes:
        return self._names.sub(lambda found: masked(found[0]), text) if self._names else text

    def _cubin(self, data: bytes) -> bytes:
        """A cubin without paths in its notes and debug sections; its code stays."""
        try:
            elf = read_elf(data)
        except BadInput:  # of an architecture before 64 bits, or no cubin
            return self._known(self._out("also", self._everywhere, data))
        out = bytearray(data)
        for section in elf.sections.values():
            if section.name.startswith(".text") or not section.data:
                continue
            text = self._out("also", self._everywhere, section.data)
            out[section.place] = self._section(section, text, _tables(elf.sections))
        return bytes(out)

    def _section(self, section: Section, text: bytes, tables: StringTables) -> bytes:
        if section.name == ".debug_line":
            return self._line_table(text, tables)
        if section.name == ".nv_debug_ptx_txt":
            return self._source(text, python=False)
        if _STRINGS.match(section.name):
            return self._strings(text)
        if section.name in _SYMBOLS:
            return text
        return self._out("path", masks.IN_DATA, self._known(text), masks.masked_folder)

    def _line_table(self, table: bytes, tables: StringTables) -> bytes:
        """Only headers are touched, not the programs between them."""
        try:
            programs = [header.program for header in read_headers(table, tables)]
        except BadInput:
            return self._known(table)
        out, at = bytearray(), 0
        for program in programs:
            out += self._strings(table[at : program.start])
            out += table[program.start : program.stop]
            at = program.stop
        return bytes(out + self._strings(table[at:]))

    def _strings(self, text: bytes) -> bytes:
        """Strings that end with a zero byte each."""
        text = self._known(text)
        text = self._out("path", self._shallow, text)
        text = self._out("path", masks.WINDOWS_IN_PROSE, text, masks.masked_folder)
        text = self._out("path", masks.IN_PROSE, text, masks.masked_folder)
        text = self._out("path", _FOLDER_STRING, text, masks.masked_folder)
        text = self._out("user", self._files, text, self._nameless)
        if self._names is None:
            return text
        return _PATHS.sub(lambda found: self._relative(found[0]), text)

    def _relative(self, path: bytes) -> bytes:
        return path if is_public(path) else self._out("user", self._names, path)


def _tables(sections: Mapping[str, Section]) -> StringTables:
    names = (".debug_str", ".debug_line_str")
    return StringTables(*(sections[n].data if n in sections else b"" for n in names))


def _wide(text: bytes) -> bytes:
    """The text in 16-bit characters."""
    return text.decode("utf-8", "replace").encode("utf-16-le")


def _both_widths(texts: Iterable[bytes]) -> list[bytes]:
    return [form for text in texts for form in (text, _wide(text))]
