"""`city-game export [FILE]`: a saved game's log in words, a picture of who was worth what."""

from pathlib import Path

from city_game import save, texts
from city_game.errors import UserError
from city_game.export import export
from city_game.files import make_folder
from city_game.saved_games import games_folder, saves


def arguments(parser) -> None:
    parser.add_argument("file", nargs="?", metavar="FILE", help=texts.HELP_EXPORT_FILE)
    parser.add_argument("--folder", metavar="FOLDER", help=texts.HELP_EXPORT_FOLDER)


def run(options) -> int:
    path = Path(options.file) if options.file else _latest()
    game = save.look(path)
    if options.folder:
        make_folder(options.folder)
    for written in export(game, options.folder or path.parent, path.stem):
        print(written)
    return 0


def _latest() -> Path:
    found = saves()
    if not found:
        raise UserError(texts.NO_GAMES.format(folder=games_folder()))
    return found[0]
