"""Cues as sound, and the beeps that the lab finds in it."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
import soundfile

from city_unit.cues import CUES
from sim import cli
from sim.face import tones
from sim.lab.listen import listening, recording

Beep = tuple[int, int, int]  # onset ms, length ms, hz


def every_cue(cues: Mapping[str, tuple[int, ...]] = CUES) -> tuple[list[Beep], int]:
    """Return the beeps of all cues, with a second after each cue, and the end of the last."""
    heard, at = [], 500
    for cue in cues.values():
        for hz, ms in zip(cue[1::2], cue[2::2], strict=True):
            if hz:
                heard.append((at, ms, hz))
            at += ms
        at += 1000
    return heard, at


def sound(beeps: Iterable[Beep], end_ms: int, rate: int = tones.RATE) -> np.ndarray:
    changes = [change for at, ms, hz in beeps for change in ((at, hz), (at + ms, 0))]
    blocks = tones.render(changes, end_ms, rate=rate)
    return np.concatenate([np.asarray(block) for block in blocks]).astype(np.float64) / 32768


def recorded(
    scenario: Path, wav: Path, clock: float = 1.0, before_s: float = 0.0, noise: float = 0.0
) -> Path:
    """Record a scenario with a recorder whose clock runs `clock` times as fast."""
    assert cli.main(["export", str(scenario), str(wav)]) == 0
    played, rate = soundfile.read(wav)
    if before_s:
        played = np.concatenate([np.zeros(round(before_s * rate)), played, np.zeros(rate)])
    places = np.arange(round(len(played) * clock)) / clock
    played = np.interp(places, np.arange(len(played)), played)
    played += noise * np.random.default_rng(1).standard_normal(len(played))
    soundfile.write(wav, played, rate)
    return wav


def hear(
    path: Path, samples: np.ndarray, rate: int = tones.RATE, subtype: str = "PCM_16"
) -> list[listening.Beep]:
    soundfile.write(path, samples, rate, subtype=subtype)
    return listening.beeps(recording.read(str(path)).samples)


def is_heard_as(beep: listening.Beep, there: Beep) -> bool:
    at, ms, hz = there
    return (
        abs(beep.onset_ms - at) <= 2
        and abs(beep.length_ms - ms) <= 2
        and abs(beep.hz / hz - 1) <= 0.01
    )


def assert_all(heard: Sequence[listening.Beep], beeps: Sequence[Beep]) -> None:
    assert len(heard) == len(beeps)
    for beep, there in zip(heard, beeps, strict=True):
        assert is_heard_as(beep, there), there
