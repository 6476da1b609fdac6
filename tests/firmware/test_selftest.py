"""The self-test against the whole firmware, and a unit that has a fault."""

from argparse import Namespace

import pytest

from firmware.interpreters import available
from firmware.tool import selftest
from firmware.virtual.launch import VirtualBoard, lay
from tests.needs import needs


@pytest.fixture
def port(tmp_path):
    needs("unix" in available(), "the unix MicroPython")
    pytest.importorskip("pty", reason="no pseudo-terminals on this system")
    from firmware.virtual.supervisor import Supervised

    (tmp_path / "board").mkdir()
    lay(tmp_path / "board")
    with Supervised(VirtualBoard(tmp_path / "board"), tmp_path / "w.json") as name:
        yield name


def test_what_a_unit_can_tell_alone(port, capsys):
    assert selftest.run(Namespace(port=port, alone=True)) == 0
    told = capsys.readouterr().out
    assert "It says hello: unit, pico" in told
    assert told.count("  good  ") == 3
    assert told.endswith("All is well.\n")


def test_with_a_person_whose_build_button_is_not_wired(port, capsys, monkeypatch):
    asked = []
    answers = iter(["", "y", "n", "yes", "", "", "", ""])
    monkeypatch.setattr("builtins.input", lambda text: asked.append(text) or next(answers))
    monkeypatch.setattr(selftest, "PRESS_SECONDS", 1)
    await_press = selftest.pressed

    def press_and_await(unit, event):
        if event == "auction-started":
            unit.send("tap auction")
        return await_press(unit, event)

    monkeypatch.setattr(selftest, "pressed", press_and_await)
    assert selftest.run(Namespace(port=port, alone=False)) == 1
    assert len(asked) == 8
    assert "Not well: permit 2, BUILD." in capsys.readouterr().out


def test_no_unit_there(capsys):
    assert selftest.run(Namespace(port="/nowhere/at/all", alone=True)) == 1
    assert capsys.readouterr().err.count("\n") == 1
