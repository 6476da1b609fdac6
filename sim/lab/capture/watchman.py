"""A process that does nothing but sleep for a millisecond at a time, and says when it overslept.

`python -m sim.lab.capture.watchman CPU` stays on one processor and prints a line for each time it
woke too late: from when to when it should have been awake, in ms of `time.perf_counter`. Then
that processor was unavailable, through no fault of any program that waited for it. It ends with
its standard input.
"""

import contextlib
import os
import sys
import threading
import time

_SLEEP_S = 0.001
_LATE_MS = 0.5


def main() -> None:
    if len(sys.argv) > 1 and hasattr(os, "sched_setaffinity"):
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, [int(sys.argv[1])])
    threading.Thread(target=_end_with_the_input, daemon=True).start()
    print("awake", flush=True)  # no text: for the program that started it
    before = time.perf_counter()
    while True:
        time.sleep(_SLEEP_S)
        now = time.perf_counter()
        due_ms, now_ms = (before + _SLEEP_S) * 1000, now * 1000
        if now_ms - due_ms > _LATE_MS:
            print(f"{due_ms:.3f} {now_ms:.3f}", flush=True)
        before = now


def _end_with_the_input() -> None:
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
