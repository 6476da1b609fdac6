"""When this machine stood still: whose fault a late edge of an emulated unit is.

A unit that is a program is late when its processor is not to be had. A watchman on each processor
notes such times; what of an edge's lateness lies within them is the machine's, the rest the unit's
own. Which processor the unit waited for is not known, so that a stall of any of them counts: the
unit is never blamed for the machine, though now and then excused by the wrong stall.
"""

import contextlib
import math
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple, TextIO

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
    """Has a watchman on each processor for a while; nobody where there is none to be had.

    stalls  that the watchmen have seen, in the order in which they told them, from their threads
    """

    def __init__(self) -> None:
        self.stalls: list[Stall] = []
        self._watchmen: list[subprocess.Popen[str]] = []

    def __enter__(self) -> "Watch":
        # Nobody where the processors cannot be chosen. No multiprocessing: in the window without
        # Python this command is one that its program knows, a spawned child is none.
        command = [sys.executable, "-m", "sim.lab.machine"]
        root = Path(__file__).parents[2]
        for cpu in sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else ():
            with contextlib.suppress(OSError):
                watchman = subprocess.Popen(
                    [*command, str(cpu)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                    cwd=root,
                )
                assert watchman.stdout is not None
                watchman.stdout.readline()  # it is awake
                threading.Thread(target=self._hear, args=(watchman.stdout,), daemon=True).start()
                self._watchmen.append(watchman)
        return self

    def __exit__(self, *_error: object) -> None:
        for watchman in self._watchmen:
            if watchman.stdin:
                watchman.stdin.close()
            watchman.wait()

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

    def _hear(self, told: TextIO) -> None:
        for line in told:
            start, _space, end = line.partition(" ")
            self.stalls.append(Stall(float(start), float(end)))


def main() -> None:
    """Sleep for a millisecond at a time on a processor, and print each time it woke too late.

    A line says from when to when it should have been awake, in ms of `time.perf_counter`: that
    processor was unavailable then, through no fault of any program that waited for it. It ends with
    its standard input.
    """
    if len(sys.argv) > 1 and hasattr(os, "sched_setaffinity"):
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, [int(sys.argv[1])])

    def end_with_the_input() -> None:
        sys.stdin.read()
        os._exit(0)

    threading.Thread(target=end_with_the_input, daemon=True).start()
    print("awake", flush=True)  # no text: for the program that started it
    before = time.perf_counter()
    while True:
        time.sleep(_SLEEP_S)
        now = time.perf_counter()
        due_ms, now_ms = (before + _SLEEP_S) * 1000, now * 1000
        if now_ms - due_ms > _LATE_MS:
            print(f"{due_ms:.3f} {now_ms:.3f}", flush=True)
        before = now


if __name__ == "__main__":
    main()
