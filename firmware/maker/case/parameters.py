"""The dimensions of the case in millimetres; all of them are defined here.

The disc lies on the plane z = 0, centred on the z axis. Seen from above, the player sits at +y,
BUILD is at +x, and the USB socket at -y.
"""

from dataclasses import dataclass
from math import radians, sin

from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.forms import any_of, number

THIN = lazy("{name} is {mm} mm; it needs 1.2 mm, three printed lines")
TIGHT = lazy("gap is {mm} mm; printed parts need 0.2 mm to move")
HIGH = lazy("the cells reach up to {mm} mm, into the AUCTION button")
WIDE = lazy("the battery bay reaches into the wall; use a diameter above {mm} mm")
CLOSE = lazy("the lamp {name} is {mm} mm from another lamp or the buzzer, too close")
CELLS = lazy("cells is {cells}; there are holders for {counts}")

# The outer dimensions of a flat holder with wires, by the number of AAA cells.
HOLDERS = {2: (52.5, 25.5, 13.2), 3: (52.5, 37.5, 13.2)}


SCREW_HEAD = 3.2  # radius of an M3 countersunk head, with a little clearance
# The M3 screw holes of our printed board.
HOLES_MM = ((-22.0, -20.0), (22.0, -20.0), (-38.0, 3.0), (38.0, 3.0))


@dataclass(frozen=True)
class Parameters:
    # The shell.
    diameter: float = 128.0
    height: float = 28.0  # of the shell; the AUCTION button rises above it
    seam: float = 21.0  # height at which the lid meets the base
    wall: float = 2.4
    floor: float = 2.4
    top: float = 2.4
    bevel: float = 3.0  # of the lid's rim, 45 degrees
    lip: float = 1.8  # thickness of the lid's lip, which fits inside the base
    lip_depth: float = 3.0
    inner_wall: float = 1.6  # of all walls inside
    gap: float = 0.3  # between parts that move or are inserted by hand
    engraving: float = 0.6  # depth of the signs

    # The lamps: 5 mm LEDs on a ring, with the buzzer; their angles from +x.
    lamp_ring: float = 44.0  # radius
    lamps: tuple[tuple[str, float], ...] = (
        ("auction", 90),  # nearest to the player
        ("1", 18),
        ("2", -54),
        ("3", -126),
        ("station", -198),
    )
    lamp_hole: float = 5.2
    sign_ring: float = 54.0  # radius of the ring of signs beside the lamps

    # AUCTION, a cap over a square tactile switch with a round stem.
    switch_side: float = 12.0
    switch_body: float = 3.6  # height without the stem
    switch_height: float = 7.3  # height with the stem
    travel: float = 0.5  # clearance below a button; such a switch needs 0.25 to 0.4
    auction_radius: float = 25.0
    auction_rise: float = 4.0  # above the lid
    flange: float = 2.5  # how far a button's edge reaches behind the shell

    # BUILD, in the side.
    build_width: float = 20.0
    build_height: float = 11.0
    build_middle: float = 10.2  # above the table
    build_rise: float = 2.0  # beyond the wall

    # A Raspberry Pi Pico, any of the four: board, mounting holes, USB socket.
    pico_length: float = 51.0
    pico_width: float = 21.0
    pico_thick: float = 1.0
    pico_hole_inset: float = 2.0  # from the short edge
    pico_hole_apart: float = 11.4  # across the board
    pico_peg: float = 1.9  # the holes are 2.1
    pico_lift: float = 4.0  # above the floor, for solder and wires
    pico_from_wall: float = 2.1  # from the board's edge to the inside of the wall
    own_board: bool = False  # our printed board (`maker/pcb`) instead of loose parts
    board_thick: float = 1.6
    cable_slot: tuple[float, float] = (13.0, 9.0)  # fits the sleeve of a plug

    # The rest.
    cells: int = 2  # AAA, 2 or 3
    tongue: float = 2.5  # space beside the cells for the tongue of the door
    slide_body: tuple[float, float, float] = (8.6, 3.7, 3.5)  # slide switch SS12D00G4
    slide_lever: tuple[float, float, float] = (1.6, 1.2, 4.0)
    slide_travel: float = 2.0
    slide_at: tuple[float, float] = (-38.0, -8.0)
    buzzer: tuple[float, float] = (12.0, 9.5)  # diameter, height
    screw_ring: float = 54.5  # radius of the ring of screws, M3 x 16 countersunk
    screw_length: float = 16.0
    screw_wall: float = 1.2  # around a head, where the screw pulls
    screw_angles: tuple[float, ...] = (35.0, 145.0, 222.0, 318.0)
    door_screw: float = 8.0  # length of the screw of the battery door, M3

    # Derived dimensions.

    @property
    def radius(self) -> float:
        return self.diameter / 2

    @property
    def inside(self) -> float:
        """The inner radius of the shell."""
        return self.radius - self.wall

    @property
    def ceiling(self) -> float:
        return self.height - self.top

    @property
    def holder(self) -> tuple[float, float, float]:
        return HOLDERS[self.cells]

    @property
    def bay(self) -> tuple[float, float]:
        """The inner dimensions of the battery bay, x and y."""
        return self.holder[0] + 2 * self.gap + self.tongue, self.holder[1] + 2 * self.gap

    @property
    def bay_middle(self) -> float:
        """The y of the battery bay's centre."""
        return self.switch_side / 2 + 5 + self.bay[1] / 2

    @property
    def post(self) -> float:
        """The radius of the post around a screw."""
        return SCREW_HEAD + self.screw_wall

    @property
    def bay_top(self) -> float:
        return self.floor + self.holder[2] + self.inner_wall

    @property
    def pico_bottom(self) -> float:
        return self.floor + self.pico_lift

    @property
    def pico_middle(self) -> float:
        """The y of the Pico's centre."""
        return -(self.inside - self.pico_from_wall - self.pico_length / 2)

    @property
    def collar_bottom(self) -> float:
        """The lowest z of the lid's collar, which guides the AUCTION cap and holds it in."""
        return self.seam + 0.6

    @property
    def auction_bottom(self) -> float:
        """The lowest z of the AUCTION cap at rest; its flange rises at 45 degrees."""
        return self.collar_bottom - 0.2 - (self.flange - self.gap)

    @property
    def auction_seat(self) -> float:
        """The z of the AUCTION switch."""
        return self.bay_top - 4

    @property
    def build_back(self) -> float:
        """The x of the BUILD cap's back, at the end of its switch's stem."""
        return self.inside - 6


