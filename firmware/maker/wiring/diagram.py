"""The wiring diagram of a board, made from its description.

The part of each branch is drawn at the end of the wire from its pin, on the level `y` of its
branch; `way` is -1 to the left of the board and 1 to the right of it.
"""

from collections.abc import Callable

from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.forms import all_of
from firmware.boards import BOARDS
from firmware.headers import HEADERS
from firmware.maker.wiring import symbols
from firmware.maker.wiring.branches import (
    MODULE_OHMS,
    RAIL_COLOURS,
    SENSE_OHMS,
    Branch,
    row_of,
    sides,
)
from firmware.maker.wiring.symbols import Sheet

HALF_ROW = 42  # px that a part has above its level, and below it
LINE = 18  # px between two lines of a hint
FINE = "#4a5160"  # of less important words and lines
LIGHT = "#ff5140"
ACTIVE_UP = 80  # px from a transistor's level up to its buzzer
FED_UP = 46  # and from the level of a strip up to the wire that feeds it
MODULE_UP = 64  # of a module, with a resistor beside that wire
ROUND = 40  # px from the middle of a buzzer to the wire that comes round to its other leg
# From a part's begin to its middle, px.
WIDE = {"cells": 82, "serial": 44, "strip": 86, "buzzer module": 66}
RISES = {"active buzzer": ACTIVE_UP, "strip": FED_UP, "buzzer module": MODULE_UP}
ABOVE = {
    "sense": 66,
    "active buzzer": ACTIVE_UP + 54,
    "strip": FED_UP + 32,
    "buzzer module": MODULE_UP + 32,
}
BELOW = {"active buzzer": 92, "strip": 84, "buzzer module": 84}

Rails = Callable[[str], float]  # the x of the rail with a label


def rise(branch: Branch) -> int:
    """Return how far above its level a branch meets the rail that feeds it."""
    return RISES.get(branch.kind, 0)


def above(branch: Branch) -> int:
    return ABOVE.get(branch.kind, HALF_ROW)


def below(branch: Branch) -> int:
    return BELOW.get(branch.kind, HALF_ROW)


def way_in(branch: Branch, x: float, y: float, way: int) -> list[tuple[float, float]]:
    """Return where the wire from a branch's pin goes on its level: to its part, or round to it."""
    if branch.kind != "bridge":
        return [(x, y)]
    round_it = x + way * ROUND
    its_level = y + branch.way * 2 * HALF_ROW
    return [(round_it, y), (round_it, its_level), (x, its_level)]


def draw(sheet: Sheet, branch: Branch, x: float, y: float, way: int, rails: Rails) -> None:
    """Draw the part of a branch with its name, and its wires to the rails."""
    if branch.kind == "bridge":
        # Along its wire, on the side from which it does not turn: beyond its turn there is too
        # little room before the ground line, in French or German.
        name(sheet, branch, x - way * 54, y + (-12 if branch.way > 0 else 24), anchor(way))
        return
    if branch.kind == "bridged buzzer":
        symbols.buzzer(sheet, x, y, -way)
        beside = x + way * (ROUND + 10)
        name(sheet, branch, beside, y - 4, anchor(way))
        hint(sheet, branch, beside, y + 16, anchor(way))
        return
    if branch.end:
        to_rail(sheet, branch.end, x + way * WIDE.get(branch.kind, 0), y, rails)
    if branch.kind == "active buzzer":
        draw_active_buzzer(sheet, branch, x, y, way, rails)
        return
    if branch.supply:
        draw_fed(sheet, branch, x, y, way, rails)
        return
    if branch.kind == "sense":
        draw_sense(sheet, branch, x, y, way)
        return
    if branch.kind == "serial":
        draw_serial(sheet, branch, x, y, way)
        return
    towards_pin = -way if branch.end == "GND" else way
    if branch.kind == "button":
        symbols.button(sheet, x, y, branch.key)
    elif branch.kind == "switch":
        symbols.switch(sheet, x, y)
    elif branch.kind == "lamp":
        symbols.lamp(sheet, x, y, LIGHT, towards_pin)
    elif branch.kind == "buzzer":
        symbols.buzzer(sheet, x, y, towards_pin)
    else:
        draw_cells(sheet, branch, x, y, way)
        return
    beside = x + way * 34
    name(sheet, branch, beside, y - 12, anchor(way))
    hint(sheet, branch, beside, y + 22, anchor(way))


