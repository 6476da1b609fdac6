"""The command that opens the table: one evening with a unit, a window, and game after game.

`Evening.run` connects the unit that the options name or starts an emulated one, opens the window,
and then alternates between the setup and a game until the window is closed. The telephones' server
starts when it is first requested. An error in drawing is written to a report beside the save, and
the game continues.
"""

import math
import os
import secrets
import signal
import sys
import traceback
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from city_game import editions, save
from city_game.bots import STRENGTHS
from city_game.editions import is_short, own_minutes
from city_game.export import export
from city_game.game import HUMAN, Game, Setup
from city_game.headless import mix
from city_game.kernel.board import Board, load
from city_game.kernel.switches import with_reversed
from city_game.save import games_folder, latest_unfinished, new_save, saves
from city_game.table.picture import Invitation
from city_game.table.session import Session
from city_game.table.unit import TableUnit
from city_game.table.view import BID_KEYS, FirstGame
from city_unit import host
from city_unit.desktop import addresses, files, language
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import FAILURE, UserError
from city_unit.desktop.files import make_folder, write_whole
from city_unit.desktop.forms import minutes
from sim.engine import emulated_unit

if TYPE_CHECKING:
    from city_game.phones.telephones import Phones
    from city_game.table.screen import Screen
    from city_game.table.window import Window


def is_calm_wanted() -> bool:
    """Return the saved reduced-motion choice."""
    with suppress(ImportError, OSError, ValueError):
        return _calm_file().read_text(encoding="utf-8").strip() == "yes"
    return False


def keep_calm(calm: bool) -> None:
    """Save the reduced-motion choice; if it cannot be written, it applies to this run only."""
    with suppress(ImportError, UserError):
        make_folder(_calm_file().parent)
        write_whole(_calm_file(), "yes\n" if calm else "no\n")


def _calm_file() -> Path:
    return files.settings_folder() / "calm"


TWICE_MS = 10000  # within this time a second request leaves a game with unsaved steps
Players = tuple[tuple[str, ...], tuple[str, ...]]  # names and kinds of the players


def open_window(options: Namespace) -> "Window":
    # Where pygame is missing, all other commands still run.
    from city_game.table.window import Window

    language.choose_for("table")
    return Window(sound=not options.silent)


