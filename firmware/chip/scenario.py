"""A scenario on the compiled firmware in an emulated Pico, measured at its pins."""

import json
from collections.abc import Sequence
from typing import NamedTuple

from city_unit import host
from city_unit.facts import LAMPS, SWITCH
from city_unit.programs import PROGRAMS, Program
from city_unit.settings import Settings
from firmware.board.pins import describe
from firmware.chip import pico
from firmware.chip.pico import Chip, NotThere, Tone
from firmware.virtual.launch import PINS, Failed, NotBuiltIn

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

__all__ = ["Failed", "NotBuiltIn", "NotThere", "check", "trace"]


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


def check(image: str | None) -> None:
    """Raise pico.NotThere if anything is missing here for a chip."""
    pico.check()
    pico.micropython(image)


def trace(image: str | None, program: Program, seed: int, changes: Changes, end_ms: int) -> Lived:
    """Run a scenario on a Pico: the changes at its pins, each as it was due, and events.

    image    the file of its MicroPython; None for the image that the environment names
    changes  `(ms, levels)`, the contacts' new levels, in order
    """
    if program not in PROGRAMS:
        raise NotBuiltIn
    settings = Settings()
    settings.choose(program)
    blocks = pico.micropython(image)
    files = pico.firmware(PINS, settings)
    files["main.py"] = _DICE.format(seed=seed % (1 << 32)).encode() + files["main.py"]
    with Chip(pico.memory(blocks, files)) as board:
        wires = describe("rp2040", PINS)
        desktop = pico.Desktop(board)
        board.power()
        board.run(pico.LISTENS_MS)
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
