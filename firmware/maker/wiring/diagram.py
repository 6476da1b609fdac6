"""The wiring diagram of a board, made from its description.

The part of each branch is drawn at the end of the wire from its pin, on the level `y` of its
branch; `way` is -1 to the left of the board and 1 to the right of it.
"""

from collections.abc import Callable
from typing import NamedTuple

from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.forms import all_of
from firmware.boards import BOARDS
from firmware.headers import HEADERS
from firmware.maker.wiring import symbols
from firmware.maker.wiring.branches import MODULE_OHMS, RAIL_COLOURS, SENSE_OHMS, Branch, sides
from firmware.maker.wiring.symbols import FINE, Sheet

HALF_ROW = 42  # px that a part has above its level, and below it
LINE = 18  # px between two lines of a hint
LIGHT = "#ff5140"
ROUND = 40  # px from the middle of a buzzer to the wire that comes round to its other leg


class Size(NamedTuple):
    """The room of a part, in px.

    above, below  its level
    half          from its begin to its middle
    rise          from its level up to the wire that feeds it
    """

    above: int = HALF_ROW
    below: int = HALF_ROW
    half: int = 0
    rise: int = 0


SIZES = {
    "sense": Size(above=66),
    "active buzzer": Size(134, 92, rise=80),
    "strip": Size(78, 84, 86, 46),
    "buzzer module": Size(96, 84, 66, 64),  # with a resistor beside that wire
    "cells": Size(half=82),
    "serial": Size(half=44),
}
Rails = Callable[[str], float]  # the x of the rail with a label


def size(branch: Branch) -> Size:
    return SIZES.get(branch.kind, Size())


def room(found: list[Branch]) -> int:
    """Return how tall some branches are together, in px."""
    return sum(size(branch).above + size(branch).below for branch in found)


def draw(sheet: Sheet, branch: Branch, x: float, y: float, way: int, rails: Rails) -> None:
    """Draw the part of a branch with its name, and its wires to the rails."""
    kind = branch.kind
    if kind == "bridge":
        # Along its wire, on the side from which it does not turn: beyond its turn there is too
        # little room before the ground line, in French or German.
        name(sheet, branch, x - way * 54, y + (-12 if branch.way > 0 else 24), way)
        return
    if kind == "bridged buzzer":
        symbols.buzzer(sheet, x, y, -way)
        name(sheet, branch, x + way * (ROUND + 10), y - 4, way)
        hint(sheet, branch, x + way * (ROUND + 10), y + 16, way)
        return
    if branch.end:
        to_rail(sheet, branch.end, x + way * size(branch).half, y, rails)
    if kind in SPECIAL:
        SPECIAL[kind](sheet, branch, x, y, way, rails)
        return
    towards_pin = -way if branch.end == "GND" else way
    if kind == "button":
        symbols.button(sheet, x, y, branch.key)
    elif kind == "switch":
        symbols.switch(sheet, x, y)
    elif kind == "lamp":
        symbols.lamp(sheet, x, y, LIGHT, towards_pin)
    else:
        symbols.buzzer(sheet, x, y, towards_pin)
    name(sheet, branch, x + way * 34, y - 12, way)
    hint(sheet, branch, x + way * 34, y + 22, way)


def draw_cells(sheet: Sheet, branch: Branch, x: float, y: float, way: int, _rails: Rails) -> None:
    sheet.wire([(x, y), (x + way * 60, y)], branch.colour)
    symbols.diode(sheet, x - way * 102, y, -way, "1N5817")
    symbols.switch(sheet, x - way * 20, y)
    sheet.text(x - way * 20, y + 31, branch.mark, 12, 0, fill=FINE)
    middle = x + way * size(branch).half
    symbols.cells(sheet, middle, y, way)
    name(sheet, branch, middle, y - 34, 0)
    hint(sheet, branch, middle + way * 22, y + 44, 0)


def draw_sense(sheet: Sheet, branch: Branch, x: float, y: float, way: int, _rails: Rails) -> None:
    """Draw the two resistors that leave a third of the supply to the pin."""
    high = y - 44
    sheet.wire([(x, y), (x, high), (x + way * 84, high)], branch.colour)
    sheet.circle(x, y, 6, fill=branch.colour)
    for level, ohms in zip((y, high), SENSE_OHMS, strict=True):
        symbols.resistor(sheet, x + way * 44, level, ohms)
    sheet.text(x + way * 92, high + 5, "VSYS", 13, way, bold=True, fill=FINE)
    name(sheet, branch, x + way * 84, y - 10, way)
    hint(sheet, branch, x + way * 84, y + 22, way)


