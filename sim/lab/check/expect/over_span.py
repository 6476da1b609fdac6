"""Expectations over a span: a lamp that is lit, dark or blinking, and silence."""

import re
from itertools import pairwise

from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.forms import shortest
from city_unit.desktop.toml_reader import choice, text
from city_unit.facts import LAMPS
from sim.engine.edges import Edges, spans
from sim.lab.check.expect.expect_block import Block, Expectation, Failure

SPANS = {
    True: lazy("{lamp} on from {start} to {end} ms"),
    False: lazy("{lamp} off from {start} to {end} ms"),
}
INSTANTS = {True: lazy("on at {ms} ms"), False: lazy("off at {ms} ms")}
_FASTEST = 500  # blinks a second; the clock counts milliseconds, and each blink is two changes
_BLINKS = re.compile(r"([0-9]+(?:\.[0-9]+)?) per s")


def lamp(block: Block) -> Expectation:
    table = block.table
    name = table.take("lamp", choice(LAMPS))
    if "blinks" in table and "is" in table:
        raise table.error("blinks", _("is, blinks: one of them, not both; write two blocks"))
    if "blinks" in table:
        return _blinks(block, name)
    lit = table.take("is", choice(("on", "off"))) == "on"
    if "at" in table:
        return _shows_at(name, lit, block.instant(), block.off)
    return _shows(name, lit, *block.certain_span())


def _shows_at(name: str, lit: bool, at: int, off: int) -> Expectation:
    always = _shows(name, lit, at, at)

    def keeps(edges: Edges) -> Failure | None:
        if any(abs(ms - at) <= off and on == lit for ms, on in edges.lamps[name]):
            return None
        return always.check(edges)

    return always._replace(check=keeps)


def _shows(name: str, lit: bool, start: int, end: int) -> Expectation:
    expected = SPANS[lit].format(lamp=name, start=start, end=end)

    def keeps(edges: Edges) -> Failure | None:
        changes = edges.lamps[name]
        at_start = ([False] + [on for ms, on in changes if ms <= start])[-1]
        later = [ms for ms, _ in changes if start < ms < end]
        if at_start == lit and not later:
            return None
        at = later[0] if at_start == lit else start
        return Failure(expected, INSTANTS[not lit].format(ms=at), at)

    return Expectation(expected, frozenset([name]), keeps)


def _blinks(block: Block, name: str) -> Expectation:
    rate = block.table.take("blinks", _rate)
    half = 500 / rate
    first, last = block.span()
    if last - first < 2 * half:
        words = _("blinks: one period is {ms} ms, the span less").format(ms=shortest(2 * half, 3))
        raise block.table.error("blinks", words)
    if block.loose >= half:
        words = _("tolerance: it is no less than half a period, {ms} ms")
        raise block.table.error("tolerance", words.format(ms=shortest(half, 3)))
    start, end = block.certain_span()
    words = _("{lamp} blinks {rate} times a second from {start} to {end} ms")
    expected = words.format(lamp=name, rate=shortest(rate, 3), start=start, end=end)

    def keeps(edges: Edges) -> Failure | None:
        inside = [ms for ms, _ in edges.lamps[name] if start <= ms <= end]
        if not inside:
            return Failure(expected, _("0 changes"), start)
        stretch = _uneven([start, *inside, end], half, block.loose)
        if stretch:
            since, until = stretch
            words = _("from {ms} ms it stayed for {length} ms")
            return Failure(expected, words.format(ms=since, length=until - since), since)
        place = 0 if block.loose else _astray(inside, half)
        if place:
            mean = (inside[place] - inside[0]) / place
            words = _("{count} changes after {ms} ms came every {mean} ms, not {half}")
            happened = words.format(
                count=place, ms=inside[0], mean=shortest(mean, 3), half=shortest(half, 3)
            )
            return Failure(expected, happened, inside[place])
        return None

    return Expectation(expected, frozenset([name]), keeps)


def _uneven(marks: list[int], half: float, loose: int) -> tuple[int, int] | None:
    """Return the first stretch that is no half of a blink; the ends of the span may cut theirs.

    marks  the beginning of the span, the changes in it, and its end
    """
    last = len(marks) - 2
    for place, (a, b) in enumerate(pairwise(marks)):
        off = b - a - half
        if place in (0, last):
            off = max(off, 0)
        if abs(off) > loose if loose else abs(off) >= 1:
            return a, b
    return None


def _astray(changes: list[int], half: float) -> int:
    """Return the place of the first change that shows that they are not due every `half` ms.

    It is 0 if there is none. Each change comes in the millisecond in which it is due, so
    that half a blink that is no whole number of them is now longer and now shorter.
    """
    lowest = highest = 0.0
    for place, ms in enumerate(changes):
        off = ms - changes[0] - place * half
        lowest, highest = min(lowest, off), max(highest, off)
        if highest - lowest >= 1:
            return place
    return 0


def _rate(value: object) -> float:
    found = _BLINKS.fullmatch(text(value))
    if not found or not float(found[1]):
        raise ValueError(_('"{value}" is no rate; write "4 per s"').format(value=value))
    rate = float(found[1])
    if rate > _FASTEST:
        words = _('"{value}": a lamp changes once in a millisecond at most, {most} per s')
        raise ValueError(words.format(value=value, most=_FASTEST))
    return rate


def silence(block: Block) -> Expectation:
    block.table.take("silence", _true)
    start, end = block.certain_span()
    expected = _("silence from {start} to {end} ms").format(start=start, end=end)

    def keeps(edges: Edges) -> Failure | None:
        for begin, stop, hz in spans(edges.tones, edges.end_ms):
            if begin < end and stop > start:
                words = _("{hz} Hz from {start} to {end} ms")
                happened = words.format(hz=hz, start=begin, end=stop)
                return Failure(expected, happened, max(begin, start))
        return None

    return Expectation(expected, frozenset(["tone"]), keeps)


def _true(value: object) -> bool:
    if value is not True:
        raise ValueError(_("write {example}").format(example="silence = true"))
    return True
