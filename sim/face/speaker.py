"""The buzzer on the desktop's sound card.

An open device wakes SDL's audio thread more than a hundred times a second, silent or not.
So the device is closed after some seconds without a tone, and opened again ahead of a tone
that is due, or with the first sign of a hand. Opening takes 2 to 8 ms with PulseAudio, less
than a frame. Closing waits for the audio thread, up to 2 s right after an opening; it runs in
a thread of its own, and an opening waits for it.
"""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pygame

from city_unit.desktop.catalogue import lazy
from sim.face import tones

NO_SOUND = lazy("{program}: there is no sound device; the unit goes on in silence")

SHORTEST_MS = 4  # shorter sounds, at great speed, are not worth hearing
LONGEST_MS = 4000  # one stretch of sound; a tone that lasts longer repeats it
REST_S = 5.0  # without a tone or a hand, after which the device is closed
AHEAD_S = 3.0  # before a tone that is due, at which it is opened: a sleeping sink needs up to 2
RETRY_S = 1.0  # after an opening that failed, but for a tone
CUT_MS = 16  # two buffers: a tone that is cut off dies away rather than clicks


@contextmanager
def hushed() -> Iterator[None]:
    """Keep the complaints of sound and display systems off standard error; ours is one line."""
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


class Speaker:
    """Sounds the unit's tone; without a sound device it says so once and is silent.

    program     by whose name it says so
    is_working  whether there is a sound device
    """

    def __init__(
        self,
        program: str,
        clock: Callable[[], float] = time.monotonic,
        mixer: Any = pygame.mixer,
    ) -> None:
        self.is_working = True
        self._clock = clock
        self._mixer = mixer
        self._sounding = (0, 0)
        self._channel: pygame.mixer.Channel | None = None
        self._is_open = False
        self._closing: threading.Thread | None = None
        self._used = clock()
        self._failed = -RETRY_S
        if not self._open():
            self.is_working = False
            print(NO_SOUND.format(program=program), file=sys.stderr)

    def wake(self) -> None:
        """Open the device if it is closed: a hand is near, and a tone may follow at once."""
        self._used = self._clock()
        if self.is_working and self._used - self._failed >= RETRY_S:
            self._open()

    def tend(self, due_s: float | None) -> None:
        """Open or close the device as the next tone wants it; called in each turn of a loop.

        due_s  seconds until the next tone that is known of, None if there is none
        """
        if self._sounding[0] or (due_s is not None and due_s <= AHEAD_S):
            self.wake()
        elif self._is_open and self._clock() - self._used >= REST_S:
            self._is_open = False
            self._channel = None
            self._closing = threading.Thread(target=self._mixer.quit, daemon=True)
            self._closing.start()

    def join(self) -> None:
        """Wait until a device that is being closed is closed."""
        if self._closing is not None:
            self._closing.join()
            self._closing = None

    def _open(self) -> bool:
        """Return whether the device is open now; one that is unplugged may come back."""
        if self._is_open:
            return True
        self.join()
        try:
            with hushed():
                self._mixer.init(tones.RATE, -16, 1, 256, allowedchanges=0)
        except (pygame.error, NotImplementedError):  # whose words are SDL's own English
            self._failed = self._clock()
            return False
        self._is_open = True
        return True

    def show(self, hz: int, volume: int, length_ms: float = LONGEST_MS) -> None:
        """Sound `hz` from now on, at a volume from 0 to 3; 0 Hz is silence.

        length_ms  how long the tone is going to last, so that it ends to the sample
        """
        if not self.is_news(hz, volume):
            return
        wanted = self._sounding = _audible(hz, volume)
        if self._channel is not None:
            self._channel.fadeout(CUT_MS)  # does nothing to a tone that has ended
            self._channel = None
        if wanted[0] and length_ms >= SHORTEST_MS:
            self._used = self._clock()
            if not self._open():
                return
            samples = round(min(length_ms, LONGEST_MS) * tones.RATE / 1000)
            sound = self._mixer.Sound(buffer=tones.tone(hz, samples, volume))
            self._channel = sound.play(-1 if length_ms >= LONGEST_MS else 0)

    def is_news(self, hz: int, volume: int) -> bool:
        """Return whether this differs from the present sound."""
        return self.is_working and _audible(hz, volume) != self._sounding

    def close(self) -> None:
        self.join()
        if self._is_open:
            self._is_open = False
            self._mixer.quit()


def _audible(hz: int, volume: int) -> tuple[int, int]:
    """Return the present sound: nothing without a pitch or a volume."""
    return (hz, volume) if hz and volume else (0, 0)
