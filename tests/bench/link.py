"""The link with the firmware in MicroPython's Unix port behind a pty: how soon, how small."""

import statistics
import tempfile
import time
from argparse import Namespace
from pathlib import Path

from city_unit import host
from city_unit.facts import VERSION
from city_unit.host.lines.ports import SerialPort
from firmware.tool.image import unix
from firmware.virtual.launch import VirtualBoard, lay
from firmware.virtual.supervisor import Supervised
from tests.bench.boards import LINK, LINK_HEAP, core
from tests.bench.figure import Figure
from tests.helpers.interpreters import available, compiled

# Heap that a link takes beside a unit, and the bytes that a second of each pass allocates
# while nothing is received, a typed command having been done before.
HEAP = f"""
import gc
from city_unit.draws import Draws
from city_unit.settings import Settings
from city_unit.unit import Unit
unit = Unit(Settings(), Draws(7).below)
before = 0
allocated = 0
gc.collect()
# then
before = gc.mem_alloc()
from city_unit.link import Link
link = Link(unit, 4711, "{VERSION} board unit")
link.step(0, 4)
link.receive(500, b"volume 2\\r")
link.sent(len(link.unsent))
gc.collect()
# then
print(gc.mem_alloc() - before)
def steps():
    now = 1000
    while now < 31000:
        link.step(now, 4)
        link.next_due()
        now += 1
steps()
gc.collect()
gc.disable()
allocated = gc.mem_alloc()
steps()
print(gc.mem_alloc() - allocated)
"""

PRESSES = 60
COMMANDS = 300
ECHO = "import sys\nwhile True:\n    sys.stdout.buffer.write(sys.stdin.buffer.readline())\n"
ROOT = Path(__file__).parent.parent.parent
LINK_FILES = tuple(f"{name}.py" for name in LINK)


def run(_options: Namespace) -> list[Figure]:
    figures = []
    if "32-bit" in available():
        figures += heap()
    if not unix():
        return figures
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
            return [*figures, press(unit), command(unit, echo), clock(unit)]


def heap() -> list[Figure]:
    """Load the unit's end into the 32-bit MicroPython, and let it live."""
    with tempfile.TemporaryDirectory() as name:
        files = compiled(
            core() | {f"city_unit/{file}": ROOT / "city_unit" / file for file in LINK_FILES},
            Path(name),
        )
        said = available()["32-bit"](HEAP, files).split()
    taken, allocated = int(said[0]), int(said[1])
    return [
        Figure(
            "heap of the unit's end, 32-bit",
            f"{taken:,} bytes",
            f"{LINK_HEAP:,}",
            taken <= LINK_HEAP,
        ),
        Figure("allocated by 30,000 steady steps", f"{allocated} bytes", "0", allocated == 0),
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


def clock(unit: host.Client) -> Figure:
    return Figure(
        "the unit's clock is known to", f"{unit.uncertainty:.2f} ms", "2 ms", unit.uncertainty <= 2
    )


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
