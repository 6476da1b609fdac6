"""A scenario on the firmware, unchanged, in the real interpreter, in virtual time."""

import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from city_unit.programs import PROGRAMS, Program
from city_unit.settings import Settings
from firmware.board.store import SETTINGS, settings_text
from firmware.interpreters import unix
from firmware.virtual.launch import VirtualBoard, lay

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
