"""Results of tables from games: the players of a game are those of a table, by their names."""

from pathlib import Path

from city_game.game import Game
from city_game.kernel.flow import wealth
from city_game.saves import save
from city_game.tournament.core import Table, Tournament
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import UserError
from city_unit.desktop.forms import all_of


def of_save(tournament: Tournament, words: str) -> str:
    """Return the step that enters the result of "TABLE FILE"; raises UserError."""
    number, _space, path = words.partition(" ")
    table = tournament.table(number)
    game, damage = save.examine(Path(path.strip()))
    if game.state.phase != "over":
        raise UserError(damage or _("{path}: this game is not over").format(path=path))
    return step(tournament, table, number, worths(game))


def worths(game: Game) -> dict[str, int]:
    """Return what each player is worth by the game's own count, by name."""
    return {game.setup.names[player]: worth for player, worth in enumerate(wealth(game.state))}


def step(tournament: Tournament, table: Table, number: str, worths: dict[str, int]) -> str:
    """Return the step that enters the wealth of players, by their names; raises UserError.

    A team is its two players, or one that bears its own name.
    """
    known = {name.casefold(): worth for name, worth in worths.items()}
    amounts = []
    for place in tournament.present(table):
        team = tournament.teams[place]
        pair = [name.casefold() for name in (team.junior, team.adult)]
        found = [known[name] for name in pair if name in known]
        if len(found) < len(pair):
            found = [known[team.name.casefold()]] if team.name.casefold() in known else []
        if not found:
            strangers = _("the game has {names}, and nobody of {team}; enter it by `result`")
            words = {"names": all_of(list(worths)), "team": team.name}
            raise UserError(strangers.format(**words))
        amounts.append("+".join(map(str, found)))
    return " ".join(["result", number, *amounts])
