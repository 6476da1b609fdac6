"""The self-test with the whole firmware, and with faulty units."""

import json
import re
import shutil
from argparse import Namespace
from unittest.mock import Mock

import pytest

from city_unit import host
from city_unit.cues import CUES
from city_unit.desktop.errors import UNCHECKED, UserError
from city_unit.desktop.lamp_words import WORDS
from city_unit.facts import LAMPS
from firmware.tool import remote, selftest
from firmware.tool.remote import START
from firmware.tool.selftest import NEWS, cues, described, play
from firmware.virtual.launch import Supervised
from tests.helpers.mip import mpremote
from tests.helpers.patience import PATIENCE_S
from tests.helpers.quick import some_quick

CRASH = 'Traceback (most recent call last):\n  File "body", in run\nOSError: the wire brøke\n'


@pytest.fixture
def port(supervised, monkeypatch):
    monkeypatch.setattr(selftest, "START_SECONDS", PATIENCE_S)  # this computer may be slow
    monkeypatch.setattr(remote, "TRIES", (20, 40))
    return supervised[1]


def options(port, alone=True, as_json=False):
    return Namespace(port=port, alone=alone, json=as_json)


@pytest.mark.real_time
@pytest.mark.parametrize(
    "fault", some_quick(["a lamp shorted to ground", "a button held, low cells", "no divider"], 1)
)
def test_a_fault_is_in_the_report(real, tmp_path, capsys, fault):
    (real.folder / "crash.txt").write_text(CRASH, encoding="utf-8")
    if fault == "a button held, low cells":
        real.pin_text = "battery = 29\n"
        real.world.update(battery_mv=1900, changes=[[3000, 2]])
        held = "no button is pressed; closed: BUILD (GP15, unless pins.txt says otherwise)"
        wrong = [held, "the supply has 1900 mV"]
    elif fault == "no divider":
        real.pin_text = "battery = 29\n"
        wrong = ["the supply has 1 mV"]
    else:
        real.world["shorted"] = 20
        wrong = ["the pins of the lamps follow, one at a time"]
    (real.folder / "pins.txt").write_text(real.pin_text)
    with Supervised(real, tmp_path / "w.json") as port:
        if fault == "a button held, low cells":
            with host.connect(port, timeout=PATIENCE_S) as unit:
                while not any(getattr(news, "kind", "") == "permit-started" for news in unit):
                    pass
        assert selftest.run(options(port, as_json=True)) == 1
    report = json.loads(capsys.readouterr().out)
    assert [check["what"] for check in report["checks"] if not check["good"]] == wrong
    assert report["crash"] == CRASH
    assert report["good"] is False


def test_a_different_version_on_the_board_is_reported(monkeypatch, capsys):
    monkeypatch.setattr(selftest, "VERSION", "1.10.0")
    versions = {"1.9.9": "newer", "1.10.0": "", "1.10.1": "older", "0.20.0": "newer", "mine": ""}
    for there, age in versions.items():
        selftest.tell_version(there)
        output = capsys.readouterr().out
        assert (f"the {age} version 1.10.0" in output) if age else output == ""


def test_closed_buttons_are_named_with_the_pins_of_their_board():
    assert selftest.closed_buttons(4, "pico") == []
    both = [
        "AUCTION (32, unless pins.txt says otherwise)",
        "BUILD (33, unless pins.txt says otherwise)",
    ]
    assert selftest.closed_buttons(3 | 4, "generic-esp32-module") == both
    assert selftest.closed_buttons(1, "pico2") == ["AUCTION (GP14, unless pins.txt says otherwise)"]
    assert selftest.closed_buttons(2, "of-somebody-else") == ["BUILD"]


def test_a_person_is_asked_about_the_lamps_that_the_board_has_pins_for(monkeypatch):
    assert selftest.lamps_of("pico") == WORDS
    monkeypatch.setattr(selftest, "describe", lambda board: {"lamps": (3, 4)})
    assert selftest.lamps_of("esp32c3-module") == WORDS[:2]
    assert selftest.lamps_of("of-somebody-else") == WORDS


