"""The record of a finished game: its log in words, and each player's worth over time."""

from pathlib import Path

from city_game.game import Game
from city_game.report import charts
from city_game.report.bid_log import bids_in_words
from city_game.report.words import SALE_ENDS, in_words
from city_unit.desktop.catalogue import _
from city_unit.desktop.files import write_whole


def export(game: Game, folder: str | Path, name: str) -> tuple[Path, Path]:
    """Write NAME-log.txt and NAME-worth.svg into the folder; return their paths."""
    log = Path(folder) / f"{name}-log.txt"
    picture = Path(folder) / f"{name}-worth.svg"
    write_whole(log, log_in_words(game))
    write_whole(picture, worth_over_time(game))
    return log, picture


def log_in_words(game: Game) -> str:
    """Return what happened, a line each, and before the end of each sale all of its bids."""
    board, names = game.setup.board, list(game.setup.names)
    sales = iter(game.state.sales)
    lines = []
    for event in game.state.events:
        sale = next(sales) if event[0] in SALE_ENDS else None
        if sale:
            lines += bids_in_words(sale, board, names)
        lines.append(in_words(event, board, names, sale))
    return "".join(line + "\n" for line in lines)


def worth_over_time(game: Game) -> str:
    """Return a picture: each player's worth in millions after each turn."""
    series = [
        (name, [(turn, notes / 100) for turn, notes in points])
        for name, points in zip(game.setup.names, worths(game), strict=True)
    ]
    return charts.lines(_("What everybody was worth"), series, _("turns"), _("millions"))


def worths(game: Game) -> list[list[tuple[int, int]]]:
    """Return for each player (turn, worth in notes) after each turn, the bankruptcy the last."""
    replayed = Game(game.setup)
    points: list[list[tuple[int, int]]] = [[] for _ in game.setup.names]
    turns = -1
    for action in game.actions:
        replayed.do(action)
        state = replayed.state
        if state.turns != turns or state.phase == "over":
            turns = state.turns
            ended = turns + (state.phase == "over")  # no turn begins after the last
            for player, series in enumerate(points):
                if state.alive[player]:
                    series.append((ended, state.edition.worth(state, player)))
                elif series[-1][1]:
                    series.append((ended, 0))
    return points
