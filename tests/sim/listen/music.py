"""Music that no unit plays: a melody over chords, struck and sung, drawn from a seed."""

import numpy as np

RATE = 16_000
_SCALE = (0, 2, 4, 5, 7, 9, 11)


def music(seed: int, seconds: float) -> np.ndarray:
    """Return so many seconds at `RATE`, with an RMS of 0.1."""
    chance = np.random.default_rng(seed)
    sound = np.zeros(round(seconds * RATE) + RATE * 4)
    beat = 60 / chance.uniform(80, 140)
    root = 220 * 2 ** (chance.integers(0, 12) / 12)
    at, place = 0.0, 7
    while at < seconds:
        for degree in (0, 2, 4) if round(at / beat) % 4 == 0 else ():
            chord = root / 2 * 2 ** (_SCALE[(degree + chance.integers(0, 3)) % 7] / 12)
            _note(sound, at, beat * 3.5, chord, 0.25, chance)
        length = beat * chance.choice((0.5, 0.5, 1, 1, 2))
        place = int(np.clip(place + chance.integers(-2, 3), 0, 20))
        hz = root * 2 ** (place // 7 + _SCALE[place % 7] / 12)
        _note(sound, at, length * 0.9, hz, 0.6, chance)
        at += length
    sound = sound[: round(seconds * RATE)]
    return sound * 0.1 / np.sqrt(np.mean(sound**2))


def melody(seed: int, seconds: float) -> np.ndarray:
    """Return so many seconds of five notes and nothing else: no more than a unit may have."""
    chance = np.random.default_rng(seed)
    notes = chance.uniform(420, 900) * 2 ** (np.array([0, 2, 4, 7, 9]) / 12)
    sound = np.zeros(round(seconds * RATE) + RATE * 4)
    beat = 60 / chance.uniform(80, 140)
    at = 0.0
    while at < seconds:
        length = beat * chance.choice((0.5, 1, 1, 2))
        _note(sound, at, length * 0.9, notes[chance.integers(0, 5)], 0.6, chance)
        at += length
    sound = sound[: round(seconds * RATE)]
    return sound * 0.1 / np.sqrt(np.mean(sound**2))


def _note(
    sound: np.ndarray,
    at: float,
    length: float,
    hz: float,
    loudness: float,
    chance: np.random.Generator,
) -> None:
    count = round(length * RATE)
    time = np.arange(count) / RATE
    is_struck = chance.random() < 0.5
    shape = np.exp(-time * 3) if is_struck else np.ones(count)
    ramp = min(count // 2, round(0.01 * RATE))
    shape[:ramp] *= np.linspace(0, 1, ramp)
    shape[-ramp:] *= np.linspace(1, 0, ramp)
    tone = sum(
        np.sin(2 * np.pi * hz * order * time) / order**1.3
        for order in range(1, 6)
        if hz * order < RATE / 2
    )
    first = round(at * RATE)
    sound[first : first + count] += loudness * shape * tone