def draw_serial(sheet: Sheet, branch: Branch, x: float, y: float, way: int, _rails: Rails) -> None:
    """Draw the adapter at the other side, with its ground: as far as the wire below, if that
    leads into it too, which then draws its pin alone."""
    half = size(branch).half
    middle = x + way * half
    last = y + (2 * HALF_ROW if branch.way > 0 else 0)
    if branch.way >= 0:
        symbols.plate(sheet, middle, y, half, 18, "#7a3b2e", last - y)
        symbols.pad(sheet, middle + way * (half - 18), y + 4, "GND")
        name(sheet, branch, middle + way * 28, y - 24, 0)
        hint(sheet, branch, middle + way * 28, last + 34, 0)
    pin = branch.key.upper()  # no text: a pin's name
    symbols.pad(sheet, middle - way * (half - 17), y + 4, pin)


def draw_active_buzzer(
    sheet: Sheet, branch: Branch, x: float, y: float, way: int, rails: Rails
) -> None:
    """Draw the transistor at the end of the wire, its buzzer above with a diode across it."""
    high, across = y - size(branch).rise, y - 36
    minus, buzzer, plus = (x + way * far for far in (48, 94, 140))
    supply = RAIL_COLOURS[branch.supply]
    sheet.wire([(x, y), (x, high), (buzzer, high)], branch.colour)
    to_rail(sheet, branch.supply, buzzer, high, rails)
    sheet.wire([(minus, high), (minus, across), (buzzer, across)], branch.colour)
    sheet.wire([(plus, high), (plus, across), (buzzer, across)], supply)
    sheet.circle(minus, high, 6, fill=branch.colour)
    sheet.circle(plus, high, 6, fill=supply)
    symbols.diode(sheet, buzzer, across, way, "1N4148")
    symbols.buzzer(sheet, buzzer, high, way)
    symbols.transistor(sheet, x, y, way)
    name(sheet, branch, buzzer, high - 32, 0)
    hint(sheet, branch, x + way * 54, y + 28, way)


def draw_fed(sheet: Sheet, branch: Branch, x: float, y: float, way: int, rails: Rails) -> None:
    """Draw a part with three wires: one to the pin, one to ground, one that feeds it."""
    half = size(branch).half
    middle = x + way * half
    fed, high = x + way * (2 * half - 18), y - size(branch).rise
    supply, colour = rails(branch.supply), RAIL_COLOURS[branch.supply]
    sheet.wire([(fed, y), (fed, high), (supply, high)], colour)
    sheet.circle(supply, high, 7, fill=colour)
    if branch.kind == "strip":
        symbols.strip(sheet, middle, y, half)
        symbols.diode(sheet, fed + way * 42, high, -way, "1N4001", label=-14)
        near, feeds = "DIN", "5V"
    else:
        held = x - way * 24
        sheet.wire([(held, y), (held, high), (x + way * 30, high)], branch.colour)
        sheet.wire([(x + way * 30, high), (fed, high)], colour)
        symbols.resistor(sheet, x + way * 30, high, MODULE_OHMS)
        sheet.circle(held, y, 6, fill=branch.colour)
        sheet.circle(fed, high, 6, fill=colour)
        symbols.module(sheet, middle, y, half)
        near, feeds = "I/O", "VCC"
    symbols.pad(sheet, middle - way * (half - 17), y + 4, near)
    symbols.pad(sheet, middle + way * (half - 18), y - 11, feeds)
    symbols.pad(sheet, middle + way * (half - 18), y + 4, "GND")
    name(sheet, branch, middle, y + 44, 0)
    hint(sheet, branch, middle, y + 62, 0)


SPECIAL = {
    "cells": draw_cells,
    "sense": draw_sense,
    "serial": draw_serial,
    "active buzzer": draw_active_buzzer,
    "strip": draw_fed,
    "buzzer module": draw_fed,
}


def to_rail(sheet: Sheet, end: str, x: float, y: float, rails: Rails) -> None:
    sheet.wire([(x, y), (rails(end), y)], RAIL_COLOURS[end])
    sheet.circle(rails(end), y, 7, fill=RAIL_COLOURS[end])


def name(sheet: Sheet, branch: Branch, x: float, y: float, way: int) -> None:
    sheet.text(x, y, branch.name, 17, way, bold=True)


