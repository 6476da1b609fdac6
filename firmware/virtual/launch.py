"""Starts a virtual board from the desktop, with its wires, its fingers and its clock.

A scenario lives on it in virtual time, in the real interpreter.
"""

import json
import os
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from city_unit.facts import BUTTONS, SWITCH, TONE
from city_unit.programs import PROGRAMS, Program
from city_unit.settings import Settings
from firmware.board.store import SETTINGS, settings_text
from firmware.boards import BOARDS, describe
from firmware.tool.image import built, sources, unix

LIB = Path(__file__).parent / "lib"
MAIN = "execfile('main.py')"
SWITCHED_ON = {"changes": [[0, 4]]}  # a world in which the unit is on from the start


def lay(folder: Path, compile_it: bool = False) -> None:
    """Put the firmware into an empty folder, as it would lie on a board."""
    found = {name: source.read_bytes() for name, source in sources().items()}
    for name, content in (built("rp2040") if compile_it else found).items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


@dataclass
class VirtualBoard:
    """A board whose files lie in `folder`, soldered after `board` and `pin_text`.

    heap   of the interpreter; its words are 64 bits, so this is about the heap of a Pico
    world  settings that `lib/world.py` takes, without the wires
    """

    folder: Path
    board: str = "pico"
    pin_text: str = ""
    heap: str = "384k"
    world: dict = field(default_factory=dict)

    def wires(self) -> dict:
        """Return the part of the world's description that follows from the pins."""
        pins = describe(self.board, self.pin_text)
        contacts = {
            pins[name]: bit
            for name, bit in {**BUTTONS, "switch": SWITCH}.items()
            if pins[name] is not None
        }
        chip = BOARDS[self.board].chip.upper()  # no text: a name
        strip = pins["strip"]
        lamps = pins["lamps"] if strip is None else [f"{strip}.{place}" for place in range(TONE)]
        return {
            "contacts": contacts,
            "closed": int(pins["closed"] == "high"),
            "lamps": lamps,
            "lit": int(strip is not None or pins["lamp_on"] == "high"),
            "buzzer": pins["buzzer"],
            "machine": f"{BOARDS[self.board].machine} with {chip}",  # no text: a name
        }

    def command(self, config: Path, *arguments: str) -> tuple[list[str], dict[str, str]]:
        """Return the command that gives the board power, and its environment.

        config     a file outside the board's folder, which is written
        arguments  of the interpreter, the last of them code; `main.py` unless others are given
        """
        config.write_text(json.dumps({**self.wires(), **self.world}), encoding="utf-8")
        path = os.pathsep.join([str(LIB), str(self.folder), ".frozen"])
        environment = {**os.environ, "MICROPYPATH": path, "VIRTUAL_BOARD": str(config)}
        environment["HOME"] = str(config.parent)  # where its REPL keeps its history
        words = [unix() or "micropython", "-X", f"heapsize={self.heap}"]
        *options, code = arguments or ("-c", MAIN)
        return [*words, *options, f"import power\n{code}"], environment  # no text: code

    def run(self, config: Path, timeout: float = 60) -> str:
        """Run until the world's `end_ms`, and return the printed text.

        Raises subprocess.CalledProcessError if the firmware failed.
        """
        command, environment = self.command(config)
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=True,
        )
        return done.stdout


PINS = "switch = 13\n"  # a board with a switch, as the scenarios have one
_BOOT_MS = -100  # a board that got its power before anybody touches it
_LONGEST_S = 600


class NotThere(Exception):
    """There is no Unix port of MicroPython."""


class NotBuiltIn(Exception):
    """The firmware does not have this program."""


class Failed(Exception):
    """The firmware ended with an error; the message is its last words."""


def trace(
    program: Program,
    seed: int,
    changes: Sequence[tuple[int, int]],
    start: int,
    end_ms: int,
    late_ms: int,
) -> list[str]:
    """Return the lines of the trace, as the board's pins show it.

    changes  `(ms, levels)`, the contacts' new levels, in order
    start    of the board's clock, in ms, at ms 0 of the trace
    late_ms  how much longer than asked for each sleep may last, drawn from `seed`
    """
    if not unix():
        raise NotThere
    if program not in PROGRAMS:
        raise NotBuiltIn
    settings = Settings()
    settings.choose(program)
    world = {
        "time": "jump",
        "start": start,
        "boot_ms": _BOOT_MS,
        "end_ms": end_ms,
        "changes": list(changes),
        "seed": seed % (1 << 32),
        "late_ms": late_ms,
        "trace": "-",
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "board")
        folder.mkdir()
        lay(folder)
        (folder / "pins.txt").write_text(PINS, encoding="utf-8")
        (folder / SETTINGS).write_text(settings_text(settings), encoding="utf-8")
        board = VirtualBoard(folder, pin_text=PINS, world=world)
        try:
            return board.run(Path(name, "world.json"), _LONGEST_S).splitlines()
        except subprocess.CalledProcessError as error:
            raise Failed((error.stderr or error.output).strip().splitlines()[-1]) from error
