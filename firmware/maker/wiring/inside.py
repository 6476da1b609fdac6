"""Draw the inside of the case from above, with every wire and its length.

The player is at the bottom. Each length is a straight line plus slack for soldering. A wire into
the lid also reaches the lid's place during assembly: turned over like a page, beside the base on
the side opposite BUILD, where there is no socket and no button.
"""

import textwrap
from math import atan2, ceil, cos, degrees, dist, radians, sin
from typing import NamedTuple

from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.forms import shortest
from firmware.boards import describe
from firmware.headers import PICO
from firmware.maker.case.parameters import Parameters
from firmware.maker.wiring.circuit import CELLS_NAME, LAMPS, RAILS, branches
from firmware.maker.wiring.diagram import FINE, INK, Sheet

NOTES = (
    lazy("Seen from above, the player below. Lamps and buzzer sit in the lid, dashed here."),
    lazy("Each resistor sits at its lamp or buzzer, the diode in the wire from VSYS."),
    lazy(
        "While it is wired the lid lies turned over like a page, at the right, edge to edge with"
        " the base: so far the wires reach."
    ),
)
LID_LIES = lazy("here lies the lid, turned over, while it is wired")
SCALE = 5.0  # px a mm
MIDDLE = 400.0, 440.0  # px, the centre of the disc
WIDTH, HEIGHT = 1500, 900
ROWS = 846.0, 118.0, 27  # px: x, y and line height of the list of wires
PITCH_MM, ROW_MM = 2.54, 8.89  # between a Pico's pins, and from its centre line to them
SPARE_MM = 30  # slack of a wire
NEXT_MM = 20  # slack of a ground wire from one part to the next
STEP_MM = 10  # lengths are rounded up to multiples of this
BADGE = 10  # px, the radius of a wire's number
# Positions of a number along its wire, in order of preference.
FRACTIONS = (0.62, 0.5, 0.38, 0.74, 0.28, 0.86, 0.18)
# Each part's label: the offset from its centre in px, the anchor, and characters per line.
NAMED = {
    "auction-button": ((40, -8), 1, 11),
    "build-button": ((0, -52), 0, 12),
    "piezo-buzzer": ((-58, -18), -1, 20),
    "auction-lamp": ((0, 32), 0, 26),
    "lamp-1": ((-14, 30), 0, 20),
    "lamp-2": ((0, -22), 0, 20),
    "lamp-3": ((-12, -22), 1, 20),
    "station-lamp": ((8, 32), 0, 12),
    "slide": ((-6, -34), 1, 12),
    "cells": ((-126, -44), 1, 13),
}
PLATE = "#e9edf3"

Place = tuple[float, float]  # mm to the right of and below the centre of the disc


class Wire(NamedTuple):
    """One wire in the case."""

    begin: str
    end: str
    way: tuple[Place, Place]
    colour: str
    spare: int
    opened: Place | None = None  # its end while the lid is open, if it leads into the lid

    @property
    def length(self) -> int:
        """The length to cut in mm, enough for the disc both closed and open."""
        begin, end = self.way
        reach = max(dist(begin, end), dist(begin, self.opened or end))
        return ceil((reach + self.spare) / STEP_MM) * STEP_MM


def opened(p: Parameters, place: Place) -> Place:
    """Return the position of a place in the lid while the lid lies turned over beside the base."""
    return p.diameter - place[0], place[1]


def places(p: Parameters) -> dict[str, Place]:
    """Return the centre of each part by the key of its branch."""
    found = {
        "auction-button": (0.0, 0.0),
        "build-button": (-(p.build_back - p.switch_height), 0.0),
        "piezo-buzzer": (0.0, -p.lamp_ring),
        "slide": (-p.slide_at[0], p.slide_at[1]),
        "cells": (-p.tongue / 2, p.bay_middle),
    }
    for key, (_name, angle) in zip(LAMPS, p.lamps, strict=True):
        x, y = p.lamp_ring * cos(radians(angle)), p.lamp_ring * sin(radians(angle))
        found[key] = (-x, y)
    return found


