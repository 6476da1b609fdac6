"""Simulations: repeatable, counted, drawn."""

import json

import pytest

from city_game import headless, with_unit
from city_game.cli import main
from city_game.headless import play
from city_game.pace import HOUR_MS
from city_game.statistics import Statistics, wilson
from city_game.words import FIELDS, tell
from tests.city_game.play import BOARD


def test_the_same_seed_plays_the_same_games(capsys):
    runs = []
    for seed in ("5", "5", "6"):
        assert main(["simulate", "--games", "6", "--seed", seed, "--json"]) == 0
        runs.append(capsys.readouterr().out)
    assert runs[0] == runs[1] != runs[2]
    report = json.loads(runs[0])
    assert report["games"] == 6
    assert sum(one["wins"] for one in report["strengths"].values()) == pytest.approx(6)
    assert len(report["districts"]) == 22
    assert sum(one["share"] for one in report["by_turn"]) == pytest.approx(1, abs=1e-3)
    assert report["a_game"]["deals_agreed"] <= report["a_game"]["deals_offered"]


def test_the_pictures_are_drawn(tmp_path, capsys):
    assert main(["simulate", "--games", "3", "--charts", str(tmp_path / "new")]) == 0
    assert "3 games" in capsys.readouterr().out
    bars = {"districts": 22, "wins": 3, "turns": 4}
    for name, count in bars.items():
        assert (tmp_path / "new" / f"{name}.svg").read_text().count("<rect") == count + 1


def test_ctrl_c_keeps_what_was_played(monkeypatch, capsys):
    real, games = headless.play, []

    def stopped(*what):
        if len(games) == 2:
            raise KeyboardInterrupt
        games.append(what)
        return real(*what)

    monkeypatch.setattr(headless, "play", stopped)
    assert main(["simulate", "--json"]) == 130
    told = capsys.readouterr()
    assert json.loads(told.out)["games"] == 2
    assert told.err == "city-game: stopped after 2 of 1000 games\n"


def test_where_pictures_cannot_go_is_told_before_the_games(tmp_path, monkeypatch, capsys):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(headless, "play", None)
    assert main(["simulate", "--charts", str(tmp_path / "file" / "new")]) == 1
    assert "cannot make the folder" in capsys.readouterr().err


def test_a_game_ends_after_the_turn_in_which_the_hour_ended():
    games = (play(BOARD, ("visitor", "visitor"), seed) for seed in range(20))
    played = next(one for one in games if one.state.hour_over)
    events = played.state.events
    ended = events.index(("hour ended", HOUR_MS))
    assert "turn" not in [event[0] for event in events[ended + 1 :]]


def test_every_event_of_a_game_has_words():
    for seed in range(6):
        for event in play(BOARD, ("planner", "builder", "visitor"), seed).state.events:
            assert tell(event, BOARD, ["Ada", "Ben", "Cleo"])
            assert event[0] in FIELDS


def test_wilsons_interval():
    low, high = wilson(50, 100)
    assert (round(low, 4), round(high, 4)) == (0.4038, 0.5962)
    assert wilson(0, 0) == (0.0, 1.0)


def test_a_game_with_the_unit_is_played_by_its_clock():
    played = with_unit.play(BOARD, ("planner", "builder", "visitor"), 2)
    state = played.state
    assert state.phase == "over"
    lights = [event[2] for event in state.events if event[0] in ("light on", "light out")]
    assert lights == sorted(lights)
    spans = [out - on for on, out in zip(lights[::2], lights[1::2], strict=True)]
    assert spans
    assert set(spans) == {50000}
    ends = [event[1] for event in state.events if event[0] == "hour ended"]
    assert all(HOUR_MS <= end <= HOUR_MS + 50000 for end in ends)
    again = with_unit.play(BOARD, ("planner", "builder", "visitor"), 2)
    assert again.state.events == state.events


@pytest.mark.parametrize(
    "strengths", [("planner", "builder"), ("builder", "visitor"), ("planner", "visitor")]
)
def test_the_stronger_bot_wins_head_to_head(strengths):
    statistics = Statistics(BOARD)
    for game in range(100):
        seats = strengths if game % 2 else strengths[::-1]
        statistics.add(play(BOARD, seats, game), seats)
    assert statistics.wins[strengths[0]] > 55
