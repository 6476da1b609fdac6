"""The doors by which desktop programs reach a unit: their protocol, and the pty."""

import contextlib
import errno
import os
from typing import Protocol

from city_unit.desktop.catalogue import lazy
from city_unit.desktop.errors import UserError
from city_unit.desktop.files import reason
from city_unit.host.core import BUSY
from city_unit.host.lines.registry import name_pty

CANNOT_LINK = lazy("cannot make the pty {path}: {why}; choose another path")
NO_PTY = lazy("--pty needs Linux or macOS; use --listen 127.0.0.1:0 here")

CHUNK = 256  # bytes taken at once, so that a flood cannot hold up the unit
TAKEN = BUSY + b" another program has this unit\n"


class Door(Protocol):
    """One door: clients open its `address`; `takes_typed` is set on the link."""

    address: str
    takes_typed: bool

    @property
    def is_waited_at(self) -> bool:
        """Whether to look again soon, even if nothing comes."""
        ...

    def files(self) -> list[int]: ...

    def read(self) -> bytes | None:
        """Return the input; b"" for nothing, None if the client has gone."""
        ...

    def write(self, data: bytes) -> int: ...

    def close(self) -> None: ...


class PtyDoor:
    """A pseudo terminal with a stable name, as real as a serial port on Linux and macOS."""

    takes_typed = True
    is_waited_at = False

    def __init__(self, path: str) -> None:
        if os.name != "posix":
            raise UserError(str(NO_PTY))
        import pty
        import tty

        self._ours, self._theirs = pty.openpty()  # theirs stays open: a hang-up is then no error
        tty.setraw(self._theirs)
        os.set_blocking(self._ours, False)
        try:
            self._name = name_pty(path, os.ttyname(self._theirs))
        except OSError as error:
            raise UserError(CANNOT_LINK.format(path=path, why=reason(error))) from error
        self.address = str(self._name)

    def files(self) -> list[int]:
        return [self._ours]

    def read(self) -> bytes | None:
        try:
            return os.read(self._ours, CHUNK)
        except OSError as error:
            if error.errno in (errno.EAGAIN, errno.EIO):
                return b""
            raise

    def write(self, data: bytes) -> int:
        try:
            return os.write(self._ours, data)
        except BlockingIOError:
            return 0

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._name.unlink()
        os.close(self._ours)
        os.close(self._theirs)
