"""Draw the wiring diagram of a board from its circuit, as SVG.

Each part is drawn at the end of the wire from its pin, at the height `y` of its branch. `way` is -1
to the left of the board and 1 to the right.
"""

from collections.abc import Sequence

from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.forms import all_of
from city_unit.desktop.svg import document, element, number
from firmware.boards import BOARDS
from firmware.headers import HEADERS
from firmware.maker.wiring.circuit import HALF_ROW, MODULE_OHMS, RAILS, SENSE_OHMS, Branch, sides

Point = tuple[float, float]

ANCHORS: dict[int | None, str] = {-1: "end", 0: "middle", 1: "start"}
FONT = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif"  # no text: names of fonts


class Sheet:
    """A drawing; coordinates and sizes are in pixels."""

    def __init__(self) -> None:
        self._shapes: list[str] = []

    def add(self, tag: str, **attributes: object) -> None:
        self._shapes.append(element(tag, **attributes))

    def rect(self, x: float, y: float, width: float, height: float, **attributes: object) -> None:
        self.add("rect", x=x, y=y, width=width, height=height, **attributes)

    def circle(self, x: float, y: float, r: float, **attributes: object) -> None:
        self.add("circle", cx=x, cy=y, r=r, **attributes)

    def wire(self, points: Sequence[Point], colour: str, width: float = 4) -> None:
        """Draw a wire with round corners and a white rim, which keeps crossings legible."""
        path = rounded(points, 10)
        shape = {"fill": "none", "stroke_linecap": "round", "d": path}
        self.add("path", stroke="#ffffff", stroke_width=width + 4, **shape)
        self.add("path", stroke=colour, stroke_width=width, **shape)

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size: float,
        way: int | None = None,
        bold: bool = False,
        **attributes: object,
    ) -> None:
        """Write text to the right of a point (`way` 1), to its left (-1), or centred on it (0)."""
        look = {"text_anchor": ANCHORS.get(way), "font_weight": "bold" if bold else None}
        self._shapes.append(element("text", words, x=x, y=y, font_size=size, **look, **attributes))

    def drawn(self, width: float, height: float, title: str) -> str:
        """Return the SVG."""
        shapes = [element("title", title), *self._shapes]
        return document(width, height, shapes, font_family=FONT)


def rounded(points: Sequence[Point], radius: float) -> str:
    """Return a path of horizontal and vertical segments with rounded corners."""

    def towards(start: Point, goal: Point) -> str:
        (x, y), (goal_x, goal_y) = start, goal
        length = abs(goal_x - x) + abs(goal_y - y)
        step = min(radius, length / 2) / length if length else 0
        return f"{number(x + (goal_x - x) * step)} {number(y + (goal_y - y) * step)}"

    path = f"M{number(points[0][0])} {number(points[0][1])}"
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        path += f" L{towards(corner, before)} Q{number(corner[0])} {number(corner[1])}"
        path += f" {towards(corner, after)}"
    return path + f" L{number(points[-1][0])} {number(points[-1][1])}"


INK = "#22262e"
FINE = "#4a5160"  # for less important text and lines
BANDS = {"0": "#1b1b1b", "1": "#7a4a21", "2": "#c23a2b", "3": "#e8862e", "4": "#e6c619"}
CAPS = {"auction-button": "#d8392b", "build-button": "#f0b429"}
RIM = {"stroke": INK, "stroke_width": 1.5}


def resistor(sheet: Sheet, x: float, y: float, ohms: int) -> None:
    """Draw a resistor centred at x, y, with its colour code and value."""
    sheet.rect(x - 26, y - 9, 52, 18, rx=8, fill="#ead9b5", stroke="#b59c66", stroke_width=1.5)
    digits = str(ohms)
    rings = (BANDS[digits[0]], BANDS[digits[1]], BANDS[str(len(digits) - 2)], "#c9a227")
    for place, ring in zip((-17, -7, 3, 16), rings, strict=True):
        sheet.rect(x + place, y - 9, 4.5, 18, fill=ring)
    value = f"{ohms // 1000} kΩ" if ohms > 9999 else f"{ohms} Ω"  # no text: a number and its unit
    sheet.text(x, y + 25, value, 12, 0, fill=FINE)


def label(sheet: Sheet, branch: Branch, at: Point, hint: Point, way: int, hint_way: int) -> None:
    """Write the name and the hint of a part; `way` and `hint_way` are anchors as in `text`."""
    sheet.text(*at, branch.name, 17, way, bold=True)
    x, y = hint
    for place, line in enumerate(branch.hint.splitlines()):
        sheet.text(x, y + LINE * place, line, 13, hint_way, fill=FINE)


