"""Turns a capture or a recording of a scenario into a trace that can be judged.

Theory of operation. `of_capture` and `of_sound` read an instrument's file into `_Raw`: the
intervals in which each lamp, button and the sound was on, in the instrument's time. `_witnessed`
aligns their edges with those the scenario expects, rejects files that do not resemble it or that
end too early, and maps the observed edges to the scenario's time. No instrument sees events, so
`_events` infers them from the cues heard and the lamps lit. The result also says which signals the
instrument can see, since the others must not be judged.
"""

import heapq
import math
import os
import sys
from array import array
from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import NamedTuple

from city_unit.desktop import errors
from city_unit.desktop.catalogue import _, ngettext
from city_unit.desktop.command import Progress
from city_unit.desktop.errors import UNCHECKED, UserError
from city_unit.desktop.files import reason
from city_unit.desktop.forms import number, percent, shortest, signed
from city_unit.facts import BUTTONS, LAMPS, PERMITS
from city_unit.programs import Program
from city_unit.trace import EVENTS
from sim.engine import virtual
from sim.engine.scenario import Scenario
from sim.engine.trace import UNKNOWN_HZ, Changes, Event, Events, Trace, clipped, spans
from sim.lab.instrument import BUZZER, PRESSES, alignment, capture_file, digital
from sim.lab.instrument.alignment import Fit, Line, Mark, Marks, Times
from sim.lab.instrument.digital import Intervals, Pin

_SOUND = "tone"  # no text: a line of a trace
_PITCH = "tone hz"  # no text: as `relations.pitch_of` names it
_SAME_PITCH = 0.01  # relative deviation below which a tone gets the program's exact pitch
_SHORT_MS = 100  # part of the run that an instrument may miss at either end
_COARSEST_MS = 1.0  # longest acceptable sampling interval
_HEARD_MS = 1.0  # resolution of the start of a beep in a recording
_RESEMBLES = 0.4  # least share of the observed edges that is expected, or vice versa
_INVERTED = 1.2  # a line is active low if inverting it fits more edges by this factor
_MOST_EDGES_PER_S = 1000  # of a lamp or a button, on average over a capture
_MOST_BUZZER_EDGES_PER_S = 50_000
_MOST_NAMED = 4  # edges listed as "elsewhere"
_LENGTH_MS = 6  # tolerance of a note's length, or
_LENGTH_PART = 0.08  # this part of the length, if that is more
_PITCH_PART = 0.02  # tolerance of a note's pitch
_WITH_MS = 12  # a lamp and a tone this close together are one event
_PERMIT_CUES = {f"permit-{permit}": permit for permit in PERMITS}


