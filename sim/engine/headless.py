"""The unit in real time without a window: somebody talks to it by its link."""

import os
import signal
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
) -> None:
    """Switch the unit on, and live until Ctrl-C, or until the system asks to end.

    turn  lets the unit live until the present, in place of `Runner.advance`
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if not runner.is_closed(SWITCH):
        runner.switch(True)  # there is no hand at it
    if record is not None:
        record.begin()
    try:
        while True:
            serve_once(runner, server, turn or runner.advance)
            if record is not None:
                record.note()
    finally:
        server.close()
        if record is not None:
            record.close()


def end_with_input() -> None:
    """Have the process end when its standard input is closed: when whoever started it is gone."""
    threading.Thread(target=_await_end_of_input, daemon=True).start()


def _await_end_of_input() -> None:
    while sys.stdin.buffer.read(1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def serve_once(runner: Runner, server: LinkServer, turn: Callable[[], None]) -> None:
    """Wait for the next deadline or for a message, and live through it."""
    server.send()
    server.wait(runner.seconds_to_due())
    turn()
    server.receive(runner.now)
    runner.advance()
    server.note_shown(runner.now_us)
