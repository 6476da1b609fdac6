"""The desktop's client with the firmware in a real MicroPython behind a pty."""

import random
import time

import pytest

from city_unit import host
from city_unit.host.ports import open_port
from tests.helpers.lines import Opener
from tests.helpers.patience import PATIENCE_S, until

pytestmark = pytest.mark.real_time


def events_until(client: host.Client, kind: str) -> list[host.News]:
    received = []

    def has_arrived() -> bool:
        received.extend(client.poll(0.2))
        return any(isinstance(news, host.Event) and news.kind == kind for news in received)

    until(has_arrived, lambda: received)
    return received


def test_the_board_loses_power_in_the_middle(supervised):
    board, port = supervised
    rng = random.Random(2)
    with host.connect(port, timeout=PATIENCE_S, history=True) as unit:
        for _ in range(3):
            events_until(unit, "switched-on")
            request = unit.ask("tap build", 5)
            unit.poll(rng.random() / 20)
            board.pull()
            while not request.finished:
                unit.poll(0.1)
            assert request.answer == "" or isinstance(request.error, host.LinkError)
        events_until(unit, "switched-on")


def test_noise_on_the_line_stops_nothing(supervised):
    """The noise includes Ctrl-C, Ctrl-Z and Ctrl-\\, which a terminal would obey."""
    board, port = supervised
    opener = Opener(port)
    with host.Client(port, opener) as unit:
        unit.wait_online(PATIENCE_S)
        assert unit.send("start 60000", PATIENCE_S) == ""
        opener.line.inject(b"AT\r\nTraceback (most recent call last):\r\n" + bytes(range(128, 256)))
        opener.line.inject(b"\n\x03\n\x1a\n\x1c\n")
        assert unit.send("volume 2", PATIENCE_S) == ""
        assert "ignored=6" in unit.send("counters", PATIENCE_S)
        unit.send("state", PATIENCE_S)
        assert unit.snapshot is not None and unit.snapshot.state == "auction"
        assert board.starts == 1


def test_ctrl_c_interrupts_again_when_the_desktop_has_left(supervised):
    _, port = supervised
    with host.connect(port, timeout=PATIENCE_S) as unit:
        unit.send("state", PATIENCE_S)
    line = open_port(port)
    try:
        said = bytearray()

        def is_at_the_prompt() -> bool:
            line.write(b"\x03")  # ignored until the unit has read the goodbye
            said.extend(line.read(0.5))
            return b">>> " in said

        until(is_at_the_prompt, lambda: said)
        assert b"KeyboardInterrupt" in said
    finally:
        line.close()


@pytest.mark.slow
def test_a_desktop_that_floods_the_line_delays_no_lamp_and_no_beep(supervised):
    """Repeated until no edge is 40 ms late, since a busy machine sometimes delays one."""
    _, port = supervised

    def is_in_time() -> bool:
        opener = Opener(port)
        with host.Client(port, opener) as unit:
            unit.wait_online(PATIENCE_S)
            unit.send("watch on", PATIENCE_S)
            unit.send("start 700", PATIENCE_S)
            line = opener.line
            assert line is not None
            ping = [sent for sent in line.written.splitlines(True) if sent.startswith(b"ping ")][-1]
            end = time.monotonic() + 1.8  # longer than the auction and its beeps
            while time.monotonic() < end:
                if not line.inject(ping):
                    time.sleep(0.001)  # the line is full
            received = events_until(unit, "auction-ended")
            unit.send("state", PATIENCE_S)  # its answer is the last: the line is then empty
            received += unit.poll(0.5)
        edges = [news for news in received if isinstance(news, host.Edge)]
        assert ("tone", 0) in [(edge.what, edge.value) for edge in edges]
        return max(edge.late_us for edge in edges) < 40_000

    until(is_in_time, lambda: "the unit is late under a flood", 3)
