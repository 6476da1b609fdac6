"""Benchmarks of the firmware on an emulated chip: latency and load at its pins and over its USB.

CITY_UNIT_CHIP_IMAGE names the MicroPython image. `bench chip` measures lateness on a busy line and
`bench hour` the heap during an hour of play, each for CITY_UNIT_CHIP_SECONDS of chip time.
`bench cuts` cuts the power CITY_UNIT_CHIP_CUTS times, at random moments seeded by
CITY_UNIT_CHIP_SEED.
"""

import contextlib
import io
import os
import random
import re
import resource
import statistics
import subprocess
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator

from city_unit import host
from city_unit.desktop.errors import UserError
from city_unit.facts import LAMPS
from city_unit.wire import seal
from firmware.board.pins import describe
from firmware.chip import pico
from firmware.chip.pico import Chip, Desktop
from firmware.tool import flash
from firmware.tool.image import FIRST, LATER
from firmware.tool.remote import Remote
from firmware.tool.selftest import HELLO
from firmware.tool.uf2 import Block
from tests.bench import Figure, NotMeasured
from tests.helpers.plugged import Plugged

_BOUNCE_US = (700, 1300, 2500, 3300)
_MOST_MS = 30  # a later edge belongs to the next change: a moving light changes every 50 ms
_COMMANDS_MS = 20  # fifty commands a second
_BOARD_EVERY = 50  # one command in 50 is `board`, the others are `state`
_SETTINGS_EVERY = 500  # one in 500 makes the board save its settings
_PINS = describe("rp2040")
_OWN = {"pins.txt": b"watchdog = on\n"}  # the owner's file, which must survive

Reported = Iterable[tuple[int, int, int]]  # the lamp of an edge, its value, its due time


def run(_options: Namespace) -> Iterator[Figure]:
    """Measure the firmware at rest, on a busy line, and on a flooded one."""
    content = pico.memory(_image(), pico.firmware())
    seconds = _seconds(60)
    with Chip(content) as board:
        board.power()
        board.run(pico.LISTENS_MS)
        ready = next(tone.ms for tone in board.tones if tone.hz)
        before = board.busy_ms
        board.run(2000)
        awake = (board.busy_ms - before) / (2000 - pico.LISTENS_MS)
        board.press(2000.3, _PINS["auction"], bounce_us=_BOUNCE_US)
        board.run(2100)
        light, sound = _answered(board, 2000.3)
    yield _within("power to the first note", ready, 150)
    yield Figure("processor busy, no desktop", f"{100 * awake:.0f} %")
    yield _within("press (3.3 ms of bounce) to light", light, 20)
    yield _within("the same to sound", sound, 20)
    yield from _busy(content, seconds)
    yield from _flooded(content, seconds)


def _image() -> list[Block]:
    try:
        pico.check()
        return pico.micropython()
    except pico.NotThere as missing:
        raise NotMeasured(str(missing)) from None


def _seconds(usual: float) -> float:
    return float(os.environ.get("CITY_UNIT_CHIP_SECONDS", usual))


@contextlib.contextmanager
def _greeted(content: bytes) -> Iterator[Desktop]:
    """Run a chip, and connect a desktop to its unit."""
    with Chip(content) as board:
        desktop = Desktop(board)
        board.power()
        board.run(pico.LISTENS_MS)
        desktop.greet()
        yield desktop


def _busy(content: bytes, seconds: float) -> Iterator[Figure]:
    """Watch, send fifty commands a second, and play."""
    presses, asked = [], []
    with _greeted(content) as desktop:
        board = desktop.chip
        desktop.send("watch on")
        begun, busy_before = board.now, board.busy_ms
        press_at, is_pressed = begun + 500.3, False
        while board.now < begun + seconds * 1000:
            if not is_pressed and press_at < board.now + _COMMANDS_MS:
                is_pressed = True
                board.press(press_at, _PINS["build"], bounce_us=_BOUNCE_US)
            number = len(asked) + 1
            text = "state" if number % _BOARD_EVERY else "board"
            if number % _SETTINGS_EVERY == 0:
                text = f"volume {1 + number // _SETTINGS_EVERY % 2}"
            asked.append(desktop.ask(text))
            desktop.run(begun + len(asked) * _COMMANDS_MS)
            if press_at + 100 < board.now:
                presses.append(_answered(board, press_at))
                press_at, is_pressed = board.now + 2500 + 37.7 * len(presses) % 1000, False
        awake = (board.busy_ms - busy_before) / (board.now - begun)
        edges = [
            edge for edge in desktop.news if isinstance(edge, host.Edge) and edge.what in LAMPS
        ]
        reported = ((LAMPS.index(edge.what), edge.value, edge.due_ms) for edge in edges)
        late = sorted(_lateness(board, reported))
    answers = [request.answer for request in asked if request.answer is not None]
    heaps = [re.findall(r"free=(\d+)", answer) for answer in answers if "free=" in answer]
    free = [int(found[0]) for found in heaps]
    p99 = late[int(len(late) * 0.99)]
    yield Figure(
        f"a line with {len(answers) / seconds:.0f} answered commands a second, {seconds:.0f} s: "
        f"{len(late)} edges late by",
        f"{statistics.median(late):.2f} ms median, {p99:.2f} ms p99, {late[-1]:.2f} ms worst",
        "1 ms p99, 5 ms worst",
        p99 <= 1 and late[-1] <= 5,
    )
    lights, sounds = zip(*presses, strict=True)
    yield _within("press to the first change of light, worst", max(lights), 20)
    yield _within("press to sound, worst", max(sounds), 20)
    yield Figure(
        "heap free at first, in the end, at least",
        f"{free[0]:,}, {free[-1]:,}, {min(free):,} bytes",
    )
    yield Figure("processor busy", f"{100 * awake:.0f} %")
    answered = f"{len(answers)} of {len(asked)}"
    yield Figure("commands answered, each sent after the previous answer", answered)


