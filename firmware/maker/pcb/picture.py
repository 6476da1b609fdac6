"""A picture of the board of our own: its outline, copper, parts, and which way round they sit.

As on the board, the square pad is a part's first leg: plus of a lamp and of the cells, the ring
of the diode, GP0 of the Pico.
"""

from firmware.maker.case.parameters import HOLES_MM, Parameters
from firmware.maker.pcb.circuit import Piece, Place, outline
from firmware.maker.pcb.route import HOLE_MM, PAD_MM, TRACK_MM, Router
from firmware.maker.wiring.svg import Sheet

SCALE = 7.0  # px a mm
MIDDLE = 390.0, 470.0  # px, of the disc
WIDTH, HEIGHT = 780, 700
COPPER = {"F.Cu": "#d8392b", "B.Cu": "#3d7fd6"}
PLATE, GOLD, INK = "#14683c", "#d9b44a", "#ffffff"
LETTER = 12
DRILL_MM, BODY_MM, LED_MM = 1.0, 2.4, 5.0  # of a leg's hole, across a resistor, of a lamp
POLES = ("LED", "AUCTION LAMP", "CELLS")  # no text: how the values of parts begin
# Where a part's name stands, mm from its middle, where that is not right of it.
NAMES_MM = {
    "U1": (0.0, 3.0),
    "BZ1": (0.0, -3.6),
    "J1": (-2.6, 0.6),
    "J2": (0.0, -1.6),
    "J3": (2.6, 0.6),
    "J4": (6.2, 0.6),
    "SW1": (0.0, 0.6),
    "R1": (0.0, -1.6),
    "R3": (0.0, -1.6),
    "R5": (-3.0, 0.6),
    "D2": (0.0, 4.6),
    "D5": (0.0, 4.6),
}
BESIDE_MM = 3.0, 0.6
POLE_MM = 1.9  # from a leg to its plus or minus


def drawn(pieces: list[Piece], router: Router) -> str:
    """Return the SVG, seen from above; the ground's fill is left out."""
    p = Parameters()
    sheet = Sheet()
    title = "City Unit"  # no text: a name
    sheet.rect(0, 0, WIDTH, HEIGHT, fill="#f7f8fb")
    corners = " ".join("{:.1f},{:.1f}".format(*on_the_picture(corner)) for corner in outline(p))
    sheet.add("polygon", points=corners, fill=PLATE, stroke="#22262e", stroke_width=2)
    x, y = on_the_picture((-p.pico_width / 2, p.pico_middle - p.pico_length / 2))
    size = SCALE * p.pico_width, SCALE * p.pico_length
    sheet.rect(x, y, *size, fill="none", stroke=INK, stroke_dasharray="6 5")
    for track in router.tracks:
        (x, y), (far_x, far_y) = on_the_picture(track.begin), on_the_picture(track.end)
        ends = {"x1": x, "y1": y, "x2": far_x, "y2": far_y}
        copper = {"stroke": COPPER[track.layer], "stroke_width": SCALE * TRACK_MM}
        sheet.add("line", **ends, **copper, stroke_linecap="round")
    for via in router.vias:
        sheet.circle(*on_the_picture(via.at), SCALE * 0.4, fill=GOLD)
    for place in HOLES_MM:
        sheet.circle(*on_the_picture(place), SCALE * HOLE_MM / 2, fill="#f7f8fb", stroke=INK)
    for piece in pieces:
        _draw_body(sheet, piece, p)
    for piece in pieces:
        _draw_legs(sheet, piece)
    socket, foot = p.pico_middle - p.pico_length / 2, p.pico_middle + p.pico_length / 2
    _say(sheet, "USB", (0.0, socket + 4))  # no text: as it stands on the board
    _say(sheet, "PICO BELOW", (0.0, foot - 12))  # no text: as it stands on the board
    return sheet.drawn(WIDTH, HEIGHT, title)


def on_the_picture(place: Place) -> Place:
    """Return where a place of the board is, px."""
    return MIDDLE[0] + SCALE * place[0], MIDDLE[1] + SCALE * place[1]


def _say(sheet: Sheet, words: str, place: Place, size: float = LETTER) -> None:
    x, y = on_the_picture(place)
    halo = {"stroke": PLATE, "stroke_width": 3, "paint_order": "stroke"}
    sheet.text(x, y, words, size, fill=INK, font_weight="bold", text_anchor="middle", **halo)


