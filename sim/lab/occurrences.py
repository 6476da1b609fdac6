"""Expectations of what happens at an instant: an event, or the beginning of a tone."""

from collections.abc import Callable
from typing import NamedTuple

from sim.lab import event_values
from sim.lab.edges import Edges, spans
from sim.lab.expect_block import Block, Check, Failure
from sim.toml_reader import choice, integer, time_ms

EVENTS = (
    *("switched-on", "switched-off", "auction-started", "auction-warning", "auction-ended"),
    *("auction-cancelled", "permit-started", "permit-granted", "hour-beep", "hour-ended"),
    *("phase-started", "last-round", "time-called", "refused"),
)
_MOST_TOLD = 6


class _Found(NamedTuple):
    """Something of the kind that is expected: what it is in words, and whether it is just that."""

    ms: int
    words: str
    fits: bool


_Search = Callable[[Edges], list[_Found]]


def event(block: Block) -> Check:
    kind = block.table.take("event", choice(EVENTS))
    wanted = event_values.take(block, kind)

    def search(edges: Edges) -> list[_Found]:
        return [
            _Found(ms, _in_words(kind, fields), wanted.items() <= fields.items())
            for ms, found, fields in edges.events
            if found == kind
        ]

    return _occurrence(block, _in_words(kind, wanted), search)


def tone(block: Block) -> Check:
    hz = block.table.take("tone", integer(1, 20_000))
    length = block.table.take("length", time_ms, None)
    wanted = f"{hz} Hz" if length is None else f"{hz} Hz for {length} ms"

    def fits(found_hz: int, found_ms: int) -> bool:
        return found_hz == hz and (length is None or abs(found_ms - length) <= block.loose)

    def search(edges: Edges) -> list[_Found]:
        return [
            _Found(start, f"{found} Hz for {end - start} ms", fits(found, end - start))
            for start, end, found in spans(edges.tones, edges.end_ms)
        ]

    return _occurrence(block, wanted, search)


def _in_words(kind: str, fields: dict) -> str:
    return " ".join([kind, *(f"{name} {value}" for name, value in fields.items())])


def _occurrence(block: Block, wanted: str, search: _Search) -> Check:
    return _at(block, wanted, search) if "at" in block.table else _within(block, wanted, search)


def _at(block: Block, wanted: str, search: _Search) -> Check:
    at, off = block.moment("at"), block.off
    within = f" within {off} ms" if off else ""

    def keeps(edges: Edges) -> Failure | None:
        found = search(edges)
        if any(one.fits and abs(one.ms - at) <= off for one in found):
            return None
        return Failure(f"{wanted} at {at} ms{within}", _nearest(found, at), at)

    return keeps


def _nearest(found: list[_Found], at: int) -> str:
    """Say when it happened nearest to a time, and what was nearer but not just that."""

    def away(one: _Found) -> int:
        return abs(one.ms - at)

    fitting = min((one for one in found if one.fits), key=away, default=None)
    other = min((one for one in found if not one.fits), key=away, default=None)
    words = "never" if fitting is None else f"at {fitting.ms} ms ({fitting.ms - at:+} ms)"
    if other is None or (fitting is not None and away(fitting) <= away(other)):
        return words
    return f"{words}; there was {other.words} at {other.ms} ms"


def _within(block: Block, wanted: str, search: _Search) -> Check:
    (start, end), off = block.span(), block.off
    times = block.table.take("times", integer(0, 1_000_000), None)
    often = "at least once" if times is None else f"{times} times"

    def keeps(edges: Edges) -> Failure | None:
        inside = [one for one in search(edges) if start - off <= one.ms <= end + off]
        fitting = [one for one in inside if one.fits]
        if len(fitting) == times or (times is None and fitting):
            return None
        expected = f"{wanted} {often} from {start} to {end} ms"
        around = (fitting or inside or [_Found(start, "", True)])[0].ms
        return Failure(expected, _all(fitting, inside, times or 1), around)

    return keeps


def _all(fitting: list[_Found], inside: list[_Found], times: int) -> str:
    """Say how often it happened, and if that is too seldom, what else there was."""
    when = ", ".join(f"{one.ms} ms" for one in fitting[:_MOST_TOLD]) or "never"
    words = f"{len(fitting)} times: {when}"
    others = [f"{one.words} at {one.ms} ms" for one in inside if not one.fits]
    if len(fitting) >= times or not others:
        return words
    return f"{words}; there was {', '.join(others[:_MOST_TOLD])}"
