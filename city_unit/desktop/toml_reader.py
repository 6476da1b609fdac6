"""Read TOML files written by people, and report each error on one line with its place.

The parser covers TOML 1.0 except dates. `tomllib` does not report the line of a value, and it
does not run in the page's MicroPython, which reads its program files with this module.

`read` parses a document into plain data and notes the line of each value. A `Table` wraps that
data: its user takes each key with a reader, and the keys left over are reported as unknown.
A reader is a function that converts a raw value, or raises ValueError.
"""

import re
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from city_unit.desktop import forms
from city_unit.desktop.catalogue import Lazy, _, lazy, nlazy
from city_unit.desktop.errors import UserError, at, did_you_mean, nearest
from city_unit.desktop.files import reason

T = TypeVar("T")
Reader = Callable[[Any], T]

UNITS_MS = {"ms": 1, "s": 1000, "min": 60_000, "h": 3_600_000}
_TIME = re.compile(r"[ \t]*([0-9]+)\.?([0-9]*)[ \t]*([a-z]*)[ \t]*$")

REQUIRED = object()

LARGEST = 1 << 24  # bytes

_ENTRIES = nlazy("this has {count} entry, not {wanted}", "this has {count} entries, not {wanted}")


def load(path: str, is_head: bool = False) -> "Table":
    """Read a TOML file, or standard input for "-"; raises UserError.

    is_head  read only the keys above the first table
    """
    try:
        if path == "-":
            raw = sys.stdin.buffer.read(LARGEST + 1)
        else:
            with open(path, "rb") as file:
                raw = file.read(LARGEST + 1)
    except OSError as error:
        raise UserError(at(path, reason(error))) from None
    return parse(raw, _("standard input") if path == "-" else path, is_head)


def parse(raw: bytes, name: str, is_head: bool = False) -> "Table":
    """Parse the content of the file `name`; raises UserError."""
    if len(raw) > LARGEST:
        raise UserError(at(name, _("the file is too long")))
    try:
        document = _document(raw.decode("utf-8"), is_head)
    except UnicodeError:
        raise UserError(at(name, _("this is not valid UTF-8"))) from None
    except TomlError as error:
        raise FileError(name, error.line, _("not valid TOML: {why}").format(why=error)) from None
    return Table(document.data, name, (), document)


class FileError(UserError):
    """An error in a file.

    line     its line number, from 1; 0 if unknown
    message  the problem, without the file and the line
    """

    def __init__(self, name: str, line: int, message: object) -> None:
        self.line = line
        self.message = str(message)[:1000]  # a value may be as long as its file
        place = _("{file}, line {line}").format(file=name, line=line) if line else name
        super().__init__(at(place, self.message))


class Table:
    """A table of a file. Its keys are read one by one; a key nobody reads is an error."""

    def __init__(
        self, data: dict, name: str, place: tuple = (), document: "_Document | None" = None
    ) -> None:
        self._data = data
        self._name = name
        self._place = place
        self._document = document or _Document("")
        self._known: list[str] = []

    @property
    def folder(self) -> Path:
        """The folder of the file, against which the file names in it are resolved."""
        return Path(self._name).parent

    def __contains__(self, key: str) -> bool:
        return key in self._data

    def take(self, key: str, reader: Reader[T], default: Any = REQUIRED) -> T:
        """Return the converted value of `key`, or `default`. Raises UserError."""
        self._known.append(key)
        if key not in self._data:
            if default is REQUIRED:
                raise self.missing(key)
            return default
        try:
            return reader(self._data[key])
        except ValueError as error:
            raise self.error(key, at(key, error)) from None

    def tables(self, key: str, most: int = LARGEST) -> Iterator["Table"]:
        """Yield the tables `[[key]]`, or raise UserError if there are more than `most`."""
        self._known.append(key)
        found = self._data.get(key, [])
        if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
            words = _("{key}: write each one as its own table, [[{key}]]")
            raise self.error(key, words.format(key=key))
        if len(found) > most:
            words = _ENTRIES.format(count=len(found), wanted=forms.span(0, most))
            raise self.error(key, at(key, words))
        path = self._place + (key,)

        def entries() -> Iterator["Table"]:
            for place, entry in enumerate(found):
                document = self._document.again(path, place)
                if document is None:
                    yield Table(entry, self._name, path + (place,), self._document)
                else:
                    yield Table(document.data[key][0], self._name, (key, 0), document)

        return entries()

    def table(self, key: str) -> "Table":
        """Return the table `[key]`, empty if it is missing."""
        self._known.append(key)
        found = self._data.get(key, {})
        if not isinstance(found, dict):
            raise self.error(key, _("{key}: write it as a table, [{key}]").format(key=key))
        return Table(found, self._name, self._place + (key,), self._document)

    def missing(self, key: str) -> FileError:
        """Return the error for a missing `key`, naming a key that may be a misspelling of it."""
        near = nearest(key, self._data)
        words = _('"{key}" is missing; is "{near}" a typo?') if near else _('"{key}" is missing')
        return self.error(near or None, words.format(key=key, near=near))

    def names(self) -> list[str]:
        """Return the keys in file order."""
        return sorted(self._data, key=self.line)  # MicroPython's dict has no order

    def value(self, key: str) -> object:
        """Return a raw value, or None, without marking the key as read."""
        return self._data.get(key)

    def finish(self) -> None:
        """Raise UserError if a key was not read."""
        for error in self.unknown():
            raise error

    def unknown(self) -> Iterator[FileError]:
        """Yield an error for each key that was not read."""
        for key in sorted((key for key in self._data if key not in self._known), key=self.line):
            hint = did_you_mean(key, self._known)
            yield self.error(key, _('unknown key "{key}"{hint}').format(key=key, hint=hint))

    def line(self, key: str | None, entry: int | None = None) -> int:
        """Return the line number of a list entry, a key or the table; 0 if unknown."""
        place = self._place if key is None else self._place + (key,)
        paths = (place + (entry,), place, self._place)
        lines = self._document.lines
        return next((lines[path] for path in paths if path in lines), 0)

    def error(self, key: str | None, message: object, entry: int | None = None) -> FileError:
        """Return an error at a list entry, a key or the table."""
        return FileError(self._name, self.line(key, entry), message)


