"""The command line: help, one line per error, and house rules."""

import os
import subprocess
import sys

import pytest

from city_game import editions, save
from city_game.cli import PROGRAM, main
from city_game.editions import is_short
from city_game.editions.city import EDITION
from city_game.editions.city.words import DECISIONS, SWITCHES
from city_game.game import Game
from city_game.kernel.switches import with_reversed
from tests.city_game.play import setup


def test_each_command_has_help(capsys):
    def helped(*words):
        with pytest.raises(SystemExit) as left:
            main([*words, "--help"])
        assert left.value.code == 0
        return capsys.readouterr().out

    shown = helped()
    for name, (_path, summary) in PROGRAM.commands.items():
        assert f"  {name:12}{summary}" in shown
        assert f"usage: city-game {name}" in helped(name)
    for option in ("--port", "--players", "--resume", "--rule", "--board"):
        assert option in helped("table")


MISTAKES = {
    "--prots auto": 'there is no option "--prots"; did you mean "--port"?',
    "--resum=x --quietly": '"--quietly" is not expected here; see `city-game table --help`',
    "simulat": 'there is no command "simulat"; did you mean "simulate"?',
    "xyz": 'there is no command "xyz"; `city-game --help` lists them',
    "--pace fast": '"fast" is not a number; see `city-game table --help`',
    "--seed x": '"x" is not a whole number',
    "--pace -1": "--pace takes 0 or more",
    "--rule nonsense": 'no house rule "nonsense"; `city-game rules` lists them',
    "--rule station_anywhere": 'did you mean "stations_anywhere"?',
    "simulate --games 0": "--games must be 1 or more",
    "simulate --bots planner": "--bots takes two to six",
    "simulate --bots planer,builder": 'unknown bot "planer"; did you mean "planner"?',
    "simulate --people 5": "--people takes 0 to 4",
    "simulate --rule reshufle": 'did you mean "reshuffle"',
    "simulate --edition clasic": 'there is no edition "clasic", did you mean "classic"?',
    "simulate --edition x": "(valid: anti-monopoly, championship, city, classic, france98)\n",
    "rules more": '"more" is not expected here; see `city-game rules --help`',
    "board": "see `city-game board --help`",
    "board chek": 'did you mean "check"?',
    "board show no-such-file": "cannot read no-such-file",
    "export --folder": "see `city-game export --help`",
    "export no-such-file": "cannot read no-such-file",
    "tournament cup --rule bye": 'did you mean "byes"?',
    "tournament cup --port 99999": "99999",
    "tournament": "name the tournament's file",
}


@pytest.mark.parametrize("words", MISTAKES)
def test_an_error_is_one_line(words, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(words.split()) == 2
    told = capsys.readouterr().err
    assert MISTAKES[words] in told
    assert told.startswith("city-game: ") and told.count("\n") == 1
    assert not [*tmp_path.iterdir()]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a screen")
@pytest.mark.parametrize("words", [("--players", "Ann,Bob"), ("--resume",)])
def test_without_a_screen_the_table_exits_and_saves_nothing(words, tmp_path):
    """SDL would draw invisibly for ever."""
    screens = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
    environment = {name: value for name, value in os.environ.items() if name not in screens}
    environment["CITY_GAME_FOLDER"] = str(tmp_path)
    command = [sys.executable, "-m", "city_game.cli", "--lang", "en", *words]
    if words == ("--resume",):
        save.create(tmp_path / "half.city", Game(setup())).close()
    before = sorted(tmp_path.iterdir())
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stderr.count("\n")) == (1, 1)
    assert "there is no screen" in run.stderr
    assert sorted(tmp_path.iterdir()) == before


def test_house_rules_are_reversed_by_name():
    for switch in SWITCHES:
        assert getattr(EDITION.rules(), switch.name) is switch.default
        assert with_reversed(SWITCHES, [switch.name]).changed() == {switch.name: not switch.default}
    with pytest.raises(KeyError, match="bid_twice"):
        EDITION.rules(bid_twice=True)


def test_in_a_short_hour_nobody_is_out_by_default():
    city, championship = editions.get("city"), editions.get("championship")
    assert [is_short(city, minutes) for minutes in (0, 50, 60, 90)] == [False, True, False, False]
    assert [is_short(championship, minutes) for minutes in (0, 45, 50)] == [False, True, False]
    assert with_reversed(SWITCHES, [], True).nobody_is_out
    assert not with_reversed(SWITCHES, ["nobody_is_out"], True).nobody_is_out
    assert with_reversed(SWITCHES, ["nobody_is_out"]).nobody_is_out


def test_rules_lists_everything_in_a_narrow_terminal(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "60")
    assert main(["rules"]) == 0
    listed = capsys.readouterr().out
    assert max(map(len, listed.splitlines())) <= 60
    shown = " ".join(listed.split())
    assert all(switch.name in shown and str(switch.why) in shown for switch in SWITCHES)
    assert all(str(decision).replace(" - ", " ") in shown for decision in DECISIONS)
