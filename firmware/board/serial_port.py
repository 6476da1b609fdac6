"""The line of the link: USB (standard input and output) or a UART.

Nothing here waits, and a pass moves little, so that a desktop that floods the
line or does not read it cannot hold up a beep. Over USB the bytes go one by one:
the port says only whether there is room for one, and blocks if there is not.
"""

import os
import select
import sys

import machine
import micropython

from city_unit.link import Link
from city_unit.ticks import const

VERSION = "0.1.0"
_PIECE = const(16)  # bytes of one pass, each way
_INTERRUPT = const(3)  # Ctrl-C
_NO_INTERRUPT = const(-1)


class UsbLine:
    """Standard input and output."""

    def __init__(self) -> None:
        self._input = sys.stdin.buffer
        self._output = sys.stdout.buffer
        self._readable = select.poll()
        self._readable.register(sys.stdin, select.POLLIN)
        self._writable = select.poll()
        self._writable.register(sys.stdout, select.POLLOUT)

    def read(self) -> bytes:
        """Return what has come, at most `_PIECE` bytes."""
        data = b""
        while len(data) < _PIECE and _is_ready(self._readable, select.POLLIN):
            byte = self._input.read(1)
            if not byte:  # there is no input at all, and there will be none
                self._readable.unregister(sys.stdin)
                break
            data += byte
        return data

    def write(self, data: bytes) -> int:
        """Write as much as fits, at most `_PIECE` bytes; return how much that was."""
        count = 0
        while count < min(_PIECE, len(data)) and _is_ready(self._writable, select.POLLOUT):
            self._output.write(data[count : count + 1])
            count += 1
        return count


def _is_ready(poll, what: int) -> bool:
    for _, event in poll.ipoll(0):
        return bool(event & what)
    return False


class UartLine:
    """A UART, for a board that is reached by two wires."""

    def __init__(self, pins: dict) -> None:
        tx, rx = machine.Pin(pins["tx"]), machine.Pin(pins["rx"])
        self._uart = machine.UART(pins["uart"], 115200, tx=tx, rx=rx, rxbuf=256, txbuf=256)

    def read(self) -> bytes:
        count = self._uart.any()
        return self._uart.read(min(_PIECE, count)) or b"" if count else b""

    def write(self, data: bytes) -> int:
        return self._uart.write(data[:_PIECE]) or 0


class SerialPort:
    """The link of a board's unit and its line."""

    def __init__(self, unit, pins: dict, board: str, more) -> None:
        boot = int.from_bytes(os.urandom(4), "little") >> 2
        self.link = Link(unit, boot, "%s %s unit" % (VERSION, board), more=more)
        self._is_usb = pins["link"] == "usb"
        self._line = UsbLine() if self._is_usb else UartLine(pins)
        self._guarded = False
        self.moved = 0  # bytes, since whoever counts them set it to 0

    def poll(self, now: int) -> bool:
        """Move a few bytes each way; return whether there may be more at once."""
        link = self.link
        data = self._line.read()
        if data:
            link.receive(now, data)
        count = 0
        if link.unsent:
            count = self._line.write(link.unsent)
            link.sent(count)
        if link.live != self._guarded:
            self._guard(link.live)
        count += len(data)
        self.moved += count
        return count > 0

    def close(self) -> None:
        self._guard(False)

    def _guard(self, live: bool) -> None:
        """While a desktop is there a stray Ctrl-C on the line stops nothing; else it does."""
        self._guarded = live
        if self._is_usb:
            micropython.kbd_intr(_NO_INTERRUPT if live else _INTERRUPT)
