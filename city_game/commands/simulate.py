"""`city-game simulate`: bots play many games, headless, in virtual time."""

import json
import sys
import textwrap
import time
from pathlib import Path

from city_game import headless, texts, with_unit
from city_game.board_file import OWN, load
from city_game.bots import STRENGTHS
from city_game.charts import bars
from city_game.errors import UserError, nearest
from city_game.files import make_folder, write_whole
from city_game.money import show
from city_game.statistics import Statistics

TABLE = "planner,builder,visitor,builder"
STOPPED = 130  # the exit status of what Ctrl-C ended
PROGRESS_WIDTH = 60


def arguments(parser) -> None:
    parser.add_argument(
        "--games", type=int, default=1000, metavar="N", help="how many (default: 1000)"
    )
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help="the same number, the same games"
    )
    parser.add_argument("--board", default=OWN, help="a board file, or a name")
    parser.add_argument(
        "--bots",
        default=TABLE,
        metavar="LIST",
        help=f"who sits at the table, of {', '.join(STRENGTHS)}; seats go round (default: {TABLE})",
    )
    parser.add_argument("--unit", action="store_true", help=texts.HELP_UNIT)
    parser.add_argument("--json", action="store_true", help=texts.HELP_JSON)
    parser.add_argument("--charts", metavar="FOLDER", help=texts.HELP_CHARTS)


def run(options) -> int:
    seats = _seats(options.bots)
    if options.games < 1:
        raise UserError(texts.GAMES_BAD)
    board = load(options.board)
    if options.charts:
        make_folder(options.charts)
    statistics = Statistics(board)
    whole = _play(statistics, options, seats)
    if not statistics.games:
        return STOPPED
    report = statistics.report()
    if options.charts:
        for path in _draw(report, board, Path(options.charts)):
            print(path, file=sys.stderr)
    print(json.dumps(report, indent=1) if options.json else _told(report))
    if whole:
        return 0
    told = texts.STOPPED.format(done=statistics.games, games=options.games)
    print(f"city-game: {told}", file=sys.stderr)
    return STOPPED


def _play(statistics: Statistics, options, seats: tuple[str, ...]) -> bool:
    """Add the games one by one; return False if Ctrl-C stopped it, and keep what was played."""
    play_one = with_unit.play if options.unit else headless.play
    progress = _Progress(options.games)
    try:
        for game in range(options.games):
            turned = game % len(seats)  # so that each sits in each seat
            strengths = seats[turned:] + seats[:turned]
            played = play_one(statistics.board, strengths, options.seed * 1000003 + game)
            statistics.add(played, strengths)
            progress.show(game + 1)
    except KeyboardInterrupt:
        return False
    finally:
        progress.wipe()
    return True


class _Progress:
    """A line that says how far it is, for people only."""

    def __init__(self, games: int) -> None:
        self._games = games
        self._wanted = sys.stderr.isatty()
        self._started = self._shown = time.monotonic()

    def show(self, done: int) -> None:
        now = time.monotonic()
        if not self._wanted or now - self._shown < 0.2:
            return
        self._shown = now
        rate = done / (now - self._started)
        left = (self._games - done) / rate
        text = texts.PROGRESS.format(done=done, games=self._games, rate=rate, left=left)
        print(f"\r{text:{PROGRESS_WIDTH}}", end="", file=sys.stderr, flush=True)

    def wipe(self) -> None:
        if self._wanted:
            print("\r" + " " * PROGRESS_WIDTH + "\r", end="", file=sys.stderr, flush=True)


def _seats(listed: str) -> tuple[str, ...]:
    seats = tuple(one.strip() for one in listed.split(","))
    for one in seats:
        if one not in STRENGTHS:
            near = nearest(one, STRENGTHS)
            told = texts.NO_BOT_NEAR if near else texts.NO_BOT
            raise UserError(told.format(word=one, near=near, right=", ".join(STRENGTHS)))
    if not 2 <= len(seats) <= 6:
        raise UserError(texts.BOTS_BAD)
    return seats


def _told(report: dict) -> str:
    lines = [texts.GAMES_HEAD.format(games=report["games"])]
    for name, one in report["strengths"].items():
        lines.append(f"  {name:8} wins {_share(one, report['games'])}")
    turns = "by turn, who starts first: " + ", ".join(map(_within, report["by_turn"]))
    lines.append(_wrapped(turns))
    minutes = report["minutes"]
    lines.append(
        f"  {minutes['mean']} min a game ({minutes['shortest']} to {minutes['longest']}), "
        f"{report['turns']} turns; the hour ends {report['ended_by_the_hour']:.0%} of them"
    )
    lines.append(
        f"  {report['bankrupt_per_game']} bankrupt a game; the winner is worth "
        f"{show(report['winner_worth'])}"
    )
    counts = "a game: " + ", ".join(_count(*one) for one in report["a_game"].items())
    lines.append(_wrapped(counts))
    widest = max(len(one["name"]) for one in report["districts"])
    lines.append(f"  {'district':{widest}}  earns a game   rents  auctions  sold for   price")
    for one in report["districts"]:
        fetched = show(one["mean_auction_price"]) if one["auctions_per_game"] else "-"
        lines.append(
            f"  {one['name']:{widest}} {show(round(one['earned_per_game'])):>13} "
            f"{one['rents_per_game']:>7} {one['auctions_per_game']:>9} "
            f"{fetched:>9} {show(one['price']):>7}"
        )
    return "\n".join(lines)


def _wrapped(text: str) -> str:
    return textwrap.fill(text, 100, initial_indent="  ", subsequent_indent="    ")


def _share(one: dict, games: int) -> str:
    """Return how many games a strength wins, and each of its seats."""
    return f"{_within(one)}, a seat {one['share'] * games / one['seats']:.1%}"


def _within(one: dict) -> str:
    low, high = one["interval"]
    return f"{one['share']:.1%} ({low:.1%} to {high:.1%})"


def _count(name: str, number: float) -> str:
    return f"{name.replace('_', ' ')} {number:.1f}"


def _draw(report: dict, board, folder: Path) -> list[Path]:
    """Draw the figures; return what was written."""
    wins = [
        (name, one["share"], _share(one, report["games"]), "#2c4ea3")
        for name, one in report["strengths"].items()
    ]
    turns = [
        (f"turn {number}", one["share"], _within(one), "#2f8a4c")
        for number, one in enumerate(report["by_turn"], 1)
    ]
    earned = [
        (
            one["name"],
            one["earned_per_game"],
            show(round(one["earned_per_game"])),
            board.groups[board.group_of[index]].colour,
        )
        for index, one in enumerate(report["districts"])
    ]
    pictures = {
        "wins.svg": bars(f"Who wins, of {report['games']} games", wins),
        "turns.svg": bars("Who wins, by the order of turns", turns),
        "districts.svg": bars("What districts earn in a game", earned),
    }
    for name, picture in pictures.items():
        write_whole(folder / name, picture)
    return [folder / name for name in pictures]
