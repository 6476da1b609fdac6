"""The folder in which games are saved, and the saves in it."""

import os
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from city_game.saves import save
from city_game.saves.steps_file import is_locked
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import UserError
from city_unit.desktop.files import reason

SEARCHED = 20  # of the latest games, to find a game to go on with


@dataclass(frozen=True)
class SavedGame:
    """One save: its players, and how far they are.

    winners  of a finished game; empty while it can be gone on with
    error    why it cannot be opened now, "" if it can
    is_open  whether that is because another window has it open
    """

    path: Path
    names: tuple[str, ...] = ()
    turns: int = 0
    winners: tuple[str, ...] = ()
    error: str = ""
    is_open: bool = False

    @property
    def can_go_on(self) -> bool:
        return not (self.winners or self.error)


def games_folder() -> Path:
    """Return where games are saved, made if it is not there."""
    wanted = os.environ.get("CITY_GAME_FOLDER")
    folder = Path(wanted) if wanted else Path.home() / "City games"  # no text: a name that stays
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        cannot = _(
            "cannot make the folder {folder} for games: {why}; CITY_GAME_FOLDER names another"
        )
        raise UserError(cannot.format(folder=folder, why=reason(error))) from None
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
    """Return the saved games, the latest first, without dead links and files just deleted."""
    changed: dict[Path, float] = {}
    for path in games_folder().glob("*.city"):
        with suppress(OSError):
            changed[path] = path.stat().st_mtime
    return sorted(changed, key=changed.__getitem__, reverse=True)


def describe(path: Path) -> SavedGame:
    """Look into a save, which is left as it is."""
    try:
        game = save.look(path)
    except UserError as error:
        return SavedGame(path, error=str(error))
    names = game.setup.names
    winners = tuple(names[player] for player in game.state.winners)
    is_open = not winners and is_locked(path)
    error = _("this game is open in another window") if is_open else ""
    return SavedGame(path, names, game.state.turns, winners, error, is_open)


def latest_to_go_on(open_too: bool = False) -> SavedGame | None:
    """Return the latest game that is not finished, None if there is none among the latest.

    open_too  whether it may be a game that is open in another window
    """
    described = map(describe, saves()[:SEARCHED])
    return next(
        (saved for saved in described if saved.can_go_on or (open_too and saved.is_open)), None
    )