def pin(p: Parameters, label: str, near: Place = (0, 0)) -> Place:
    """Return the position of the Pico's pin with this label that is nearest to a place.

    The Pico's USB socket is at the wall opposite the player.
    """
    first = p.pico_middle - PITCH_MM * (len(PICO.left) - 1) / 2
    found = [
        (x, first + PITCH_MM * row)
        for x, labels in ((-ROW_MM, PICO.left), (ROW_MM, PICO.right))
        for row, there in enumerate(labels)
        if there == label
    ]
    return min(found, key=lambda at: dist(at, near))


def wires(p: Parameters) -> list[Wire]:
    """Return every wire: from the pins, then to ground, then of the cells."""
    where = places(p)
    found = []
    names = {}
    red, black = RAILS["3V3"].colour, RAILS["GND"].colour
    for branch in branches("pico", describe("pico")):
        names[branch.key] = branch.name
        place = where[branch.key]
        lies = None if branch.kind == "button" else opened(p, place)
        way = pin(p, branch.pin), place
        found.append(Wire(branch.pin, branch.name, way, branch.colour, SPARE_MM, lies))
    # The angle of each lamp around the lid, counter-clockwise from the buzzer at the top.
    turns = {key: (degrees(atan2(*where[key][::-1])) + 90) % 360 for key in LAMPS}
    in_the_lid = sorted(LAMPS, key=lambda key: turns[key])
    for keys, lies in (
        (["auction-button", "build-button"], None),
        (["piezo-buzzer", *in_the_lid], opened(p, where["piezo-buzzer"])),
    ):
        begin, at, spare = "GND", pin(p, "GND", where[keys[0]]), SPARE_MM
        for key in keys:
            way = at, where[key]
            found.append(Wire(begin, names[key], way, black, spare, lies))
            begin, at, spare, lies = names[key], where[key], NEXT_MM, None
    slide, plus, minus = _("ON/OFF switch"), _("cells +"), _("cells -")
    supply = pin(p, "VSYS")
    found.append(Wire("VSYS", slide, (supply, where["slide"]), red, SPARE_MM))
    found.append(Wire(slide, plus, (where["slide"], where["cells"]), red, SPARE_MM))
    found.append(
        Wire("GND", minus, (pin(p, "GND", where["cells"]), where["cells"]), black, SPARE_MM)
    )
    return found


def badges(listed: list[Wire]) -> list[Place]:
    """Return the position in px of each wire's number, clear of the others."""
    taken: list[Place] = []
    for wire in listed:
        (x, y), (far_x, far_y) = _at(wire.way[0]), _at(wire.way[1])
        along = [(x + part * (far_x - x), y + part * (far_y - y)) for part in FRACTIONS]
        clear = (at for at in along if all(dist(at, other) > 2 * BADGE + 2 for other in taken))
        taken.append(next(clear, along[0]))
    return taken


def _at(place: Place) -> Place:
    return MIDDLE[0] + SCALE * place[0], MIDDLE[1] + SCALE * place[1]


def _box(sheet: Sheet, place: Place, size: tuple[float, float], **style: str | float) -> None:
    x, y = _at((place[0] - size[0] / 2, place[1] - size[1] / 2))
    sheet.rect(x, y, SCALE * size[0], SCALE * size[1], **style)


