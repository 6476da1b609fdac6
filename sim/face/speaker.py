"""The buzzer on the desktop's sound card."""

import sys

import pygame

from sim.face import texts, tones
from sim.face.quiet_stderr import hushed

SHORTEST_MS = 4  # what is shorter, at great speed, is not worth hearing
LONGEST_MS = 4000  # one stretch of sound; a tone that lasts longer repeats it
CUT_MS = 16  # two buffers: a tone that is cut off dies away rather than clicks


class Speaker:
    """Sounds the unit's tone; without a sound device it says so once and is silent.

    program     by whose name it says so
    is_working  whether there is a sound device
    """

    def __init__(self, program: str) -> None:
        self.is_working = True
        self._sounding = (0, 0)
        self._channel: pygame.mixer.Channel | None = None
        try:
            with hushed():
                pygame.mixer.init(tones.RATE, -16, 1, 256, allowedchanges=0)
        except (pygame.error, NotImplementedError):  # whose words are SDL's own English
            self.is_working = False
            print(texts.NO_SOUND.format(program=program), file=sys.stderr)

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
            samples = round(min(length_ms, LONGEST_MS) * tones.RATE / 1000)
            sound = pygame.mixer.Sound(buffer=tones.tone(hz, samples, volume))
            self._channel = sound.play(-1 if length_ms >= LONGEST_MS else 0)

    def is_news(self, hz: int, volume: int) -> bool:
        """Return whether this is another sound than what sounds already."""
        return self.is_working and _audible(hz, volume) != self._sounding

    def close(self) -> None:
        if self.is_working:
            pygame.mixer.quit()


def _audible(hz: int, volume: int) -> tuple[int, int]:
    """Return what is to be heard: nothing without a pitch or a volume."""
    return (hz, volume) if hz and volume else (0, 0)
