"""Expectations at an instant: an event, or the beginning of a tone."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from city_unit.desktop.catalogue import _, ngettext
from city_unit.desktop.toml_reader import choice, integer, time_ms
from sim.engine.edges import UNKNOWN_HZ, Edges, spans
from sim.lab.check.expect import event_values
from sim.lab.check.expect.expect_block import Block, Expectation, Failure

EVENTS = (
    *("switched-on", "switched-off", "auction-started", "auction-warning", "auction-ended"),
    *("auction-cancelled", "permit-started", "permit-granted", "hour-beep", "hour-ended"),
    *("phase-started", "last-round", "time-called", "refused"),
)
_MOST_NAMED = 6
Check = Callable[[Edges], "Failure | None"]


class _Found(NamedTuple):
    """An occurrence of the expected kind: its time, its words, and whether it fits exactly."""

    ms: int
    words: str
    fits: bool


_Search = Callable[[Edges], Iterator[_Found]]


def event(block: Block) -> Expectation:
    kind = block.table.take("event", choice(EVENTS))
    wanted = event_values.take(block, kind)
    cues = block.scenario.program.cues
    has_cue = kind in cues or kind == "permit-granted"
    pitches = {UNKNOWN_HZ, *(hz for cue in cues.values() for hz in cue[1::2])}

    def search(edges: Edges) -> Iterator[_Found]:
        for ms, found, fields in edges.events:
            if found == kind:
                yield _Found(ms, _in_words(kind, fields), wanted.items() <= fields.items())
        for start, end, hz in spans(edges.tones, edges.end_ms) if has_cue else ():
            if hz not in pitches:  # it may be the cue of the event, at a wrong pitch
                yield _Found(start, _pitch(hz, end - start), False)

    return _occurrence(block, _in_words(kind, wanted), {kind, *wanted}, search)


def tone(block: Block) -> Expectation:
    hz = block.table.take("tone", integer(1, 20_000))
    length = block.table.take("length", time_ms, None)
    wanted = f"{hz} Hz" if length is None else _pitch(hz, length)
    if length is not None and block.tolerance >= max(length, 1):
        words = _("tolerance: it is no less than the length, {ms} ms")
        raise block.table.error("tolerance", words.format(ms=length))

    def fits(found_hz: int, found_ms: int) -> bool:
        return found_hz in (hz, UNKNOWN_HZ) and (
            length is None or abs(found_ms - length) <= block.loose
        )

    def search(edges: Edges) -> Iterator[_Found]:
        for start, end, found in spans(edges.tones, edges.end_ms):
            yield _Found(start, _pitch(found, end - start), fits(found, end - start))

    return _occurrence(block, wanted, {"tone"}, search)


def _pitch(hz: int, length_ms: int) -> str:
    return _("{hz} Hz for {ms} ms").format(hz=hz, ms=length_ms)


def _in_words(kind: str, fields: dict[str, object]) -> str:
    return " ".join([kind, *(f"{name} {value}" for name, value in fields.items())])


def _occurrence(block: Block, wanted: str, sees: set[str], search: _Search) -> Expectation:
    words, check = (_at if "at" in block.table else _within)(block, wanted, search)
    return Expectation(words, frozenset(sees), check)


def _at(block: Block, wanted: str, search: _Search) -> tuple[str, Check]:
    at, off = block.instant(), block.off
    form = _("{what} at {at} ms within {off} ms") if off else _("{what} at {at} ms")
    words = form.format(what=wanted, at=at, off=off)

    def keeps(edges: Edges) -> Failure | None:
        if any(match.fits and abs(match.ms - at) <= off for match in search(edges)):
            return None
        return Failure(words, _nearest(list(search(edges)), at), at)

    return words, keeps


def _nearest(found: list[_Found], at: int) -> str:
    """Say when it happened nearest to a time, and name a nearer occurrence that does not fit."""

    def away(match: _Found) -> int:
        return abs(match.ms - at)

    fitting = min((match for match in found if match.fits), key=away, default=None)
    other = min((match for match in found if not match.fits), key=away, default=None)
    if fitting is None:
        when = _("never")
    else:
        when = _("at {ms} ms ({away:+} ms)").format(ms=fitting.ms, away=fitting.ms - at)
    if other is None or (fitting is not None and away(fitting) <= away(other)):
        return when
    words = _("{when}; there was {other} at {ms} ms")
    return words.format(when=when, other=other.words, ms=other.ms)


def _within(block: Block, wanted: str, search: _Search) -> tuple[str, Check]:
    (start, end), off = block.span(), block.off
    times = block.table.take("times", integer(0, 1_000_000), None)
    if times is None:
        form = _("{what} at least once from {start} to {end} ms")
    else:
        form = ngettext(
            "{what} {count} time from {start} to {end} ms",
            "{what} {count} times from {start} to {end} ms",
            times,
        )
    words = form.format(what=wanted, count=times, start=start, end=end)

    def keeps(edges: Edges) -> Failure | None:
        inside = [match for match in search(edges) if start - off <= match.ms <= end + off]
        fitting = [match for match in inside if match.fits]
        if len(fitting) == times or (times is None and fitting):
            return None
        around = (fitting or inside or [_Found(start, "", True)])[0].ms
        return Failure(words, _all(fitting, inside, times or 1), around)

    return words, keeps


def _all(fitting: list[_Found], inside: list[_Found], times: int) -> str:
    """Say how often it happened, and if that is too seldom, name the other occurrences."""
    named = ", ".join(f"{match.ms} ms" for match in fitting[:_MOST_NAMED])
    form = ngettext("{count} time: {when}", "{count} times: {when}", len(fitting))
    words = form.format(count=len(fitting), when=named or _("never"))
    others = [match for match in inside if not match.fits]
    if len(fitting) >= times or not others:
        return words
    form = _("{what} at {at} ms")
    listed = [form.format(what=match.words, at=match.ms) for match in others[:_MOST_NAMED]]
    return _("{when}; there was {others}").format(when=words, others=", ".join(listed))
