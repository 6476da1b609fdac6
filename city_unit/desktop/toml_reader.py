"""TOML files that people write: every mistake is one line, with its place and the nearest word.

A reader here is a function that takes a value as TOML has it and returns its
meaning, or raises ValueError with its error.
"""

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from city_unit.desktop import forms
from city_unit.desktop.catalogue import Lazy, _, lazy, nlazy
from city_unit.desktop.errors import UserError, at, did_you_mean, nearest
from city_unit.desktop.files import reason

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

T = TypeVar("T")
Reader = Callable[[Any], T]

UNITS_MS = {"ms": 1, "s": 1000, "min": 60_000, "h": 3_600_000}
_TIME = re.compile(r"\s*(\d+)(?:\.(\d{1,9}))?\s*([a-z]*)\s*", re.ASCII)

_LINE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)")
_HEADER = re.compile(r"\s*(\[\[?)\s*([\w.-]+)\s*\]")
_KEY = re.compile(r"\s*\"?([\w-]+)\"?\s*=")
_LONG_STRING = re.compile(r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'', re.DOTALL)  # of several lines
_STRING = re.compile(r'"(?:\\.|[^"\\])*"|\'[^\']*\'')

TomlError = tomllib.TOMLDecodeError
REQUIRED = object()

# All that the TOML reader says, from Python 3.10 to 3.14; it knows no language but English.
TOML_MISTAKES = {
    "Invalid statement": lazy("no key, table or comment can be made of this"),
    "Invalid value": lazy("this is no value"),
    "Invalid date or datetime": lazy("this is no date or time"),
    "Invalid hex value": lazy("\\x, \\u and \\U want 2, 4 and 8 hexadecimal digits"),
    "Unterminated string": lazy("a quote is missing"),
    "Unclosed array": lazy("a square bracket is not closed"),
    "Unclosed inline table": lazy("a brace is not closed"),
    "Cannot overwrite a value": lazy("this key has a value already"),
    "Duplicate inline table key (?P<value>.*)": lazy("the key {value} stands here twice"),
    r"Cannot declare (?P<value>.*) twice": lazy("the table {value} stands here twice"),
    "Cannot (?:mutate immutable|redefine) namespace (?P<value>.*)": lazy(
        "{value} is complete already; nothing can be added to it here"
    ),
    "Expected '=' after a key in a key/value pair": lazy("there is no = after the key"),
    "Expected newline or end of document after a statement": lazy("one value a line"),
    "Expected ']' at the end of a table declaration": lazy("a square bracket is not closed"),
    "Expected ']]' at the end of an array declaration": lazy("two square brackets are not closed"),
    "Expected (?P<value>.*)": lazy("{value} is missing"),
    "Invalid initial character for a key part": lazy("no key can begin like this"),
    r"Unescaped '\\' in a string": lazy("in a text a \\ is written twice"),
    "Escaped character is not a Unicode scalar value": lazy(
        "the number behind \\u or \\U is no character"
    ),
    "(?:Illegal|Found invalid) character (?P<value>.*)": lazy("{value} cannot stand here"),
}
_ENTRIES = nlazy("this has {count} entry, not {wanted}", "this has {count} entries, not {wanted}")


def load(path: str) -> "Table":
    """Read a TOML file, or standard input for "-"; raises UserError."""
    try:
        raw = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        raise UserError(at(path, reason(error))) from None
    return parse(raw, _("standard input") if path == "-" else path)


def parse(raw: bytes, name: str) -> "Table":
    """Read TOML that came from the file `name`; raises UserError."""
    text = ""
    try:
        text = raw.decode("utf-8-sig")  # some editors begin a file with a mark of its encoding
        data, lines = read(text)
    except UnicodeDecodeError:
        raise UserError(at(name, _("this is no text in UTF-8"))) from None
    except TomlError as error:
        place = _LINE.search(str(error))
        why = _no_toml(_LINE.sub("", str(error)))
        last = text.rstrip().count("\n") + 1
        raise Mistake(name, int(place[1] or last) if place else 0, why) from None
    except (ValueError, RecursionError):  # errors that the TOML reader leaves to Python
        raise Mistake(name, 0, _("a number is too long here, or brackets too deep")) from None
    return Table(data, name, (), lines)


def _in_line(name: str, line: int) -> str:
    return _("{file}, line {line}").format(file=name, line=line)


def _no_toml(why: str) -> str:
    """Say that a file is not TOML, and why: in this language if it can be, else in English."""
    for form, words in TOML_MISTAKES.items():
        if found := re.fullmatch(form, why):
            return _("no valid TOML: {why}").format(why=words.format(**found.groupdict()))
    return _("no valid TOML: {why}").format(why=why)


