"""What hangs on a board: a branch for each pin, from the pin to ground or to a supply.

Both the drawing and the simulator project are made from these, and these from
the description of the board, so that none can disagree.
"""

from firmware.wiring import texts
from firmware.wiring.headers import HEADERS, pin_label

LAMP_OHMS = 330  # 3.3 V less 2 V of a red LED, at 4 mA
BUZZER_OHMS = 100  # keeps a piezo's edges gentle to the pin
STRIP_OHMS = 330

# Colours of wires that are told apart by people who see colours differently too;
# each wire also carries its pin's name.
LAMP_COLOURS = ("#d8392b", "#e69f00", "#009e73", "#0072b2", "#8e5bb5")
RAIL_COLOURS = {"GND": "#22262e", "3V3": "#d8392b"}


class Branch:
    """A pin and what lies between it and the other end.

    kind    "button", "switch", "buzzer", "lamp", "strip", "cells" or "ground"
    name    what a person calls it
    pin     the label of the pin on the board
    end     "GND" or "3V3", what its other end is joined to
    ohms    of the resistor beside the pin, 0 without one
    colour  of its wire
    hint    what to watch for
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
    ) -> None:
        self.kind = kind
        self.name = name
        self.pin = pin
        self.end = end
        self.colour = colour
        self.ohms = ohms
        self.hint = hint


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
        found.append(
            Branch(shape, name, pin_label(board, pin), contact_end, colour, 0, _pull(description))
        )
    found.append(_buzzer(board, description))
    if description["strip"] is not None:
        pin = pin_label(board, description["strip"])
        hint = texts.STRIP_HINT
        found.append(Branch("strip", texts.STRIP, pin, "GND", "#0072b2", STRIP_OHMS, hint))
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


def _pull(description: dict) -> str:
    if description["pull"] == "inside":
        return texts.EITHER_WAY
    other = "3V3" if description["closed"] == "low" else "GND"
    return texts.PULL.format(other=other)


def _buzzer(board: str, description: dict) -> Branch:
    kind = description["buzzer_kind"]
    high = description["buzzer_on"] == "high"
    return Branch(
        "buzzer",
        texts.BUZZERS[kind],
        pin_label(board, description["buzzer"]),
        "GND" if high else "3V3",
        "#6b4f2a",
        BUZZER_OHMS if kind == "passive" else 0,
        texts.BUZZER_HINTS[kind].format(sign="+" if high else "-"),
    )


def sides(board: str, description: dict) -> dict[str, list[Branch]]:
    """Return the branches of each side in the order of the pins, grounds and cells included."""
    header = HEADERS[board]
    rows = {"left": [], "right": []}
    for branch in branches(board, description):
        rows[header.place(branch.pin)[0]].append(branch)
    if header.supply:
        rows[header.place(header.supply)[0]].append(
            Branch("cells", texts.CELLS, header.supply, "GND", "#d8392b", 0, texts.CELLS_HINT)
        )
    for side, found in rows.items():
        labels = getattr(header, side)
        for end in ("GND", "3V3"):
            if end in labels and any(branch.end == end for branch in found):
                found.append(_joined(end, labels, found))
        found.sort(key=lambda branch: row_of(branch, labels))
    return rows


def _joined(end: str, labels: list[str], found: list[Branch]) -> Branch:
    """Return the wire from a side's ground line (or 3V3) to the nearest pin that carries it."""
    used = [labels.index(branch.pin) for branch in found]
    rows = [row for row, label in enumerate(labels) if label == end]
    nearest = min(rows, key=lambda row: min(abs(row - place) for place in used))
    branch = Branch("ground" if end == "GND" else "supply", end, end, end, RAIL_COLOURS[end])
    branch.row = nearest
    return branch


def row_of(branch: Branch, labels: list[str]) -> int:
    """Return the row of a branch's pin on the board's edge."""
    return labels.index(branch.pin) if branch.row is None else branch.row