def draw_cells(sheet: Sheet, branch: Branch, x: float, y: float, way: int) -> None:
    sheet.wire([(x, y), (x + way * 60, y)], branch.colour)
    symbols.diode(sheet, x - way * 102, y, -way, "1N5817")
    symbols.switch(sheet, x - way * 20, y)
    sheet.text(x - way * 20, y + 31, branch.mark, 12, text_anchor="middle", fill=FINE)
    middle = x + way * WIDE["cells"]
    symbols.cells(sheet, middle, y, way)
    name(sheet, branch, middle, y - 34, "middle")
    hint(sheet, branch, middle + way * 22, y + 44, "middle")


def draw_sense(sheet: Sheet, branch: Branch, x: float, y: float, way: int) -> None:
    """Draw the two resistors that leave a third of the supply to the pin."""
    below, above = SENSE_OHMS
    high = y - 44
    sheet.wire([(x, y), (x, high), (x + way * 84, high)], branch.colour)
    sheet.circle(x, y, 6, fill=branch.colour)
    symbols.resistor(sheet, x + way * 44, y, below)
    symbols.resistor(sheet, x + way * 44, high, above)
    sheet.text(
        x + way * 92, high + 5, "VSYS", 13, text_anchor=anchor(way), font_weight="bold", fill=FINE
    )
    name(sheet, branch, x + way * 84, y - 10, anchor(way))
    hint(sheet, branch, x + way * 84, y + 22, anchor(way))


def draw_serial(sheet: Sheet, branch: Branch, x: float, y: float, way: int) -> None:
    """Draw the adapter at the other side, with its ground: as far as the wire below, if that
    leads into it too, which then draws its pin alone."""
    half = WIDE[branch.kind]
    middle = x + way * half
    last = y + (2 * HALF_ROW if branch.way > 0 else 0)
    if branch.way >= 0:
        symbols.adapter(sheet, middle, y, half, last - y)
        symbols.pad(sheet, middle + way * (half - 18), y, "GND")
        name(sheet, branch, middle + way * 28, y - 24, "middle")
        hint(sheet, branch, middle + way * 28, last + 34, "middle")
    symbols.pad(sheet, middle - way * (half - 17), y, branch.key.upper())  # no text: a pin's name


def draw_active_buzzer(
    sheet: Sheet, branch: Branch, x: float, y: float, way: int, rails: Rails
) -> None:
    """Draw the transistor at the end of the wire, its buzzer above with a diode across it."""
    high, across = y - ACTIVE_UP, y - 36
    minus, buzzer, plus = (x + way * far for far in (48, 94, 140))
    supply = RAIL_COLOURS[branch.supply]
    sheet.wire([(x, y), (x, high), (buzzer, high)], branch.colour)
    to_rail(sheet, branch.supply, buzzer, high, rails)
    sheet.wire([(minus, high), (minus, across), (buzzer, across)], branch.colour)
    sheet.wire([(plus, high), (plus, across), (buzzer, across)], supply)
    for joint, colour in ((minus, branch.colour), (plus, supply)):
        sheet.circle(joint, high, 6, fill=colour)
    symbols.diode(sheet, buzzer, across, way, "1N4148")
    symbols.buzzer(sheet, buzzer, high, way)
    symbols.transistor(sheet, x, y, way)
    symbols.transistor_legs(sheet, x, y + 40)
    name(sheet, branch, buzzer, high - 32, "middle")
    hint(sheet, branch, x + way * 54, y + 28, anchor(way))


def draw_fed(sheet: Sheet, branch: Branch, x: float, y: float, way: int, rails: Rails) -> None:
    """Draw a part with three wires: one to the pin, one to ground, one that feeds it."""
    half = WIDE[branch.kind]
    middle = x + way * half
    fed, high = x + way * (2 * half - 18), y - rise(branch)
    supply, colour = rails(branch.supply), RAIL_COLOURS[branch.supply]
    sheet.wire([(fed, y), (fed, high), (supply, high)], colour)
    sheet.circle(supply, high, 7, fill=colour)
    if branch.kind == "strip":
        symbols.strip(sheet, middle, y, half)
        symbols.diode(sheet, fed + way * 42, high, -way, "1N4001", label=-14)
        labels = ("DIN", "5V", "GND")
    else:
        held = x - way * 24
        sheet.wire([(held, y), (held, high), (x + way * 30, high)], branch.colour)
        sheet.wire([(x + way * 30, high), (fed, high)], colour)
        symbols.resistor(sheet, x + way * 30, high, MODULE_OHMS)
        for joint, shade in (((held, y), branch.colour), ((fed, high), colour)):
            sheet.circle(*joint, 6, fill=shade)
        symbols.module(sheet, middle, y, half)
        labels = ("I/O", "VCC", "GND")
    symbols.pads(sheet, middle, y, way * half, labels)
    name(sheet, branch, middle, y + 44, "middle")
    hint(sheet, branch, middle, y + 62, "middle")


