"""The hour outlives its program: real processes, killed and stopped."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from city_unit import host
from city_unit.desktop.append_file import open_all
from tests.helpers.emulated import Emulated
from tests.helpers.needs import needs
from tests.helpers.patience import PATIENCE_S, until
from tests.helpers.terminal import RealTerminal

pytestmark = pytest.mark.real_time

PLAY = [sys.executable, "-m", "sim.cli", "play", "--terminal", "--seed", "1"]
STOPPED_S = 17
SHORTER = """
name = "short"
auction = "15 s"
warning = "5 s"
clock = "60 min"
[[marks]]
tell = "hour-ended"
left = "0 s"
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    needs(os.name == "posix", "a Unix terminal")
    (tmp_path / "settings.json").write_text('{"seconds": true}')  # of an auction, which are seen
    monkeypatch.setenv("CITY_UNIT_SETTINGS", str(tmp_path / "settings.json"))
    return tmp_path


@pytest.mark.parametrize("end", ["kill", pytest.param("term", marks=pytest.mark.slow), "q"])
def test_a_game_goes_on_whatever_ended_its_program(end):
    first = RealTerminal(PLAY)
    first.wait_for("q quit")
    first.type("o")
    first.wait_for("switched on: city")
    first.type("a")
    first.wait_for("auction   00:")
    if end == "q":
        first.type("q")
    else:
        first.process.send_signal(signal.SIGKILL if end == "kill" else signal.SIGTERM)
    first.process.wait(PATIENCE_S)
    first.close()
    second = RealTerminal(PLAY)
    second.wait_for("Your game goes on: ")
    second.type("r")
    second.wait_for("auction   00:")
    second.type("q")
    assert second.wait_for_end() == 0
    second.close()


def test_of_two_windows_at_once_the_first_keeps_its_game_and_the_other_says_so():
    first, second = RealTerminal(PLAY), None
    try:
        first.wait_for("q quit")
        first.type("o")
        first.wait_for("switched on: city")
        second = RealTerminal(PLAY)
        second.wait_for("q quit")
        assert "Your game goes on" not in second.text
        second.type("o")
        second.wait_for("Another window keeps its game already")
        second.type("b")
        second.wait_for("permit:")
        second.type("qq")
        assert second.wait_for_end() == 0
        first.type("q")
        assert first.wait_for_end() == 0
    finally:
        for terminal in filter(None, (first, second)):
            terminal.close()
    third = RealTerminal([*PLAY, "--resume"])
    third.wait_for_match(r"ready   5\d:")
    assert "permit:" not in third.text  # it is the first one's game
    third.type("q")
    assert third.wait_for_end() == 0
    third.close()


def test_without_a_window_the_game_goes_on_as_well(folder):
    headless = ["--headless", "--resume", "--listen", "127.0.0.1:0"]
    command = [sys.executable, "-m", "sim.cli", "play", *headless]
    path = folder / "game.jsonl"
    seeds = set()
    lived = []
    for _ in range(2):
        unit = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        until(lambda: _until(path) not in (0, *lived), unit.poll)
        unit.kill()
        unit.wait()
        lived.append(_until(path))
        seeds.add(json.loads(open_all(path.read_bytes()).texts[0])["seed"])
    assert len(seeds) == 1  # it is one game, drawn from one seed, that goes on and on
    assert lived == sorted(set(lived))


def test_without_a_window_a_game_that_is_not_to_be_kept_is_no_news(folder):
    unit = Emulated(folder, "--listen", "127.0.0.1:0", errors=subprocess.PIPE)
    try:
        with host.connect(unit.port, timeout=PATIENCE_S, history=True) as client:
            client.send("start 1000", PATIENCE_S)  # the game runs
            client.wait_for("auction-ended", timeout=PATIENCE_S)
    finally:
        unit.stop()
    assert unit.process.stderr.read() == ""
    assert not (folder / "game.jsonl").exists()


def _until(path):
    """Return up to when the game in a file is known to have lived, 0 if there is none."""
    lines = open_all(path.read_bytes()).texts if path.exists() else []
    return max((json.loads(line).get("until", 0) for line in lines[2:]), default=0)


@pytest.mark.slow
def test_a_program_that_was_stopped_for_longer_than_an_auction_says_what_was_missed(folder):
    (folder / "short.toml").write_text(SHORTER)
    terminal = RealTerminal([*PLAY, "--program", str(folder / "short.toml")])
    terminal.wait_for("q quit")
    terminal.type("o")
    terminal.wait_for("switched on: short")
    terminal.type("a")
    terminal.wait_for("auction started")
    terminal.process.send_signal(signal.SIGSTOP)
    time.sleep(STOPPED_S)  # the test is that this time is true
    terminal.process.send_signal(signal.SIGCONT)
    terminal.wait_for("An auction ended")
    terminal.text = ""
    minutes, seconds = terminal.wait_for_match(r"ready   (\d\d):(\d\d)").groups()
    assert 60 * int(minutes) + int(seconds) <= 3600 - STOPPED_S
    terminal.type("r")
    terminal.wait_for_match("(auction|warning)   00:")
    terminal.type("q")
    assert terminal.wait_for_end() == 0
    terminal.close()
