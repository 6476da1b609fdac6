"""Whole games of bots in virtual time, without a table and without a unit."""

from dataclasses import dataclass

from city_game import bots
from city_game.board import Board
from city_game.house_rules import HouseRules
from city_game.pace import AUCTION_MS, HOUR_MS, THINKING
from city_game.rules.engine import PHASES
from city_game.rules.luck import CHANCE
from city_game.rules.sales import least_bid
from city_game.rules.state import State

WORD = 0xFFFFFFFFFFFFFFFF


@dataclass
class Played:
    """A finished game: where it stands, how long it took, and all that was done."""

    state: State
    ms: int
    actions: int


def play(
    board: Board,
    strengths: tuple[str, ...],
    seed: int,
    rules: HouseRules | None = None,
    hour_ms: int = HOUR_MS,
) -> Played:
    """Play one game; everything in it follows from the seed."""
    state = State(board, len(strengths), rules, mix(seed))
    seats = [bots.make(strength, player, seed) for player, strength in enumerate(strengths)]
    decide = [seat.decide for seat in seats]
    thinking = THINKING.get
    now = actions = 0
    turns = -1
    while True:
        phase = state.phase
        if phase in CHANCE:
            action = CHANCE[phase](state)
        elif phase == "hammer":
            steps, now = auction(state, seats, now)
            actions += steps
            continue
        elif phase == "over":
            return Played(state, now, actions)
        else:
            action = decide[state.decider][phase](state)
        PHASES[phase][action[0]](state, action)
        actions += 1
        now += thinking(action[0], 0)
        if state.turns != turns:
            turns = state.turns
            left = max(0.0, 1 - now / hour_ms)
            for seat in seats:
                seat.left = left
            if now >= hour_ms and not state.hour_over and state.phase != "over":
                PHASES[state.phase]["hour ended"](state, ("hour ended", hour_ms))


def auction(state: State, seats: list, now: int) -> tuple[int, int]:
    """Hold an auction by the bots' own times; return its actions and the time after it."""
    _do(state, ("light on", now))
    actions = 3
    since = 0
    bidders = [(seat, seat.limit(state)) for seat in seats if state.alive[seat.player]]
    while True:
        when, first, amount = AUCTION_MS, None, 0
        for seat, _ in bidders:
            plan = seat.next_bid(state, since)
            if plan and plan[0] < when:
                when, first, amount = plan[0], seat, plan[1]
        if first is None:
            break
        # Who is outbid for good is asked no more: the highest bid only rises.
        bidders = [one for one in bidders if one[1] > amount or one[0] is first]
        _do(state, ("bid", first.player, max(amount, least_bid(state)), now + when, 0))
        since = when
        actions += 1
    now += AUCTION_MS
    _do(state, ("light out", now))
    _do(state, ("settle",))
    return actions, now + THINKING["settle"]


def mix(seed: int) -> int:
    """Spread small seeds over 64 bits, so that games of neighbouring seeds have nothing in common.

    The steps are splitmix64's: chance draws by a linear generator, in which games would
    stay in step with each other if their seeds lay on a line.
    """
    word = (seed * 0x9E3779B97F4A7C15 + 0xD1B54A32D192ED03) & WORD
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & WORD
    return word ^ word >> 31


def _do(state: State, action: tuple) -> None:
    PHASES[state.phase][action[0]](state, action)