class Evening:
    """The games played at one table, one after another.

    options  the command line's
    opens    opens the window
    unit     the unit to play with, None for the one that the options name
    players  those of the first game, None to show the setup
    """

    def __init__(
        self,
        options: Namespace,
        opens: Callable[[Namespace], "Window"] = open_window,
        unit: TableUnit | None = None,
        players: Players | None = None,
    ) -> None:
        self._options = options
        self._opens = opens
        self._players = players
        self._edition = editions.chosen(options.edition, options.board)
        self._rules = with_reversed(
            self._edition.switches, options.rule, is_short(self._edition, options.minutes)
        )
        self._minutes = options.minutes
        self._played: tuple[Setup, str] | None = None  # the previous game and its bid keys
        self._path = Path()
        self._child: emulated_unit.EmulatedUnit | None = None
        self._unit = unit
        self._window: Window | None = None
        self._save: save.Save | None = None
        self._phones: Phones | None = None
        self._first_game = FirstGame(False)
        self._session: Session | None = None  # of the current or latest game
        self._reported: set[tuple[str, str]] = set()  # its program errors
        self._notice = ""  # shown when the next game starts
        self._leave_until = 0.0  # host ms until which a game can be left without confirmation
        self._is_stopped = False

    def run(self) -> int:
        options = self._options
        with suppress(UserError):  # an unusable folder is reported once it is needed
            self._first_game = FirstGame(not saves())
        board = load(self._edition, options.board)
        game: Game | None = None
        if options.resume is not None:
            path = Path(options.resume)
            if not options.resume:
                latest = latest_unfinished(include_open=True)
                if latest is None:
                    none = _(
                        "there is no unfinished game in {folder}; --resume FILE also shows a "
                        "finished one"
                    )
                    raise UserError(none.format(folder=games_folder()))
                path = latest.path
            game = self._resume(path)
        if options.phones is not None:
            self._start_phones()
        if self._unit is None and options.port is None:
            self._unit = self._own_unit()
        elif self._unit is None:
            try:
                self._unit = TableUnit(host.connect(options.port))
            except host.LinkError as error:
                words = _("{why}; without --port an emulated unit is used").format(why=error)
                raise UserError(words, error.code) from None
        self._window = self._opens(options)
        if game is None and self._players:  # last, so that an error above leaves no empty save
            game = self._begin(board, *self._players)
        while True:
            if game is None:
                game = self._ask(board)
            if game is None or not self._play(game):
                return 0
            game = None

    def _ask(self, board: Board) -> Game | None:
        """Show the setup; return the new or saved game chosen, None if the window was closed."""
        from city_game.table.setup import SetupScreen

        assert self._unit is not None and self._window is not None
        setup = SetupScreen(latest_unfinished(), saves(), self._edition)
        setup.rules = self._rules
        setup.call_phones = self._start_phones
        setup.minutes = self._minutes or (own_minutes(self._edition) if self._unit.is_mine else 0)
        if self._played:
            setup.propose(*self._played)
        while True:
            if not self._window.ask_seats(setup, self._wait):
                return None
            try:
                if setup.resumed:
                    return self._resume(setup.resumed.path)
                self._edition, self._rules = setup.edition, setup.rules
                self._minutes = setup.minutes
                chosen = board if board.edition is setup.edition else load(setup.edition)
                return self._begin(chosen, *setup.seats())
            except UserError as error:
                setup.reopen(str(error))

    def _wait(self) -> None:
        """Poll the unit and the telephones during the setup."""
        assert self._unit is not None
        self._unit.poll()
        self._step_phones()

    def stop(self, *_signal: object) -> None:
        """Handle a signal: end the evening in order, at the latest in the next frame.

        The exception alone is not enough: Python drops one that is raised while it clears a weak
        reference, and a signal once arrived at that moment.
        """
        self._is_stopped = True
        raise KeyboardInterrupt

    def close(self) -> None:
        """Close everything; raise UserError if steps could not be saved."""
        if self._phones:
            self._phones.stop()
        if self._unit:
            self._unit.close()
        if self._child:
            self._child.stop()
        if self._window:
            self._window.close()
        self._close_save()

    def _close_save(self) -> None:
        """Close the save; raise UserError if steps are lost."""
        closed, self._save = self._save, None
        if closed is None:
            return
        closed.close()
        if closed.error:
            words = {"path": closed.path, "why": closed.error, "count": closed.unsaved}
            raise UserError(
                _("cannot write {path}: {why}; the last steps are lost ({count})").format(**words),
                FAILURE,
            )

    # The telephones.

    def _start_phones(self) -> Invitation:
        """Start the telephones' server and return the invitation; raise UserError if it fails."""
        if self._phones is None:
            # Imported here, since it would delay --help and tables without telephones.
            from city_game.phones.telephones import EVERYWHERE, Phones

            where, port = EVERYWHERE, 0
            if self._options.phones:
                where, port = addresses.parse(self._options.phones)
            self._phones = Phones(games_folder() / "telephones.json", where, port)
            print(
                _("Telephones join at {address}").format(address=self._phones.address), flush=True
            )
        return self._invitation() or Invitation("", ())

    def _invitation(self) -> Invitation | None:
        """Return how telephones connect, None before their server runs."""
        phones = self._phones
        if phones is None:
            return None
        session = phones.telephones.session
        return Invitation(
            phones.address,
            phones.squares,
            tuple(session.humans()) if session else (),
            tuple(sorted(phones.telephones.online())),
            phones.is_only_here,
        )

    def _step_phones(self) -> None:
        if self._is_stopped:
            raise KeyboardInterrupt
        if self._phones is None:
            return
        try:
            self._phones.step()
        except Exception as error:
            if self._session is None:
                raise
            self._report(error, self._session)

    def _connect_phones(self, session: Session | None) -> None:
        if self._phones:
            self._phones.telephones.use(session)

    # The unit.

    def _own_unit(self) -> TableUnit:
        if self._child:
            self._child.stop()
        self._child = emulated_unit.EmulatedUnit()
        return TableUnit(emulated_unit.connect(self._child), is_mine=True)

    # The game.

    def _resume(self, path: Path) -> Game:
        """Resume a saved game; a finished game is only shown, and its file left unchanged."""
        self._path = path
        game = save.look(path)
        if game.state.phase == "over":
            return game
        self._save, self._notice = save.load(path)
        if self._notice:
            print(f"city-game: {self._notice}", file=sys.stderr)
            self._notice = self._notice.replace(f"{path.parent}{os.sep}", "")
        return self._save.game

    def _begin(
        self, board: Board, names: tuple[str, ...], kinds: tuple[str, ...], keys: str = ""
    ) -> Game:
        seed = self._options.seed
        if seed is None:
            seed = secrets.randbits(48)
        setup = Setup(board, names, kinds, self._rules, mix(seed), keys, self._minutes)
        try:
            game = Game(setup)
        except ValueError as error:  # an edition for fewer players
            raise UserError(str(error)) from None
        # --save names the file of the first game only.
        wanted, self._options.save = self._options.save, None
        self._path = Path(wanted) if wanted else new_save()
        self._save = save.create(self._path, game)
        return game

    def _play(self, game: Game) -> bool:
        """Play a game; return True if another is requested."""
        from city_game.table.screen import Screen

        assert self._unit is not None and self._window is not None
        session = Session(game, self._unit, self._save, self._options.pace)
        keys = game.setup.keys or BID_KEYS
        self._played = (game.setup, keys)

        def export_now() -> None:
            try:
                for path in export(game, self._path.parent, self._path.stem):
                    session.say(_("Written: {path}").format(path=path))
            except UserError as error:
                session.say(str(error))

        screen = Screen(session, self._window.size, keys)
        screen.export = export_now
        screen.invite = self._invitation
        screen.motion.is_calm = self._options.calm or is_calm_wanted()
        screen.keep_calm = keep_calm
        screen.first_game = self._first_game
        self._session, self._reported = session, set()
        screen.failed = lambda error: self._report(error, session)
        self._connect_phones(session)
        if self._phones:
            screen.look_up("phones")
        self._begin_hour(session)
        if self._notice:
            session.say(self._notice)
            self._notice = ""
        while True:
            wants = self._window.play(screen, self._step_phones)
            if wants == "another unit":
                try:
                    self._unit = self._own_unit()
                    session.replace_unit(self._unit)
                except UserError as error:
                    session.say(str(error))
            elif wants == "phones":
                try:
                    self._start_phones()
                    self._connect_phones(session)
                    screen.look_up("phones")
                except UserError as error:
                    session.say(str(error))
            elif self._may_leave(session):
                self._say_good_bye(screen)
                if session.state.phase != "over":  # the result stays until another game begins
                    self._connect_phones(None)
                try:
                    self._close_save()
                except UserError as error:
                    if wants != "again":
                        raise
                    self._notice = str(error)
                return wants == "again"

    def _report(self, error: Exception, session: Session) -> None:
        """Report a program error once, in a file beside the save; the game continues."""
        where = traceback.extract_tb(error.__traceback__)[-1]
        kind = (repr(error), f"{where.filename}:{where.lineno}")
        if kind in self._reported:
            return
        self._reported.add(kind)
        path, what = self._path.with_suffix(".faults.txt"), f"{type(error).__name__}: {error}"
        written = _("the report could not be written")
        with suppress(OSError), open(path, "a", encoding="utf-8") as file:
            file.write(f"step {len(session.game.actions)}\n")  # no text: in the file
            file.writelines(traceback.format_exception(error))
            written = _("the report is {file}").format(file=path.name)
        words = _("Program error: {what}. The game is saved and continues; {written}")
        notice = words.format(what=what, written=written)
        print(f"city-game: {notice}", file=sys.stderr)
        session.say(notice)

    def _say_good_bye(self, screen: "Screen") -> None:
        """On leaving an unfinished game, show that it is saved and whether its hour runs on."""
        session, unit = screen.session, screen.session.unit
        left = unit.clock_left()
        if session.state.phase == "over" or left is None or self._window is None:
            return
        words = _("The unit keeps running: its hour continues.")
        if unit.is_mine:
            words = _("The game is saved, and the hour is stopped: {time} left.")
            session.keep_clock()
        session.hint(words.format(time=minutes(int(left))))
        self._window.say_good_bye(screen)

    def _may_leave(self, session: Session) -> bool:
        """Return True if a game can be left; with unsaved steps only on the second request."""
        now = session.unit.host_ms()
        if self._save is None or not self._save.error or now < self._leave_until:
            return True
        self._leave_until = now + TWICE_MS
        session.say(
            _("The last steps are not saved ({count}); leave again to lose them").format(
                count=self._save.unsaved
            )
        )
        return False

    def _begin_hour(self, session: Session) -> None:
        """Start the hour of a new game, or resume that of a saved one.

        If telephones are invited, a new game waits for them. A real unit has kept its own time.
        """
        if not session.game.actions:
            session.gathers = self._phones is not None and bool(session.humans())
            if not session.gathers:
                session.hour.begin()
            session.hint(_("F1 shows the keys; a click can do everything a key does"))
        elif session.unit.is_mine and self._save:
            session.hour.go_on(self._save.clock_left or 0)


