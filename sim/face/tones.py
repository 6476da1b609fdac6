"""Compute the buzzer's sound as samples: signed 16-bit integers, one channel.

A tone fades in and out within its own length, so it does not click and its edges do not shift:
its first sample that is not zero is exactly at the due time.
"""

import math
import sys
import wave
from array import array
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from city_unit.desktop.files import writing_whole

RATE = 32000  # samples per second: 32 per millisecond, so that each edge is at a whole sample
FADE_MS = 2.5
LOUDEST = 11000  # amplitude of volume 3, of 32767
VOLUMES = (0.0, 0.16, 0.4, 1.0)  # steps of about 8 dB

# The harmonics `(n, amplitude)` of a soft square wave, like the sound of a small piezo in a case.
HARMONICS = ((1, 1.0), (3, 0.22), (5, 0.07))

BLOCK = 1 << 16  # samples per block of silence


def tone(hz: int, samples: int, volume: int = 3, rate: int = RATE) -> array:
    """Return a tone of `hz` and `samples` samples, at a volume from 0 to 3."""
    cycle = _cycle(hz, volume, rate)
    wave_form = cycle * (samples // len(cycle) + 1)
    del wave_form[samples:]
    fade = min(round(FADE_MS * rate / 1000), samples // 2)
    for place in range(fade):
        gain = (place + 0.5) / fade
        wave_form[place] = _away_from_zero(wave_form[place] * gain)
        wave_form[-1 - place] = _away_from_zero(wave_form[-1 - place] * gain)
    return wave_form


def render(changes: Iterable[tuple[int, int]], end_ms: int, rate: int = RATE) -> Iterator[array]:
    """Yield the sound from 0 to `end_ms` at full volume, block by block.

    changes  `(ms, hz)` in order of time: the pitch from `ms` on; 0 is silence
    """
    begin = hz = 0
    for ms, next_hz in changes:
        end = min(ms, end_ms) * rate // 1000
        yield from _stretch(hz, end - begin, rate)
        begin, hz = end, next_hz
    yield from _stretch(hz, end_ms * rate // 1000 - begin, rate)


def write_wav(
    path: str | Path,
    changes: Iterable[tuple[int, int]],
    end_ms: int,
    rate: int = RATE,
    progress: Callable[[float], None] = lambda part: None,
) -> None:
    """Write the sound as a WAV file, atomically. Raises OSError.

    progress  called now and then with the written fraction, from 0 to 1
    """
    with writing_whole(path) as raw, wave.open(raw, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.setnframes(end_ms * rate // 1000)
        for block in render(changes, end_ms, rate=rate):
            file.writeframesraw(little_endian(block))
            progress(file.tell() / max(1, end_ms * rate // 1000))


def little_endian(samples: array) -> bytes:
    """Return the samples as the bytes of a WAV file."""
    if sys.byteorder == "big":
        samples = samples[:]
        samples.byteswap()
    return samples.tobytes()


def _stretch(hz: int, samples: int, rate: int) -> Iterator[array]:
    if hz and samples:
        yield tone(hz, samples, rate=rate)
        return
    silence = array("h", bytes(2 * BLOCK))
    for _ in range(samples // BLOCK):
        yield silence
    yield silence[: samples % BLOCK]


@lru_cache(maxsize=64)
def _cycle(hz: int, volume: int, rate: int) -> array:
    """Return the samples of the shortest period after which the sampled tone repeats."""
    length = rate // math.gcd(rate, hz)
    harmonics = [(n, part) for n, part in HARMONICS if n * hz < rate / 2] or [HARMONICS[0]]
    angles = (math.tau * place / 360 for place in range(90))
    peak = max(sum(part * math.sin(n * angle) for n, part in harmonics) for angle in angles)
    loud = LOUDEST * VOLUMES[volume] / peak
    turn = 2 * math.pi * hz / rate
    # The phase is shifted by half a sample, so that no sample near the onset is exactly zero.
    return array(
        "h",
        (
            round(loud * sum(part * math.sin(n * turn * (place + 0.5)) for n, part in harmonics))
            for place in range(length)
        ),
    )


def _away_from_zero(value: float) -> int:
    return math.ceil(value) if value > 0 else math.floor(value)
