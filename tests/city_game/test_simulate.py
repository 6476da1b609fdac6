"""Simulations: repeatable, and counted."""

import json

import pytest

from city_game import headless
from city_game.cli import main
from city_game.editions.city import EDITION
from city_game.headless import play
from city_game.simulate import wilson
from tests.city_game.play import BOARD

THREE = ("planner", "builder", "visitor")


def test_the_same_seed_plays_the_same_games(capsys):
    runs = []
    for seed in ("5", "5", "6"):
        assert main(["simulate", "--games", "3", "--seed", seed, "--json"]) == 0
        runs.append(capsys.readouterr().out)
    assert runs[0] == runs[1] != runs[2]
    report = json.loads(runs[0])
    assert report["games"] == 3 and len(report["districts"]) == 22
    assert sum(strength["wins"] for strength in report["strengths"].values()) == pytest.approx(3)
    assert sum(place["share"] for place in report["by_turn"]) == pytest.approx(1, abs=1e-3)
    assert report["a_game"]["deals_agreed"] <= report["a_game"]["deals_offered"]
    low, high = wilson(50, 100)
    assert (round(low, 4), round(high, 4)) == (0.4038, 0.5962) and wilson(0, 0) == (0.0, 1.0)
    # Rounding errors would put these outside of 0 to 1.
    assert all(wilson(0, games)[0] >= 0 and wilson(games, games)[1] <= 1 for games in range(1, 99))


def test_the_report_as_text(capsys):
    assert main(["simulate", "--games", "3", "--people", "2", "--rule", "reshuffle"]) == 0
    told = capsys.readouterr().out
    assert all(part in told for part in ("3 games", "the auction light is", "  per game: bought"))


def test_ctrl_c_reports_the_games_so_far(monkeypatch, capsys):
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


def test_passes_save_waiting_for_the_light():
    for bots, people in ((("builder", "builder", "planner"), 2), (THREE, 0)):
        shares = []
        for rules in (EDITION.rules(), EDITION.rules(passes_end_auctions=False)):
            games = [play(BOARD, bots, seed, rules, people) for seed in range(4)]
            shares.append(sum(game.silent_ms for game in games) / sum(game.ms for game in games))
        assert shares[0] < 0.03 < 0.12 < shares[1], bots
