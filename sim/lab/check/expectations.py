"""Parses the expectations of a scenario, the `[[expect]]` blocks of its file.

`read` turns each block into an `Expectation`: its text for people, the signals an instrument must
see to judge it, and a function that judges a trace. `city-unit check --help` explains the blocks.
Blocks that relate edges to each other, as for any device, are parsed by `relations`.
"""

import re
from array import array
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from city_unit.desktop.catalogue import _, ngettext
from city_unit.desktop.errors import at
from city_unit.desktop.forms import shortest
from city_unit.desktop.toml_reader import (
    REQUIRED,
    Reader,
    Table,
    choice,
    integer,
    list_of,
    text,
    time_ms,
)
from city_unit.facts import BUTTONS, LAMPS, PERMITS
from city_unit.trace import EVENTS
from city_unit.transitions import TRANSITIONS
from sim.engine.scenario import Scenario
from sim.engine.trace import UNKNOWN_HZ, Trace, spans
from sim.lab.check import relations
from sim.lab.check.relations import Expectation, Failure, Measured
from sim.lab.instrument.digital import Intervals, Signals


class Slack(NamedTuple):
    """The default tolerances, in ms.

    at_ms      of an instant, and of the ends of a span
    length_ms  of the length of a tone, and of half a blink
    """

    at_ms: int = 0
    length_ms: int = 0


class Block:
    """An `[[expect]]` block and its scenario; times are in ms.

    tolerance  the tolerance given in the file, else 0
    off        the tolerance of an `at` and of the ends of a span
    loose      the tolerance of a length
    since      the first ms that the block covers
    """

    def __init__(self, table: Table, scenario: Scenario, slack: Slack) -> None:
        self.table = table
        self.scenario = scenario
        tolerance: int | None = table.take("tolerance", self._part_of_the_run, None)
        self.since = 0
        self.tolerance = tolerance or 0
        self.off = slack.at_ms if tolerance is None else tolerance
        self.loose = slack.length_ms if tolerance is None else tolerance

    def instant(self) -> int:
        """Parse an `at`; raises UserError, also if its tolerance covers the whole run."""
        ms = self._moment("at")
        if self._is_all(ms, ms):
            words = _("tolerance: it covers the whole run")
            raise self.table.error("tolerance", words)
        self.since = max(0, ms - self.off)
        return ms

    def span(self) -> tuple[int, int]:
        """Parse a span, by default the whole run; raises UserError.

        A tolerance that extends a part of the run to all of it is an error too.
        """
        start, end = self.part()
        if end - start < self.scenario.end_ms and self._is_all(start, end):
            raise self.table.error(
                "tolerance", _("tolerance: it extends the span to the whole run")
            )
        self.since = max(0, start - self.off)
        return start, end

    def certain(self, start: int, end: int) -> tuple[int, int]:
        """Return the part of a span that remains if both ends are off by the tolerance."""
        if self.tolerance and 2 * self.tolerance >= end - start:
            raise self.table.error("tolerance", _("tolerance: it leaves nothing of the span"))
        middle = (start + end) // 2
        self.since = min(start + self.off, middle)
        return self.since, max(end - self.off, middle)

    def part(self) -> tuple[int, int]:
        """Parse a span, by default the whole run, regardless of the tolerance; raises UserError."""
        start = self._moment("from", 0)
        end = self._moment("to", self.scenario.end_ms)
        if end < start:
            raise self.table.error("to", _("to: is before from"))
        if end == start:
            key = next((key for key in ("to", "from") if key in self.table), None)
            words = _("the span is empty: it starts and ends at {ms} ms").format(ms=start)
            raise self.table.error(key, at(key, words) if key else words)
        return start, end

    def _is_all(self, start: int, end: int) -> bool:
        """Return whether the tolerance given in the file extends a span to the whole run."""
        off = self.tolerance
        return off > 0 and start - off <= 0 and end + off >= self.scenario.end_ms

    def _part_of_the_run(self, value: object) -> int:
        ms, end_ms = time_ms(value), self.scenario.end_ms
        if ms and ms >= end_ms:
            words = _('"{time}" is not shorter than the run ({end} ms)')
            raise ValueError(words.format(time=value, end=end_ms))
        return ms

    def _moment(self, key: str, default: object = REQUIRED) -> int:
        return self.table.take(key, self._time_of_the_run, default)

    def _time_of_the_run(self, value: object) -> int:
        ms, end_ms = time_ms(value), self.scenario.end_ms
        if ms <= end_ms:
            return ms
        words = _('"{time}" is after the end of the run at {end} ms; add a step "end" to extend it')
        if self.scenario.steps[-1].verb == "end":
            words = _('"{time}" is after the end of the run at {end} ms')
        raise ValueError(words.format(time=value, end=end_ms))


