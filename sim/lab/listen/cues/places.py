"""Which cue is which by its place in the play: first the place, then what it sounds like.

AUCTION and BUILD may answer with the same sound; what follows shows which of them was
pressed. A sound that comes at one fixed time before the ends of auctions is the warning,
and what comes when the lights have run is the permit, whatever they sound like. A cue
that a program never plays is none that was heard.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from city_unit.clock import ENDS
from city_unit.facts import LAMPS
from city_unit.programs import Program
from sim.lab.listen.cues import phrases
from sim.lab.listen.cues.phrases import Phrase

TICKS = ("auction-started", "permit-started")  # the answers to an accepted press
PERMITS = LAMPS[1:]
_ALWAYS = ("switched-on", "auction-started", "refused", "auction-cancelled", "auction-ended")
_AUCTION = ("auction-warning", "auction-ended", "auction-cancelled")
_BREAK = ("switched-on", *ENDS)  # after these, nothing goes on
_EITHER = "either"  # a permit or the clock's beep
_NEAR_MS = 20
_SAME_MS = 12  # by which two lengths of one note may seem to differ
_SAME_PITCH = 0.02
_LATE_PERMIT = 3  # times as long as the lights run: what comes later is no permit
_FOLLOW = 2  # permits that follow their press: then each press is heard
_MOST_ENDS = 2 / 3  # of the ends that were heard, so many have the warning before them


class Placed(NamedTuple):
    """The phrases with their cues.

    by_place  cues known by their place alone: they sound like another, or like none
    unsure    phrases of a press of which nothing shows whether it was AUCTION or BUILD
    either    phrases of which nothing shows whether they are a permit or the clock's beep
    """

    phrases: tuple[Phrase, ...]
    by_place: tuple[str, ...]
    unsure: tuple[Phrase, ...]
    either: tuple[Phrase, ...]


def place(heard: Sequence[Phrase], base: Program) -> Placed:
    """Return the phrases, named by likeness so far, with the cues that follow from their places."""
    heard = _apart(heard, base)
    names = [phrase.cue for phrase in heard]
    rules = (_game_ends, _permits, _ends, _warnings, _late_permits, _beeps, _marks, _presses)
    for rule in rules:
        names = rule(heard, names, base)
    could = played(base) | {_EITHER}
    names = [name if name in could else "" for name in names]
    is_either = [name == _EITHER for name in names]
    names = ["" if name == _EITHER else name for name in names]
    placed = list(zip(heard, names, strict=True))
    by_place = {name for phrase, name in placed if name not in ("", phrase.cue)}
    names, sure = starts(names, base)
    found = tuple(Phrase(phrase.beeps, name) for phrase, name in zip(heard, names, strict=True))
    unsure = tuple(phrase for phrase, is_sure in zip(found, sure, strict=True) if not is_sure)
    either = tuple(phrase for phrase, is_it in zip(found, is_either, strict=True) if is_it)
    return Placed(found, tuple(name for name in base.cues if name in by_place), unsure, either)


def _apart(heard: Sequence[Phrase], base: Program) -> list[Phrase]:
    """Return the phrases, those apart of which one cut another off and both passed for one cue.

    Where permits come by one time after their press, a beep of another phrase that comes by that
    time begins the permit; and one that sounds like a press, with a permit by that time, is it.
    """
    runs = _runs(heard)
    presses = [phrase for phrase in heard if phrase.cue in TICKS]
    if runs is None:
        return list(heard)
    permits = [phrase.onset_ms for phrase in heard if phrase.cue in PERMITS]
    answered = [ms - runs for ms in permits]
    # What passes for a cancelled auction may be two sounds.
    names = ["" if phrase.cue == "auction-cancelled" else phrase.cue for phrase in heard]
    names, sure = starts(names, base)
    awaited = [
        phrase.onset_ms + runs
        for phrase, name, is_sure in zip(heard, names, sure, strict=True)
        if name in TICKS and (name == "permit-started" or not is_sure)
    ]
    awaited = [ms for ms in awaited if not _near(ms, permits)]
    found: list[Phrase] = []
    for phrase in heard:
        place = 0
        if sum(_alike(phrase, other) for other in heard) > 1:
            pass  # heard again as it is
        elif _near(phrase.onset_ms, answered):
            place = next((len(press.beeps) for press in presses if _begins_as(phrase, press)), 0)
        elif phrase.cue not in PERMITS:
            begins = (at for at, beep in enumerate(phrase.beeps) if _near(beep.onset_ms, awaited))
            place = next(begins, 0) or _beside_clock(phrase, heard)
        found += _cut(phrase, place, heard) if place else [phrase]
    return found


def _runs(heard: Sequence[Phrase]) -> float | None:
    """Return how long after their press permits come, None where that is not known."""
    times = [
        phrase.onset_ms - press.onset_ms
        for press, phrase in pairwise(heard)
        if press.cue in TICKS and phrase.cue in PERMITS
    ]
    usual = max(times, key=lambda ms: _near(ms, times), default=0.0)
    return usual if _near(usual, times) >= _FOLLOW else None


def _begins_as(phrase: Phrase, press: Phrase) -> bool:
    """Return whether a phrase begins with what a press sounds like, and goes on."""
    return len(phrase.beeps) > len(press.beeps) and _alike(
        Phrase(phrase.beeps[: len(press.beeps)], ""), press
    )


def _beside_clock(phrase: Phrase, heard: Sequence[Phrase]) -> int:
    """Return where a phrase parts into the clock's beep and another sound, 0 if it does not.

    The clock minds no other sound: it may come just before it, not as a note after another, or cut
    it off.
    """
    clock = next((other for other in heard if other.cue == "hour-beep"), None)
    if clock is None or len(phrase.beeps) <= len(clock.beeps):
        return 0
    last = len(phrase.beeps) - len(clock.beeps)
    if not phrase.cue and _alike(Phrase(phrase.beeps[last:], ""), clock):
        return last
    if not _begins_as(phrase, clock):
        return 0
    place = len(clock.beeps)
    rest = Phrase(phrase.beeps[place:], "")
    pauses = [phrases.gap(*pair) for pair in pairwise(phrase.beeps[: place + 1])]
    is_even = all(abs(pause - pauses[-1]) < _SAME_MS for pause in pauses[:-1])
    is_known = any(other.cue and _alike(rest, other) for other in heard)
    return place if is_known and not is_even else 0


def _cut(phrase: Phrase, place: int, heard: Sequence[Phrase]) -> list[Phrase]:
    """Return a phrase in two, each named as what sounds most like it elsewhere."""
    parts = [Phrase(phrase.beeps[:place], ""), Phrase(phrase.beeps[place:], "")]
    return [part._replace(cue=_same_name(part, heard)) for part in parts]


def _same_name(part: Phrase, heard: Sequence[Phrase]) -> str:
    """Return the cue that sounds as a part does, "" if there is none; a game begins in no other."""
    same = [other for other in heard if other.cue not in _BREAK and _alike(part, other)]
    return min(same, key=lambda other: _off(part, other)).cue if same else ""


def _off(phrase: Phrase, other: Phrase) -> float:
    """Return by how many ms in all the beeps of two phrases of as many differ."""
    pairs = zip(phrase.beeps, other.beeps, strict=True)
    return sum(abs(beep.length_ms - again.length_ms) for beep, again in pairs)


def played(program: Program) -> set[str]:
    """Return the cues that a program plays at some time."""
    names = {*_ALWAYS, *(kind for kind, *_ in program.marks)}
    if program.warning_ms:
        names.add("auction-warning")
    if program.odds:
        names.update(("permit-started", *PERMITS))
    if program.clock_choices_ms:
        names.add("choice")
    return names


def starts(names: Sequence[str], program: Program) -> tuple[list[str], list[bool]]:
    """Return cues in order of time, each press called by what follows it, and which are sure.

    A press that another press follows, or nothing, keeps its name and is not sure, unless the
    program knows a single kind of press.
    """
    found = list(names)
    sure = [True] * len(found)
    is_only = not program.odds and not program.clock_choices_ms
    follows = ""
    for at in range(len(found) - 1, -1, -1):
        if found[at] in TICKS:
            found[at], sure[at] = follows or found[at], bool(follows) or is_only
            follows = ""
        elif found[at] in PERMITS:
            follows = "permit-started"
        elif found[at] in _AUCTION:
            follows = "auction-started"
        elif found[at] in _BREAK:
            follows = ""
    return found, sure


def _game_ends(heard: Sequence[Phrase], names: list[str], base: Program) -> list[str]:
    """Take its name from a game's end after which the same game ends again.

    Two cues that met sound like an end.
    """
    found = list(names)
    is_over = False
    for at in range(len(names) - 1, -1, -1):
        if names[at] == "switched-on":
            is_over = False
        elif names[at] in ENDS:
            found[at] = "" if is_over else names[at]
            is_over = True
    return found


def _ends(heard: Sequence[Phrase], names: list[str], base: Program) -> list[str]:
    """Call what comes an auction's length after a press its end, if two do or it is like none."""
    length, longest = base.auction_ms
    if length != longest:
        return names
    begun = None
    places = []
    for at, phrase in enumerate(heard):
        if names[at] in TICKS:
            begun = phrase.onset_ms
        elif begun is not None and _is_near(phrase.onset_ms, [begun + length]):
            places.append(at)
    could = played(base)
    if len(places) < 2:
        places = [at for at in places if names[at] not in could]
    return _named(names, places, "auction-ended")


