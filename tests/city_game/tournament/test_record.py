"""The file of a tournament: its steps count again, whatever ended the program."""

import io
import os
import subprocess
import sys

import pytest

from city_game import cli
from city_game.kernel.switches import HouseRules
from city_game.tournament import live, record, view
from city_game.tournament.core import SWITCHES
from city_unit.desktop import append_file
from city_unit.desktop.errors import UserError
from tests.city_game.phones.table import ROOT
from tests.helpers.disk import Disk
from tests.helpers.needs import needs_posix
from tests.helpers.patience import PATIENCE_S

STEPS = ["team Foxes, Ann, Bob", "team Owls, Cleo, Dan", "team Zoé 🎲", "draw", "start"]
STEPS += ["result 1 900+100 * 2 ", "result 1 1 2 3", "undo", "call 1 a deal * abc"]


def begun(path):
    made = record.create(path, HouseRules(SWITCHES, byes=True), 7)
    for step in STEPS:
        try:
            made.do(step)
        except UserError:
            assert "*" in step
    made.close()
    return made.tournament


def seen(tournament):
    return view.whole(tournament, 10**10, {})


def test_a_file_is_the_tournament(tmp_path):
    path = tmp_path / "cup"
    tournament = begun(path)
    again, repaired = record.resume(path)
    assert not repaired and seen(again.tournament) == seen(tournament)
    again.do("result 1 5 6 7")
    again.close()
    last, _repaired = record.resume(path)
    assert seen(last.tournament) == seen(again.tournament) != seen(tournament)
    last.close()


def test_a_call_from_a_table_is_in_the_file_until_it_is_answered(tmp_path):
    path, at = tmp_path / "cup", "http://192.168.1.20:8737/code/"
    made = record.create(path, HouseRules(SWITCHES), 7)
    for step in ("team A, Ann, Bob", "team B", "draw", f"live 1 {at}", "penalty 1 5 loud"):
        made.do(step)
    facts = {at: live.read('{"view": {"referee": {"calls": ["Ann", "", "Bo, b", 3]}}}')}
    (step,) = live.entered(made.tournament, facts)
    made.do(step)
    made.close()
    again, _repaired = record.resume(path)
    waiting = view.waits(again.tournament, 10**10, {at: None})  # nothing was heard of it since
    assert [("Ann (A)" in words, "Bo b" in words) for words in waiting[:3]] == [
        (True, False), (False, False), (False, True),
    ]  # fmt: skip
    assert live.entered(again.tournament, facts) == []
    again.do("undo")  # of the penalty: nobody entered the call by hand
    assert not again.tournament.tables[0].penalties and again.tournament.last().startswith("live")
    again.do(*live.entered(again.tournament, facts))
    again.do("answer 1 it is so")
    assert not again.tournament.tables[0].callers
    again.close()
    last, _repaired = record.resume(path)
    assert live.entered(last.tournament, facts) == []  # the table still says so
    with pytest.raises(UserError, match="has not called"):
        last.do("answer 1")
    last.close()


def test_a_kill_at_any_byte_keeps_every_whole_line(tmp_path):
    path = tmp_path / "cup"
    begun(path)
    data = path.read_bytes()
    lines = data.splitlines(keepends=True)
    first = next(place for place, line in enumerate(lines) if line.startswith(b"play ")) + 1
    for end in range(len(b"".join(lines[:first])), len(data), 3):
        torn = tmp_path / f"torn-{end}"
        torn.write_bytes(data[:end])
        resumed, repaired = record.resume(torn)
        whole = data[:end].count(b"\n")
        assert torn.read_bytes() == b"".join(lines[:whole])
        is_torn = not data[:end].endswith(b"\n")
        assert ("\n" not in repaired) and bool(repaired) == is_torn
        if is_torn:  # nothing is lost
            assert (tmp_path / f"torn-{end}.damaged-1").read_bytes() == data[:end]
        resumed.do("team Late" if not resumed.tournament.rounds else "call 1")
        resumed.close()


