"""Listening in noise: how many beeps of whole games are found at several signal-to-noise ratios.

At 0 dB the RMS of the beeps, while they sound, equals the RMS of the whole noise. A beep is found
if one is heard within 10 ms of its onset and 1 % of its pitch; all other beeps are false. The noise
is speech (from espeak-ng), rolling dice, cards, glasses and knocks. No threshold was chosen on
these seeds.
"""

import json
import random
import shutil
import subprocess
import tempfile
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import soundfile
from scipy.signal import resample_poly

from city_unit.desktop.command import Progress
from city_unit.draws import Draws
from city_unit.drive import replay
from city_unit.facts import AUCTION, BUILD, SWITCH
from city_unit.settings import Settings
from city_unit.unit import Unit
from sim.face import tones
from sim.lab.listen.listening import Beep, beeps
from sim.lab.listen.recording import RATE
from tests.bench import Figure, NotMeasured

SEEDS = (101, 102)
LONG_SEEDS = (101, 102, 103, 104, 105, 106, 107, 108)
SECONDS = 300
RATIOS_DB = (-10, -5, 0, 5, 10, 15, 20)
NEAR_MS, NEAR_PITCH = 10, 0.01
WANTED = 0.95
FALSE_IN_TEN_MINUTES = 1
_LOUDNESS = 0.1  # RMS of the noise, 1 being full scale


class Score(NamedTuple):
    """Numbers of beeps by pitch in Hz: played, and found of these; and of false beeps."""

    there: Counter[int]
    found: Counter[int]
    false: int


def run(options: Namespace) -> Iterator[Figure]:
    """Yield a figure for each ratio, and one for the noise alone."""
    if not shutil.which("espeak-ng"):
        raise NotMeasured("the voices come from espeak-ng: install it first")
    seeds = LONG_SEEDS if options.long else SEEDS
    minutes = len(seeds) * SECONDS / 60
    line = Progress()
    with tempfile.TemporaryDirectory() as folder:
        noises = {seed: at_a_table(seed, SECONDS, Path(folder)) for seed in seeds}
    for place, ratio in enumerate(RATIOS_DB):
        scores = []
        for seed, beside in noises.items():
            scores.append(listen(seed, beside, ratio))
            part = (place + len(scores) / len(seeds)) / (len(RATIOS_DB) + 1)
            line.show(f"listening in noise at {ratio:+d} dB", part)
        yield _figure(ratio, total(scores), minutes)
    alone = sum(len(beeps(quiet(beside))) for beside in noises.values())
    line.wipe()
    yield Figure(
        "false beeps in the noise alone",
        f"{alone} in {minutes:g} minutes",
        "at most 1 in ten",
        alone <= FALSE_IN_TEN_MINUTES * minutes / 10,
    )


def _figure(ratio: int, score: Score, minutes: float) -> Figure:
    found, there = score.found.total(), score.there.total()
    often = score.false * 10 / minutes
    is_wanted = ratio == 0
    pitches = sorted(score.there.items())
    return Figure(
        f"{ratio:+d} dB, {minutes:g} minutes",
        f"{found} of {there} found, {100 * found / there:.1f} %; "
        f"{score.false} false, {often:.1f} in ten minutes",
        "95 % and 1" if is_wanted else "",
        found >= WANTED * there and often <= FALSE_IN_TEN_MINUTES if is_wanted else None,
        ", ".join(f"{hz} Hz {score.found[hz]}/{count}" for hz, count in pitches),
    )


def listen(seed: int, noise: np.ndarray, ratio_db: float) -> Score:
    """Mix a game into the noise at a ratio, find its beeps, and score them."""
    seconds = len(noise) // RATE
    there = game(seed, seconds)
    return compare(there, beeps(quiet(noise + sound(there, seconds) * 10 ** (ratio_db / 20))))


def game(seed: int, seconds: int) -> list[tuple[int, int, int]]:
    """Return the beeps `(onset ms, length ms, Hz)` of the last minutes of an hour."""
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
    """Return the sound of a unit's beeps, with an RMS of 1 while they sound."""
    changes = [change for at, ms, hz in there for change in ((at, hz), (at + ms, 0))]
    blocks = [np.asarray(block) for block in tones.render(changes, seconds * 1000)]
    played = resample_poly(np.concatenate(blocks).astype(float), RATE, tones.RATE)
    per_ms = RATE // 1000
    sounding = [played[at * per_ms : (at + ms) * per_ms] for at, ms, _ in there]
    return played / np.sqrt(np.mean(np.concatenate(sounding) ** 2))


def quiet(sound: np.ndarray) -> np.ndarray:
    """Scale sound of an RMS of about 1 to the level of a recording, far below full scale."""
    return (sound * _LOUDNESS).astype("float32")