class Mistake(UserError):
    """A mistake in a file: one line for people, and its parts for lists of several.

    line     where it is, from 1; 0 where that is not known
    message  the problem, without the file and the line
    """

    def __init__(self, name: str, line: int, message: object) -> None:
        super().__init__(at(_in_line(name, line) if line else name, message))
        self.line = line
        self.message = str(message)


class Table:
    """A table of a file; its keys are read one by one, and an unread key is a mistake."""

    def __init__(self, data: dict, name: str, place: tuple, lines: dict[tuple, int]) -> None:
        self._data = data
        self._name = name
        self._place = place
        self._lines = lines
        self._known: list[str] = []

    @property
    def folder(self) -> Path:
        """Where the file lies, for the names of other files in it."""
        return Path(self._name).parent

    def __contains__(self, key: str) -> bool:
        return key in self._data

    def take(self, key: str, reader: Reader[T], default: Any = REQUIRED) -> T:
        """Return the meaning of `key`, or `default`; raises UserError if it is wrong or missing."""
        self._known.append(key)
        if key not in self._data:
            if default is REQUIRED:
                raise self.missing(key)
            return default
        try:
            return reader(self._data[key])
        except ValueError as error:
            raise self.error(key, at(key, error)) from None

    def tables(self, key: str) -> list["Table"]:
        """Return the tables `[[key]]`, none if there are none."""
        self._known.append(key)
        found = self._data.get(key, [])
        if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
            words = _("{key}: write each as a table of its own, [[{key}]]")
            raise self.error(key, words.format(key=key))
        return [
            Table(entry, self._name, (*self._place, key, place), self._lines)
            for place, entry in enumerate(found)
        ]

    def table(self, key: str) -> "Table":
        """Return the table `[key]`, an empty table if there is none."""
        self._known.append(key)
        found = self._data.get(key, {})
        if not isinstance(found, dict):
            raise self.error(key, _("{key}: write it as a table, [{key}]").format(key=key))
        return Table(found, self._name, (*self._place, key), self._lines)

    def missing(self, key: str) -> Mistake:
        """Return the mistake that `key` is not there, with the key that may stand for it."""
        near = nearest(key, self._data)
        words = _('"{key}" is missing; does "{near}" mean it?') if near else _('"{key}" is missing')
        return self.error(near or None, words.format(key=key, near=near))

    def names(self) -> list[str]:
        """Return the keys of the table, in the order of the file."""
        return list(self._data)

    def value(self, key: str) -> object:
        """Return the raw value there, None if there is none; for naming the table."""
        return self._data.get(key)

    def finish(self) -> None:
        """Raise UserError if the table has a key that nobody took."""
        for mistake in self.unknown():
            raise mistake

    def unknown(self) -> Iterator[Mistake]:
        """Yield a mistake for each key that nobody took: it means nothing here."""
        for key in self._data:
            if key not in self._known:
                hint = did_you_mean(key, self._known)
                yield self.error(key, _('unknown key "{key}"{hint}').format(key=key, hint=hint))

    def line(self, key: str | None, entry: int | None = None) -> int:
        """Return the line of a key, of an entry of its list, or of the table; 0 if unknown."""
        place = self._place if key is None else (*self._place, key)
        lines = (self._lines.get(path) for path in ((*place, entry), place, self._place))
        return next((line for line in lines if line), 0)

    def error(self, key: str | None, message: object, entry: int | None = None) -> Mistake:
        """Return the mistake `message` at a key, at an entry of its list, or at the table."""
        return Mistake(self._name, self.line(key, entry), message)


def time_ms(value: object) -> int:
    """Read a time such as "45 s" or "1.5 min" as whole milliseconds."""
    found = _TIME.fullmatch(value) if isinstance(value, str) else None
    units = ", ".join(UNITS_MS)
    if not found:
        words = _('{value} is no time; write one like "45 s", with a unit ({units})')
        raise ValueError(words.format(value=shown(value), units=units))
    whole, fraction, unit = found[1], found[2] or "", found[3]
    if unit not in UNITS_MS:
        if not unit:
            raise ValueError(_('"{value}" has no unit ({units})').format(value=value, units=units))
        words = _('"{value}": the unit "{unit}" is unknown{hint}')
        hint = did_you_mean(unit, UNITS_MS)
        raise ValueError(words.format(value=value, unit=unit, hint=hint))
    ms, rest = divmod(int(whole + fraction) * UNITS_MS[unit], 10 ** len(fraction))
    if rest:
        words = _('"{value}" is no whole number of milliseconds')
        raise ValueError(words.format(value=value))
    return ms


