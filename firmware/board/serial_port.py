"""The serial line of the link: USB (standard input and output), or a UART.

Nothing here blocks, and each pass moves few bytes, so a desktop that floods the line or does not
read it cannot delay a beep. USB moves single bytes: the port reports only whether it has room for
one, and blocks if it has none.
"""

import select
import sys

import machine
import micropython

from city_unit.facts import BAUD
from city_unit.ticks import const

_PIECE = const(16)  # bytes per pass, each way
_INTERRUPT = const(3)  # Ctrl-C
_NO_INTERRUPT = const(-1)
_READY = const(5)  # select.POLLIN | select.POLLOUT, without the flags of a broken line


class SerialPort:
    """Moves bytes between the link and the serial line.

    moved  bytes moved since the reader of this count last reset it
    """

    def __init__(self, link) -> None:
        self.link = link
        self.moved = 0
        self._guarded = False
        self._readable = select.poll()
        self._readable.register(sys.stdin, select.POLLIN)
        self._writable = select.poll()
        self._writable.register(sys.stdout, select.POLLOUT)

    def poll(self, now: int) -> bool:
        """Move a few bytes each way; return whether any were moved, so that more may wait."""
        link = self.link
        link.queue_events()
        data = self._read()
        if data:
            link.receive(now, data)
        count = 0
        if link.unsent:
            count = self._write(link.unsent)
            link.sent(count)
        if link.has_desktop != self._guarded:
            self._guard(link.has_desktop)
        count += len(data)
        self.moved += count
        return count > 0

    def waits(self) -> int | bytes:
        """Return a true value if there may be bytes to move."""
        return self.link.unsent or _is_ready(self._readable)

    def close(self) -> None:
        self._guard(False)

    def _read(self) -> bytes:
        """Return the received bytes, at most `_PIECE`."""
        data = b""
        while len(data) < _PIECE and _is_ready(self._readable):
            byte = sys.stdin.buffer.read(1)
            if not byte:  # end of file: no input will follow
                self._readable.unregister(sys.stdin)
                break
            data += byte
        return data

    def _write(self, data: bytes) -> int:
        """Write as much as fits, at most `_PIECE` bytes; return the count."""
        count = 0
        while count < min(_PIECE, len(data)) and _is_ready(self._writable):
            sys.stdout.buffer.write(data[count : count + 1])
            count += 1
        return count

    def _guard(self, live: bool) -> None:
        """Disable Ctrl-C on the line while a desktop is connected."""
        self._guarded = live
        micropython.kbd_intr(_NO_INTERRUPT if live else _INTERRUPT)


class UartPort(SerialPort):
    """The link over a UART, for a board connected by two wires."""

    def __init__(self, link, pins: dict) -> None:
        super().__init__(link)
        tx, rx = machine.Pin(pins["tx"]), machine.Pin(pins["rx"])
        self._uart = machine.UART(pins["uart"], BAUD, tx=tx, rx=rx, rxbuf=256, txbuf=256)

    def waits(self) -> int | bytes:
        return self.link.unsent or self._uart.any()

    def _read(self) -> bytes:
        count = self._uart.any()
        return self._uart.read(min(_PIECE, count)) or b"" if count else b""

    def _write(self, data: bytes) -> int:
        return self._uart.write(data[:_PIECE]) or 0

    def _guard(self, live: bool) -> None:
        self._guarded = live  # a Ctrl-C on a UART stops nothing


def _is_ready(poll) -> bool:
    for _, event in poll.ipoll(0):
        return event & _READY > 0
    return False
