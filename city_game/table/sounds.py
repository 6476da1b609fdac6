"""The table's own sounds: dice, money, the hammer, building. Made here, of noise and sines.

They are quieter than the unit, whose tones everybody waits for, and turned down with it.
"""

import math
import random
from array import array
from collections.abc import Callable
from functools import cache

import pygame

from sim.face.tones import RATE

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
    """Have a sound be heard at the mixer of this program."""
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