def compare(there: list[tuple[int, int, int]], heard: Sequence[Beep]) -> Score:
    left = list(heard)
    found: Counter[int] = Counter()
    for at, _, hz in there:
        near = [
            beep
            for beep in left
            if abs(beep.onset_ms - at) <= NEAR_MS and abs(beep.hz / hz - 1) < NEAR_PITCH
        ]
        if near:
            left.remove(min(near, key=lambda beep: abs(beep.onset_ms - at)))
            found[hz] += 1
    return Score(Counter(hz for _, _, hz in there), found, len(left))


def total(scores: Sequence[Score]) -> Score:
    """Return the sum of several scores."""
    there = sum((score.there for score in scores), Counter[int]())
    found = sum((score.found for score in scores), Counter[int]())
    return Score(there, found, sum(score.false for score in scores))


TALK = {
    "en": (
        "I bid two million for the docks",
        "Roll the dice please, whose turn is it now",
        "Who called last before the light went out",
        "Seven, you pass go, take your money",
    ),
    "fr": (
        "Je propose deux millions pour les docks",
        "Lance les dés, c'est à toi",
        "Encore une gare, quelle chance",
    ),
    "de": (
        "Ich biete drei Millionen",
        "Du bist dran, würfle endlich",
        "Das Licht ist aus, verkauft",
    ),
}
VOICES = ("", "+f1", "+f2", "+f3", "+f4", "+m1", "+m3", "+m5", "+m7", "+croak", "+whisper")


def at_a_table(seed: int, seconds: int, folder: Path) -> np.ndarray:
    """Return noise of an RMS of 1: talk by espeak-ng, and rattle."""
    dice = random.Random(seed)
    noise = 0.8 * _level(_talk(dice, seconds, folder)) + 0.6 * _level(_rattle(dice, seconds))
    return _level(noise)


def _level(sound: np.ndarray) -> np.ndarray:
    return sound / np.sqrt(np.mean(sound**2))


def _talk(dice: random.Random, seconds: int, folder: Path) -> np.ndarray:
    out = np.zeros(seconds * RATE)
    path = folder / "talk.wav"
    for _ in range(dice.randint(1, 3)):
        at = 0
        while at < len(out):
            language = dice.choice(list(TALK))
            words = ". ".join(dice.sample(TALK[language], len(TALK[language])))
            voice = ["-v", language + dice.choice(VOICES), "-p", str(dice.randint(20, 80))]
            speed = ["-s", str(dice.randint(130, 220))]
            subprocess.run(["espeak-ng", *voice, *speed, "-w", str(path), words], check=True)
            spoken, rate = soundfile.read(path)
            said = resample_poly(spoken, RATE, rate)[: len(out) - at]
            out[at : at + len(said)] += said * dice.uniform(0.6, 1)
            at += len(said) + round(dice.uniform(0.1, 1) * RATE)
    return out


def _rattle(dice: random.Random, seconds: int) -> np.ndarray:
    random_draws = np.random.default_rng(dice.randrange(1 << 32))
    out = random_draws.normal(size=seconds * RATE) * 0.01

    def put(at: float, sound: np.ndarray) -> None:
        place = round(at * RATE)
        room = out[place : place + len(sound)]
        room += sound[: len(room)]

    def struck(hz: float, fades: float, length: float) -> np.ndarray:
        time = np.arange(round(length * RATE)) / RATE
        return np.sin(2 * np.pi * hz * time) * np.exp(-time / fades)

    at = 0.0
    while at < seconds - 3:
        what = dice.choice(("dice", "dice", "cards", "glass", "knock"))
        if what == "dice":
            gap, moment = 0.09, at
            for _ in range(dice.randint(6, 18)):
                click = random_draws.normal(size=480) * np.exp(-np.arange(480) / 40)
                ring = struck(dice.uniform(900, 4500), dice.uniform(0.003, 0.012), 0.03)
                put(moment, (click + 2 * ring) * dice.uniform(0.3, 1))
                moment += gap * dice.uniform(0.3, 1.3)
                gap *= 0.93
        elif what == "cards":
            length = round(dice.uniform(0.3, 0.8) * RATE)
            put(at, random_draws.normal(size=length) * 0.25 * np.hanning(length))
        elif what == "knock":
            for low, high in ((150, 400), (400, 900), (900, 2500)):
                put(at, 2 * struck(dice.uniform(low, high), dice.uniform(0.01, 0.03), 0.15))
        else:
            for hz in (dice.uniform(1500, 2500), dice.uniform(2600, 5000)):
                put(at, 0.5 * struck(hz, dice.uniform(0.03, 0.12), 0.5))
        at += dice.expovariate(1 / 1.2)
    return out
