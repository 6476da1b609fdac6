"""Errors that users can correct, reported in one line, and the exit statuses."""

import difflib
import sys
from collections.abc import Iterable

from city_unit.desktop.catalogue import _, lazy

SUCCESS = 0
FAILURE = 1  # the request failed, or a check found an error
INVALID = 2  # the request is invalid
UNCHECKED = 3  # a library or a unit is missing, or a check did not see all of its expectations
STOPPED = 130  # 128 + SIGINT, as in a shell

# The exit statuses for people, shown in every help.
EXIT_CODES = (
    (SUCCESS, lazy("success")),
    (FAILURE, lazy("it failed, or a check found an error")),
    (INVALID, lazy("the command line or a file is invalid")),
    (UNCHECKED, lazy("not tried: a library or a unit is missing")),
    (STOPPED, lazy("stopped by Ctrl-C")),
)


class UserError(Exception):
    """A problem, its place and its remedy in one line; the command line prints it and exits.

    A quotation from a damaged file may contain control characters, which a terminal would obey.

    code  the exit status
    """

    def __init__(self, message: str, code: int = INVALID) -> None:
        shown = (
            char if char >= "\xa0" or " " <= char <= "~" or char == "\n" else "?"
            for char in str(message)
        )
        super().__init__("".join(shown))
        self.code = code


def nearest(word: str, right: Iterable[str], likeness: float = 0.6) -> str:
    """Return the most similar word of `right`, ignoring case; "" if none is similar enough."""
    names = {name.lower(): name for name in right}
    near = difflib.get_close_matches(word.lower(), names, 1, likeness)
    return names[near[0]] if near else ""


def did_you_mean(word: str, right: Iterable[str]) -> str:
    """Return the end of a message about an unknown word: a suggestion, else all valid words.

    If several start with the word, as "permit-1" and "permit-2" with "permit", all are suggested.
    """
    words = sorted(set(right))
    longer = [name for name in words if word and name.lower().startswith(f"{word.lower()}-")]
    if len(longer) > 1:
        return _(", did you mean one of {names}?").format(names=", ".join(longer))
    near = nearest(word, words)
    if near:
        return _(', did you mean "{near}"?').format(near=near)
    return _(" (valid: {words})").format(words=", ".join(words)) if words else ""


def at(place: object, error: object) -> str:
    """Prefix an error with its place: a file, a line, a key or an option."""
    return _("{place}: {error}").format(place=place, error=error)


def install_command(*packages: str) -> str:
    """Return the command that installs packages for this Python."""
    python = f'"{sys.executable}"' if " " in sys.executable else sys.executable
    return f"{python} -m pip install {' '.join(packages)}"  # no text: a command
