"""Run a unit without a picture until it is stopped, and record what it does.

The record is a file of lines like those of the trace. Each start of the unit adds a line with its
boot number. Each change also states its lateness: the microseconds from the time it was due until
it could be shown.
"""

import contextlib
import json
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from city_unit.desktop.append_file import AppendFile
from city_unit.desktop.catalogue import lazy
from city_unit.desktop.errors import FAILURE, UserError
from city_unit.desktop.files import cannot_write, warn
from city_unit.facts import SWITCH
from city_unit.ticks import MASK
from city_unit.trace import line
from sim.engine.link_server import LinkServer
from sim.engine.runner import Runner

INCOMPLETE = lazy("{path} lacks the last {count} lines: {why}")


class Record:
    """Appends each of the runner's changes to the file at `path`, and removes it from the runner.

    A full disk delays writing (see `AppendFile`). Raises UserError if the file cannot be opened.
    """

    def __init__(self, path: str, runner: Runner, boot: int) -> None:
        self._runner = runner
        try:
            self._file = AppendFile(Path(path), report=warn)
        except OSError as error:
            raise cannot_write(path, error) from error
        self._boot = boot

    def begin(self) -> None:
        """Write the line of a start of the unit."""
        self._add(json.dumps({"ms": self._runner.ms, "boot": self._boot}))

    def note(self) -> None:
        """Write all changes since the last call, before any client receives them."""
        self._runner.note()  # include changes that a command made since the last step
        changes = self._runner.changes
        while changes:
            change = changes.popleft()
            late_us = self._runner.now_us - change.ms * 1000 & MASK
            text = line(change.ms, change.what, change.value, change.why)
            self._add(f'{text[:-1]}, "late_us": {late_us}}}')
        self._file.retry()

    def close(self) -> None:
        """Close the file. Raises UserError if lines are missing from it."""
        self._file.close()
        if self._file.error:
            count = self._file.unwritten.count(b"\n") + self._file.lost
            words = INCOMPLETE.format(path=self._file.path, count=count, why=self._file.error)
            raise UserError(words, FAILURE)

    def _add(self, text: str) -> None:
        self._file.add(f"{text}\n".encode())


def run(
    runner: Runner,
    server: LinkServer,
    record: Record | None = None,
    turn: Callable[[], None] | None = None,
    until_eof: bool = False,
) -> None:
    """Switch the unit on and run it until Ctrl-C or SIGTERM.

    turn       steps the unit to the current time, in place of `Runner.advance`
    until_eof  whether to stop at the end of standard input too

    Raises UserError if the record is incomplete.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if not runner.is_closed(SWITCH):
        runner.switch(True)
    if record is not None:
        record.begin()
    end = _end_of_input() if until_eof else None
    try:
        while True:
            server.send()
            server.wait(runner.seconds_to_due(), [] if end is None else [end.fileno()])
            (turn or runner.advance)()
            server.receive(runner.now)
            runner.advance()
            server.note_shown(runner.now_us)
            if record is not None:
                record.note()
            if end is not None:
                with contextlib.suppress(BlockingIOError):
                    if not end.recv(1):
                        break
    finally:
        server.close()
        if end is not None:
            end.close()
        if record is not None:
            record.close()


def _end_of_input() -> socket.socket:
    """Return a socket that closes when standard input ends, as it does when the parent exits.

    On Windows, select works for sockets only, so a thread reads the input. It reads the
    descriptor, since a thread blocked in Python's own buffer would abort the interpreter's
    shutdown.
    """
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    file = None if sys.stdin is None else sys.stdin.fileno()

    def wait() -> None:
        with theirs:
            try:
                while file is not None and os.read(file, 1024):
                    pass
            except OSError:
                return

    threading.Thread(target=wait, daemon=True).start()
    return ours