def hint(sheet: Sheet, branch: Branch, x: float, y: float, way: int) -> None:
    for place, line in enumerate(branch.hint.splitlines()):
        sheet.text(x, y + LINE * place, line, 13, way, fill=FINE)


NOTES = (
    lazy("Every wire goes from a pin of the board, through its part, to a thick line: {lines}."),
    lazy(
        "Dots are joints. A number beside a pin counts along the edge as the maker does; "
        "otherwise the pin is found by what is printed beside it."
    ),
)
NOT_ALIKE = lazy("A Pico 2 needs 8.2 kΩ from each button's pin to GND, and pull = outside.")
LINES = {
    "GND": lazy("black is ground (GND)"),
    "3V3": lazy("red is 3.3 V (3V3)"),
    "VBUS": lazy("orange is 5 V of USB (VBUS)"),
    "5V": lazy("orange is 5 V of USB (5V)"),
}
RAIL_NAMES = {
    "GND": lazy("ground"),
    "3V3": lazy("3.3 V"),
    "VBUS": lazy("5 V of USB"),
    "5V": lazy("5 V of USB"),
}
PITCH = 27  # px between two pins of the board
BOARD_WIDTH = 230
CHANNEL = 15  # px between two upright stretches of wire
TOP = 150  # px above the board
FOOT = 48  # px below the drawing, and for each note
NOTE = 24
WIDTH = 1500
PART = 160  # px from the channels to the parts
RAILS = {"GND": 240, "3V3": 270, "VBUS": 300, "5V": 300}  # px from the parts to each rail


