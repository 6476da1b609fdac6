"""What is on the board of our own: its parts, where they sit, and which net each leg is on.

Millimetres from the middle of the disc, to the right and down, the player below, seen from
above. The board lies in the case at the height of the AUCTION switch; the Pico hangs from it
with its socket down, so that its left edge is on the right; the cells stand in the gap below.
"""

from math import atan2, cos, degrees, hypot, radians, sin
from typing import NamedTuple

from firmware.boards import describe
from firmware.headers import PICO
from firmware.maker.case.parameters import Parameters
from firmware.maker.wiring.branches import BUZZER_OHMS, LAMP_OHMS, LAMPS, branches
from firmware.maker.wiring.inside import PITCH_MM, ROW_MM, places

PINS = "opposite = 17\n"  # the buzzer lies between two pins
GROUND, SUPPLY = "GND", "VSYS"
GRID_MM = PITCH_MM / 4  # legs and tracks lie on it; a track goes between two pins of a Pico
RADIUS_MM = 49.5  # within the posts of the case's screws
TAB_MM = 11.5  # half of what reaches to the wall beneath the Pico's socket
GAP_MM = (30.2, 8.8)  # the cells: half as wide, and from there down
FOOT_MM = 22.0  # where the two arms beside the cells end
NOTCH_MM = (44.5, 8.5)  # for what holds the BUILD switch
STEP_DEGREES = 3  # of the rim, which is drawn in short lines
LONG_MM, SHORT_MM = 10.16, 2.54  # from leg to leg of a resistor, and of a lamp

Place = tuple[float, float]


class Leg(NamedTuple):
    """A hole with its pad: its name on the part, its place, and the net that it is on."""

    name: str
    at: Place
    net: str  # "" if nothing is joined to it


class Piece(NamedTuple):
    """A part of the board: `key` is its name on the drawing, `value` what is bought."""

    key: str
    value: str
    legs: tuple[Leg, ...]


def snapped(p: Parameters, at: Place) -> Place:
    """Return the nearest place of the grid, which begins at the Pico's middle."""
    x = round(at[0] / GRID_MM) * GRID_MM
    y = p.pico_middle + round((at[1] - p.pico_middle) / GRID_MM) * GRID_MM
    return round(x, 4), round(y, 4)


def pieces(p: Parameters | None = None) -> list[Piece]:
    """Return every part of the board."""
    p = p or Parameters()
    wired = {branch.key: branch for branch in branches("pico", describe("pico", PINS))}
    nets = {branch.pin: branch.pin for branch in wired.values()}
    found = [_pico(p, nets)]

    def two(key: str, value: str, middle: Place, way: Place, first: str, second: str) -> None:
        half = way[0] / 2, way[1] / 2
        begin = snapped(p, (middle[0] - half[0], middle[1] - half[1]))
        end = snapped(p, (middle[0] + half[0], middle[1] + half[1]))
        found.append(Piece(key, value, (Leg("1", begin, first), Leg("2", end, second))))

    found.append(_auction_switch(p, wired["auction-button"].pin))
    two("J1", "BUILD", (-40.0, -3.8), (0, SHORT_MM), wired["build-button"].pin, GROUND)
    two("J2", "CELLS + -", (27.0, 3.8), (SHORT_MM, 0), "CELLS", GROUND)
    two("J3", "ON/OFF", (33.0, -8.0), (0, SHORT_MM), "CELLS", "SWITCHED")
    two("D1", "1N5817", (19.0, -29.0), (0, LONG_MM), SUPPLY, "SWITCHED")
    where = places(p)
    beside = ((-17.0, 3.0), (-37.0, 14.0), (-24.0, -29.0), (21.0, -9.0), (37.0, 14.0))
    for number, key in enumerate(LAMPS, 1):
        lit, driven = f"LAMP{number}", wired[key].pin
        way = (LONG_MM, 0) if number in (1, 3) else (0, LONG_MM)
        two(f"R{number}", f"{LAMP_OHMS}", beside[number - 1], way, driven, lit)
        if key == "auction-lamp":  # it stands beyond the cells, at the end of two wires
            two("J4", "AUCTION LAMP + -", (-24.0, 7.0), (SHORT_MM, 0), lit, GROUND)
        else:
            two(
                f"D{number}",
                "LED 5 mm red",  # no text: for a shop
                where[key],
                (0, SHORT_MM),
                lit,
                GROUND,  # no text: for a shop
            )  # no text: what a shop reads
    legs = (("piezo-buzzer", -15.0, "BUZZER1"), ("other-leg", 15.0, "BUZZER2"))
    for number, (key, x, net) in enumerate(legs, len(LAMPS) + 1):
        two(f"R{number}", f"{BUZZER_OHMS}", (x, -37.5), (0, LONG_MM), wired[key].pin, net)
    two("BZ1", "piezo", where["piezo-buzzer"], (2 * SHORT_MM, 0), "BUZZER1", "BUZZER2")
    return found


