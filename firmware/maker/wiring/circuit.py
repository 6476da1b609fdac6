"""The circuit of a board: the parts between its pins and ground or a supply.

The board description (`firmware.boards.describe`) gives a branch for each pin. `sides` sorts the
branches to the two edges of the board. Since everything follows from the description, no drawing
can contradict the firmware.

An active buzzer draws about 30 mA, more than a pin may supply. With `buzzer_on = high` it is wired
with an NPN transistor and fed from 3.3 V, which is available on USB and on cells. With
`buzzer_on = low` it is a "low level trigger" module, which has its own PNP transistor. A separate
PNP is not offered, since it would sound while the board starts.

A strip is fed with the 5 V of USB through a diode, which leaves 4.3 V: a WS2812 needs 0.7 of its
supply for a high level, and a pin has 3.3 V. Cells cannot feed a strip, so they are omitted.
"""

from dataclasses import dataclass
from typing import NamedTuple

from city_unit.desktop.catalogue import Lazy, _, lazy
from city_unit.desktop.forms import shortest
from city_unit.desktop.lamp_words import WORDS
from firmware.headers import HEADERS, pin_label

LAMP_OHMS = 330  # 3.3 V less 2 V of a red LED, at 4 mA
BUZZER_OHMS = 100  # limits a piezo's current at each edge
STRIP_OHMS = 330
SENSED = (26, 27, 28)  # pins that need an external divider; pin 29 has one on the board
SENSE_OHMS = 100_000, 200_000  # from the pin to ground and to the supply: a third of it
BASE_OHMS = 1000  # 2.6 mA into the transistor's base
MODULE_OHMS = 10_000  # from its I/O to 3V3: silent while the pin is not driven
# For contacts with `pull = outside`. The pull-down is strong enough for a Pico 2, whose pins leak
# (erratum RP2350-E9), and suits every other chip.
PULL_UP_OHMS, PULL_DOWN_OHMS = 10_000, 8200
ONE_BOX_ROWS = 3  # the greatest distance between two pins wired to one box

ACTIVE_HINT = lazy("made for 3 V: + to 3V3\nmade for 5 V: + to {usb},\nthen on USB power only")
MODULE_HINT = lazy("low level trigger; VCC to 3V3\n(on 5 V it is never silent)")
STRIP_HINT = lazy(
    "on USB power only: cells give {usb} nothing\nring of the 1N4001 towards the strip"
)
CELLS_NAME = lazy("2 AAA cells, or 3")
CELLS_HINT = lazy("not needed on USB power\nswitch: middle leg and an outer one")
LAMPS = {words.key: words.part for words in WORDS}

# Wire colours that colour-blind people can distinguish; each wire is also labelled with its pin.
LAMP_COLOURS = ("#d8392b", "#e69f00", "#009e73", "#0072b2", "#8e5bb5")


class Rail(NamedTuple):
    """A thick line to which parts are wired, `away` px from them; `line` is for the notes."""

    colour: str
    away: int
    called: Lazy
    line: Lazy


RAILS = {
    "GND": Rail("#22262e", 240, lazy("ground"), lazy("black is ground (GND)")),
    "3V3": Rail("#d8392b", 270, lazy("3.3 V"), lazy("red is 3.3 V (3V3)")),
    "VBUS": Rail("#c26a00", 300, lazy("5 V of USB"), lazy("orange is 5 V of USB (VBUS)")),
    "5V": Rail("#c26a00", 300, lazy("5 V of USB"), lazy("orange is 5 V of USB (5V)")),
}


HALF_ROW = 42  # px reserved above and below a part's y


class Size(NamedTuple):
    """The space of a part, in px.

    above, below  its y
    half          half its width
    rise          from its y up to the wire that feeds it
    """

    above: int = HALF_ROW
    below: int = HALF_ROW
    half: int = 0
    rise: int = 0


SIZES = {
    "sense": Size(above=66),
    "active buzzer": Size(134, 92, rise=80),
    "strip": Size(78, 84, 86, 46),
    "buzzer module": Size(96, 84, 66, 64),  # with a resistor in that wire
    "cells": Size(half=82),
    "serial": Size(half=44),
}


@dataclass
class Branch:
    """A pin, and the parts between it and the other end.

    kind    "button", "switch", "buzzer", "bridged buzzer", "bridge", "active buzzer",
            "buzzer module", "lamp", "strip", "sense", "serial", "cells" or "rail"
    key     identifies the part independently of the language, such as "auction-button"
    name    for people
    pin     the label of the pin on the board
    end     the rail at its other end, "GND" or "3V3"; "" if it ends at another branch or in the
            box of another wire
    colour  of its wire
    ohms    of the resistor at the pin, 0 without one
    hint    advice for the builder, one or more lines
    supply  the label of the pin that feeds it; "" if it needs no third wire
    row     of its pin on the board's edge, from 0 at the top
    way     to the branch it is joined to: -1 if that is the next one above, 1 below
    mark    for cells: the label of their switch
    y, channel  where it is drawn; set by `Diagram`
    """

    kind: str
    key: str
    name: str
    pin: str
    end: str
    colour: str
    ohms: int = 0
    hint: str = ""
    supply: str = ""
    row: int = 0
    way: int = 0
    mark: str = ""
    y: float = 0
    channel: int = 0

    @property
    def ends(self) -> tuple[str, ...]:
        """The rails it is joined to."""
        return tuple(end for end in (self.end, self.supply) if end)

    @property
    def size(self) -> Size:
        return SIZES.get(self.kind, Size())