def buzzer(sheet: Sheet, x: float, y: float, plus: int) -> None:
    sheet.circle(x, y, 25, fill="#1d2027", **RIM)
    sheet.circle(x, y, 5, fill="#6d7480")
    sheet.text(x + plus * 15, y + 6, "+", 17, 0, bold=True, fill="#ffffff")


def switch(sheet: Sheet, x: float, y: float) -> None:
    sheet.rect(x - 27, y - 15, 54, 30, rx=4, fill="#d4d8df", **RIM)
    sheet.rect(x - 17, y - 7, 34, 14, rx=3, fill="#6d7480")
    sheet.rect(x, y - 9, 17, 18, rx=3, fill="#22262e")


def diode(sheet: Sheet, x: float, y: float, ring: int, kind: str, label: int = 25) -> None:
    """Draw a diode with its ring on the left (`ring` -1) or the right (1).

    label  the distance of its name below its centre
    """
    sheet.rect(x - 22, y - 9, 44, 18, rx=3, fill=INK)
    sheet.rect(x + ring * 15 - 3, y - 9, 6, 18, fill="#e8eaee")
    sheet.text(x, y + label, kind, 12, 0, fill=FINE)


def plate(sheet: Sheet, x: float, y: float, half: float, up: float, fill: str, deep=0.0) -> None:
    """Draw a module's board: twice `half` wide, from `up` above y to `deep` + `up` below."""
    sheet.rect(x - half, y - up, 2 * half, 2 * up + deep, rx=4, fill=fill, **RIM)


def pad(sheet: Sheet, x: float, y: float, label: str) -> None:
    sheet.rect(x - 14, y - 10, 28, 13, rx=3, fill="#ffffff")
    sheet.text(x, y, label, 11, 0, bold=True, fill=INK)


LINE = 18  # px between two lines of a hint
LIGHT = "#ff5140"
ROUND = 40  # px from the centre of a bridged buzzer to the wire around it


def draw(sheet: Sheet, branch: Branch, x: float, y: float, way: int) -> None:
    """Draw the part of a branch, its label, and its wires to the rails."""
    kind = branch.kind
    if branch.end and kind != "bridge":
        to_rail(sheet, branch.end, x + way * branch.size.half, y, rail_x(branch.end, x, way))
    if kind in SPECIAL:
        SPECIAL[kind](sheet, branch, x, y, way)
        return
    towards_pin = -way if branch.end == "GND" else way
    if kind == "button":
        sheet.rect(x - 26, y - 22, 52, 44, rx=7, fill="#3a3f4a", **RIM)
        for corner_x, corner_y in ((-19, -15), (19, -15), (-19, 15), (19, 15)):
            sheet.circle(x + corner_x, y + corner_y, 3, fill="#171a20")
        sheet.circle(x, y, 15, fill=CAPS[branch.key], stroke="#ffffff", stroke_width=1.5)
    elif kind == "switch":
        switch(sheet, x, y)
    elif kind == "lamp":  # an LED, with its long leg at the +
        sheet.circle(x, y, 21, fill=LIGHT, opacity=0.18)
        sheet.circle(x, y, 14, fill=LIGHT, **RIM)
        sheet.circle(x - 4, y - 5, 4, fill="#ffffff", opacity=0.7)
        flat = x - towards_pin * 14
        sheet.add("line", x1=flat, y1=y - 11, x2=flat, y2=y + 11, stroke=INK, stroke_width=3)
        sheet.text(x + towards_pin * 26, y - 8, "+", 17, 0, bold=True, fill=INK)
    else:
        buzzer(sheet, x, y, towards_pin)
    label(sheet, branch, (x + way * 34, y - 12), (x + way * 34, y + 22), way, way)


def draw_bridge(sheet: Sheet, branch: Branch, x: float, y: float, way: int) -> None:
    """Label the wire to a buzzer's other leg, before its turn.

    Between the turn and the ground rail the French and German labels do not fit.
    """
    at = x - way * 54, y + (-12 if branch.way > 0 else 24)
    label(sheet, branch, at, at, way, way)


def draw_bridged(sheet: Sheet, branch: Branch, x: float, y: float, way: int) -> None:
    buzzer(sheet, x, y, -way)
    beside = x + way * (ROUND + 10)
    label(sheet, branch, (beside, y - 4), (beside, y + 16), way, way)


