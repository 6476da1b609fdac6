"""Two traces side by side: their differences, in words and as a picture."""

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from city_unit.desktop.catalogue import _
from city_unit.desktop.forms import span_of_time
from city_unit.facts import LAMPS
from sim.engine.edges import Edges, spans
from sim.lab.picture.shapes import Boxes, Picture, TimeAxis, Words

WIDTH = 1400
_LEFT, _RIGHT, _TOP = 150, 30, 92
_HALF, _GAP = 15, 12  # of a lane, which has the first trace above the second
_LEAST_PX = 2.0
_TICKS_MS = (
    *(10, 50, 100, 500, 1000, 5000, 10_000, 30_000, 60_000, 300_000, 600_000),
    *(1_800_000, 3_600_000, 7_200_000),
)
_INK, _PALE = "#333333", "#f6f6f4"
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
    found = []
    for what, one, other in pairs:
        changes = [*((ms, 0, value) for ms, value in one), *((ms, 1, value) for ms, value in other)]
        values, since = [0, 0], None
        for ms, group in groupby(sorted(changes), key=lambda change: change[0]):
            for _ms, which, value in group:
                values[which] = value
            if values[0] != values[1] and since is None:
                since = ms
            elif values[0] == values[1] and since is not None:
                found.append(Difference(what, since, ms))
                since = None
        if since is not None and end_ms > since:
            found.append(Difference(what, since, end_ms))
    return sorted(found, key=lambda difference: (difference.start, difference.what))


def draw(
    first: Edges,
    second: Edges,
    names: tuple[str, str],
    start_ms: int,
    end_ms: int,
    differences: list[Difference],
) -> Picture:
    """Return the picture: each lane has the first trace above and the second below."""
    axis = TimeAxis(start_ms, end_ms, _LEFT, WIDTH - _RIGHT)
    lit = [lamp for lamp in LAMPS if first.lamps[lamp] or second.lamps[lamp]]
    tops = {what: _TOP + n * (2 * _HALF + _GAP) for n, what in enumerate([*lit, "tone"])}
    bottom = _TOP + len(tops) * (2 * _HALF + _GAP)

    def box(start: int, end: int, y: float, height: float) -> list:
        start, end = max(start, axis.start), min(end, axis.end)
        if end <= start:
            return []
        left = axis.x(start)
        return [(left, y, max(_LEAST_PX, round(axis.x(end) - left, 2)), height)]

    shapes: list = [
        Words(16, 24, _("above: {name}").format(name=names[0]), _FIRST, 15, True),
        Words(16, 44, _("below: {name}").format(name=names[1]), _SECOND, 15, True),
        Words(16, 64, in_words(differences), _INK),
    ]
    for what, y in tops.items():
        shapes.append(Boxes([(_LEFT, y, WIDTH - _LEFT - _RIGHT, 2 * _HALF)], _PALE))
        shapes.append(Words(_LEFT - 10, y + _HALF + 4, what, _INK, 12, True, "end"))
    for what, start, end in differences:
        if what in tops:
            shapes.append(Boxes(box(start, end, tops[what] - 3, 2 * _HALF + 6), _DIFFERENT))
    shapes += axis.lines(axis.step(_TICKS_MS), _TOP - 6, bottom, span_of_time)
    for place, (trace, colour) in enumerate(((first, _FIRST), (second, _SECOND))):
        boxes: list = []
        for what, y in tops.items():
            changes = trace.tones if what == "tone" else trace.lamps[what]
            for start, end, _value in spans(changes, trace.end_ms):
                boxes += box(start, end, y + place * _HALF + 1, _HALF - 2)
        shapes.append(Boxes(boxes, colour))
    return Picture(WIDTH, bottom + 30, shapes)


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
