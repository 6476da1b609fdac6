"""`city-game` and `city-game table`: opens the table, with a unit beside it."""

import math
import os
import secrets
import signal
import sys
from pathlib import Path
from typing import Any

from city_game import board_file, save, texts_table
from city_game.bots import STRENGTHS
from city_game.errors import UserError
from city_game.export import export
from city_game.game import Game, Setup
from city_game.headless import mix
from city_game.house_rules import otherwise
from city_game.saved_games import games_folder, latest_to_go_on, new_save, saves
from city_game.table import child
from city_game.table.session import HUMAN, Session
from city_game.table.unit import TableUnit
from city_unit import host

LONGEST_MINUTES = 24 * 60


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
    parser.add_argument(
        "--minutes", type=int, default=0, metavar="N", help=texts_table.HELP_MINUTES
    )
    parser.add_argument("--pace", type=float, default=1.0, metavar="X", help=texts_table.HELP_PACE)
    parser.add_argument("--silent", action="store_true", help=texts_table.HELP_SILENT)


def run(options) -> int:
    if (options.rule or options.minutes) and options.resume is not None:
        raise UserError(texts_table.RULES_ARE_SAVED)
    if options.minutes not in range(LONGEST_MINUTES + 1):
        raise UserError(texts_table.MINUTES_BAD.format(most=LONGEST_MINUTES))
    if not 0 <= options.pace < math.inf:
        raise UserError(texts_table.PACE_BAD)
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
        self._rules = otherwise(options.rule)
        self._minutes = options.minutes
        self._played: tuple[Setup, str] | None = None  # the last game, and its bid keys
        self._path = Path()
        self._child: child.Child | None = None
        self._unit: TableUnit | None = None
        self._window: Any = None
        self._save: save.Save | None = None
        self._said = ""

    def run(self) -> int:
        from city_game.table.loop import Window  # where pygame is missing, all else still runs

        options = self._options
        board = board_file.load(options.board)
        game: Game | None = None
        if options.resume is not None:
            game = self._resume(self._wanted(options.resume))
        elif options.players:
            game = self._begin(board, *read_seats(options.players))
        self._unit = self._find_unit()
        self._window = Window(sound=not options.silent)
        while True:
            if game is None:
                game = self._ask(board)
            if game is None or not self._play(game):
                return 0
            game = None

    def _ask(self, board) -> Game | None:
        """Return the game that is wanted, a new or a saved one; None if the window was closed."""
        from city_game.table.setup_screen import SetupScreen

        assert self._unit is not None
        setup = SetupScreen(self._window.size, latest_to_go_on(), saves(), self._rules)
        setup.minutes = self._minutes or (60 if self._unit.mine else 0)
        if self._played:
            setup.take(*self._played)
        while True:
            if not self._window.ask_seats(setup, self._unit.poll):
                return None
            try:
                return self._asked_for(board, setup)
            except UserError as error:
                setup.stay(str(error))

    def _asked_for(self, board, setup) -> Game:
        """Return the game that was chosen on the first screen."""
        if setup.resumed:
            return self._resume(setup.resumed.path)
        self._rules, self._minutes = setup.rules, setup.minutes
        return self._begin(board, *setup.seats())

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

    def _wanted(self, named: str) -> Path:
        """Return the save of that name, that of the latest unfinished game for ""."""
        if named:
            return Path(named)
        latest = latest_to_go_on()
        if latest is None:
            raise UserError(texts_table.NO_SAVE.format(folder=games_folder()))
        return latest.path

    def _resume(self, path: Path) -> Game:
        """Go on with a saved game; a finished one is only looked at, and its file left alone."""
        self._path = path
        game = save.look(path)
        if game.state.phase == "over":
            return game
        self._save, self._said = save.load(path)
        if self._said:
            print(f"city-game: {self._said}", file=sys.stderr)
            self._said = self._said.replace(f"{path.parent}{os.sep}", "")
        return self._save.game

    def _begin(self, board, names: tuple[str, ...], kinds: tuple[str, ...], keys="") -> Game:
        seed = self._options.seed
        if seed is None:
            seed = secrets.randbits(48)
        setup = Setup(board, names, kinds, self._rules, mix(seed), keys, self._minutes)
        game = Game(setup)
        self._path = self._save_name()
        self._save = save.create(self._path, game)
        return game

    def _save_name(self) -> Path:
        """Return the name that was asked for, once; later games of the evening get their own."""
        wanted, self._options.save = self._options.save, None
        return Path(wanted) if wanted else new_save()

    def _play(self, game: Game) -> bool:
        """Play a game; return whether another one is wanted."""
        from city_game.table.screen import BID_KEYS, Screen

        assert self._unit is not None and self._window is not None
        session = Session(game, self._unit, self._save, self._options.pace)
        keys = game.setup.keys or BID_KEYS
        self._played = (game.setup, keys)
        screen = Screen(session, self._window.size, keys)
        screen.export = lambda: self._export(session)
        self._begin_hour(session)
        if self._said:
            session.say(self._said)
            self._said = ""
        while True:
            wants = self._window.play(screen)
            if wants == "another unit":
                self._change_unit(session)
                continue
            if self._save:
                self._save.close()
                self._save = None
            return wants == "again"

    def _begin_hour(self, session: Session) -> None:
        """Begin the hour with the game. A real unit that went on meanwhile keeps its time."""
        if not session.game.actions:
            session.begin_hour()
            session.hint(texts_table.WELCOME)
        elif session.unit.mine and self._save:
            session.go_on_with_hour(self._save.clock_left or 0)

    def _change_unit(self, session: Session) -> None:
        try:
            self._unit = self._own_unit()
        except UserError as error:
            session.say(str(error))
            return
        session.use(self._unit)

    def _export(self, session: Session) -> None:
        try:
            written = export(session.game, self._path.parent, self._path.stem)
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
        named = bool(strength) or name not in STRENGTHS
        if not named:
            strength, name = name, name.capitalize()
        if strength and strength not in STRENGTHS:
            raise UserError(
                texts_table.NO_STRENGTH.format(word=strength, strengths=", ".join(STRENGTHS))
            )
        if named and name in names:
            raise UserError(texts_table.NAME_TWICE.format(name=name))
        while name in names:
            name += "'"
        names.append(name)
        kinds.append(strength or HUMAN)
    if not 2 <= len(names) <= 6 or not all(names):
        raise UserError(texts_table.TWO_TO_SIX)
    return tuple(names), tuple(kinds)
