"""Mistakes that a person can mend, told in one line."""

import difflib
from collections.abc import Iterable

NEAR = 0.6  # how much of a word must be right for another to be suggested


class UserError(Exception):
    """What was wrong, where, and what to do; the command line prints it and exits.

    code  the exit status: 2 for a mistake in what was asked, 1 for all else
    """

    def __init__(self, message: str, code: int = 2) -> None:
        super().__init__(message)
        self.code = code


def nearest(word: str, right: Iterable[str]) -> str:
    """Return the right word that was probably meant, "" if none is near; capitals do not matter."""
    names = {one.lower(): one for one in right}
    near = difflib.get_close_matches(word.lower(), names, 1, NEAR)
    return names[near[0]] if near else ""
