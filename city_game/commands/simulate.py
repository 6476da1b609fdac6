"""`city-game simulate`: bots play many games, headless, in virtual time."""

import argparse
import json
import sys
import time
from pathlib import Path

from city_game import editions
from city_game.bots import MEASURES, STRENGTHS
from city_game.kernel.board import load
from city_game.kernel.edition import fresh
from city_game.kernel.switches import HouseRules, otherwise
from city_game.simulate import headless
from city_game.simulate.statistics import Statistics, draw, in_words
from city_unit.desktop.catalogue import _
from city_unit.desktop.command import Progress
from city_unit.desktop.errors import STOPPED, UserError, nearest
from city_unit.desktop.files import make_folder
from city_unit.desktop.forms import any_of, number

TABLE = "planner,builder,visitor,builder"


def arguments(parser: argparse.ArgumentParser) -> None:
    a_number, strengths = _("N"), any_of([*STRENGTHS, *MEASURES])
    parser.add_argument(
        "--games", type=int, default=1000, metavar=a_number, help=_("how many (default: 1000)")
    )
    parser.add_argument(
        "--seed", type=int, default=1, metavar=a_number, help=_("the same number, the same games")
    )
    parser.add_argument("--board", default="", metavar=_("FILE"), help=_("a board file, or a name"))
    parser.add_argument(
        "--edition",
        metavar=_("NAME"),
        default=editions.USUAL,
        help=_("which game: {names}").format(names=", ".join(editions.names())),
    )
    who = _("who sits at the table: {strengths}; seats go round (default: {table})")
    parser.add_argument(
        "--bots",
        metavar=_("LIST"),
        help=who.format(strengths=strengths, table=TABLE),
    )
    people = _(
        "how many seats, from the first that plays, take a person's time to think, bid and pass"
    )
    parser.add_argument("--people", type=int, default=0, metavar=a_number, help=people)
    rule = _("play a house rule the other way; `city-game rules` lists them")
    parser.add_argument("--rule", action="append", default=[], metavar=_("NAME"), help=rule)
    unit = _("step a whole unit beside each game, over its link (about twenty times slower)")
    parser.add_argument("--unit", action="store_true", help=unit)
    as_json = _("print the figures as JSON; money in notes of 10k, 100 of them a million")
    parser.add_argument("--json", action="store_true", help=as_json)
    charts = _("draw who wins and what districts earn there, as SVG; the folder is made")
    parser.add_argument("--charts", metavar=_("FOLDER"), help=charts)


def run(options: argparse.Namespace) -> int:
    edition = editions.get(options.edition)
    rules = otherwise(edition.switches, options.rule)
    usual = TABLE.split(",")
    while edition.seats_refusal(len(usual), rules):  # as many as sit at a table of the edition
        usual.pop()
    seats = _seats(options.bots or ",".join(usual))
    if options.games < 1:
        raise UserError(_("--games must be 1 or more"))
    if not 0 <= options.people <= len(seats):
        wrong = _("--people takes 0 to {most}, as many as there are seats")
        raise UserError(wrong.format(most=len(seats)))
    if options.people and options.unit:
        raise UserError(_("--people and --unit do not go together: with a unit all seats are bots"))
    if rules.until_one_is_left:
        raise UserError(
            _("bots do not ruin each other: until_one_is_left is for people, and not simulated")
        )
    board = load(edition, options.board)
    try:
        fresh(board, len(seats), rules)
    except ValueError as error:  # too few or too many seats for the edition
        raise UserError(str(error)) from None
    if options.charts:
        make_folder(options.charts)
    statistics = Statistics(board)
    whole = _play(statistics, options, seats, rules)
    if not statistics.games:
        return STOPPED
    report = statistics.report()
    if options.charts:
        for path in draw(report, board, Path(options.charts)):
            print(path, file=sys.stderr)
    print(json.dumps(report, indent=1) if options.json else in_words(report, statistics))
    if whole:
        return 0
    stopped = _("stopped after {done} of {games} games")
    stopped = stopped.format(done=number(statistics.games), games=number(options.games))
    print(f"city-game: {stopped}", file=sys.stderr)
    return STOPPED


def _play(
    statistics: Statistics, options: argparse.Namespace, seats: tuple[str, ...], rules: HouseRules
) -> bool:
    """Add the games one by one; return False if Ctrl-C stopped it: the games before count."""
    line, started, games = Progress(patience_s=0.2), time.monotonic(), options.games
    says = _("{done} of {games} games, {rate} a second, {left} s left")
    try:
        for game in range(games):
            turned = game % len(seats)  # each bot sits in each seat equally often
            strengths = seats[turned:] + seats[:turned]
            which = (statistics.board, strengths, options.seed * 1000003 + game, rules)
            if options.unit:
                played = headless.GameWithUnit(*which).play()
            else:
                played = headless.play(*which, options.people)
            statistics.add(played, strengths)
            done = game + 1
            rate = done / max(time.monotonic() - started, 1e-9)
            said = {"done": done, "games": games, "rate": rate, "left": (games - done) / rate}
            said = {name: number(value) for name, value in said.items()}
            line.show(says.format(**said), done / games)
    except KeyboardInterrupt:
        return False
    finally:
        line.wipe()
    return True


def _seats(listed: str) -> tuple[str, ...]:
    seats, known = tuple(word.strip() for word in listed.split(",")), STRENGTHS | MEASURES
    for word in seats:
        if word in known:
            continue
        near = nearest(word, known)
        if near:
            unknown = _('unknown bot "{word}"; did you mean "{near}"?')
        else:
            unknown = _('unknown bot "{word}"; it may be {right}')
        raise UserError(unknown.format(word=word, near=near, right=any_of([*STRENGTHS, *MEASURES])))
    if not 2 <= len(seats) <= 6:
        raise UserError(_("--bots takes two to six, as in: planner,builder,visitor"))
    return seats
