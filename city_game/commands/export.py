"""`city-game export [FILE]`: a saved game's log in words, a picture of each player's worth."""

import argparse
from pathlib import Path

from city_game.report.export import export
from city_game.saves import save
from city_game.saves.saved_games import games_folder, saves
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import UserError
from city_unit.desktop.files import make_folder


def arguments(parser: argparse.ArgumentParser) -> None:
    says = _("a saved game, finished or not; it is left as it is (default: the latest)")
    parser.add_argument("file", nargs="?", metavar=_("FILE"), help=says)
    says = _("where to write; the folder is made (default: beside the save)")
    parser.add_argument("--folder", metavar=_("FOLDER"), help=says)


def run(options: argparse.Namespace) -> int:
    found = [Path(options.file)] if options.file else saves()
    if not found:
        none = _("there is no saved game in {folder}; name one, as in `city-game export FILE`")
        raise UserError(none.format(folder=games_folder()))
    game, damage = save.examine(found[0])
    if options.folder:
        make_folder(options.folder)
    folder, name = options.folder or found[0].parent, found[0].stem
    for written in export(game, folder, name, damage):
        print(written)
    if damage:
        raise UserError(damage)
    return 0
