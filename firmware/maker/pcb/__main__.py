"""Make the board of our own anew: `python -m firmware.maker.pcb`.

Writes the schematic, the layout and the list of parts. `check.py`, run by the Python that
KiCad brings, then fills the ground, has KiCad check its rules, and draws what a maker of
boards wants.
"""

import csv
import io
import sys
from pathlib import Path

from city_unit.desktop.files import write_whole
from firmware.maker.case.parameters import HOLES_MM
from firmware.maker.pcb.circuit import Piece, pieces
from firmware.maker.pcb.kicad import layout, schematic
from firmware.maker.pcb.picture import drawn
from firmware.maker.pcb.route import Router

MADE = Path(__file__).parent / "made"
NAME = "disc"


# What is soldered to the ends of wires, and what holds the board and its Pico.
AT_WIRES = {
    "J1": "tactile switch 12 x 12 mm for BUILD",  # no text: for a shop
    "J2": "flat holder for 2 AAA with wires",  # no text: for a shop
    "J3": "slide switch SS12D00G4",  # no text: for a shop
    "J4": "LED 5 mm red for AUCTION",  # no text: for a shop
}
PINS = "row of 20 pins, 2.54 mm; none for a Pico that has its pins (Pico H)"  # no text: for a shop


def parts_list(every: list[Piece]) -> str:
    """Return the list of parts as a table: how many, which, and their names on the board."""
    together: dict[str, list[str]] = {}
    for piece in every:
        if piece.key in AT_WIRES:
            together[AT_WIRES[piece.key]] = [f"{piece.key} (at two wires)"]  # no text: for a shop
        else:
            together.setdefault(piece.value, []).append(piece.key)
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(("count", "part", "on the board"))  # no text: heads of a table for a shop
    for value, keys in together.items():
        table.writerow((len(keys), value, " ".join(keys)))
    table.writerow((2, PINS, "U1 (its pins)"))  # no text: for a shop
    holes = [f"H{number}" for number in range(1, len(HOLES_MM) + 1)]
    table.writerow((len(holes), "screw M3 x 8", " ".join(holes)))  # no text: for a shop
    return text.getvalue()


def files() -> dict[str, str]:
    """Return every file by its name; the layout without the ground's fill."""
    every = pieces()
    router = Router(every)
    router.route()
    return {
        f"{NAME}.kicad_sch": schematic(every),
        f"{NAME}.kicad_pcb": layout(every, router),
        f"{NAME}.svg": drawn(every, router),
        "parts.csv": parts_list(every),
    }


def main() -> int:
    MADE.mkdir(exist_ok=True)
    for name, text in files().items():
        write_whole(MADE / name, text)
        print(MADE / name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