def _events(shown: Trace, due: Trace, program: Program) -> Events:
    """Infer the events from lamps and tones, in chronological order.

    due  the expected edges, which decide between events that look and sound alike
    """
    ons = {lamp: array("q", (ms for ms, on in shown.lamps[lamp] if on)) for lamp in LAMPS}
    dues: dict[tuple[str, ...], Events] = {}

    def is_near(times: Sequence[float], ms: int) -> bool:
        near = alignment.nearest(times, ms)
        return near is not None and abs(near - ms) <= _WITH_MS

    def named(ms: int, names: tuple[str, ...]) -> Event:
        """Return the event for a cue that all these names share."""
        if names[0] in _PERMIT_CUES:
            return ms, "permit-granted", {"permit": _PERMIT_CUES[names[0]]}
        if len(names) == 1:
            return ms, names[0], {}
        lit = {lamp for lamp in LAMPS if is_near(ons[lamp], ms)}
        by_lamp = "auction-started" if lit == {"auction"} else ""
        if lit and lit <= set(_PERMIT_CUES):
            by_lamp = "permit-started"
        if by_lamp in names:
            return ms, by_lamp, {}
        if names not in dues:
            dues[names] = Events(event for event in due.events if event[1] in names)
        known = dues[names]
        place = bisect_left(known.times, ms)
        near = min(
            known[max(0, place - 1) : place + 1], key=lambda one: abs(one[0] - ms), default=None
        )
        return ms, near[1] if near else names[0], {}

    cues = {
        name: list(zip(cue[1::2], cue[2::2], strict=True))
        for name, cue in program.cues.items()
        if name != "choice"
    }
    most = max(map(len, cues.values()), default=0)
    found = Events()
    coming = spans(shown.tones, shown.end_ms)
    tones = deque(islice(coming, most))
    while tones:
        fitting: dict[int, list[str]] = {}  # names of the cues heard next, by number of notes
        for name, notes in cues.items():
            if _fits(tones, notes):
                fitting.setdefault(sum(hz > 0 for hz, _ms in notes), []).append(name)
        longest = max(fitting, default=0)
        if fitting:
            found.append(named(tones[0][0], tuple(fitting[longest])))
        for _note in range(max(1, longest)):
            tones.popleft()
            tones.extend(islice(coming, 1))
    heard = [ms for ms, kind, _ in found if kind == "auction-started"]
    lit: list[Event] = []  # auctions that started without a sound
    dark_since = -program.slow_ms * 2
    for ms, on in shown.lamps["auction"]:
        if not on:
            dark_since = ms
            continue
        was_dark = ms - dark_since > program.slow_ms * 1.5  # longer than between two flashes
        if was_dark and not is_near(heard, ms):
            lit.append((ms, "auction-started", {}))
    return Events(heapq.merge(found, lit, key=lambda event: event[0]))


def _fits(tones: Sequence[tuple[int, int, int]], notes: list[tuple[int, int]]) -> bool:
    """Return whether the tones begin with the notes of a cue. A pause is a note of 0 Hz."""
    place = 0
    end = None
    pause = 0
    for hz, ms in notes:
        if not hz:
            pause += ms
            continue
        if place >= len(tones):
            return False
        start, stop, heard_hz = tones[place]
        if end is not None and not _is_about(start - end, pause):
            return False
        if heard_hz != UNKNOWN_HZ and abs(heard_hz / hz - 1) > _PITCH_PART:
            return False
        if not _is_about(stop - start, ms):
            return False
        place, end, pause = place + 1, stop, 0
    return True


def _is_about(ms: int, due_ms: int) -> bool:
    return abs(ms - due_ms) <= max(_LENGTH_MS, due_ms * _LENGTH_PART)


class Witnessed(NamedTuple):
    """An instrument's observation of a scenario.

    shown      the observed edges and events, in the scenario's time
    sees       the signals that the instrument can see, as in `Expectation.sees`
    begins_ms  when the observation starts, 0 if it covers the start of the scenario
    ends_ms    when it ends, infinite if it covers the end
    notes      remarks for people: the alignment, and parts that were ignored
    fit        the alignment
    due        the expected edges
    """

    shown: Trace
    sees: frozenset[str]
    begins_ms: float
    ends_ms: float
    notes: tuple[str, ...]
    fit: Fit
    due: Trace


class Options(NamedTuple):
    """How to read a capture.

    pins       the pins and their lines; matched by name if empty
    align      align at the first edge of this kind, "auction on", "press-build on"; None: all edges
    glitch_us  shorter pulses are ignored
    limit_ppm  the largest drift that is corrected
    """

    pins: tuple[Pin, ...] = ()
    align: str | None = None
    glitch_us: float = 20.0
    limit_ppm: float = alignment.LIMIT_PPM


class _Raw(NamedTuple):
    """An instrument's observations in its own time.

    spans     the intervals in which each lamp, button and the sound was on; the last one ends at
              infinity if it was still on; the sound is missing if it could not be observed
    hz        the pitch of each tone
    has_end   whether `end_ms` is the end of the observation, not just the last change
    grain_ms  the sampling interval
    notes     remarks for people
    pins      the pins of a capture
    """

    spans: Mapping[str, Intervals]
    hz: Sequence[float]
    end_ms: float
    has_end: bool = True
    grain_ms: float = 0.0
    notes: tuple[str, ...] = ()
    pins: tuple[Pin, ...] = ()


