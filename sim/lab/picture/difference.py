"""Two traces side by side: their differences, in words and as a picture."""

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from city_unit.desktop.catalogue import _
from city_unit.desktop.forms import span_of_time
from city_unit.facts import LAMPS
from sim.engine.edges import Change, Edges, spans
from sim.lab.picture.shapes import Boxes, Picture, TimeAxis, Words

WIDTH = 1400
_LEFT, _RIGHT, _TOP = 150, 30, 92
_HALF, _GAP = 15, 12  # of a lane, which has the first trace above the second
_LEAST_PX = 2.0
_TICKS_MS = (
    *(10, 50, 100, 500, 1000, 5000, 10_000, 30_000, 60_000, 300_000, 600_000),
    *(1_800_000, 3_600_000, 7_200_000),
)
_INK, _GREY, _GRID, _PALE = "#333333", "#6b6b6b", "#e0e0e0", "#f6f6f4"
_FIRST, _SECOND, _DIFFERENT = "#5b6770", "#1f6f8b", "#f6c7c2"


class Difference(NamedTuple):
    """A stretch in which two traces differ: which lamp or "tone", from when to when, in ms."""

    what: str
    start: int
    end: int


def find(first: Edges, second: Edges) -> list[Difference]:
    """Return all that differs, in order of time; where only one goes on, that differs as well."""
    end_ms = max(first.end_ms, second.end_ms)
    pairs = [(lamp, first.lamps[lamp], second.lamps[lamp]) for lamp in LAMPS]
    pairs.append(("tone", first.tones, second.tones))
    found = [
        Difference(what, start, end)
        for what, changes, others in pairs
        for start, end in _stretches(changes, others, end_ms)
    ]
    return sorted(found, key=lambda difference: (difference.start, difference.what))


def _stretches(
    first: Sequence[Change], second: Sequence[Change], end_ms: int
) -> list[tuple[int, int]]:
    """Return where two signals have different values."""
    changes = sorted(chain(((ms, 0, v) for ms, v in first), ((ms, 1, v) for ms, v in second)))
    values = [0, 0]
    found: list[tuple[int, int]] = []
    since: int | None = None
    for place, (ms, which, value) in enumerate(changes):
        values[which] = value
        if place + 1 < len(changes) and changes[place + 1][0] == ms:
            continue
        if values[0] != values[1] and since is None:
            since = ms
        elif values[0] == values[1] and since is not None:
            if ms > since:
                found.append((since, ms))
            since = None
    if since is not None and end_ms > since:
        found.append((since, end_ms))
    return found


def draw(
    first: Edges,
    second: Edges,
    names: tuple[str, str],
    start_ms: int,
    end_ms: int,
    differences: list[Difference],
) -> Picture:
    """Return the picture: each lane has the first trace above and the second below."""
    return _Drawing(first, second, start_ms, end_ms, differences).picture(names)


class _Drawing:
    def __init__(
        self,
        first: Edges,
        second: Edges,
        start_ms: int,
        end_ms: int,
        differences: list[Difference],
    ) -> None:
        self._traces = first, second
        self._axis = TimeAxis(start_ms, end_ms, _LEFT, WIDTH - _RIGHT)
        self._differences = differences
        lit = [lamp for lamp in LAMPS if first.lamps[lamp] or second.lamps[lamp]]
        self._tops = {
            what: _TOP + place * (2 * _HALF + _GAP) for place, what in enumerate([*lit, "tone"])
        }
        self._bottom = _TOP + len(self._tops) * (2 * _HALF + _GAP)

    def picture(self, names: tuple[str, str]) -> Picture:
        shapes = [
            Words(16, 24, _("above: {name}").format(name=names[0]), _FIRST, 15, True),
            Words(16, 44, _("below: {name}").format(name=names[1]), _SECOND, 15, True),
            Words(16, 64, in_words(self._differences), _INK),
            *self._lanes(),
            *self._times(),
            *self._bars(),
        ]
        return Picture(WIDTH, self._bottom + 30, shapes)

    def _box(self, start: int, end: int, y: float, height: float) -> list:
        start, end = max(start, self._axis.start), min(end, self._axis.end)
        if end <= start:
            return []
        left = self._axis.x(start)
        return [(left, y, max(_LEAST_PX, round(self._axis.x(end) - left, 2)), height)]

    def _lanes(self) -> list:
        shapes: list = []
        for what, y in self._tops.items():
            shapes.append(Boxes([(_LEFT, y, WIDTH - _LEFT - _RIGHT, 2 * _HALF)], _PALE))
            shapes.append(Words(_LEFT - 10, y + _HALF + 4, what, _INK, 12, True, "end"))
        for what, start, end in self._differences:
            if what in self._tops:
                boxes = self._box(start, end, self._tops[what] - 3, 2 * _HALF + 6)
                shapes.append(Boxes(boxes, _DIFFERENT))
        return shapes

    def _times(self) -> list:
        step = self._axis.step(_TICKS_MS)
        return self._axis.lines(step, _TOP - 6, self._bottom, span_of_time)

    def _bars(self) -> list:
        shapes: list = []
        for place, colour in enumerate((_FIRST, _SECOND)):
            trace = self._traces[place]
            boxes: list = []
            for what, y in self._tops.items():
                changes = trace.tones if what == "tone" else trace.lamps[what]
                for start, end, _value in spans(changes, trace.end_ms):
                    boxes += self._box(start, end, y + place * _HALF + 1, _HALF - 2)
            shapes.append(Boxes(boxes, colour))
        return shapes


def in_words(differences: Sequence[Difference]) -> str:
    """Say how much differs, and where first."""
    if not differences:
        return _("no difference")
    first = differences[0]
    words = _("{count} differences, {ms} ms in all; the first: {what} from {start} to {end} ms")
    return words.format(
        count=len(differences),
        ms=sum(difference.end - difference.start for difference in differences),
        what=first.what,
        start=first.start,
        end=first.end,
    )
