"""When the next tone is due, which the sound device is opened for."""

import pytest

from tests.helpers.desk import Desk


def running():
    desk = Desk()
    desk.runner.switch(True)
    desk.wait(5)
    return desk


def test_nothing_is_due_while_the_unit_is_off():
    assert Desk().controls.sounds_in_s() is None


def test_an_auction_has_its_device_all_the_time():
    desk = running()
    desk.runner.tap("auction")
    desk.wait(1)
    assert desk.controls.sounds_in_s() == 0


def test_the_beeps_of_the_hour_are_known_ahead_at_any_speed():
    desk = running()
    tones = 0
    while not tones and desk.seconds < 7200:
        due = desk.controls.sounds_in_s()
        desk.wait(due - 1 if due and due > 1.5 else 1 if due is None else due)
        if due is not None and due > 1.5:
            before = desk.controls.sounds_in_s()
            assert before == pytest.approx(1)
            desk.runner.speed = 2.0
            assert desk.controls.sounds_in_s() == pytest.approx(0.5)
            desk.runner.is_paused = True
            assert desk.controls.sounds_in_s() is None
            desk.runner.is_paused, desk.runner.speed = False, 1.0
            desk.wait(1.01)
            tones += bool(desk.runner.tone)
    assert tones == 1