def _warnings(heard: Sequence[Phrase], names: list[str], base: Program) -> list[str]:
    """Call what comes at one time before most ends of auctions their warning.

    Of a single auction, it must come at the program's own time.
    """
    ends = [at for at, name in enumerate(names) if name == "auction-ended"]
    if not base.warning_ms or not ends:
        return names
    leads = {at: _leads(heard, names, at, base.auction_ms[0] / 2) for at in ends}
    best: tuple[tuple, list[int]] | None = None
    for lead in (lead for of_end in leads.values() for lead in of_end.values()):
        alike = [
            place
            for of_end in leads.values()
            for place, ms in of_end.items()
            if abs(ms - lead) < _NEAR_MS
        ]
        is_shared = len(alike) > 1 and len(alike) >= len(ends) * _MOST_ENDS
        off = abs(lead - base.warning_ms)
        is_like = any(names[place] == "auction-warning" for place in alike)
        if not is_shared and not is_like and off >= _NEAR_MS:
            continue
        rank = (-len(alike), not is_like, off)
        if best is None or rank < best[0]:
            best = (rank, alike)
    return _named(names, best[1], "auction-warning") if best else names


def _leads(heard: Sequence[Phrase], names: list[str], end: int, longest: float) -> dict[int, float]:
    """Return how long before an end each phrase came that may be its warning."""
    found = {}
    for at in range(end - 1, -1, -1):
        lead = heard[end].onset_ms - heard[at].onset_ms
        if names[at] in ("auction-ended", *TICKS) or lead > longest:
            break
        found[at] = lead
    return found