def of_capture(
    path: str, scenario: Scenario, options: Options, due: Trace | None = None
) -> Witnessed:
    """Read a logic analyser's capture of a scenario; raises UserError.

    due  the edges to align with, those of the scenario in virtual time by default
    """
    return _witnessed(path, _captured(path, scenario, options), scenario, options, due)


def alone(path: str, scenario: Scenario, options: Options) -> Trace:
    """Return the edges of a capture in its own time; raises UserError.

    scenario  gives the pitches of its program
    """
    raw = _captured(path, scenario, options)
    return _edges(raw, Line(0.0), replace(scenario, end_ms=math.ceil(raw.end_ms)))


def _captured(path: str, scenario: Scenario, options: Options) -> _Raw:
    capture = capture_file.load(path)
    chosen = options.pins or tuple(digital.guessed(capture))
    if not chosen:
        words = _(
            "{path}: no line is named like a pin; use --pin auction=NAME; its lines are {lines}"
        )
        lines = ", ".join((*capture.lines, *capture.buses))
        raise UserError(words.format(path=path, lines=lines))
    cues = [cue for program in scenario.programs for cue in program.cues.values()]
    # All notes (Hz, ms) the unit can play.
    sounds = [note for cue in cues for note in zip(cue[1::2], cue[2::2], strict=True) if note[0]]
    if capture.grain_ns / 1e6 > _COARSEST_MS:
        words = _(
            "{path}: one sample every {ms} ms is too coarse to measure milliseconds; record at "
            "{least} kHz or more"
        )
        least = max(digital.least_rate(sounds) / 1000, 1 / _COARSEST_MS)
        ms = shortest(capture.grain_ns / 1e6, 3)
        raise UserError(words.format(path=path, ms=ms, least=shortest(least, 3)))
    glitch_ns = round(options.glitch_us * 1000)
    common_ns = 0
    for pin in chosen:
        common_ns = digital.common_ns(capture.line(pin.line).turns, common_ns)
    # The file's time unit may be finer than the sampling interval.
    common_ms = common_ns / 1e6 if common_ns / 1e6 <= _COARSEST_MS else 0.0
    spans: dict[str, Intervals] = {}
    pitches = array("d")
    glitches = 0
    notes: list[str] = []
    for pin in chosen:
        line = capture.line(pin.line)
        rate = len(line.turns) * 1_000_000_000 // max(capture.end_ns, 1_000_000_000)
        if rate > (_MOST_BUZZER_EDGES_PER_S if pin.name == BUZZER else _MOST_EDGES_PER_S):
            words = _(
                '{path}: the line "{line}" has {rate} edges a second, which {pin} never has; '
                "check the pin, and whether the file is complete"
            )
            fields = {"line": pin.line, "rate": number(rate), "pin": pin.name}
            raise UserError(words.format(path=path, **fields))
        if pin.name == BUZZER:
            grain_ns = digital.grain_of(line, capture.grain_ns)
            least = digital.least_rate(sounds)
            if grain_ns * least > 1e9 and digital.swings(line, pin, capture.end_ns, glitch_ns):
                words = _(
                    "sampled at {rate} kHz: too slow for a tone of {hz} Hz, so no sound is judged; "
                    "record at {least} kHz or more"
                )
                rate_khz, hz = shortest(1e6 / grain_ns, 3), max(hz for hz, _ms in sounds)
                notes.append(words.format(rate=rate_khz, hz=hz, least=shortest(least / 1000, 3)))
                continue
            spans[_SOUND] = Intervals()
            for start, end, hz in digital.tones(line, pin, capture.end_ns, glitch_ns, grain_ns):
                spans[_SOUND].append(start / 1e6, end / 1e6)
                pitches.append(hz)
            continue
        line, left_out = digital.deglitched(line, pin, glitch_ns)
        glitches += left_out
        spans[pin.name] = line.intervals(math.inf)
    notes += digital.glitch_note(glitches, options.glitch_us)
    spans = {name: spans[name] for name in (*LAMPS, *PRESSES, _SOUND) if name in spans}
    end_ms, grain_ms = capture.end_ns / 1e6, max(capture.grain_ns / 1e6, common_ms)
    return _Raw(spans, pitches, end_ms, capture.has_end, grain_ms, tuple(notes), chosen)


