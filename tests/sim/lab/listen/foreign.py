"""Foreign units: with auctions, permits and a clock like ours, but with sounds of their own.

A seed draws a unit and a game on it. Cues have one to six notes of one to four pitches from 500 to
5000 Hz. A unit may lack its warning, end signal, permits, clock, refusal or the sound of its
switch; a warning may differ from the end in rhythm alone. Our own engine is not used, so that the
learner cannot succeed by knowing it.

`python -m tests.sim.lab.listen.foreign CONDITION FIRST LAST` learns the units of some seeds in a
condition of `conditions.py`, and counts what was learned. "beeps" uses exact beeps; "telephone +
ordinary telephone" applies two conditions in turn.
"""

import random
import sys
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.signal import resample_poly

from city_unit.programs import PROGRAMS
from sim.face import tones
from sim.lab.listen import learning, listening
from sim.lab.listen.listening import Beep

Notes = tuple[tuple[int, int, int], ...]  # onset in the cue in ms, length in ms, Hz

HISS = 0.0006  # RMS of a quiet room; that of beeps is about 0.2
TELEPHONE_HZ = 3400  # upper limit of a telephone's band
BAND_AND_CODEC = "telephone + ordinary telephone"
PERMITS = ("permit-1", "permit-2", "permit-3", "permit-station")


class Unit(NamedTuple):
    """A unit: the notes of its cues, and its times in ms; 0 is none."""

    cues: dict[str, Notes]
    auction_ms: int
    warning_ms: int
    permit_ms: int
    clock_ms: int
    marks: tuple[int, ...]


class Played(NamedTuple):
    """A game: its unit, when each cue began, its beeps `(onset ms, end ms, Hz)`, its length."""

    unit: Unit
    events: tuple[tuple[int, str], ...]
    beeps: tuple[tuple[int, int, int], ...]
    end_ms: int


class Score(NamedTuple):
    """Names of the times and cues that sounded, and of those learned rightly and wrongly."""

    there: tuple[str, ...]
    right: tuple[str, ...]
    wrong: tuple[str, ...]
    of_times: tuple[str, ...]

    @property
    def is_learned(self) -> bool:
        """Whether all times were learned without a wrong value."""
        return set(self.of_times) <= set(self.right) and not self.wrong

    @property
    def is_whole(self) -> bool:
        """Whether all times and cues were learned without a wrong value."""
        return set(self.there) <= set(self.right) and not self.wrong