def time_ms(value: object) -> int:
    """Convert a time such as "45 s" or "1.5 min" to whole milliseconds."""
    found = _TIME.match(value) if isinstance(value, str) and len(value) < 99 else None
    units = ", ".join(UNITS_MS)
    if not found:
        words = _('{value} is not a time; write it with a unit ({units}), as in "45 s"')
        raise ValueError(words.format(value=shown(value), units=units))
    whole, fraction, unit = found.group(1), found.group(2), found.group(3)
    if unit not in UNITS_MS:
        if not unit:
            raise ValueError(_('"{value}" has no unit ({units})').format(value=value, units=units))
        words = _('"{value}": the unit "{unit}" is unknown{hint}')
        hint = did_you_mean(unit, UNITS_MS)
        raise ValueError(words.format(value=value, unit=unit, hint=hint))
    ms, rest = divmod(int(whole + fraction) * UNITS_MS[unit], 10 ** len(fraction))
    if rest:
        words = _('"{value}" is not a whole number of milliseconds')
        raise ValueError(words.format(value=value))
    return ms


def shown(value: object) -> str:
    """Format a value for a message, strings in the quotation marks of the user's language."""
    if isinstance(value, str):
        return _('"{text}"').format(text=repr(value)[1:-1])
    return str(value).lower() if isinstance(value, bool) else repr(value)


def text(value: object) -> str:
    """Accept a string; raises ValueError for anything else."""
    if not isinstance(value, str):
        words = _("{value} is not a string; write it in quotes")
        raise ValueError(words.format(value=shown(value)))
    return value


def choice(words: Iterable[str]) -> Reader[str]:
    """Return a reader that accepts one of `words`, and suggests the nearest for any other."""
    words = list(words)

    def read(value: object) -> str:
        if text(value) not in words:
            hint = did_you_mean(text(value), words)
            raise ValueError(_('"{word}" is unknown{hint}').format(word=value, hint=hint))
        return text(value)

    return read


