"""Why the bots have the figures that they have: the wins of a bot with another value."""

from argparse import Namespace
from collections.abc import Iterator

from city_game import headless
from city_game.bots import STRENGTHS, Bot
from city_game.editions.city import EDITION
from city_game.kernel.board import Board, load
from city_game.simulate import wilson
from city_unit.desktop.errors import UserError
from tests.bench import Figure

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


def run(options: Namespace) -> Iterator[Figure]:
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
