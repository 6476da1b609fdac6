"""Whole games of bots in virtual time, without a unit.

`Played.play` repeats one step until the game is over: the bot that decides, or chance, gives
an action, the rules apply it, and the clock advances by the time that a person would think. An
auction advances from bid to bid, since each bot plans when it would bid next.
"""

from itertools import pairwise
from random import Random

from city_game import bots
from city_game.bots import only_bots_left, plans
from city_game.editions import clock_calls, described, due_call
from city_game.kernel import luck
from city_game.kernel.actions import apply
from city_game.kernel.board import Board
from city_game.kernel.deals import awaits_light
from city_game.kernel.edition import fresh
from city_game.kernel.sales import is_decided
from city_game.kernel.switches import HouseRules

# The thinking times of bots, chosen so that a simulated hour holds about as much as a real one. All
# times are in ms of virtual time, and all are assumptions.

BOT_MS = 1200  # for each action of a bot that plays with people, as at the table
PERSON_BIDS_MS = (2500, 6500)  # shortest and longest time before a person bids or passes
SILENCE_MS = 10000  # a longer gap between two bids counts as silence

THINKING = {
    "roll": 3000,  # picking up the dice
    "dice": 4000,  # throwing them and moving
    "buy": 6000,
    "put up": 5000,
    "hold": 5000,
    "leave": 4000,
    "take": 4000,
    "refuse": 4000,
    "ready": 4000,
    "settle": 5000,
    "card": 6000,
    "place": 8000,
    "press": 2000,
    "build": 5000,
    "build hotels": 8000,
    "done": 1000,
    "station": 5000,
    "stadium": 5000,
    "skyscraper": 5000,
    "tower": 5000,
    "clear": 5000,
    "lift": 4000,
    "mortgage": 5000,
    "settle mortgage": 4000,
    "keep mortgages": 2000,
    "pay": 4000,
    "dodge": 4000,
    "bankrupt": 10000,
    "travel": 5000,
    "stay": 2000,
    "pay fine": 3000,
    "use card": 3000,
    "offer": 12000,
    "accept": 5000,
    "decline": 4000,
    "end turn": 4000,
}


WORD = 0xFFFFFFFFFFFFFFFF


class Played:
    """A game of bots in virtual time, fully determined by the seed.

    people     the number of seats, counted from the first, that take as long as a person to think,
               bid and pass; a bot still decides for them
    ms         the time since its start
    light_ms   the part of it with the light of auctions on
    silent_ms  the part of that without bids: after the last bid, and in gaps over SILENCE_MS
    """

    def __init__(
        self,
        board: Board,
        strengths: tuple[str, ...],
        seed: int,
        rules: HouseRules | None = None,
        people: int = 0,
    ) -> None:
        self.state = fresh(board, len(strengths), rules)
        self.unit = described(board.edition.program)
        self.seats = [
            bots.make(board.edition, name, player, seed) for player, name in enumerate(strengths)
        ]
        self.ms = self.light_ms = self.silent_ms = 0
        self._people = range(people)
        self._random = Random(seed).random
        self._luck = luck.Luck(mix(seed))

    def play(self) -> None:
        """Play to the end, with the hour of the edition's program."""
        state, turns = self.state, -1
        while (phase := state.phase) != "over":
            if phase == "hammer":
                self._auction()
                continue
            if phase == "waiting":  # for a mark of the clock, which may have passed already
                due = [self.unit.clock_ms - left for left, _name in clock_calls(state.edition)]
                self.ms = min((at for at in due if at > self.ms), default=self.ms)
                self._check_clock()
                continue
            decider = state.decider
            if luck.is_drawn(state):
                action = self._luck.draw(state)
            else:
                if phase == "deal" and awaits_light(state):  # bots always answer in time
                    apply(state, ("deal light on", self.ms))
                action = self.seats[decider].decide[phase](state)
            apply(state, action)
            quick = self._people and decider >= 0 and decider not in self._people
            thinking = self.unit.permit_ms if phase == "permit" else THINKING.get(action[0], 0)
            self.ms += BOT_MS if quick else thinking
            if state.turns != turns:
                turns = state.turns
                self._check_clock()

    def _check_clock(self) -> None:
        hour_ms = self.unit.clock_ms
        left = max(0.0, 1 - self.ms / hour_ms)
        for seat in self.seats:
            seat.left = left
        state = self.state
        if self.ms >= hour_ms and not state.hour_over and state.phase != "over":
            apply(state, ("hour ended", hour_ms))
        while call := due_call(state, hour_ms - self.ms, self.ms):
            apply(state, call)

    def _auction(self) -> None:
        """Hold an auction until its time is over or nobody is left to bid."""
        state, started = self.state, self.ms
        longest = self.unit.auction_ms[0]
        apply(state, ("light on", started))
        since = at = 0
        marks = [0]  # the start and the times of the bids
        people, (least, most) = self._people, PERSON_BIDS_MS
        while not is_decided(state):
            planned = (
                plan._replace(at=since + least + int((most - least) * self._random()))
                if plan.player in people
                else plan
                for plan in plans(
                    state, self.seats, since, self.unit, hurry=only_bots_left(state, people)
                )
            )
            plan = min(planned, default=None)
            if plan is None or plan.at >= longest:
                break
            at = max(at, plan.at)
            self.ms = started + at
            apply(state, plan.action(state, started, at))
            if plan.amount:
                since = at
                marks.append(at)
        # A decided auction ends after the time of its start, not with it.
        ended = self.ms = self.ms + 1 if is_decided(state) else started + longest
        gaps = [later - mark for mark, later in pairwise(marks)]
        self.light_ms += ended - started
        self.silent_ms += ended - started - marks[-1] + sum(gap for gap in gaps if gap > SILENCE_MS)
        apply(state, ("light out", ended))
        apply(state, ("settle",))
        self.ms += THINKING["settle"]


def play(
    board: Board,
    strengths: tuple[str, ...],
    seed: int,
    rules: HouseRules | None = None,
    people: int = 0,
) -> Played:
    """Play a game to its end; for `people` see `Played`."""
    played = Played(board, strengths, seed, rules, people)
    played.play()
    return played


def mix(seed: int) -> int:
    """Spread a small seed over 64 bits, with one step of splitmix64.

    Chance draws by a linear generator: without this, games of neighbouring seeds would be
    correlated.
    """
    word = (seed * 0x9E3779B97F4A7C15 + 0xD1B54A32D192ED03) & WORD
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & WORD
    return word ^ word >> 31
