"""The animation of a game's window: how the picture catches up with the game.

`Motion` compares the game with what it has shown so far. New events start animations: tokens walk,
dice tumble, buildings rise, amounts float, and the outcome of a sale or a chance card stays for a
while. Each animation has a start and an end on the host's clock, so it can be skipped, and a late
frame shows it further along. With reduced motion everything is shown in its final position.
"""

import math

from city_game.kernel.state import State
from city_game.table.picture import Die

STEP_MS = 70  # a token's walk over one space
JUMP_MS = 350  # a train journey, or the way to jail
DICE_MS = 900
ROLLING_MS = 450  # the part of DICE_MS in which the dice tumble
FLOAT_MS = 1800
CARD_MS = 3500
SALE_MS = 3500
DISPUTE_MS = 6000  # in place of SALE_MS if a bid was refused
REST_MS = 350  # pause after a move, so that eyes can follow
GROW_MS = 500
GROWN = 10  # steps in which a building rises
# event: index of the deed among its values
BUILT = {"built": 2, "station built": 2, "landmark built": 3, "placed": 3}


class Motion:
    """The animation: how the picture catches up with the game. Times are host ms."""

    def __init__(self, state: State, heard: int, quick: bool) -> None:
        """Start at a state, without animating the first `heard` events, or any if `quick`."""
        self.quick = quick
        self.is_calm = False  # reduced motion: nothing walks, tumbles, grows or blinks
        self._seen = heard
        self._cash = list(state.cash)
        self.skip(state)

    def skip(self, state: State) -> None:
        """End all animations."""
        self.busy = 0.0  # end of the current animations
        self.dice: tuple[int, int] | None = None
        self.card = -1  # the chance card just drawn, -1 for none
        self.sale: tuple | None = None  # the event that just ended an auction
        self._dice_until = self._card_until = self._sale_until = 0.0
        self.floats: list[
            tuple[int, int, float]
        ] = []  # just paid or received: player, notes, start
        self.growing: dict[int, float] = {}  # the start by deed where something was just built
        self._goals = list(state.place)
        # Of each token in spaces, with a fraction while it walks.
        self.places = [float(place) for place in self._goals]
        # For each token: from, to, start, end.
        self._walks = [(place, place, 0.0, 0.0) for place in self.places]

    def update(self, state: State, news: list[tuple], now: float) -> None:
        """Start the animations of new events, and advance all to `now`."""
        for player, cash in enumerate(state.cash):
            if cash != self._cash[player]:
                self.floats.append((player, cash - self._cash[player], now))
                self._cash[player] = cash
        for event in news[self._seen :]:
            if event[0] in ("rolled", "start rolled"):
                self.dice = (event[2], event[3])
                self._dice_until = now + DICE_MS
                self.busy = max(self.busy, now + DICE_MS * 0.6)
            elif event[0] == "card":
                self.card = event[2]
                self._card_until = now + CARD_MS
                self.busy = max(self.busy, now + CARD_MS)
            elif event[0] in BUILT:
                self.growing[event[BUILT[event[0]]]] = now
            elif event[0] in ("sold", "unsold"):
                self.sale = event
                self._sale_until = now + (DISPUTE_MS if state.sales[-1].refused else SALE_MS)
                self.busy = max(self.busy, self._sale_until)
        self._seen = len(news)
        if self.quick:
            self.skip(state)
            return
        size = state.board.size
        for player, place in enumerate(state.place):
            if place == self._goals[player]:
                continue
            start = self.places[player]
            way = (place - start) % size
            jump = way > 13
            begins = max(now, self._dice_until - (DICE_MS - ROLLING_MS))
            ends = begins + (JUMP_MS if jump else STEP_MS * max(1.0, way))
            goal = place if jump and place < start else start + way
            if self.is_calm:
                start, goal, ends = float(place), place, begins + 1
            self._walks[player] = (start, float(goal), begins, ends)
            self._goals[player] = place
            self.busy = max(self.busy, ends + REST_MS)
        for player, (start, goal, begins, ends) in enumerate(self._walks):
            part = 1.0 if now >= ends else max(0.0, (now - begins) / (ends - begins))
            self.places[player] = (start + (goal - start) * part) % size
        self.floats = [paid for paid in self.floats if now - paid[2] < FLOAT_MS]
        self.growing = {deed: at for deed, at in self.growing.items() if now - at < GROW_MS}
        if now >= self._dice_until:
            self.dice = None
        if now >= self._card_until:
            self.card = -1
        if now >= self._sale_until:
            self.sale = None

    def shown_dice(self, sides: int, now: float) -> tuple[Die, ...]:
        """Return the dice, which have `sides` sides, as they lie or tumble."""
        if self.dice is None:
            return ()
        ends = self._dice_until - (DICE_MS - ROLLING_MS)
        left = 0.0 if self.is_calm else max(0.0, (ends - now) / ROLLING_MS)
        if not left:
            return tuple(Die(face, 0, 0.0) for face in self.dice)
        raised = 0.5 * left * abs(math.sin(left * 3 * math.pi))  # three bounces, each lower
        return tuple(
            Die(int(now / 60 + ahead) % sides + 1, round(turn * left), raised)
            for ahead, turn in ((0, -540), (3, 450))
        )

    def grown(self, deed: int, now: float) -> float:
        """Return the height of a deed's buildings as a share of the full height."""
        since = self.growing.get(deed)
        if since is None or self.is_calm:
            return 1.0
        share = max(0, min(GROWN, int((now - since) / GROW_MS * GROWN)))
        return 0.3 + 0.7 * share / GROWN