def _expectation(
    words: str, sees: Iterable[str], check: Callable[[Trace], Failure | None]
) -> Expectation:
    """Return an expectation of our unit, which `check` judges without measurements."""

    def judge(trace: Trace) -> Measured:
        failure = check(trace)
        return Measured((failure,), 1) if failure else Measured()

    return Expectation(words, frozenset(sees), judge)


_FASTEST = 500  # blinks per second: a blink is two changes, each at a whole millisecond
_BLINKS = re.compile(r"([0-9]+(?:\.[0-9]+)?) per s")


def lamp(block: Block) -> Expectation:
    table = block.table
    name = table.take("lamp", choice(LAMPS))
    if "blinks" in table and "is" in table:
        raise table.error("blinks", _("is, blinks: use only one of them in a block"))
    if "blinks" in table:
        return _blinks(block, name)
    lit = table.take("is", choice(("on", "off"))) == "on"
    if "at" in table:
        at = block.instant()
        return _shows(name, lit, at, at, block.off)
    return _shows(name, lit, *block.certain(*block.part()))


def _shows(name: str, lit: bool, start: int, end: int, off: int = -1) -> Expectation:
    """Expect a state of a lamp from `start` to `end`, or a change to it within `off` of `start`."""
    words = _("{lamp} on from {start} to {end} ms")
    other = _("off at {ms} ms")
    if not lit:
        words, other = _("{lamp} off from {start} to {end} ms"), _("on at {ms} ms")
    expected = words.format(lamp=name, start=start, end=end)

    def check(trace: Trace) -> Failure | None:
        changes = trace.lamps[name]
        if any(abs(ms - start) <= off and on == lit for ms, on in changes):
            return None
        at_start = ([False] + [on for ms, on in changes if ms <= start])[-1]
        later = [ms for ms, _ in changes if start < ms < end]
        if at_start == lit and not later:
            return None
        at = later[0] if at_start == lit else start
        return Failure(other.format(ms=at), at)

    return _expectation(expected, [name], check)


def _blinks(block: Block, name: str) -> Expectation:
    rate = block.table.take("blinks", _rate)
    half = 500 / rate
    first, last = block.span()
    if last - first < 2 * half:
        words = _("blinks: the span is shorter than one period ({ms} ms)")
        raise block.table.error("blinks", words.format(ms=shortest(2 * half, 3)))
    if block.loose >= half:
        words = _("tolerance: must be less than half a period ({ms} ms)")
        raise block.table.error("tolerance", words.format(ms=shortest(half, 3)))
    start, end = block.certain(first, last)
    words = _("{lamp} blinks {rate} times a second from {start} to {end} ms")
    expected = words.format(lamp=name, rate=shortest(rate, 3), start=start, end=end)

    def check(trace: Trace) -> Failure | None:
        inside = [ms for ms, _ in trace.lamps[name] if start <= ms <= end]
        if not inside:
            return Failure(_("0 changes"), start)
        for place, (since, until) in enumerate(pairwise([start, *inside, end])):
            off = until - since - half
            if place in (0, len(inside)):
                off = max(off, 0)  # cut off by an end of the span
            if abs(off) > block.loose if block.loose else abs(off) >= 1:
                words = _("from {ms} ms no change for {length} ms")
                return Failure(words.format(ms=since, length=until - since), since)
        # Changes are rounded to whole milliseconds, so their deviations from a change every `half`
        # ms may differ by less than 1 ms.
        lowest = highest = 0.0
        for place, ms in enumerate(() if block.loose else inside):
            off = ms - inside[0] - place * half
            lowest, highest = min(lowest, off), max(highest, off)
            if highest - lowest >= 1:
                mean = (ms - inside[0]) / place
                words = _("{count} changes after {ms} ms, one every {mean} ms, not {half}")
                happened = words.format(
                    count=place, ms=inside[0], mean=shortest(mean, 3), half=shortest(half, 3)
                )
                return Failure(happened, ms)
        return None

    return _expectation(expected, [name], check)


def _rate(value: object) -> float:
    found = _BLINKS.fullmatch(text(value))
    if not found or not float(found[1]):
        raise ValueError(
            _('"{value}" is not a rate; write for example "4 per s"').format(value=value)
        )
    rate = float(found[1])
    if rate > _FASTEST:
        words = _('"{value}": a lamp blinks at most {most} times per s')
        raise ValueError(words.format(value=value, most=_FASTEST))
    return rate


