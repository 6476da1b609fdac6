"""The board itself: track, streets and empty plots. Drawn once for a size, then kept."""

import random
from itertools import pairwise

import pygame

from city_game.kernel.board import Board
from city_game.kernel.money import show
from city_game.table.paint.buildings import draw
from city_game.table.paint.drawing import (
    DARK,
    NIGHT,
    PALE_INK,
    PAPER,
    PAPER_EDGE,
    in_lines,
    ink_on,
    shade,
    write,
    write_lines,
)
from city_game.table.paint.layout import NARROW, PLATE, Layout
from city_unit.desktop.catalogue import lazy
from sim.face.box import Box
from sim.face.paint import Colour, Point, mix, put

SPACES = {
    "go": lazy("GO"),
    "chance": lazy("Chance"),
    "tax": lazy("Tax"),
    "jail": lazy("Jail, just visiting"),
    "parking": lazy("Free parking"),
    "go to jail": lazy("Go to jail"),
}


CLOSE = 0.92  # from line to line on a space, in heights of letters
SMALLEST = 0.5  # half an icon's height, in heights of letters, below which it shows nothing
GRASS = (126, 170, 116)
MEADOW = (140, 182, 124)
STREET = (112, 118, 128)
LINE = (226, 220, 196)
PAVING = (212, 204, 186)
SPACE_TINTS = {
    "go": (196, 226, 186),
    "chance": (250, 222, 176),
    "chest": (206, 220, 242),
    "auction": (246, 200, 186),
    "planning": (200, 222, 240),
    "tax": (222, 214, 232),
    "jail": (216, 214, 210),
    "parking": (206, 230, 216),
    "go to jail": (216, 214, 210),
}


def space_name(board: Board, kind: str) -> str:
    return str(board.edition.words.spaces.get(kind) or SPACES[kind])


def colour_of(board: Board, group: int) -> Colour:
    code = board.groups[group].colour
    return int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16)


def board_picture(layout: Layout, board: Board) -> pygame.Surface:
    """Return the whole window's background with the board on it."""
    surface = pygame.Surface((layout.width, layout.height))
    surface.fill(NIGHT)
    pygame.draw.rect(surface, shade(PAPER_EDGE, 0.4), pygame.Rect(layout.board), border_radius=10)
    _land(surface, layout)
    for box in layout.groups:
        quarter = pygame.Rect(box.shrink(-layout.text * 0.22))
        pygame.draw.rect(surface, PAVING, quarter, border_radius=5)
    for deed, box in enumerate(layout.plots):
        _plot(surface, box, layout, board, deed)
    for space, box in enumerate(layout.spaces):
        _space(surface, box, layout, board, space)
    return surface


def _land(surface: pygame.Surface, layout: Layout) -> None:
    """Draw the ground of the city: meadows, streets between the quarters, and trees."""
    depth = layout.spaces[0].width
    ground = pygame.Rect(layout.board.shrink(depth))
    pygame.draw.rect(surface, STREET, ground)
    grain = random.Random(7)
    for _ in range(240):
        x, y = (
            grain.randrange(ground.left, ground.right),
            grain.randrange(ground.top, ground.bottom),
        )
        surface.set_at((x, y), shade(STREET, 0.12))
    # The white lines of the two main streets.
    columns = sorted({round(box.left) for box in layout.groups})
    if len(columns) > 1:
        first = layout.groups[0]
        x = (first.right + columns[1]) / 2
        _dashes(surface, (x, ground.top), (x, ground.bottom))
    rows = sorted({round(box.top) for box in layout.groups})
    for above, below in pairwise(rows):
        y = (above + layout.groups[0].height + below) / 2
        _dashes(surface, (ground.left, y), (ground.right, y))


def _dashes(surface: pygame.Surface, start: Point, end: Point) -> None:
    length = max(end[0] - start[0], end[1] - start[1])
    step = 16
    across = end[0] > start[0]
    for at in range(4, int(length), step):
        if across:
            pygame.draw.line(
                surface, LINE, (start[0] + at, start[1]), (start[0] + at + 7, start[1])
            )
        else:
            pygame.draw.line(
                surface, LINE, (start[0], start[1] + at), (start[0], start[1] + at + 7)
            )


def _plot(surface: pygame.Surface, box: Box, layout: Layout, board: Board, deed: int) -> None:
    rect = pygame.Rect(box)
    colour = colour_of(board, board.group_of[deed])
    pygame.draw.rect(surface, mix(GRASS, colour, 0.09), rect, border_radius=4)
    plate = rect.height * PLATE
    _greenery(surface, rect, plate, random.Random(deed))
    # A street of its own in front of the houses, then the plate with its name.
    front = rect.bottom - plate
    band = pygame.Rect(rect.left, round(front), rect.width, rect.bottom - round(front))
    pygame.draw.rect(
        surface, colour, band, border_bottom_left_radius=4, border_bottom_right_radius=4
    )
    pygame.draw.rect(surface, PAVING, (rect.left, band.top - 3, rect.width, 3))
    name = board.deeds[deed].name
    is_narrow = rect.width < layout.text * NARROW
    room = rect.width - 4 if is_narrow else rect.width * 0.8
    write(
        surface,
        name,
        (band.left + (2 if is_narrow else 5), band.centery),
        layout.text,
        ink_on(colour),
        "midleft",
        room,
    )