def branches(board: str, description: dict) -> list[Branch]:
    """Return every branch of a board, without those for ground, supplies and cells."""
    found = []

    def add(kind, key, name, pin, end, colour, ohms=0, hint="", supply="") -> None:
        label = pin_label(board, pin)
        found.append(Branch(kind, key, str(name), label, end, colour, ohms, hint, supply))

    usb = HEADERS[board].usb_power
    low = description["closed"] == "low"
    for wire, key, name, colour in (
        ("auction", "auction-button", _("AUCTION button"), "#cc3399"),
        ("build", "build-button", _("BUILD button"), "#3d9bd6"),
        ("switch", "on/off-switch", _("ON/OFF switch"), "#009e73"),
    ):
        shape = "switch" if wire == "switch" else "button"
        hint = _("middle leg and an outer one") if wire == "switch" else _("either way round")
        if description["pull"] == "outside":
            ohms, other = (PULL_UP_OHMS, "3V3") if low else (PULL_DOWN_OHMS, "GND")
            words = _("and {kilohms} kΩ from the pin to {other}")
            hint = words.format(kilohms=shortest(ohms / 1000, 1), other=other)
        if description[wire] is not None:
            end = "GND" if low else "3V3"
            add(shape, key, name, description[wire], end, colour, 0, hint)
    pin, opposite, brown = description["buzzer"], description["opposite"], "#6b4f2a"
    high, piezo = description["buzzer_on"] == "high", _("Piezo buzzer")
    if opposite is not None:
        hint = _("passive, between two pins")
        add("bridged buzzer", "piezo-buzzer", piezo, pin, "", brown, BUZZER_OHMS, hint)
        name = _("The buzzer's other leg")
        add("bridge", "other-leg", name, opposite, "", "#a8773d", BUZZER_OHMS)
    elif description["buzzer_kind"] == "passive":
        end, sign = ("GND", "+") if high else ("3V3", "-")
        hint = _("passive; {sign} to the resistor").format(sign=sign)
        add("buzzer", "piezo-buzzer", piezo, pin, end, brown, BUZZER_OHMS, hint)
    elif high:
        name, hint = _("Active buzzer"), ACTIVE_HINT.format(usb=usb)
        add("active buzzer", "active-buzzer", name, pin, "GND", brown, BASE_OHMS, hint, "3V3")
    else:
        name = _("Active buzzer module")
        add("buzzer module", "buzzer-module", name, pin, "GND", brown, 0, str(MODULE_HINT), "3V3")
    if description["battery"] in SENSED:
        pin = description["battery"]
        hint = _("for battery = {pin}").format(pin=pin)
        if description["strip"] is not None:  # cells cannot feed a strip
            hint = _("no cells here:\nit sees USB")
        add("sense", "sense", _("Battery sense"), pin, "GND", "#7a4a21", 0, hint)
    if description["link"] == "uart":
        for wire, key in (("tx", "rx"), ("rx", "tx")):  # crossed: TX goes to RX
            name = _("Serial adapter, its {pin}").format(pin=key.upper())  # no text: a pin's name
            hint = _("for 3.3 V signals, not 5 V")
            add("serial", key, name, description[wire], "GND", "#00707a", 0, hint)
    if description["strip"] is not None:
        name, hint = (
            _("Strip of {count} lamps").format(count=len(LAMPS)),
            STRIP_HINT.format(usb=usb),
        )
        add("strip", "strip", name, description["strip"], "GND", "#0072b2", STRIP_OHMS, hint, usb)
        return found
    end, hint = ("GND", _("long leg to the resistor"))
    if description["lamp_on"] == "low":
        end, hint = ("3V3", _("short leg to the resistor"))
    lamps = zip(LAMPS.items(), LAMP_COLOURS, strict=True)
    # A chip may have too few pins for the last lamps.
    for pin, ((key, name), colour) in zip(description["lamps"], lamps, strict=False):
        add("lamp", key, name, pin, end, colour, LAMP_OHMS, hint)
    return found


def sides(board: str, description: dict) -> dict[str, list[Branch]]:
    """Return all branches of each side in the order of their pins."""
    header = HEADERS[board]
    every = branches(board, description)
    if header.supply and description["strip"] is None:
        cells = Branch("cells", "cells", str(CELLS_NAME), header.supply, "GND", "#d8392b")
        cells.hint = str(CELLS_HINT)
        cells.mark = _("ON/OFF") if description["switch"] is None else _("for the cells")
        every.append(cells)
    rows: dict[str, list[Branch]] = {"left": [], "right": []}
    for branch in every:
        side, branch.row = header.place(branch.pin)
        rows[side].append(branch)
    for side, found in rows.items():
        labels = getattr(header, side)
        for end, rail in RAILS.items():
            if end in labels and any(end in branch.ends for branch in found):
                used = [labels.index(branch.pin) for branch in found]
                # The rail's wire goes to the nearest pin with its label.
                rows_of_end = [row for row, label in enumerate(labels) if label == end]
                row = min(rows_of_end, key=lambda row: min(abs(row - place) for place in used))
                found.append(Branch("rail", end, end, end, end, rail.colour, row=row))
        found.sort(key=lambda branch: branch.row)
        for place, branch in enumerate(found):
            if branch.kind == "bridge":
                branch.way = -1 if place and found[place - 1].kind == "bridged buzzer" else 1
        wires = [branch for branch in found if branch.kind == "serial"]
        adjacent = len(wires) == 2 and found.index(wires[1]) == found.index(wires[0]) + 1
        if adjacent and wires[1].row - wires[0].row <= ONE_BOX_ROWS:
            wires[0].way, wires[1].way = 1, -1
            wires[0].name, wires[1].end = _("Serial adapter"), ""
        else:
            for wire in wires:
                if wire.key == "tx":
                    wire.hint = _("one adapter, drawn twice")
    return rows
