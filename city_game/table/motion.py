"""Motion: tokens walk along the track, dice roll, money floats up, buildings grow.

All of it can be skipped; at a calm table nothing moves, and everything is shown at its end.
"""

import math

from city_game.kernel.state import State
from city_game.table.picture import Die

STEP_MS = 70  # a space
JUMP_MS = 350  # a journey by train, or to jail
DICE_MS = 900
ROLLING_MS = 450  # of them, while the faces change
FLOAT_MS = 1800
CARD_MS = 3500
SALE_MS = 3500
DISPUTE_MS = 6000  # of a sale in which a bid did not count
REST_MS = 350  # after a move, so that eyes can follow
GROW_MS = 500
GROWN = 10  # pictures of a building on its way up
# event: which of its values is the deed where something was built
BUILT = {"built": 2, "station built": 2, "landmark built": 3, "placed": 3}


class Motion:
    """The picture of the game on the way to its present state.

    places   of each token, where it is shown, in spaces; parts of a space while it walks
    dice     the two faces to be shown, None for none
    card     the chance card that was just drawn, -1 for none
    sale     the event with which an auction has just ended, None for none
    floats   (player, notes, since when): the amounts that have just been paid or received
    growing  since when, by deed: that something was just built on
    busy     until when (ms of the table's clock) the last events are being shown
    is_calm  whether nothing walks, tumbles, grows or blinks
    """

    def __init__(self, state: State, heard: int = 0, quick: bool = False) -> None:
        """Begin at a state.

        heard  how many events of the game's news are over
        quick  whether everything is shown at its end at once
        """
        self.quick = quick
        self.is_calm = False
        self._seen = heard
        self._cash = list(state.cash)
        self.skip(state)

    def skip(self, state: State) -> None:
        """Show everything as it stands."""
        self.busy = 0.0
        self.dice: tuple[int, int] | None = None
        self.card = -1
        self.sale: tuple | None = None
        self._dice_until = self._card_until = self._sale_until = 0.0
        self.floats: list[tuple[int, int, float]] = []
        self.growing: dict[int, float] = {}
        self._goals = list(state.place)
        self.places = [float(place) for place in self._goals]
        # Of each token: from, to, start, end.
        self._walks = [(place, place, 0.0, 0.0) for place in self.places]

    def update(self, state: State, news: list[tuple], now: float) -> None:
        """Go on to a state and the news that led to it, at `now` ms of the table's clock."""
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
        self._start_walks(state, now)
        for player, (start, goal, begins, ends) in enumerate(self._walks):
            part = 1.0 if now >= ends else max(0.0, (now - begins) / (ends - begins))
            place = start + (goal - start) * part
            self.places[player] = place % state.board.size
        self.floats = [paid for paid in self.floats if now - paid[2] < FLOAT_MS]
        self.growing = {deed: at for deed, at in self.growing.items() if now - at < GROW_MS}
        if now >= self._dice_until:
            self.dice = None
        if now >= self._card_until:
            self.card = -1
        if now >= self._sale_until:
            self.sale = None

    def shown_dice(self, sides: int, now: float) -> tuple[Die, ...]:
        """Return the dice, each with `sides` sides, as they lie or tumble."""
        if self.dice is None:
            return ()
        ends = self._dice_until - (DICE_MS - ROLLING_MS)
        left = 0.0 if self.is_calm else max(0.0, (ends - now) / ROLLING_MS)
        if not left:
            return tuple(Die(face, 0, 0.0) for face in self.dice)
        high = 0.5 * left * abs(math.sin(left * 3 * math.pi))  # three bounces, ever lower
        return tuple(
            Die(int(now / 60 + ahead) % sides + 1, round(turn * left), high)
            for ahead, turn in ((0, -540), (3, 450))
        )

    def grown(self, deed: int, now: float) -> float:
        """Return the height of a deed's last building, as a share of its whole height, 0 to 1."""
        since = self.growing.get(deed)
        if since is None or self.is_calm:
            return 1.0
        share = max(0, min(GROWN, int((now - since) / GROW_MS * GROWN)))
        return 0.3 + 0.7 * share / GROWN

    def _start_walks(self, state: State, now: float) -> None:
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