def needs_libraries(*recordings: str | None) -> UserError:
    """Return the error that names a missing recording or, failing that, the missing packages."""
    for path in recordings:
        try:
            os.stat(path or ".")
        except OSError as error:
            return UserError(errors.at(path, reason(error)))
    install = errors.install_command("numpy", "scipy", "soundfile")
    words = _("listening needs numpy, scipy and soundfile: {install}")
    return UserError(words.format(install=install), UNCHECKED)


def heard(path: str) -> tuple[list[tuple[float, float, float]], float]:
    """Return the beeps of a recording, `(onset ms, length ms, Hz)`, and its length in seconds."""
    try:
        from sim.lab.listen import listening, recording
    except ImportError:
        raise needs_libraries(path) from None
    sound = recording.read(path)
    for note in sound.notes:
        print(note, file=sys.stderr)
    line = Progress()
    words = _("listening: {percent} %")
    beeps = listening.beeps(sound.samples, lambda part: line.percent(words, part))
    return [(beep.onset_ms, beep.length_ms, beep.hz) for beep in beeps], sound.seconds


def of_sound(
    path: str,
    beeps: Sequence[tuple[float, float, float]],
    seconds: float,
    scenario: Scenario,
    options: Options,
    due: Trace | None = None,
) -> Witnessed:
    """Align the beeps of a recording, `(onset ms, length ms, Hz)`; raises UserError."""
    tones = Intervals((onset, onset + length) for onset, length, _hz in beeps)
    pitches = [hz for _onset, _length, hz in beeps]
    raw = _Raw({_SOUND: tones}, pitches, seconds * 1000, grain_ms=_HEARD_MS)
    return _witnessed(path, raw, scenario, options, due)


