"""Detects stalls of this machine, to tell its delays from those of an emulated unit.

An emulated unit is late if its process does not get a CPU. A monitor process on each CPU records
such stalls. The part of an edge's lateness that overlaps a stall is attributed to the machine, the
rest to the unit. It is unknown which CPU the unit waited for, so a stall of any CPU counts. The
unit is therefore never blamed for the machine, but is sometimes excused by an unrelated stall.
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
_MARGIN_MS = 1.0  # error of the two clocks and of the monitor's sleep
_QUIET_MS = 2.0  # longest stall of a quiet machine
_QUIET_FOR_S = 3.0
_LOOK_S = 0.1
_SLEEP_S = 0.001
_LATE_MS = 0.5


class Stall(NamedTuple):
    """An interval in which a CPU was unavailable, in ms of the desktop's clock."""

    start: float
    end: float


def is_here(port: str) -> bool:
    """Return whether the unit at a port is a process on this machine."""
    if port.startswith(_LOCAL):
        return True
    return not port.startswith("socket:") and os.path.realpath(port).startswith(_TERMINALS)


def excused_ms(shown_ms: float, late_ms: float, stalls: Iterable[Stall]) -> float:
    """Return the part of an edge's lateness in which the machine stalled.

    shown_ms  when it was shown, in ms of the desktop's clock
    """
    due = shown_ms - late_ms
    parts = (
        (max(due, stall.start - _MARGIN_MS), min(shown_ms, stall.end + _MARGIN_MS))
        for stall in stalls
        if stall.start - _MARGIN_MS < shown_ms and stall.end + _MARGIN_MS > due
    )
    return stalled_ms(parts)


def stalled_ms(stalls: Iterable[tuple[float, float]]) -> float:
    """Return the total time of the stalls. Overlapping stalls count once."""
    still, until = 0.0, -math.inf
    for start, end in sorted(stalls):
        still += max(0.0, end - max(start, until))
        until = max(until, end)
    return still


class Watch:
    """Runs a monitor process on each CPU; none where processes cannot be bound to a CPU.

    stalls  the stalls reported so far, appended by reader threads
    """

    def __init__(self) -> None:
        self.stalls: list[Stall] = []
        self._monitors: list[subprocess.Popen[str]] = []

    def __enter__(self) -> "Watch":
        # Not multiprocessing: the frozen desktop program handles this command line, but not the one
        # of a spawned child.
        command = [sys.executable, "-m", "sim.lab.machine"]
        root = Path(__file__).parents[2]
        for cpu in sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else ():
            with contextlib.suppress(OSError):
                monitor = subprocess.Popen(
                    [*command, str(cpu)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                    cwd=root,
                )
                assert monitor.stdout is not None
                monitor.stdout.readline()  # it has started
                threading.Thread(target=self._read, args=(monitor.stdout,), daemon=True).start()
                self._monitors.append(monitor)
        return self

    def __exit__(self, *_error: object) -> None:
        for monitor in self._monitors:
            if monitor.stdin:
                monitor.stdin.close()
            monitor.wait()

    @property
    def is_running(self) -> bool:
        return bool(self._monitors)

    def wait_for_quiet(self, patience_s: float, idle: Callable[[float], object]) -> bool:
        """Wait until there was no stall for a few seconds; return False on timeout.

        idle  sleeps for a number of seconds, serving whatever must go on meanwhile
        """
        until = time.perf_counter() + patience_s
        quiet_since = time.perf_counter()
        seen = len(self.stalls)
        while time.perf_counter() - quiet_since < _QUIET_FOR_S:
            if not self.is_running:
                return True
            if time.perf_counter() > until:
                return False
            idle(_LOOK_S)
            known, seen = seen, len(self.stalls)
            if any(stall.end - stall.start > _QUIET_MS for stall in self.stalls[known:seen]):
                quiet_since = time.perf_counter()
        self.stalls.clear()
        return True

    def _read(self, output: TextIO) -> None:
        for line in output:
            start, _space, end = line.partition(" ")
            self.stalls.append(Stall(float(start), float(end)))


def main() -> None:
    """Monitor one CPU: sleep for a millisecond at a time, and print each late wake-up.

    A line holds the times, in ms of `time.perf_counter`, at which the process should have and has
    woken up. The CPU was unavailable in between. The monitor exits when its standard input ends.
    """
    if len(sys.argv) > 1 and hasattr(os, "sched_setaffinity"):
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, [int(sys.argv[1])])

    def exit_with_stdin() -> None:
        sys.stdin.read()
        os._exit(0)

    threading.Thread(target=exit_with_stdin, daemon=True).start()
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