def shown(value: object) -> str:
    """Return a value as a message has it: a text in the quotation marks of the language."""
    if isinstance(value, str):
        return _('"{text}"').format(text=repr(value)[1:-1])
    return str(value).lower() if isinstance(value, bool) else repr(value)


def text(value: object) -> str:
    """Read a text; raises ValueError for anything else."""
    if not isinstance(value, str):
        raise ValueError(_("{value} is no text; write it in quotes").format(value=shown(value)))
    return value


def choice(words: Iterable[str]) -> Reader[str]:
    """Return a reader of one of these words, which names the nearest for any other."""
    words = list(words)

    def read(value: object) -> str:
        if text(value) not in words:
            hint = did_you_mean(text(value), words)
            raise ValueError(_('"{word}" is unknown{hint}').format(word=value, hint=hint))
        return text(value)

    return read


def integer(least: int, most: int) -> Reader[int]:
    """Return a reader of whole numbers from `least` to `most`, which refuses `true`."""

    def read(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise ValueError(_("{value} is no whole number").format(value=shown(value)))
        if not least <= value <= most:
            words = _("{value} is not between {least} and {most}")
            raise ValueError(words.format(value=value, least=least, most=most))
        return value

    return read


def within(reader: Reader[int], least: int, most: int, limits: str | Lazy) -> Reader[int]:
    """Narrow a reader of numbers; `limits` names them for people, as in "at most 24 h"."""

    def read(value: object) -> int:
        number = reader(value)
        if not least <= number <= most:
            raise ValueError(_("{value} is not {limits}").format(value=shown(value), limits=limits))
        return number

    return read


def list_of(reader: Reader[T], least: int = 0, most: int = 1000) -> Reader[tuple[T, ...]]:
    """Return a reader of lists of `least` to `most` entries, each read by `reader`."""

    def read(value: object) -> tuple[T, ...]:
        if not isinstance(value, list):
            words = _("{value} is no list; write it in square brackets")
            raise ValueError(words.format(value=shown(value)))
        if not least <= len(value) <= most:
            wanted = forms.span(least, most)
            raise ValueError(_ENTRIES.format(count=len(value), wanted=wanted))
        return tuple(reader(entry) for entry in value)

    return read


def read(text: str) -> tuple[dict, dict[tuple, int]]:
    """Return the data, and the line of each table, key and value of a list by its path.

    The path of `price` in the third `[[district]]` is ("district", 2, "price"), that of the
    first of a list of spaces ("track", 0). Raises TomlError, for a number that is too long
    ValueError, for brackets too deep RecursionError.
    """
    return tomllib.loads(text), _lines(text)


def _lines(text: str) -> dict[tuple, int]:
    lines: dict[tuple, int] = {}
    counts: dict[tuple, int] = {}
    table: tuple = ()
    values = _Values((), lines)
    for number, line in enumerate(_emptied(text).split("\n"), 1):
        bare = _STRING.sub('""', line).split("#")[0]
        if values.depth:
            values.read(bare, number)
        elif header := _HEADER.match(bare):
            table = tuple(header[2].split("."))
            if header[1] == "[[":
                lines.setdefault(table, number)  # of all that are called so: the first
                counts[table] = counts.get(table, -1) + 1
                table = (*table, counts[table])
            lines.setdefault(table, number)
        elif key := _KEY.match(line):
            lines.setdefault((*table, key[1]), number)
            values = _Values((*table, key[1]), lines)
            values.read(bare.partition("=")[2], number)
    return lines


def _emptied(text: str) -> str:
    """Return the text with nothing but their line ends left of texts of several lines."""
    return _LONG_STRING.sub(lambda found: '""' + "\n" * found[0].count("\n"), text)


class _Values:
    """The text behind a key: counts the values of a list, over all of its lines."""

    def __init__(self, path: tuple, lines: dict[tuple, int]) -> None:
        self._path = path
        self._lines = lines
        self._index = 0
        self.depth = 0  # in how many brackets we are

    def read(self, bare: str, number: int) -> None:
        for sign in bare:
            if sign in "]}":
                self.depth -= 1
            elif sign == "," and self.depth == 1:
                self._index += 1
            elif self.depth == 1 and not sign.isspace():
                self._lines.setdefault((*self._path, self._index), number)
            if sign in "[{":
                self.depth += 1
