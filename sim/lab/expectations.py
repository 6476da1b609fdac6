"""What a scenario expects: the `[[expect]]` blocks of its file, and whether a trace keeps them.

    [[expect]]                    [[expect]]                  [[expect]]
    event = "auction-warning"     lamp = "auction"            tone = 2700
    at = "46016 ms"               is = "on"                   at = "46016 ms"
                                  from = "2 s"                length = "400 ms"
                                  to = "2.4 s"

    event = "hour-beep"           lamp = "auction"            silence = true
    from = "0 s"                  blinks = "4 per s"          from = "56 s"
    to = "59 min"                 from = "47 s"               to = "60 s"
    times = 6                     to = "50 s"

An event, and a tone, is expected `at` a time, or a number of `times` within a
span (at least once, if none is given). `order = ["a", "b"]` expects events to
come in this order. All is exact, unless the block has a `tolerance`: an `at`, and
the ends of a span, may then be off by it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from city_unit.trace import LAMPS
from sim.lab.edges import Edges, spans
from sim.toml_reader import Table, choice, integer, list_of, text, time_ms

EVENTS = (
    *("switched-on", "switched-off", "auction-started", "auction-warning", "auction-ended"),
    *("auction-cancelled", "permit-started", "permit-granted", "hour-beep", "hour-ended"),
    *("phase-started", "last-round", "time-called", "refused"),
)
KINDS = ("event", "lamp", "tone", "silence", "order")
_BLINKS = re.compile(r"(\d+(?:\.\d+)?) per s")


@dataclass(frozen=True)
class Failure:
    """What was expected, beside what happened, and the time around which to look."""

    expected: str
    happened: str
    around_ms: int


Check = Callable[[Edges], "Failure | None"]


def read(table: Table, end_ms: int, slack_ms: int = 0) -> list[Check]:
    """Take the expectations from a scenario's file; raises UserError.

    slack_ms  the tolerance of an expectation that has none of its own
    """
    return [_read(block, end_ms, slack_ms) for block in table.tables("expect")]


def _read(block: Table, end_ms: int, slack_ms: int) -> Check:
    kinds = [kind for kind in KINDS if kind in block]
    if len(kinds) != 1:
        known = ", ".join(KINDS)
        if not kinds:
            block.take("at", time_ms, 0)
            block.take("from", time_ms, 0)
            block.take("to", time_ms, 0)
            for kind in KINDS:
                block.take(kind, lambda value: value, None)
            block.finish()
        raise block.error(None, f"an expectation has one of {known}")
    off = block.take("tolerance", time_ms, slack_ms)
    check = _READERS[kinds[0]](block, end_ms, off)
    block.finish()
    return check


def _span(block: Table, end_ms: int) -> tuple[int, int]:
    start = block.take("from", time_ms, 0)
    end = block.take("to", time_ms, end_ms)
    if end < start:
        raise block.error("to", "to: is before from")
    return start, end


def _event(block: Table, end_ms: int, off: int) -> Check:
    kind = block.take("event", choice(EVENTS))
    wanted = {
        name: block.take(name, lambda value: value)
        for name in ("permit", "what", "why", "phase", "program")
        if name in block
    }
    named = " ".join([kind, *(f"{name} {value}" for name, value in wanted.items())])

    def moments(edges: Edges) -> list[int]:
        return [
            ms
            for ms, found, fields in edges.events
            if found == kind and all(fields.get(name) == v for name, v in wanted.items())
        ]

    return _occurrence(block, end_ms, off, named, moments)


def _tone(block: Table, end_ms: int, off: int) -> Check:
    hz = block.take("tone", integer(1, 20_000))
    length = block.take("length", time_ms, None)
    longer = off if "tolerance" in block else 0  # a length is nobody's way over a line
    named = f"{hz} Hz" + ("" if length is None else f" for {length} ms")

    def moments(edges: Edges) -> list[int]:
        return [
            start
            for start, end, found in spans(edges.tones, edges.end_ms)
            if found == hz and (length is None or abs(end - start - length) <= longer)
        ]

    return _occurrence(block, end_ms, off, named, moments)


def _occurrence(
    block: Table, end_ms: int, off: int, named: str, moments: Callable[[Edges], list[int]]
) -> Check:
    if "at" in block:
        at = block.take("at", time_ms)

        def at_its_time(edges: Edges) -> Failure | None:
            found = moments(edges)
            if any(abs(ms - at) <= off for ms in found):
                return None
            nearest = min(found, key=lambda ms: abs(ms - at), default=None)
            happened = "never" if nearest is None else f"at {nearest} ms ({nearest - at:+} ms)"
            within = f" within {off} ms" if off else ""
            return Failure(f"{named} at {at} ms{within}", happened, at)

        return at_its_time
    start, end = _span(block, end_ms)
    times = block.take("times", integer(0, 1_000_000), None)

    def within_a_span(edges: Edges) -> Failure | None:
        found = [ms for ms in moments(edges) if start - off <= ms <= end + off]
        if len(found) == times or (times is None and found):
            return None
        wanted = "at least once" if times is None else f"{times} times"
        where = ", ".join(f"{ms} ms" for ms in found[:6]) or "never"
        expected = f"{named} {wanted} from {start} to {end} ms"
        return Failure(expected, f"{len(found)} times: {where}", found[0] if found else start)

    return within_a_span


def _lamp(block: Table, end_ms: int, off: int) -> Check:
    lamp = block.take("lamp", choice(LAMPS))
    if "at" in block:
        start = end = block.take("at", time_ms)
    else:
        start, end = _inner(*_span(block, end_ms), off)
    if "blinks" in block:
        return _blinks(lamp, block.take("blinks", _rate), start, end)
    state = block.take("is", choice(("on", "off")))

    def keeps(edges: Edges) -> Failure | None:
        lit = False
        for ms, on in edges.lamps[lamp]:
            if ms > start:
                break
            lit = on
        if start == end and any(
            abs(ms - start) <= off and on == (state == "on") for ms, on in edges.lamps[lamp]
        ):
            return None
        wrong = start if lit != (state == "on") else None
        later = [ms for ms, _ in edges.lamps[lamp] if start < ms < end]
        if wrong is None and not later:
            return None
        at = start if wrong is not None else later[0]
        other = "off" if state == "on" else "on"
        return Failure(f"{lamp} {state} from {start} to {end} ms", f"{other} at {at} ms", at)

    return keeps


def _blinks(lamp: str, rate: float, start: int, end: int) -> Check:
    half = 500 / rate

    def keeps(edges: Edges) -> Failure | None:
        inside = [ms for ms, _ in edges.lamps[lamp] if start <= ms <= end]
        wrong = [(a, b) for a, b in pairwise(inside) if abs(b - a - half) >= 1]
        enough = len(inside) >= (end - start) // half
        if enough and not wrong:
            return None
        expected = f"{lamp} blinks {rate:g} times a second from {start} to {end} ms"
        if wrong:
            a, b = wrong[0]
            return Failure(expected, f"from {a} ms it stayed for {b - a} ms", a)
        return Failure(expected, f"{len(inside)} changes", start)

    return keeps


def _rate(value: object) -> float:
    found = _BLINKS.fullmatch(text(value))
    if not found or not float(found[1]):
        raise ValueError(f'"{value}" is no rate; write "4 per s"')
    return float(found[1])


def _silence(block: Table, end_ms: int, off: int) -> Check:
    block.take("silence", choice_true)
    start, end = _inner(*_span(block, end_ms), off)

    def keeps(edges: Edges) -> Failure | None:
        for begin, stop, hz in spans(edges.tones, edges.end_ms):
            if begin < end and stop > start:
                return Failure(
                    f"silence from {start} to {end} ms",
                    f"{hz} Hz from {begin} to {stop} ms",
                    max(begin, start),
                )
        return None

    return keeps


def _inner(start: int, end: int, off: int) -> tuple[int, int]:
    """Return the part of a span that is certain, though its ends may be off."""
    middle = (start + end) // 2
    return min(start + off, middle), max(end - off, middle)


def choice_true(value: object) -> bool:
    if value is not True:
        raise ValueError("write silence = true")
    return True


def _order(block: Table, end_ms: int, off: int) -> Check:
    order = block.take("order", list_of(choice(EVENTS), 2))
    start, end = _span(block, end_ms)

    def keeps(edges: Edges) -> Failure | None:
        seen = [kind for ms, kind, _ in edges.events if start - off <= ms <= end + off]
        left = iter(seen)
        if all(kind in left for kind in order):
            return None
        return Failure("in this order: " + ", ".join(order), ", ".join(seen[:12]), start)

    return keeps


_READERS = {
    "event": _event,
    "lamp": _lamp,
    "tone": _tone,
    "silence": _silence,
    "order": _order,
}
