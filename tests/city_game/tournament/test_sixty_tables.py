"""Sixty tables of bots, whose results are entered into a tournament and its file."""

from city_game import editions, headless
from city_game.kernel.board import load
from city_game.kernel.flow import standing
from city_game.kernel.switches import HouseRules
from city_game.tournament import network, view
from city_game.tournament.core import SWITCHES
from city_game.tournament.evening import create, resume

EDITION = editions.get("championship")
TEAMS = 117  # 39, 13, 5, 2 tables and a final
STRENGTHS = ("planner", "builder", "visitor")


def test_sixty_tables_are_played_to_a_champion(tmp_path):
    """Each table plays by the book's clock; its winner is the edition's winner."""
    board = load(EDITION)
    cup = create(tmp_path / "cup", HouseRules(SWITCHES, centre_limit=False), 5)
    tournament = cup.tournament
    for team in range(TEAMS):
        cup.do(f"team Team {team}, Junior {team}, Adult {team}")
    played = ties = 0
    while tournament.champion() is None:
        cup.do("draw")
        cup.do("start")
        for place, table in enumerate(tournament.tables, 1):
            names = [tournament.teams[team].name for team in table.teams]
            state = headless.play(board, STRENGTHS[: len(names)], played, None).state
            ranked = standing(state)
            worths = {names[one.players[0]]: one.worth for one in ranked}
            cup.do(network.result_of(tournament, table, str(place), worths))
            first = [table.teams[one.players[0]] for one in ranked if one.place == 1]
            assert tournament.leaders(table) == sorted(first, key=table.teams.index)
            if len(first) > 1:
                ties += 1
                cup.do(f"decide {place} {first[0] + 1} the referee's coin")
            played += 1
    assert played == 60
    assert view.waits(tournament, int(cup.clock()), {}) == []
    cup.file.close()
    again, repaired = resume(tmp_path / "cup")
    again.file.close()
    assert not repaired and again.tournament.champion() == tournament.champion()
    assert [len(played.tables) for played in again.tournament.rounds] == [39, 13, 5, 2, 1]
