"""The board of our own as files of KiCad 6: a layout, and a schematic with the same nets.

Written as text, so that they come out the same everywhere and need no KiCad to be made.
"""

import uuid
from collections.abc import Iterable
from itertools import pairwise

from firmware.maker.case.parameters import HOLES_MM, Parameters
from firmware.maker.pcb.circuit import GROUND, Piece, Place, outline
from firmware.maker.pcb.route import (
    CLEARANCE_MM,
    DRILL_MM,
    HOLE_MM,
    PAD_MM,
    TRACK_MM,
    VIA_DRILL_MM,
    VIA_MM,
    Router,
)

MIDDLE_MM = 100.0  # of the disc, on the sheet, to the right and down
FAMILY = uuid.UUID("6f0e2c1e-7d6b-5c0e-9a55-2a7f6c1d1c70")  # of all names of elements below

HEAD = """(kicad_pcb (version 20211014) (generator city_unit)
  (general (thickness 1.6))
  (paper "A4")
  (title_block (title "City Unit") (comment 1 "Never built yet"))
  (layers
    (0 "F.Cu" signal) (31 "B.Cu" signal)
    (36 "B.SilkS" user "B.Silkscreen") (37 "F.SilkS" user "F.Silkscreen")
    (38 "B.Mask" user) (39 "F.Mask" user) (44 "Edge.Cuts" user)
    (46 "B.CrtYd" user "B.Courtyard") (47 "F.CrtYd" user "F.Courtyard")
    (48 "B.Fab" user) (49 "F.Fab" user))
  (setup (pad_to_mask_clearance 0))
"""  # no text: KiCad
WORDS = "(effects (font (size 1 1) (thickness 0.15)))"


def element(*words: object) -> str:
    """Return the name of an element of a file, always the same for the same words."""
    return str(uuid.uuid5(FAMILY, " ".join(map(str, words))))


def at(place: Place) -> str:
    return f"{MIDDLE_MM + place[0]:.4f} {MIDDLE_MM + place[1]:.4f}"


def nets(pieces: Iterable[Piece]) -> list[str]:
    """Return every net, the ground first."""
    found = sorted({leg.net for piece in pieces for leg in piece.legs} - {"", GROUND})
    return [GROUND, *found]


def layout(pieces: list[Piece], router: Router, p: Parameters | None = None) -> str:
    """Return the text of the layout; the ground's fill is left to KiCad."""
    numbers = {net: number for number, net in enumerate(nets(pieces), 1)}
    lines = [HEAD, '  (net 0 "")\n']
    lines += [f'  (net {number} "{net}")\n' for net, number in numbers.items()]  # no text: KiCad
    lines += [_footprint(piece, numbers) for piece in pieces]
    lines += [_hole(number, place) for number, place in enumerate(HOLES_MM, 1)]
    corners = outline(p)
    for begin, end in zip(corners, corners[1:] + corners[:1], strict=True):
        lines.append(_line(begin, end, "Edge.Cuts", 0.1))
    lines += _marks(p or Parameters())
    for track in router.tracks:
        lines.append(
            f"  (segment (start {at(track.begin)}) (end {at(track.end)}) (width {TRACK_MM})"
            f' (layer "{track.layer}") (net {numbers[track.net]})'
            f" (tstamp {element('track', *track)}))\n"  # no text: KiCad
        )
    for via in router.vias:
        lines.append(
            f"  (via (at {at(via.at)}) (size {VIA_MM}) (drill {VIA_DRILL_MM})"  # no text: KiCad
            f' (layers "F.Cu" "B.Cu") (net {numbers[via.net]}) (tstamp {element("via", *via)}))\n'
        )
    lines += [_fill(layer, corners) for layer in ("F.Cu", "B.Cu")]
    return "".join([*lines, ")\n"])


