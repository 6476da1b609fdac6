"""The file of a tournament: a resumed one is the same, however the program ended."""

import io
import json
import os
import re
import sys
from contextlib import ExitStack, suppress

import pytest
from websockets.sync.client import connect

from city_game import cli
from city_game.kernel.switches import HouseRules
from city_game.phones.client import REFEREE, SPECTATOR
from city_game.tournament import network, view
from city_game.tournament.core import SWITCHES
from city_game.tournament.evening import Evening, create, resume
from city_unit.desktop import append_file
from city_unit.desktop.errors import UserError
from tests.helpers.disk import Disk
from tests.helpers.patience import until

STEPS = ["team Foxes, Ann, Bob", "team Owls, Cleo, Dan", "team Zoé 🎲", "draw", "start"]
STEPS += ["result 1 900+100 * 2 ", "result 1 1 2 3", "undo", "call 1 a deal * abc"]


def begun(path):
    made = create(path, HouseRules(SWITCHES, byes=True), 7)
    for step in STEPS:
        try:
            made.do(step)
        except UserError:
            assert "*" in step
    made.file.close()
    return made.tournament


def seen(tournament):
    return view.whole(tournament, 10**10, {})


def test_a_file_is_the_tournament(tmp_path):
    path = tmp_path / "cup"
    tournament = begun(path)
    assert os.name == "nt" or path.stat().st_mode & 0o77 == 0  # it contains secret addresses
    again, repaired = resume(path)
    assert not repaired and seen(again.tournament) == seen(tournament)
    again.do("result 1 5 6 7")
    again.file.close()
    last, _repaired = resume(path)
    assert seen(last.tournament) == seen(again.tournament) != seen(tournament)
    last.file.close()


def test_a_file_states_every_rule_and_is_never_continued_by_others(tmp_path):
    begun(tmp_path / "cup")
    lines = [line.rsplit(" *", 1)[0] for line in (tmp_path / "cup").read_text("utf-8").splitlines()]
    fewer = [line for line in lines if line != "rule byes yes"]
    for changed in (fewer, [lines[0], "rule nonsense no", *lines[1:]]):
        path = tmp_path / "other"
        path.write_text(append_file.seal_all(changed)[0], "utf-8")
        before = path.read_bytes()
        with pytest.raises(UserError, match=r"invalid header: '(byes|nonsense)'"):
            resume(path)
        assert path.read_bytes() == before


def test_a_call_from_a_table_is_in_the_file_until_it_is_answered(tmp_path):
    path, at = tmp_path / "cup", "http://192.168.1.20:8737/code/"
    made = create(path, HouseRules(SWITCHES), 7)
    for step in ("team A, Ann, Bob", "team B", "draw", f"live 1 {at}", "penalty 1 5 loud"):
        made.do(step)
    facts = {at: network.read('{"view": {"referee": {"calls": ["Ann", "", "Bo, b", 3]}}}')}
    (step,) = network.entered(made.tournament, facts)
    made.do(step)
    made.file.close()
    again, _repaired = resume(path)
    waiting = view.waits(again.tournament, 10**10, {at: None})  # the table has not reported since
    assert [("Ann (A)" in words, "Bo b" in words) for words in waiting[:3]] == [
        (True, False), (False, False), (False, True),
    ]  # fmt: skip
    assert network.entered(again.tournament, facts) == []
    again.do("undo")  # the penalty: the call was entered automatically
    assert not again.tournament.tables[0].penalties and again.tournament.last().startswith("live")
    again.do(*network.entered(again.tournament, facts))
    again.do("answer 1 it is so")
    assert not again.tournament.tables[0].callers
    again.file.close()
    last, _repaired = resume(path)
    assert network.entered(last.tournament, facts) == []  # the table still says so
    with pytest.raises(UserError, match="has not called"):
        last.do("answer 1")
    last.file.close()


def test_a_torn_file_keeps_every_whole_line(tmp_path):
    path = tmp_path / "cup"
    begun(path)
    lines = path.read_bytes().splitlines(keepends=True)
    first = next(place for place, line in enumerate(lines) if line.startswith(b"play ")) + 1
    for whole in range(first, len(lines)):
        torn = tmp_path / f"torn-{whole}"
        data = b"".join(lines[: whole + 1])[:-9]
        torn.write_bytes(data)
        resumed, repaired = resume(torn)
        with pytest.raises(UserError, match="is open in another window"):
            resume(torn)
        assert torn.read_bytes() == b"".join(lines[:whole])
        assert repaired and "\n" not in repaired
        assert (tmp_path / f"torn-{whole}.damaged-1").read_bytes() == data  # nothing is lost
        resumed.do("team Late" if not resumed.tournament.rounds else "call 1")
        resumed.file.close()


def test_another_file_is_refused_in_a_line_and_left_as_it_is(tmp_path, capsys):
    path = tmp_path / "cup"
    for data in (b"", b"\x00" * 90, b"city-game save 3 *1\n", b"x\n" * 9):
        path.write_bytes(data)
        assert cli.main(["tournament", str(path), "--lang", "en"]) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1 and "Traceback" not in said
        assert path.read_bytes() == data and [*tmp_path.iterdir()] == [path]


