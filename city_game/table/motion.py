"""Motion and sounds: tokens walk, dice roll, money floats up, buildings grow, and are heard.

All motion can be skipped; at a calm table nothing moves, and everything is shown at its end. The
sounds are made here, of noise and sines: quieter than the unit, whose tones everybody waits for,
and turned down with it.
"""

import math
import random
from array import array
from collections.abc import Callable
from functools import cache

import pygame

from city_game.kernel.state import State
from city_game.table.picture import Die
from sim.face.tones import RATE

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


LOUDEST = 9000  # of 32767: below the unit's
VOLUMES = (0.0, 0.35, 0.65, 1.0)  # by the steps of the unit's volume

# The sounds of the events; of several things at once the last in this order is heard.
HEARD = {
    "paid": "money",
    "received": "money",
    "salary": "money",
    "bought": "money",
    "rolled": "dice",
    "start rolled": "dice",
    "built": "building",
    "station built": "building",
    "landmark built": "building",
    "placed": "building",
    "light out": "hammer",
}
ORDER = ("money", "building", "dice", "hammer")


class Sounds:
    """The sounds of one window.

    play  makes a sound of this name be heard, at a volume of 0 to 1; None without a sound device
    """

    def __init__(self, play: Callable[[str, float], object] | None) -> None:
        self._play = play
        self._seen: tuple[object, int] = (None, 0)  # a game's events, and how many were heard

    def hear(self, events: list[tuple], volume: int) -> None:
        """Sound the new ones among a game's events, at a volume from 0 to 3."""
        of, count = self._seen
        self._seen = (events, len(events))
        if of is not events or self._play is None:
            return  # another game: its earlier events are not heard again
        name = chosen([event[0] for event in events[count:]])
        if name and volume:
            self._play(name, VOLUMES[volume])


def chosen(kinds: list[str]) -> str:
    """Return the sound of the events at once, "" for none."""
    heard = {HEARD[kind] for kind in kinds if kind in HEARD}
    return max(heard, key=ORDER.index, default="")


def play(name: str, volume: float) -> None:
    """Play a sound at the mixer of this program."""
    sound = _sound(name)
    sound.set_volume(volume)
    sound.play()


def wave(name: str) -> array:
    """Return the samples of a sound, the same each time."""
    return array("h", (round(LOUDEST * max(-1.0, min(1.0, part))) for part in WAVES[name]()))


@cache
def _sound(name: str) -> pygame.mixer.Sound:
    return pygame.mixer.Sound(buffer=wave(name).tobytes())


def _mixed(length_ms: int, parts: list[tuple[int, list[float]]]) -> list[float]:
    """Lay sounds over each other, each from its ms on."""
    total = [0.0] * (length_ms * RATE // 1000)
    for begin_ms, part in parts:
        begin = begin_ms * RATE // 1000
        for place, value in enumerate(part[: len(total) - begin]):
            total[begin + place] += value
    return total


def _struck(hz: float, fades_ms: float, loud: float, length_ms: int) -> list[float]:
    """Return a tone that dies away, as of something that was struck."""
    count = length_ms * RATE // 1000
    fade = fades_ms * RATE / 1000
    turn = 2 * math.pi * hz / RATE
    return [loud * math.sin(turn * place) * math.exp(-place / fade) for place in range(count)]


def _knock(seed: int, fades_ms: float, loud: float) -> list[float]:
    """Return a short noise, dull as wood: each sample is near the one before."""
    chance, value, found = random.Random(seed), 0.0, []
    fade = fades_ms * RATE / 1000
    for place in range(60 * RATE // 1000):
        value += 0.35 * (chance.uniform(-1, 1) - value)
        found.append(2 * loud * value * math.exp(-place / fade))
    return found


def dice() -> list[float]:
    """Two dice that bounce ever lower and sooner."""
    times = (0, 90, 165, 225, 270, 305, 330)
    knocks = [(at, _knock(at, 6, 1.0 - at / 450)) for at in times]
    taps = [(at + 12, _struck(1900 + at, 5, 0.25, 40)) for at in times]
    return _mixed(420, knocks + taps)


def money() -> list[float]:
    """Two coins on a table."""
    coins = [(0, 2637.0), (70, 3136.0)]
    rings = [(at, _struck(hz, 70, 0.4, 350)) for at, hz in coins]
    return _mixed(450, rings + [(at, _struck(hz * 2.7, 25, 0.2, 200)) for at, hz in coins])


def hammer() -> list[float]:
    """Two blows of a hammer on a board."""
    blows = [(0, 0.7), (170, 1.0)]
    boards = [(at, _struck(130, 45, loud, 200)) for at, loud in blows]
    return _mixed(420, boards + [(at, _knock(at, 12, 0.6 * loud)) for at, loud in blows])


def building() -> list[float]:
    """Three pieces put upon each other, each a little higher."""
    pieces = [(0, 330.0), (110, 392.0), (220, 494.0)]
    bodies = [(at, _struck(hz, 30, 0.6, 150)) for at, hz in pieces]
    return _mixed(420, bodies + [(at, _knock(int(hz), 8, 0.7)) for at, hz in pieces])


WAVES = {"dice": dice, "money": money, "hammer": hammer, "building": building}
