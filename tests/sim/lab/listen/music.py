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


def blips(seed: int, seconds: float) -> np.ndarray:
    """Return short notes of four pitches, each with a faint octave, twice a second or so."""
    chance = np.random.default_rng(seed)
    sound = np.zeros(round(seconds * RATE))
    for beat in np.arange(0, seconds - 1, 0.5):
        if chance.random() < 0.6:
            hz = 1046.5 * 2 ** (chance.choice((0, 2, 4, 7)) / 12)
            _laid(sound, beat, _tone(hz, 0.15, {1: 0.1, 2: 0.02}) * np.exp(-_time(0.15)))
    return sound


def chords(seed: int, seconds: float) -> np.ndarray:
    """Return struck chords of two seconds and a melody above them, whose notes decay."""
    chance = np.random.default_rng(seed)
    sound = np.zeros(round(seconds * RATE))
    shape = {1: 1.0, 2: 0.5, 3: 0.3, 4: 0.2, 5: 0.1}
    for bar in range(int(seconds // 2)):
        for place in ((60, 64, 67), (57, 60, 64), (65, 69, 72), (67, 71, 74))[bar % 4]:
            chord = _tone(_of_key(place), 2, shape) * np.exp(-1.5 * _time(2))
            _laid(sound, bar * 2, 0.06 * chord)
        for quarter in range(4):
            if chance.random() < 0.8:
                place = chance.choice((72, 74, 76, 79, 81, 84, 86, 88))
                note = _tone(_of_key(place), 0.45, {1: 1, 2: 0.3, 3: 0.3, 4: 0.1, 5: 0.1})
                _laid(sound, bar * 2 + quarter / 2, 0.08 * note * np.exp(-1.5 * _time(0.45)))
    return sound


def led(seed: int, seconds: float) -> np.ndarray:
    """Return songs of a minute or two: struck chords under a lead of square waves, as games had."""
    chance = np.random.default_rng(seed)
    sound = chords(seed, seconds)
    song, beat, staccato, scale = 0.0, 0.0, 0.0, np.zeros(0)
    riff: list[tuple[float, float, bool]] = []
    at = 0.0
    while at < seconds - 3:
        if at >= song:
            song = at + chance.uniform(50, 130)
            beat, staccato = chance.uniform(0.2, 0.7), chance.uniform(0.3, 0.95)
            root = chance.uniform(500, 1200)
            scale = root * 2 ** (chance.choice(20, int(chance.integers(3, 8)), replace=False) / 12)
            rests, length = chance.choice((0.1, 0.3, 0.6)), int(chance.choice((8, 16, 32, 200)))
            riff = [
                (chance.choice(scale), chance.choice((0.5, 1, 1, 2)), chance.random() < rests)
                for _ in range(length)
            ]
        for hz, beats, is_rest in riff:
            if at >= min(song, seconds - 3):
                break
            if not is_rest:
                harmonics = {order: 0.2 / order for order in (1, 3, 5, 7) if hz * order < 7900}
                _laid(sound, at, _tone(hz, beats * beat * staccato, harmonics))
            at += beats * beat
    return sound


def _of_key(place: int) -> float:
    return 440 * 2 ** ((place - 69) / 12)


def _time(seconds: float) -> np.ndarray:
    return np.arange(round(seconds * RATE)) / RATE


def _tone(hz: float, seconds: float, harmonics: dict[int, float]) -> np.ndarray:
    time = _time(seconds)
    tone = sum(
        (loud * np.sin(2 * np.pi * hz * order * time) for order, loud in harmonics.items()),
        np.zeros(len(time)),
    )
    ramp = min(len(time) // 2, round(0.005 * RATE))
    tone[:ramp] *= np.linspace(0, 1, ramp)
    tone[-ramp:] *= np.linspace(1, 0, ramp)
    return tone


def _laid(sound: np.ndarray, at: float, tone: np.ndarray) -> None:
    first = round(at * RATE)
    last = min(len(sound), first + len(tone))
    sound[first:last] += tone[: last - first]
