"""A picture of the board of our own: its outline, its copper, its parts."""

from firmware.maker.case.parameters import HOLES_MM, Parameters
from firmware.maker.pcb.circuit import GROUND, Piece, Place, outline
from firmware.maker.pcb.route import HOLE_MM, PAD_MM, TRACK_MM, Router
from firmware.maker.wiring.svg import Sheet

SCALE = 7.0  # px a mm
MIDDLE = 390.0, 470.0  # px, of the disc
WIDTH, HEIGHT = 780, 700
COPPER = {"F.Cu": "#d8392b", "B.Cu": "#3d7fd6"}
PLATE, GOLD, INK = "#14683c", "#d9b44a", "#ffffff"
LETTER = 12


def drawn(pieces: list[Piece], router: Router) -> str:
    """Return the SVG, seen from above; the ground's fill is left out."""
    p = Parameters()
    sheet = Sheet()
    title = "City Unit"  # no text: a name
    sheet.rect(0, 0, WIDTH, HEIGHT, fill="#f7f8fb")
    corners = " ".join("{:.1f},{:.1f}".format(*_at(corner)) for corner in outline(p))
    sheet.add("polygon", points=corners, fill=PLATE, stroke="#22262e", stroke_width=2)
    x, y = _at((-p.pico_width / 2, p.pico_middle - p.pico_length / 2))
    size = SCALE * p.pico_width, SCALE * p.pico_length
    sheet.rect(x, y, *size, fill="none", stroke=INK, stroke_dasharray="6 5")
    for track in router.tracks:
        (x, y), (far_x, far_y) = _at(track.begin), _at(track.end)
        ends = {"x1": x, "y1": y, "x2": far_x, "y2": far_y}
        copper = {"stroke": COPPER[track.layer], "stroke_width": SCALE * TRACK_MM}
        sheet.add("line", **ends, **copper, stroke_linecap="round")
    for via in router.vias:
        sheet.circle(*_at(via.at), SCALE * 0.4, fill=GOLD)
    for place in HOLES_MM:
        sheet.circle(*_at(place), SCALE * HOLE_MM / 2, fill="#f7f8fb", stroke=INK)
    for piece in pieces:
        _draw_piece(sheet, piece)
    return sheet.drawn(WIDTH, HEIGHT, title)


def _at(place: Place) -> Place:
    return MIDDLE[0] + SCALE * place[0], MIDDLE[1] + SCALE * place[1]


def _draw_piece(sheet: Sheet, piece: Piece) -> None:
    if len(piece.legs) == 2:
        (x, y), (far_x, far_y) = (_at(leg.at) for leg in piece.legs)
        sheet.add("line", x1=x, y1=y, x2=far_x, y2=far_y, stroke=INK, stroke_width=1.5)
    for leg in piece.legs:
        colour = "#22262e" if leg.net == GROUND else GOLD
        sheet.circle(*_at(leg.at), SCALE * PAD_MM / 2, fill=GOLD)
        sheet.circle(*_at(leg.at), SCALE * 0.5, fill=colour if leg.net else PLATE)
    xs, ys = zip(*(_at(leg.at) for leg in piece.legs), strict=True)
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    sheet.text(x + 8, y + 4, piece.key, LETTER, fill=INK, font_weight="bold")