def _witnessed(
    path: str,
    raw: _Raw,
    scenario: Scenario,
    options: Options,
    due: Trace | None,
) -> Witnessed:
    align, notes = options.align, list(raw.notes)
    due = virtual.run(scenario) if due is None else due
    presses = {
        f"press-{button}": Changes(
            (step.at, 1)
            for step in scenario.steps
            if step.button == button and step.verb != "release"
        )
        for button in BUTTONS
    }
    sound = _changes(spans(due.tones, due.end_ms))
    times = alignment.times_of(_marks({**due.lamps, **presses, _SOUND: sound}))
    marks = Marks(_seen_marks(raw.spans))
    fit = alignment.align(marks, times, align, raw.grain_ms, options.limit_ppm)
    if align and (fit is None or not fit.found):
        words = _('{path}: it has no "{align}" to align at')
        raise UserError(words.format(path=path, align=align))
    # Of a faulty unit most of the observed edges are expected. Next to another source of edges, all
    # of the expected ones are observed. A capture with neither fits by chance only.
    wanted = sum(len(times.get(what, ())) for what in marks.kinds)
    is_like = fit is not None and fit.most >= max(1, _RESEMBLES * min(fit.of, wanted))
    if fit is None or not (align or (is_like and not _is_inverted(raw, fit, times))):
        pins_seen = [name for name in raw.spans if name != _SOUND]
        if not pins_seen:
            words = _("{path}: it does not resemble the scenario")
            raise UserError(words.format(path=path))
        words = _(
            "{path}: it does not resemble the scenario; check the pins. If low is on, say "
            "`--pin {pin}=!...`"
        )
        lit = (name for name in pins_seen if _is_lit(raw.spans[name]))
        raise UserError(words.format(path=path, pin=next(lit, pins_seen[0])))
    ends = fit.drifting.at(raw.end_ms)  # drift corrected: a slow unit does not make a capture short
    if not raw.has_end and ends < scenario.end_ms:
        words = _("no change after {end} s of the scenario: taken as quiet from then on")
        notes.append(words.format(end=number(ends / 1000, 1)))
    elif ends < scenario.end_ms - _SHORT_MS:
        words = _(
            "{path}: it ends at {end} s of the scenario, which lasts {whole} s; "
            "make a longer recording, or end the scenario earlier"
        )
        end, whole = number(ends / 1000, 1), number(scenario.end_ms / 1000, 1)
        raise UserError(words.format(path=path, end=end, whole=whole))
    begins = fit.drifting.at(0)
    if begins > _SHORT_MS:
        words = _("it starts at {begin} s of the scenario: earlier expectations are not judged")
        notes.append(words.format(begin=number(begins / 1000, 1)))
    else:
        begins = 0
    sees, program = {name for name in raw.spans if name in LAMPS}, scenario.program
    if _SOUND in raw.spans:  # its cues reveal events and their values
        sees |= {_PITCH} if UNKNOWN_HZ not in raw.hz else set()
        sees |= {"tone", *(kind for kind in EVENTS if kind in program.cues)}
        sees |= {"permit-granted", "permit"} if program.odds else set()
        sees |= {kind for kind, *_rest in program.marks if kind in program.cues}
    if "auction" in sees:
        sees.add("auction-started")
    shown = _edges(raw, fit.line, scenario)
    shown = shown._replace(events=_events(shown, due, program))
    elsewhere = {mark.kind for mark in fit.elsewhere if mark.ms == 0}
    for pin in raw.pins:
        if _mark(_SOUND if pin.name == BUZZER else pin.name, 1) in elsewhere:
            words = _("{pin} is on from the start; if low is on, say --pin {pin}=!{line}")
            if pin.is_inverted:
                words = _("{pin} is on from the start; if high is on, say --pin {pin}={line}")
            notes.append(words.format(pin=pin.name, line=pin.line))
    told = (*_notes(fit, raw), *notes)
    until = math.inf if raw.has_end else ends
    return Witnessed(shown, frozenset(sees), begins, until, told, fit, due)


def _is_inverted(raw: _Raw, fit: Fit, times: Times) -> bool:
    """Return whether far more edges fit if the lamps that are on at the start are inverted.

    An inverted blinking lamp looks the same, shifted by half a blink, and would be misaligned.
    """
    turned = {
        name: Intervals(
            (end, start)
            for end, start in zip(found.ends, [*found.starts[1:], math.inf], strict=True)
            if end < math.inf
        )
        for name, found in raw.spans.items()
        if name in LAMPS and _is_lit(found)
    }
    if not turned:
        return False
    marks = Marks(_seen_marks({**raw.spans, **turned}))
    other = alignment.align(marks, times, None, raw.grain_ms)
    return other is not None and other.most > _INVERTED * fit.most


def _is_lit(found: Intervals) -> bool:
    """Return whether a line is on at the start."""
    return bool(found) and found.starts[0] == 0


def _seen_marks(spans: Mapping[str, Intervals]) -> Iterator[Mark]:
    return _marks({name: _changes(found) for name, found in spans.items()})


def _changes(intervals: Iterable[Sequence[float]]) -> Iterator[tuple[float, int]]:
    for start, end, *_value in intervals:
        yield start, 1
        if end < math.inf:
            yield end, 0


def _marks(lines: Mapping[str, Iterable[tuple[float, int]]]) -> Iterator[Mark]:
    """Merge the changes `(ms, level)` of several lines chronologically."""

    def of(name: str, changes: Iterable[tuple[float, int]]) -> Iterator[Mark]:
        return (Mark(_mark(name, level), ms) for ms, level in changes)

    return heapq.merge(*(of(*line) for line in lines.items()), key=lambda mark: mark.ms)


def _mark(name: str, level: int) -> str:
    return f"{name} on" if level else f"{name} off"  # no text: names of edges


