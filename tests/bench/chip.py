"""The firmware as the chip's pins show it: how soon, how late, how much, at its pins.

`city-unit bench chip` prints it. CITY_UNIT_CHIP_IMAGE names the MicroPython, and
CITY_UNIT_CHIP_SECONDS for how many seconds of the chip's life a busy line is watched.
"""

import os
import re
import statistics
from argparse import Namespace
from typing import NamedTuple

from city_unit import host
from city_unit.facts import LAMPS
from city_unit.wire import seal
from firmware.board.pins import describe
from firmware.chip import pico
from firmware.chip.pico import Chip
from tests.bench.figure import Figure

BOUNCE_US = (700, 1300, 2500, 3300)
PRESSES = 8
_MOST_MS = 30  # a change that is later is another: a lamp hops each 50 ms
_COMMANDS_MS = 20  # fifty commands a second, and among them
_BOARD_EVERY = 50  # one that has the board look at itself, and
_SETTINGS_EVERY = 500  # one that has it write its settings


class Busy(NamedTuple):
    """A session with a busy line: how late each edge was, and each press, in ms."""

    edges: list[float]
    to_light: list[float]
    to_sound: list[float]
    free: list[int]
    awake: float
    answered: int  # of the commands
    asked: int


def run(_options: Namespace) -> list[Figure]:
    """Measure all that can be measured here."""
    try:
        pico.check()
        image = pico.micropython()
    except pico.NotThere as missing:
        return [Figure("not measured", str(missing))]
    content = pico.memory(image, pico.firmware())
    seconds = float(os.environ.get("CITY_UNIT_CHIP_SECONDS", "60"))
    return [
        *at_rest(content),
        *figures(busy(content, seconds), seconds),
        *flooded(*open_loop(content, seconds), seconds),
    ]


def at_rest(content: bytes) -> list[Figure]:
    """Measure a unit that nobody talks with."""
    pins = describe("rp2040")
    with Chip(content) as board:
        board.power()
        board.run(pico.LISTENS_MS)
        ready = next(tone.ms for tone in board.tones if tone.hz)
        before = board.busy_ms
        board.run(2000)
        awake = (board.busy_ms - before) / (2000 - pico.LISTENS_MS)
        board.press(2000.3, pins["auction"], bounce_us=BOUNCE_US)
        board.run(2100)
        light = _after(board, 2000.3, pins["lamps"])
        sound = next(tone.ms - 2000.3 for tone in board.tones if tone.ms > 2000.3 and tone.hz)
    return [
        _within("power to the first note", ready, 150),
        Figure("processor busy, nobody talking", f"{100 * awake:.0f} %"),
        _within("press (3.3 ms of bounce) to light", light, 20),
        _within("the same to sound", sound, 20),
    ]


def busy(content: bytes, seconds: float) -> Busy:
    """Have a desktop watch, and send fifty commands a second, while somebody plays."""
    pins = describe("rp2040")
    lights, sounds, asked = [], [], []
    with Chip(content) as board:
        talk = pico.Talk(board)
        board.power()
        board.run(pico.LISTENS_MS)
        talk.greet()
        talk.send("watch on")
        begun, busy_before = board.now, board.busy_ms
        sent = 0
        press_at = begun + 500.3
        while board.now < begun + seconds * 1000:
            pressing = press_at < board.now + _COMMANDS_MS
            if pressing:
                board.press(press_at, pins["build"], bounce_us=BOUNCE_US)
            sent += 1
            asked.append(talk.ask(_command(sent)))
            talk.run(begun + sent * _COMMANDS_MS)
            if press_at + 100 < board.now:
                lights.append(_after(board, press_at, pins["lamps"]))
                sounds.append(
                    next(
                        tone.ms - press_at for tone in board.tones if tone.ms > press_at and tone.hz
                    )
                )
                press_at = board.now + 2500 + 37.7 * len(lights) % 1000
        awake = (board.busy_ms - busy_before) / (board.now - begun)
        edges = lateness(board, talk.news, pins)
    answers = [
        exchange.answer for exchange in asked if exchange.text == "board" and exchange.answer
    ]
    free = [int(re.findall(r"free=(\d+)", answer)[0]) for answer in answers]
    answered = sum(1 for exchange in asked if exchange.answer is not None)
    return Busy(edges, lights, sounds, free, awake, answered, len(asked))


