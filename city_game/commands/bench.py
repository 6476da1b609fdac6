"""`city-game bench`: whole bot games a second, beside a bare loop of as many actions."""

import time
from statistics import median

from city_game import headless, texts, with_unit
from city_game.board_file import OWN, load
from city_game.commands.simulate import TABLE
from city_game.errors import UserError

TARGET = 300  # games a second, the rules alone
UNIT_TARGET = 10  # games a second, with the unit stepped and the link joined in memory


def arguments(parser) -> None:
    parser.add_argument(
        "--games", type=int, default=200, metavar="N", help="how many (default: 200)"
    )


def run(options) -> int:
    if options.games < 1:
        raise UserError(texts.GAMES_BAD)
    board = load(OWN)
    seats = tuple(TABLE.split(","))
    for hour_ms, name in ((3600000, "one hour"), (1800000, "half an hour")):
        actions = turns = 0
        times = []
        for game in range(options.games):
            started = time.perf_counter()
            played = headless.play(board, seats, game, hour_ms=hour_ms)
            times.append(time.perf_counter() - started)
            actions += played.actions
            turns += played.state.turns
        took = sum(times)
        bare = _bare(actions)
        print(
            f"{name}: {options.games / took:.0f} games a second (aim: {TARGET}), "
            f"{1 / median(times):.0f} by the median game\n"
            f"  {actions / options.games:.0f} actions a game, {took / actions * 1e6:.2f} us each; "
            f"{took / turns * 1e6:.1f} us a turn\n"
            f"  all of it {took:.3f} s, a bare loop of as many calls {bare:.3f} s"
        )
    games = max(1, options.games // 10)  # they take longer
    started = time.perf_counter()
    for game in range(games):
        with_unit.play(board, seats, game)
    rate = games / (time.perf_counter() - started)
    print(f"with the unit stepped: {rate:.1f} games a second (aim: {UNIT_TARGET})")
    return 0


def _bare(actions: int) -> float:
    """Return the seconds that as many calls of an empty function from a table take."""
    table = {"nothing": _nothing}
    started = time.perf_counter()
    for _ in range(actions):
        table["nothing"](None, None)
    return time.perf_counter() - started


def _nothing(_state, _action) -> None:
    pass