def test_quitting_on_a_full_disk_asks_once_and_then_says_so(tmp_path, monkeypatch, capsys):
    disk = Disk(monkeypatch, append_file)
    path = tmp_path / "cup"
    create(path, HouseRules(SWITCHES), 7).file.close()
    disk.room = path.stat().st_size + 10
    monkeypatch.setattr(sys, "stdin", io.StringIO("team Foxes\nquit\nquit\n"))
    assert cli.main(["tournament", str(path)]) == 1
    said = capsys.readouterr().err
    assert said.count("quit again and lose them") == 1 and "are lost" in said


def test_the_page_of_the_referee_says_that_the_disk_is_full(tmp_path, monkeypatch, capsys):
    disk, path = Disk(monkeypatch, append_file), tmp_path / "cup"
    evening = Evening(create(path, HouseRules(SWITCHES), 7), is_for_all=False)
    disk.room = path.stat().st_size + 10
    pages = zip(
        re.findall(r"http:(\S+/)", capsys.readouterr().out), (SPECTATOR, REFEREE), strict=True
    )
    with ExitStack() as opened:
        wall, referee = (opened.enter_context(connect(f"ws:{at}{role}")) for at, role in pages)

        def waits(line):
            def shown():
                evening.step()
                with suppress(TimeoutError):
                    return json.loads(line.recv(0)).get("view")

            return until(shown)["waits"]

        for line in (wall, referee):
            line.send('{"say": "hello"}')
            assert waits(line) == []
        evening.type("team Foxes")
        assert "no space left" in waits(referee)[0] and waits(wall) == []
        disk.room = None
        assert waits(referee) == []
        step = {"n": 1, "say": "do", "step": "team Owls", "seen": 0}
        for step["n"], step["seen"] in enumerate((2, 1), 1):  # the page shows one step
            referee.send(json.dumps(step))
            until(lambda: evening.step() or "done" in json.loads(referee.recv(1)))
            assert len(evening.record.tournament.teams) == step["n"]
    evening.stop()
    evening.record.file.close()


def test_each_step_is_acknowledged_and_what_is_taken_back_is_named(tmp_path, monkeypatch, capsys):
    typed = "team Foxes\nteam Owls\ndraw\ncall 1\nanswer 1 no\npenalty 1 0 loud\nundo\nnonsense\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    assert cli.main(["--lang", "en", "tournament", str(tmp_path / "cup"), "--seed", "1"]) == 0
    told = capsys.readouterr()
    said = told.out.splitlines()
    for step in typed.splitlines()[:-2]:
        assert f"Done: {step}" in said
    assert "Undone: penalty 1 0 loud" in said
    assert "nonsense" in told.err and "nonsense" not in told.out


def test_a_typed_line_never_ends_the_tournament(tmp_path, monkeypatch, capsys):
    typed = f"team A\nteam B\ndraw\nsave 1 a\0b\nsave 1 {tmp_path}\nsave 1 {'x' * 300}\n"
    endless = "save 1 /dev/zero\n" if os.path.exists("/dev/zero") else ""
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{typed}{endless}hlep\ncall 1 x\n"))
    assert cli.main(["--lang", "en", "tournament", str(tmp_path / "cup")]) == 0
    told = capsys.readouterr()
    assert "Done: call 1 x" in told.out and "Traceback" not in told.err
    said = [line for line in told.err.splitlines() if not line.startswith("port ")]  # may be busy
    assert len(said) == 4 + bool(endless)
    assert said[-1] == '"hlep" is unknown, did you mean "help"?'
    assert "`help` lists the steps" in told.out


@pytest.mark.parametrize(
    ("listed", "said"),
    [
        (b"A\n\nB, one, two, three\n", "teams.txt, line 3: a team must be NAME"),
        (b"A\nB\na\n", 'teams.txt, line 3: there is already a team "a"; a line is'),
        (b"A\nB\0\n", "teams.txt, line 2: a step must be"),
        (b"Ren\xe9\n", "teams.txt is not a text file in UTF-8"),
    ],
)
def test_a_team_that_is_refused_is_named_by_its_line(tmp_path, capsys, listed, said):
    teams = tmp_path / "teams.txt"
    teams.write_bytes(listed)
    words = ["--lang", "en", "tournament", str(tmp_path / "cup"), "--teams", str(teams)]
    assert cli.main(words) == 2
    told = capsys.readouterr().err
    assert said in told and told.count("\n") == 1


def test_the_command_with_its_teams_goes_on_after_the_draw(tmp_path, monkeypatch, capsys):
    teams = tmp_path / "teams.txt"
    teams.write_text("Red  Foxes\nOwls;;\nBats,Ann,\n")
    words = ["tournament", str(tmp_path / "cup"), "--teams", str(teams), "--seed", "3"]
    for typed in ("draw\n", "show\n"):
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        assert cli.main([*words, "--rule", "byes"]) == 0
    assert "Foxes" in capsys.readouterr().out
    for others, said in (
        (["--rule", "ties_by_lot"], "with other rules"),
        (["--seed", "4"], "another --seed"),
        (["--rule", "bye"], '"byes"'),
        (["--rule", "nobody_is_out"], "`city-game tournament --rules` lists them"),
    ):
        assert cli.main([*words, *others]) == 2
        assert said in capsys.readouterr().err
