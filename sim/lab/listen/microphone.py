"""Record a microphone into a WAV file with SDL's audio capture."""

import queue
import signal
import sys
import threading
import time
import wave
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pygame
from pygame._sdl2 import audio, sdl2

from city_unit.desktop.catalogue import lazy
from city_unit.desktop.errors import FAILURE, UserError
from city_unit.desktop.files import cannot_write, writing_whole
from sim.face.speaker import hushed

RATE = 48000  # Hz

NO_MICROPHONE = lazy("no microphone found: {why}")
NONE_LISTED = lazy("the system lists none")
NO_SUCH_MICROPHONE = lazy('no microphone has "{name}" in its name; available: {names}')
DEAF_MICROPHONE = lazy(
    "the microphone {name} sends no data; try another one, or check its permissions"
)

_CHUNK = 1024  # samples in each of SDL's callbacks
_PATIENCE_S = 5  # longest time between two callbacks


class Recorded(NamedTuple):
    """The microphone of a finished recording, and whether it sent nothing but silence."""

    name: str
    is_silent: bool


def record(path: Path, wanted: str, seconds: float, show: Callable[[float, int], None]) -> Recorded:
    """Record until Ctrl-C, or for `seconds` at most, into a file that is written as a whole.

    wanted  a part of the microphone's name, "" for the first
    show    is called about fifty times a second with the seconds recorded and the loudest sample
            of the last chunk; 32768 is full scale
    Raises UserError.
    """
    chunks: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    loudest = frames = 0
    with _ended() as ended, _device(wanted, chunks) as name:
        try:
            with writing_whole(path) as raw, wave.open(raw, "wb") as file:
                file.setparams((1, 2, RATE, 0, "NONE", ""))
                left = round(seconds * RATE) * 2  # bytes
                while left > 0 and not ended.is_set():
                    try:
                        chunk = chunks.get(timeout=_PATIENCE_S)[:left]
                    except queue.Empty:
                        words = DEAF_MICROPHONE.format(name=name)
                        raise UserError(words, FAILURE) from None
                    left -= len(chunk)
                    file.writeframesraw(chunk)
                    peak = int(np.abs(np.frombuffer(chunk, "<i2").astype(int)).max(initial=0))
                    loudest = max(loudest, peak)
                    frames += len(chunk) // 2
                    show(frames / RATE, peak)
        except OSError as error:
            raise cannot_write(path, error) from None
    return Recorded(name, loudest == 0)


@contextmanager
def _ended() -> Iterator[threading.Event]:
    """Yield an event that Ctrl-C and SIGTERM set, so that the recording is saved."""
    ended = threading.Event()
    kept = {
        number: signal.signal(number, lambda *_: ended.set())
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield ended
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)


@contextmanager
def _device(wanted: str, chunks: queue.SimpleQueue[bytes]) -> Iterator[str]:
    """Record a microphone into `chunks`; yield its name."""
    callback = _Callback(chunks)
    try:
        with hushed():
            sdl2.init_subsystem(sdl2.INIT_AUDIO)
            names = audio.get_audio_device_names(True)
            if not names:
                raise UserError(NO_MICROPHONE.format(why=NONE_LISTED), FAILURE)
            name = next((name for name in names if wanted.lower() in name.lower()), None)
            if name is None:
                words = NO_SUCH_MICROPHONE.format(name=wanted, names=", ".join(names))
                raise UserError(words)
            device = audio.AudioDevice(
                name, True, RATE, audio.AUDIO_S16LSB, 1, _CHUNK, 0, callback.receive
            )
    except (pygame.error, sdl2.error) as error:
        raise UserError(NO_MICROPHONE.format(why=error), FAILURE) from None
    try:
        device.pause(0)
        yield name
    finally:
        callback.stop()
        device.close()


class _Callback:
    """The callback of SDL's audio thread; it can stop that thread without a deadlock.

    When a device is closed or paused, SDL waits for the thread while pygame holds the GIL. If the
    thread is about to call back, it waits for the GIL, and both wait forever. The thread therefore
    pauses the device from within the callback, which does not wait. A reference to the last block
    of samples is stored here: pygame drops its own after releasing the GIL, and would have to
    acquire the GIL again to free the block.
    """

    def __init__(self, chunks: queue.SimpleQueue[bytes]) -> None:
        self._chunks = chunks
        self._is_ending = False
        self._thread = 0
        self._paused = threading.Event()
        self._last: memoryview | None = None

    def receive(self, device: audio.AudioDevice, samples: memoryview) -> None:
        self._thread = threading.get_ident()
        if self._is_ending:
            self._last = samples
            device.pause(1)
            self._paused.set()
            return
        self._chunks.put(bytes(samples))

    def stop(self) -> None:
        """Return once the thread is paused, or has not called back for `_PATIENCE_S`."""
        self._is_ending = True
        self._paused.wait(_PATIENCE_S)
        while self._thread in sys._current_frames():  # noqa: SLF001 (it has not left `receive`)
            time.sleep(0.001)
