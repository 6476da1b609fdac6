"""The link with the firmware in MicroPython's Unix port behind a pty: how soon."""

import statistics
import tempfile
import time
from argparse import Namespace
from pathlib import Path

from city_unit import host
from city_unit.host.ports import SerialPort
from firmware.tool.image import unix
from firmware.virtual.launch import Supervised, VirtualBoard, lay
from tests.bench.figure import Figure, NotMeasured

PRESSES = 60
COMMANDS = 300
ECHO = "import sys\nwhile True:\n    sys.stdout.buffer.write(sys.stdin.buffer.readline())\n"


def run(_options: Namespace) -> list[Figure]:
    if not unix():
        raise NotMeasured("MicroPython's Unix port is missing")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "board"
        folder.mkdir()
        lay(folder)
        board = VirtualBoard(folder, world={"changes": [[0, 4]]})
        echo = _echo(Path(name))
        with (
            Supervised(board, Path(name) / "world") as port,
            host.connect(port, timeout=20) as unit,
        ):
            figures = [press(unit), command(unit, echo)]
            known = f"{unit.uncertainty:.2f} ms"
            return [
                *figures,
                Figure("the unit's clock is known to", known, "2 ms", unit.uncertainty <= 2),
            ]


def press(unit: host.Client) -> Figure:
    """How long after the end of the debounce the event of a press is in the desktop's hand."""
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
    return _figure("press to event, beyond the debounce", waits)


def command(unit: host.Client, echo: float) -> Figure:
    """How long a command takes to be answered."""
    waits = []
    for _ in range(COMMANDS):
        begun = time.perf_counter()
        unit.send("volume 2")
        waits.append((time.perf_counter() - begun) * 1000)
    return _figure("command to answer", waits, f"a bare echo: {echo:.2f} ms")


def _figure(what: str, waits: list[float], beside: str = "") -> Figure:
    median = statistics.median(waits)
    p99 = sorted(waits)[int(len(waits) * 0.99)]
    reached = median <= 3 and p99 <= 10
    value = f"{median:.2f} ms median, {p99:.2f} ms p99"
    return Figure(what, value, "3 ms median, 10 ms p99", reached, beside)


def _echo(folder: Path) -> float:
    """Return the median round trip, in ms, of a line that a bare loop sends back."""
    place = folder / "echo"
    place.mkdir()
    (place / "main.py").write_text(ECHO, encoding="utf-8")
    line = b"x" * 40 + b"\n"
    waits = []
    with Supervised(VirtualBoard(place), folder / "echo-world") as name:
        port = SerialPort(name)
        while not waits or len(waits) < COMMANDS:
            begun = time.perf_counter()
            port.write(line)
            back = b""
            while not back.endswith(b"\n"):
                back += port.read(1)
            waits.append((time.perf_counter() - begun) * 1000)
        port.close()
    return statistics.median(waits)
