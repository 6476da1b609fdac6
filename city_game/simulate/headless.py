"""Whole games of bots in virtual time, without a table and without a unit."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from city_game import bots
from city_game.bots import in_auction
from city_game.bots.in_auction import Plan
from city_game.editions.program import calls, described, due_call
from city_game.kernel import luck
from city_game.kernel.board import Board
from city_game.kernel.deals import awaits_light
from city_game.kernel.edition import fresh
from city_game.kernel.engine import apply
from city_game.kernel.sales import is_decided
from city_game.kernel.state import State
from city_game.kernel.switches import HouseRules
from city_game.simulate.pace import (
    BOT_MS,
    PERSON_BIDS_MS,
    SILENCE_MS,
    THINKING,
)

WORD = 0xFFFFFFFFFFFFFFFF


@dataclass
class Played:
    """A finished game: its final state, its length in ms, and its number of actions.

    light_ms   the time for which the light of auctions was on
    silent_ms  the part of it without bids: after the last bid, and between two that are far apart
    """

    state: State
    ms: int
    actions: int
    light_ms: int = 0
    silent_ms: int = 0


class VirtualGame:
    """A game in virtual time; everything in it follows from the seed.

    people  the number of seats, from the first on, that take a person's time to think, bid and
            pass; the bot of the seat still decides
    """

    def __init__(
        self,
        board: Board,
        strengths: tuple[str, ...],
        seed: int,
        rules: HouseRules | None,
        people: int,
    ) -> None:
        self.state = fresh(board, len(strengths), rules)
        self.unit = described(board.edition.program)
        self.seats = [
            bots.make(board.edition, name, player, seed) for player, name in enumerate(strengths)
        ]
        self.now = self.actions = self.light_ms = self.silent_ms = 0
        self._people = range(people)
        self._random = Random(seed).random
        self._luck = luck.Luck(mix(seed))

    def play(self, hour_ms: int = 0) -> Played:
        """Play to the end; `hour_ms` is the length of the hour, 0 for the program's own."""
        state = self.state
        hour_ms = hour_ms or self.unit.clock_ms
        turns = -1
        while (phase := state.phase) != "over":
            if phase == "hammer":
                self._auction()
                continue
            if phase == "waiting":
                self.now = self._next_call(hour_ms)
                self._look_at_clock(hour_ms)
                continue
            self._act(phase)
            if state.turns != turns:
                turns = state.turns
                self._look_at_clock(hour_ms)
        return Played(state, self.now, self.actions, self.light_ms, self.silent_ms)

    def _act(self, phase: str) -> None:
        state, decider = self.state, self.state.decider
        if luck.is_drawn(state):
            action = self._luck.draw(state)
        else:
            if phase == "deal":
                self._light_deal()
            action = self.seats[decider].decide[phase](state)
        apply(state, action)
        self.actions += 1
        quick = self._people and decider >= 0 and decider not in self._people
        thinking = self.unit.permit_ms if phase == "permit" else THINKING.get(action[0], 0)
        self.now += BOT_MS if quick else thinking

    def _light_deal(self) -> None:
        """Have the light time a deal; bots answer long before it goes out."""
        if awaits_light(self.state):
            apply(self.state, ("deal light on", self.now))
            self.actions += 1

    def _look_at_clock(self, hour_ms: int) -> None:
        left = max(0.0, 1 - self.now / hour_ms)
        for seat in self.seats:
            seat.left = left
        state = self.state
        if self.now >= hour_ms and not state.hour_over and state.phase != "over":
            apply(state, ("hour ended", hour_ms))

        while call := due_call(state, hour_ms - self.now, self.now):
            apply(state, call)

    def _next_call(self, hour_ms: int) -> int:
        """Return when a mark of the clock is due for which the game waits; at once, if it was."""
        due = [hour_ms - left for left, _name in calls(self.state.edition)]
        return min((at for at in due if at > self.now), default=self.now)

    def _auction(self) -> None:
        """Hold an auction by the players' own times, up to its end or until it is decided."""
        state, started = self.state, self.now
        apply(state, ("light on", started))
        since = at = 0
        longest = length = self.unit.auction_ms[0]
        marks = [0]  # the times of the bids, and the start
        while True:
            if is_decided(state):
                length = at + 1
                break
            plan = min(self._plans(since), default=None)
            if plan is None or plan.at >= longest:
                break
            at = max(at, plan.at)
            apply(state, plan.action(state, started, at))
            self.actions += 1
            if plan.amount:
                since = at
                marks.append(at)
        self.light_ms += length
        self.silent_ms += _silence(marks, length)
        apply(state, ("light out", started + length))
        apply(state, ("settle",))
        self.actions += 3
        self.now = started + length + THINKING["settle"]

    def _plans(self, since: int) -> Iterator[Plan]:
        people = self._people
        hurry = in_auction.only_bots_left(self.state, people)
        found = in_auction.plans(self.state, self.seats, since, self.unit, hurry)
        if not people:
            return found
        return (self._at_leisure(plan, since) if plan.player in people else plan for plan in found)

    def _at_leisure(self, plan: Plan, since: int) -> Plan:
        least, most = PERSON_BIDS_MS
        return plan._replace(at=since + least + int((most - least) * self._random()))


def play(
    board: Board,
    strengths: tuple[str, ...],
    seed: int,
    rules: HouseRules | None = None,
    people: int = 0,
    hour_ms: int = 0,
) -> Played:
    """Play a game; everything in it follows from the seed. `people` as of `VirtualGame`."""
    return VirtualGame(board, strengths, seed, rules, people).play(hour_ms)


def _silence(marks: list[int], length: int) -> int:
    """Return the time in an auction without bids, in ms."""
    gaps = [later - mark for mark, later in pairwise(marks)]
    return length - marks[-1] + sum(gap for gap in gaps if gap > SILENCE_MS)


def mix(seed: int) -> int:
    """Spread small seeds over 64 bits, so that games of neighbouring seeds have nothing in common.

    The steps are splitmix64's: chance draws by a linear generator, and games would
    stay in step with each other if their seeds lay on a line. It draws nothing itself.
    """
    word = (seed * 0x9E3779B97F4A7C15 + 0xD1B54A32D192ED03) & WORD
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & WORD
    return word ^ word >> 31