class Diagram:
    """One board in the middle, with the parts on its two edges to the left and right."""

    def __init__(self, board: str, title: str, description: dict) -> None:
        self.header = HEADERS[board]
        self.title = title
        self.rows = sides(board, description)
        self.sheet = Sheet()
        inside = description["closed"] == "high" and description["pull"] == "inside"
        self.latches = inside and BOARDS[board].chip == "rp2040"
        self.board_height = len(self.header.left) * PITCH + 40
        self.tall = max(self.board_height, *map(room, self.rows.values()))
        self.board_top = TOP + (self.tall - self.board_height) / 2
        one_sided = [side for side, found in self.rows.items() if not found]
        shift = 300 if one_sided == ["right"] else -300 if one_sided == ["left"] else 0
        self.middle = WIDTH / 2 + shift

    def draw(self) -> str:
        """Return the SVG."""
        notes = self.notes()
        height = TOP + self.tall + FOOT + NOTE * len(notes)
        sheet = self.sheet
        sheet.rect(0, 0, WIDTH, height, fill="#f7f8fb")
        sheet.text(WIDTH / 2, 52, self.title, 30, 0, bold=True)
        sheet.text(WIDTH / 2, 84, str(self.header.about), 17, 0, fill=FINE)
        for side, way in (("left", -1), ("right", 1)):
            self.draw_side(side, way)
        self.draw_board()
        for place, note in enumerate(notes):
            y = height + 2 - NOTE * (len(notes) - place)
            sheet.text(WIDTH / 2, y, note, 15, 0, fill=FINE)
        return sheet.drawn(WIDTH, height, self.title)

    def notes(self) -> list[str]:
        """Return the lines below the drawing."""
        ends = {side: {end for b in found for end in b.ends} for side, found in self.rows.items()}
        every = set().union(*ends.values())
        lines = [str(words) for end, words in LINES.items() if end in every]
        other = _("The pin of the {end} line is on the other edge of the board.")
        return [
            *([str(NOT_ALIKE)] if self.latches else []),
            *(note.format(lines=all_of(lines)) for note in NOTES),
            *(
                other.format(end=end)
                for side in self.rows
                for end in RAILS
                if end in ends[side] and end not in getattr(self.header, side)
            ),
        ]

    def pin(self, side: str, row: int) -> tuple[float, float]:
        way = -1 if side == "left" else 1
        return self.middle + way * (BOARD_WIDTH / 2 - 12), self.board_top + 34 + row * PITCH

    def draw_board(self) -> None:
        sheet, header = self.sheet, self.header
        left, top, tall = self.middle - BOARD_WIDTH / 2, self.board_top, self.board_height
        sheet.rect(left, top, BOARD_WIDTH, tall, rx=14, fill="#14683c")
        y = top - 14 if header.usb == "top" else top + tall - 26
        sheet.rect(self.middle - 32, y, 64, 40, rx=5, fill="#c3c8d0", stroke="#7d8592")
        sheet.text(self.middle, y + 26, "USB", 15, 0, bold=True, fill="#22262e")
        sheet.rect(self.middle - 30, top + tall / 2 - 30, 60, 60, rx=4, fill="#1d2027")
        for side, way in (("left", -1), ("right", 1)):
            used = {branch.row: branch for branch in self.rows[side]}
            for row, label in enumerate(getattr(header, side)):
                x, y = self.pin(side, row)
                if row not in used:
                    sheet.circle(x, y, 6, fill="#c9a227", stroke="#0d4a2a", stroke_width=1.5)
                    sheet.text(x - way * 14, y + 5, label, 13, -way, fill="#a9d3bb")
                    continue
                sheet.circle(x, y, 9, fill=used[row].colour, stroke="#ffffff", stroke_width=2.5)
                sheet.text(x - way * 16, y + 5, label, 15, -way, bold=True, fill="#ffffff")
                if header.numbered:
                    number = str(header.number(side, row))
                    sheet.text(x + way * 19, y - 5, number, 12, way, fill=FINE)

    def draw_side(self, side: str, way: int) -> None:
        found, sheet = self.rows[side], self.sheet
        if not found:
            return
        ys = self.levels(side)
        start = self.middle + way * (BOARD_WIDTH / 2 + 40 + CHANNEL * len(found))

        def rails(end: str) -> float:
            return start + way * (PART + RAILS[end])

        for end, colour in RAIL_COLOURS.items():
            pairs = list(zip(found, ys, strict=True))
            joined = [y for branch, y in pairs if branch.end == end]
            joined += [y - size(branch).rise for branch, y in pairs if branch.supply == end]
            if joined:
                x, top = rails(end), min(joined)
                sheet.wire([(x, top), (x, max(joined))], colour, 7)
                above = 16 if end == "GND" else 36
                sheet.text(x, top - above, end, 15, 0, bold=True, fill=colour)
        placed = zip(found, ys, self.channels(side), strict=True)
        # The wire that comes round to a buzzer comes first: the buzzer lies over its end.
        for branch, y, channel in sorted(placed, key=lambda place: place[0].kind != "bridge"):
            x, pin_y = self.pin(side, branch.row)
            turn = self.middle + way * (BOARD_WIDTH / 2 + 36 + CHANNEL * channel)
            joins = branch.kind == "rail"
            part = rails(branch.end) if joins else start + way * PART
            last = [(part, y)]
            if branch.kind == "bridge":  # round to the other leg, on the buzzer's level
                beside, level = part + way * ROUND, y + branch.way * 2 * HALF_ROW
                last = [(beside, y), (beside, level), (part, level)]
            sheet.wire([(x, pin_y), (turn, pin_y), (turn, y), *last], branch.colour)
            if joins:
                sheet.circle(part, y, 7, fill=branch.colour)
                sheet.text(start, y - 10, str(RAIL_NAMES[branch.end]), 15, way, fill=FINE)
                continue
            pin = (
                _("pin {number}").format(number=branch.pin) if branch.pin.isdigit() else branch.pin
            )
            sheet.text(start - way * 14, y - 9, pin, 13, way, bold=True, fill=branch.colour)
            if branch.ohms:
                symbols.resistor(sheet, start + way * 72, y, branch.ohms)
            draw(sheet, branch, part, y, way, rails)

    def levels(self, side: str) -> list[float]:
        """Return the y of each branch: near its pin, with room for the parts above and below."""
        found = self.rows[side]
        ys = []
        top = TOP
        for place, branch in enumerate(found):
            highest = top + size(branch).above
            lowest = TOP + self.tall - room(found[place:]) + size(branch).above
            ys.append(max(highest, min(self.pin(side, branch.row)[1], lowest)))
            top = ys[-1] + size(branch).below
        return ys

    def channels(self, side: str) -> list[int]:
        """Return the upright stretch that each wire takes, so that no two cross.

        Of the wires that go up, the lower ones turn further out; of those that go
        down, the upper ones.
        """
        levels = zip(self.rows[side], self.levels(side), strict=True)
        rises = [y < self.pin(side, branch.row)[1] for branch, y in levels]
        return [
            sum(rises[:place]) if up else rises[place + 1 :].count(False)
            for place, up in enumerate(rises)
        ]
