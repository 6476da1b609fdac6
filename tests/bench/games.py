"""Whole bot games a second, beside a bare loop of as many actions.

A second is one of the processor's time: another program that runs beside slows the games down
by half, and is none of their cost. (The median game is timed by the clock.)
"""

import time
from argparse import Namespace
from collections.abc import Iterator
from statistics import median
from timeit import timeit

from city_game import headless
from city_game.bots import STRENGTHS, Bot
from city_game.editions.city import EDITION
from city_game.kernel.board import Board, load
from city_game.simulate import TABLE, wilson
from city_unit.desktop.errors import UserError
from tests.bench import Figure

TARGET = 300  # games a second, the rules alone
UNIT_TARGET = 10  # games a second, with the unit stepped and the link joined in memory
HOURS = ((3_600_000, "one hour"), (1_800_000, "half an hour"))


def run(options: Namespace) -> Iterator[Figure]:
    if options.games < 1:
        raise UserError("--games must be 1 or more")
    board = load(EDITION)
    seats = tuple(TABLE.split(","))
    for hour_ms, name in HOURS:
        yield rules_alone(board, seats, options.games, hour_ms, name)
    yield unit_stepped(board, seats, max(1, options.games // 10))  # these take longer


def rules_alone(
    board: Board, seats: tuple[str, ...], games: int, hour_ms: int, name: str
) -> Figure:
    actions = turns = 0
    times = []
    began = time.process_time()
    for game in range(games):
        started = time.perf_counter()
        played = headless.play(board, seats, game, hour_ms=hour_ms)
        times.append(time.perf_counter() - started)
        actions += played.actions
        turns += played.state.turns
    took = time.process_time() - began
    return Figure(
        f"games of {name}",
        f"{games / took:.0f} a second, {1 / median(times):.0f} by the median game; "
        f"{actions / games:.0f} actions a game, {took / actions * 1e6:.2f} us each, "
        f"{took / turns * 1e6:.1f} us a turn",
        f"{TARGET} a second",
        games / took >= TARGET,
        f"all of it {took:.3f} s, a bare loop of as many calls "
        f"{timeit(lambda: None, timer=time.process_time, number=actions):.3f} s",
    )


def unit_stepped(board: Board, seats: tuple[str, ...], games: int) -> Figure:
    started = time.process_time()
    for game in range(games):
        headless.GameWithUnit(board, seats, game).play()
    rate = games / (time.process_time() - started)
    target = f"{UNIT_TARGET} a second"
    return Figure("with the unit stepped", f"{rate:.1f} a second", target, rate >= UNIT_TARGET)


# Why the bots have the figures that they have: the wins of a bot with another value.

_TRIED: dict[str, dict[str, tuple[float, ...]]] = {
    "planner": {
        "reserve": (0, 150),
        "building_money": (100, 800),
        "steps": (4, 36),
        "least_gain": (5, 100),
        "turns": (110, 200),
        "caution": (0.55, 0.85),
        "thrift": (0.0, 0.35),
        "block_cost": (1.0, 1.8),
        "whole": (0.3, 1.0),
        "begun": (1.0, 1.3),
    },
    "builder": {"reserve": (0, 150), "caution": (0.6, 0.9), "rents": (2.0, 8.0)},
}
_RIVALS = (1, 3)
_CHANGED = "changed"  # the strength of the bot with another value


def bots(options: Namespace) -> Iterator[Figure]:
    if options.games < 1:
        raise UserError("--games must be 1 or more")
    board = load(EDITION)
    for strength, figures in _TRIED.items():
        yield _figure(board, strength, {}, options.games)
        for name, values in figures.items():
            for value in values:
                yield _figure(board, strength, {name: value}, options.games)


def _figure(board: Board, strength: str, changed: dict[str, float], games: int) -> Figure:
    kind = EDITION.minds()[strength]
    what = ", ".join(f"{name} = {value}" for name, value in changed.items()) or "as it is"
    usual = ", ".join(f"usually {getattr(kind, name)}" for name in changed)
    other = type(_CHANGED, (kind,), dict(changed))
    shares = [
        f"{_won(board, strength, other, rivals, games)} against {rivals}" for rivals in _RIVALS
    ]
    return Figure(f"{strength}, {what}", "; ".join(shares), beside=usual)


def _won(board: Board, strength: str, other: type[Bot], rivals: int, games: int) -> str:
    """Return what share of games the other bot wins, its seat going round, with the interval."""
    wins = 0.0
    STRENGTHS[_CHANGED] = other
    try:
        for game in range(games):
            seat = game % (rivals + 1)
            seats = [strength] * (rivals + 1)
            seats[seat] = _CHANGED
            winners = headless.play(board, tuple(seats), headless.mix(10_000 + game)).state.winners
            wins += (seat in winners) / len(winners)
    finally:
        del STRENGTHS[_CHANGED]
    low, high = wilson(wins, games)
    return f"{100 * wins / games:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
