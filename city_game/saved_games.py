"""The folder in which games are saved, and what lies there."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

from city_game import save, texts_table
from city_game.errors import UserError
from city_game.game import Game
from city_game.lock import is_locked
from city_game.texts import OPEN_ELSEWHERE

SEARCHED = 20  # of the latest games, for one to go on with


@dataclass(frozen=True)
class SavedGame:
    """One save: who plays, and how far they are.

    winners  of a finished game, none of one that can be gone on with
    trouble  why it cannot be opened now, "" if it can
    """

    path: Path
    names: tuple[str, ...] = ()
    turns: int = 0
    winners: tuple[str, ...] = ()
    trouble: str = ""

    @property
    def can_go_on(self) -> bool:
        return not (self.winners or self.trouble)


def games_folder() -> Path:
    """Return where games are saved, made if it is not there."""
    wanted = os.environ.get("CITY_GAME_FOLDER")
    folder = Path(wanted) if wanted else Path.home() / "City games"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(texts_table.NO_FOLDER.format(folder=folder, why=error.strerror)) from None
    return folder


def new_save() -> Path:
    """Return a name for a game that begins now."""
    stamp = time.strftime("%Y-%m-%d %H.%M")
    folder = games_folder()
    path, number = folder / f"{stamp}.city", 2
    while path.exists():
        path, number = folder / f"{stamp} {number}.city", number + 1
    return path


def saves() -> list[Path]:
    """Return the saved games, the latest first."""
    found = games_folder().glob("*.city")
    return sorted(found, key=lambda path: path.stat().st_mtime, reverse=True)


def describe(path: Path) -> SavedGame:
    """Look into a save, which is left as it is."""
    try:
        game = save.look(path)
    except UserError as error:
        return SavedGame(path, trouble=str(error))
    won = winners(game)
    trouble = OPEN_ELSEWHERE if not won and is_locked(path) else ""
    return SavedGame(path, game.setup.names, game.state.turns, won, trouble)


def winners(game: Game) -> tuple[str, ...]:
    """Return who has won, nobody while the game goes on."""
    return tuple(game.setup.names[player] for player in game.state.winners)


def latest_to_go_on() -> SavedGame | None:
    """Return the latest game that is not finished, None if there is none among the latest."""
    described = map(describe, saves()[:SEARCHED])
    return next((one for one in described if one.can_go_on), None)
