"""A scenario on the compiled firmware in an emulated Pico, measured at its pins."""

import json
from collections.abc import Sequence
from typing import NamedTuple

from city_unit import host
from city_unit.facts import LAMPS
from city_unit.programs import PROGRAMS, Program
from city_unit.settings import Settings
from firmware.board.pins import describe
from firmware.chip import chip, pico
from firmware.chip.chip import Chip, NotThere, Tone

# A contact is seen in the pass after it has changed, and what follows from it is worked out
# in a pass: what is at its pin so soon after it was due, is there as it was due. The longest is
# the slide switch, which acts at once: up to 1 ms of rounding and 2.1 ms of a pass were seen.
SLACK_MS = 4
START_MS = 1000  # on the chip's own clock: the scenario's ms 0
_PINS = "switch = 13\n"  # a board with a switch, as the scenarios have one
_AFTER_MS = 60  # until the last news has come

# What stands before main.py: the dice of a board begin where its chance does, and the
# scenario says where that is.
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

__all__ = ["Failed", "NotBuiltIn", "NotThere", "check", "trace"]


class NotBuiltIn(Exception):
    """The firmware does not have this program."""


class Failed(Exception):
    """What the firmware said when it ended."""


class Lived(NamedTuple):
    """The lines of the trace as the pins show it.

    late  `(ms, ms)` for each change at a pin: when it was due, and by how much it was late
    """

    lines: list[str]
    late: list[tuple[int, float]]

    @property
    def latest_ms(self) -> float:
        return max((late for _, late in self.late), default=0.0)


class _Due(NamedTuple):
    ms: int
    what: str
    value: int


def check(image: str | None) -> None:
    """Raise chip.NotThere if anything is missing here for a chip."""
    chip.check()
    pico.micropython(image)


def trace(image: str | None, program: Program, seed: int, changes: Changes, end_ms: int) -> Lived:
    """Have a Pico live through a scenario.

    image    the file of its MicroPython; None for the image that the environment names
    changes  `(ms, levels)`, the contacts' new levels, in order
    """
    if program not in PROGRAMS:
        raise NotBuiltIn
    settings = Settings()
    settings.choose(program)
    blocks = pico.micropython(image)
    files = pico.firmware(_PINS, settings)
    files["main.py"] = _DICE.format(seed=seed % (1 << 32)).encode() + files["main.py"]
    with Chip(pico.memory(blocks, files)) as board:
        try:
            return _live(board, changes, end_ms)
        except host.LinkError as error:
            raise Failed(str(error)) from error


def _live(board: Chip, changes: Changes, end_ms: int) -> Lived:
    wires = describe("rp2040", _PINS)
    talk = pico.Talk(board)
    board.power()
    board.run(pico.LISTENS_MS)
    talk.greet()
    talk.send("watch on")
    talk.run(START_MS - 1)
    levels = 0
    for ms, new in changes:
        for bit, name in enumerate(("auction", "build", "switch")):
            if (levels ^ new) >> bit & 1:
                board.drive(START_MS + ms, wires[name], 0 if new >> bit & 1 else None)
        levels = new
    talk.run(START_MS + end_ms + _AFTER_MS)
    seen = [
        _Due(int(edge.ms * 1000), LAMPS[wires["lamps"].index(edge.pin)], edge.level or 0)
        for edge in board.edges
        if edge.ms >= START_MS and edge.pin in wires["lamps"]
    ]
    seen += [
        _Due(int(tone.ms * 1000), "tone", round(tone.hz))
        for tone in heard([tone for tone in board.tones if tone.pin == wires["buzzer"]])
        if tone.ms >= START_MS
    ]
    return _held_together(seen, talk.news, end_ms)


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


def _held_together(seen: list[_Due], news: list[host.News], end_ms: int) -> Lived:
    """Return the trace: what was at the pins, each as it was due, and the events that were told.

    seen  what was at the pins, in us of the chip
    """
    due = [_Due(edge.due_ms, edge.what, edge.value) for edge in news if isinstance(edge, host.Edge)]
    lines: list[tuple[int, int, dict]] = []
    lates: list[tuple[int, float]] = []
    for us, what, value in sorted(seen):
        ms, late = _as_due(us, what, value, due)
        lates.append((ms - START_MS, late))
        if what == "tone":
            lines.append((ms, 2, {"tone": value}))
        else:
            lines.append((ms, 1, {"lamp": what, "on": bool(value)}))
    for event in news:
        if isinstance(event, host.Event):
            lines.append((event.ms, 0, {"event": event.kind, **event.fields}))
    lines.sort(key=lambda line: line[:2])
    inside = [(ms - START_MS, line) for ms, _, line in lines if 0 <= ms - START_MS <= end_ms]
    return Lived([json.dumps({"ms": ms, **line}) for ms, line in inside], lates)


def _as_due(us: int, what: str, value: int, due: list[_Due]) -> tuple[int, float]:
    """Return when what is at a pin was due, and by how many ms it is late.

    What is later than `SLACK_MS`, or was never told, counts as it was seen.
    """
    best = None
    for change in due:
        if (change.what, change.value) == (what, value) and change.ms * 1000 <= us:
            best = change
    if best is None or us - best.ms * 1000 > 100_000:
        return us // 1000, 0.0
    late = us / 1000 - best.ms
    return (best.ms if late <= SLACK_MS else us // 1000), late
