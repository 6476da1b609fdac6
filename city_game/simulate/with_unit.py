"""Whole games of bots with a unit: stepped through every lamp and beep, and used over the link.

The unit and the link are joined in memory, in virtual time. The unit starts and
ends the auctions, draws the permits, and ends the hour; the bots bid by its clock.
"""

from collections.abc import Iterator

from city_game import bots
from city_game.bots import in_auction
from city_game.bots.in_auction import Plan
from city_game.editions.program import due_call
from city_game.kernel import luck
from city_game.kernel.board import Board
from city_game.kernel.deals import awaits_light
from city_game.kernel.edition import fresh
from city_game.kernel.engine import apply
from city_game.kernel.sales import is_decided
from city_game.kernel.switches import HouseRules
from city_game.simulate.headless import Played, mix
from city_game.simulate.pace import THINKING
from city_unit.desktop.catalogue import _
from city_unit.desktop.forms import all_of
from city_unit.host import Event, Memory, News

WAIT_MS = 400000  # longer than anything the unit does before it answers, or calls


class GameWithUnit:
    """A game, its bots, and its unit."""

    def __init__(
        self, board: Board, strengths: tuple[str, ...], seed: int, rules: HouseRules | None = None
    ) -> None:
        self.state = fresh(board, len(strengths), rules)
        self._luck = luck.Luck(mix(seed))
        self.seats = [
            bots.make(board.edition, name, player, seed) for player, name in enumerate(strengths)
        ]
        self.unit = Memory(seed=mix(seed) >> 32, program=board.edition.program)
        self.program = self.unit.client.describe()
        self.actions = self.light_ms = 0
        self._heard: list[Event] = []

    def play(self) -> Played:
        """Play to the end."""
        state = self.state
        snapshot = self.unit.client.snapshot
        assert snapshot is not None  # it came with the greeting
        hour_ms = snapshot.clock_ms
        while state.phase != "over":
            self._act()
            while call := due_call(state, hour_ms - self.unit.ms, self.unit.ms):
                self._apply(call)
            left = max(0.0, 1 - self.unit.ms / hour_ms)
            for seat in self.seats:
                seat.left = left
        return Played(state, self.unit.ms, self.actions, self.light_ms)

    def _act(self) -> None:
        phase = self.state.phase
        if phase == "hammer":
            self._auction()
        elif phase == "permit":
            self._permit()
        elif phase == "waiting":
            self._wait_for("phase-started")
        elif phase != "permit" and luck.is_drawn(self.state):
            self._do(self._luck.draw(self.state))
        elif phase == "deal" and awaits_light(self.state):
            self._deal()
        else:
            self._do(self.seats[self.state.decider].decide[phase](self.state))

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

    def _deal(self) -> None:
        """Offer a deal by the unit's light, and put it out after the answer."""
        self.unit.client.send("tap auction")
        event = self._wait_for("auction-started", "refused")
        self._apply(("deal light on", event.ms))
        self._do(self.seats[self.state.decider].decide["deal"](self.state))
        if event.kind != "refused":
            self.unit.client.send("stop")
            self._wait_for("auction-cancelled")

    def _auction(self) -> None:
        """Hold an auction by the unit's light; once its hour is over, by the same time alone."""
        self.unit.client.send("tap auction")
        event = self._wait_for("auction-started", "refused")
        if event.kind == "refused":
            started, ended = self.unit.ms, self.unit.ms + self.program.auction_ms[0]
        else:
            started, ended = event.ms, event.ms + int(event.fields["length_ms"])
        self._apply(("light on", started))
        since = at = 0
        while not is_decided(self.state):
            plan = min(self._plans(since), default=None)
            if plan is None or plan.at >= ended - started:
                break
            at = max(at, plan.at)
            self._reach(started + at)
            self._apply(plan.action(self.state, started, at))
            since = at if plan.amount else since
        if is_decided(self.state):
            ended = self._end_early(by_unit=event.kind != "refused")
        elif event.kind == "refused":
            self._reach(ended)
        else:
            ended = self._wait_for("auction-ended").ms
        self.light_ms += ended - started
        self._apply(("light out", ended))
        self._do(("settle",))

    def _plans(self, since: int) -> Iterator[Plan]:
        hurry = in_auction.only_bots_left(self.state, ())
        return in_auction.plans(self.state, self.seats, since, self.program, hurry)

    def _end_early(self, by_unit: bool) -> int:
        """Have the light put out, and return when it was."""
        self._reach(self.unit.ms + 1)  # not at the very moment it went on
        if by_unit:
            self.unit.client.send("stop")
            return self._wait_for("auction-cancelled").ms
        return self.unit.ms

    def _apply(self, action: tuple) -> None:
        apply(self.state, action)
        self.actions += 1

    def _reach(self, ms: int) -> None:
        if ms > self.unit.ms:
            self._hear(self.unit.advance(ms - self.unit.ms))

    def _wait_for(self, *kinds: str) -> Event:
        """Return the next event of these kinds, letting time pass until it comes."""
        until = self.unit.ms + WAIT_MS
        while True:
            while self._heard:
                event = self._heard.pop(0)
                if event.kind in kinds:
                    return event
            if self.unit.ms >= until:
                none = _("the unit has reported none of {events}")
                raise TimeoutError(none.format(events=all_of(kinds)))
            self._hear(self.unit.advance_to_news(until - self.unit.ms))

    def _hear(self, news: list[News]) -> None:
        for event in news:
            if not isinstance(event, Event):
                continue
            self._heard.append(event)
            if (
                event.kind in ("hour-ended", "time-called")
                and "hour ended" in self.state.edition.phases[self.state.phase]
            ):
                self._apply(("hour ended", event.ms))


def play(
    board: Board, strengths: tuple[str, ...], seed: int, rules: HouseRules | None = None
) -> Played:
    """Play a game with the unit stepped; everything in it follows from the seed."""
    return GameWithUnit(board, strengths, seed, rules).play()