def draw_cells(sheet: Sheet, branch: Branch, x: float, y: float, way: int) -> None:
    """Draw the diode, the switch and the cells, with plus towards the board."""
    sheet.wire([(x, y), (x + way * 60, y)], branch.colour)
    diode(sheet, x - way * 102, y, -way, "1N5817")
    switch(sheet, x - way * 20, y)
    sheet.text(x - way * 20, y + 31, branch.mark, 12, 0, fill=FINE)
    x += way * branch.size.half
    sheet.rect(x - 44, y - 25, 88, 50, rx=6, fill="#2b2f38", **RIM)
    for middle in (y - 11, y + 11):
        sheet.rect(x - 38 - (4 if way > 0 else 0), middle - 3, 80, 6, fill="#c3c8d0")
        sheet.rect(x - 38, middle - 9, 76, 18, rx=3, fill="#2f6f8f")
        sheet.rect(x - 38 if way > 0 else x + 18, middle - 9, 20, 18, rx=3, fill="#d9b44a")
        sheet.text(x + way * 8, middle + 5, "AAA", 12, 0, bold=True, fill="#ffffff")
        sheet.text(x - way * 28, middle + 5, "+", 15, 0, bold=True, fill=INK)
    label(sheet, branch, (x, y - 34), (x + way * 22, y + 44), 0, 0)


def draw_sense(sheet: Sheet, branch: Branch, x: float, y: float, way: int) -> None:
    """Draw the voltage divider that gives the pin a third of the supply."""
    upper = y - 44
    sheet.wire([(x, y), (x, upper), (x + way * 84, upper)], branch.colour)
    sheet.circle(x, y, 6, fill=branch.colour)
    for level, ohms in zip((y, upper), SENSE_OHMS, strict=True):
        resistor(sheet, x + way * 44, level, ohms)
    sheet.text(x + way * 92, upper + 5, "VSYS", 13, way, bold=True, fill=FINE)
    label(sheet, branch, (x + way * 84, y - 10), (x + way * 84, y + 22), way, way)


def draw_serial(sheet: Sheet, branch: Branch, x: float, y: float, way: int) -> None:
    """Draw the serial adapter with its ground pin.

    If the wire below leads into the same box, the box extends to it, and that wire only adds its
    pin.
    """
    half = branch.size.half
    middle = x + way * half
    if branch.way >= 0:
        last = y + (2 * HALF_ROW if branch.way else 0)
        plate(sheet, middle, y, half, 18, "#7a3b2e", last - y)
        pad(sheet, middle + way * (half - 18), y + 4, "GND")
        label(sheet, branch, (middle + way * 28, y - 24), (middle + way * 28, last + 34), 0, 0)
    pad(sheet, middle - way * (half - 17), y + 4, branch.key.upper())  # no text: a pin's name


def draw_active_buzzer(sheet: Sheet, branch: Branch, x: float, y: float, way: int) -> None:
    """Draw the transistor at the end of the wire, and above it the buzzer with a diode across it.

    The transistor shows its legs: B towards the pin, C above, E outside. A sketch below identifies
    the legs, seen from the flat side.
    """
    upper, across = y - branch.size.rise, y - 36
    minus, middle, plus = (x + way * far for far in (48, 94, 140))
    supply = RAILS[branch.supply].colour
    sheet.wire([(x, y), (x, upper), (middle, upper)], branch.colour)
    to_rail(sheet, branch.supply, middle, upper, rail_x(branch.supply, x, way))
    sheet.wire([(minus, upper), (minus, across), (middle, across)], branch.colour)
    sheet.wire([(plus, upper), (plus, across), (middle, across)], supply)
    sheet.circle(minus, upper, 6, fill=branch.colour)
    sheet.circle(plus, upper, 6, fill=supply)
    diode(sheet, middle, across, way, "1N4148")
    buzzer(sheet, middle, upper, way)
    sheet.circle(x, y, 24, fill="#3a3f4a", **RIM)
    for right, down, letter in ((-way * 14, 5, "B"), (0, -9, "C"), (way * 14, 5, "E")):
        sheet.text(x + right, y + down, letter, 15, 0, bold=True, fill="#ffffff")
    flat = y + 40
    sheet.rect(x - 28, flat - 8, 56, 22, rx=3, fill="#3a3f4a", **RIM)
    sheet.text(x, flat + 8, "BC547", 12, 0, bold=True, fill="#ffffff")
    for leg, letter in ((-16, "C"), (0, "B"), (16, "E")):
        line = {"x1": x + leg, "y1": flat + 14, "x2": x + leg, "y2": flat + 24}
        sheet.add("line", **line, stroke="#9aa1ac", stroke_width=3)
        sheet.text(x + leg, flat + 36, letter, 13, 0, bold=True, fill=INK)
    sheet.text(x, flat + 50, _("its flat side"), 12, 0, fill=FINE)
    label(sheet, branch, (middle, upper - 32), (x + way * 54, y + 28), 0, way)