def silence(block: Block) -> Expectation:
    if block.table.take("silence", lambda value: value) is not True:
        words = at("silence", _("write {example}").format(example="silence = true"))
        raise block.table.error("silence", words)
    start, end = block.certain(*block.part())
    expected = _("silence from {start} to {end} ms").format(start=start, end=end)

    def check(trace: Trace) -> Failure | None:
        for begin, stop, hz in spans(trace.tones, trace.end_ms):
            if begin < end and stop > start:
                words = _("{hz} Hz from {start} to {end} ms")
                happened = words.format(hz=hz, start=begin, end=stop)
                return Failure(happened, max(begin, start))
        return None

    return _expectation(expected, ["tone"], check)


def _permit(value: object) -> str:
    """Parse a permit. A number may be written without quotes."""
    if type(value) not in (int, str):  # `true` is an int
        numbers = ", ".join(name for name in PERMITS if name.isdigit())
        raise ValueError(_('write one of {numbers}, "station"').format(numbers=numbers))
    return choice(PERMITS)(str(value))


_MOST_NAMED = 6


class _Found(NamedTuple):
    """An occurrence of the expected kind: its time, its words, and whether it fits exactly."""

    ms: int
    words: str
    fits: bool


_Search = Callable[[Trace], Iterator[_Found]]


def event(block: Block) -> Expectation:
    table, scenario = block.table, block.scenario
    kind = table.take("event", choice(EVENTS))
    carried = EVENTS.get(kind, ())
    phases = {span[-1] for program in scenario.programs for span in program.marks if span[-1]}
    # A press is refused in states without a row for it, and BUILD by a program without permits.
    presses = {f"press {button}" for button in BUTTONS}
    reasons = [state for state, rows in TRANSITIONS.items() if presses - set(rows)]
    reasons = [*(state for state in reasons if state != "off"), "no-permits"]
    # Keys of the file: the field of the trace that each stands for, and its reader.
    keys: dict[str, tuple[str, Reader]] = {
        "length": ("length_ms", time_ms),
        "left": ("left_ms", time_ms),
        "permit": ("permit", _permit),
        "what": ("what", choice(BUTTONS)),
        "why": ("why", choice(reasons)),
        "phase": ("phase", choice(sorted(phases))),
        "program": ("program", choice(program.name for program in scenario.programs)),
    }
    wanted: dict[str, object] = {}
    for key, (name, reader) in keys.items():
        if name in carried:
            value = table.take(key, reader, None)
            wanted.update({} if value is None else {name: value})
        elif key in table:
            has = ", ".join(other for other, (field, _reader) in keys.items() if field in carried)
            words = _('{key}: "{kind}" carries no {key}, but {others}')
            others = has or _("nothing")
            raise table.error(key, words.format(key=key, kind=kind, others=others))
    cues = scenario.program.cues
    has_cue = kind in cues or kind == "permit-granted"
    pitches = {UNKNOWN_HZ, *(hz for cue in cues.values() for hz in cue[1::2])}

    def search(trace: Trace) -> Iterator[_Found]:
        for ms, found, fields in trace.events:
            if found == kind:
                yield _Found(ms, _in_words(kind, fields), wanted.items() <= fields.items())
        for start, end, hz in spans(trace.tones, trace.end_ms) if has_cue else ():
            if hz not in pitches:  # perhaps the cue of the event at a wrong pitch
                yield _Found(start, _pitch(hz, end - start), False)

    return _occurrence(block, _in_words(kind, wanted), {kind, *wanted}, search)


def tone(block: Block) -> Expectation:
    hz = block.table.take("tone", integer(1, 20_000))
    length = block.table.take("length", time_ms, None)
    wanted = f"{hz} Hz" if length is None else _pitch(hz, length)
    if length is not None and block.tolerance >= max(length, 1):
        words = _("tolerance: must be less than the length ({ms} ms)")
        raise block.table.error("tolerance", words.format(ms=length))

    def fits(found_hz: int, found_ms: int) -> bool:
        return found_hz in (hz, UNKNOWN_HZ) and (
            length is None or abs(found_ms - length) <= block.loose
        )

    def search(trace: Trace) -> Iterator[_Found]:
        for start, end, found in spans(trace.tones, trace.end_ms):
            yield _Found(start, _pitch(found, end - start), fits(found, end - start))

    return _occurrence(block, wanted, {"tone"}, search)


def _pitch(hz: int, length_ms: int) -> str:
    return _("{hz} Hz for {ms} ms").format(hz=hz, ms=length_ms)


def _in_words(kind: str, fields: dict[str, object]) -> str:
    return " ".join([kind, *(f"{name} {value}" for name, value in fields.items())])


