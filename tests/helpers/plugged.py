"""An emulated chip behind a pseudo terminal, like a board on USB; Linux and macOS.

    with Plugged(chip) as port: ...

Any program that talks to boards can open `port`. The chip runs in real time, or as fast as the
computer can run it.
"""

import contextlib
import os
import pty
import select
import threading
import time
import tty

from firmware.chip.pico import Chip

_SLICE_MS = 5.0
_FRAME_MS = 1.0  # a USB frame: the time between two transfers while data flow
_MOST = 4096  # bytes per read


class Plugged:
    """Context manager that powers a chip and serves it at a port."""

    def __init__(self, chip: Chip) -> None:
        self.chip = chip
        self.cuts = 0  # number of power cuts
        self._cut_after: float | None = None
        self._awaits_write = False
        self._closing = False

    def __enter__(self) -> str:
        self._outer, line = pty.openpty()
        tty.setraw(line)
        os.set_blocking(self._outer, False)
        self._line = line  # kept open, so that the port outlives its users
        self.chip.power()
        self._thread = threading.Thread(target=self._live, daemon=True)
        self._thread.start()
        return os.ttyname(line)

    def __exit__(self, *_: object) -> None:
        self._closing = True
        self._thread.join(60)
        self.chip.power(False)
        os.close(self._outer)
        os.close(self._line)

    def cut(self, after_ms: float, first_write: bool = False) -> None:
        """Cut its power for a moment, `after_ms` of its own time from now.

        first_write  count from the first write to its flash memory instead
        """
        self._cut_after = after_ms
        self._awaits_write = first_write

    def _live(self) -> None:
        chip = self.chip
        ahead = time.monotonic() * 1000 - chip.now
        slice_ms = _SLICE_MS
        while not self._closing:
            if self._cut_after is not None and (chip.writes or not self._awaits_write):
                begun = chip.writes[0].ms if self._awaits_write else chip.now
                chip.cut(max(chip.now, begun + self._cut_after))
                self._cut_after = None
            heard = bool(select.select([self._outer], [], [], 0)[0])
            if heard:
                chip.send(os.read(self._outer, _MOST))
            chip.run(chip.now + slice_ms)
            output = chip.take_output()
            if output:
                self._pass_on(output)
            slice_ms = _FRAME_MS if heard or output else _SLICE_MS
            if not chip.has_power:
                self.cuts += 1
                chip.power()
            early = chip.now - (time.monotonic() * 1000 - ahead)
            if early > 0:
                time.sleep(early / 1000)
            else:
                ahead -= early  # do not catch up on lost time

    def _pass_on(self, output: bytes) -> None:
        """Pass on the bytes that it sent; drop them if nobody reads and the buffer is full."""
        with contextlib.suppress(BlockingIOError):
            os.write(self._outer, output)
