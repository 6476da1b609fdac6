"""TOML in which each thing knows the line it stands on, for mistakes to be found."""

import re
import sys

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HEADER = re.compile(r"\s*(\[\[?)\s*([\w.-]+)\s*\]\]?\s*(?:#.*)?$")
KEY = re.compile(r"\s*([\w-]+)\s*=")
TEXT = re.compile(r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'', re.DOTALL)  # of several lines
STRING = re.compile(r'"(?:\\.|[^"\\])*"|\'[^\']*\'')
COMMENT = re.compile(r"#.*")

TomlError = tomllib.TOMLDecodeError


def read(text: str) -> tuple[dict, dict[tuple, int]]:
    """Return the data, and the line of each table, key and value of a list by its path.

    The path of `price` in the third `[[district]]` is ("district", 2, "price"), that of the first
    space ("track", 0). Raises TomlError.
    """
    return tomllib.loads(text), _lines(text)


def _lines(text: str) -> dict[tuple, int]:
    lines: dict[tuple, int] = {}
    counts: dict[str, int] = {}
    table: tuple = ()
    values = _Values((), lines)
    for number, line in enumerate(_emptied(text).split("\n"), 1):
        bare = COMMENT.sub("", STRING.sub('""', line))
        if values.depth:
            values.read(bare, number)
            continue
        header = HEADER.match(bare)
        if header:
            table = (header[2],)
            if header[1] == "[[":
                table += (counts.get(header[2], 0),)
                counts[header[2]] = table[1] + 1
            lines.setdefault(table, number)
            continue
        key = KEY.match(bare)
        if key:
            lines.setdefault((*table, key[1]), number)
            values = _Values((*table, key[1]), lines)
            values.read(bare[key.end() :], number)
    return lines


def _emptied(text: str) -> str:
    """Return the text with nothing but their line ends left of texts of several lines."""
    return TEXT.sub(lambda found: '""' + "\n" * found[0].count("\n"), text)


class _Values:
    """What stands behind a key: counts the values of a list, over all of its lines."""

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
