"""The parts on a board: a branch for each pin, from the pin to ground or to a supply.

The drawings are made from these, and these from the description of the board, so that none can
disagree.

An active buzzer takes some 30 mA, more than a pin may give. With `buzzer_on = high`
it is drawn behind a transistor (NPN), fed from 3.3 V, which is there on USB and on
cells alike. With `buzzer_on = low` it is drawn as a module "with low level trigger",
which has a transistor (PNP) of its own: a loose PNP is not drawn, since it would
sound for as long as the board starts.

A strip gets its 5 V from USB through a diode, which leaves 4.3 V: a WS2812 takes 0.7
of its supply for high, and a pin has 3.3 V. Cells cannot feed one, and are left out.
"""

from itertools import cycle

from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.forms import shortest
from city_unit.desktop.lamp_words import WORDS
from firmware.headers import HEADERS, pin_label

LAMP_OHMS = 330  # 3.3 V less 2 V of a red LED, at 4 mA
BUZZER_OHMS = 100  # keeps a piezo's edges gentle to the pin
STRIP_OHMS = 330
SENSED = (26, 27, 28)  # pins that see the supply through a divider; 29 has one on the board
SENSE_OHMS = 100_000, 200_000  # from the pin to ground and to the supply: a third of it
BASE_OHMS = 1000  # 2.6 mA into the transistor's base
MODULE_OHMS = 10_000  # from its I/O to 3V3: silent while nobody holds the pin
# Of a contact where the chip does not pull; to ground strong enough for a Pico 2, whose pins leak
# (erratum RP2350-E9), and for every other chip as well.
PULL_UP_OHMS, PULL_DOWN_OHMS = 10_000, 8200
ONE_BOX_ROWS = 3  # the largest distance of two pins with wires into one box

ACTIVE_HINT = lazy("made for 3 V: + to 3V3\nmade for 5 V: + to {usb},\nthen on USB power only")
MODULE_HINT = lazy("low level trigger; VCC to 3V3\n(on 5 V it is never silent)")
STRIP_HINT = lazy(
    "on USB power only: cells give {usb} nothing\nring of the 1N4001 towards the strip"
)
CELLS_NAME = lazy("2 AAA cells, or 3")
CELLS_HINT = lazy("not needed on USB power\nswitch: middle leg and an outer one")
LAMPS = {words.key: words.part for words in WORDS}

# Colours of wires that people with other colour vision can tell apart too; each wire also
# carries its pin's name.
LAMP_COLOURS = ("#d8392b", "#e69f00", "#009e73", "#0072b2", "#8e5bb5")
RAIL_COLOURS = {"GND": "#22262e", "3V3": "#d8392b", "VBUS": "#c26a00", "5V": "#c26a00"}


class Branch:
    """A pin and the parts between it and the other end.

    kind    "button", "switch", "buzzer", "bridged buzzer", "bridge", "active buzzer",
            "buzzer module", "lamp", "strip", "sense", "serial", "cells", "ground" or "supply"
    key     which of a unit's parts it is, as "auction-button", in every language
    name    for people
    pin     the label of the pin on the board
    end     "GND" or "3V3", the rail at its other end; "" if that is another branch or
            another wire's box
    ohms    of the resistor beside the pin, 0 without one
    colour  of its wire
    hint    advice for the builder, a line or more
    supply  the label of the pin that feeds it; "" if the two others do
    row     of its pin on the board's edge, where the label does not tell it
    way     to the branch that it is joined to: -1 if that is the next one above, 1 below
    mark    of the cells: the lettering at their switch
    """

    row: int | None = None
    way: int = 0
    mark: str = ""

    def __init__(
        self,
        kind: str,
        key: str,
        name: str,
        pin: str,
        end: str,
        colour: str,
        ohms: int = 0,
        hint: str = "",
        supply: str = "",
    ) -> None:
        self.kind = kind
        self.key = key
        self.name = name
        self.pin = pin
        self.end = end
        self.colour = colour
        self.ohms = ohms
        self.hint = hint
        self.supply = supply

    @property
    def ends(self) -> tuple[str, ...]:
        """The labels of all that it is joined to beside its pin."""
        return tuple(end for end in (self.end, self.supply) if end)


def branches(board: str, description: dict) -> list[Branch]:
    """Return every branch of a board with this description, grounds and cells not included."""
    found = []
    contact_end = "GND" if description["closed"] == "low" else "3V3"
    for wire, key, name, colour in (
        ("auction", "auction-button", _("AUCTION button"), "#cc3399"),
        ("build", "build-button", _("BUILD button"), "#3d9bd6"),
        ("switch", "on/off-switch", _("ON/OFF switch"), "#009e73"),
    ):
        pin = description[wire]
        if pin is None:
            continue
        shape = "switch" if wire == "switch" else "button"
        hint = _pull(description, shape)
        label = pin_label(board, pin)
        found.append(Branch(shape, key, name, label, contact_end, colour, 0, hint))
    found.append(_buzzer(board, description))
    if description["opposite"] is not None:
        name, label = _("The buzzer's other leg"), pin_label(board, description["opposite"])
        found.append(Branch("bridge", "other-leg", name, label, "", "#a8773d", BUZZER_OHMS))
    if description["battery"] in SENSED:
        pin = description["battery"]
        name, hint = _("Battery sense"), _("for battery = {pin}").format(pin=pin)
        if description["strip"] is not None:  # which cells cannot feed
            hint = _("no cells here:\nit sees USB")
        label = pin_label(board, pin)
        found.append(Branch("sense", "sense", name, label, "GND", "#7a4a21", 0, hint))
    if description["link"] == "uart":
        found += [_serial(board, description[name], name) for name in ("tx", "rx")]
    if description["strip"] is not None:
        label, usb = pin_label(board, description["strip"]), HEADERS[board].usb_power
        name, hint = (
            _("Strip of {count} lamps").format(count=len(LAMPS)),
            STRIP_HINT.format(usb=usb),
        )
        strip = Branch("strip", "strip", name, label, "GND", "#0072b2", STRIP_OHMS, hint, usb)
        return [*found, strip]
    high = description["lamp_on"] == "high"
    lamps = zip(description["lamps"], LAMPS.items(), strict=True)
    for (pin, (key, name)), colour in zip(lamps, cycle(LAMP_COLOURS), strict=False):
        found.append(
            Branch(
                "lamp",
                key,
                str(name),
                pin_label(board, pin),
                "GND" if high else "3V3",
                colour,
                LAMP_OHMS,
                _("long leg to the resistor") if high else _("short leg to the resistor"),
            )
        )
    return found


