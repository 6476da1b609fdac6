"""TOML files that people write: every mistake is one line, with its place and the nearest word.

A reader here is a function that takes a value as TOML has it and returns what
it means, or raises ValueError with what is wrong with it.
"""

import difflib
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

from sim.errors import UserError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

T = TypeVar("T")
Reader = Callable[[Any], T]

UNITS_MS = {"ms": 1, "s": 1000, "min": 60_000, "h": 3_600_000}
_TIME = re.compile(r"\s*(\d+)(?:\.(\d{1,9}))?\s*([a-z]*)\s*")

_LINE = re.compile(r" \(at line (\d+), column \d+\)")
_HEADER = re.compile(r"\s*(\[\[?)\s*([\w.-]+)\s*\]")
_KEY = re.compile(r"\s*\"?([\w-]+)\"?\s*=")
_STRING = re.compile(r'"(?:\\.|[^"\\])*"|\'[^\']*\'')

REQUIRED = object()


def load(path: str) -> "Table":
    """Read a TOML file, or standard input for "-"; raises UserError."""
    try:
        raw = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        raise UserError(f"{path}: {(error.strerror or str(error)).lower()}") from None
    return parse(raw, "standard input" if path == "-" else path)


def parse(raw: bytes, name: str) -> "Table":
    """Read TOML that came from the file `name`; raises UserError."""
    try:
        text = raw.decode("utf-8-sig")  # some editors begin a file with a mark of its encoding
        data = tomllib.loads(text)
    except UnicodeDecodeError:
        raise UserError(f"{name}: this is no text in UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        place = _LINE.search(str(error))
        where = f"{name}, line {place[1]}" if place else name
        raise UserError(f"{where}: no valid TOML: {_LINE.sub('', str(error))}") from None
    except (ValueError, RecursionError):  # what the TOML reader leaves to Python
        raise UserError(f"{name}: a number is too long here, or brackets too deep") from None
    return Table(data, name, (), _lines(text))


class Table:
    """A table of a file, whose keys are taken one by one; what is left at the end is a mistake."""

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
        """Return what `key` means, or `default`; raises UserError if it is wrong or missing."""
        self._known.append(key)
        if key not in self._data:
            if default is REQUIRED:
                raise self.missing(key)
            return default
        try:
            return reader(self._data[key])
        except ValueError as error:
            raise self.error(key, f"{key}: {error}") from None

    def tables(self, key: str) -> list["Table"]:
        """Return the tables `[[key]]`, none if there are none."""
        self._known.append(key)
        found = self._data.get(key, [])
        if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
            raise self.error(key, f"{key}: write each as a table of its own, [[{key}]]")
        return [
            Table(one, self._name, (*self._place, key, place), self._lines)
            for place, one in enumerate(found)
        ]

    def table(self, key: str) -> "Table":
        """Return the table `[key]`, an empty one if there is none."""
        self._known.append(key)
        found = self._data.get(key, {})
        if not isinstance(found, dict):
            raise self.error(key, f"{key}: write it as a table, [{key}]")
        return Table(found, self._name, (*self._place, key), self._lines)

    def missing(self, key: str) -> UserError:
        """Return the mistake that `key` is not there, with the key that may stand for it."""
        close = difflib.get_close_matches(key, self._data, 1, 0.6)
        meant = f'; does "{close[0]}" mean it?' if close else ""
        return self.error(close[0] if close else None, f'"{key}" is missing{meant}')

    def names(self) -> list[str]:
        """Return the keys of the table, in the order of the file."""
        return list(self._data)

    def finish(self) -> None:
        """Raise UserError if the table has a key that nobody took."""
        for key in self._data:
            if key not in self._known:
                raise self.error(key, f'unknown key "{key}"{nearest(key, self._known)}')

    def error(self, key: str | None, message: str) -> UserError:
        """Return the mistake `message` at `key`, or at the table's own place."""
        place = self._place if key is None else (*self._place, key)
        line = self._lines.get(place) or self._lines.get(self._place)
        where = f"{self._name}, line {line}" if line else self._name
        return UserError(f"{where}: {message}")


def nearest(word: str, words: Iterable[str]) -> str:
    """Return a hint at the word of `words` that was probably meant, or at all of them."""
    words = sorted(words)
    close = difflib.get_close_matches(word, words, 1, 0.5)
    if close:
        return f', did you mean "{close[0]}"?'
    return f" (there is: {', '.join(words)})" if words else ""


def time_ms(value: object) -> int:
    """Read a time such as "45 s" or "1.5 min" as whole milliseconds."""
    found = _TIME.fullmatch(value) if isinstance(value, str) else None
    units = ", ".join(UNITS_MS)
    if not found:
        raise ValueError(f'{value!r} is no time; write one like "45 s", with a unit ({units})')
    whole, fraction, unit = found[1], found[2] or "", found[3]
    if unit not in UNITS_MS:
        what = f'the unit "{unit}" is unknown{nearest(unit, UNITS_MS)}' if unit else "has no unit"
        raise ValueError(f'"{value}": {what}' if unit else f'"{value}" {what} ({units})')
    ms, rest = divmod(int(whole + fraction) * UNITS_MS[unit], 10 ** len(fraction))
    if rest:
        raise ValueError(f'"{value}" is no whole number of milliseconds')
    return ms


def text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is no text; write it in quotes")
    return value


def choice(words: Iterable[str]) -> Reader[str]:
    words = list(words)

    def read(value: object) -> str:
        if text(value) not in words:
            raise ValueError(f'"{value}" is unknown{nearest(text(value), words)}')
        return text(value)

    return read


def integer(least: int, most: int) -> Reader[int]:
    def read(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise ValueError(f"{value!r} is no whole number")
        if not least <= value <= most:
            raise ValueError(f"{value} is not between {least} and {most}")
        return value

    return read


def within(reader: Reader[int], least: int, most: int, what: str) -> Reader[int]:
    """Narrow a reader of numbers; `what` names the range for people."""

    def read(value: object) -> int:
        number = reader(value)
        if not least <= number <= most:
            raise ValueError(f"{value!r} is not {what}")
        return number

    return read


def list_of(reader: Reader[T], least: int = 0, most: int = 1000) -> Reader[tuple[T, ...]]:
    def read(value: object) -> tuple[T, ...]:
        if not isinstance(value, list):
            raise ValueError(f"{value!r} is no list; write it in square brackets")
        if not least <= len(value) <= most:
            count = str(least) if least == most else f"{least} to {most}"
            raise ValueError(f"this has {len(value)} entries, not {count}")
        return tuple(reader(one) for one in value)

    return read


def _lines(text: str) -> dict[tuple, int]:
    """Return the line of each table and key by its path, as ("steps", 2, "at")."""
    lines: dict[tuple, int] = {}
    counts: dict[tuple, int] = {}
    table: tuple = ()
    depth = 0
    for number, line in enumerate(text.splitlines(), 1):
        bare = _STRING.sub('""', line).split("#")[0]
        if depth == 0 and (header := _HEADER.match(bare)):
            table = tuple(header[2].split("."))
            if header[1] == "[[":
                lines.setdefault(table, number)  # of all that are called so: the first
                counts[table] = counts.get(table, -1) + 1
                table = (*table, counts[table])
            lines.setdefault(table, number)
            continue
        if depth == 0 and (key := _KEY.match(line)):
            lines.setdefault((*table, key[1]), number)
        depth += bare.count("[") + bare.count("{") - bare.count("]") - bare.count("}")
    return lines
