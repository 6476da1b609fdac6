"""TOML in which each thing knows the line it stands on, for mistakes to be found."""

import re
import sys

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HEADER = re.compile(r"\s*(\[\[?)\s*([\w.-]+)\s*\]\]?\s*(?:#.*)?$")
KEY = re.compile(r"\s*([\w-]+)\s*=")
STRING = re.compile(r'"(?:\\.|[^"\\])*"|\'[^\']*\'')
COMMENT = re.compile(r"#.*")

TomlError = tomllib.TOMLDecodeError


def read(text: str) -> tuple[dict, dict[tuple, int]]:
    """Return the data, and the line of each table and key by its path.

    The path of `price` in the third `[[district]]` is ("district", 2, "price").
    Raises TomlError.
    """
    return tomllib.loads(text), _lines(text)


def _lines(text: str) -> dict[tuple, int]:
    lines: dict[tuple, int] = {}
    counts: dict[str, int] = {}
    table: tuple = ()
    depth = 0
    for number, line in enumerate(text.splitlines(), 1):
        bare = COMMENT.sub("", STRING.sub('""', line))
        header = HEADER.match(bare) if not depth else None
        if header:
            table = (header[2],)
            if header[1] == "[[":
                table += (counts.get(header[2], 0),)
                counts[header[2]] = table[1] + 1
            lines.setdefault(table, number)
            continue
        key = KEY.match(bare) if not depth else None
        if key:
            lines.setdefault((*table, key[1]), number)
        depth += bare.count("[") - bare.count("]")
    return lines