def _permits(heard: Sequence[Phrase], names: list[str], base: Program) -> list[str]:
    """Call what comes when the lights have run the permit most like it.

    What answers a finger, and the clock's beep, may come then as well.
    """
    if not base.odds:
        return names
    runs = sum(base.permit_hops_ms)
    could = played(base) - {"auction-warning", "auction-ended"}
    ticks = _times_of(heard, names, TICKS)
    cues = {name: phrases.notes(base.cues[name]) for name in PERMITS}
    found = list(names)
    for at, phrase in enumerate(heard):
        if names[at] not in could and _is_near(phrase.onset_ms, [tick + runs for tick in ticks]):
            found[at] = phrases.most_like(phrase.beeps, cues) or names[at]
    return found


def _late_permits(heard: Sequence[Phrase], names: list[str], base: Program) -> list[str]:
    """Take its name from a permit that comes long after the lights have run: it is none."""
    longest = _LATE_PERMIT * sum(base.permit_hops_ms)
    found = list(names)
    begun = None
    for at, phrase in enumerate(heard):
        if names[at] in TICKS:
            begun = phrase.onset_ms
        elif names[at] in (*_AUCTION, *_BREAK):
            begun = None
        elif names[at] in PERMITS and begun is not None and phrase.onset_ms - begun > longest:
            found[at] = ""
        elif names[at] in PERMITS:
            begun = None
    return found


