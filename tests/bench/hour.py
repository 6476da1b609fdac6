"""The heap of an emulated chip after an hour of play, in the chip's own time.

`city-unit bench hour` plays an auction or a permit every six seconds, as a table in a hurry does,
with a desktop that watches and asks for `board` twice a minute, which has the board say how much
was free after the latest collection. An hour takes about half of one; CITY_UNIT_CHIP_SECONDS
makes it shorter.
"""

import os
import re
from argparse import Namespace
from collections.abc import Iterator

from firmware.chip import pico
from firmware.chip.pico import Chip
from tests.bench.figure import Figure

_EVERY_MS = 6000
_ASKED_MS = 30_000


def run(_options: Namespace) -> Iterator[Figure]:
    try:
        pico.check()
        image = pico.micropython()
    except pico.NotThere as missing:
        yield Figure("not measured", str(missing))
        return
    seconds = float(os.environ.get("CITY_UNIT_CHIP_SECONDS", "3600"))
    free = _played(pico.memory(image, pico.firmware()), seconds * 1000)
    minutes = len(free) // 10
    early, late = min(free[: minutes + 1]), min(free[-minutes - 1 :])
    yield Figure(
        f"heap free over {seconds / 60:.0f} minutes of play, at least",
        f"{min(free):,} bytes",
        beside=f"first tenth {early:,}, last tenth {late:,}",
    )
    yield Figure(
        "lost from the first tenth to the last", f"{early - late:,} bytes", "0", early <= late
    )


def _played(content: bytes, lasting_ms: float) -> list[int]:
    """Return how many bytes were free, each time that the board was asked."""
    free: list[int] = []
    with Chip(content) as board:
        talk = pico.Talk(board)
        board.power()
        board.run(pico.LISTENS_MS)
        talk.greet()
        talk.send("watch on")
        begun = board.now
        place = 0
        while board.now < begun + lasting_ms:
            talk.ask("tap build" if place % 3 else "start 8000")
            place += 1
            talk.run(board.now + _EVERY_MS)
            talk.news.clear()
            board.edges.clear()
            board.tones.clear()
            if place % (_ASKED_MS // _EVERY_MS) == 0:
                free.append(int(re.findall(r"free=(\d+)", talk.send("board"))[0]))
    return free