def open_loop(content: bytes, seconds: float) -> tuple[int, int, list[float]]:
    """Send a command each 20 ms, without waiting for any answer, during an auction.

    Returns how many were sent, how many were answered, and how late each edge of a lamp was, in ms.
    A client of ours sends the next command only after the answer to the last one (`busy`).
    """
    pins = describe("rp2040")
    with Chip(content) as board:
        board.power()
        board.run(pico.LISTENS_MS)
        board.send(seal("hello 1 open"))
        board.run(board.now + 100)
        tag = re.findall(rb"welcome open (\S+)", board.take_said())[0].decode()
        for number, text in enumerate(("watch on", f"start {round(seconds * 1000) + 5000}"), 1):
            board.send(seal(f"do {tag} {number} {text}"))
            board.run(board.now + 100)
        begun, sent, said = board.now, 0, b""
        while board.now < begun + seconds * 1000:
            sent += 1
            board.send(seal(f"do {tag} {sent + 2} state"))
            board.run(begun + sent * _COMMANDS_MS)
            said += board.take_said()
        board.run(board.now + 1000)
        said += board.take_said()
        answered = {int(number) for number in re.findall(rb"done \S+ (\d+)\*", said)}
        lamp = pins["lamps"][LAMPS.index("auction")]
        told = re.findall(rb"edge \S+ \d+ (\d+) auction (\d)", said)
        due = {int(level): [int(ms) for ms, lit in told if lit == level] for level in (b"0", b"1")}
        late = []
        for edge in board.edges:
            times = [ms for ms in due.get(edge.level or 0, ()) if ms <= edge.ms]
            if edge.pin == lamp and times and edge.ms - times[-1] < _MOST_MS:
                late.append(edge.ms - times[-1])
    return sent, len(answered), late[1:]  # the first is the start, due when the command is read


def lateness(board: Chip, news: list[host.News], pins: dict) -> list[float]:
    """Return by how many ms each lamp's edge was at its pin later than it was due."""
    due: dict[tuple[int, int], list[int]] = {}
    for told in news:
        if isinstance(told, host.Edge) and told.what in LAMPS:
            pin = pins["lamps"][LAMPS.index(told.what)]
            due.setdefault((pin, told.value), []).append(told.due_ms)
    found = []
    for edge in board.edges:
        times = [ms for ms in due.get((edge.pin, edge.level or 0), ()) if ms <= edge.ms]
        if times and edge.ms - times[-1] < _MOST_MS:
            found.append(edge.ms - times[-1])
    return found


def figures(seen: Busy, seconds: float) -> list[Figure]:
    late = sorted(seen.edges)
    p99 = late[int(len(late) * 0.99)]
    rate = seen.answered / seconds
    what = f"a line with {rate:.0f} answered commands a second, {seconds:.0f} s: "
    value = f"{statistics.median(late):.2f} ms median, {p99:.2f} ms p99, {late[-1]:.2f} ms worst"
    reached = p99 <= 1 and late[-1] <= 5
    free = [f"{bytes_free:,}" for bytes_free in (seen.free[0], seen.free[-1], min(seen.free))]
    return [
        Figure(what + f"{len(late)} edges late by", value, "1 ms p99, 5 ms worst", reached),
        _within("press to the first change of light, worst", max(seen.to_light), 20),
        _within("press to sound, worst", max(seen.to_sound), 20),
        Figure("heap free at first, in the end, at least", f"{', '.join(free)} bytes"),
        Figure("processor busy", f"{100 * seen.awake:.0f} %"),
        Figure(
            "commands answered, the next one only after that", f"{seen.answered} of {seen.asked}"
        ),
    ]


def flooded(sent: int, answered: int, late: list[float], seconds: float) -> list[Figure]:
    what = f"50 commands a second for {seconds:.0f} s, no answer waited for: "
    rate = f"{answered} of {sent}, {answered / seconds:.0f} a second"
    worst = max(late)
    return [
        Figure(what + "answered", rate),
        Figure(what + f"{len(late)} edges", f"{worst:.2f} ms worst", "5 ms worst", worst <= 5),
    ]


def _command(number: int) -> str:
    if number % _SETTINGS_EVERY == 0:
        return f"volume {1 + number // _SETTINGS_EVERY % 2}"
    return "board" if number % _BOARD_EVERY == 0 else "state"


def _after(board: Chip, ms: float, lamps: tuple[int, ...]) -> float:
    """Return how long after a time the first lamp changed."""
    return next(edge.ms - ms for edge in board.edges if edge.ms > ms and edge.pin in lamps)


def _within(what: str, ms: float, most: float) -> Figure:
    return Figure(what, f"{ms:.1f} ms", f"{most:g} ms", ms <= most)
