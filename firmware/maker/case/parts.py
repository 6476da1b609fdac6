"""The case as solids: its five printed parts and their contents, each at its place in the disc."""

from math import cos, radians, sin

from build123d import (
    Align,
    Axis,
    Box,
    Circle,
    Cone,
    Cylinder,
    Part,
    Plane,
    Polygon,
    Pos,
    Rectangle,
    Rot,
    Sketch,
    Sphere,
    chamfer,
    extrude,
    offset,
)

from firmware.maker.case.parameters import HOLES_MM, SCREW_HEAD, Parameters

# The signs on the disc are flat outlines about 7 mm high. They consist of rectangles and polygons,
# so no font is needed.
STROKE = 1.3  # mm


def strokes(*lines: tuple[float, float, float, float]) -> Sketch:
    """Return horizontal and vertical strokes, each from (x, y) to (x, y), with square ends."""
    sign = Sketch()
    for x1, y1, x2, y2 in lines:
        middle = Pos((x1 + x2) / 2, (y1 + y2) / 2)
        sign += middle * Rectangle(abs(x2 - x1) + STROKE, abs(y2 - y1) + STROKE)
    return sign


def station() -> Sketch:
    """A locomotive from the front, on its rails."""
    body = Pos(0, 0.6) * Rectangle(5.4, 5.2)
    body -= Pos(0, 1.6) * Rectangle(3.4, 1.6)
    body -= Pos(-1.5, -0.9) * Circle(0.65) + Pos(1.5, -0.9) * Circle(0.65)
    left = Polygon((-1.8, -2.0), (-0.8, -2.0), (-2.6, -3.7), (-3.8, -3.7), align=None)
    right = Polygon((1.8, -2.0), (0.8, -2.0), (2.6, -3.7), (3.8, -3.7), align=None)
    return body + left + right


def gavel(scale: float = 1.0) -> Sketch:
    """An auctioneer's gavel over its block."""
    s = scale
    end = Rectangle(0.9 * s, 3.4 * s)
    head = Rectangle(4.6 * s, 2.6 * s)
    head += Pos(-2.5 * s, 0) * end + Pos(2.5 * s, 0) * end
    handle = Pos(0, -3.4 * s) * Rectangle(1.1 * s, 4.6 * s)
    hammer = Pos(-0.6 * s, 1.4 * s) * Rot(0, 0, 40) * (head + handle)
    return hammer + Pos(-1.6 * s, -3.6 * s) * Rectangle(4.0 * s, 1.1 * s)


def tower() -> Sketch:
    """A skyscraper between two lower houses."""
    houses = Pos(0, 0.2) * Rectangle(2.8, 6.6) + Pos(-2.5, -1.3) * Rectangle(2.2, 3.6)
    return houses + Pos(2.5, -0.7) * Rectangle(2.2, 4.8)


SIGNS = {
    "auction": gavel(),
    "1": strokes((0, -3, 0, 3), (-1.2, 3, 0, 3), (-1.5, -3, 1.5, -3)),
    "2": strokes((-1.8, 3, 1.8, 3), (-1.8, 0, 1.8, 0), (-1.8, -3, 1.8, -3))
    + strokes((1.8, 3, 1.8, 0), (-1.8, 0, -1.8, -3)),
    "3": strokes((-1.8, 3, 1.8, 3), (1.8, 3, 1.8, -3), (-0.8, 0, 1.8, 0), (-1.8, -3, 1.8, -3)),
    "station": station(),
    "cap": gavel(2.6) + (Circle(20.0) - Circle(18.8)),  # a large gavel in a ring
    "tower": tower(),
}


UP = (Align.CENTER, Align.CENTER, Align.MIN)  # above its origin
DOWN = (Align.CENTER, Align.CENTER, Align.MAX)  # below its origin

FLANGE = 2.9  # radius of a 5 mm LED's flange
SCREW_HOLE = 1.7  # radius of a clearance hole for M3
SCREW_BITE = 1.25  # radius of a hole in which an M3 screw cuts its thread
HELD = 0.1  # how far the ribs of a hole press into the part they hold


