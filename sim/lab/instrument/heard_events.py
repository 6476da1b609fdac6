"""The events of a unit from its lamps and tones: no pin says "auction-warning", but a cue does.

An event is known by its cue, by lengths and pauses, and by pitches where they are known.
The short answer to a finger is the same for several events: the lamp that goes on with it
decides between them, or else the scenario, by the event that is due at the nearest time.
"""

from collections.abc import Sequence

from city_unit.facts import LAMPS, PERMITS
from city_unit.programs import Program
from city_unit.trace import EVENTS
from sim.engine.edges import UNKNOWN_HZ, Edges, spans

Event = tuple[int, str, dict]

_LENGTH_MS = 6  # by how much a length may be off
_LENGTH_PART = 0.08  # or by this part of it
_PITCH_PART = 0.02
_WITH_MS = 12  # the largest distance of a lamp and a tone that go on together
_PERMIT_CUES = {f"permit-{permit}": permit for permit in PERMITS}


def find(shown: Edges, due: Edges, program: Program) -> list[Event]:
    """Return the events that follow from lamps and tones, in order of time.

    due  the edges of the scenario, to tell events apart that look and sound the same
    """
    tones = list(spans(shown.tones, shown.end_ms))
    cues = {name: _notes(cue) for name, cue in program.cues.items() if name != "choice"}
    found: list[Event] = []
    place = 0
    while place < len(tones):
        names = [name for name, notes in cues.items() if _fits(tones[place:], notes)]
        longest = max((_count(cues[name]) for name in names), default=0)
        names = [name for name in names if _count(cues[name]) == longest]
        if names:
            found.append(_event(tones[place][0], names, shown, due))
        place += max(1, longest)
    heard = [ms for ms, kind, _ in found if kind == "auction-started"]
    for ms in _begins(shown, program):
        if not any(abs(ms - other) <= _WITH_MS for other in heard):
            found.append((ms, "auction-started", {}))
    return sorted(found, key=lambda event: event[0])


def visible(sees: set[str], program: Program) -> frozenset[str]:
    """Return all that an instrument can know if it sees these lamps, and "tone" maybe.

    As in `Expectation.sees`: the lamps, the kinds of events, and the names of their values.
    """
    kinds: set[str] = set()
    if "tone" in sees:
        kinds = {kind for kind in EVENTS if kind in program.cues}
        if program.odds:
            kinds |= {"permit-granted", "permit"}
        if program.marks:
            kinds |= {kind for kind, *_ in program.marks if kind in program.cues}
    if "auction" in sees:
        kinds.add("auction-started")
    return frozenset(sees | kinds)


def _notes(cue: tuple[int, ...]) -> list[tuple[int, int]]:
    return list(zip(cue[1::2], cue[2::2], strict=True))


def _count(notes: list[tuple[int, int]]) -> int:
    """Return how many tones a cue has."""
    return sum(hz > 0 for hz, _ms in notes)


def _fits(tones: Sequence[tuple[int, int, int]], notes: list[tuple[int, int]]) -> bool:
    """Return whether tones begin with the notes of a cue, whose pauses are notes of 0 Hz."""
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


def _event(ms: int, names: list[str], shown: Edges, due: Edges) -> Event:
    if names[0] in _PERMIT_CUES:
        return ms, "permit-granted", {"permit": _PERMIT_CUES[names[0]]}
    if len(names) == 1:
        return ms, names[0], {}
    lit = {
        lamp for lamp in LAMPS for at, on in shown.lamps[lamp] if on and abs(at - ms) <= _WITH_MS
    }
    by_lamp = "auction-started" if lit == {"auction"} else ""
    if lit and lit <= set(LAMPS[1:]):
        by_lamp = "permit-started"
    if by_lamp in names:
        return ms, by_lamp, {}
    nearest = min(
        (event for event in due.events if event[1] in names),
        key=lambda event: abs(event[0] - ms),
        default=(ms, names[0], {}),
    )
    return ms, nearest[1], {}


def _begins(shown: Edges, program: Program) -> list[int]:
    """Return when the auction's lamp goes on after it was dark for longer than a flash."""
    found = []
    dark_since = -program.slow_ms * 2
    for ms, on in shown.lamps["auction"]:
        if on and ms - dark_since > program.slow_ms * 1.5:
            found.append(ms)
        elif not on:
            dark_since = ms
    return found
