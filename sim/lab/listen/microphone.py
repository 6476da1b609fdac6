"""Records a microphone into a WAV file, by SDL's audio capture."""

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

NO_MICROPHONE = lazy("there is no microphone here: {why}")
NONE_LISTED = lazy("the system lists none")
NO_SUCH_MICROPHONE = lazy('no microphone has "{name}" in its name; there is: {names}')
DEAF_MICROPHONE = lazy("the microphone {name} sends nothing; another microphone, or other rights?")

_CHUNK = 1024  # samples that SDL hands over at a time
_PATIENCE_S = 5  # to wait for the next of them


class Taken(NamedTuple):
    """A recording that was made: by which microphone, and whether there was any sound in it."""

    name: str
    is_silent: bool


def record(path: Path, wanted: str, seconds: float, show: Callable[[float, int], None]) -> Taken:
    """Record until Ctrl-C, at most `seconds`, into a file that is written whole.

    wanted  a part of the microphone's name, "" for the one that is usually taken
    show    takes, some fifty times a second, the seconds until now and the loudest sample,
            32768 being full scale
    Raises UserError.
    """
    chunks: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    loudest = frames = 0
    with _ended() as ended, _device(wanted, chunks) as name:
        try:
            with writing_whole(path) as raw, wave.open(raw, "wb") as file:
                file.setparams((1, 2, RATE, 0, "NONE", ""))
                for chunk in _samples(chunks, name, seconds, ended):
                    file.writeframesraw(chunk)
                    peak = int(np.abs(np.frombuffer(chunk, "<i2").astype(int)).max(initial=0))
                    loudest = max(loudest, peak)
                    frames += len(chunk) // 2
                    show(frames / RATE, peak)
        except OSError as error:
            raise cannot_write(path, error) from None
    return Taken(name, loudest == 0)


@contextmanager
def _ended() -> Iterator[threading.Event]:
    """Yield what Ctrl-C sets, so that it ends the recording and nothing of it is lost."""
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
    taker = _Taker(chunks)
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
                name, True, RATE, audio.AUDIO_S16LSB, 1, _CHUNK, 0, taker.take
            )
    except (pygame.error, sdl2.error) as error:
        raise UserError(NO_MICROPHONE.format(why=error), FAILURE) from None
    try:
        device.pause(0)
        yield name
    finally:
        taker.stop()
        device.close()


class _Taker:
    """Takes what SDL's own thread hands over, and stops that thread before it is waited for.

    To close or pause a device, SDL waits for that thread, and pygame keeps Python's lock
    meanwhile: if the thread is just about to hand something over, it waits for the lock,
    and both wait forever. So the thread pauses the device itself, which needs no waiting.
    The last block of samples is kept here: pygame drops its own reference after it has released
    the lock, and would take the lock again to free the block.
    """

    def __init__(self, chunks: queue.SimpleQueue[bytes]) -> None:
        self._chunks = chunks
        self._is_ending = False
        self._thread = 0
        self._paused = threading.Event()
        self._last: memoryview | None = None

    def take(self, device: audio.AudioDevice, samples: memoryview) -> None:
        self._thread = threading.get_ident()
        if self._is_ending:
            self._last = samples
            device.pause(1)
            self._paused.set()
            return
        self._chunks.put(bytes(samples))

    def stop(self) -> None:
        """Return when the thread hands nothing over any more, or has long handed over nothing."""
        self._is_ending = True
        self._paused.wait(_PATIENCE_S)
        while self._thread in sys._current_frames():  # it is still on its way out of `take`  # noqa: SLF001
            time.sleep(0.001)


def _samples(
    chunks: queue.SimpleQueue[bytes], name: str, seconds: float, ended: threading.Event
) -> Iterator[bytes]:
    """Yield the sound that comes, until it ends or there are `seconds` of it."""
    left = round(seconds * RATE) * 2
    while left > 0 and not ended.is_set():
        try:
            chunk = chunks.get(timeout=_PATIENCE_S)[:left]
        except queue.Empty:
            raise UserError(DEAF_MICROPHONE.format(name=name), FAILURE) from None
        left -= len(chunk)
        yield chunk