def parts(p: Parameters) -> dict[str, Part]:
    """Return the printed parts by name."""
    return {
        "base": base(p),
        "lid": lid(p),
        "auction": auction_cap(p),
        "build": build_cap(p),
        "door": door(p),
    }


def on_ring(radius: float, angle: float, z: float = 0) -> Pos:
    return Pos(radius * cos(radians(angle)), radius * sin(radians(angle)), z)


def tube(outer: float, inner: float, height: float) -> Part:
    return Cylinder(outer, height, align=UP) - Cylinder(inner, height, align=UP)


# The base, and the walls and posts in it.


def base(p: Parameters) -> Part:
    shell = Cylinder(p.radius, p.seam, align=UP)
    shell = chamfer(shell.edges().sort_by(Axis.Z)[0], 1.2)
    shell -= Pos(0, 0, p.floor) * Cylinder(p.inside, p.height, align=UP)
    shell += board_posts(p) if p.own_board else pico_mount(p) + auction_tower(p)
    shell += build_bracket(p) + battery_bay(p)
    shell -= door_plug(p, 0)
    shell += slide_block(p)
    shell -= slide_room(p)
    for angle in p.screw_angles:
        shell += on_ring(p.screw_ring, angle) * Cylinder(p.post, p.seam - 1, align=UP)
    for angle in p.screw_angles:
        shell -= on_ring(p.screw_ring, angle) * screw_hole(p)
    shell -= cable_slot(p)
    shell -= build_window(p, 0, p.inside - 2, p.radius + 2)
    return shell


def screw_hole(p: Parameters) -> Part:
    """A countersunk screw hole, from below: head, cone and shaft."""
    seat = p.height - p.top - 0.6 - p.screw_length
    hole = Cylinder(SCREW_HEAD, seat, align=UP)
    cone = SCREW_HEAD - SCREW_HOLE
    hole += Pos(0, 0, seat) * Cone(SCREW_HEAD, SCREW_HOLE, cone, align=UP)
    return hole + Cylinder(SCREW_HOLE, p.height, align=UP)


def pico_mount(p: Parameters) -> Part:
    """Four posts with pegs for the mounting holes, and two clips for the long edges."""
    mount = Part()
    y = p.pico_length / 2 - p.pico_hole_inset
    for x in (-p.pico_hole_apart / 2, p.pico_hole_apart / 2):
        for end in (-y, y):
            peg = Cylinder(p.pico_peg / 2, p.pico_lift + p.pico_thick + 0.8, align=UP)
            peg = chamfer(peg.edges().sort_by(Axis.Z)[-1], 0.4)
            mount += Pos(x, end, 0) * (Cylinder(2.0, p.pico_lift, align=UP) + peg)
    for turn in (0, 180):
        mount += Rot(0, 0, turn) * pico_clip(p)
    return Pos(0, p.pico_middle, p.floor) * mount


def board_posts(p: Parameters) -> Part:
    """Four posts in which the M3 x 8 screws of our printed board cut their thread."""
    top = p.auction_seat - p.board_thick
    posts = Part()
    for x, y in HOLES_MM:
        post = Cylinder(3.0, top - p.floor, align=UP)
        post -= Pos(0, 0, top - p.floor - 7) * Cylinder(SCREW_BITE, 8, align=UP)
        posts += Pos(-x, y, p.floor) * post
    return posts


def pico_clip(p: Parameters) -> Part:
    edge = p.pico_width / 2
    hold = p.pico_lift + p.pico_thick + 0.15  # just above the board
    profile = Polygon(
        (edge + 0.2, -0.1),
        (edge + 0.2 + p.inner_wall, -0.1),
        (edge + 0.2 + p.inner_wall, hold + 2.2),
        (edge + 0.8, hold + 2.2),
        (edge - 0.6, hold + 0.8),
        (edge - 0.6, hold + 0.6),
        (edge + 0.2, hold),
        align=None,
    )
    return Plane.XZ * extrude_both(profile, 6)


def extrude_both(profile: Sketch, width: float) -> Part:
    return extrude(profile, width / 2, both=True)


