"""Draws the board and the city on it.

Track, streets and empty plots are drawn once for each size of the window and cached. `City` redraws
a plot when its buildings have changed. Tokens, dice and outlines are drawn over it each frame.
"""

import math
import random
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise

import pygame

from city_game.kernel.board import Board
from city_game.kernel.money import show
from city_game.seats import SEATS
from city_game.table.buildings import draw
from city_game.table.layout import NAMEPLATE_SHARE, NARROW, TOKEN, Layout
from city_game.table.picture import Ink, Pen, View, badge, centred, in_lines, ink_on, shade
from city_game.table.view import Plot
from city_unit.desktop.catalogue import Lazy, _, lazy, speaking
from sim.face.geometry import Box
from sim.face.paint import Colour, Point, mix, text_width

CLOSE = 0.92  # pitch of the lines on a space, in heights of letters
SMALLEST = 0.5  # least half height of an icon, in heights of letters; smaller ones are left out
# Thickness of the frame round a plot, and the part of it outside, on the paving; px. The name keeps
# nearly the whole width, and two neighbouring frames fit in the smallest window.
FRAME, OUTSIDE = 4, 2
GRASS = (126, 170, 116)
MEADOW = (140, 182, 124)
STREET = (112, 118, 128)
LINE = (226, 220, 196)
PAVING = (212, 204, 186)


def space_name(board: Board, kind: str) -> str:
    return str(board.edition.words.spaces.get(kind) or SPACES[kind][0])


def colour_of(board: Board, group: int) -> Colour:
    code = board.groups[group].colour
    return int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16)