def _footprint(piece: Piece, numbers: dict[str, int]) -> str:
    """Return a part; its own place is its first leg."""
    x, y = piece.legs[0].at
    lines = [
        f'  (footprint "city-unit:{piece.key}" (layer "F.Cu") (tstamp {element(piece.key)})\n'
        f"    (at {at((x, y))})\n"
        "    (attr through_hole)\n"  # no text: KiCad
        f'    (fp_text reference "{piece.key}" (at 0 -2.2) (layer "F.SilkS") {WORDS})\n'
        f'    (fp_text value "{piece.value}" (at 0 2.2) (layer "F.Fab") {WORDS})\n'
    ]
    for leg in piece.legs:
        shape = "rect" if leg.name == "1" else "circle"
        net = f' (net {numbers[leg.net]} "{leg.net}")' if leg.net else ""  # no text: KiCad
        lines.append(
            f'    (pad "{leg.name}" thru_hole {shape} (at {leg.at[0] - x:.4f} {leg.at[1] - y:.4f})'
            f" (size {PAD_MM} {PAD_MM}) (drill {DRILL_MM}) (layers *.Cu *.Mask){net}"
            f" (tstamp {element(piece.key, leg.name)}))\n"  # no text: KiCad
        )
    return "".join([*lines, "  )\n"])


def _hole(number: int, place: Place) -> str:
    key = f"H{number}"
    return (
        f'  (footprint "city-unit:{key}" (layer "F.Cu") (tstamp {element(key)}) (at {at(place)})\n'
        "    (attr exclude_from_pos_files exclude_from_bom)\n"
        f'    (fp_text reference "{key}" (at 0 -3) (layer "F.Fab") {WORDS})\n'
        f'    (fp_text value "M3" (at 0 3) (layer "F.Fab") {WORDS})\n'  # no text: KiCad
        f'    (pad "" np_thru_hole circle (at 0 0) (size {HOLE_MM} {HOLE_MM}) (drill {HOLE_MM})'
        f" (layers *.Cu *.Mask) (clearance 1.4) (tstamp {element(key, 'hole')}))\n  )\n"
    )


def _marks(p: Parameters) -> list[str]:
    """What a person reads on the board; names only, since a board has no language."""
    half, top = p.pico_width / 2, p.pico_middle - p.pico_length / 2 + 0.6
    foot = p.pico_middle + p.pico_length / 2
    corners = [(-half, top), (-half, foot), (half, foot), (half, top)]
    lines = [_line(begin, end, "F.SilkS", 0.15) for begin, end in pairwise(corners)]
    for words, place in (
        ("PICO BELOW", (0.0, foot - 12)),
        ("USB", (0.0, top + 3)),
        ("CITY UNIT - NEVER BUILT YET", (0.0, 7.0)),
        ("BUILD", (-34.5, -3.8)),
        ("+ -", (27.0, 6.6)),
    ):
        lines.append(
            f'  (gr_text "{words}" (at {at(place)}) (layer "F.SilkS")'
            f" (tstamp {element('text', words)}) {WORDS})\n"  # no text: KiCad
        )
    return lines


def _line(begin: Place, end: Place, layer: str, width: float) -> str:
    return (
        f'  (gr_line (start {at(begin)}) (end {at(end)}) (layer "{layer}") (width {width})'
        f" (tstamp {element(layer, begin, end)}))\n"  # no text: KiCad
    )


def _fill(layer: str, corners: list[Place]) -> str:
    places = " ".join(f"(xy {at(corner)})" for corner in corners)  # no text: KiCad
    return (
        f'  (zone (net 1) (net_name "{GROUND}") (layer "{layer}") (tstamp {element("fill", layer)})'
        f" (hatch edge 0.5) (connect_pads (clearance {CLEARANCE_MM + 0.1})) (min_thickness 0.25)"
        " (fill yes (thermal_gap 0.4) (thermal_bridge_width 0.5))"
        f" (polygon (pts {places})))\n"  # no text: KiCad
    )


# The schematic: each part a box with its legs, each leg with the name of its net.

SHEET = """(kicad_sch (version 20211123) (generator city_unit)
  (uuid {whole})
  (paper "A3")
  (title_block (title "City Unit") (comment 1 "Never built yet"))
  (lib_symbols
{symbols}  )
{placed}  (sheet_instances (path "/" (page "1")))
  (symbol_instances
{instances}  )
)
"""  # no text: KiCad
UNIT_MM, BOX_MM, LEG_MM = 2.54, 12.7, 5.08
COLUMN_MM, HIGHEST_MM = 66.04, 250.0
HIDDEN = "(effects (font (size 1.27 1.27)) hide)"
SEEN = "(effects (font (size 1.27 1.27)))"


