"""The unit in real time without a window: somebody talks to it by its link."""

import signal

from sim.link_server import LinkServer
from sim.runner import Runner


def run(runner: Runner, server: LinkServer) -> None:
    """Switch the unit on, and live until Ctrl-C, or until the system asks to end."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    runner.switch(True)  # there is no hand at it
    try:
        while True:
            serve_once(runner, server)
    finally:
        server.close()


def serve_once(runner: Runner, server: LinkServer) -> None:
    """Wait for the next deadline or for a message, and live through it."""
    server.send()
    server.wait(runner.seconds_to_due())
    runner.advance()
    server.receive(runner.now)
    runner.advance()
    if server.link.watched:
        server.link.shown(runner.now_us)
