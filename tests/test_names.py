"""Names with accents, in other scripts and with emoji are preserved everywhere."""

from dataclasses import replace

import pytest

from city_game import cli as game
from city_game import save
from city_game.game import Game
from city_unit.programs import PROGRAMS
from sim import cli as unit
from sim.engine import program_file, program_text
from tests.city_game.play import random_game

NAMES = ("Zoé", "François 🎲", "Ольга")
FILE = "soirée d’été 🎲"


@pytest.fixture(params=["C.UTF-8", "C"])
def folder(tmp_path, monkeypatch, request):
    """A folder with an accent in its name, in two locales."""
    monkeypatch.setenv("LC_ALL", request.param)
    path = tmp_path / "à la maison"
    path.mkdir()
    return path


def test_a_game_is_saved_resumed_and_exported(folder, capsys):
    path = folder / f"{FILE}.city"
    played = random_game(3, 40)
    begun = Game(replace(played.setup, names=NAMES))
    growing = save.create(path, begun)
    for action in played.actions[:40]:
        growing.game.do(action)
        growing.append(action)
    growing.close()
    resumed, _repaired = save.load(path)
    resumed.close()
    assert resumed.game.setup.names == NAMES
    assert resumed.game.actions == played.actions[:40]
    assert game.main(["export", str(path)]) == 0
    written = [folder / line.split("/")[-1] for line in capsys.readouterr().out.splitlines()]
    assert len(written) == 3
    for name in NAMES:
        assert all(name in file.read_text(encoding="utf-8") for file in written), name


def test_a_program_and_a_scenario_are_saved_and_read(folder, capsys):
    text = program_text.write(PROGRAMS[0]).replace('name = "city"', 'name = "soirée"')
    path = folder / f"{FILE}.toml"
    path.write_text(text, encoding="utf-8")
    assert unit.main(["program", "check", str(path)]) == 0
    assert "soirée" in capsys.readouterr().out
    program = program_file.find(str(path))
    assert '"soirée"' in program_text.write(program)
    scenario = folder / "scénario.toml"
    steps = '[[steps]]\nat = "0 s"\ndo = "switch on"\n[[steps]]\nat = "1 s"\ndo = "end"\n'
    scenario.write_text(f'program = "{path.name}"\n{steps}', encoding="utf-8")
    assert unit.main(["trace", str(scenario)]) == 0
    trace = capsys.readouterr().out
    assert trace.isascii()  # a trace is sent and stored
    picture = folder / "été.svg"
    assert unit.main(["export", str(scenario), str(picture)]) == 0
    assert "soirée" in picture.read_text(encoding="utf-8")
