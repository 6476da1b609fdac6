"""Mistakes that a person can mend, said in one line, and the exit codes that go with them."""

import difflib
import sys
from collections.abc import Iterable

from city_unit.desktop.catalogue import _, lazy

# Exit codes: success; the request failed, or a check found an error; the request makes no sense;
# it was not tried, since a library or a unit is missing, or a check observed none of its
# expectations; the program was stopped by Ctrl-C (as a shell has it, 128 + SIGINT).
SUCCESS = 0
FAILURE = 1
MISTAKE = 2
UNCHECKED = 3
STOPPED = 130

# The same for people: in every help, and in the manual page.
EXIT_CODES = (
    (SUCCESS, lazy("done, and all was well")),
    (FAILURE, lazy("it could not be done, or something was found to be wrong")),
    (MISTAKE, lazy("what was asked for makes no sense")),
    (UNCHECKED, lazy("it was not tried: a library or a unit is missing")),
    (STOPPED, lazy("stopped by Ctrl-C")),
)

NEAR = 0.6  # how much of a word must be right for another to be suggested


class UserError(Exception):
    """A problem, its place and its remedy; the command line prints it and exits.

    code  the exit status: MISTAKE for a wrong request, FAILURE for all else
    """

    def __init__(self, message: str, code: int = MISTAKE) -> None:
        super().__init__(message)
        self.code = code


def nearest(word: str, right: Iterable[str], likeness: float = NEAR) -> str:
    """Return the right word that was probably meant, "" if none is near; capitals do not matter."""
    names = {name.lower(): name for name in right}
    near = difflib.get_close_matches(word.lower(), names, 1, likeness)
    return names[near[0]] if near else ""


def did_you_mean(word: str, right: Iterable[str]) -> str:
    """Return the hint at the end of a message that a word is unknown: the nearest word, or all.

    Of several that begin with it, as "permit-1" and "permit-2" do with "permit", all are named.
    """
    words = sorted(set(right))
    longer = [name for name in words if word and name.lower().startswith(f"{word.lower()}-")]
    if len(longer) > 1:
        return _(", did you mean one of {names}?").format(names=", ".join(longer))
    near = nearest(word, words)
    if near:
        return _(', did you mean "{near}"?').format(near=near)
    return _(" (there is: {words})").format(words=", ".join(words)) if words else ""


def at(place: object, mistake: object) -> str:
    """Return a mistake with its place before it: a file, a line, a key or an option."""
    return _("{place}: {mistake}").format(place=place, mistake=mistake)


def install_command(*packages: str) -> str:
    """Return the command that installs packages for the Python that is running."""
    python = f'"{sys.executable}"' if " " in sys.executable else sys.executable
    return f"{python} -m pip install {' '.join(packages)}"  # no text: a command
