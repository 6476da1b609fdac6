"""`city-game` and `city-game table`: opens the table, with a unit beside it."""

import os
import secrets
import signal
import sys
import time
from pathlib import Path
from typing import Any

from city_game import board_file, save, texts_table
from city_game.bots import STRENGTHS
from city_game.errors import UserError
from city_game.export import export
from city_game.game import Game, Setup
from city_game.headless import mix
from city_game.house_rules import otherwise
from city_game.table import child
from city_game.table.session import HUMAN, Session
from city_game.table.unit import TableUnit
from city_unit import host


def arguments(parser) -> None:
    parser.add_argument("--port", metavar="PORT", help=texts_table.HELP_PORT)
    parser.add_argument("--players", metavar="SEATS", help=texts_table.HELP_PLAYERS)
    parser.add_argument("--board", default=board_file.OWN, help=texts_table.HELP_BOARD)
    parser.add_argument(
        "--resume", metavar="FILE", nargs="?", const="", help=texts_table.HELP_RESUME
    )
    parser.add_argument("--save", metavar="FILE", help=texts_table.HELP_SAVE)
    parser.add_argument("--seed", type=int, metavar="N", help=texts_table.HELP_SEED)
    parser.add_argument(
        "--rule", action="append", default=[], metavar="NAME", help=texts_table.HELP_RULE
    )
    parser.add_argument("--pace", type=float, default=1.0, metavar="X", help=texts_table.HELP_PACE)
    parser.add_argument("--silent", action="store_true", help=texts_table.HELP_SILENT)


def run(options) -> int:
    otherwise(options.rule)  # a mistake is told before anything opens
    table = Table(options)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # all is closed in order
    try:
        return table.run()
    finally:
        table.close()


class Table:
    """One evening: a unit, a window, and games until somebody closes it."""

    def __init__(self, options) -> None:
        self._options = options
        self._child: child.Child | None = None
        self._unit: TableUnit | None = None
        self._window: Any = None
        self._save: save.Save | None = None
        self._said = ""

    def run(self) -> int:
        from city_game.table.loop import Window  # where pygame is missing, all else still runs

        options = self._options
        game = None if options.resume is None else self._resume(options.resume)
        board = board_file.load(options.board)
        seats = (*read_seats(options.players), "") if options.players else None
        self._unit = self._find_unit()
        self._window = Window(sound=not options.silent)
        while True:
            keys = ""
            if game is None:
                if seats is None:
                    seats = self._ask_seats()
                if seats is None:
                    return 0
                names, kinds, keys = seats
                game = self._begin(board, names, kinds) if names else self._resume("")
            if not self._play(game, keys):
                return 0
            game, seats = None, None

    def _ask_seats(self) -> tuple[tuple[str, ...], tuple[str, ...], str] | None:
        """Return who plays, nobody if the saved game is wanted, None if the window was closed."""
        found = saves()
        setup = self._window.ask_seats(found[-1].stem if found else "")
        if setup is None:
            return None
        return ((), (), "") if setup.resumed else setup.seats()

    def close(self) -> None:
        if self._save:
            self._save.close()
        if self._unit:
            self._unit.close()
        if self._child:
            self._child.stop()
        if self._window:
            self._window.close()

    # The unit.

    def _find_unit(self) -> TableUnit:
        port = self._options.port
        if port is None:
            return self._own_unit()
        try:
            return TableUnit(host.connect(port))
        except host.LinkError as error:
            raise UserError(texts_table.NO_UNIT.format(why=error), code=1) from None

    def _own_unit(self) -> TableUnit:
        if self._child:
            self._child.stop()
        self._child = child.Child()
        return TableUnit(child.connect(self._child), mine=True)

    # The game.

    def _resume(self, wanted: str) -> Game:
        """Go on with a saved game, the latest one for ""."""
        found = saves()
        if not wanted and not found:
            raise UserError(texts_table.NO_SAVE.format(folder=games_folder()))
        self._save, repaired = save.load(Path(wanted) if wanted else found[-1])
        if repaired:
            print(f"city-game: {repaired}", file=sys.stderr)
            self._said = repaired
        return self._save.game

    def _begin(self, board, names: tuple[str, ...], kinds: tuple[str, ...]) -> Game:
        seed = self._options.seed
        if seed is None:
            seed = secrets.randbits(48)
        game = Game(Setup(board, names, kinds, otherwise(self._options.rule), mix(seed)))
        path = Path(self._options.save) if self._options.save else new_save()
        self._save = save.create(path, game)
        return game

    def _play(self, game: Game, keys: str) -> bool:
        """Play a game; return whether another one is wanted."""
        from city_game.table.screen import BID_KEYS, Screen

        assert self._unit is not None and self._window is not None
        session = Session(game, self._unit, self._save, self._options.pace)
        if self._said:
            session.say(self._said)
            self._said = ""
        screen = Screen(session, self._window.size, keys or BID_KEYS)
        screen.export = lambda: self._export(session)
        while True:
            wants = self._window.play(screen)
            if wants == "another unit":
                self._change_unit(session)
                continue
            if self._save:
                self._save.close()
                self._save = None
            return wants == "again"

    def _change_unit(self, session: Session) -> None:
        try:
            self._unit = self._own_unit()
        except UserError as error:
            session.say(str(error))
            return
        session.use(self._unit)

    def _export(self, session: Session) -> None:
        assert self._save is not None
        path = self._save.path
        try:
            written = export(session.game, path.parent, path.stem)
        except UserError as error:
            session.say(str(error))
            return
        for one in written:
            session.say(texts_table.EXPORTED.format(path=one))


def read_seats(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return names and kinds from "Ann,Bob,planner": a strength's name is a bot's seat."""
    names, kinds = [], []
    for word in text.split(","):
        name, _, strength = word.strip().partition("=")
        if not strength and name in STRENGTHS:
            strength, name = name, name.capitalize()
        if strength and strength not in STRENGTHS:
            raise UserError(
                texts_table.NO_STRENGTH.format(word=strength, strengths=", ".join(STRENGTHS))
            )
        while name in names:
            name += "'"
        names.append(name)
        kinds.append(strength or HUMAN)
    if not 2 <= len(names) <= 6 or not all(names):
        raise UserError(texts_table.TWO_TO_SIX)
    return tuple(names), tuple(kinds)


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
    stamp = time.strftime("%Y-%m-%d %H.%M")
    folder = games_folder()
    path, number = folder / f"{stamp}.city", 2
    while path.exists():
        path, number = folder / f"{stamp} {number}.city", number + 1
    return path


def saves() -> list[Path]:
    """Return the saved games, the latest last."""
    return sorted(games_folder().glob("*.city"), key=lambda path: path.stat().st_mtime)
