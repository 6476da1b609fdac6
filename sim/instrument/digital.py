"""Lines as a logic analyser captured them."""

from array import array
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import UserError, did_you_mean


class Line(NamedTuple):
    """A line: its level in the beginning, and when it turned over, in ns from there."""

    first: int
    turns: array

    def levels(self) -> Iterator[tuple[int, int]]:
        """Yield each turn `(ns, new level)`."""
        level = self.first
        for ns in self.turns:
            level = 1 - level
            yield ns, level


class Capture(NamedTuple):
    """All lines of a capture, by the names that its program gave them.

    end_ns    how long it is
    grain_ns  the time from one sample to the next, 0 if the file does not say
    """

    lines: dict[str, Line]
    end_ns: int
    grain_ns: int = 0

    def line(self, name: str) -> Line:
        """Return the line of this name; raises UserError."""
        if name not in self.lines:
            words = _('there is no line "{name}" in this capture{hint}')
            raise UserError(words.format(name=name, hint=did_you_mean(name, self.lines)))
        return self.lines[name]


def line_of(changes: Iterable[tuple[int, int]]) -> Line:
    """Return the line that has these levels `(ns, level)`, of which the first is its first."""
    first: int | None = None
    level = 0
    turns = array("q")
    for ns, new in changes:
        if first is None:
            first = level = new
        elif new != level:
            level = new
            turns.append(ns)
    return Line(first or 0, turns)
