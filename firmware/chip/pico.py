"""A Pico with the unit on it: the content of its flash memory, and a talk with it over its USB.

The talk is that of every desktop (`city_unit.host`), in the chip's own time.
"""

import os
from pathlib import Path

from city_unit import host
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.files import reason
from city_unit.settings import Settings
from firmware.board.pins import FILE
from firmware.board.store import SETTINGS, settings_text
from firmware.chip.chip import FLASH_SIZE, Chip, NotThere
from firmware.tool import filesystem, uf2
from firmware.tool.image import built

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
        raise NotThere(
            _("{file} cannot be read: {reason}").format(file=path, reason=reason(error))
        ) from None
    except uf2.BadFile as error:
        raise NotThere(
            _("{file} is no MicroPython for a Pico: {reason}").format(file=path, reason=error)
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


def memory(image: list[uf2.Block], files: dict[str, bytes] | None) -> bytes:
    """Return the flash memory of a Pico with a MicroPython and these files.

    None is a Pico that has never been started: its file system is not there yet.
    """
    content = bytearray(b"\xff" * FLASH_SIZE)
    uf2.drag(content, image)
    about = uf2.about(image)
    if files is not None:
        for number, block in filesystem.make(files, about.size).items():
            place = about.address - uf2.FLASH + number * filesystem.BLOCK
            content[place : place + filesystem.BLOCK] = block
    return bytes(content)


def files(image: list[uf2.Block], content: bytes) -> dict[str, bytes]:
    """Return the files that lie in a Pico's flash memory; raises filesystem.Damaged."""
    about = uf2.about(image)
    place = about.address - uf2.FLASH
    return filesystem.read(content[place : place + about.size])


class Talk:
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
        """Have the unit do `text`; nothing is waited for."""
        return self.core.ask(text, self.chip.now + _PATIENCE_MS)

    def send(self, text: str) -> str:
        """Have the unit do `text`, and return its answer; raises host.LinkError."""
        request = self.ask(text)
        while not request.finished:
            self.run(self.chip.now + _SLICE_MS)
        return request.result()

    def run(self, until_ms: float) -> None:
        """Let both live until then."""
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