LONGEST_MINUTES = 24 * 60


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments for the unit, the game, its rules, and the people at the table."""
    add, a_file = parser.add_argument, _("FILE")
    says = _("the unit: auto, a serial port, or socket://HOST:PORT (default: an emulated one)")
    add("--port", metavar=_("PORT"), help=says)
    says = _("the players, as in Ann,Bob,Cleo=planner,builder (default: a screen asks)")
    add("--players", metavar=_("SEATS"), help=says)
    says = _("the board: a file, or the name of one that comes with the game")
    add("--board", metavar=a_file, default="", help=says)
    says = _("the edition: {names} (default: the first, or the board's own)")
    says = says.format(names=", ".join(editions.names()))
    add("--edition", metavar=_("NAME"), default="", help=says)
    says = _("resume a saved game (without a file: the latest unfinished one)")
    add("--resume", metavar=a_file, nargs="?", const="", help=says)
    says = _("where to save this game (default: a new file in ~/City games)")
    add("--save", metavar=a_file, help=says)
    says = _("seed of the dice and cards, to repeat a game")
    add("--seed", type=int, metavar=_("N"), help=says)
    says = _("reverse this house rule; can be repeated (`city-game rules` lists them)")
    add("--rule", action="append", default=[], metavar=_("NAME"), help=says)
    says = _("minutes of the hour (default: 0, as set at the unit; an emulated one: 60)")
    add("--minutes", type=int, default=0, metavar=_("N"), help=says)
    says = _("thinking time of the bots: 1 normal, 0 none, 2 twice as long")
    add("--pace", type=float, default=1.0, metavar=_("X"), help=says)
    says = _(
        "let the players' telephones in, from the home network; each is a hand and a button"
        " to bid with (127.0.0.1:8737: from this computer only)"
    )
    add("--phones", metavar=_("HOST:PORT"), nargs="?", const="", help=says)
    says = _("reduced motion: nothing moves or blinks (F8 at the table, which is remembered)")
    add("--calm", action="store_true", help=says)
    add("--silent", action="store_true", help=_("no sound"))


def run(options: Namespace) -> int:
    if (options.rule or options.minutes) and options.resume is not None:
        raise UserError(
            _("--rule and --minutes are for a new game; a saved one keeps the rules it began with")
        )
    if options.minutes not in range(LONGEST_MINUTES + 1):
        raise UserError(
            _("--minutes takes 1 to {most} (0: as the unit is set)").format(most=LONGEST_MINUTES)
        )
    if not 0 <= options.pace < math.inf:
        raise UserError(_("--pace takes 0 or more: 1 normal, 0 none, 2 twice as long"))
    players = read_players(options.players) if options.players and options.resume is None else None
    evening = Evening(options, players=players)
    signal.signal(signal.SIGTERM, evening.stop)
    try:
        return evening.run()
    finally:
        evening.close()


def read_players(text: str) -> Players:
    """Parse "Ann,Bob,Cleo=planner,builder" into names and kinds; a bare strength is a bot."""
    names, kinds = [], []
    for word in text.split(","):
        name, _equals, strength = word.strip().partition("=")
        named = bool(strength) or name not in STRENGTHS
        if not named:
            strength, name = name, name.capitalize()  # no text: a bot's name
        if strength and strength not in STRENGTHS:
            raise UserError(
                _("there is no bot {word}; the bots are {strengths}").format(
                    word=strength, strengths=", ".join(STRENGTHS)
                )
            )
        if named and name in names:
            raise UserError(
                _("Two players are called {name}; rename one of them").format(name=name)
            )
        while name in names:
            name += "'"
        names.append(name)
        kinds.append(strength or HUMAN)
    if not 2 <= len(names) <= 6 or not all(names):
        raise UserError(_("--players takes two to six names, as in: Ann,Bob,Cleo=planner,builder"))
    return tuple(names), tuple(kinds)
