"""`city-game simulate`: bots play many games, headless, in virtual time."""

import json
import sys
import time
from pathlib import Path

from city_game import headless, texts, with_unit
from city_game.board_file import OWN, load
from city_game.bots import STRENGTHS
from city_game.charts import bars
from city_game.errors import UserError
from city_game.files import write_whole
from city_game.money import show
from city_game.statistics import Statistics

TABLE = "planner,builder,visitor,builder"


def arguments(parser) -> None:
    parser.add_argument("--games", type=int, default=1000, help="how many (default: 1000)")
    parser.add_argument("--seed", type=int, default=1, help="the same seed, the same games")
    parser.add_argument("--board", default=OWN, help="a board file, or a name")
    parser.add_argument(
        "--bots",
        default=TABLE,
        metavar="LIST",
        help=f"who sits at the table, of {', '.join(STRENGTHS)}; seats go round (default: {TABLE})",
    )
    parser.add_argument(
        "--unit", action="store_true", help="step a whole unit beside each game, over its link"
    )
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--charts", metavar="FOLDER", help="draw the figures there, as SVG")


def run(options) -> int:
    seats = _seats(options.bots)
    if options.games < 1:
        raise UserError("--games must be 1 or more")
    board = load(options.board)
    play_one = with_unit.play if options.unit else headless.play
    statistics = Statistics(board)
    started = shown = time.monotonic()
    for game in range(options.games):
        turned = game % len(seats)  # so that each sits in each seat
        strengths = seats[turned:] + seats[:turned]
        statistics.add(play_one(board, strengths, options.seed * 1000003 + game), strengths)
        now = time.monotonic()
        if now - shown > 0.2 and sys.stderr.isatty():
            shown = now
            rate = (game + 1) / (now - started)
            text = texts.PROGRESS.format(done=game + 1, games=options.games, rate=rate)
            print(text, end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print("\r" + " " * 50 + "\r", end="", file=sys.stderr)
    report = statistics.report()
    if options.charts:
        _draw(report, board, Path(options.charts))
    print(json.dumps(report, indent=1) if options.json else _told(report))
    return 0


def _seats(listed: str) -> tuple[str, ...]:
    seats = tuple(one.strip() for one in listed.split(","))
    for one in seats:
        if one not in STRENGTHS:
            raise UserError(f'unknown bot "{one}"; it may be {", ".join(STRENGTHS)}')
    if not 2 <= len(seats) <= 6:
        raise UserError("two to six bots can play")
    return seats


def _told(report: dict) -> str:
    lines = [f"{report['games']} games"]
    for name, one in report["strengths"].items():
        low, high = one["interval"]
        each = one["share"] * report["games"] / one["seats"]
        lines.append(
            f"  {name:8} wins {one['share']:6.1%} ({low:.1%} to {high:.1%}), a seat {each:.1%}"
        )
    low, high = report["by_turn"][0]["interval"]
    shares = ", ".join(f"{one['share']:.1%}" for one in report["by_turn"])
    lines.append(f"  by turn, who starts first: {shares} (the first {low:.1%} to {high:.1%})")
    minutes = report["minutes"]
    lines.append(
        f"  {minutes['mean']} min a game ({minutes['shortest']} to {minutes['longest']}), "
        f"{report['turns']} turns; the hour ends {report['ended_by_the_hour']:.0%}"
    )
    lines.append(
        f"  {report['bankrupt_per_game']} bankrupt a game; the winner is worth "
        f"{show(report['winner_worth'])}"
    )
    lines.append("  a game: " + ", ".join(_count(*one) for one in report["a_game"].items()))
    lines.append("  district          earns a game   rents  auctions  sold for   price")
    for one in report["districts"]:
        lines.append(
            f"  {one['name']:16} {show(round(one['earned_per_game'])):>13} "
            f"{one['rents_per_game']:>7} {one['auctions_per_game']:>9} "
            f"{show(one['mean_auction_price']):>9} {show(one['price']):>7}"
        )
    return "\n".join(lines)


def _count(name: str, number: float) -> str:
    return f"{name.replace('_', ' ')} {number:.1f}"


def _draw(report: dict, board, folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"cannot make the folder {folder}: {error.strerror}", code=1) from None
    wins = [
        (name, one["share"], f"{one['share']:.1%}", "#2c4ea3")
        for name, one in report["strengths"].items()
    ]
    write_whole(folder / "wins.svg", bars(f"Who wins, of {report['games']} games", wins))
    turns = [
        (f"turn {number}", one["share"], f"{one['share']:.1%}", "#2f8a4c")
        for number, one in enumerate(report["by_turn"], 1)
    ]
    write_whole(folder / "turns.svg", bars("Who wins, by the order of turns", turns))
    earned = [
        (
            one["name"],
            one["earned_per_game"],
            show(round(one["earned_per_game"])),
            board.groups[board.group_of[index]].colour,
        )
        for index, one in enumerate(report["districts"])
    ]
    write_whole(folder / "districts.svg", bars("What districts earn in a game", earned))
