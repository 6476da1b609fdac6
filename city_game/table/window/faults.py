"""Errors of our own while a game runs: each is reported once, and the evening goes on.

A picture that cannot be drawn, or a view that cannot be made for a telephone, costs nobody the
game: the rules have done the step by then, and it is in the save.
"""

import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from city_unit.desktop.catalogue import _


class Faults:
    """The errors of one game.

    path  the file that takes the reports
    step  returns how many steps the game has
    say   tells the players, in a sentence
    """

    def __init__(self, path: Path, step: Callable[[], int], say: Callable[[str], object]) -> None:
        self._path = path
        self._step = step
        self._say = say
        self._known: set[tuple[str, str]] = set()

    def report(self, error: Exception) -> None:
        """Write an error down with the step at which it came; the same error only once."""
        where = traceback.extract_tb(error.__traceback__)[-1]
        kind = (repr(error), f"{where.filename}:{where.lineno}")
        if kind in self._known:
            return
        self._known.add(kind)
        what = f"{type(error).__name__}: {error}"
        written = _("there is no room for a report")
        with suppress(OSError):
            with open(self._path, "a", encoding="utf-8") as file:
                file.write(f"step {self._step()}\n")  # no text: in the file
                file.writelines(traceback.format_exception(error))
            written = _("the report is {file}").format(file=self._path.name)
        words = _("A fault of this program: {what}. The game is saved and goes on; {written}")
        told = words.format(what=what, written=written)
        print(f"city-game: {told}", file=sys.stderr)
        self._say(told)
