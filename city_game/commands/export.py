"""`city-game export FILE`: a saved game's log in words, and a picture of who was worth what."""

from pathlib import Path

from city_game import save, texts
from city_game.export import export


def arguments(parser) -> None:
    parser.add_argument("file", help=texts.HELP_EXPORT_FILE)
    parser.add_argument("--folder", metavar="FOLDER", help=texts.HELP_EXPORT_FOLDER)


def run(options) -> int:
    path = Path(options.file)
    for written in export(save.look(path), options.folder or path.parent, path.stem):
        print(written)
    return 0