@pytest.mark.parametrize("data", [b"", b"\x00" * 90, b"city-game save 3 *1\n", b"x\n" * 9])
def test_another_file_is_refused_in_a_line_and_left_as_it_is(tmp_path, data, capsys):
    path = tmp_path / "cup"
    path.write_bytes(data)
    assert cli.main(["tournament", str(path), "--lang", "en"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "Traceback" not in said
    assert path.read_bytes() == data and [*tmp_path.iterdir()] == [path]


def test_a_tournament_is_open_once(tmp_path):
    path = tmp_path / "cup"
    one = record.create(path, HouseRules(SWITCHES), 1)
    with pytest.raises(UserError, match="cup is open in another window"):
        record.resume(path)
    one.close()
    record.resume(path)[0].close()


def test_what_a_full_disk_does_not_take_is_written_when_there_is_room(tmp_path, monkeypatch):
    disk = Disk(monkeypatch, append_file)
    path = tmp_path / "cup"
    made = record.create(path, HouseRules(SWITCHES), 7)
    disk.room = path.stat().st_size + 10
    made.do("team Foxes")
    disk.room = None
    made.do("team Owls")
    made.close()
    again, repaired = record.resume(path)
    assert [team.name for team in again.tournament.teams] == ["Foxes", "Owls"] and not repaired
    again.close()


def test_quitting_on_a_full_disk_asks_once_and_then_says_so(tmp_path, monkeypatch, capsys):
    disk = Disk(monkeypatch, append_file)
    path = tmp_path / "cup"
    record.create(path, HouseRules(SWITCHES), 7).close()
    disk.room = path.stat().st_size + 10
    monkeypatch.setattr(sys, "stdin", io.StringIO("team Foxes\nquit\nquit\n"))
    assert cli.main(["tournament", str(path)]) == 1
    said = capsys.readouterr().err
    assert said.count("quit again and lose them") == 1 and "are lost" in said


def test_each_step_is_acknowledged_and_what_is_taken_back_is_named(tmp_path, monkeypatch, capsys):
    typed = "team Foxes\nteam Owls\ndraw\ncall 1\nanswer 1 no\npenalty 1 0 loud\nundo\nnonsense\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    assert cli.main(["--lang", "en", "tournament", str(tmp_path / "cup"), "--seed", "1"]) == 0
    said = capsys.readouterr().out.splitlines()
    for step in typed.splitlines()[:-2]:
        assert f"Done: {step}" in said
    assert "Taken back: penalty 1 0 loud" in said and "nonsense" not in "".join(said)


def test_the_command_with_its_teams_goes_on_after_the_draw(tmp_path, monkeypatch, capsys):
    teams = tmp_path / "teams.txt"
    teams.write_text("Foxes\nOwls\nBats\n")
    words = ["tournament", str(tmp_path / "cup"), "--teams", str(teams), "--seed", "3"]
    for typed in ("draw\n", "show\n"):
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        assert cli.main([*words, "--rule", "byes"]) == 0
    assert "Foxes" in capsys.readouterr().out
    for others in (["--rule", "ties_by_lot"], ["--seed", "4"]):
        assert cli.main([*words, *others]) == 2


@pytest.mark.real_time
def test_a_tournament_that_was_killed_goes_on_from_its_file(tmp_path):
    needs_posix()
    path = tmp_path / "cup"
    command = [sys.executable, "-m", "city_game.cli", "--lang", "en", "tournament", str(path)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}

    def run():
        pipe = subprocess.PIPE
        return subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, text=True)

    killed = run()
    for step in ("team Foxes", "team Owls", "team Bats", "draw", "result 1 5 5 1"):
        killed.stdin.write(f"{step}\n")
    killed.stdin.flush()
    while "first together" not in killed.stdout.readline():
        assert killed.poll() is None
    killed.kill()
    killed.communicate()
    again = run()
    said, _nothing = again.communicate("decide 1 1\ndecide 1 2\ndecide 1 3\n", PATIENCE_S)
    assert "first together" in said and "Champions: " in said
    assert again.returncode == 0
