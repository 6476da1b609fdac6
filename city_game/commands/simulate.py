"""`city-game simulate`: bots play many games, headless, in virtual time."""

import argparse
import json
import sys
import textwrap
import time
from pathlib import Path

from city_game import editions
from city_game.bots import MEASURES, STRENGTHS
from city_game.kernel.board import Board
from city_game.kernel.board_file import load
from city_game.kernel.edition import fresh
from city_game.kernel.money import show
from city_game.kernel.switches import HouseRules, otherwise
from city_game.report.charts import bars
from city_game.simulate import headless
from city_game.simulate.statistics import Statistics
from city_unit.desktop.catalogue import Lazy, _, lazy, ngettext
from city_unit.desktop.errors import STOPPED, UserError, nearest
from city_unit.desktop.files import make_folder, write_whole
from city_unit.desktop.forms import any_of, number, percent
from city_unit.desktop.progress import Progress

TABLE = "planner,builder,visitor,builder"
COLUMNS = 100  # letters a line

HEAD: tuple[Lazy, ...] = (
    lazy("district"),
    lazy("earns a game"),
    lazy("rents"),
    lazy("auctions"),
    lazy("sold for"),
    lazy("price"),
)


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
        for path in _draw(report, board, Path(options.charts)):
            print(path, file=sys.stderr)
    print(json.dumps(report, indent=1) if options.json else _in_words(report, statistics))
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


# The report in words.


def _in_words(report: dict, statistics: Statistics) -> str:
    games = report["games"]
    head = ngettext(
        "{count} game; in brackets the 95 % intervals of the shares",
        "{count} games; in brackets the 95 % intervals of the shares",
        games,
    )
    lines = [head.format(count=number(games))]
    wins = _("{strength} wins {share}, a seat {seat}")
    for name, figures in report["strengths"].items():
        shares = {"share": _interval(figures), "seat": _of_a_seat(figures, games)}
        lines.append("  " + wins.format(strength=f"{name:8}", **shares))
    turns = _("by turn, who starts first: {shares}")
    lines.append(_wrapped(turns.format(shares=", ".join(map(_interval, report["by_turn"])))))
    minutes, light = report["minutes"], report["light"]
    sentences = (
        _(
            "{mean} min a game ({shortest} to {longest}), {turns} turns; the hour ends {share} of "
            "them"
        ).format(
            mean=number(minutes["mean"], 2),
            shortest=number(minutes["shortest"], 2),
            longest=number(minutes["longest"], 2),
            turns=number(report["turns"], 1),
            share=percent(report["ended_by_the_hour"]),
        ),
        _("{bankrupt} bankrupt a game; the winner is worth {worth}").format(
            bankrupt=number(report["bankrupt_per_game"], 3), worth=show(report["winner_worth"])
        ),
        _(
            "the light of auctions is {share} of the time; {silent} of the time it is on and "
            "nobody bids"
        ).format(share=percent(light["share"], 1), silent=percent(light["silent"], 1)),
    )
    lines += [f"  {sentence}" for sentence in sentences]
    counts = [
        statistics.counted[name][1].format(number=number(count, 1))
        for name, count in report["a_game"].items()
    ]
    lines.append(_wrapped(_("a game: {counts}").format(counts=", ".join(counts))))
    rows = [tuple(map(str, HEAD))]
    for deed in report["districts"]:
        auctions = deed["auctions_per_game"]
        earned, rents = show(round(deed["earned_per_game"])), number(deed["rents_per_game"], 2)
        mean = show(deed["mean_auction_price"]) if auctions else "-"
        rows.append((deed["name"], earned, rents, number(auctions, 3), mean, show(deed["price"])))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, *figures in rows:
        figures = map(str.rjust, figures, widths[1:])
        lines.append("  " + "  ".join([name.ljust(widths[0]), *figures]))
    return "\n".join(lines)


def _wrapped(text: str) -> str:
    return textwrap.fill(text, COLUMNS, initial_indent="  ", subsequent_indent="    ")


def _of_a_seat(figures: dict, games: int) -> str:
    """Return the share of games that each seat of a strength wins."""
    return percent(figures["share"] * games / figures["seats"], 1)


def _interval(figures: dict) -> str:
    low, high = figures["interval"]
    return _("{share} ({low} to {high})").format(
        share=percent(figures["share"], 1), low=percent(low, 1), high=percent(high, 1)
    )


# The report in pictures.


def _draw(report: dict, board: Board, folder: Path) -> list[Path]:
    """Draw the figures; return the paths of the pictures."""
    games = report["games"]
    seat, turn = _("{share}, a seat {seat}"), _("turn {number}")
    wins = [
        (
            name,
            figures["share"],
            seat.format(share=_interval(figures), seat=_of_a_seat(figures, games)),
            "#2c4ea3",
        )
        for name, figures in report["strengths"].items()
    ]
    turns = [
        (turn.format(number=place), figures["share"], _interval(figures), "#2f8a4c")
        for place, figures in enumerate(report["by_turn"], 1)
    ]
    deeds = [
        (
            deed["name"],
            deed["earned_per_game"],
            show(round(deed["earned_per_game"])),
            board.groups[board.group_of[index]].colour,
        )
        for index, deed in enumerate(report["districts"])
    ]
    titles = ngettext("Wins in {count} game", "Wins in {count} games", games)
    pictures = {
        "wins.svg": bars(titles.format(count=number(games)), wins),
        "turns.svg": bars(_("Wins by the order of turns"), turns),
        "districts.svg": bars(_("Earnings of districts in a game"), deeds),
    }
    for name, picture in pictures.items():
        write_whole(folder / name, picture)
    return [folder / name for name in pictures]