def _greenery(
    surface: pygame.Surface, rect: pygame.Rect, plate: float, grain: random.Random
) -> None:
    """Draw tufts of grass, and a few trees along the back of the plot."""
    for _ in range(26):
        x = grain.randrange(rect.left + 3, rect.right - 3)
        y = grain.randrange(rect.top + 3, int(rect.bottom - plate))
        pygame.draw.line(surface, MEADOW, (x, y), (x + 2, y - 2))
    size = round(rect.height * 0.2)
    for _ in range(grain.randrange(3, 6)):
        x = grain.randrange(rect.left + size // 2, rect.right - size // 2)
        y = rect.top + rect.height * (0.2 + 0.26 * grain.random())
        put(surface, draw("tree", size, size, grain.randrange(3)), (x, y), "midbottom")


def _space(surface: pygame.Surface, box: Box, layout: Layout, board: Board, space: int) -> None:
    rect = pygame.Rect(box).inflate(-2, -2)
    kind = board.kinds[space]
    tint = SPACE_TINTS.get(kind, PAPER)
    pygame.draw.rect(surface, tint, rect, border_radius=4)
    pygame.draw.rect(surface, shade(tint, 0.14), rect, 1, border_radius=4)
    deed = board.deed_on[space]
    if deed >= 0:
        _deed_space(surface, rect, layout, board, space, deed)
    else:
        _plain_space(surface, rect, layout, board, space)


def _deed_space(
    surface: pygame.Surface,
    rect: pygame.Rect,
    layout: Layout,
    board: Board,
    space: int,
    deed: int,
) -> None:
    colour = colour_of(board, board.group_of[deed])
    thick = _band(rect)
    band = {
        "left": (rect.right - thick, rect.top, thick, rect.height),
        "right": (rect.left, rect.top, thick, rect.height),
        "top": (rect.left, rect.bottom - thick, rect.width, thick),
        "bottom": (rect.left, rect.top, rect.width, thick),
        "corner": (rect.left, rect.top, rect.width, thick),
    }[layout.sides[space]]
    pygame.draw.rect(surface, colour, band)
    room = face_of(rect, layout.sides[space])
    size, wide = layout.text, room.width - 4
    lines = in_lines(board.deeds[deed].name, size, wide, 2)
    at = (room.centerx, room.top + 4)
    write_lines(surface, lines, at, size, DARK, "midtop", wide, CLOSE)


def face_of(rect: pygame.Rect, side: str) -> pygame.Rect:
    """Return what of a deed's space lies beside the band of its colour."""
    thick = _band(rect)
    room = rect.copy()
    if side in ("left", "right"):
        room.width -= thick
        room.left += thick if side == "right" else 0
    else:
        room.height -= thick
        room.top += 0 if side == "top" else thick
    return room


def _band(rect: pygame.Rect) -> int:
    """Return how thick the band of a deed's colour is."""
    return max(6, round(min(rect.size) * 0.17))


def _plain_space(
    surface: pygame.Surface, rect: pygame.Rect, layout: Layout, board: Board, space: int
) -> None:
    kind = board.kinds[space]
    words = space_name(board, kind)
    size, wide = layout.text, rect.width - 4
    lines = in_lines(words, size, wide, 2)
    tall = len(lines) * size * CLOSE + (size if kind == "tax" else 0)
    icon = min(rect.width * 0.24, rect.height * 0.24, (rect.height - tall - 3) / 2.2)
    top = rect.bottom - tall - 3
    if icon >= size * SMALLEST:
        ICONS.get(kind, ICONS["chance"])(surface, (rect.centerx, rect.top + icon * 1.15), icon)
    else:
        top = rect.centery - tall / 2
    top = write_lines(surface, lines, (rect.centerx, top), size, DARK, "midtop", wide, CLOSE)
    if kind == "tax":
        write(surface, show(board.taxes[space]), (rect.centerx, top), size, PALE_INK, "midtop")


# The pictures of the spaces: a middle, and half their size.


def _go(surface: pygame.Surface, at: Point, size: float) -> None:
    x, y = at
    points = [
        (x - size * 0.4, y + size),
        (x - size * 0.4, y - size * 0.1),
        (x - size, y - size * 0.1),
    ]
    points += [(x, y - size), (x + size, y - size * 0.1), (x + size * 0.4, y - size * 0.1)]
    points.append((x + size * 0.4, y + size))
    pygame.draw.polygon(surface, (64, 140, 74), points)


def _chance(surface: pygame.Surface, at: Point, size: float) -> None:
    x, y = at
    for angle, paint in ((-6, (232, 176, 96)), (4, (196, 120, 52))):
        card = pygame.Rect(0, 0, size * 1.2, size * 1.7)
        card.center = (round(x + angle * size / 16), round(y + angle / 3))
        pygame.draw.rect(surface, paint, card, border_radius=3)
    pygame.draw.circle(surface, PAPER, (x + size * 0.25, y), size * 0.32, max(2, round(size / 8)))


def _chest(surface: pygame.Surface, at: Point, size: float) -> None:
    """Draw a chest with a band and a lock: another deck than that of chance."""
    x, y = at
    lid = pygame.Rect(0, 0, size * 1.9, size * 0.7)
    lid.midbottom = (round(x), round(y))
    body = pygame.Rect(0, 0, size * 1.9, size * 0.9)
    body.midtop = (round(x), round(y + 1))
    pygame.draw.rect(surface, (112, 142, 186), lid, border_radius=4)
    pygame.draw.rect(surface, (82, 110, 156), body, border_radius=2)
    lock = pygame.Rect(0, 0, size * 0.4, size * 0.5)
    lock.center = (round(x), round(y + size * 0.1))
    pygame.draw.rect(surface, (244, 214, 130), lock, border_radius=2)


def _auction(surface: pygame.Surface, at: Point, size: float) -> None:
    x, y = at
    wood = (150, 74, 52)
    pygame.draw.line(surface, wood, (x - size * 0.1, y), (x + size * 0.9, y + size * 0.7), 4)
    head = [(x - size, y), (x - size * 0.2, y - size * 0.9), (x + size * 0.3, y - size * 0.4)]
    head.append((x - size * 0.5, y + size * 0.5))
    pygame.draw.polygon(surface, wood, head)
    pygame.draw.rect(surface, shade(wood, 0.3), (x - size, y + size * 0.7, size * 1.3, size * 0.3))


def _planning(surface: pygame.Surface, at: Point, size: float) -> None:
    x, y = at
    blue = (58, 104, 168)
    sheet = pygame.Rect(0, 0, size * 2, size * 1.5)
    sheet.center = (round(x), round(y))
    pygame.draw.rect(surface, blue, sheet, border_radius=2)
    house = [
        (x - size * 0.5, y + size * 0.5),
        (x - size * 0.5, y - size * 0.1),
        (x, y - size * 0.5),
    ]
    house += [(x + size * 0.5, y - size * 0.1), (x + size * 0.5, y + size * 0.5)]
    pygame.draw.lines(surface, (230, 238, 250), True, house, max(1, round(size / 8)))


def _tax(surface: pygame.Surface, at: Point, size: float) -> None:
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


def _jail(surface: pygame.Surface, at: Point, size: float) -> None:
    x, y = at
    pygame.draw.rect(
        surface, (92, 92, 100), (x - size, y - size, size * 2, size * 2), border_radius=3
    )
    for bar in range(4):
        left = x - size * 0.75 + bar * size * 0.5
        pygame.draw.line(surface, (214, 214, 220), (left, y - size), (left, y + size - 1), 3)


def _parking(surface: pygame.Surface, at: Point, size: float) -> None:
    x, y = at
    box = pygame.Rect(x - size, y - size, size * 2, size * 2)
    pygame.draw.rect(surface, (46, 128, 96), box, border_radius=4)
    stem = pygame.Rect(x - size * 0.45, y - size * 0.65, size * 0.3, size * 1.3)
    pygame.draw.rect(surface, PAPER, stem)
    ring = pygame.Rect(x - size * 0.45, y - size * 0.65, size, size * 0.82)
    thick, corner = max(2, round(size * 0.27)), round(size * 0.4)
    pygame.draw.rect(surface, PAPER, ring, thick, border_radius=corner)
    pygame.draw.rect(surface, PAPER, stem)


def _go_to_jail(surface: pygame.Surface, at: Point, size: float) -> None:
    x, y = at
    pygame.draw.circle(surface, (58, 74, 120), (x, y), size)
    arrow = [(x - size * 0.6, y - size * 0.2), (x + size * 0.1, y - size * 0.2)]
    arrow += [
        (x + size * 0.1, y - size * 0.6),
        (x + size * 0.7, y),
        (x + size * 0.1, y + size * 0.6),
    ]
    arrow += [(x + size * 0.1, y + size * 0.2), (x - size * 0.6, y + size * 0.2)]
    pygame.draw.polygon(surface, PAPER, arrow)


ICONS = {
    "go": _go,
    "chance": _chance,
    "chest": _chest,
    "auction": _auction,
    "planning": _planning,
    "tax": _tax,
    "jail": _jail,
    "parking": _parking,
    "go to jail": _go_to_jail,
}