def _pull(description: dict, shape: str) -> str:
    if description["pull"] == "inside":
        return _("middle leg and an outer one") if shape == "switch" else _("either way round")
    up = description["closed"] == "low"
    ohms, other = (PULL_UP_OHMS, "3V3") if up else (PULL_DOWN_OHMS, "GND")
    text = _("and {kilohms} kΩ from the pin to {other}")
    return text.format(kilohms=shortest(ohms / 1000, 1), other=other)


def _buzzer(board: str, description: dict) -> Branch:
    pin = pin_label(board, description["buzzer"])
    high = description["buzzer_on"] == "high"
    colour = "#6b4f2a"
    if description["opposite"] is not None:
        kind, name, hint = "bridged buzzer", _("Piezo buzzer"), _("passive, between two pins")
        return Branch(kind, "piezo-buzzer", name, pin, "", colour, BUZZER_OHMS, hint)
    if description["buzzer_kind"] == "passive":
        end, sign = ("GND", "+") if high else ("3V3", "-")
        hint = _("passive; {sign} to the resistor").format(sign=sign)
        name = _("Piezo buzzer")
        return Branch("buzzer", "piezo-buzzer", name, pin, end, colour, BUZZER_OHMS, hint)
    if not high:
        kind, name, hint = "buzzer module", _("Active buzzer module"), str(MODULE_HINT)
        return Branch(kind, "buzzer-module", name, pin, "GND", colour, 0, hint, "3V3")
    kind, name = "active buzzer", _("Active buzzer")
    hint = ACTIVE_HINT.format(usb=HEADERS[board].usb_power)
    return Branch(kind, "active-buzzer", name, pin, "GND", colour, BASE_OHMS, hint, "3V3")


def _serial(board: str, pin: int, wire: str) -> Branch:
    """Return the wire of a UART to the other side, whose pin has the other name."""
    key = "rx" if wire == "tx" else "tx"
    name = _("Serial adapter, its {pin}").format(pin=key.upper())  # no text: a pin's name
    hint = _("for 3.3 V signals, not 5 V")
    return Branch("serial", key, name, pin_label(board, pin), "GND", "#00707a", 0, hint)


def sides(board: str, description: dict) -> dict[str, list[Branch]]:
    """Return the branches of each side in the order of the pins, grounds and cells included."""
    header = HEADERS[board]
    rows = {"left": [], "right": []}
    for branch in branches(board, description):
        rows[header.place(branch.pin)[0]].append(branch)
    if header.supply and description["strip"] is None:
        name, hint = str(CELLS_NAME), str(CELLS_HINT)
        cells = Branch("cells", "cells", name, header.supply, "GND", "#d8392b", 0, hint)
        has_switch = description["switch"] is not None  # at a pin
        cells.mark = _("for the cells") if has_switch else _("ON/OFF")
        rows[header.place(header.supply)[0]].append(cells)
    for side, found in rows.items():
        labels = getattr(header, side)
        for end in RAIL_COLOURS:
            if end in labels and any(end in branch.ends for branch in found):
                found.append(_joined(end, labels, found))
        found.sort(key=lambda branch: row_of(branch, labels))
        for place, branch in enumerate(found):
            if branch.kind == "bridge":
                branch.way = 1 if found[place - 1].kind != "bridged buzzer" or not place else -1
        _join_adapter([branch for branch in found if branch.kind == "serial"], found, labels)
    return rows


def _join_adapter(wires: list[Branch], found: list[Branch], labels: list[str]) -> None:
    """Have both wires of the link lead into one box, if they lie one below the other."""
    places = [found.index(wire) for wire in wires]
    rows = [row_of(wire, labels) for wire in wires]
    if len(wires) == 2 and places[1] == places[0] + 1 and rows[1] - rows[0] <= ONE_BOX_ROWS:
        wires[0].way, wires[1].way = 1, -1
        wires[0].name = _("Serial adapter")
        wires[1].end = ""
        return
    for wire in wires:
        if wire.key == "tx":  # the other one says which adapter
            wire.hint = _("one adapter, drawn twice")


def _joined(end: str, labels: list[str], found: list[Branch]) -> Branch:
    """Return the wire from a side's ground (or supply) line to the nearest pin that carries it."""
    used = [labels.index(branch.pin) for branch in found]
    rows = [row for row, label in enumerate(labels) if label == end]
    nearest = min(rows, key=lambda row: min(abs(row - place) for place in used))
    kind = "ground" if end == "GND" else "supply"
    branch = Branch(kind, end, end, end, end, RAIL_COLOURS[end])
    branch.row = nearest
    return branch


def row_of(branch: Branch, labels: list[str]) -> int:
    """Return the row of a branch's pin on the board's edge."""
    return labels.index(branch.pin) if branch.row is None else branch.row
