"""Sound: the samples, and the device, which is closed while it is not needed."""

import wave
from itertools import chain, pairwise
from types import SimpleNamespace

import pygame
import pytest

from city_unit.cues import CUES
from sim.face import tones
from sim.face.speaker import AHEAD_S, REST_S, Speaker
from tests.helpers.desk import Desk

PITCHES = sorted({hz for cue in CUES.values() for hz in cue[1::2] if hz})


def rendered(changes, end_ms, **how):
    return list(chain.from_iterable(tones.render(changes, end_ms, **how)))


def crossings(samples) -> int:
    """Count how often the samples pass from below zero to zero or above."""
    return sum(a < 0 <= b for a, b in pairwise(samples))


def test_a_tone_has_exact_edges_its_pitch_and_no_click():
    for hz in PITCHES:
        samples = rendered([(7, hz), (32, 0)], 40)
        heard = [place for place, sample in enumerate(samples) if sample]
        assert (heard[0], heard[-1], len(samples)) == (7 * 32, 32 * 32 - 1, 40 * 32), hz
    for rate in (8000, 22050, 32000, 44100, 48000):
        assert 2699 <= crossings(rendered([(0, 2700)], 1000, rate=rate)) <= 2700, rate
    samples = rendered([(0, 2000), (100, 2700), (200, 0)], 200)  # without a pause in between
    assert 199 <= crossings(samples[:3200]) <= 200
    assert 269 <= crossings(samples[3200:]) <= 270
    assert len(tones.tone(2700, 32)) == 32  # shorter than the fading
    samples = [0, *tones.tone(2700, 25 * 32), 0]
    steepest_fading = max(abs(a - b) for a, b in pairwise(samples[:11]))
    assert steepest_fading < max(abs(a - b) for a, b in pairwise(samples)) / 5


def test_each_volume_is_louder_than_the_one_before():
    loudness = [max(tones.tone(2300, 640, volume)) for volume in range(4)]
    assert loudness[0] == 0
    assert loudness == sorted(set(loudness))


def test_a_file_has_the_rendered_samples_and_an_unfinished_one_is_removed(tmp_path):
    path = tmp_path / "beep.wav"
    tones.write_wav(path, [(10, 440), (20, 0)], 30)
    with wave.open(str(path)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, 32000)
        assert file.readframes(2000) == b"".join(
            tones.little_endian(block) for block in tones.render([(10, 440), (20, 0)], 30)
        )

    def broken():
        yield 0, 2700
        raise KeyError

    with pytest.raises(KeyError):
        tones.write_wav(tmp_path / "broken.wav", broken(), 30)
    assert list(tmp_path.iterdir()) == [path]


class Mixer:
    """A fake of pygame.mixer that records opening, closing and tones."""

    def __init__(self):
        self.is_open = False
        self.log = []
        self.fails = False

    def init(self, *_, **__):
        if self.fails:
            raise pygame.error("no such device")
        self.is_open = True
        self.log.append("open")

    def quit(self):
        self.is_open = False
        self.log.append("close")

    def Sound(self, buffer):
        assert self.is_open

        def play(_loops):
            self.log.append("tone")
            return SimpleNamespace(fadeout=lambda _ms: None)

        return SimpleNamespace(play=play)


class Loop:
    """The loop of a body with a speaker."""

    def __init__(self):
        self.now = 100.0
        self.mixer = Mixer()
        self.speaker = Speaker("test", lambda: self.now, self.mixer)

    def wait(self, seconds, due=None):
        """Pass time in turns of a quarter of a second; `due` is the time of the next tone."""
        end = self.now + seconds
        while self.now < end:
            self.now = min(self.now + 0.25, end)
            self.speaker.tend(None if due is None else due - self.now)
            self.speaker.join()


@pytest.fixture
def loop():
    return Loop()


def test_an_idle_device_is_closed_and_a_press_opens_it_before_its_tone(loop):
    loop.wait(REST_S - 0.5)
    assert loop.mixer.is_open
    loop.wait(1)
    assert loop.mixer.log == ["open", "close"]
    loop.speaker.wake()
    assert loop.mixer.is_open
    loop.speaker.show(1000, 2)
    loop.wait(3 * REST_S)  # a sounding tone keeps it open
    assert loop.mixer.log == ["open", "close", "open", "tone"]
    loop.speaker.show(0, 0)
    loop.wait(REST_S + 1)
    loop.speaker.show(1000, 2, 200)  # a tone that was not known in advance
    assert loop.mixer.log[4:] == ["close", "open", "tone"]


def test_it_is_open_well_before_a_tone_that_is_due(loop):
    due = loop.now + 60
    loop.wait(60 - AHEAD_S - 0.5, due)
    assert not loop.mixer.is_open
    loop.wait(1, due)
    assert loop.mixer.is_open
    loop.wait(AHEAD_S - 0.5, due)
    assert loop.mixer.log == ["open", "close", "open"]


def test_a_missing_device_is_reported_once_and_may_come_back(loop, capsys):
    loop.wait(REST_S + 1)
    loop.mixer.fails = True
    loop.speaker.show(1000, 2, 200)
    loop.speaker.show(0, 0)
    loop.mixer.fails = False
    loop.speaker.wake()
    assert not loop.mixer.is_open  # it is not retried in each turn
    loop.now += 1
    loop.speaker.wake()
    assert loop.mixer.is_open
    loop.speaker.show(1000, 2, 200)
    assert loop.mixer.log[-1] == "tone"
    assert capsys.readouterr().err == ""
    never = Mixer()
    never.fails = True
    speaker = Speaker("test", lambda: 0.0, never)
    speaker.tend(None)
    speaker.show(1000, 2)
    assert not speaker.is_working
    assert capsys.readouterr().err.count("\n") == 1


def test_the_next_tone_of_a_unit_is_known_in_advance_at_any_speed():
    desk = Desk()
    assert desk.controls.sounds_in_s() is None  # off
    desk.runner.switch(True)
    desk.wait(899)  # a second before the first beep
    assert desk.controls.sounds_in_s() == pytest.approx(1)
    desk.runner.speed = 2.0
    assert desk.controls.sounds_in_s() == pytest.approx(0.5)
    desk.runner.is_paused = True
    assert desk.controls.sounds_in_s() is None
    desk.runner.is_paused, desk.runner.speed = False, 1.0
    desk.wait(1.01)
    assert desk.runner.tone
    desk.wait(1)
    desk.runner.tap("auction")
    desk.wait(1)
    assert desk.controls.sounds_in_s() == 0  # during an auction the device stays open