_BUZZER_ANGLE = -90  # on the ring of the lamps
_LAMP_ROOM = 4.4  # radius of the wall around a lamp


def dimension_errors(p: Parameters) -> list[str]:
    """Return the errors in the dimensions, one line each."""
    found = []
    thicknesses = {
        "wall": p.wall,
        "floor": p.floor,
        "top under the signs": p.top - p.engraving,
        "lip": p.lip,
        "inner_wall": p.inner_wall,
        "screw_wall": p.screw_wall,
    }
    for name, thickness in thicknesses.items():
        if thickness < 1.2:
            found.append(THIN.format(name=name, mm=number(thickness, 1)))
    if p.cells not in HOLDERS:
        found.append(CELLS.format(cells=p.cells, counts=any_of(sorted(HOLDERS))))
        return found
    if p.gap < 0.2:
        found.append(TIGHT.format(mm=number(p.gap, 2)))
    if p.bay_top + p.travel + 0.5 > p.auction_bottom:
        found.append(HIGH.format(mm=number(p.bay_top, 1)))
    far = (p.bay[0] / 2 + p.inner_wall, p.bay_middle + p.bay[1] / 2 + p.inner_wall)
    if (far[0] ** 2 + far[1] ** 2) ** 0.5 > p.inside - p.lip - p.gap:
        found.append(WIDE.format(mm=p.diameter))
    if p.pico_middle + p.pico_length / 2 > -p.switch_side / 2 - p.inner_wall:
        found.append(_("the Pico reaches into the AUCTION switch"))
    if p.lamp_ring - 4 < p.auction_radius + p.flange + p.inner_wall:
        found.append(_("the lamps reach into the AUCTION button"))
    on_ring = [(p.buzzer[0] / 2 + p.inner_wall, _BUZZER_ANGLE)]
    for name, angle in p.lamps:
        for room, other in on_ring:
            apart = 2 * p.lamp_ring * abs(sin(radians((angle - other) / 2)))
            if apart < room + _LAMP_ROOM:
                found.append(CLOSE.format(name=name, mm=number(apart, 1)))
        on_ring.append((_LAMP_ROOM, angle))
    return found