def _flooded(content: bytes, seconds: float) -> Iterator[Figure]:
    """Send a command every 20 ms during an auction without waiting for answers.

    Our own client never does this; it waits for each answer (`_busy`).
    """
    with Chip(content) as board:
        board.power()
        board.run(pico.LISTENS_MS)
        board.send(seal("hello 1 open"))
        board.run(board.now + 100)
        tag = re.findall(rb"welcome open (\S+)", board.take_output())[0].decode()
        for number, text in enumerate(("watch on", f"start {round(seconds * 1000) + 5000}"), 1):
            board.send(seal(f"do {tag} {number} {text}"))
            board.run(board.now + 100)
        begun, sent, output = board.now, 0, b""
        while board.now < begun + seconds * 1000:
            sent += 1
            board.send(seal(f"do {tag} {sent + 2} state"))
            board.run(begun + sent * _COMMANDS_MS)
            output += board.take_output()
        board.run(board.now + 1000)
        output += board.take_output()
        edges = re.findall(rb"edge \S+ \d+ (\d+) auction (\d)", output)
        reported = ((LAMPS.index("auction"), int(level), int(ms)) for ms, level in edges)
        late = _lateness(board, reported)[1:]  # the first edge is due when its command is read
    answered = len({int(number) for number in re.findall(rb"done \S+ (\d+)\*", output)})
    what = f"50 commands a second for {seconds:.0f} s, without waiting for answers: "
    yield Figure(what + "answered", f"{answered} of {sent}, {answered / seconds:.0f} a second")
    worst = f"{max(late):.2f} ms worst"
    yield Figure(what + f"{len(late)} edges", worst, "5 ms worst", max(late) <= 5)


def _lateness(board: Chip, reported: Reported) -> list[float]:
    """Return how many ms after its due time each lamp edge appeared at its pin."""
    due: dict[tuple[int, int], list[int]] = {}
    for lamp, value, ms in reported:
        due.setdefault((_PINS["lamps"][lamp], value), []).append(ms)
    found = []
    for edge in board.edges:
        times = [ms for ms in due.get((edge.pin, edge.level or 0), ()) if ms <= edge.ms]
        if times and edge.ms - times[-1] < _MOST_MS:
            found.append(edge.ms - times[-1])
    return found


def _answered(board: Chip, ms: float) -> tuple[float, float]:
    """Return the ms from a time to the next lamp change and to the next note."""
    lamps = _PINS["lamps"]
    light = next(edge.ms - ms for edge in board.edges if edge.ms > ms and edge.pin in lamps)
    return light, next(tone.ms - ms for tone in board.tones if tone.ms > ms and tone.hz)


def _within(what: str, ms: float, most: float) -> Figure:
    return Figure(what, f"{ms:.1f} ms", f"{most:g} ms", ms <= most)


def hour(_options: Namespace) -> Iterator[Figure]:
    """Play an auction or a permit every six seconds, like a table in a hurry.

    Twice a minute the desktop requests the heap that was free after the latest collection. An hour
    of chip time takes about half an hour.
    """
    free: list[int] = []
    lasting_ms = _seconds(3600) * 1000
    with _greeted(pico.memory(_image(), pico.firmware())) as desktop:
        board = desktop.chip
        desktop.send("watch on")
        begun = board.now
        place = 0
        while board.now < begun + lasting_ms:
            desktop.ask("tap build" if place % 3 else "start 8000")
            place += 1
            desktop.run(board.now + 6000)
            for noted in (desktop.news, board.edges, board.tones):
                noted.clear()
            if place % 5 == 0:
                free.append(int(re.findall(r"free=(\d+)", desktop.send("board"))[0]))
    tenth = len(free) // 10 + 1
    early, late = min(free[:tenth]), min(free[-tenth:])
    yield Figure(
        f"heap free over {lasting_ms / 60_000:.0f} minutes of play, at least",
        f"{min(free):,} bytes",
        beside=f"first tenth {early:,}, last tenth {late:,}",
    )
    yield Figure(
        "lost from the first tenth to the last", f"{early - late:,} bytes", "0", early <= late
    )