def to_rail(sheet: Sheet, end: str, x: float, y: float, rails: Rails) -> None:
    sheet.wire([(x, y), (rails(end), y)], RAIL_COLOURS[end])
    sheet.circle(rails(end), y, 7, fill=RAIL_COLOURS[end])


def name(sheet: Sheet, branch: Branch, x: float, y: float, side: str) -> None:
    sheet.text(x, y, branch.name, 17, text_anchor=side, font_weight="bold")


def hint(sheet: Sheet, branch: Branch, x: float, y: float, side: str) -> None:
    for place, line in enumerate(branch.hint.splitlines()):
        sheet.text(x, y + LINE * place, line, 13, text_anchor=side, fill=FINE)


def anchor(way: int) -> str:
    """Return how a text stands that goes from its point to the right (1) or the left (-1)."""
    return "start" if way > 0 else "end"


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
RAIL_KINDS = ("ground", "supply")
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
        pins = len(self.header.left) * PITCH + 40
        self.tall = max(pins, *(room(found) for found in self.rows.values()))
        self.board_top = TOP + (self.tall - pins) / 2
        self.used = {
            (side, row_of(branch, getattr(self.header, side))): branch
            for side, found in self.rows.items()
            for branch in found
        }
        one_sided = [side for side, found in self.rows.items() if not found]
        shift = 300 if one_sided == ["right"] else -300 if one_sided == ["left"] else 0
        self.middle = WIDTH / 2 + shift

    def draw(self) -> str:
        """Return the SVG."""
        notes = self.notes()
        height = TOP + self.tall + FOOT + NOTE * len(notes)
        sheet = self.sheet
        sheet.rect(0, 0, WIDTH, height, fill="#f7f8fb")
        sheet.text(WIDTH / 2, 52, self.title, 30, text_anchor="middle", font_weight="bold")
        sheet.text(WIDTH / 2, 84, str(self.header.about), 17, text_anchor="middle", fill=FINE)
        for side, way in (("left", -1), ("right", 1)):
            self.draw_side(side, way)
        self.draw_board()
        for place, note in enumerate(notes):
            y = height + 2 - NOTE * (len(notes) - place)
            sheet.text(WIDTH / 2, y, note, 15, text_anchor="middle", fill=FINE)
        return sheet.drawn(WIDTH, height, self.title)

    def notes(self) -> list[str]:
        """Return the lines below the drawing."""
        ends = {end for found in self.rows.values() for branch in found for end in branch.ends}
        lines = all_of([str(words) for end, words in LINES.items() if end in ends])
        far = []  # supply lines without a pin on the edge where they are needed
        for side, found in self.rows.items():
            used = {end for branch in found for end in branch.ends}
            far += [end for end in RAILS if end in used and end not in getattr(self.header, side)]
        other = _("The pin of the {end} line is on the other edge of the board.")
        return [
            *([str(NOT_ALIKE)] if self.latches else []),
            *(note.format(lines=lines) for note in NOTES),
            *(other.format(end=end) for end in far),
        ]

    # The board.

    def pin(self, side: str, row: int) -> tuple[float, float]:
        way = -1 if side == "left" else 1
        return self.middle + way * (BOARD_WIDTH / 2 - 12), self.board_top + 34 + row * PITCH

    def draw_board(self) -> None:
        sheet = self.sheet
        left = self.middle - BOARD_WIDTH / 2
        tall = len(self.header.left) * PITCH + 40
        sheet.rect(left, self.board_top, BOARD_WIDTH, tall, rx=14, fill="#14683c")
        y = self.board_top - 14 if self.header.usb == "top" else self.board_top + tall - 26
        sheet.rect(self.middle - 32, y, 64, 40, rx=5, fill="#c3c8d0", stroke="#7d8592")
        bold = {"text_anchor": "middle", "font_weight": "bold"}
        sheet.text(self.middle, y + 26, "USB", 15, **bold, fill="#22262e")
        sheet.rect(self.middle - 30, self.board_top + tall / 2 - 30, 60, 60, rx=4, fill="#1d2027")
        for side in ("left", "right"):
            for row, label in enumerate(getattr(self.header, side)):
                self.draw_pin(side, row, label)

    def draw_pin(self, side: str, row: int, label: str) -> None:
        sheet = self.sheet
        way = -1 if side == "left" else 1
        x, y = self.pin(side, row)
        branch = self.used.get((side, row))
        if branch is None:
            sheet.circle(x, y, 6, fill="#c9a227", stroke="#0d4a2a", stroke_width=1.5)
            sheet.text(x - way * 14, y + 5, label, 13, text_anchor=anchor(-way), fill="#a9d3bb")
            return
        sheet.circle(x, y, 9, fill=branch.colour, stroke="#ffffff", stroke_width=2.5)
        sheet.text(
            x - way * 16,
            y + 5,
            label,
            15,
            text_anchor=anchor(-way),
            font_weight="bold",
            fill="#ffffff",
        )
        if self.header.numbered:
            number = str(self.header.number(side, row))
            sheet.text(x + way * 19, y - 5, number, 12, text_anchor=anchor(way), fill=FINE)

    # The parts on it.

    def draw_side(self, side: str, way: int) -> None:
        found = self.rows[side]
        if not found:
            return
        labels = getattr(self.header, side)
        ys = self.levels(side, found, labels)
        channels = self.channels(side, found, labels, ys)
        start = self.middle + way * (BOARD_WIDTH / 2 + 40 + CHANNEL * len(found))
        self.rail(way, found, ys, start)
        placed = list(zip(found, ys, channels, strict=True))
        # The wire that comes round to a buzzer comes first: the buzzer lies over its end.
        for branch, y, channel in sorted(placed, key=lambda place: place[0].kind != "bridge"):
            x, pin_y = self.pin(side, row_of(branch, labels))
            turn = self.middle + way * (BOARD_WIDTH / 2 + 36 + CHANNEL * channel)
            joins = branch.kind in RAIL_KINDS
            end = self.rail_x(way, start, branch.end) if joins else start + way * PART
            last = way_in(branch, end, y, way)
            self.sheet.wire([(x, pin_y), (turn, pin_y), (turn, y), *last], branch.colour)
            if joins:
                self.sheet.circle(end, y, 7, fill=branch.colour)
                words = str(RAIL_NAMES[branch.end])
                self.sheet.text(start, y - 10, words, 15, text_anchor=anchor(way), fill=FINE)
            else:
                self.draw_branch(branch, start, y, way)

    def levels(self, side: str, found: list[Branch], labels: list[str]) -> list[float]:
        """Return the y of each branch: near its pin, with room for the parts above and below."""
        ys = []
        top = TOP
        for place, branch in enumerate(found):
            wanted = self.pin(side, row_of(branch, labels))[1]
            highest = top + above(branch)
            lowest = TOP + self.tall - room(found[place:]) + above(branch)
            ys.append(max(highest, min(wanted, lowest)))
            top = ys[-1] + below(branch)
        return ys

    def channels(
        self, side: str, found: list[Branch], labels: list[str], ys: list[float]
    ) -> list[int]:
        """Return the upright stretch that each wire takes, so that no two cross.

        Of the wires that go up, the lower ones turn further out; of those that go
        down, the upper ones.
        """
        places = list(range(len(found)))
        rows = [row_of(branch, labels) for branch in found]
        up = [place for place in places if ys[place] < self.pin(side, rows[place])[1]]
        down = [place for place in places if place not in up]
        channels = [0] * len(found)
        for order in (up, down[::-1]):
            for channel, place in enumerate(order):
                channels[place] = channel
        return channels

    def rail_x(self, way: int, start: float, end: str) -> float:
        return start + way * (PART + RAILS[end])

    def rail(self, way: int, found: list[Branch], ys: list[float], start: float) -> None:
        for end, colour in RAIL_COLOURS.items():
            joined = [y for branch, y in zip(found, ys, strict=True) if branch.end == end]
            joined += [
                y - rise(branch)
                for branch, y in zip(found, ys, strict=True)
                if branch.supply == end
            ]
            if not joined:
                continue
            x = self.rail_x(way, start, end)
            above = 16 if end == "GND" else 36
            self.sheet.wire([(x, min(joined)), (x, max(joined))], colour, 7)
            self.sheet.text(
                x,
                min(joined) - above,
                end,
                15,
                text_anchor="middle",
                font_weight="bold",
                fill=colour,
            )

    def draw_branch(self, branch: Branch, start: float, y: float, way: int) -> None:
        sheet = self.sheet
        part = start + way * PART
        sheet.text(
            start - way * 14,
            y - 9,
            _("pin {number}").format(number=branch.pin) if branch.pin.isdigit() else branch.pin,
            13,
            text_anchor=anchor(way),
            font_weight="bold",
            fill=branch.colour,
        )
        if branch.ohms:
            symbols.resistor(sheet, start + way * 72, y, branch.ohms)
        draw(sheet, branch, part, y, way, lambda end: self.rail_x(way, start, end))


def room(found: list[Branch]) -> int:
    """Return how tall some branches are together, in px."""
    return sum(above(branch) + below(branch) for branch in found)