def draw_fed(sheet: Sheet, branch: Branch, x: float, y: float, way: int) -> None:
    """Draw a strip or a buzzer module, which have wires to the pin, to ground and to a supply."""
    half = branch.size.half
    middle = x + way * half
    fed, upper = x + way * (2 * half - 18), y - branch.size.rise
    supply, colour = rail_x(branch.supply, x, way), RAILS[branch.supply].colour
    sheet.wire([(fed, y), (fed, upper), (supply, upper)], colour)
    sheet.circle(supply, upper, 7, fill=colour)
    if branch.kind == "strip":
        plate(sheet, middle, y, half, 24, "#f4f5f7")
        for lamp_x in range(-40, 41, 20):
            sheet.rect(middle + lamp_x - 7, y - 7, 14, 14, rx=2, fill="#ffffff", stroke="#9aa1ac")
            sheet.circle(middle + lamp_x, y, 5, fill="#d8392b")
        diode(sheet, fed + way * 42, upper, -way, "1N4001", label=-14)
        near, feeds = "DIN", "5V"
    else:
        held = x - way * 24
        sheet.wire([(held, y), (held, upper), (x + way * 30, upper)], branch.colour)
        sheet.wire([(x + way * 30, upper), (fed, upper)], colour)
        resistor(sheet, x + way * 30, upper, MODULE_OHMS)
        sheet.circle(held, y, 6, fill=branch.colour)
        sheet.circle(fed, upper, 6, fill=colour)
        plate(sheet, middle, y, half, 24, "#2c4f7c")
        sheet.circle(middle, y, 17, fill="#1d2027")
        sheet.circle(middle, y, 4, fill="#6d7480")
        near, feeds = "I/O", "VCC"
    pad(sheet, middle - way * (half - 17), y + 4, near)
    pad(sheet, middle + way * (half - 18), y - 11, feeds)
    pad(sheet, middle + way * (half - 18), y + 4, "GND")
    label(sheet, branch, (middle, y + 44), (middle, y + 62), 0, 0)


SPECIAL = {
    "bridge": draw_bridge,
    "bridged buzzer": draw_bridged,
    "cells": draw_cells,
    "sense": draw_sense,
    "serial": draw_serial,
    "active buzzer": draw_active_buzzer,
    "strip": draw_fed,
    "buzzer module": draw_fed,
}


def rail_x(end: str, x: float, way: int) -> float:
    """Return the x of a rail beside parts at `x`."""
    return x + way * RAILS[end].away


def to_rail(sheet: Sheet, end: str, x: float, y: float, rail: float) -> None:
    sheet.wire([(x, y), (rail, y)], RAILS[end].colour)
    sheet.circle(rail, y, 7, fill=RAILS[end].colour)


NOTES = (
    lazy("Every wire goes from a pin of the board, through its part, to a thick line: {lines}."),
    lazy(
        "Dots are joints. A number beside a pin counts along the edge as the maker does; "
        "otherwise the pin is found by what is printed beside it."
    ),
)
NOT_ALIKE = lazy("A Pico 2 needs 8.2 kΩ from each button's pin to GND, and pull = outside.")
PITCH = 27  # px between two pins of the board
BOARD_WIDTH = 230
CHANNEL = 15  # px between two vertical segments of wire
TOP = 150  # px above the board
FOOT = 48  # px below the drawing, and for each note
NOTE = 24
WIDTH = 1500
PART = 160  # px from the channels to the parts