def board_picture(layout: Layout, board: Board) -> pygame.Surface:
    """Return the background of the whole window, with the empty board."""
    surface = pygame.Surface((layout.width, layout.height))
    surface.fill(Ink.NIGHT)
    pen = Pen(surface, layout.text)
    pygame.draw.rect(
        surface, shade(Ink.PAPER_EDGE, 0.4), pygame.Rect(layout.board), border_radius=10
    )
    # Streets between the quarters; the main ones have white lines.
    ground = pygame.Rect(layout.board.shrink(layout.spaces[0].width))
    pygame.draw.rect(surface, STREET, ground)
    grain = random.Random(7)
    for _speck in range(240):
        x = grain.randrange(ground.left, ground.right)
        y = grain.randrange(ground.top, ground.bottom)
        surface.set_at((x, y), shade(STREET, 0.12))
    first = layout.groups[0]
    columns = sorted({round(box.left) for box in layout.groups})
    if len(columns) > 1:
        middle = (first.right + columns[1]) / 2
        _dashes(surface, (middle, ground.top), (middle, ground.bottom))
    rows = sorted({round(box.top) for box in layout.groups})
    for above, below in pairwise(rows):
        middle = (above + first.height + below) / 2
        _dashes(surface, (ground.left, middle), (ground.right, middle))
    for box in layout.groups:
        quarter = pygame.Rect(box.shrink(-layout.text * 0.22))
        pygame.draw.rect(surface, PAVING, quarter, border_radius=5)
    # The empty plots: tufts of grass, a few trees along the back, a street, the name.
    for deed, box in enumerate(layout.plots):
        rect, grain = pygame.Rect(box), random.Random(deed)
        colour = colour_of(board, board.group_of[deed])
        pygame.draw.rect(surface, mix(GRASS, colour, 0.09), rect, border_radius=4)
        front = rect.bottom - rect.height * NAMEPLATE_SHARE
        for _tuft in range(26):
            x = grain.randrange(rect.left + 3, rect.right - 3)
            y = grain.randrange(rect.top + 3, int(front))
            pygame.draw.line(surface, MEADOW, (x, y), (x + 2, y - 2))
        tree = round(min(rect.height * 0.2, rect.width * 0.5))
        for _tree in range(grain.randrange(3, 6)):
            x = grain.randrange(rect.left + tree // 2, rect.right - tree // 2)
            at = (x, rect.top + rect.height * (0.2 + 0.26 * grain.random()))
            pen.put(draw("tree", tree, tree, grain.randrange(3)), at, "midbottom")
        band = pygame.Rect(rect.left, round(front), rect.width, rect.bottom - round(front))
        round_off = {"border_bottom_left_radius": 4, "border_bottom_right_radius": 4}
        pygame.draw.rect(surface, colour, band, **round_off)
        pygame.draw.rect(surface, PAVING, (rect.left, band.top - 3, rect.width, 3))
        is_narrow = rect.width < layout.text * NARROW
        # At least the part of the frame inside the plot.
        margin = max(FRAME - OUTSIDE, round(layout.text * 0.16)) + (0 if is_narrow else 2)
        room = rect.width - 2 * margin if is_narrow else rect.width * 0.8
        at = (band.left + margin, band.centery)
        pen.write(board.deeds[deed].name, at, ink_on(colour), "midleft", room)
    size = pen.size
    for space, box in enumerate(layout.spaces):
        rect = pygame.Rect(box).inflate(-2, -2)
        kind, deed = board.kinds[space], board.deed_on[space]
        _name, tint, paint = SPACES.get(kind, ("", Ink.PAPER, chance))
        pygame.draw.rect(surface, tint, rect, border_radius=4)
        pygame.draw.rect(surface, shade(tint, 0.14), rect, 1, border_radius=4)
        if deed >= 0:
            band, face = band_and_face(rect, layout.sides[space])
            pygame.draw.rect(surface, colour_of(board, board.group_of[deed]), band)
            width = face.width - 4
            lines = in_lines(board.deeds[deed].name, size, width, 2)
            pen.write_lines(lines, (face.centerx, face.top + 4), Ink.DARK, "midtop", width, CLOSE)
            continue
        width = rect.width - 4
        lines = in_lines(space_name(board, kind), size, width, 2)
        tall = len(lines) * size * CLOSE + (size if kind == "tax" else 0)
        icon = min(rect.width * 0.24, rect.height * 0.24, (rect.height - tall - 3) / 2.2)
        top = rect.bottom - tall - 3
        if icon >= size * SMALLEST:
            paint(surface, (rect.centerx, rect.top + icon * 1.15), icon)
        else:
            top = rect.centery - tall / 2
        top = pen.write_lines(lines, (rect.centerx, top), Ink.DARK, "midtop", width, CLOSE)
        if kind == "tax":
            pen.write(show(board.taxes[space]), (rect.centerx, top), Ink.PALE_INK, "midtop")
    return surface


def _dashes(surface: pygame.Surface, start: Point, end: Point) -> None:
    length, across = max(end[0] - start[0], end[1] - start[1]), end[0] > start[0]
    for at in range(4, int(length), 16):
        x, y = (start[0] + at, start[1]) if across else (start[0], start[1] + at)
        pygame.draw.line(surface, LINE, (x, y), (x + 7, y) if across else (x, y + 7))


def band_and_face(rect: pygame.Rect, side: str) -> tuple[pygame.Rect, pygame.Rect]:
    """Return the colour band of a deed's space, at the side of the city, and the rest of it."""
    thick = max(6, round(min(rect.size) * 0.17))
    band, face = rect.copy(), rect.copy()
    if side in ("left", "right"):
        band.width, face.width = thick, rect.width - thick
        far = band if side == "left" else face
        far.right = rect.right
    else:
        band.height, face.height = thick, rect.height - thick
        far = band if side == "top" else face
        far.bottom = rect.bottom
    return band, face


def station_box(rect: pygame.Rect, side: str, size: int) -> pygame.Rect:
    """Return the box of a station: at one end of the colour band, reaching into the lane.

    The rest of the space is full with name and rent. At that end of the band, stations on both
    sides of a board's corner stay apart, and the token in the middle of the space stays visible.
    """
    band = band_and_face(rect.inflate(-2, -2), side)[0].inflate(2, 2)
    box = pygame.Rect(0, 0, round(size * 1.5), round(size * 1.5))
    corners = {"left": "topleft", "top": "topright", "right": "bottomright"}
    corner = corners.get(side, "bottomleft")
    setattr(box, corner, getattr(band, corner))
    return box


# Icons of the spaces, drawn around a point; `size` is half their size.


def _around(at: Point, size: float, *corners: Point) -> list[Point]:
    """Scale corners by a size and move them to a point."""
    return [(at[0] + x * size, at[1] + y * size) for x, y in corners]


def go(surface: pygame.Surface, at: Point, size: float) -> None:
    head = ((-0.4, -0.1), (-1, -0.1), (0, -1), (1, -0.1), (0.4, -0.1))
    pygame.draw.polygon(surface, (64, 140, 74), _around(at, size, (-0.4, 1), *head, (0.4, 1)))


def chance(surface: pygame.Surface, at: Point, size: float) -> None:
    x, y = at
    for angle, paint in ((-6, (232, 176, 96)), (4, (196, 120, 52))):
        card = centred((x + angle * size / 16, y + angle / 3), size * 1.2, size * 1.7)
        pygame.draw.rect(surface, paint, card, border_radius=3)
    pygame.draw.circle(
        surface, Ink.PAPER, (x + size * 0.25, y), size * 0.32, max(2, round(size / 8))
    )


def chest(surface: pygame.Surface, at: Point, size: float) -> None:
    """Draw a chest with a lock, for the second deck."""
    x, y = at
    lid = pygame.Rect(0, 0, size * 1.9, size * 0.7)
    lid.midbottom = (round(x), round(y))
    body = pygame.Rect(0, 0, size * 1.9, size * 0.9)
    body.midtop = (round(x), round(y + 1))
    pygame.draw.rect(surface, (112, 142, 186), lid, border_radius=4)
    pygame.draw.rect(surface, (82, 110, 156), body, border_radius=2)
    lock = centred((x, y + size * 0.1), size * 0.4, size * 0.5)
    pygame.draw.rect(surface, (244, 214, 130), lock, border_radius=2)


def auction(surface: pygame.Surface, at: Point, size: float) -> None:
    x, y = at
    wood = (150, 74, 52)
    pygame.draw.line(surface, wood, (x - size * 0.1, y), (x + size * 0.9, y + size * 0.7), 4)
    head = _around(at, size, (-1, 0), (-0.2, -0.9), (0.3, -0.4), (-0.5, 0.5))
    pygame.draw.polygon(surface, wood, head)
    pygame.draw.rect(surface, shade(wood, 0.3), (x - size, y + size * 0.7, size * 1.3, size * 0.3))


def planning(surface: pygame.Surface, at: Point, size: float) -> None:
    pygame.draw.rect(surface, (58, 104, 168), centred(at, size * 2, size * 1.5), border_radius=2)
    house = _around(at, size, (-0.5, 0.5), (-0.5, -0.1), (0, -0.5), (0.5, -0.1), (0.5, 0.5))
    pygame.draw.lines(surface, (230, 238, 250), True, house, max(1, round(size / 8)))


def tax(surface: pygame.Surface, at: Point, size: float) -> None:
    x, y = at
    grey = (104, 98, 124)
    pygame.draw.rect(surface, grey, (x - size, y, size * 1.6, size * 0.9))
    for tooth in range(3):
        left = x - size + tooth * size * 0.53
        pygame.draw.polygon(
            surface, grey, [(left, y), (left, y - size * 0.4), (left + size * 0.53, y)]
        )
    pygame.draw.rect(
        surface, shade(grey, 0.3), (x + size * 0.68, y - size, size * 0.28, size * 1.9)
    )


def jail(surface: pygame.Surface, at: Point, size: float) -> None:
    x, y = at
    pygame.draw.rect(
        surface, (92, 92, 100), (x - size, y - size, size * 2, size * 2), border_radius=3
    )
    for bar in range(4):
        left = x - size * 0.75 + bar * size * 0.5
        pygame.draw.line(surface, (214, 214, 220), (left, y - size), (left, y + size - 1), 3)


def parking(surface: pygame.Surface, at: Point, size: float) -> None:
    x, y = at
    box = pygame.Rect(x - size, y - size, size * 2, size * 2)
    pygame.draw.rect(surface, (46, 128, 96), box, border_radius=4)
    stem = pygame.Rect(x - size * 0.45, y - size * 0.65, size * 0.3, size * 1.3)
    pygame.draw.rect(surface, Ink.PAPER, stem)
    ring = pygame.Rect(x - size * 0.45, y - size * 0.65, size, size * 0.82)
    thick, corner = max(2, round(size * 0.27)), round(size * 0.4)
    pygame.draw.rect(surface, Ink.PAPER, ring, thick, border_radius=corner)
    pygame.draw.rect(surface, Ink.PAPER, stem)


def go_to_jail(surface: pygame.Surface, at: Point, size: float) -> None:
    pygame.draw.circle(surface, (58, 74, 120), at, size)
    head = ((0.1, -0.2), (0.1, -0.6), (0.7, 0), (0.1, 0.6), (0.1, 0.2))
    pygame.draw.polygon(surface, Ink.PAPER, _around(at, size, (-0.6, -0.2), *head, (-0.6, 0.2)))


# kind of space: its name ("" if the edition names it), its tint and its icon
SPACES: dict[str, tuple[Lazy | str, Colour, Callable[[pygame.Surface, Point, float], None]]] = {
    "go": (lazy("GO"), (196, 226, 186), go),
    "chance": (lazy("Chance"), (250, 222, 176), chance),
    "chest": ("", (206, 220, 242), chest),
    "auction": ("", (246, 200, 186), auction),
    "planning": ("", (200, 222, 240), planning),
    "tax": (lazy("Tax"), (222, 214, 232), tax),
    "jail": (lazy("Jail, just visiting"), (216, 214, 210), jail),
    "parking": (lazy("Free parking"), (206, 230, 216), parking),
    "go to jail": (lazy("Go to jail"), (216, 214, 210), go_to_jail),
}


DICE_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
PIP = (44, 40, 48)
TOP = 0.612  # radius of a dodecahedron's top pentagon, as a share of its outline's
FINENESS = 4  # oversampling of a twelve-sided die


class City:
    """Board and city at one size; a plot is redrawn when it has changed."""

    def __init__(self, layout: Layout, board: Board) -> None:
        self._layout = layout
        self._bare = board_picture(layout, board)
        self._built = self._bare.copy()
        self._pen = Pen(self._built, layout.text)
        self._shown: list[Plot | None] = [None] * len(layout.plots)
        self._spaces = [deed.space for deed in board.deeds]

    def picture(self, plots: tuple[Plot, ...]) -> pygame.Surface:
        """Return the city with the buildings on its plots."""
        for deed, plot in enumerate(plots):
            if plot != self._shown[deed]:
                self._shown[deed] = plot
                box = self._layout.plots[deed]
                self._clear(pygame.Rect(box).inflate(2 * OUTSIDE, 2 * OUTSIDE))
                paint_plot(self._pen, box, plot, deed)
                space = self._spaces[deed]
                side = self._layout.sides[space]
                area = pygame.Rect(self._layout.spaces[space])
                self._clear(area.union(station_box(area, side, self._layout.text)))
                paint_space(self._pen, area, side, plot)
                self._built.set_clip(None)
        return self._built

    def _clear(self, area: pygame.Rect) -> None:
        """Restore the bare ground of an area, and clip drawing to it."""
        self._built.set_clip(area)
        self._built.blit(self._bare, area, area)


@lru_cache(maxsize=1)
def city_at(layout: Layout, board: Board, language: str) -> City:
    """Return the cached city; another layout, board or language (of its names) needs a new one."""
    return City(layout, board)


def paint_city(pen: Pen, layout: Layout, view: View) -> None:
    """Draw board and city, and the outlines, pointers, tokens and dice on them."""
    pen.target.blit(city_at(layout, view.state.board, speaking()).picture(view.plots), (0, 0))
    for deed in view.outlined:
        frame = pygame.Rect(layout.plots[deed]).inflate(2 * OUTSIDE, 2 * OUTSIDE)
        pygame.draw.rect(pen.target, Ink.BRIGHT, frame, FRAME, border_radius=6)
    for deed in view.pointed:
        ink = Ink.PAPER if view.is_bright else Ink.GOLD
        frame = pygame.Rect(layout.plots[deed]).inflate(6, 6)
        pygame.draw.rect(pen.target, ink, frame, 4, border_radius=7)
        x, y = frame.centerx, frame.top + 4
        points = [(x, y), (x - 9, y - 14), (x + 9, y - 14)]
        pygame.draw.polygon(pen.target, (30, 30, 36), [(x, y + 2) for x, y in points])
        pygame.draw.polygon(pen.target, ink, points)
    # Each token stands on its space beside the others, or hops to the next one.
    state, spaces, size = view.state, len(layout.spaces), round(layout.text * TOKEN)
    alive = [player for player in range(state.players) if state.alive[player]]
    standing = [view.places[player] for player in alive]
    placed: list[int] = []
    for player, place in zip(alive, standing, strict=True):
        space, part = int(place) % spaces, place - int(place)
        if part:
            near = layout.stand(space, 0, 1)
            far = layout.stand((space + 1) % spaces, 0, 1)
            x = near[0] + (far[0] - near[0]) * part
            y = near[1] + (far[1] - near[1]) * part - (abs(part - 0.5) * -size + size * 0.5)
        else:
            x, y = layout.stand(space, placed.count(space), standing.count(space))
            placed.append(space)
        if player == state.turn and state.phase != "over":
            pygame.draw.circle(pen.target, (20, 20, 26), (x, y + 1), size * 0.62)
            pygame.draw.circle(pen.target, Ink.GOLD, (x, y), size * 0.6, 2)
        pen.put(badge(player, size), (x, y))
    draw_die = twelve_sided_die if state.edition.sides == 12 else _die
    size = round(layout.text * 3.2)
    middle = layout.city.middle
    for place, die in enumerate(view.dice):
        x, y = middle[0] + (place - 0.5) * size * 1.25, middle[1]
        fallen = pygame.Rect(0, 0, size, round(size * (0.9 - 0.4 * die.raised)))
        fallen.center = round(x) + 3, round(y + size * 0.1) + 5
        round_off = size if draw_die is twelve_sided_die else 10
        pygame.draw.rect(pen.target, shade(Ink.PAPER, 0.45), fallen, border_radius=round_off)
        sprite = draw_die(size, die.face)
        if die.turned:
            sprite = pygame.transform.rotozoom(sprite, die.turned, 1)
        pen.put(sprite, (x, y - die.raised * size))


@lru_cache(maxsize=12)
def _die(size: int, face: int) -> pygame.Surface:
    sprite = pygame.Surface((size, size), pygame.SRCALPHA)
    pygame.draw.rect(sprite, Ink.PAPER, sprite.get_rect(), border_radius=10)
    if face not in DICE_PIPS:
        Pen(sprite, round(size * 0.5)).write(str(face), (size / 2, size / 2), PIP, "center")
    for x, y in DICE_PIPS.get(face, ()):
        at = (size / 2 + x * size * 0.26, size / 2 + y * size * 0.26)
        pygame.draw.circle(sprite, PIP, at, size * 0.09)
    return sprite.premul_alpha()


@lru_cache(maxsize=24)
def twelve_sided_die(size: int, face: int) -> pygame.Surface:
    """Return a dodecahedron seen from above: a numbered pentagon with five more around it."""
    fine = size * FINENESS
    sprite = pygame.Surface((fine, fine), pygame.SRCALPHA)

    def corner(turn: float, share: float) -> Point:
        angle = math.radians(72 * turn - 90)
        reach = fine * share / 2
        return fine / 2 + reach * math.cos(angle), fine / 2 + reach * math.sin(angle)

    for side in range(5):
        outer = [corner(side + step / 2, 0.99) for step in range(3)]
        rest = [corner(side + 1, TOP), corner(side, TOP)]
        # Light from the top left, as on the buildings.
        dark = 0.05 + 0.11 * (1 + math.cos(math.radians(72 * side + 36 - 135)))
        pygame.draw.polygon(sprite, shade(Ink.PAPER, dark), outer + rest)
        pygame.draw.lines(
            sprite, shade(Ink.PAPER, 0.45), False, [rest[0], *outer[::-1], rest[1]], 3
        )
    top = [corner(side, TOP) for side in range(5)]
    pygame.draw.polygon(sprite, Ink.PAPER, top)
    pygame.draw.lines(sprite, shade(Ink.PAPER, 0.45), True, top, 3)
    letters, middle = round(fine * 0.34), fine * 0.52
    Pen(sprite, letters).write(str(face), (fine / 2, middle), PIP, "center")
    if face in (6, 9):  # underlined, since each is the other upside down
        line = centred((fine / 2, middle + letters * 0.45), letters * 0.5, fine * 0.025)
        pygame.draw.rect(sprite, PIP, line)
    return pygame.transform.smoothscale(sprite, (size, size)).premul_alpha()


BACK, FRONT = 0.47, 0.75  # ground lines of the two rows of buildings, in heights of the plot
FEWEST, MOST = 5.5, 8.6  # pieces in a row: where they are widest, and where of normal height


def paint_plot(pen: Pen, box: Box, plot: Plot, deed: int) -> None:
    """Draw the buildings of a deed, and its owner's badge and rent, or its price.

    Landmarks form the back row. The front row has the pieces, homes before factories, each from 3
    blocks to 1.
    """
    slot = min(box.width / max(1, len(plot.look.landmarks)), box.width * 0.42)
    left = box.left + (box.width - slot * len(plot.look.landmarks)) / 2
    ground = box.top + box.height * BACK
    for place, kind in enumerate(plot.look.landmarks):
        tall = kind in ("skyscraper", "tower")
        width = round(slot * (0.62 if tall else 0.9))
        height = round(min(box.height * 0.5, slot * 1.7) if tall else min(slot, box.height * 0.4))
        middle = left + slot * (place + 0.5)
        pen.put(draw(kind, width, round(height * plot.grown)), (middle, ground), "midbottom")
    row = [
        (name, floors, piece)
        for name, pieces in (("home", plot.look.homes), ("works", plot.look.works))
        for floors in (3, 2, 1)
        for piece in range(pieces[floors - 1])
    ]
    slot = box.width / max(FEWEST, len(row) + 0.6)
    base_height = box.height * (1 + 0.25 * (slot * MOST / box.width - 1))
    ground = box.top + box.height * FRONT
    left = box.left + (box.width - slot * len(row)) / 2
    for name, floors, piece in row:
        height = round(base_height * (0.1 + 0.1 * floors) * plot.grown)
        sprite = draw(f"{name} {floors}", round(slot), height, deed + piece)
        pen.put(sprite, (left, ground + piece % 2), "bottomleft")
        left += slot
    if plot.owner < 0:
        _flag(pen, box, show(plot.price), Ink.PAPER, Ink.PALE_INK)
        return
    plate, colour = box.height * NAMEPLATE_SHARE, SEATS[plot.owner][0]
    frame = pygame.Rect(box).inflate(2 * OUTSIDE, 2 * OUTSIDE)
    pygame.draw.rect(pen.target, shade(colour, 0.25), frame, FRAME, border_radius=6)
    pygame.draw.rect(pen.target, colour, frame.inflate(-2, -2), 2, border_radius=5)
    size = round(min(plate * 0.82, pen.size * 1.2))
    is_narrow = box.width < pen.size * NARROW
    top = box.top + size * 0.75 if is_narrow else box.bottom - plate / 2
    pen.put(badge(plot.owner, size), (box.right - size * 0.62, top))
    room = box._replace(width=box.width - size * 1.2) if is_narrow else box
    if plot.is_mortgaged:
        _flag(pen, room, _("mortgaged"), Ink.DARK, Ink.BRIGHT)
    else:
        rent = show(plot.rent) + (" ×2" if plot.look.is_doubled else "")
        _flag(pen, room, rent, colour, Ink.DARK)


def paint_space(pen: Pen, rect: pygame.Rect, side: str, plot: Plot) -> None:
    """Draw a deed's space: owner, rent and station, or the price."""
    size, (_band, room) = pen.size, band_and_face(rect.inflate(-2, -2), side)
    foot = pygame.Rect(room.left + 2, room.bottom - round(size * 1.45), room.width - 4, size * 1.35)
    if plot.look.has_station:
        box = station_box(rect, side, size)
        pen.put(draw("station", *box.size), box.center)
    if plot.owner < 0:
        pen.write(show(plot.price), foot.center, Ink.PALE_INK, "center", foot.width)
        return
    words = show(0 if plot.is_mortgaged else plot.rent)
    colour, ink = (Ink.DARK, Ink.BRIGHT) if plot.is_mortgaged else (SEATS[plot.owner][0], Ink.DARK)
    pygame.draw.rect(pen.target, colour, foot, border_radius=3)
    mark = round(size * 1.2)
    pen.put(badge(plot.owner, mark), (foot.left + mark * 0.55, foot.centery))
    left = foot.left + mark * 1.1
    pen.write(words, ((left + foot.right) / 2, foot.centery), ink, "center", foot.right - left - 1)


def _flag(pen: Pen, box: Box, words: str, colour: Colour, ink: Colour) -> None:
    size = pen.size
    width = min(text_width(words, size) + size * 0.6, box.width - 6)
    flag = pygame.Rect(0, 0, width, size * 1.25)
    flag.topleft = (round(box.left) + 4, round(box.top) + 4)
    pygame.draw.rect(pen.target, shade(colour, 0.35), flag.move(1, 2), border_radius=4)
    pygame.draw.rect(pen.target, colour, flag, border_radius=4)
    pen.write(words, flag.center, ink, "center", width - 4)
