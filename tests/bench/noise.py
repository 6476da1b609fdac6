"""Noise to listen in: people who talk (espeak-ng), dice that roll, cards, glasses, knocks."""

import random
import subprocess
from pathlib import Path

import numpy as np
import soundfile
from scipy.signal import resample_poly

from sim.lab.listen.recording import RATE

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