class Diagram:
    """A board in the middle, with the parts of its two edges to the left and right."""

    def __init__(self, board: str, title: str, description: dict) -> None:
        self.header = HEADERS[board]
        self.title = title
        self.rows = sides(board, description)
        self.sheet = Sheet()
        inside = description["closed"] == "high" and description["pull"] == "inside"
        self.latches = inside and BOARDS[board].chip == "rp2040"
        self.board_height = len(self.header.left) * PITCH + 40
        heights = [sum(b.size.above + b.size.below for b in found) for found in self.rows.values()]
        self.height = max(self.board_height, *heights)
        self.board_top = TOP + (self.height - self.board_height) / 2
        one_sided = [side for side, found in self.rows.items() if not found]
        shift = 300 if one_sided == ["right"] else -300 if one_sided == ["left"] else 0
        self.middle = WIDTH / 2 + shift
        for side in self.rows:
            self.lay_out(side)

    def draw(self) -> str:
        """Return the SVG."""
        ends = {side: {end for b in found for end in b.ends} for side, found in self.rows.items()}
        every = set().union(*ends.values())
        lines = [str(rail.line) for end, rail in RAILS.items() if end in every]
        notes = [str(NOT_ALIKE)] if self.latches else []
        notes += [note.format(lines=all_of(lines)) for note in NOTES]
        other = _("The pin of the {end} line is on the other edge of the board.")
        for side, there in ends.items():
            away = [end for end in RAILS if end in there and end not in getattr(self.header, side)]
            notes += [other.format(end=end) for end in away]
        height = TOP + self.height + FOOT + NOTE * len(notes)
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

    def pin(self, side: str, row: int) -> tuple[float, float]:
        way = -1 if side == "left" else 1
        return self.middle + way * (BOARD_WIDTH / 2 - 12), self.board_top + 34 + row * PITCH

    def draw_board(self) -> None:
        sheet, header = self.sheet, self.header
        left, top, height = self.middle - BOARD_WIDTH / 2, self.board_top, self.board_height
        sheet.rect(left, top, BOARD_WIDTH, height, rx=14, fill="#14683c")
        y = top - 14 if header.usb == "top" else top + height - 26
        sheet.rect(self.middle - 32, y, 64, 40, rx=5, fill="#c3c8d0", stroke="#7d8592")
        sheet.text(self.middle, y + 26, "USB", 15, 0, bold=True, fill="#22262e")
        sheet.rect(self.middle - 30, top + height / 2 - 30, 60, 60, rx=4, fill="#1d2027")
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
        start = self.middle + way * (BOARD_WIDTH / 2 + 40 + CHANNEL * len(found))
        parts_x = start + way * PART
        for end, rail in RAILS.items():
            joined = [branch.y for branch in found if branch.end == end]
            joined += [branch.y - branch.size.rise for branch in found if branch.supply == end]
            if joined:
                x, top = rail_x(end, parts_x, way), min(joined)
                sheet.wire([(x, top), (x, max(joined))], rail.colour, 7)
                above = 16 if end == "GND" else 36
                sheet.text(x, top - above, end, 15, 0, bold=True, fill=rail.colour)
        # Draw the wire around a bridged buzzer first, since the buzzer covers its end.
        for branch in sorted(found, key=lambda branch: branch.kind != "bridge"):
            y = branch.y
            x, pin_y = self.pin(side, branch.row)
            turn = self.middle + way * (BOARD_WIDTH / 2 + 36 + CHANNEL * branch.channel)
            joins = branch.kind == "rail"
            part = rail_x(branch.end, parts_x, way) if joins else parts_x
            last = [(part, y)]
            if branch.kind == "bridge":  # around the buzzer to its other leg
                beside, level = part + way * ROUND, y + branch.way * 2 * HALF_ROW
                last = [(beside, y), (beside, level), (part, level)]
            sheet.wire([(x, pin_y), (turn, pin_y), (turn, y), *last], branch.colour)
            if joins:
                sheet.circle(part, y, 7, fill=branch.colour)
                sheet.text(start, y - 10, str(RAILS[branch.end].called), 15, way, fill=FINE)
                continue
            pin = (
                _("pin {number}").format(number=branch.pin) if branch.pin.isdigit() else branch.pin
            )
            sheet.text(start - way * 14, y - 9, pin, 13, way, bold=True, fill=branch.colour)
            if branch.ohms:
                resistor(sheet, start + way * 72, y, branch.ohms)
            draw(sheet, branch, part, y, way)

    def lay_out(self, side: str) -> None:
        """Set the y and the channel of each branch, such that no two parts or wires meet.

        Each part is as near its pin as those above and below allow. The channel is for the vertical
        segment of the wire. Of the wires that go up, the lower ones turn further out; of those that
        go down, the upper ones.
        """
        found = self.rows[side]
        top = TOP
        for place, branch in enumerate(found):
            needed = sum(b.size.above + b.size.below for b in found[place:])
            highest, lowest = (at + branch.size.above for at in (top, TOP + self.height - needed))
            branch.y = max(highest, min(self.pin(side, branch.row)[1], lowest))
            top = branch.y + branch.size.below
        rises = [branch.y < self.pin(side, branch.row)[1] for branch in found]
        for place, branch in enumerate(found):
            below, above = rises[place + 1 :], rises[:place]
            branch.channel = sum(above) if rises[place] else below.count(False)