def drawn() -> str:
    """Return the SVG."""
    p = Parameters()
    where = places(p)
    sheet = Sheet()
    title = _("The wires in the case")
    sheet.rect(0, 0, WIDTH, HEIGHT, fill="#f7f8fb")
    sheet.text(WIDTH / 2, 48, title, 30, 0, bold=True)
    sheet.circle(*MIDDLE, SCALE * p.radius, fill=PLATE, stroke=INK, stroke_width=2)
    sheet.circle(*MIDDLE, SCALE * p.inside, fill="#ffffff", stroke=INK, stroke_width=1)
    for angle in p.screw_angles:
        x, y = p.screw_ring * cos(radians(angle)), p.screw_ring * sin(radians(angle))
        sheet.circle(*_at((-x, y)), SCALE * p.post, fill=PLATE, stroke=FINE)
    _box(sheet, where["cells"], p.holder[:2], rx=6, fill="#d8dce3", stroke=FINE)
    _box(sheet, (0, p.pico_middle), (p.pico_width, p.pico_length), rx=6, fill="#14683c")
    _box(sheet, (0, p.pico_middle - p.pico_length / 2 + 2), (8, 6), rx=2, fill="#c3c8d0")
    side = p.switch_side
    for key in ("auction-button", "build-button"):
        _box(sheet, where[key], (side, side), rx=4, fill="#8a919d", stroke=INK)
    _box(sheet, where["slide"], p.slide_body[:2], rx=2, fill="#8a919d", stroke=INK)
    dashed = {"fill": "none", "stroke": INK, "stroke_dasharray": "5 4"}
    for key in LAMPS:
        sheet.circle(*_at(where[key]), SCALE * 2.9, **dashed)
    sheet.circle(*_at(where["piezo-buzzer"]), SCALE * p.buzzer[0] / 2, **dashed)
    listed = wires(p)
    numbers = list(enumerate(zip(listed, badges(listed), strict=True), 1))
    for wire in listed:
        (x, y), (far_x, far_y) = map(_at, wire.way)
        line = {"x1": x, "y1": y, "x2": far_x, "y2": far_y}
        sheet.add("line", **line, stroke=wire.colour, stroke_width=3, opacity=0.8)
    for number, (wire, (x, y)) in numbers:
        sheet.circle(x, y, BADGE, fill="#ffffff", stroke=wire.colour, stroke_width=2)
        sheet.text(x, y + 4, str(number), 12, 0, fill=INK)
    names = {branch.key: branch.name for branch in branches("pico", describe("pico"))}
    names |= {"slide": _("ON/OFF switch"), "cells": str(CELLS_NAME)}
    halo = {"stroke": "#ffffff", "stroke_width": 4, "paint_order": "stroke"}
    for key, words in names.items():
        (right, down), way, letters = NAMED[key]
        x, y = _at(where[key])
        for line, part in enumerate(textwrap.wrap(words, letters, break_long_words=False)):
            at_line = x + right, y + down + 15 * line
            sheet.text(*at_line, part, 12, way, bold=True, fill=INK, **halo)
    x, y = _at((0, p.pico_middle - p.pico_length / 2 + 8.5))
    sheet.text(x, y, "Pico", 12, 0, fill="#ffffff")  # no text: a name
    (x, y), far = MIDDLE, SCALE * p.radius
    half = far * 0.6  # half the height of the drawn part of the lid's edge
    beside = x + 1.2 * far
    edge = f"M{beside} {y - half} A{far} {far} 0 0 0 {beside} {y + half}"
    sheet.add("path", d=edge, fill="none", stroke=INK, stroke_dasharray="5 4")
    x += far + 66
    sheet.text(x, y, str(LID_LIES), 13, 0, fill=FINE, transform=f"rotate(90 {x} {y})")
    left, top, line = ROWS
    columns = (left, left + 60, left + 310, left + 590)
    for x, head in zip(columns, (_("no."), _("from"), _("to"), _("mm")), strict=True):
        sheet.text(x, top - line, head, 15, bold=True, fill=INK)
    for number, (wire, _place) in numbers:
        y = top + line * (number - 1)
        sheet.circle(left + 4, y - 5, 11, fill="#ffffff", stroke=wire.colour, stroke_width=3)
        sheet.text(left + 4, y, str(number), 12, 0, fill=INK)
        for x, words in zip(columns[1:], (wire.begin, wire.end, str(wire.length)), strict=True):
            sheet.text(x, y, words, 14, fill=INK)
    whole = sum(wire.length for wire in listed) / 1000
    words = _("together {metres} m").format(metres=shortest(whole, 1))
    sheet.text(columns[1], top + line * len(listed) + 6, words, 15, fill=FINE)
    for place, note in enumerate(NOTES):
        y = HEIGHT - 20 - 24 * (len(NOTES) - 1 - place)
        sheet.text(WIDTH / 2, y, str(note), 15, 0, fill=FINE)
    return sheet.drawn(WIDTH, HEIGHT, title)
