"""The emulated unit's tone through the table's own mixer; a real unit has its own buzzer."""

import contextlib
import os
import sys
from array import array
from collections.abc import Iterator

import pygame

from city_game.texts_table import NO_SOUND

RATE = 32000
LOUDNESS = (0.0, 0.04, 0.1, 0.22)  # of the volumes 0 to 3


class Buzzer:
    """One voice; without a sound card it is silent."""

    def __init__(self) -> None:
        self.works = False
        self._tones: dict[int, pygame.mixer.Sound] = {}
        self._sounds = 0
        self._channel: pygame.mixer.Channel | None = None
        try:
            with _hushed():
                pygame.mixer.init(RATE, -16, 1, 256, allowedchanges=0)
        except (pygame.error, NotImplementedError) as error:
            print(NO_SOUND.format(why=error), file=sys.stderr)
            return
        self._channel = pygame.mixer.Channel(0)
        self.works = True

    def show(self, tone: int, volume: int) -> None:
        """Sound a tone of so many Hz, 0 for silence, at a volume from 0 to 3."""
        if self._channel is None:
            return
        tone = tone if volume else 0
        if tone == self._sounds:
            return
        self._sounds = tone
        if not tone:
            self._channel.fadeout(6)
            return
        sound = self._tones.setdefault(tone, _tone(tone))
        sound.set_volume(LOUDNESS[volume])
        self._channel.play(sound, loops=-1, fade_ms=2)

    def close(self) -> None:
        if self._channel is not None:
            self._channel.stop()
            pygame.mixer.quit()


@contextlib.contextmanager
def _hushed() -> Iterator[None]:
    """Keep the sound system's own complaints off standard error; ours is one line."""
    sys.stderr.flush()
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(nowhere)
        os.close(kept)


def _tone(hz: int) -> pygame.mixer.Sound:
    """Return about half a second of whole periods, softer than a buzzer: a rounded square."""
    count = max(1, hz // 2)
    samples = round(RATE * count / hz)
    wave = array("h", bytes(2 * samples))
    for index in range(samples):
        phase = index * count / samples % 1.0
        edge = min(1.0, abs(phase % 0.5 - 0.25) * -8 + 2)  # a trapezium
        wave[index] = round(edge * (26000 if phase < 0.5 else -26000))
    return pygame.mixer.Sound(buffer=wave)