def unit(seed: int, highest: int = 5000) -> Unit:
    """Return the unit of a seed."""
    chance = random.Random(f"foreign {seed}")
    pitches = [hz * highest // 5000 if hz > highest else hz for hz in _pitches(chance)]
    cues: dict[str, Notes] = {}

    def cue(name: str, counts: Sequence[int], long: float = 0.4, hz: int = 0) -> None:
        """Draw a cue until it resembles no other."""
        while True:
            notes = _drawn(chance, [hz] if hz else pitches, chance.choice(counts), long)
            if not any(_is_like(notes, other) for other in cues.values()):
                break
        cues[name] = notes

    cues["auction-started"] = ((0, chance.randrange(20, 60), chance.choice(pitches)),)
    if chance.random() < 0.2:
        cue("auction-started", (2,), 0)
    cues["permit-started"] = cues["auction-started"]
    if chance.random() < 0.4:
        cue("permit-started", (1, 2), 0)
    has_end = chance.random() < 0.9
    has_warning = not has_end or chance.random() < 0.8
    if has_end:
        cue("auction-ended", (1, 2, 3, 4, 5, 6))
    if has_warning and has_end and chance.random() < 0.25:
        end = cues["auction-ended"]
        cue("auction-warning", (len(end),), 0.4, end[0][2])
    elif has_warning:
        cue("auction-warning", (1, 1, 2, 3))
    if chance.random() < 0.7:
        cue("refused", (2, 3), 0)
    if chance.random() < 0.8:
        cue("switched-on", (1, 2, 3))
    has_permits = chance.random() < 0.75
    if has_permits:
        for name in PERMITS[: chance.randrange(1, 5)]:
            cue(name, (1, 2, 3, 4), 0.2)
    clock, marks = 0, ()
    if chance.random() < 0.7:
        clock = chance.randrange(140_000, 200_000, 10)
        scale = chance.choice((0.5, 1, 1.5))
        lefts = chance.choice(((60, 30, 20, 10, 5, 3, 2, 1), (80, 40, 20, 10, 5), (50, 25, 12, 6)))
        marks = tuple(round(left * scale * 1000) for left in lefts)
        cue("hour-beep", (1, 2), 0.1)
        cue("hour-ended", (1, 3, 4, 5), 0.6)
    auction = chance.randrange(8000, 45_000, 10)
    lead = chance.randrange(2000, max(2500, auction // 3), 10) if has_warning else 0
    for first, ms, _hz in cues.get("auction-warning", ())[-1:]:
        lead = max(lead, first + ms + 600)  # a warning is over before the end
    permit = chance.randrange(600, 3000, 10) if has_permits else 0
    return Unit(cues, auction, lead, permit, clock, marks)


def play(seed: int, highest: int = 5000) -> Played:
    """Return a game of up to four auctions, some permits, and the whole clock if there is one."""
    its = unit(seed, highest)
    chance = random.Random(f"foreign game {seed}")
    on = 1000
    events = [(on, "switched-on")]
    at = on + chance.randrange(2000, 6000)
    over = on + its.clock_ms if its.clock_ms else 10**9
    auctions = chance.choice((2, 3, 4))
    builds = chance.randrange(3, 7)
    while auctions or builds:
        is_auction = auctions and (not builds or chance.random() < 0.5)
        if at + (its.auction_ms if is_auction else its.permit_ms) + 3000 > over:
            break
        if is_auction:
            auctions -= 1
            events.append((at, "auction-started"))
            events.append((at + its.auction_ms - its.warning_ms, "auction-warning"))
            events.append((at + its.auction_ms, "auction-ended"))
            if chance.random() < 0.4:
                later = chance.randrange(1000, its.auction_ms - its.warning_ms - 1000)
                events.append((at + later, "refused"))
            at += its.auction_ms + chance.randrange(1800, 9000)
        elif its.permit_ms:
            builds -= 1
            events.append((at, "permit-started"))
            sounds = [name for name in PERMITS if name in its.cues]
            events.append((at + its.permit_ms, chance.choice(sounds)))
            at += its.permit_ms + chance.randrange(2500, 9000)
        else:
            builds -= 1
    events += [(over - left, "hour-beep") for left in its.marks]
    if its.clock_ms:
        events.append((over, "hour-ended"))
    events = sorted(event for event in events if event[1] in its.cues)
    beeps: list[tuple[int, int, int]] = []
    for ms, name in events:  # one buzzer: a new sound cuts the last one off
        beeps = [(first, min(last, ms - 5), hz) for first, last, hz in beeps if first < ms - 5]
        beeps += [(ms + first, ms + first + length, hz) for first, length, hz in its.cues[name]]
    return Played(its, tuple(events), tuple(beeps), beeps[-1][1] + 3000)


def sound(played: Played, seed: int) -> np.ndarray:
    """Return a game as sound at 16 kHz, with the hiss of a quiet room."""
    changes = [change for first, last, hz in played.beeps for change in ((first, hz), (last, 0))]
    blocks = tones.render(changes, played.end_ms, rate=48_000)
    dry = np.concatenate([np.asarray(block) for block in blocks]).astype(float) / 32768
    dry = resample_poly(dry, 1, 3)
    return dry + np.random.default_rng(seed).normal(size=len(dry)) * HISS


def heard(played: Played, seed: int, off_ms: float = 0.3) -> list[Beep]:
    """Return the beeps of a game as measured in a clean recording, with small errors."""
    chance = random.Random(seed)
    return [
        Beep(
            first + chance.gauss(0, off_ms),
            max(5.0, last - first + chance.gauss(0, off_ms)),
            hz * (1 + chance.gauss(0, 0.0005)),
            -12.0,
        )
        for first, last, hz in played.beeps
    ]


def score(played: Played, beeps: Sequence[Beep]) -> Score:
    """Learn the unit from the recording, and compare."""
    its = played.unit
    found = learning.learn(beeps, PROGRAMS[0], "mine")
    mine = found.program
    kinds = Counter(name for _ms, name in played.events)
    times: dict[str, int] = {}
    if kinds["auction-ended"] > 1:
        times["auction_ms"] = its.auction_ms
        if kinds["auction-warning"] > 1:
            times["warning_ms"] = its.warning_ms
    if kinds["switched-on"] and kinds["hour-ended"]:
        times["clock_ms"] = its.clock_ms
    told: dict[str, float] = {}
    assumed: dict[str, float] = {}
    if found.is_unit:
        every = {"auction_ms": mine.auction_ms[0], "warning_ms": mine.warning_ms}
        every["clock_ms"] = mine.clock_ms
        told = {name: ms for name, ms in every.items() if name in found.values}
        assumed = {name: ms for name, ms in every.items() if name in found.assumed}
    near = {name for name, due in times.items() if _is_near({**told, **assumed}.get(name, 0), due)}
    right = [name for name in (*told, *assumed) if name in near]
    wrong = [name for name in told if name not in near]
    marks = [mark[1] for mark in mine.marks if mark[1]] if "marks" in found.values else []
    if found.is_unit and not all(any(_is_near(ms, due) for due in its.marks) for ms in marks):
        wrong.append("marks")
    sounded = {name for name in kinds if name in its.cues}
    for name in found.cues if found.is_unit else ():
        names = PERMITS if name in PERMITS else (name,)
        is_right = any(_is_same(mine.cues[name], its.cues.get(other, ())) for other in names)
        (right if is_right else wrong).append(name)
    return Score((*times, *sorted(sounded)), tuple(right), tuple(wrong), tuple(times))


def _pitches(chance: random.Random) -> list[int]:
    count = chance.choice((1, 2, 3, 4))
    pitches: list[int] = []
    while len(pitches) < count:
        hz = round(500 * 10 ** chance.random())
        if all(abs(hz / other - 1) > 0.08 for other in pitches):
            pitches.append(hz)
    return pitches


def _drawn(chance: random.Random, pitches: Sequence[int], count: int, long: float) -> Notes:
    notes, at = [], 0
    for _ in range(count):
        is_long = chance.random() < long
        ms = chance.randrange(200, 800) if is_long else chance.randrange(30, 150)
        notes.append((at, ms, chance.choice(pitches)))
        at += ms + chance.randrange(40, 180)
    return tuple(notes)


def _is_like(notes: Notes, others: Notes) -> bool:
    """Return whether an ear might take one cue for the other."""
    return len(notes) == len(others) and all(
        abs(hz / other_hz - 1) < 0.05 and abs(ms / other_ms - 1) < 0.3
        for (_, ms, hz), (_, other_ms, other_hz) in zip(notes, others, strict=True)
    )


def _is_near(ms: float, due_ms: int) -> bool:
    return abs(ms - due_ms) <= max(20, due_ms * 0.001)


def _is_same(cue: tuple[int, ...], notes: Notes) -> bool:
    heard, at = [], 0
    for hz, ms in zip(cue[1::2], cue[2::2], strict=True):
        if hz:
            heard.append((at, ms, hz))
        at += ms
    return len(heard) == len(notes) and all(
        abs(mine[0] - its[0]) <= 8
        and abs(mine[1] - its[1]) <= max(5, its[1] * 0.01)
        and abs(mine[2] / its[2] - 1) <= 0.01
        for mine, its in zip(heard, notes, strict=True)
    )


def main(condition: str, first: int, last: int) -> None:
    from tests.sim.lab.listen import conditions

    scores, heards = [], []
    for seed in range(first, last + 1):
        is_narrow = condition in ("telephone", BAND_AND_CODEC)
        played = play(seed, TELEPHONE_HZ if is_narrow else 5000)
        if condition == "beeps":
            beeps = heard(played, seed)
        else:
            chance = np.random.default_rng(seed)
            spoiled = sound(played, seed)
            for name in condition.split(" + "):
                spoiled = conditions.CONDITIONS[name](spoiled, chance, seed)
            beeps = listening.beeps(spoiled.astype(np.float32))
        heards.append(conditions.compare(played.beeps, beeps))
        scores.append(score(played, beeps))
        print(seed, scores[-1].is_learned, heards[-1], scores[-1], flush=True)
    there, found, false, *_told = map(sum, zip(*heards, strict=True))
    learned = sum(each.is_learned for each in scores)
    cues = sum(len(each.there) - len(each.of_times) for each in scores)
    right = sum(len(set(each.right) - set(each.of_times)) for each in scores)
    wrong = sum(len(each.wrong) for each in scores)
    print(
        f"{condition}, seeds {first} to {last}: {learned} of {len(scores)} units learned; "
        f"{right} of {cues} cues, {wrong} values wrong; beeps {found} of {there}, {false} false"
    )


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
