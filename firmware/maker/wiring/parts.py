"""How the part of each branch is drawn between its wire and the rails, and how much room it has.

Each is drawn at the end of the wire from its pin, on the level `y` of its branch; `way`
is -1 to the left of the board and 1 to the right of it.
"""

from collections.abc import Callable

from firmware.maker.wiring import symbols
from firmware.maker.wiring.branches import MODULE_OHMS, RAIL_COLOURS, SENSE_OHMS, Branch
from firmware.maker.wiring.svg import Sheet

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
        name_bridge(sheet, branch, x, y, way)
        return
    if branch.kind == "bridged buzzer":
        draw_bridged(sheet, branch, x, y, way)
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


def name_bridge(sheet: Sheet, branch: Branch, x: float, y: float, way: int) -> None:
    """Name the wire to a buzzer's other leg: along it, on the side from which it does not turn.

    Beyond its turn there is too little room before the ground line, in French or German.
    """
    name(sheet, branch, x - way * 54, y + (-12 if branch.way > 0 else 24), anchor(way))


def draw_bridged(sheet: Sheet, branch: Branch, x: float, y: float, way: int) -> None:
    """Draw a buzzer between two wires."""
    symbols.buzzer(sheet, x, y, -way)
    beside = x + way * (ROUND + 10)
    name(sheet, branch, beside, y - 4, anchor(way))
    hint(sheet, branch, beside, y + 16, anchor(way))


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
