"""The link with the firmware: how soon it answers, and how soon a press arrives."""

import statistics
import tempfile
import time
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from city_unit import host
from firmware.tool.image import unix
from firmware.virtual.launch import Supervised, VirtualBoard, lay
from tests.bench import Figure, NotMeasured

PRESSES = 60
SENT = 300


def run(_options: Namespace) -> Iterator[Figure]:
    """Measure the link with the firmware in MicroPython's Unix port behind a pty."""
    if not unix():
        raise NotMeasured("MicroPython's Unix port is missing")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "board"
        folder.mkdir()
        lay(folder)
        board = VirtualBoard(folder, world={"changes": [[0, 4]]})
        with (
            Supervised(board, Path(name) / "world") as port,
            host.connect(port, timeout=20) as unit,
        ):
            yield _soon("press to event, beyond the debounce", pressing(unit))
            yield _soon("command to answer", answering(unit))
            known = f"{unit.uncertainty:.2f} ms"
            yield Figure("the unit's clock is known to", known, "2 ms", unit.uncertainty <= 2)


def pressing(unit: host.Client) -> list[float]:
    """Return how many ms after the end of the debounce the event of each press has come."""
    unit.send("start 600000")
    waits = []
    while len(waits) < PRESSES:
        unit.send("tap build")  # refused during an auction, which is an event
        told = False
        while not told:
            for news in unit.poll(1):
                if isinstance(news, host.Event) and news.kind == "refused":
                    waits.append(unit.now() - news.ms)
                    told = True
        time.sleep(0.11)  # until the finger is free again
    unit.send("stop")
    return waits


def answering(unit: host.Client) -> list[float]:
    """Return the ms from each command to its answer."""
    waits = []
    for _ in range(SENT):
        began = time.perf_counter()
        unit.send("volume 2")
        waits.append((time.perf_counter() - began) * 1000)
    return waits


def _soon(what: str, waits: list[float]) -> Figure:
    median = statistics.median(waits)
    p99 = sorted(waits)[int(len(waits) * 0.99)]
    reached = median <= 3 and p99 <= 10
    value = f"{median:.2f} ms median, {p99:.2f} ms p99"
    return Figure(what, value, "3 ms median, 10 ms p99", reached)
