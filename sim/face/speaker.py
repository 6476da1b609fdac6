"""Play the buzzer's tone on the computer's sound device.

An open device wakes SDL's audio thread more than a hundred times a second, even in silence. So
the device is closed after some seconds without a tone, and reopened before a tone is due or when
the user starts to act. Opening takes 2 to 8 ms with PulseAudio, less than a frame. Closing waits
for the audio thread, for up to 2 s right after an opening; so it runs in a thread of its own, and
an opening waits for that.
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

NO_SOUND = lazy("{program}: there is no sound device; continuing without sound")

SHORTEST_MS = 4  # shorter sounds, which occur at high speeds, are skipped
LONGEST_MS = 4000  # length of a sample; longer tones repeat it
REST_S = 5.0  # the device is closed after this long without a tone or an action of the user
AHEAD_S = 3.0  # it is opened this long before a tone is due: a sleeping sink needs up to 2 s
RETRY_S = 1.0  # pause after a failed opening, unless a tone is due
CUT_MS = 16  # two buffers: fade-out of a tone that is cut off, which would click otherwise


@contextmanager
def hushed() -> Iterator[None]:
    """Suppress standard error, where sound and display systems print messages of their own."""
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
    """Plays the unit's tone; without a sound device it prints that once and stays silent.

    program     the program's name in that message
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
        """Open the device if it is closed: the user acts, and a tone may follow at once."""
        self._used = self._clock()
        if self.is_working and self._used - self._failed >= RETRY_S:
            self._open()

    def tend(self, due_s: float | None) -> None:
        """Open or close the device as needed; called in each turn of a loop.

        due_s  seconds until the next known tone, None if there is none
        """
        if self._sounding[0] or (due_s is not None and due_s <= AHEAD_S):
            self.wake()
        elif self._is_open and self._clock() - self._used >= REST_S:
            self._is_open = False
            self._channel = None
            self._closing = threading.Thread(target=self._mixer.quit, daemon=True)
            self._closing.start()

    def join(self) -> None:
        """Wait until a closing device is closed."""
        if self._closing is not None:
            self._closing.join()
            self._closing = None

    def _open(self) -> bool:
        """Open the device; return False if that failed, as while it is unplugged."""
        if self._is_open:
            return True
        self.join()
        try:
            with hushed():
                self._mixer.init(tones.RATE, -16, 1, 256, allowedchanges=0)
        except (pygame.error, NotImplementedError):
            self._failed = self._clock()
            return False
        self._is_open = True
        return True

    def show(self, hz: int, volume: int, length_ms: float = LONGEST_MS) -> None:
        """Play `hz` from now on, at a volume from 0 to 3; 0 Hz is silence.

        length_ms  the length of the tone if it is known, so that it ends at the exact sample
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
        """Return whether this differs from the current sound."""
        return self.is_working and _audible(hz, volume) != self._sounding

    def close(self) -> None:
        self.join()
        if self._is_open:
            self._is_open = False
            self._mixer.quit()


def _audible(hz: int, volume: int) -> tuple[int, int]:
    """Return the pitch and volume, (0, 0) if either makes it silent."""
    return (hz, volume) if hz and volume else (0, 0)