def _beeps(heard: Sequence[Phrase], names: list[str], base: Program) -> list[str]:
    """Call what sounds like a permit, but follows no press, the clock's beep.

    That is for a unit of which each press is heard, and for what is no permit that did follow one.
    """
    if not any(kind == "hour-beep" for kind, *_ in base.marks):
        return names
    follow, alone = _following(heard, names)
    clock = [at for at, name in enumerate(names) if name == "hour-beep"]
    notes = phrases.notes(base.cues["hour-beep"])
    beeps = [
        at
        for at in alone
        if phrases.has_rhythm(heard[at].beeps, notes)
        and not any(
            names[other] == names[at] and _alike(heard[at], heard[other]) for other in follow
        )
        and (not clock or any(_alike(heard[at], heard[other]) for other in clock))
    ]
    if len(alone) <= len(follow) or (len(follow) >= _FOLLOW and beeps == alone):
        return _again(heard, _named(names, beeps, "hour-beep"), beeps)
    is_press_heard = any(name in TICKS for name in names)
    return _named(names, beeps, _EITHER) if is_press_heard and len(beeps) > 1 else names


def _following(heard: Sequence[Phrase], names: list[str]) -> tuple[list[int], list[int]]:
    """Return the permits that follow their press, and those that follow none.

    Where several follow theirs by the same time, so must the others.
    """
    after: dict[int, float] = {}
    permits = []
    begun = None
    for at, name in enumerate(names):
        if name in TICKS:
            begun = heard[at].onset_ms
        elif name in PERMITS:
            permits.append(at)
            if begun is not None:
                after[at] = heard[at].onset_ms - begun
            begun = None
        elif name in (*_AUCTION, *_BREAK):
            begun = None
    usual = max(after.values(), key=lambda ms: _near(ms, after.values()), default=0.0)
    if _near(usual, after.values()) >= _FOLLOW:
        after = {at: ms for at, ms in after.items() if abs(ms - usual) < _NEAR_MS}
    return list(after), [at for at in permits if at not in after]


def _near(ms: float, times: Iterable[float]) -> int:
    return sum(abs(ms - time) < _NEAR_MS for time in times)


def _again(heard: Sequence[Phrase], names: list[str], places: list[int]) -> list[str]:
    """Name what is like none as what sounds the same at some places is named."""
    same = [
        at
        for at, name in enumerate(names)
        if not name and any(_alike(heard[at], heard[place]) for place in places)
    ]
    return _named(names, same, names[places[0]]) if places else names


def _alike(phrase: Phrase, other: Phrase) -> bool:
    """Return whether two phrases are one cue, heard twice."""
    return len(phrase.beeps) == len(other.beeps) and all(
        abs(beep.length_ms - again.length_ms) < _SAME_MS
        and abs(beep.hz / again.hz - 1) < _SAME_PITCH
        for beep, again in zip(phrase.beeps, other.beeps, strict=True)
    )


def _presses(heard: Sequence[Phrase], names: list[str], base: Program) -> list[str]:
    """Name an unrecognised phrase a press, if it comes in time before a permit or an end."""
    could = played(base)
    permits = _times_of(heard, names, PERMITS) if base.odds else []
    ends = _times_of(heard, names, ("auction-ended",))
    found = list(names)
    for at, phrase in enumerate(heard):
        if names[at] in could:
            continue
        if _is_near(phrase.onset_ms + sum(base.permit_hops_ms), permits):
            found[at] = "permit-started"
        elif _is_near(phrase.onset_ms + base.auction_ms[0], ends):
            found[at] = "auction-started"
    return found


def _marks(heard: Sequence[Phrase], names: list[str], base: Program) -> list[str]:
    """Name an unrecognised phrase after the clock's mark that it coincides with."""
    could = played(base)
    found = list(names)
    begun = None
    for at, phrase in enumerate(heard):
        if names[at] == "switched-on":
            begun = phrase.onset_ms
        elif names[at] not in could and begun is not None:
            left = base.clock_ms - (phrase.onset_ms - begun)
            kinds = [mark[0] for mark in base.marks if _is_near(left, _times(mark))]
            found[at] = kinds[0] if kinds else names[at]
    return found


def _times(mark: tuple) -> Sequence[int]:
    """Return how much of the game is left at each time of a span."""
    _, first, last, every, _ = mark
    return range(first, last - 1, -every) if every else (first,)


def _times_of(heard: Sequence[Phrase], names: list[str], which: tuple[str, ...]) -> list[float]:
    return [phrase.onset_ms for phrase, name in zip(heard, names, strict=True) if name in which]


def _is_near(ms: float, times: Sequence[float]) -> bool:
    return any(abs(ms - time) < _NEAR_MS for time in times)


def _named(names: list[str], places: list[int], name: str) -> list[str]:
    return [name if at in places else old for at, old in enumerate(names)]
