"""A morning of faults: `city-unit conform` against every body of ours and every client, at once.

Round after round, each with other chances, until the time is over. What is found wrong is
said as soon as the round is over, with its number: `conform ... --first NUMBER` is that round.
"""

import contextlib
import os
import shlex
import subprocess
import sys
import tempfile
import threading
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from firmware.chip import chip, pico
from firmware.interpreters import unix
from firmware.virtual.launch import VirtualBoard, lay
from firmware.virtual.supervisor import Supervised
from sim.lab.conform import unit
from sim.lab.conform.client import COMMANDS
from tests.bench.figure import Figure

ROOT = Path(__file__).parent.parent.parent
PYTHON = shlex.quote(sys.executable)
PLAY = ("play", "--headless")
CLIENTS = {
    "client, synchronous": f"{PYTHON} -m tests.helpers.conform_sync {{port}} {{after}}",
    "client, asyncio": f"{PYTHON} docs/examples/conform_client.py {{port}} {{after}}",
    "client, city_unit.js": "node docs/examples/conform_client.mjs {port} {after}",
}


class Place(NamedTuple):
    """Where the programs of one run live."""

    folder: Path
    stack: contextlib.ExitStack

    @property
    def environment(self) -> dict[str, str]:
        folder = str(self.folder)
        return {**os.environ, "CITY_UNIT_RUNTIME": folder, "XDG_CONFIG_HOME": folder}

    def start(self, *words: str) -> str:
        """Start a command of `city-unit`; return what its first line says behind " at "."""
        process = subprocess.Popen(
            [sys.executable, "-m", "sim.cli", *words],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=self.environment,
        )
        self.stack.callback(process.wait)
        self.stack.callback(process.kill)
        assert process.stdout is not None
        return process.stdout.readline().strip().rpartition("at ")[2]


def over_tcp(place: Place) -> str:
    return place.start(*PLAY, "--listen", "127.0.0.1:0")


def over_pty(place: Place) -> str:
    return place.start(*PLAY, "--pty", str(place.folder / "pty"))


def over_websocket(place: Place) -> str:
    return place.start("serve", "--listen", "127.0.0.1:0", over_tcp(place))


def virtual_board(place: Place) -> str:
    folder = place.folder / "board"
    folder.mkdir()
    lay(folder)
    board = VirtualBoard(folder, world={"changes": [[0, 4]]})
    return place.stack.enter_context(Supervised(board, place.folder / "world"))


BODIES: dict[str, Callable[[Place], str]] = {
    "unit over TCP": over_tcp,
    "unit over a pty": over_pty,
    "unit over WebSocket": over_websocket,
    "firmware in MicroPython": virtual_board,
}
CHIP = "emulated chip"
_SLICE_MS = 2.0  # for which it lives at once


class ChipLine:
    """The USB of an emulated chip, in the chip's own time: who waits lets it live."""

    def __init__(self, board: chip.Chip) -> None:
        self._board = board

    def read(self, timeout: float) -> bytes:
        board = self._board
        end = board.now + 1000 * timeout
        while not board.said and board.now < end:
            board.run(min(board.now + _SLICE_MS, end))
        return board.take_said()

    def write(self, data: bytes) -> int:
        self._board.send(data)
        return len(data)

    def fileno(self) -> int:
        return -1

    def close(self) -> None:
        pass


class Judged:
    """One body or client, and what has been said of it so far."""

    def __init__(self, name: str, words: list[str], environment: dict[str, str]) -> None:
        self.name = name
        self._words = words  # for `conform`
        self._environment = environment
        self.rounds = self.checks = self.commands = 0
        self.wrong: list[str] = []

    def judge(self, until: float) -> None:
        """Go through round after round until that time."""
        while time.monotonic() < until:
            self._round()
            self.rounds += 1

    def _round(self) -> None:
        done = subprocess.run(
            [sys.executable, "-m", "sim.cli", "conform", *self._words, "--first", str(self.rounds)],
            capture_output=True,
            text=True,
            cwd=ROOT,
            env=self._environment,
        )
        lines = [line for line in done.stdout.splitlines() if line.startswith(("well", "WRONG"))]
        for line in lines:
            name, _colon, why = line.partition(" ")[2].strip().partition(": ")
            self.note(name, why)
        if done.returncode and not any(line.startswith("WRONG") for line in lines):
            self.note("conform", done.stderr.strip() or f"ended by {done.returncode}")

    def note(self, name: str, why: str) -> None:
        """Count a check; `why` is "" if all was well."""
        self.checks += 1
        if name.startswith(("a line that", "a line with", "a unit that", "a client that")):
            self.commands += COMMANDS
        if why:
            self.wrong.append(name)
            words = f"  {self.name}, round {self.rounds}: {name}: {why}"
            print(words, file=sys.stderr, flush=True)

    def figure(self) -> Figure:
        return Figure(
            self.name,
            f"{self.rounds} rounds, {self.checks} checks, {self.commands} commands under faults,"
            f" {len(self.wrong)} wrong",
            "0 wrong",
            not self.wrong,
        )


class JudgedChip(Judged):
    """An emulated chip, judged in its own time, which is slower than ours on a busy machine."""

    def judge(self, until: float) -> None:
        content = pico.memory(pico.micropython(), pico.firmware())
        with chip.Chip(content) as board:
            clock = unit.Clock(
                lambda: board.now / 1000, lambda seconds: board.run(board.now + 1000 * seconds)
            )
            board.power()
            board.run(pico.LISTENS_MS)
            while time.monotonic() < until:
                for finding in unit.checks(lambda: ChipLine(board), (self.rounds,), clock):
                    self.note(finding.name, finding.why)
                self.rounds += 1


def run(options: Namespace) -> Iterator[Figure]:
    """Judge those that `options` name, all if none; for so many minutes."""
    wanted = options.judged or [*BODIES, CHIP, *CLIENTS]
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        judged = []
        for place, each in enumerate(wanted):
            folder = Path(name) / str(place)
            folder.mkdir()
            where = Place(folder, stack)
            missing = _missing(each)
            if missing:
                yield Figure(each, f"not judged: {missing}")
            elif each == CHIP:
                judged.append(JudgedChip(each, [], where.environment))
            else:
                words = ["--client", CLIENTS[each]] if each in CLIENTS else [BODIES[each](where)]
                judged.append(Judged(each, words, where.environment))
        until = time.monotonic() + 60 * options.minutes
        threads = [threading.Thread(target=each.judge, args=(until,)) for each in judged]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for each in judged:
            yield each.figure()


def _missing(name: str) -> str:
    """Return what is not there to judge it, "" if all is."""
    if name == CHIP:
        try:
            chip.check()
            pico.micropython()
        except chip.NotThere as missing:
            return str(missing)
    if name == "firmware in MicroPython" and not unix():
        return "there is no Unix port of MicroPython"
    return ""
