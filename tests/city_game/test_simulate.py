"""Simulations: repeatable, counted, charted, and with a unit."""

import json

import pytest

from city_game import headless
from city_game.cli import main
from city_game.editions.city import EDITION
from city_game.headless import GameWithUnit, play
from city_game.simulate import wilson
from tests.city_game.play import BOARD
from tests.helpers.sales import AUCTION_MS, HOUR_MS

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


@pytest.mark.parametrize("passes", [False, True])
def test_a_game_with_a_unit_follows_its_clock(passes):
    """An auction lasts for the light's time, or until all have passed."""
    rules = EDITION.rules(passes_end_auctions=passes)
    games = [GameWithUnit(BOARD, THREE, 2, rules).play() for _again in range(2)]
    played = games[0]
    events = played.state.events
    assert played.state.phase == "over" and events == games[1].state.events
    lights = [event[2] for event in events if event[0] in ("light on", "light out")]
    assert lights == sorted(lights)
    spans = [out - on for on, out in zip(lights[::2], lights[1::2], strict=True)]
    assert played.light_ms == sum(spans) > played.silent_ms > 0
    assert max(spans) < 20000 if passes else {*spans} == {AUCTION_MS}
    ends = [event[1] for event in events if event[0] == "hour ended"]
    assert all(HOUR_MS <= end <= HOUR_MS + AUCTION_MS for end in ends)


def test_passes_save_waiting_for_the_light():
    for bots, people in ((("builder", "builder", "planner"), 2), (THREE, 0)):
        shares = []
        for rules in (EDITION.rules(), EDITION.rules(passes_end_auctions=False)):
            games = [play(BOARD, bots, seed, rules, people) for seed in range(4)]
            shares.append(sum(game.silent_ms for game in games) / sum(game.ms for game in games))
        assert shares[0] < 0.03 < 0.12 < shares[1], bots