def _occurrence(block: Block, wanted: str, sees: set[str], search: _Search) -> Expectation:
    if "at" in block.table:
        at, off = block.instant(), block.off
        form = _("{what} at {at} ms within {off} ms") if off else _("{what} at {at} ms")
        words = form.format(what=wanted, at=at, off=off)

        def check(trace: Trace) -> Failure | None:
            found = sorted(search(trace), key=lambda match: (abs(match.ms - at), not match.fits))
            fitting = next((match for match in found if match.fits), None)
            if fitting is None:
                when = _("never")
            elif abs(fitting.ms - at) <= off:
                return None
            else:
                when = _("at {ms} ms ({away:+} ms)").format(ms=fitting.ms, away=fitting.ms - at)
            if found and not found[0].fits:  # nearer than the one that fits
                words = _("{when}; there was {other} at {ms} ms")
                when = words.format(when=when, other=found[0].words, ms=found[0].ms)
            return Failure(when, at)

        return _expectation(words, sees, check)
    (start, end), off = block.span(), block.off
    times = block.table.take("times", integer(0, 1_000_000), None)
    form = _("{what} at least once from {start} to {end} ms")
    if times is not None:
        form = ngettext(
            "{what} {count} time from {start} to {end} ms",
            "{what} {count} times from {start} to {end} ms",
            times,
        )
    words = form.format(what=wanted, count=times, start=start, end=end)

    def check_span(trace: Trace) -> Failure | None:
        inside = [match for match in search(trace) if start - off <= match.ms <= end + off]
        fitting = [match for match in inside if match.fits]
        if len(fitting) == times or (times is None and fitting):
            return None
        around = (fitting or inside or [_Found(start, "", True)])[0].ms
        named = ", ".join(f"{match.ms} ms" for match in fitting[:_MOST_NAMED])
        words = ngettext("{count} time: {when}", "{count} times: {when}", len(fitting))
        happened = words.format(count=len(fitting), when=named or _("never"))
        others = [match for match in inside if not match.fits]
        if others and len(fitting) < (times or 1):  # too rarely
            words = _("{what} at {at} ms")
            listed = [words.format(what=match.words, at=match.ms) for match in others[:_MOST_NAMED]]
            words = _("{when}; there was {others}")
            happened = words.format(when=happened, others=", ".join(listed))
        return Failure(happened, around)

    return _expectation(words, sees, check_span)


NO_SLACK = Slack()


def read(table: Table, scenario: Scenario, slack: Slack = NO_SLACK) -> list[Expectation]:
    """Parse the expectations of a scenario's file; raises UserError.

    slack  the tolerances of blocks that give none
    """

    def of_unit(table: Table, read: Callable[[Block], Expectation]) -> Expectation:
        block = Block(table, scenario, slack)
        expected = read(block)
        return expected._replace(since=block.since)

    def of_any_device(table: Table, read: relations.Read) -> Expectation:
        expected = read(table)
        return expected._replace(judge=lambda trace: expected.judge(_signals(trace)))

    rules = relations.readers((*LAMPS, "tone", *EVENTS))
    readers: dict[str, relations.Read] = {
        **{kind: partial(of_unit, read=read) for kind, read in _READERS.items()},
        **{kind: partial(of_any_device, read=read) for kind, read in rules.items()},
    }
    return relations.read(table, readers, ("tolerance", "at", "from", "to"))


def _order(block: Block) -> Expectation:
    order = block.table.take("order", list_of(choice(EVENTS), 2))
    (start, end), off = block.span(), block.off
    words = _("in this order: {events}").format(events=", ".join(order))

    def check(trace: Trace) -> Failure | None:
        seen = [kind for ms, kind, _ in trace.events if start - off <= ms <= end + off]
        left = iter(seen)
        if all(kind in left for kind in order):
            return None
        return Failure(", ".join(seen[:12]) or _("none of them"), start)

    return _expectation(words, order, check)


def _signals(trace: Trace) -> Signals:
    """Convert a trace to the signals of a device. An event is an interval of zero length."""
    changes = {**trace.lamps, "tone": trace.tones}
    found = {name: Intervals(spans(each, trace.end_ms)) for name, each in changes.items()}
    for kind in EVENTS:
        at = (ms for ms, what, _fields in trace.events if what == kind)
        found[kind] = Intervals((ms, ms) for ms in at)
    hz = array("d", (hz for _a, _b, hz in spans(trace.tones, trace.end_ms)))
    return Signals(found, {"tone": hz}, trace.end_ms)


_READERS = {
    "event": event,
    "lamp": lamp,
    "tone": tone,
    "silence": silence,
    "order": _order,
}
