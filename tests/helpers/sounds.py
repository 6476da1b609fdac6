"""Cues as sound, and what is heard of them."""

import numpy as np
import soundfile

from city_unit.cues import CUES
from sim.face import tones
from sim.listen.beeps import listening
from sim.listen.sound import recording


def every_cue():
    """Return each beep of each cue, a second apart: `(onset ms, length ms, hz)`."""
    heard, at = [], 500
    for cue in CUES.values():
        for hz, ms in zip(cue[1::2], cue[2::2], strict=True):
            if hz:
                heard.append((at, ms, hz))
            at += ms
        at += 1000
    return heard, at


def sound(beeps, end_ms, rate=tones.RATE):
    changes = [change for at, ms, hz in beeps for change in ((at, hz), (at + ms, 0))]
    blocks = tones.render(changes, end_ms, rate=rate)
    return np.concatenate([np.asarray(block) for block in blocks]).astype(np.float64) / 32768


def hear(path, samples, rate=tones.RATE, subtype="PCM_16"):
    soundfile.write(path, samples, rate, subtype=subtype)
    return listening.beeps(recording.read(str(path)).samples)


def is_heard_as(beep, there):
    at, ms, hz = there
    return (
        abs(beep.onset_ms - at) <= 2
        and abs(beep.length_ms - ms) <= 2
        and abs(beep.hz / hz - 1) <= 0.01
    )


def assert_all(heard, beeps):
    assert len(heard) == len(beeps)
    for beep, there in zip(heard, beeps, strict=True):
        assert is_heard_as(beep, there), there
