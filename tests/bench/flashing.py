"""How long `flash` takes on a Pico: from Enter to the unit's word, in an emulated chip's time.

The command is a process of its own, as a person starts it. The chip's time passes no faster than
ours, so that on a quiet computer what that does while the chip waits counts as it is. On a busy one
the chip falls behind, and less is counted: so the command's whole work, the time of the processor,
is told as well. Both together are the most that it can take.
"""

import os
import resource
import subprocess
import sys
import time
from argparse import Namespace
from collections.abc import Iterator

from firmware.chip import pico
from firmware.chip.pico import Chip
from firmware.linker import FIRST, LATER
from firmware.tool.flash import STARTED
from firmware.tool.selftest import HELLO
from tests.bench.figure import Figure
from tests.helpers.plugged import Plugged

_MOST_S = 6.0
_OLD = (f"{FIRST}.mpy", f"{LATER}.mpy", "main.py")  # in an update of three
_SAYS_HELLO = str(HELLO).partition("{")[0]


def run(_options: Namespace) -> Iterator[Figure]:
    """Flash an empty board, one that has everything, and one that lacks three files."""
    try:
        pico.check()
        image = pico.micropython()
    except pico.NotThere as missing:
        yield Figure("not measured", str(missing))
        return
    firmware = pico.firmware()
    boards: dict[str, dict[str, bytes]] = {
        "an empty Pico": {},
        "a Pico that has it already": firmware,
        "a Pico with three old files": {**firmware, **dict.fromkeys(_OLD, b"# old")},
    }
    for name, files in boards.items():
        with Chip(pico.memory(image, files)) as board, Plugged(board) as port:
            while board.now < pico.LISTENS_MS:
                time.sleep(0.01)
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            started_s, heard_s, ended_s = _flashed(board, port)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
        work_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        parts = (
            f"restarted at {started_s:.1f} s; the self-test is done at {ended_s:.1f} s;"
            f" the computer's own work {work_s:.1f} s"
        )
        what = f"`flash` onto {name}, from Enter to the unit's word"
        yield Figure(what, f"{heard_s:.1f} s", f"{_MOST_S:g} s", heard_s <= _MOST_S, parts)


def _flashed(board: Chip, port: str) -> tuple[float, float, float]:
    """Run the command; return when the board was started again, when it said hello, and the end."""
    command = [sys.executable, "-m", "sim.cli", "--lang", "en", "flash", "--port", port]
    begun = board.now
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}
    )
    assert process.stdout is not None
    told = [(board.now - begun, line) for line in process.stdout]
    process.wait()  # the self-test may find that a busy computer is late
    if not any(line.startswith(_SAYS_HELLO) for _, line in told):
        raise RuntimeError("".join(line for _, line in told))
    started, heard = (
        next(ms for ms, line in told if line.startswith(words))
        for words in (str(STARTED), _SAYS_HELLO)
    )
    return started / 1000, heard / 1000, (board.now - begun) / 1000
