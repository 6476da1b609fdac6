"""`city-game export`: writes the log, the score sheet and a chart of worth of a saved game."""

import argparse
import csv
import io
from pathlib import Path

from city_game import charts, save
from city_game.game import Game
from city_game.kernel.flow import standing
from city_game.kernel.money import write
from city_game.save import games_folder, saves
from city_game.words import SALE_ENDS, bids_in_words, in_words
from city_unit.desktop.catalogue import _
from city_unit.desktop.command import add_force_overwrite
from city_unit.desktop.errors import UserError
from city_unit.desktop.files import ask_before_overwriting, make_folder, write_whole

ENDINGS = ("log.txt", "score.csv", "worth.svg")


def arguments(parser: argparse.ArgumentParser) -> None:
    says = _("a saved game, finished or not, which stays unchanged (default: the latest)")
    parser.add_argument("file", nargs="?", metavar=_("FILE"), help=says)
    says = _("where to write; created if missing (default: beside the save)")
    parser.add_argument("--folder", metavar=_("FOLDER"), help=says)
    add_force_overwrite(parser)


def run(options: argparse.Namespace) -> int:
    found = [Path(options.file)] if options.file else saves()
    if not found:
        none = _("there is no saved game in {folder}; name one, as in `city-game export FILE`")
        raise UserError(none.format(folder=games_folder()))
    game, damage = save.examine(found[0])
    if options.folder:
        make_folder(options.folder)
    folder, name = Path(options.folder or found[0].parent), found[0].stem
    ask_before_overwriting(options.force, *(folder / f"{name}-{ending}" for ending in ENDINGS))
    for written in export(game, folder, name, damage):
        print(written)
    if damage:
        raise UserError(damage)
    return 0


def export(game: Game, folder: str | Path, name: str, damage: str = "") -> list[Path]:
    """Write a log, a score sheet and a chart, whose names begin with `name`; return their paths.

    damage  a sentence on the save's damage, to end the log with
    """
    log = log_in_words(game) + (f"{damage}\n" if damage else "")
    paths = [Path(folder) / f"{name}-{ending}" for ending in ENDINGS]
    for path, text in zip(paths, (log, score_sheet(game), worth_over_time(game)), strict=True):
        write_whole(path, text)
    return paths


def log_in_words(game: Game) -> str:
    """Return the events, one per line, with a table of all bids before the end of each sale."""
    board, names = game.setup.board, list(game.setup.names)
    sales = iter(game.state.sales)
    lines = []
    for event in game.state.events:
        sale = next(sales) if event[0] in SALE_ENDS else None
        if sale:
            lines += bids_in_words(sale, board, names)
        lines.append(in_words(event, board, names, sale))
    return "".join(line + "\n" for line in lines)


def score_sheet(game: Game) -> str:
    """Return each player's wealth as CSV, the richest team first, with a column for signatures.

    Sums are written as in all files, such as 3.5M.
    """
    state, written = game.state, io.StringIO()
    count = state.edition.words.parts
    sheet = csv.writer(written, lineterminator="\n")
    sheet.writerow([_("place"), _("name"), *count(state, 0), _("worth"), _("signature")])
    for one in standing(state):
        for player in one.players:
            parts = count(state, player).values()
            sums = [write(notes) for notes in (*parts, sum(parts))]
            sheet.writerow([one.place, game.setup.names[player], *sums, ""])
    return written.getvalue()


def worth_over_time(game: Game) -> str:
    """Return a chart of each player's worth in millions after each turn."""
    series = [
        (name, [(turn, notes / 100) for turn, notes in points])
        for name, points in zip(game.setup.names, worths(game), strict=True)
    ]
    return charts.lines(_("Everybody's worth"), series, _("turns"), _("millions"))


def worths(game: Game) -> list[list[tuple[int, int]]]:
    """Return each player's (turn, worth in notes) after each turn, up to their bankruptcy."""
    replayed = Game(game.setup)
    points: list[list[tuple[int, int]]] = [[] for _ in game.setup.names]
    turns = -1
    for action in game.actions:
        replayed.do(action)
        state = replayed.state
        if state.turns != turns or state.phase == "over":
            turns = state.turns
            ended = turns + (state.phase == "over")  # the last turn is not followed by another
            for player, series in enumerate(points):
                if state.alive[player]:
                    series.append((ended, state.edition.worth(state, player)))
                elif series[-1][1]:
                    series.append((ended, 0))
    return points
