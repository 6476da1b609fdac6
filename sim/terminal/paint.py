"""The characters and the colours of a terminal, and lines cut to its columns."""

import re
import unicodedata
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


HEIGHT = 5
GAP = " "

# Each letter from top to bottom; a letter that is not here has no large form.
_FORMS = {
    " ": ("  ",) * 5,
    ":": (" ", "#", " ", "#", " "),
    "!": ("#", "#", "#", " ", "#"),
    ".": (" ", " ", " ", " ", "#"),
    "'": ("#", "#", " ", " ", " "),
    "-": ("   ", "   ", "###", "   ", "   "),
    "0": ("####", "#  #", "#  #", "#  #", "####"),
    "1": (" ## ", "  # ", "  # ", "  # ", " ###"),
    "2": ("####", "   #", "####", "#   ", "####"),
    "3": ("####", "   #", " ###", "   #", "####"),
    "4": ("#  #", "#  #", "####", "   #", "   #"),
    "5": ("####", "#   ", "####", "   #", "####"),
    "6": ("####", "#   ", "####", "#  #", "####"),
    "7": ("####", "   #", "  # ", " #  ", " #  "),
    "8": ("####", "#  #", "####", "#  #", "####"),
    "9": ("####", "#  #", "####", "   #", "####"),
    "A": (" ## ", "#  #", "####", "#  #", "#  #"),
    "B": ("### ", "#  #", "### ", "#  #", "### "),
    "C": (" ###", "#   ", "#   ", "#   ", " ###"),
    "D": ("### ", "#  #", "#  #", "#  #", "### "),
    "E": ("###", "#  ", "###", "#  ", "###"),
    "F": ("###", "#  ", "###", "#  ", "#  "),
    "G": (" ###", "#   ", "# ##", "#  #", " ###"),
    "H": ("#  #", "#  #", "####", "#  #", "#  #"),
    "I": ("#", "#", "#", "#", "#"),
    "J": ("  #", "  #", "  #", "# #", " # "),
    "K": ("#  #", "# # ", "##  ", "# # ", "#  #"),
    "L": ("#  ", "#  ", "#  ", "#  ", "###"),
    "M": ("#   #", "## ##", "# # #", "#   #", "#   #"),
    "N": ("#   #", "##  #", "# # #", "#  ##", "#   #"),
    "O": (" ## ", "#  #", "#  #", "#  #", " ## "),
    "P": ("### ", "#  #", "### ", "#   ", "#   "),
    "Q": (" ## ", "#  #", "#  #", " ## ", "   #"),
    "R": ("### ", "#  #", "### ", "# # ", "#  #"),
    "S": (" ###", "#   ", " ## ", "   #", "### "),
    "T": ("###", " # ", " # ", " # ", " # "),
    "U": ("#  #", "#  #", "#  #", "#  #", " ## "),
    "V": ("#   #", "#   #", "#   #", " # # ", "  #  "),
    "W": ("#   #", "#   #", "# # #", "## ##", "#   #"),
    "X": ("#   #", " # # ", "  #  ", " # # ", "#   #"),
    "Y": ("# #", "# #", " # ", " # ", " # "),
    "Z": ("####", "  # ", " #  ", "#   ", "####"),
}


def large(words: str, width: int, ink: str = "#") -> list[str]:
    """Return words as five lines of at most `width` columns, in the middle of them.

    Where they do not fit so large, or a letter of theirs has no form, they are spread instead.
    """
    plain = _without_accents(words.upper())  # no text: the forms are of capitals
    if plain and all(letter in _FORMS for letter in plain):
        forms = [_FORMS[letter] for letter in plain]
        rows = [GAP.join(form[row] for form in forms) for row in range(HEIGHT)]
        if len(rows[0]) <= width:
            return [row.replace("#", ink).center(width).rstrip() for row in rows]
    spread = " ".join(words)
    line = (spread if len(spread) <= width else words[:width]).center(width).rstrip()
    return ["", "", line, "", ""]


def _without_accents(words: str) -> str:
    """Return words in the letters that have a form: É as E, a narrow space as a space."""
    signs = unicodedata.normalize("NFKD", words.replace("\u2019", "'"))
    return "".join(sign for sign in signs if not unicodedata.combining(sign))