def cable_slot(p: Parameters) -> Part:
    width, height = p.cable_slot
    z = p.pico_bottom + p.pico_thick + 1.3  # the middle of the socket
    slot = chamfer(Box(width, 12, height).edges().filter_by(Axis.Y), 2)
    return Pos(0, -p.radius, z) * slot


def switch_cradle(p: Parameters) -> Part:
    """Two bars with a rim that hold a switch on z = 0; its legs hang between them."""
    room = p.switch_side / 2 + 0.15
    outer = room + p.inner_wall
    bars = Pos(0, 0, -p.switch_body) * Box(2 * outer, 2 * outer, p.switch_body + 2, align=UP)
    bars -= Box(2 * room, 2 * room, 3, align=UP)
    return bars - Pos(0, 0, -10) * Box(30, 7.5, 20, align=UP)


def auction_tower(p: Parameters) -> Part:
    side = p.switch_side + 0.3 + 2 * p.inner_wall
    foot = p.auction_seat - p.switch_body
    tower = Box(side, side, foot - p.floor, align=UP)
    tower -= Box(side + 1, 7.5, foot, align=UP)
    tower += Box(side, side, 2, align=UP)
    return Pos(0, 0, p.floor) * tower + Pos(0, 0, p.auction_seat) * switch_cradle(p)


def build_bracket(p: Parameters) -> Part:
    """Holds the BUILD switch upright with its stem outwards; the switch slides in from above."""
    seat = p.build_back - p.switch_height
    room = p.switch_side / 2 + 0.15
    outer = room + p.inner_wall
    top = p.build_middle + p.switch_side / 2
    bracket = Pos(seat - 2.4, 0, p.floor) * Box(
        3.8, 2 * outer, top - p.floor, align=(Align.MIN, Align.CENTER, Align.MIN)
    )
    ledge = p.build_middle - p.switch_side / 2 - 0.1
    bracket -= Pos(seat, 0, ledge) * Box(
        9, 2 * room, 30, align=(Align.MIN, Align.CENTER, Align.MIN)
    )
    return bracket - Pos(seat, 0, p.floor) * Box(9, 7.5, 40, align=UP)


def build_profile(p: Parameters, grow: float) -> Sketch:
    """The outline of the BUILD button, with corners cut so that it prints without supports."""
    outline = Rectangle(p.build_width + 2 * grow, p.build_height + 2 * grow)
    return chamfer(outline.vertices(), 3.5)


def build_window(p: Parameters, grow: float, start: float, end: float) -> Part:
    """The BUILD button's outline, from x = start to x = end."""
    plane = Plane((start, 0, p.build_middle), x_dir=(0, 1, 0), z_dir=(1, 0, 0))
    return extrude(plane * build_profile(p, grow), end - start)


def battery_bay(p: Parameters) -> Part:
    x, y = p.bay
    wall = 2 * p.inner_wall
    bay = Box(x + wall, y + wall, p.bay_top, align=UP)
    bay -= Box(x, y, 40, align=UP)
    stop = p.floor + p.holder[2] + 0.2  # keeps the holder from moving up
    for turn in (0, 180):
        wedge = Polygon(
            (y / 2 + 0.1, stop - 0.4),
            (y / 2 - 1.4, stop + 1.1),
            (y / 2 - 1.4, p.bay_top),
            (y / 2 + 0.1, p.bay_top),
            align=None,
        )
        bay += Rot(0, 0, turn) * (Plane.YZ * extrude_both(wedge, x * 0.6))
    bay += Pos(x / 2 + p.floor + 4.5, 0, 0) * Cylinder(p.post + 0.5, p.floor + 8, align=UP)
    bay -= Pos(-x / 2, 0, p.floor) * Box(8, 12.6, 3.0, align=UP)  # for the door's tongue
    return Pos(0, p.bay_middle, 0) * bay