def schematic(pieces: list[Piece]) -> str:
    """Return the text of the schematic."""
    symbols, placed, instances = [], [], []
    x, y = 50.8, 38.1
    for piece in pieces:
        rows = (len(piece.legs) + 1) // 2
        tall = UNIT_MM * (rows + 3)
        if y + tall > HIGHEST_MM:
            x, y = x + COLUMN_MM, 38.1
        symbols.append(_symbol(piece, rows))
        placed.append(_placed(piece, rows, (x, y)))
        instances.append(
            f'    (path "/{element("symbol", piece.key)}" (reference "{piece.key}") (unit 1)'
            f' (value "{piece.value}") (footprint "city-unit:{piece.key}"))\n'  # no text: KiCad
        )
        y += tall + UNIT_MM
    return SHEET.format(
        whole=element("sheet"),
        symbols="".join(symbols),
        placed="".join(placed),
        instances="".join(instances),
    )


def _leg_places(piece: Piece, rows: int) -> list[tuple[str, str, float, float]]:
    """Return each leg's name, net and place on its symbol, the y upwards: first half left."""
    found = []
    for number, leg in enumerate(piece.legs):
        x = -(BOX_MM + LEG_MM) if number < rows else BOX_MM + LEG_MM
        row = number if number < rows else number - rows
        found.append((leg.name, leg.net, x, -UNIT_MM * row))
    return found


def _symbol(piece: Piece, rows: int) -> str:
    prefix = piece.key.rstrip("0123456789")
    lines = [
        f'    (symbol "city-unit:{piece.key}" (in_bom yes) (on_board yes)\n'
        f'      (property "Reference" "{prefix}" (id 0) (at 0 3.81 0) {SEEN})\n'
        f'      (property "Value" "{piece.value}" (id 1) (at 0 6.35 0) {SEEN})\n'
        f'      (property "Footprint" "city-unit:{piece.key}" (id 2) (at 0 0 0) {HIDDEN})\n'
        f'      (symbol "{piece.key}_1_1"\n'
        f"        (rectangle (start {-BOX_MM} {UNIT_MM}) (end {BOX_MM} {-UNIT_MM * rows})"
        " (stroke (width 0.254) (type default)) (fill (type background)))\n"  # no text: KiCad
    ]
    for name, _net, x, y in _leg_places(piece, rows):
        turn = 0 if x < 0 else 180
        lines.append(
            f"        (pin passive line (at {x:g} {y:g} {turn}) (length {LEG_MM})"
            f' (name "{name}" {SEEN}) (number "{name}" {SEEN}))\n'  # no text: KiCad
        )
    return "".join([*lines, "      )\n    )\n"])


def _placed(piece: Piece, rows: int, middle: Place) -> str:
    x, y = middle
    lines = [
        f'  (symbol (lib_id "city-unit:{piece.key}") (at {x:g} {y:g} 0) (unit 1) (in_bom yes)'
        f" (on_board yes) (uuid {element('symbol', piece.key)})\n"  # no text: KiCad
        f'    (property "Reference" "{piece.key}" (id 0) (at {x:g} {y - 3.81:g} 0) {SEEN})\n'
        f'    (property "Value" "{piece.value}" (id 1) (at {x:g} {y - 6.35:g} 0) {SEEN})\n'
        f'    (property "Footprint" "city-unit:{piece.key}" (id 2) (at {x:g} {y:g} 0) {HIDDEN})\n'
    ]
    joints = []
    for name, net, leg_x, leg_y in _leg_places(piece, rows):
        lines.append(
            f'    (pin "{name}" (uuid {element("leg", piece.key, name)}))\n'  # no text: KiCad
        )  # no text: KiCad
        place = f"{x + leg_x:g} {y - leg_y:g}"
        if net:
            turn = 180 if leg_x < 0 else 0
            side = "right" if leg_x < 0 else "left"
            joints.append(
                f'  (global_label "{net}" (shape passive) (at {place} {turn})'
                f" (effects (font (size 1.27 1.27)) (justify {side}))"  # no text: KiCad
                f" (uuid {element('label', piece.key, name)}))\n"  # no text: KiCad
            )
        else:
            free = element("free", piece.key, name)
            joints.append(f"  (no_connect (at {place}) (uuid {free}))\n")  # no text: KiCad
    return "".join([*lines, "  )\n", *joints])
