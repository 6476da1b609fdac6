"""Whole games of bots with a unit: stepped through every lamp and beep, and asked over the link.

The unit and the link are joined in memory, in virtual time. The unit starts and
ends the auctions, draws the permits, and ends the hour; the bots bid by its clock.
"""

from city_game import bots
from city_game.board import Board
from city_game.headless import Played, mix
from city_game.house_rules import HouseRules
from city_game.pace import AUCTION_MS, THINKING
from city_game.rules.engine import PHASES, apply
from city_game.rules.luck import CHANCE
from city_game.rules.sales import least_bid
from city_game.rules.state import State
from city_unit.host import Event, Memory, News

WAIT_MS = 70000  # longer than anything the unit does before it answers


class Table:
    """One game, its bots, and its unit."""

    def __init__(
        self, board: Board, strengths: tuple[str, ...], seed: int, rules: HouseRules | None = None
    ) -> None:
        self.state = State(board, len(strengths), rules, mix(seed))
        self.seats = [bots.make(one, player, seed) for player, one in enumerate(strengths)]
        self.unit = Memory(seed=mix(seed) >> 32)
        self.actions = 0
        self._heard: list[Event] = []

    def play(self) -> Played:
        """Play to the end."""
        state = self.state
        snapshot = self.unit.client.snapshot
        assert snapshot is not None  # it came with the greeting
        hour_ms = snapshot.clock_ms
        while state.phase != "over":
            self._act()
            left = max(0.0, 1 - self.unit.ms / hour_ms)
            for seat in self.seats:
                seat.left = left
        return Played(state, self.unit.ms, self.actions)

    def _act(self) -> None:
        phase = self.state.phase
        if phase == "hammer":
            self._auction()
        elif phase == "permit":
            self._permit()
        else:
            in_chance = phase in CHANCE
            decide = CHANCE[phase] if in_chance else self.seats[self.state.decider].decide[phase]
            self._do(decide(self.state))

    def _do(self, action: tuple) -> None:
        apply(self.state, action)
        self.actions += 1
        thinking = THINKING.get(action[0], 0)
        if thinking:
            self._hear(self.unit.advance(thinking))

    def _permit(self) -> None:
        self.unit.client.send("tap build")
        event = self._wait_for("permit-granted", "refused")
        if event.kind == "refused":
            self._do(("refused",))
        else:
            self._do(("permit", event.fields["permit"]))

    def _auction(self) -> None:
        """Hold an auction by the unit's light; once its hour is over, by the same 50 s alone."""
        self.unit.client.send("tap auction")
        event = self._wait_for("auction-started", "refused")
        if event.kind == "refused":
            started, ended = self.unit.ms, self.unit.ms + AUCTION_MS
        else:
            started, ended = event.ms, event.ms + int(event.fields["length_ms"])
        self._apply(("light on", started))
        since = 0
        while True:
            when, first, amount = self._next_bid(since, ended - started)
            if first is None:
                break
            self._reach(started + when)
            amount = max(amount, least_bid(self.state))
            self._apply(("bid", first.player, amount, started + when, 0))
            since = when
        if event.kind == "refused":
            self._reach(ended)
        else:
            ended = self._wait_for("auction-ended").ms
        self._apply(("light out", ended))
        self._do(("settle",))

    def _apply(self, action: tuple) -> None:
        apply(self.state, action)
        self.actions += 1

    def _next_bid(self, since: int, length_ms: int) -> tuple:
        when, first, amount = length_ms, None, 0
        for seat in self.seats:
            plan = seat.next_bid(self.state, since) if self.state.alive[seat.player] else None
            if plan and plan[0] < when:
                when, first, amount = plan[0], seat, plan[1]
        return when, first, amount

    def _reach(self, ms: int) -> None:
        if ms > self.unit.ms:
            self._hear(self.unit.advance(ms - self.unit.ms))

    def _wait_for(self, *kinds: str) -> Event:
        """Return the next event of these kinds, letting time pass until it is told."""
        until = self.unit.ms + WAIT_MS
        while True:
            while self._heard:
                event = self._heard.pop(0)
                if event.kind in kinds:
                    return event
            if self.unit.ms >= until:
                raise TimeoutError(f"the unit told none of {', '.join(kinds)}")
            self._hear(self.unit.advance_to_news(until - self.unit.ms))

    def _hear(self, news: list[News]) -> None:
        for one in news:
            if not isinstance(one, Event):
                continue
            self._heard.append(one)
            if one.kind == "hour-ended" and "hour ended" in PHASES[self.state.phase]:
                self._apply(("hour ended", one.ms))


def play(board: Board, strengths: tuple[str, ...], seed: int) -> Played:
    """Play one game with the unit stepped; everything in it follows from the seed."""
    return Table(board, strengths, seed).play()
