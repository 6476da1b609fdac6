"""The command line: its help teaches, and each mistake gets one line."""

import os
import subprocess
import sys

import pytest

from city_game.cli import PROGRAM, main
from city_game.game import Game
from city_game.saves import save
from tests.city_game.play import setup


def test_each_command_has_a_line_in_the_help_and_a_help_of_its_own(capsys):
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


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("--prots auto", 'there is no option "--prots"; did you mean "--port"?'),
        ("--resum=x --quietly", '"--quietly" is not expected here; see `city-game table --help`'),
        ("simulat", 'there is no command "simulat"; did you mean "simulate"?'),
        ("xyz", 'there is no command "xyz"; `city-game --help` lists them'),
        (
            "--pace fast",
            "argument --pace: invalid float value: 'fast'; see `city-game table --help`",
        ),
        ("--pace -1", "--pace takes 0 or more"),
        ("--rule nonsense", 'no house rule "nonsense"; `city-game rules` lists them'),
        ("--rule station_anywhere", 'did you mean "stations_anywhere"?'),
        ("simulate --game", "see `city-game simulate --help`"),
        ("simulate --games 0", "--games must be 1 or more"),
        ("simulate --bots planner", "--bots takes two to six"),
        ("simulate --bots planer,builder", 'unknown bot "planer"; did you mean "planner"?'),
        ("rules more", '"more" is not expected here; see `city-game rules --help`'),
        ("board", "see `city-game board --help`"),
        ("board chek", 'did you mean "check"?'),
        ("board show no-such-file", "cannot read the board no-such-file"),
        ("export --folder", "see `city-game export --help`"),
        ("export no-such-file", "cannot read no-such-file"),
    ],
)
def test_a_mistake_gets_one_line(words, says, capsys):
    assert main(words.split()) == 2
    told = capsys.readouterr().err
    assert says in told
    assert told.startswith("city-game: ")
    assert told.count("\n") == 1


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a screen")
@pytest.mark.parametrize("words", [(), ("--players", "Ann,Bob"), ("--resume",)])
def test_without_a_screen_the_table_says_so_and_leaves_no_game(words, tmp_path):
    """SDL would draw unseen, for ever, without having been asked to."""
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
