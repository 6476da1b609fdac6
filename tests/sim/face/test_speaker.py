"""The speaker and its sound device, which is released while nothing is to be heard."""

import pygame
import pytest

from sim.face.speaker import AHEAD_S, REST_S, Speaker


class Mixer:
    """Stands in for pygame.mixer: notes when a device is open, and the tones begun on it."""

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
        mixer = self

        class Sound:
            def play(self, _loops):
                mixer.log.append("tone")

                class Channel:
                    def fadeout(self, _ms): ...

                return Channel()

        return Sound()


class Desk:
    def __init__(self):
        self.now = 100.0
        self.mixer = Mixer()
        self.speaker = Speaker("test", lambda: self.now, self.mixer)

    def wait(self, seconds, due=None):
        """Let time pass in turns of a quarter of a second; `due` is the clock's next tone."""
        end = self.now + seconds
        while self.now < end:
            self.now = min(self.now + 0.25, end)
            self.speaker.tend(None if due is None else due - self.now)
            self.speaker.join()


@pytest.fixture
def desk():
    return Desk()


def test_a_device_without_work_is_released_after_some_seconds(desk):
    desk.wait(REST_S - 0.5)
    assert desk.mixer.is_open
    desk.wait(1)
    assert not desk.mixer.is_open
    assert desk.mixer.log == ["open", "close"]


def test_a_press_opens_it_before_its_tone(desk):
    desk.wait(REST_S + 1)
    desk.speaker.wake()
    assert desk.mixer.is_open
    desk.speaker.show(1000, 2, 200)
    assert desk.mixer.log == ["open", "close", "open", "tone"]
    desk.speaker.show(0, 0)
    desk.wait(REST_S + 1)
    desk.speaker.show(1000, 2, 200)  # a tone that nobody announced
    assert desk.mixer.log[4:] == ["close", "open", "tone"]


def test_it_is_open_well_before_a_tone_that_is_due(desk):
    due = desk.now + 60
    desk.wait(60 - AHEAD_S - 0.5, due)
    assert not desk.mixer.is_open
    desk.wait(1, due)
    assert desk.mixer.is_open
    desk.wait(AHEAD_S - 0.5, due)
    assert desk.mixer.log == ["open", "close", "open"]


def test_a_tone_that_sounds_keeps_it_open(desk):
    desk.speaker.show(1000, 2)
    desk.wait(3 * REST_S)
    assert desk.mixer.is_open
    desk.speaker.show(0, 0)
    desk.wait(REST_S + 1)
    assert not desk.mixer.is_open


def test_a_device_that_went_missing_meanwhile_is_no_fault_and_may_come_back(desk):
    desk.wait(REST_S + 1)
    desk.mixer.fails = True
    desk.speaker.show(1000, 2, 200)
    desk.speaker.show(0, 0)
    desk.mixer.fails = False
    desk.speaker.show(1000, 2, 200)
    assert desk.mixer.log[-1] == "tone"


def test_without_a_device_it_says_so_once(capsys):
    mixer = Mixer()
    mixer.fails = True
    speaker = Speaker("test", lambda: 0.0, mixer)
    speaker.tend(None)
    speaker.show(1000, 2)
    assert not speaker.is_working
    assert capsys.readouterr().err.count("\n") == 1