def door_plug(p: Parameters, less: float) -> Part:
    """The door's opening in the floor or, smaller by `less`, the door itself.

    It is widest outside, so that neither needs supports and the door cannot fall in.
    """
    x, y = p.bay
    ear = Pos(x / 2 + p.floor + 2.6, 0) * Rectangle(14.2, 11)  # 1.2 mm and more around the head
    outside = Rectangle(x + 2 * p.floor, y + 2 * p.floor) + ear
    plug = Part()
    for outline in (outside, Rectangle(x + 2 * p.floor, y + 2 * p.floor)):
        plug += extrude(offset(outline, -less) if less else outline, p.floor, taper=45)
    at = Pos(x / 2 + p.floor + 4.5, 0, 0)
    if less:
        cone = SCREW_HEAD - SCREW_HOLE
        hole = Cone(SCREW_HEAD, SCREW_HOLE, cone, align=UP) + Cylinder(SCREW_HOLE, 9, align=UP)
        plug -= at * hole
    else:
        plug += at * Cylinder(SCREW_BITE, p.door_screw + 1, align=UP)
    return Pos(0, p.bay_middle, 0) * plug


def slide_block(p: Parameters) -> Part:
    """Raises the slide switch so that its lever stays above the table."""
    x, y, z = p.slide_body
    rim = 2 * p.inner_wall + p.gap
    block = Box(x + rim, y + rim, p.slide_lever[2] + 0.8 + z * 0.7, align=UP)
    foot = Cone(p.slide_lever[2] + 7.0, 5.5, p.slide_lever[2] + 0.8, align=UP)
    return Pos(*p.slide_at, 0) * (block + foot)


def slide_room(p: Parameters) -> Part:
    x, y, _ = p.slide_body
    seat = p.slide_lever[2] + 0.8
    room = Pos(0, 0, seat) * Box(x + p.gap, y + p.gap, 20, align=UP)
    lever = p.slide_lever
    room += Box(lever[0] + p.slide_travel + 0.6, lever[1] + 0.6, 20, align=UP)
    room += Cone(seat + 2.0, 3.2, seat - 1.2, align=UP)  # for a fingernail
    return Pos(*p.slide_at, 0) * room


# The lid.


def lid(p: Parameters) -> Part:
    shell = Pos(0, 0, p.seam) * Cylinder(p.radius, p.height - p.seam, align=UP)
    shell = chamfer(shell.edges().sort_by(Axis.Z)[-1], p.bevel)
    shell -= Pos(0, 0, p.seam - 1) * Cylinder(p.inside, p.ceiling - p.seam + 1, align=UP)
    shell += lid_lip(p)
    collar = p.ceiling - p.collar_bottom
    outer = p.auction_radius + p.gap + p.inner_wall
    shell += Pos(0, 0, p.collar_bottom) * Cylinder(outer, collar + 0.1, align=UP)
    shell -= Cylinder(p.auction_radius + p.gap, 99, align=UP)
    for name, angle in p.lamps:
        shell += on_ring(p.lamp_ring, angle, p.ceiling + 0.1) * Cylinder(4.4, 4.1, align=DOWN)
        shell -= on_ring(p.lamp_ring, angle) * lamp_room(p)
        shell -= engraved(p, name, on_ring(p.sign_ring, angle, p.height))
    for angle in p.screw_angles:
        shell += on_ring(p.screw_ring, angle, p.seam - 0.8) * Cylinder(
            p.post, p.ceiling - p.seam + 0.9, align=UP
        )
        shell -= on_ring(p.screw_ring, angle, p.seam - 1) * Cylinder(
            SCREW_BITE, p.ceiling + 0.6 - p.seam, align=UP
        )
    return shell + buzzer_pocket(p) - buzzer_grille(p)


def lid_lip(p: Parameters) -> Part:
    outer = p.inside - p.gap
    lip = tube(outer, outer - p.lip, p.lip_depth + 1)
    lip += Pos(0, 0, p.lip_depth) * tube(p.inside + 0.1, outer - p.lip, p.ceiling - p.seam)
    return Pos(0, 0, p.seam - p.lip_depth) * lip


def lamp_room(p: Parameters) -> Part:
    """A hole for an LED's dome, and below it a wider one with ribs that hold its flange."""
    room = Cylinder(p.lamp_hole / 2, 99, align=UP)
    below = Cylinder(FLANGE + 0.2, 99, align=DOWN) - ribs(FLANGE, DOWN)
    return room + Pos(0, 0, p.ceiling - 0.6) * below


