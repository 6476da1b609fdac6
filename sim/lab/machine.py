"""When this machine stood still: whose fault a late edge of an emulated unit is.

A unit that is a program is late when its processor is not to be had. A watchman on each processor
notes such times; what of an edge's lateness lies within them is the machine's, the rest the unit's
own. Which processor the unit waited for is not known, so that a stall of any of them counts: the
unit is never blamed for the machine, though now and then excused by the wrong stall.
"""

import contextlib
import math
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_LOCAL = ("socket://127.", "socket://localhost", "socket://[::1]", "socket://::1")
_TERMINALS = "/dev/pts/"
_MARGIN_MS = 1.0  # by how much two clocks, and a millisecond of sleep, may be off
_QUIET_MS = 2.0  # a stall of this length is no quiet
_QUIET_FOR_S = 3.0
_LOOK_S = 0.1
_SLEEP_S = 0.001
_LATE_MS = 0.5


class Stall(NamedTuple):
    """A time, in ms of the desktop's clock, in which a processor was not to be had."""

    start: float
    end: float


def is_here(port: str) -> bool:
    """Return whether the unit at a port is a program of this machine."""
    if port.startswith(_LOCAL):
        return True
    return not port.startswith("socket:") and os.path.realpath(port).startswith(_TERMINALS)


def excused_ms(shown_ms: float, late_ms: float, stalls: Iterable[Stall]) -> float:
    """Return how much of an edge's lateness the machine stood still.

    shown_ms  when it was shown, in ms of the desktop's clock
    """
    due = shown_ms - late_ms
    parts = (
        (max(due, stall.start - _MARGIN_MS), min(shown_ms, stall.end + _MARGIN_MS))
        for stall in stalls
        if stall.start - _MARGIN_MS < shown_ms and stall.end + _MARGIN_MS > due
    )
    return still_ms(parts)


def still_ms(stalls: Iterable[tuple[float, float]]) -> float:
    """Return how long any processor was unavailable: stalls of several at once count once."""
    still, until = 0.0, -math.inf
    for start, end in sorted(stalls):
        still += max(0.0, end - max(start, until))
        until = max(until, end)
    return still


class Watch:
    """Runs a stall monitor on each processor for a while; none where none can be had.

    stalls  that the monitors have seen, in the order in which they told them, from their threads
    """

    def __init__(self) -> None:
        self.stalls: list[Stall] = []
        self._watchmen: list[BaseProcess] = []

    def __enter__(self) -> "Watch":
        processes = multiprocessing.get_context("spawn")
        # None where the processors cannot be chosen.
        for cpu in sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else ():
            told, tell = processes.Pipe(duplex=False)
            watchman = processes.Process(target=_watch, args=(cpu, tell), daemon=True)
            with contextlib.suppress(OSError, EOFError):
                watchman.start()
                tell.close()
                told.recv()  # it is awake
                threading.Thread(target=self._hear, args=(told,), daemon=True).start()
                self._watchmen.append(watchman)
        return self

    def __exit__(self, *_error: object) -> None:
        for watchman in self._watchmen:
            watchman.terminate()
            watchman.join()

    @property
    def is_awake(self) -> bool:
        return bool(self._watchmen)

    def wait_for_quiet(self, patience_s: float, idle: Callable[[float], object]) -> bool:
        """Wait until nothing stood still for a while; return False if that never came.

        idle  passes a number of seconds, and does the work that must go on in them
        """
        until = time.perf_counter() + patience_s
        quiet_since = time.perf_counter()
        seen = len(self.stalls)
        while time.perf_counter() - quiet_since < _QUIET_FOR_S:
            if not self.is_awake:
                return True
            if time.perf_counter() > until:
                return False
            idle(_LOOK_S)
            known, seen = seen, len(self.stalls)
            if any(stall.end - stall.start > _QUIET_MS for stall in self.stalls[known:seen]):
                quiet_since = time.perf_counter()
        self.stalls.clear()
        return True

    def _hear(self, told: "Connection") -> None:
        with contextlib.suppress(EOFError, OSError):
            while True:
                self.stalls.append(told.recv())


def _watch(cpu: int, tell: "Connection") -> None:
    """Sleep for a millisecond at a time on a processor, and send each time it woke too late.

    A stall is from when to when it should have been awake, in ms of `time.perf_counter`: that
    processor was unavailable then, through no fault of any program that waited for it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the measurement first
    with contextlib.suppress(OSError):
        os.sched_setaffinity(0, [cpu])
    with contextlib.suppress(OSError):  # of a pipe whose other end has gone
        tell.send(None)
        before = time.perf_counter()
        while True:
            time.sleep(_SLEEP_S)
            now = time.perf_counter()
            due_ms, now_ms = (before + _SLEEP_S) * 1000, now * 1000
            if now_ms - due_ms > _LATE_MS:
                tell.send(Stall(due_ms, now_ms))
            before = now
