"""The characters and the colours of a terminal, and lines cut to its columns."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from sim.play import sign

WIDTH = 64  # of the whole picture, in columns
INSIDE = WIDTH - 4  # of its frame

# Lit lamps, frames and large letters, where the terminal has them and where it has only ASCII.
_RICH = {"lit": "(●)", "dark": "( )", "corners": "╭╮╰╯", "edges": "─│", "ink": "█"}
_PLAIN = {"lit": "(#)", "dark": "( )", "corners": "++++", "edges": "-|", "ink": "#"}

COLOURS = {"auction": "\x1b[1;91m", "permit": "\x1b[1;93m", "warn": "\x1b[7m", "dim": "\x1b[2m"}
_RESET = "\x1b[0m"
_COLOURING = re.compile(r"(\x1b\[[0-9;]*m)")


class Style(NamedTuple):
    """The abilities of the terminal."""

    is_rich: bool = True
    has_colour: bool = True


class Paint:
    """The characters and the colours of a style."""

    def __init__(self, style: Style) -> None:
        self._marks = _RICH if style.is_rich else _PLAIN
        self._colours = style.has_colour
        self.ink = self._marks["ink"]

    def lamp(self, lit: bool, colour: str) -> str:
        return self.colour(self._marks["lit"], colour) if lit else self._marks["dark"]

    def large(self, row: str, shown: sign.Sign) -> str:
        """Colour a row of large letters: red where time runs short."""
        return self.colour(row, "auction") if shown.is_near and row else row

    def colour(self, text: str, colour: str) -> str:
        return f"{COLOURS[colour]}{text}{_RESET}" if self._colours and text else text

    def frame(self, rows: Iterable[tuple[str, int]]) -> list[str]:
        """Put a frame around rows of text, each with how wide it looks."""
        corners, (across, down) = self._marks["corners"], self._marks["edges"]
        bar = across * (WIDTH - 2)
        return [
            corners[0] + bar + corners[1],
            *(f"{down} {text}{' ' * (INSIDE - width)} {down}" for text, width in rows),
            corners[2] + bar + corners[3],
        ]


def fitting(width: int, *wordings: str) -> str:
    """Return the first wording that has room in so many columns, or else the last."""
    return next((words for words in wordings if len(words) <= width), wordings[-1])


def cropped(line: str, columns: int) -> str:
    """Return the part of a line that fits; its colours have no width and stay whole."""
    width, parts = 0, []
    for part in _COLOURING.split(line):
        if _COLOURING.fullmatch(part):
            parts.append(part)
        else:
            parts.append(part[: columns - width])
            width += len(parts[-1])
    return "".join(parts)