def _pico(p: Parameters, nets: dict[str, str]) -> Piece:
    legs = []
    top = p.pico_middle - PITCH_MM * (len(PICO.left) - 1) / 2
    for side, labels, x in (("left", PICO.left, ROW_MM), ("right", PICO.right, -ROW_MM)):
        for row, label in enumerate(labels):
            net = {"GND": GROUND, "VSYS": SUPPLY}.get(label, nets.get(label, ""))
            at = snapped(p, (x, top + PITCH_MM * row))
            legs.append(Leg(str(PICO.number(side, row)), at, net))
    return Piece("U1", "Raspberry Pi Pico", tuple(legs))


def _auction_switch(p: Parameters, pin: str) -> Piece:
    """Two legs that stand diagonally: right whichever way round it is put in."""
    nets = {(-1, -1): pin, (1, 1): GROUND}
    legs = [
        Leg(str(number), snapped(p, (6.35 * x, 2.54 * y)), nets.get((x, y), ""))
        for number, (x, y) in enumerate(((-1, -1), (1, -1), (-1, 1), (1, 1)), 1)
    ]
    return Piece("SW1", "AUCTION 12 x 12 mm", tuple(legs))


def outline(p: Parameters | None = None) -> list[Place]:
    """Return the corners of the board, clockwise from the Pico's socket."""
    p = p or Parameters()
    top = -(p.inside - p.pico_from_wall)

    def rim(begin: Place, end: Place) -> list[Place]:
        """Follow the circle clockwise between two places on it."""
        return [
            (RADIUS_MM * sin(radians(angle)), -RADIUS_MM * cos(radians(angle)))
            for angle in range(0, 360, STEP_DEGREES)
            if _angle(begin) < angle < _angle(end)
        ]

    tab = (RADIUS_MM**2 - TAB_MM**2) ** 0.5
    arm = (RADIUS_MM**2 - FOOT_MM**2) ** 0.5
    notch = (RADIUS_MM**2 - NOTCH_MM[1] ** 2) ** 0.5
    right = [(TAB_MM, top), (TAB_MM, -tab), *rim((TAB_MM, -tab), (arm, FOOT_MM)), (arm, FOOT_MM)]
    below = [(GAP_MM[0], FOOT_MM), GAP_MM, (-GAP_MM[0], GAP_MM[1]), (-GAP_MM[0], FOOT_MM)]
    left = [(-arm, FOOT_MM), *rim((-arm, FOOT_MM), (-notch, NOTCH_MM[1])), (-notch, NOTCH_MM[1])]
    held = [(-NOTCH_MM[0], NOTCH_MM[1]), (-NOTCH_MM[0], -NOTCH_MM[1]), (-notch, -NOTCH_MM[1])]
    back = [*rim((-notch, -NOTCH_MM[1]), (-TAB_MM, -tab)), (-TAB_MM, -tab), (-TAB_MM, top)]
    return [(round(x, 3), round(y, 3)) for x, y in (*right, *below, *left, *held, *back)]


def _angle(at: Place) -> float:
    """Return the degrees clockwise from the top."""
    return degrees(atan2(at[0], -at[1])) % 360


def to_edge(at: Place, corners: list[Place]) -> float:
    """Return how far a place is inside the outline, mm; negative if it is outside."""
    inside, nearest = False, float("inf")
    for (x, y), (far_x, far_y) in zip(corners, corners[1:] + corners[:1], strict=True):
        if (y > at[1]) != (far_y > at[1]) and at[0] < x + (at[1] - y) * (far_x - x) / (far_y - y):
            inside = not inside
        length = (far_x - x) ** 2 + (far_y - y) ** 2
        share = ((at[0] - x) * (far_x - x) + (at[1] - y) * (far_y - y)) / length
        share = min(1.0, max(0.0, share))
        away = hypot(at[0] - x - share * (far_x - x), at[1] - y - share * (far_y - y))
        nearest = min(nearest, away)
    return nearest if inside else -nearest
