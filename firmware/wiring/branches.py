"""What hangs on a board: a branch for each pin, from the pin to ground or to a supply.

Both the drawing and the simulator project are made from these, and these from
the description of the board, so that none can disagree.

An active buzzer takes some 30 mA, more than a pin may give. With `buzzer_on = high`
it is drawn behind a transistor (NPN), fed from 3.3 V, which is there on USB and on
cells alike. With `buzzer_on = low` it is drawn as a module "with low level trigger",
which has a transistor (PNP) of its own: a loose PNP is not drawn, since it would
sound for as long as the board starts.

A strip gets its 5 V from USB through a diode, which leaves 4.3 V: a WS2812 takes 0.7
of its supply for high, and a pin has 3.3 V. Cells cannot feed one, and are left out.
"""

from firmware.wiring import texts
from firmware.wiring.headers import HEADERS, pin_label

LAMP_OHMS = 330  # 3.3 V less 2 V of a red LED, at 4 mA
BUZZER_OHMS = 100  # keeps a piezo's edges gentle to the pin
STRIP_OHMS = 330
BASE_OHMS = 1000  # 2.6 mA into the transistor's base

# Colours of wires that are told apart by people who see colours differently too;
# each wire also carries its pin's name.
LAMP_COLOURS = ("#d8392b", "#e69f00", "#009e73", "#0072b2", "#8e5bb5")
RAIL_COLOURS = {"GND": "#22262e", "3V3": "#d8392b", "VBUS": "#c26a00", "5V": "#c26a00"}


class Branch:
    """A pin and what lies between it and the other end.

    kind    "button", "switch", "buzzer", "active buzzer", "buzzer module", "lamp",
            "strip", "cells", "ground" or "supply"
    name    what a person calls it
    pin     the label of the pin on the board
    end     "GND" or "3V3", what its other end is joined to
    ohms    of the resistor beside the pin, 0 without one
    colour  of its wire
    hint    what to watch for, a line or more
    supply  the label of the pin that feeds it; "" if the two others do
    row     of its pin on the board's edge, where the label does not tell it
    """

    row: int | None = None

    def __init__(
        self,
        kind: str,
        name: str,
        pin: str,
        end: str,
        colour: str,
        ohms: int = 0,
        hint: str = "",
        supply: str = "",
    ) -> None:
        self.kind = kind
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
        return (self.end, self.supply) if self.supply else (self.end,)


def branches(board: str, description: dict) -> list[Branch]:
    """Return every branch of a board with this description, grounds and cells not included."""
    found = []
    contact_end = "GND" if description["closed"] == "low" else "3V3"
    for kind, name, colour in (
        ("auction", texts.AUCTION_BUTTON, "#cc3399"),
        ("build", texts.BUILD_BUTTON, "#3d9bd6"),
        ("switch", texts.SWITCH, "#009e73"),
    ):
        pin = description[kind]
        if pin is None:
            continue
        shape = "switch" if kind == "switch" else "button"
        hint = _pull(description, shape)
        found.append(Branch(shape, name, pin_label(board, pin), contact_end, colour, 0, hint))
    found.append(_buzzer(board, description))
    if description["strip"] is not None:
        found.append(_strip(board, description))
        return found
    high = description["lamp_on"] == "high"
    for pin, name, colour in zip(description["lamps"], texts.LAMPS, LAMP_COLOURS, strict=True):
        found.append(
            Branch(
                "lamp",
                name,
                pin_label(board, pin),
                "GND" if high else "3V3",
                colour,
                LAMP_OHMS,
                texts.LONG_LEG if high else texts.SHORT_LEG,
            )
        )
    return found


def _pull(description: dict, shape: str) -> str:
    if description["pull"] == "inside":
        return texts.SLIDE_LEGS if shape == "switch" else texts.EITHER_WAY
    other = "3V3" if description["closed"] == "low" else "GND"
    return texts.PULL.format(other=other)


def _buzzer(board: str, description: dict) -> Branch:
    pin = pin_label(board, description["buzzer"])
    high = description["buzzer_on"] == "high"
    colour = "#6b4f2a"
    if description["buzzer_kind"] == "passive":
        end, sign = ("GND", "+") if high else ("3V3", "-")
        hint = texts.PASSIVE_HINT.format(sign=sign)
        return Branch("buzzer", texts.PASSIVE_BUZZER, pin, end, colour, BUZZER_OHMS, hint)
    if not high:
        hint = texts.MODULE_HINT
        return Branch("buzzer module", texts.BUZZER_MODULE, pin, "GND", colour, 0, hint, "3V3")
    hint = texts.ACTIVE_HINT.format(usb=HEADERS[board].usb_power)
    name = texts.ACTIVE_BUZZER
    return Branch("active buzzer", name, pin, "GND", colour, BASE_OHMS, hint, "3V3")


def _strip(board: str, description: dict) -> Branch:
    pin = pin_label(board, description["strip"])
    supply = HEADERS[board].usb_power
    hint = texts.STRIP_HINT.format(usb=supply)
    return Branch("strip", texts.STRIP, pin, "GND", "#0072b2", STRIP_OHMS, hint, supply)


def sides(board: str, description: dict) -> dict[str, list[Branch]]:
    """Return the branches of each side in the order of the pins, grounds and cells included."""
    header = HEADERS[board]
    rows = {"left": [], "right": []}
    for branch in branches(board, description):
        rows[header.place(branch.pin)[0]].append(branch)
    if header.supply and description["strip"] is None:
        rows[header.place(header.supply)[0]].append(
            Branch("cells", texts.CELLS, header.supply, "GND", "#d8392b", 0, texts.CELLS_HINT)
        )
    for side, found in rows.items():
        labels = getattr(header, side)
        for end in RAIL_COLOURS:
            if end in labels and any(end in branch.ends for branch in found):
                found.append(_joined(end, labels, found))
        found.sort(key=lambda branch: row_of(branch, labels))
    return rows


def _joined(end: str, labels: list[str], found: list[Branch]) -> Branch:
    """Return the wire from a side's ground (or supply) line to the nearest pin that carries it."""
    used = [labels.index(branch.pin) for branch in found]
    rows = [row for row, label in enumerate(labels) if label == end]
    nearest = min(rows, key=lambda row: min(abs(row - place) for place in used))
    branch = Branch("ground" if end == "GND" else "supply", end, end, end, RAIL_COLOURS[end])
    branch.row = nearest
    return branch


def row_of(branch: Branch, labels: list[str]) -> int:
    """Return the row of a branch's pin on the board's edge."""
    return labels.index(branch.pin) if branch.row is None else branch.row