def ribs(radius: float, align: tuple[Align, Align, Align]) -> Part:
    """Three ribs along the wall of a round hole, flattened by the part that is pressed in."""
    every = Part()
    for turn in (30, 150, 270):
        every += on_ring(radius - HELD + 0.5, turn) * Cylinder(0.5, 99, align=align)
    return every


def engraved(p: Parameters, name: str, at: Pos) -> Part:
    """The solid to remove for a sign; it is upright for the player at +y."""
    return at * Rot(0, 0, 180) * extrude(SIGNS[name], -p.engraving)


def buzzer_pocket(p: Parameters) -> Part:
    radius = p.buzzer[0] / 2
    pocket = tube(radius + 0.15 + p.inner_wall, radius + 0.15, 6.1)
    pocket += ribs(radius, UP) & Cylinder(radius + 0.3, 6.1, align=UP)
    return Pos(0, -p.lamp_ring, p.ceiling - 6) * pocket


def buzzer_grille(p: Parameters) -> Part:
    grille = Cylinder(1.0, 99)
    for place in range(6):
        grille += on_ring(3.2, 60 * place) * Cylinder(0.9, 99)
    return Pos(0, -p.lamp_ring, 0) * (grille & Pos(0, 0, p.height) * Box(20, 20, 6))


# The buttons and the door.


def auction_cap(p: Parameters) -> Part:
    top = p.height + p.auction_rise
    bottom = p.auction_bottom
    cap = Pos(0, 0, bottom) * Cylinder(p.auction_radius, top - bottom, align=UP)
    cap = chamfer(cap.edges().sort_by(Axis.Z)[-1], 2.0)
    flange = p.auction_radius + p.flange
    cap += Pos(0, 0, bottom) * Cone(flange, p.auction_radius, p.flange, align=UP)
    hollow = p.auction_radius - 2.0
    cap -= Pos(0, 0, bottom - 9) * Cylinder(hollow, top - 2.4 - bottom + 9, align=UP)
    stem = p.auction_seat + p.switch_height
    cap += Pos(0, 0, stem) * Cylinder(4.0, top - 2.0 - stem, align=UP)
    for turn in range(0, 180, 60):
        rib = Pos(0, 0, top - 2.0) * Box(2 * hollow + 1, 1.6, 3.0, align=DOWN)
        cap += Rot(0, 0, turn) * rib
    return cap - engraved(p, "cap", Pos(0, 0, top))


def build_cap(p: Parameters) -> Part:
    """A plunger with a flange behind the wall; printed standing on its back."""
    outside = Cylinder(p.radius + p.build_rise, 60)
    plunger = build_window(p, -p.gap, p.build_back, p.radius + 9) & outside
    behind = Cylinder(p.inside - p.gap, 60)
    flange = build_window(p, p.flange - p.gap, p.build_back, p.radius) & behind
    face = Plane((p.radius + p.build_rise - 0.7, 0, p.build_middle), (0, 1, 0), (1, 0, 0))
    return plunger + flange - extrude(face * SIGNS["tower"], 5)


def door(p: Parameters) -> Part:
    plate = door_plug(p, 0.25)
    x = -p.bay[0] / 2
    tongue = Polygon(
        (x + 2.3, p.floor - 1.4),
        (x + 0.3, p.floor),
        (x - 1.5, p.floor + 1.8),
        (x - 1.5, p.floor + 2.6),
        (x + 2.3, p.floor + 2.6),
        align=None,
    )
    return plate + Pos(0, p.bay_middle, 0) * (Plane.XZ * extrude_both(tongue, 12))


# The electronics as plain solids, for the picture and for tests that they fit; screws and paint.


