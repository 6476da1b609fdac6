"""Simulations: repeatable, counted, drawn."""

import json

import pytest

from city_game.cli import main
from city_game.editions.city import EDITION
from city_game.simulate import headless
from city_game.simulate.headless import GameWithUnit, play
from city_game.simulate.statistics import Statistics, wilson
from tests.city_game.play import BOARD
from tests.helpers.sales import AUCTION_MS, HOUR_MS


def test_the_same_seed_plays_the_same_games(capsys):
    runs = []
    for seed in ("5", "5", "6"):
        assert main(["simulate", "--games", "6", "--seed", seed, "--json"]) == 0
        runs.append(capsys.readouterr().out)
    assert runs[0] == runs[1] != runs[2]
    report = json.loads(runs[0])
    assert report["games"] == 6
    assert sum(strength["wins"] for strength in report["strengths"].values()) == pytest.approx(6)
    assert len(report["districts"]) == 22
    assert sum(place["share"] for place in report["by_turn"]) == pytest.approx(1, abs=1e-3)
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
    assert told.err == "city-game: stopped after 2 of 1,000 games\n"


def test_where_pictures_cannot_go_is_told_before_the_games(tmp_path, monkeypatch, capsys):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(headless, "play", None)
    assert main(["simulate", "--charts", str(tmp_path / "file" / "new")]) == 1
    assert "cannot make the folder" in capsys.readouterr().err


def test_a_game_ends_after_the_turn_in_which_the_hour_ended():
    games = (play(BOARD, ("visitor", "visitor"), seed) for seed in range(20))
    played = next(game for game in games if game.state.hour_over)
    events = played.state.events
    ended = events.index(("hour ended", HOUR_MS))
    assert "turn" not in [event[0] for event in events[ended + 1 :]]


def test_wilsons_interval():
    low, high = wilson(50, 100)
    assert (round(low, 4), round(high, 4)) == (0.4038, 0.5962)
    assert wilson(0, 0) == (0.0, 1.0)


def test_a_game_with_the_unit_is_played_by_its_clock():
    rules = EDITION.rules(passes_end_auctions=False)
    played = GameWithUnit(BOARD, ("planner", "builder", "visitor"), 2, rules).play()
    state = played.state
    assert state.phase == "over"
    lights = [event[2] for event in state.events if event[0] in ("light on", "light out")]
    assert lights == sorted(lights)
    spans = [out - on for on, out in zip(lights[::2], lights[1::2], strict=True)]
    assert spans
    assert set(spans) == {AUCTION_MS}
    ends = [event[1] for event in state.events if event[0] == "hour ended"]
    assert all(HOUR_MS <= end <= HOUR_MS + AUCTION_MS for end in ends)
    again = GameWithUnit(BOARD, ("planner", "builder", "visitor"), 2, rules).play()
    assert again.state.events == state.events


def test_with_the_unit_too_an_auction_ends_when_all_have_passed():
    played = GameWithUnit(BOARD, ("planner", "builder", "visitor"), 2).play()
    lights = [event[2] for event in played.state.events if event[0] in ("light on", "light out")]
    assert lights == sorted(lights)
    assert all(out - on < 20000 for on, out in zip(lights[::2], lights[1::2], strict=True))
    assert played.light_ms == sum(lights[1::2]) - sum(lights[::2]) > 0


@pytest.mark.parametrize(
    ("bots", "people"),
    [
        (("builder", "builder", "planner"), 2),
        (("builder", "visitor", "planner", "planner"), 2),
        (("builder",) * 4, 4),
        (("planner", "builder", "visitor"), 0),
    ],
)
def test_when_all_may_pass_little_of_an_evening_is_spent_waiting_for_the_light(bots, people):
    shares = []
    for rules in (EDITION.rules(), EDITION.rules(passes_end_auctions=False)):
        games = [play(BOARD, bots, seed, rules, people) for seed in range(6)]
        shares.append(sum(game.silent_ms for game in games) / sum(game.ms for game in games))
    assert shares[0] < 0.03 < 0.12 < shares[1]


def test_the_share_of_the_light_is_told(capsys):
    assert main(["simulate", "--games", "3", "--people", "2", "--rule", "reshuffle"]) == 0
    assert "the light of auctions is" in capsys.readouterr().out
    assert main(["simulate", "--people", "5"]) == 2
    assert "--people takes 0 to 4" in capsys.readouterr().err
    assert main(["simulate", "--people", "1", "--unit"]) == 2
    assert main(["simulate", "--rule", "reshufle"]) == 2
    assert 'did you mean "reshuffle"' in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(
    "strengths", [("planner", "builder"), ("builder", "visitor"), ("planner", "visitor")]
)
def test_the_stronger_bot_wins_head_to_head(strengths):
    statistics = Statistics(BOARD)
    for game in range(40):
        seats = strengths if game % 2 else strengths[::-1]
        statistics.add(play(BOARD, seats, game), seats)
    assert statistics.wins[strengths[0]] > 22
