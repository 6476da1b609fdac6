"""How well the lab listens in noise: games mixed with talk and table noise, and its findings.

0 dB means equal loudness: the RMS of the beeps while they sound is the RMS of the
whole noise. A beep is found if one of its pitch (within 1 %) is heard within 10 ms
of its onset; whatever else is heard is a false beep.
"""

import json
import random
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.signal import resample_poly

from city_unit.draws import Draws
from city_unit.drive import replay
from city_unit.facts import AUCTION, BUILD, SWITCH
from city_unit.settings import Settings
from city_unit.unit import Unit
from sim.face import tones
from sim.lab.listen.listening import Beep, beeps
from sim.lab.listen.recording import RATE

TOLERANCE_MS = 10
_LOUDNESS = 0.1  # RMS of the noise, 1 being full scale
_PER_MS = RATE // 1000


class Score(NamedTuple):
    """The share found of the beeps that were there.

    found  by pitch in Hz: how many were found, of how many
    false  reports without a beep
    """

    found: dict[int, tuple[int, int]]
    false: list[Beep]

    @property
    def total(self) -> tuple[int, int]:
        return (
            sum(found for found, _ in self.found.values()),
            sum(there for _, there in self.found.values()),
        )


class Point(NamedTuple):
    """The findings at one ratio of beeps to noise, in minutes of noise."""

    ratio_db: int
    minutes: float
    by_pitch: dict[int, tuple[int, int]]
    false: int

    @property
    def found(self) -> int:
        return sum(found for found, _ in self.by_pitch.values())

    @property
    def there(self) -> int:
        return sum(there for _, there in self.by_pitch.values())

    @property
    def percent(self) -> float:
        return 100 * self.found / self.there

    @property
    def false_in_ten_minutes(self) -> float:
        return self.false * 10 / self.minutes


def point(ratio_db: int, scores: Sequence[Score], minutes: float) -> Point:
    """Return the sum of the findings in several recordings."""
    by_pitch: dict[int, tuple[int, int]] = {}
    for score in scores:
        for hz, (found, there) in score.found.items():
            hits, count = by_pitch.get(hz, (0, 0))
            by_pitch[hz] = (hits + found, count + there)
    return Point(ratio_db, minutes, by_pitch, sum(len(score.false) for score in scores))


def game(seed: int, seconds: int) -> list[tuple[int, int, int]]:
    """Return the beeps of the last minutes of an hour: `(onset ms, length ms, Hz)`."""
    dice = random.Random(seed)
    changes = [(0, SWITCH)]
    at = 1500
    while at < (seconds - 3) * 1000:
        button = dice.choice((AUCTION, AUCTION, BUILD, BUILD, BUILD))
        held = dice.choice((80, 80, 80, 2300)) if button == AUCTION else 80
        changes += [(at, SWITCH | button), (at + held, SWITCH)]
        at += held + dice.choice((0, 21_000, 21_000, 55_000)) + dice.randint(300, 9000)
    settings = Settings()
    settings.clock_ms = (seconds - 5) * 1000
    lines: list[str] = []
    replay(Unit(settings, Draws(seed).below), changes, 0, seconds * 1000, lines.append)
    told = [line for line in map(json.loads, lines) if "tone" in line]
    whole = ((one["ms"], after["ms"] - one["ms"], one["tone"]) for one, after in pairwise(told))
    return [beep for beep in whole if beep[2] and beep[0] + beep[1] < seconds * 1000]


def sound(there: list[tuple[int, int, int]], seconds: int) -> np.ndarray:
    """Return the beeps as the unit plays them, of an RMS of 1 while they sound."""
    changes = [change for at, ms, hz in there for change in ((at, hz), (at + ms, 0))]
    blocks = [np.asarray(block) for block in tones.render(changes, seconds * 1000)]
    played = resample_poly(np.concatenate(blocks).astype(float), RATE, tones.RATE)
    sounding = [played[at * _PER_MS : (at + ms) * _PER_MS] for at, ms, _ in there]
    return played / np.sqrt(np.mean(np.concatenate(sounding) ** 2))


def listen(seed: int, noise: np.ndarray, ratio_db: float) -> Score:
    """Mix a game into the noise, that much louder, listen, and compare."""
    seconds = len(noise) // RATE
    there = game(seed, seconds)
    mixed = noise + sound(there, seconds) * 10 ** (ratio_db / 20)
    return compare(there, beeps(quiet(mixed)))


def quiet(sound: np.ndarray) -> np.ndarray:
    """Return sound of about an RMS of 1 as a recording holds it, far from full scale."""
    return (sound * _LOUDNESS).astype(np.float32)


def compare(there: list[tuple[int, int, int]], heard: list[Beep]) -> Score:
    left = list(heard)
    found: dict[int, tuple[int, int]] = {}
    for at, _, hz in there:
        near = [beep for beep in left if _is(beep, at, hz)]
        if near:
            left.remove(min(near, key=lambda beep: abs(beep.onset_ms - at)))
        hits, count = found.get(hz, (0, 0))
        found[hz] = (hits + bool(near), count + 1)
    return Score(found, left)


def _is(beep: Beep, at: int, hz: int) -> bool:
    return abs(beep.onset_ms - at) <= TOLERANCE_MS and abs(beep.hz / hz - 1) < 0.01