def _edges(raw: _Raw, line: Line, scenario: Scenario) -> Trace:
    """Return the observed edges in the scenario's time."""
    pitches = {hz for cue in scenario.program.cues.values() for hz in cue[1::2] if hz}
    tones = raw.spans.get(_SOUND, Intervals())

    def sound() -> Iterator[tuple[float, int]]:
        later = chain(islice(tones.starts, 1, None), [math.inf])
        for (start, end), hz, following in zip(tones, raw.hz, later, strict=False):
            if hz != UNKNOWN_HZ:
                hz /= line.slope  # by the unit's clock; snapped to a pitch of the program
                own = min(pitches, key=lambda pitch: abs(pitch / hz - 1), default=0)
                hz = own if own and abs(own / hz - 1) <= _SAME_PITCH else hz
            yield start, round(hz)
            if following != end:
                yield end, 0

    def part(changes: Iterable[tuple[float, int]]) -> Changes:
        rounded = ((round(line.at(ms)), value) for ms, value in changes)
        return Changes(clipped(rounded, 0, scenario.end_ms))

    lamps = {lamp: part(_changes(raw.spans.get(lamp, ()))) for lamp in LAMPS}
    return Trace(lamps, part(sound()), Events(), scenario.end_ms)


def _notes(fit: Fit, raw: _Raw) -> list[str]:
    """Describe the drift, the steps, the edges elsewhere, and what could not be observed."""
    edges_found = {"found": fit.found, "all": fit.of, "worst": number(fit.worst_ms, 2)}
    if fit.drift_ppm is not None and not fit.is_corrected:
        slow = _(
            "the unit's clock runs {part} ± {off} slower than the instrument's: over the limit, "
            "not corrected"
        )
        fast = _(
            "the unit's clock runs {part} ± {off} faster than the instrument's: over the limit, "
            "not corrected"
        )
        rest = _("apart from that, {found} of {all} edges are on time, the farthest {worst} ms off")
        part = percent(abs(fit.drift_ppm) / 1e6, 3)
        off = percent(math.ceil(fit.uncertainty_ppm / 10) / 1e5, 3)
        words = slow if fit.drift_ppm > 0 else fast
        notes = [words.format(part=part, off=off), rest.format(**edges_found)]
    else:
        words = _("{found} of {all} edges are on time, the farthest {worst} ms off")
        notes = [
            words.format(**edges_found),
            _("too few edges to estimate the drift of the clocks"),
        ]
        if fit.drift_ppm is not None:
            words = _("drift {drift} ± {off} ppm of the instrument against the unit, corrected")
            drift, off = signed(fit.drift_ppm, 1), number(fit.uncertainty_ppm, 1)
            notes[1] = words.format(drift=drift, off=off)
    for step in fit.steps:
        lamps = [line for line in step.lines if line != _SOUND]
        lines = ", ".join(lamps) or _("sound")
        if lamps and _SOUND in step.lines:
            lines = _("lamps and sound")
        words = ngettext(
            "step of {late} ms from {start} s to {end} s, {lines}: {count} edge",
            "step of {late} ms from {start} s to {end} s, {lines}: {count} edges",
            step.edges,
        )
        late, start, end = signed(step.late_ms, 1), number(step.start / 1000, 1), step.end / 1000
        told = {"late": late, "start": start, "end": number(end, 1), "count": step.edges}
        notes.append(words.format(lines=lines, **told))
    form = _("{what} at {at} ms")
    named = [
        form.format(what=mark.kind, at=round(fit.line.at(mark.ms)))
        for mark in fit.elsewhere[:_MOST_NAMED]
    ]
    if named:
        named += ["..."] * (len(fit.elsewhere) > _MOST_NAMED)
        notes.append(_("elsewhere: {edges}").format(edges=", ".join(named)))
    if _SOUND not in raw.spans:
        notes.append(_("the buzzer was not observed"))
    elif UNKNOWN_HZ in raw.hz:
        words = _("the buzzer's pin shows when it sounds but not its pitch; any pitch is accepted")
        notes.append(words)
    return notes
