"""The unit in real time without a window: other programs talk to it by its link."""

import os
import signal
import socket
import sys
import threading
from collections.abc import Callable

from city_unit.facts import SWITCH
from sim.engine.link_server import LinkServer
from sim.engine.record import Record
from sim.engine.runner import Runner


def run(
    runner: Runner,
    server: LinkServer,
    record: Record | None = None,
    turn: Callable[[], None] | None = None,
    until_eof: bool = False,
) -> None:
    """Switch the unit on, and live until Ctrl-C, SIGTERM or, if asked for, the end of the input.

    turn  lets the unit live until the present, in place of `Runner.advance`

    Raises UserError if the record is incomplete in the end.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if not runner.is_closed(SWITCH):
        runner.switch(True)  # there is no hand at it
    if record is not None:
        record.begin()
    end = _end_of_input() if until_eof else None
    try:
        while end is None or not _has_hung_up(end):
            server.send()
            server.wait(runner.seconds_to_due(), [] if end is None else [end.fileno()])
            (turn or runner.advance)()
            server.receive(runner.now)
            runner.advance()
            server.note_shown(runner.now_us)
            if record is not None:
                record.note()
    finally:
        server.close()
        if end is not None:
            end.close()
        if record is not None:
            record.close()


def _end_of_input() -> socket.socket:
    """Return a socket that hangs up when standard input ends, as it does with its other program.

    Windows can wait for sockets alone, so a thread waits for the input. It reads the descriptor:
    a thread inside Python's own buffer would abort the interpreter's shutdown.
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


def _has_hung_up(line: socket.socket) -> bool:
    try:
        return not line.recv(1)
    except BlockingIOError:
        return False
