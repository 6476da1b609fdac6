"""The self-test against the whole firmware, and a unit that has a fault."""

import json
import re
from argparse import Namespace

import pytest

from city_unit import host
from city_unit.cues import CUES
from firmware.interpreters import available
from firmware.tool import selftest
from firmware.virtual.launch import VirtualBoard, lay
from tests.needs import needs

CRASH = 'Traceback (most recent call last):\n  File "body", in run\nOSError: the wire brøke\n'


@pytest.fixture
def board(tmp_path):
    needs("unix" in available(), "the unix MicroPython")
    pytest.importorskip("pty", reason="no pseudo-terminals on this system")
    (tmp_path / "board").mkdir()
    lay(tmp_path / "board")
    return VirtualBoard(tmp_path / "board")


@pytest.fixture
def port(board, tmp_path):
    from firmware.virtual.supervisor import Supervised

    with Supervised(board, tmp_path / "w.json") as name:
        yield name


def options(port, alone=True, as_json=False):
    return Namespace(port=port, alone=alone, json=as_json)


def test_what_a_unit_can_tell_alone(port, capsys):
    assert selftest.run(options(port)) == 0
    told = capsys.readouterr().out
    assert "It says hello: unit, pico" in told
    assert told.count("  good  ") == 6
    assert re.search(r"awake for \d+\.\d % of its time", told)
    assert told.endswith("All is well.\n")


@pytest.mark.parametrize("fault", ["a lamp shorted to ground", "a button held, low cells"])
def test_what_is_wrong_is_in_the_report(board, tmp_path, capsys, fault):
    from firmware.virtual.supervisor import Supervised

    (board.folder / "crash.txt").write_text(CRASH, encoding="utf-8")
    if fault == "a button held, low cells":
        board.pin_text = "battery = 29\n"
        board.world.update(battery_mv=1900, changes=[[3000, 2]])
        wrong = ["no button is pressed", "the supply has 1900 mV"]
    else:
        board.world["shorted"] = 20
        wrong = ["the pins of the lamps follow, one at a time"]
    (board.folder / "pins.txt").write_text(board.pin_text)
    with Supervised(board, tmp_path / "w.json") as port:
        if fault == "a button held, low cells":
            with host.connect(port) as unit:
                while not any(getattr(news, "kind", "") == "permit-started" for news in unit):
                    pass
        assert selftest.run(options(port, as_json=True)) == 1
    report = json.loads(capsys.readouterr().out)
    assert [check["what"] for check in report["checks"] if not check["good"]] == wrong
    assert report["crash"] == CRASH
    assert report["good"] is False


def test_each_cue_is_asked_for_once_and_none_is_left_out():
    asked = selftest.cues()
    assert sorted(name for names, _ in asked for name in names.split(", ")) == sorted(CUES)
    assert len({cue for _, cue in asked}) == len(asked)


def test_with_a_person_whose_build_button_is_not_wired(port, capsys, monkeypatch):
    asked = []
    answers = iter(["", "y", "n", "yes", "", "r", *[""] * len(selftest.cues())])
    monkeypatch.setattr("builtins.input", lambda text: asked.append(text) or next(answers))
    monkeypatch.setattr(selftest, "PRESS_SECONDS", 1)
    played = []
    monkeypatch.setattr(selftest, "play", lambda unit, cue: played.append(cue))
    await_press = selftest.pressed

    def press_and_await(unit, event):
        if event == "auction-started":
            unit.send("tap auction")
        return await_press(unit, event)

    monkeypatch.setattr(selftest, "pressed", press_and_await)
    assert selftest.run(options(port, alone=False)) == 1
    every = [cue for _, cue in selftest.cues()]
    assert played == [every[0], *every]
    assert len(asked) == len(selftest.LAMPS) + len(played)
    assert "Not well: permit 2, BUILD." in capsys.readouterr().out


def test_a_cue_is_sent_tone_by_tone():
    class Recorder:
        def __init__(self):
            self.sent = []

        def send(self, text):
            self.sent.append(text)

        def poll(self, _timeout):
            pass

    recorder = Recorder()
    selftest.play(recorder, (4, 1800, 20, 0, 10, 2300, 30))
    assert recorder.sent == ["show 0 1800 20", "show 0 0 10", "show 0 2300 30"]


def test_no_unit_there(capsys):
    assert selftest.run(options("/nowhere/at/all")) == 1
    assert capsys.readouterr().err.count("\n") == 1