def integer(least: int, most: int) -> Reader[int]:
    """Return a reader of integers from `least` to `most`, which rejects `true`."""

    def read(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise ValueError(_("{value} is not a whole number").format(value=shown(value)))
        if not least <= value <= most:
            words = _("{value} is not between {least} and {most}")
            raise ValueError(words.format(value=value, least=least, most=most))
        return value

    return read


def within(reader: Reader[int], least: int, most: int, limits: str | Lazy) -> Reader[int]:
    """Narrow the range of a reader; `limits` describes it for people, as in "at most 24 h"."""

    def read(value: object) -> int:
        number = reader(value)
        if not least <= number <= most:
            raise ValueError(_("{value} is not {limits}").format(value=shown(value), limits=limits))
        return number

    return read


def list_of(reader: Reader[T], least: int = 0, most: int = 1000) -> Reader[tuple[T, ...]]:
    """Return a reader of lists with `least` to `most` entries, each converted by `reader`."""

    def read(value: object) -> tuple[T, ...]:
        if not isinstance(value, list):
            words = _("{value} is not a list; write it in square brackets")
            raise ValueError(words.format(value=shown(value)))
        if not least <= len(value) <= most:
            wanted = forms.span(least, most)
            raise ValueError(_ENTRIES.format(count=len(value), wanted=wanted))
        return tuple(reader(entry) for entry in value)

    return read


_FAR = 1000  # of a longer list, line numbers and tables of values are not stored
_AGAIN: dict = {}  # stands for a table that is parsed again when it is needed


def read(text: str) -> tuple[dict, dict[tuple, int]]:
    """Parse a document; return its data, and the line of each table, key and list entry by path.

    The path of `price` in the third `[[district]]` is ("district", 2, "price"), and that of the
    first entry of the list `track` is ("track", 0). Raises TomlError.
    """
    document = _document(text)
    return document.data, document.lines


def _document(text: str, is_head: bool = False) -> "_Document":
    if text.startswith("\ufeff"):  # the byte order mark that some editors write
        text = text[1:]
    text = text.replace("\r\n", "\n")
    odd = [
        text.index(sign)
        for sign in set(text)
        if (sign < " " and sign not in "\t\n") or sign == "\x7f"
    ]
    if odd:
        why = _("the character {value} is not allowed here").format(value=repr(text[min(odd)]))
        raise TomlError(text[: min(odd)].count("\n") + 1, why)
    document = _Document(text)
    document.read(is_head)
    return document


class TomlError(ValueError):
    """A syntax error in line `line`."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line


# The page's MicroPython reads these too; its `re` has no counted repetition such as {4}.
_BARE_KEY = re.compile("[A-Za-z0-9_-]+")
_WORD = re.compile("[A-Za-z0-9_+.:-]+")
_WHOLE = re.compile("[+-]?(0|[1-9](_?[0-9])*)$")
_OF_BASE = re.compile("0(x[0-9a-fA-F](_?[0-9a-fA-F])*|o[0-7](_?[0-7])*|b[01](_?[01])*)$")
_FRACTION = re.compile(
    r"[+-]?((0|[1-9](_?[0-9])*)(\.[0-9](_?[0-9])*)?([eE][+-]?[0-9](_?[0-9])*)?|inf|nan)$"
)
_HEX = re.compile("[0-9a-fA-F]+$")
_UP_TO = {'"': re.compile(r'[^"\\]*'), "'": re.compile("[^']*")}  # the next quote or escape
_ESCAPES = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", '"': '"', "\\": "\\"}
_MISSING = {
    "=": lazy("= is missing after the key"),
    "]": lazy("a square bracket is not closed"),
    "]]": lazy("two square brackets are not closed"),
    "}": lazy("a brace is not closed"),
}
_MOST = 100_000  # tables, keys and list entries
_DEEPEST = 50  # levels of dotted keys and brackets
_LONGEST_LINE = 100_000  # characters; each value on a line costs time proportional to this


class _Document:
    """A document being parsed: the current line, counted from `first`, and the unread rest of it.

    Of a list of tables `[[key]]`, those from place `_FAR` on are not stored but parsed again when
    they are needed: a scenario may have a hundred thousand steps.
    """

    def __init__(self, text: str, first: int = 1) -> None:
        self._text = text.rstrip(" \t\n")
        self._next = 0  # index of the next line
        self._starts: dict[tuple, array] = {}  # index and number of the line of each `[[key]]`
        self._words: dict[str, str] = {}  # interned keys and strings
        self._rest = ""
        self._depth = 0
        self._stored = 0  # tables, keys and list entries
        # Ids of tables and lists: inline ones, which nothing may extend; tables made by a header
        # or a dotted key; and tables made by a dotted key since the last header.
        self._complete: set[int] = set()
        self._made: set[int] = set()
        self._dotted: set[int] = set()
        self.line = first - 1
        self.data: dict = {}
        self.lines: dict[tuple, int] = {}

    def read(self, is_head: bool = False) -> None:
        table, place = self.data, ()
        while self._next_line():
            self._skip()
            if self._rest.startswith("["):
                if is_head:
                    return
                table, place = self._header()
            elif self._rest:
                self._pair(table, place)
            self._skip()
            if self._rest:
                raise self._error(_("only one value per line"))

    def again(self, path: tuple, place: int) -> "_Document | None":
        """Parse a table of a list again, with what follows up to the next; None if it is stored."""
        starts = self._starts.get(path, ())
        if place < _FAR or not starts:
            return None
        start, first, *end = starts[2 * place : 2 * place + 3]
        document = _Document(self._text[start : end[0] if end else None], first)
        document.read()
        return document

    def _error(self, why: object) -> TomlError:
        return TomlError(self.line, str(why))

    def _next_line(self) -> bool:
        if self._next > len(self._text):
            return False
        end = self._text.find("\n", self._next)
        end = len(self._text) if end < 0 else end
        self.line += 1
        if end - self._next > _LONGEST_LINE:
            raise self._error(_("this line is too long"))
        self._rest = self._text[self._next : end]
        self._next = end + 1
        return True

    def _shared(self, word: str) -> str:
        if len(self._words) < _FAR:
            return self._words.setdefault(word, word)
        return self._words.get(word, word)

    def _note(self, path: tuple) -> None:
        self._stored += 1
        if self._stored > _MOST:
            raise self._error(_("there are too many values"))
        is_far = len(path) > 1 and isinstance(path[1], int) and path[1] >= _FAR
        if not is_far:
            self.lines.setdefault(path, self.line)

    def _skip(self, lines: bool = False) -> None:
        """Skip blanks and a comment; line ends too if `lines`."""
        while True:
            self._rest = self._rest.lstrip(" \t")
            if self._rest.startswith("#"):
                self._rest = ""
            if self._rest or not lines or not self._next_line():
                return

    def _take(self, sign: str) -> None:
        self._skip()
        if not self._rest.startswith(sign):
            raise self._error(_MISSING[sign])
        self._rest = self._rest[len(sign) :]

    def _header(self) -> tuple[dict, tuple]:
        """Parse `[table]` or `[[table]]`; return the table and its path."""
        many = self._rest.startswith("[[")
        self._rest = self._rest[2 if many else 1 :]
        keys = self._keys()
        self._take("]]" if many else "]")
        self._made |= self._dotted
        self._dotted = set()
        table, path = self.data, ()
        for key in keys[:-1]:
            table, path = self._inner(table, path, key)
        key = keys[-1]
        if many:
            entries = table.setdefault(key, [])
            if not isinstance(entries, list) or id(entries) in self._complete:
                raise self._error(_("this key already has a value"))
            if not entries:
                self._note(path + (key,))
            if not path:
                starts = self._starts.setdefault((key,), array("I"))
                starts.append(self._text.rfind("\n", 0, self._next - 1) + 1)
                starts.append(self.line)
                if len(entries) > _FAR:
                    last = entries[-1]
                    # Ids of inner tables and lists are noted, so these must stay.
                    if not any(isinstance(value, (dict, list)) for value in last.values()):
                        self._stored -= 1 + len(last)
                        entries[-1] = _AGAIN
            path += (key, len(entries))
            entries.append({})
            table = entries[-1]
        else:
            is_list = isinstance(table.get(key), list)
            table, path = self._inner(table, path, key)
            if is_list or id(table) in self._made:
                raise self._error(_("the table {value} is already defined").format(value=key))
            self._made.add(id(table))
        self._note(path)
        return table, path

    def _inner(self, table: dict, path: tuple, key: str) -> tuple[dict, tuple]:
        """Return the subtable `key`, or the last one of an array of tables, and its path."""
        inner = table.setdefault(key, {})
        path += (key,)
        if id(inner) in self._complete:
            words = _("{value} is already complete; nothing can be added to it here")
            raise self._error(words.format(value=key))
        if isinstance(inner, list):
            path += (len(inner) - 1,)
            inner = inner[-1]
        if not isinstance(inner, dict):
            raise self._error(_("this key already has a value"))
        return inner, path

    def _pair(self, table: dict, path: tuple) -> None:
        """Parse `key = value` into a table."""
        if self._rest[0] == "=" or not (self._rest[0] in _UP_TO or _BARE_KEY.match(self._rest)):
            raise self._error(_("this is not a key, a table or a comment"))
        keys = self._keys()
        for key in keys[:-1]:
            is_list = isinstance(table.get(key), list)
            table, path = self._inner(table, path, key)
            if is_list or id(table) in self._made:
                raise self._error(_("this key already has a value"))
            self._dotted.add(id(table))
            self._note(path)
        self._take("=")
        key = keys[-1]
        if key in table:
            raise self._error(_("this key already has a value"))
        self._skip()
        self._depth += len(keys)
        table[key] = self._value(path + (key,))
        self._depth -= len(keys)

    def _keys(self) -> list[str]:
        """Parse a key, which may be dotted."""
        keys = []
        while True:
            self._skip()
            bare = _BARE_KEY.match(self._rest)
            if self._rest[:1] and self._rest[0] in _UP_TO:
                keys.append(self._string())
            elif bare:
                keys.append(self._shared(bare.group(0)))
                self._rest = self._rest[len(keys[-1]) :]
            else:
                raise self._error(_("a key cannot start like this"))
            if self._depth + len(keys) > _DEEPEST:
                raise self._error(_("this is nested too deeply"))
            self._skip()
            if not self._rest.startswith("."):
                return keys
            self._rest = self._rest[1:]

    def _value(self, path: tuple) -> object:
        self._note(path)
        if self._rest[:1] and self._rest[0] in _UP_TO:
            return self._shared(self._string(self._rest.startswith(3 * self._rest[0])))
        if self._rest[:1] in ("[", "{"):
            self._depth += 1
            if self._depth > _DEEPEST:
                raise self._error(_("this is nested too deeply"))
            inner = self._list(path) if self._rest[0] == "[" else self._inline(path)
            self._complete.add(id(inner))
            self._depth -= 1
            return inner
        found = _WORD.match(self._rest)
        word = found.group(0) if found else ""
        self._rest = self._rest[len(word) :]
        if word in ("true", "false"):
            return word == "true"
        if len(word) > 99:
            raise self._error(_("this number is too long"))
        if _WHOLE.match(word):
            return int(word.replace("_", ""))
        if _OF_BASE.match(word):
            return int(word.replace("_", ""), 0)
        if _FRACTION.match(word):
            return float(word.replace("_", ""))
        raise self._error(_("this is not a value"))

    def _list(self, path: tuple) -> list:
        self._take("[")
        entries: list = []
        self._skip(lines=True)
        while self._rest and self._rest[0] != "]":
            entries.append(self._value(path + (len(entries),)))
            self._skip(lines=True)
            if not self._rest.startswith(","):
                break
            self._rest = self._rest[1:]
            self._skip(lines=True)
        self._take("]")
        return entries

    def _inline(self, path: tuple) -> dict:
        self._take("{")
        table: dict = {}
        self._skip()
        while self._rest and self._rest[0] != "}":
            self._pair(table, path)
            self._skip()
            if not self._rest.startswith(","):
                break
            self._rest = self._rest[1:]
            self._skip()
            if self._rest.startswith("}"):
                raise self._error(_("a key cannot start like this"))
        self._take("}")
        return table

    def _string(self, long: bool = False) -> str:
        """Parse a quoted string; a `long` one has triple quotes and may span lines."""
        sign = self._rest[0]
        quotes = 3 * sign if long else sign
        self._rest = self._rest[len(quotes) :]
        if long and not self._rest:
            self._next_line()
        parts: list[str] = []  # joined once
        while not self._rest.startswith(quotes):
            found = _UP_TO[sign].match(self._rest).group(0)  # type: ignore[union-attr]
            self._rest = self._rest[len(found) :]
            parts.append(found)
            if not self._rest:
                if not long or not self._next_line():
                    raise self._error(_("a quote is missing"))
                parts.append("\n")
            elif self._rest[0] == "\\":
                parts.append(self._escaped(long))
            elif not self._rest.startswith(quotes):
                parts.append(sign)
                self._rest = self._rest[1:]
        self._rest = self._rest[len(quotes) :]
        for _last in range(2 if long else 0):  # up to two quotes may precede the closing three
            if self._rest.startswith(sign):
                parts.append(sign)
                self._rest = self._rest[1:]
        return "".join(parts)

    def _escaped(self, long: bool) -> str:
        sign = self._rest[1:2]
        if long and not self._rest[1:].strip(" \t"):  # a line continuation
            self._rest = ""
            while not self._rest and self._next_line():
                self._rest = self._rest.lstrip(" \t")
            return ""
        length = {"u": 4, "U": 8}.get(sign, 0)
        digits = self._rest[2 : 2 + length]
        self._rest = self._rest[2 + length :]
        if sign in _ESCAPES:
            return _ESCAPES[sign]
        if not length:
            raise self._error(_("unknown escape; a backslash in a string is written \\\\"))
        if len(digits) < length or not _HEX.match(digits):
            raise self._error(_("\\u needs 4 hexadecimal digits, \\U needs 8"))
        code = int(digits, 16)
        if 0xD800 <= code <= 0xDFFF or code > 0x10FFFF:
            raise self._error(_("the number after \\u or \\U is not a character"))
        return chr(code)