def flashing(_options: Namespace) -> Iterator[Figure]:
    """Flash an empty board, an up-to-date one, and one with three old files.

    The command runs in a process of its own, as a person starts it. Chip time never passes faster
    than real time, so on a quiet computer the command's own work is included while the chip waits.
    On a busy computer the chip falls behind and less of that work is included. The second figure is
    therefore the command's processor time; the sum of both is an upper bound.
    """
    image, firmware = _image(), pico.firmware()
    old = dict.fromkeys((f"{FIRST}.mpy", f"{LATER}.mpy", "main.py"), b"# old")
    boards: dict[str, dict[str, bytes]] = {
        "an empty Pico": {},
        "a Pico that has it already": firmware,
        "a Pico with three old files": {**firmware, **old},
    }
    for name, files in boards.items():
        with Chip(pico.memory(image, files)) as board, Plugged(board) as port:
            _await_start(board)
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            started_s, heard_s, ended_s = _flashed(board, port)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
        work_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        parts = (
            f"restarted at {started_s:.1f} s; the self-test is done at {ended_s:.1f} s;"
            f" the computer's own work {work_s:.1f} s"
        )
        what = f"`flash` onto {name}, from Enter to the unit's hello"
        yield Figure(what, f"{heard_s:.1f} s", "6 s", heard_s <= 6, parts)


def _await_start(board: Chip) -> None:
    """Wait until a plugged board has started, with all that it writes at power-on."""
    while board.now < pico.LISTENS_MS:
        time.sleep(0.01)


def _flashed(board: Chip, port: str) -> tuple[float, float, float]:
    """Run the command; return the seconds to the board's restart, to its hello, and to the end."""
    command = [sys.executable, "-m", "sim.cli", "--lang", "en", "flash", "--port", port]
    begun = board.now
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}
    )
    assert process.stdout is not None
    printed = [(board.now - begun, line) for line in process.stdout]
    process.wait()  # any exit status: the self-test may fail on a busy computer
    times = []
    for words in (str(flash.STARTED), str(HELLO).partition("{")[0]):
        found = [ms for ms, line in printed if line.startswith(words)]
        if not found:
            raise RuntimeError("".join(line for _, line in printed))
        times.append(found[0] / 1000)
    return times[0], times[1], (board.now - begun) / 1000


def cuts(_options: Namespace) -> Iterator[Figure]:
    """Cut the power at random moments of `flash` and `flash --remove`.

    Each moment lies between the first and the last write. The command is then run again, as a
    person would, and the files in flash memory are compared with the expected ones.
    """
    image = _image()
    times = int(os.environ.get("CITY_UNIT_CHIP_CUTS", "20"))
    chance = random.Random(int(os.environ.get("CITY_UNIT_CHIP_SEED", "1")))
    whole = {**pico.firmware(), **_OWN}
    for name, do, files, wanted in (
        ("flash", flash.flash, _OWN, whole),
        ("flash --remove", flash.remove, whole, _OWN),
    ):
        memory = pico.memory(image, files)
        with Chip(memory) as board, Plugged(board) as port:
            _await_start(board)
            board.writes.clear()  # only the writes of the command count
            assert _is_done(do, port)
        writes = [write.ms for write in board.writes]
        lasting_ms = max(writes) - min(writes)
        right = noticed = 0
        for number in range(times):
            after_ms = chance.uniform(0, lasting_ms)
            with Chip(memory, seed=number + 1) as board:
                plugged = Plugged(board)
                with plugged as port:
                    _await_start(board)
                    board.writes.clear()
                    plugged.cut(after_ms, first_write=True)
                    noticed += not _is_done(do, port)
                    # A busy computer may lose a board once more.
                    any(_is_done(do, port) for _again in range(3))
                content = board.flash()
            try:  # does a unit answer after a start with this flash memory?
                with _greeted(content):
                    answers = True
            except host.LinkError:
                answers = False
            if pico.files(image, content) == wanted and answers == (wanted is whole):
                right += 1
            else:
                print(f"  {name}, cut {number + 1}, {after_ms:.0f} ms into its writes: wrong")
        value = f"{right} of {times} recovered completely; {noticed} ended the command"
        what = f"power cut at random moments of `{name}`, whose writes take"
        yield Figure(f"{what} {lasting_ms:.0f} ms", value, "all", right == times)


def _is_done(do: Callable[[Remote], object], port: str) -> bool:
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            do(Remote(port))
    except UserError:
        return False
    return True
