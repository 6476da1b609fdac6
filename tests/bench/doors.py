"""The ways to an emulated unit beside a bare echo: TCP, pty, WebSocket; each kind of client.

All in one run, since the machine is never as busy twice. A command is `counters`: it costs
the unit next to nothing, so that the figure is that of the way.
"""

import asyncio
import contextlib
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from pathlib import Path

from city_unit import host
from firmware.tool.image import unix
from firmware.virtual.launch import Supervised, VirtualBoard, lay
from tests.bench import Figure, NotMeasured

ROOT = Path(__file__).parent.parent.parent
COMMANDS = 500
UNITS = 50
CONNECTIONS = 30
SETTLE_S = 1.0  # the first pings, which set the clocks
PATIENCE_S = 30.0
SERVE = ("-m", "sim.cli", "serve", "--listen", "127.0.0.1:0")

ECHO = """
import socket
listener = socket.create_server(("127.0.0.1", 0))
print("at socket://127.0.0.1:%d" % listener.getsockname()[1], flush=True)
line, _ = listener.accept()
line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
while data := line.recv(4096):
    line.sendall(data)
"""
MANY = f"""
import asyncio
from tests.city_unit.served import {{kind}}
async def main():
    units = [await {{kind}}().__aenter__() for _ in range({UNITS})]
    print("at", *[unit.port for unit in units], flush=True)
    await asyncio.sleep(3600)
asyncio.run(main())
"""


def run(_options: Namespace) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        environment = {**os.environ, "CITY_UNIT_RUNTIME": name, "XDG_CONFIG_HOME": name}

        def child(*words: str, lines: int = 1) -> list[str]:
            """Start a program of Python; return its words behind " at " in each of its lines."""
            process = subprocess.Popen(
                [sys.executable, *words],
                stdout=subprocess.PIPE,
                text=True,
                cwd=ROOT,
                env=environment,
            )
            stack.callback(process.wait)
            stack.callback(process.kill)
            assert process.stdout is not None
            told = [process.stdout.readline() for _ in range(lines)]
            return [line.strip().rpartition("at ")[2] for line in told]

        bare = echo(*child("-c", ECHO))
        yield Figure("a bare echo over TCP", _ms(bare))
        play = ("-m", "sim.cli", "play", "--headless")
        ports = {"TCP": child(*play, "--listen", "127.0.0.1:0")}
        if os.name == "posix":
            ports["pty"] = child(*play, "--pty", str(Path(name) / "unit"))
        unit = child(*play, "--listen", "127.0.0.1:0")
        ports["WebSocket"] = child(*SERVE, *unit)
        for way, (address,) in ports.items():
            yield Figure(f"to connect over {way}", _ms(connecting(address)))
        for way, addresses in ports.items():
            yield from rows(way, addresses, bare)
        if os.name == "posix":
            (ptys,) = child("-c", MANY.format(kind="ServedByPty"))
            yield from rows("pty", ptys.split(" "), bare)
        (many,) = child("-c", MANY.format(kind="Served"))
        yield from rows("TCP", many.split(" "), bare)
        yield from rows("WebSocket", child(*SERVE, *many.split(" "), lines=UNITS), bare)


def rows(way: str, addresses: list[str], bare: list[float]) -> Iterator[Figure]:
    """Measure each kind of client on a way to one unit, or to many at once."""
    rounds = COMMANDS if len(addresses) == 1 else COMMANDS // 10
    clients: dict[str, Client] = {"synchronous": synchronous, "asyncio": asynchronous}
    if shutil.which("node"):
        clients["JavaScript"] = javascript
    for kind, measure in clients.items():
        times = measure(addresses, rounds)
        units = f", {len(addresses)} units at once" if len(addresses) > 1 else ""
        ratio = statistics.median(times) / statistics.median(bare) / len(addresses)
        yield Figure(
            f"a command over {way}, {kind}{units}",
            f"{_ms(times)}, {ratio:.1f} times the echo for each",
        )


Client = Callable[[list[str], int], list[float]]  # returns the ms of each round


def echo(address: str) -> list[float]:
    where, _, port = address.removeprefix("socket://").rpartition(":")
    with socket.create_connection((where, int(port))) as line:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

        def there_and_back() -> None:
            line.sendall(b"do 4711.1 1 counters*12345678\n")
            line.recv(4096)

        return timed(there_and_back, COMMANDS)


def timed(work: Callable[[], object], rounds: int) -> list[float]:
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        work()
        times.append((time.perf_counter() - began) * 1000)
    return times


def connecting(address: str) -> list[float]:
    def connect() -> None:
        host.connect(address, timeout=PATIENCE_S).close()

    return timed(connect, CONNECTIONS)


def synchronous(addresses: list[str], rounds: int) -> list[float]:
    """One thread that polls all of its units."""
    units = [host.connect(port, timeout=PATIENCE_S) for port in addresses]
    end = time.monotonic() + SETTLE_S
    while time.monotonic() < end:
        for unit in units:
            unit.poll()
        time.sleep(1 / 60)

    def command() -> None:
        if len(units) == 1:
            units[0].send("counters", PATIENCE_S)
            return
        requests = [unit.ask("counters", PATIENCE_S) for unit in units]
        while not all(request.finished for request in requests):
            for unit in units:
                unit.poll()

    times = timed(command, rounds)
    for unit in units:
        unit.close()
    return times


def asynchronous(addresses: list[str], rounds: int) -> list[float]:
    """One loop, and for each unit a task that listens to it."""

    async def play() -> list[float]:
        async with contextlib.AsyncExitStack() as stack:
            ways = [host.open_async(port, timeout=PATIENCE_S) for port in addresses]
            units = [await stack.enter_async_context(way) for way in ways]
            readers = [asyncio.ensure_future(_read(unit)) for unit in units]
            await asyncio.sleep(SETTLE_S)
            times = []
            for _ in range(rounds):
                began = time.perf_counter()
                await asyncio.gather(*(unit.send("counters", PATIENCE_S) for unit in units))
                times.append((time.perf_counter() - began) * 1000)
            for reader in readers:
                reader.cancel()
        return times

    return asyncio.run(play())


async def _read(unit: host.AsyncClient) -> None:
    async for _ in unit:
        pass


def javascript(addresses: list[str], rounds: int) -> list[float]:
    script = str(Path(__file__).with_suffix(".mjs"))
    command = ["node", "--experimental-websocket", script, str(rounds), *addresses]
    done = subprocess.run(command, capture_output=True, text=True, timeout=90, check=True)
    return json.loads(done.stdout)


def _ms(times: list[float]) -> str:
    """Say how long it took; the quickest tenth, too, which a busy machine disturbs least."""
    early, late = (sorted(times)[int(len(times) * share)] for share in (0.1, 0.99))
    median = statistics.median(times)
    return f"{early:.3f} ms, median {median:.3f} ms, 99 % within {late:.2f} ms"


PRESSES = 60
SENT = 300


def link(_options: Namespace) -> Iterator[Figure]:
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
            waits = timed(lambda: unit.send("volume 2"), SENT)
            yield _soon("command to answer", waits)
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


def _soon(what: str, waits: list[float]) -> Figure:
    median = statistics.median(waits)
    p99 = sorted(waits)[int(len(waits) * 0.99)]
    reached = median <= 3 and p99 <= 10
    value = f"{median:.2f} ms median, {p99:.2f} ms p99"
    return Figure(what, value, "3 ms median, 10 ms p99", reached)