def _middle(piece: Piece) -> Place:
    xs, ys = zip(*(leg.at for leg in piece.legs), strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)


def _draw_body(sheet: Sheet, piece: Piece, p: Parameters) -> None:
    """Draw the outline of what is soldered in."""
    middle, style = _middle(piece), {"fill": "none", "stroke": INK, "stroke_width": 1.5}
    (first, *_others, last) = (leg.at for leg in piece.legs)
    if piece.key.startswith("BZ"):
        sheet.circle(*on_the_picture(middle), SCALE * p.buzzer[0] / 2, **style)
    elif piece.key.startswith("SW"):
        side = p.switch_side
        x, y = on_the_picture((middle[0] - side / 2, middle[1] - side / 2))
        sheet.rect(x, y, SCALE * side, SCALE * side, **style)
    elif piece.value.startswith("LED"):
        sheet.circle(*on_the_picture(middle), SCALE * LED_MM / 2, **style)
    elif len(piece.legs) == 2:
        (x, y), (far_x, far_y) = on_the_picture(first), on_the_picture(last)
        sheet.add("line", x1=x, y1=y, x2=far_x, y2=far_y, stroke=INK, stroke_width=1.5)
        if piece.key[0] in "RD":
            _draw_lying(sheet, piece, style)


def _draw_lying(sheet: Sheet, piece: Piece, style: dict) -> None:
    """Draw a resistor, or a diode with its ring at its first leg."""
    (x, y), (far_x, far_y) = (leg.at for leg in piece.legs)
    level = abs(far_x - x) > abs(far_y - y)
    long = 0.6 * max(abs(far_x - x), abs(far_y - y))
    size = (long, BODY_MM) if level else (BODY_MM, long)
    middle = _middle(piece)
    corner = on_the_picture((middle[0] - size[0] / 2, middle[1] - size[1] / 2))
    sheet.rect(*corner, SCALE * size[0], SCALE * size[1], rx=3, **style)
    if piece.key.startswith("D"):
        share = 0.26  # of the way from the first leg, near the end of its body
        ring = (x + share * (far_x - x), y + share * (far_y - y))
        wide = (0.8, BODY_MM) if level else (BODY_MM, 0.8)
        corner = on_the_picture((ring[0] - wide[0] / 2, ring[1] - wide[1] / 2))
        kind = {"class": "ring"}
        sheet.rect(*corner, SCALE * wide[0], SCALE * wide[1], fill=INK, **kind)


def _draw_legs(sheet: Sheet, piece: Piece) -> None:
    """Draw the pads, the first one square; then which is plus, and the name of the part."""
    for leg in piece.legs:
        x, y = on_the_picture((leg.at[0] - PAD_MM / 2, leg.at[1] - PAD_MM / 2))
        wide, kind = SCALE * PAD_MM, {"class": "pad"}
        sheet.rect(x, y, wide, wide, rx=0 if leg.name == "1" else wide / 2, fill=GOLD, **kind)
        hole = "#22262e" if leg.net else PLATE
        sheet.circle(*on_the_picture(leg.at), SCALE * DRILL_MM / 2, fill=hole)
    if piece.key == "U1":
        x, y = piece.legs[0].at
        _say(sheet, "GP0", (x - 3.2, y + 0.6))
    if piece.value.startswith(POLES):
        signs = ("+", "-") if piece.key.startswith("J") else ("+",)
        for sign, leg, other in zip(signs, piece.legs, piece.legs[::-1], strict=False):
            away = [(here - there) for here, there in zip(leg.at, other.at, strict=True)]
            length = (away[0] ** 2 + away[1] ** 2) ** 0.5
            x, y = (at + POLE_MM * step / length for at, step in zip(leg.at, away, strict=True))
            _say(sheet, sign, (x, y + 0.7), 16)
    right, down = NAMES_MM.get(piece.key, BESIDE_MM)
    if piece.value.startswith("LED") and piece.key not in NAMES_MM:
        right += LED_MM / 2 - BODY_MM / 2
    middle = _middle(piece)
    _say(sheet, piece.key, (middle[0] + right, middle[1] + down))
