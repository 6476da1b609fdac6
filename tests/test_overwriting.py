"""Every command that writes a file asks before it overwrites one."""

from importlib import import_module
from pathlib import Path

import pytest

from city_game import save
from tests.city_game.play import random_game

SCENARIO = """
[[steps]]
at = "0 s"
do = "switch on"

[[steps]]
at = "9 s"
do = "end"

[[expect]]
at = "0 s"
event = "switched-on"
"""
COMMANDS = {  # and the file that is already there
    "sim.cli check a.toml --picture there.svg": "there.svg",
    "sim.cli lateness --port none --plot there.svg": "there.svg",
    "sim.cli export a.toml there.csv": "there.csv",
    "firmware.maker.wiring.__main__ --board pico --out there.svg": "there.svg",
    "firmware.maker.case.__main__ --picture there.png": "there.png",
    "firmware.maker.case.__main__ --out . --cells 3": "lid-3-cells.stl",
    "city_game.cli board template there.toml": "there.toml",
    "city_game.cli export evening.city": "evening-score.csv",
}


@pytest.mark.parametrize("line", COMMANDS)
def test_without_a_terminal_an_existing_file_is_kept_unless_forced(
    line, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    save.create(Path("evening.city"), random_game(4, 60)).close()
    module, *words = line.split()
    Path("a.toml").write_text(SCENARIO)
    there = Path(COMMANDS[line])
    there.write_text("mine")
    assert import_module(module).main(words) == 2
    said = capsys.readouterr().err
    assert f"{there} already exists; choose another name, or overwrite it with --force\n" in said
    assert there.read_text() == "mine" and said.count("\n") == 1
    if "case" in module or "none" in words:
        return  # the rest needs build123d, or a unit
    assert import_module(module).main([*words, "--force"]) == 0
    assert there.read_text() != "mine"
