"""`city-game` and `city-game table`: opens the table, with a unit beside it."""

import math
import signal
from argparse import ArgumentParser, Namespace

from city_game import editions
from city_game.bots import STRENGTHS
from city_game.game import HUMAN
from city_game.table.window.evening import Evening, Seats
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import UserError

LONGEST_MINUTES = 24 * 60


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments for the unit, the game and its rules, then those for the evening."""
    parser.add_argument(
        "--port",
        metavar=_("PORT"),
        help=_("the unit: auto, a serial port, or socket://HOST:PORT (default: an emulated one)"),
    )
    parser.add_argument(
        "--players",
        metavar=_("SEATS"),
        help=_("who plays, as in Ann,Bob,Cleo=planner,builder (default: a screen asks)"),
    )
    parser.add_argument(
        "--board",
        metavar=_("FILE"),
        default="",
        help=_("the board: a file, or the name of one that comes with the game"),
    )
    parser.add_argument(
        "--edition",
        metavar=_("NAME"),
        default="",
        help=_("which game is played: {names} (default: the first, or the board's own)").format(
            names=", ".join(editions.names())
        ),
    )
    parser.add_argument(
        "--resume",
        metavar=_("FILE"),
        nargs="?",
        const="",
        help=_("go on with a saved game (without a file: the latest unfinished one)"),
    )
    parser.add_argument(
        "--save",
        metavar=_("FILE"),
        help=_("where to save this game (default: a new file in ~/City games)"),
    )
    parser.add_argument(
        "--seed", type=int, metavar=_("N"), help=_("have the same dice and cards again")
    )
    parser.add_argument(
        "--rule",
        action="append",
        default=[],
        metavar=_("NAME"),
        help=_("play this house rule the other way; again for more (`city-game rules` lists them)"),
    )
    parser.add_argument(
        "--minutes",
        type=int,
        default=0,
        metavar=_("N"),
        help=_("how long the hour is (default: as the unit is set; the emulated one: 60)"),
    )
    _evening_arguments(parser)


def _evening_arguments(parser: ArgumentParser) -> None:
    """Add the arguments that are no matter of the game, but of the people at the table."""
    parser.add_argument(
        "--pace",
        type=float,
        default=1.0,
        metavar=_("X"),
        help=_("how long bots think: 1 as usual, 0 not at all, 2 twice as long"),
    )
    parser.add_argument(
        "--phones",
        metavar=_("HOST:PORT"),
        nargs="?",
        const="",
        help=_(
            "let the players' telephones in, from the home network; each is a hand and a button"
            " to bid with (127.0.0.1:8737: from this computer only)"
        ),
    )
    parser.add_argument(
        "--calm",
        action="store_true",
        help=_("nothing walks, tumbles or blinks (F8 at the table, which is remembered)"),
    )
    parser.add_argument("--silent", action="store_true", help=_("no sound"))


def run(options: Namespace) -> int:
    if (options.rule or options.minutes) and options.resume is not None:
        raise UserError(
            _(
                "--rule and --minutes are for a new game; a saved one goes on by the rules it "
                "began with"
            )
        )
    if options.minutes not in range(LONGEST_MINUTES + 1):
        raise UserError(
            _("--minutes takes 1 to {most} (0: as the unit is set)").format(most=LONGEST_MINUTES)
        )
    if not 0 <= options.pace < math.inf:
        raise UserError(_("--pace takes 0 or more: 1 as usual, 0 not at all, 2 twice as long"))
    seats = read_seats(options.players) if options.players and options.resume is None else None
    evening = Evening(options, seats=seats)
    signal.signal(signal.SIGTERM, evening.stop)  # all is closed in order
    try:
        return evening.run()
    finally:
        evening.close()


def read_seats(text: str) -> Seats:
    """Return names and kinds from "Ann,Bob,planner": a strength's name is a bot's seat."""
    names, kinds = [], []
    for word in text.split(","):
        name, _equals, strength = word.strip().partition("=")
        named = bool(strength) or name not in STRENGTHS
        if not named:
            strength, name = name, name.capitalize()  # no text: a bot's name
        if strength and strength not in STRENGTHS:
            raise UserError(
                _("there is no bot {word}; there are {strengths}").format(
                    word=strength, strengths=", ".join(STRENGTHS)
                )
            )
        if named and name in names:
            raise UserError(
                _("Two players are called {name}; call one of them otherwise").format(name=name)
            )
        while name in names:
            name += "'"
        names.append(name)
        kinds.append(strength or HUMAN)
    if not 2 <= len(names) <= 6 or not all(names):
        raise UserError(_("--players takes two to six names, as in: Ann,Bob,Cleo=planner,builder"))
    return tuple(names), tuple(kinds)