def contents(p: Parameters) -> dict[str, Part]:
    """Return the electronics by name, each at its place."""
    found = {
        "pico": pico(p),
        "holder": holder(p),
        "auction switch": Pos(0, 0, p.auction_seat) * tactile(p),
        "build switch": Pos(p.build_back - p.switch_height, 0, p.build_middle)
        * Rot(0, 90, 0)
        * tactile(p),
        "slide switch": slide(p),
        "buzzer": Pos(0, -p.lamp_ring, p.ceiling - p.buzzer[1])
        * Cylinder(p.buzzer[0] / 2, p.buzzer[1], align=UP),
    }
    for name, angle in p.lamps:
        found[f"lamp {name}"] = on_ring(p.lamp_ring, angle, p.ceiling - 1.7) * led()
    return found


def pico(p: Parameters) -> Part:
    board = Box(p.pico_width, p.pico_length, p.pico_thick, align=UP)
    for x in (-p.pico_hole_apart / 2, p.pico_hole_apart / 2):
        for y in (-1, 1):
            end = y * (p.pico_length / 2 - p.pico_hole_inset)
            board -= Pos(x, end, -1) * Cylinder(1.05, 5, align=UP)
    socket = Pos(0, -p.pico_length / 2 + 1.5, p.pico_thick) * Box(7.6, 5.6, 2.7, align=UP)
    chip = Pos(0, 2, p.pico_thick) * Box(7, 7, 0.9, align=UP)
    return Pos(0, p.pico_middle, p.pico_bottom) * (board + socket + chip)


def holder(p: Parameters) -> Part:
    x, y, z = p.holder
    box = Box(x, y, z, align=UP)
    for cell in range(p.cells):
        middle = (cell - (p.cells - 1) / 2) * 11.7
        box -= Pos(0, middle, 0) * Rot(0, 90, 0) * Cylinder(5.5, 46)
        box += Pos(0, middle, 5.4) * Rot(0, 90, 0) * Cylinder(5.2, 44)
    return Pos(p.tongue / 2, p.bay_middle, p.floor) * box


def tactile(p: Parameters) -> Part:
    body = Box(p.switch_side, p.switch_side, p.switch_body, align=UP)
    body += Cylinder(3.4, p.switch_height, align=UP)
    for x in (-6.0, 6.0):
        for y in (-2.5, 2.5):
            body += Pos(x, y, -3.0) * Box(0.6, 1.0, 4.0, align=UP)
    return body


def slide(p: Parameters) -> Part:
    x, y, z = p.slide_body
    lever = p.slide_lever
    seat = Pos(*p.slide_at, lever[2] + 0.8)
    body = Box(x, y, z, align=UP)
    knob = Box(lever[0], lever[1], lever[2], align=(Align.CENTER, Align.CENTER, Align.MAX))
    return seat * (body + Pos(p.slide_travel / 2, 0, 0) * knob)


def led() -> Part:
    """A 5 mm LED with the underside of its flange at z = 0."""
    dome = Cylinder(2.5, 6.1, align=UP) + Pos(0, 0, 6.1) * (Sphere(2.5) & Box(6, 6, 6, align=UP))
    legs = Pos(1.27, 0, -4) * Box(0.5, 0.5, 4.2, align=UP)
    legs += Pos(-1.27, 0, -4) * Box(0.5, 0.5, 4.2, align=UP)
    return dome + Cylinder(FLANGE, 1.0, align=UP) + legs


def screws(p: Parameters) -> Part:
    """The four screws of the lid."""
    cone = SCREW_HEAD - SCREW_HOLE
    screw = Cone(SCREW_HEAD - 0.2, 1.5, cone, align=UP) + Cylinder(1.5, p.screw_length, align=UP)
    seat = p.ceiling - 0.6 - p.screw_length
    every = Part()
    for angle in p.screw_angles:
        every += on_ring(p.screw_ring, angle, seat + 0.2) * screw
    return every


def paint(p: Parameters) -> Part:
    """The paint in the signs."""
    half = p.engraving / 2
    filled = Part()
    for name, angle in p.lamps:
        filled += Pos(0, 0, -half) * engraved(p, name, on_ring(p.sign_ring, angle, p.height))
    return filled


def cap_paint(p: Parameters) -> Part:
    return engraved(p, "cap", Pos(0, 0, p.height + p.auction_rise - p.engraving / 2))
