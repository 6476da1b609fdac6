"""Whether a board survives that its power goes while it is flashed, or the unit is taken off.

`city-unit bench cuts` does both on the emulated chip, over its USB, and has the power go at a
random moment between the first and the last write of each, 20 times: the command is then run
again, as a person would, and the flash memory is compared with the wanted one.
CITY_UNIT_CHIP_CUTS says how often, and CITY_UNIT_CHIP_SEED where chance begins.
"""

import contextlib
import io
import os
import random
from argparse import Namespace
from collections.abc import Callable, Iterator

from city_unit import host
from city_unit.desktop.errors import UserError
from firmware.chip import pico
from firmware.chip.pico import Chip
from firmware.tool import flash
from firmware.tool.remote import Remote
from firmware.tool.uf2 import Block
from tests.bench.figure import Figure
from tests.helpers.plugged import Plugged

_PINS = {"pins.txt": b"watchdog = on\n"}  # the owner's own, which is never touched
_TRIES = 3

Work = Callable[[str], None]  # takes the port


def run(_options: Namespace) -> Iterator[Figure]:
    """Cut the power in the middle of both."""
    try:
        pico.check()
        image = pico.micropython()
    except pico.NotThere as missing:
        yield Figure("not measured", str(missing))
        return
    times = int(os.environ.get("CITY_UNIT_CHIP_CUTS", "20"))
    chance = random.Random(int(os.environ.get("CITY_UNIT_CHIP_SEED", "1")))
    firmware = pico.firmware()
    whole = {**firmware, **_PINS}
    yield _cut_often("flash", image, (_PINS, whole), True, _flashed, times, chance)
    yield _cut_often("flash --remove", image, (whole, _PINS), False, _removed, times, chance)


def _flashed(port: str) -> None:
    flash.flash(Remote(port))


def _removed(port: str) -> None:
    flash.remove(Remote(port))


def _cut_often(
    name: str,
    image: list[Block],
    files: tuple[dict[str, bytes], dict[str, bytes]],
    has_unit: bool,
    work: Work,
    times: int,
    chance: random.Random,
) -> Figure:
    """Cut the power at so many moments of a work.

    files     the files on the board before, and those that must lie there in the end
    has_unit  whether a unit must answer in the end, after another start
    """
    before, after = files
    memory = pico.memory(image, before)
    with Chip(memory) as board, Plugged(board) as port, contextlib.redirect_stdout(io.StringIO()):
        work(port)
    writes = [write.ms for write in board.writes]
    first_ms, last_ms = min(writes), max(writes)
    right = noticed = 0
    for number in range(times):
        after_ms = chance.uniform(0, last_ms - first_ms)
        with Chip(memory, seed=number + 1) as board:
            plugged = Plugged(board)
            with plugged as port, contextlib.redirect_stdout(io.StringIO()):
                plugged.cut(after_ms, first_write=True)
                noticed += not _done(work, port)
                for _again in range(_TRIES):  # a busy computer may lose a board once more
                    if _done(work, port):
                        break
            content = board.flash()
        is_right = pico.files(image, content) == after and _answers(content) == has_unit
        right += is_right
        if not is_right:
            print(
                f"  {name}, cut {number + 1}, {after_ms:.0f} ms into its writes: files differ",
                flush=True,
            )
    value = f"{right} of {times} as if nothing had been; {noticed} ended the command"
    lasting_s = (last_ms - first_ms) / 1000
    what = f"power cut at random moments of `{name}`, whose writes take {lasting_s:.1f} s"
    return Figure(what, value, "all", right == times)


def _done(work: Work, port: str) -> bool:
    try:
        work(port)
    except UserError:
        return False
    return True


def _answers(content: bytes) -> bool:
    """Return whether a unit answers when a chip with this in its memory gets its power."""
    with Chip(content) as board:
        board.power()
        board.run(pico.LISTENS_MS)
        try:
            pico.Talk(board).greet()
        except host.LinkError:
            return False
        return True