def test_each_cue_is_asked_for_once_and_described_in_words():
    asked = cues()
    meanings = sorted(news for line, _ in asked for news in line.split(", "))
    assert meanings == sorted(str(NEWS[name]) for name in CUES)
    assert len({cue for _, cue in asked}) == len(asked)
    for name, words in {
        "switched-on": "2 short notes, rising",
        "choice": "1 very short note",
        "refused": "3 very short notes, low",
        "auction-ended": "1 short note, then 1 long note",
        "auction-cancelled": "1 short note, then 1 long note, falling",
        "hour-ended": "3 short notes, then 1 long note",
    }.items():
        assert described(CUES[name]) == words


@pytest.mark.real_time
def test_with_a_person_whose_build_button_is_not_wired(port, capsys, monkeypatch):
    asked = []
    lamps = ["", "y", "maybe", "yy", "yn", "r", "no", "yes", *[""] * (len(LAMPS) - 4)]
    answers = iter([*lamps, "r", *[""] * len(cues())])
    monkeypatch.setattr("builtins.input", lambda text: asked.append(text) or next(answers))
    monkeypatch.setattr(selftest, "PRESS_SECONDS", 1)
    monkeypatch.setattr(selftest, "VERSION", "9.0.1")
    played = []
    monkeypatch.setattr(selftest, "play", lambda unit, cue: played.append(cue))
    await_press = selftest.pressed

    def press_and_await(unit, event):
        if event == "auction-started":
            unit.send("tap auction", PATIENCE_S)
        return await_press(unit, event)

    monkeypatch.setattr(selftest, "pressed", press_and_await)
    assert selftest.run(options(port, alone=False)) == 1
    every = [cue for _, cue in cues()]
    assert [cue for cue in played if cue] == [every[0], *every]
    assert len(asked) == len(lamps) + len(every) + 1
    output = capsys.readouterr().out
    assert f"  This tool has the newer version 9.0.1; install it with: {START} flash\n" in output
    assert output.count("Please answer y or n.") == 4
    assert "Failed: the lamp permit 2; the button BUILD." in output


def test_a_cue_is_sent_tone_by_tone():
    recorder = Mock()
    play(recorder, (4, 1800, 20, 0, 10, 2300, 30))
    sent = [call.args[0] for call in recorder.send.call_args_list]
    assert sent == ["show 0 1800 20", "show 0 0 10", "show 0 2300 30"]


def test_without_a_unit_the_error_says_to_connect_it(monkeypatch):
    with pytest.raises(UserError, match="/nowhere/at/all") as gone:
        selftest.run(options("/nowhere/at/all"))
    assert gone.value.code == UNCHECKED and "\n" not in str(gone.value)
    monkeypatch.setattr(host, "find", list)
    with pytest.raises(UserError, match=r"^no unit found; connect the board with a USB") as none:
        selftest.run(options("auto"))
    assert none.value.code == UNCHECKED and "city-unit play" not in str(none.value)


@pytest.mark.slow
@pytest.mark.real_time
def test_a_unit_stopped_by_a_tool_is_restarted(port, capsys):
    mpremote(port, "cat", ":main.py")
    assert selftest.run(options(port)) == 0
    output = capsys.readouterr().out
    assert "another tool used the board. It has been restarted.\n" in output
    assert output.endswith("All is well.\n")


@pytest.mark.slow
@pytest.mark.real_time
@pytest.mark.parametrize(
    ("pins", "reason"),
    [
        (b"bild = 3\n", "its board says: The unit cannot start: pins.txt: bild = 3: no such name"),
        (b"\xef\xbb\xbfswitch = 13\n", "begins with an invisible mark (BOM)"),
        (b"link = uart\n", "pins.txt says link = uart: the unit answers on those two"),
        (None, "but not the unit; install it with:"),
    ],
)
def test_the_reason_of_a_silent_board_is_reported(real, port, pins, reason):
    """Its pin file is wrong, its link is a UART or, with None, the unit is not on it."""
    if pins is None:
        for path in real.folder.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    else:
        (real.folder / "pins.txt").write_bytes(pins)
    mpremote(port, "reset")
    with pytest.raises(UserError, match=re.escape(reason)) as caught:
        selftest.run(options(port))
    assert caught.value.code == 1
