"""Drawing by hand: letters, panels, and the shapes by which players are known."""

from functools import lru_cache

import pygame

from city_game.seats import CORNERS, SEATS
from city_game.table.picture import Button, Spot
from city_unit.desktop.catalogue import lazy
from sim.face.box import Box
from sim.face.paint import Colour, Point, lettering, mix, put, text_width

# The table's letters have two heights that are read, of the body and of the head, and a third
# one for texts that are seen across the room: amounts, the time, the winner. All are of one
# typeface, the toolkit's own, which `sim.face.paint` sets letter by letter. A text that is too
# long is never made smaller: it goes on in another line, or its letters are made narrower.
HEAD, LARGE = 1.5, 2.0  # heights of the body's letters
NARROWEST = 0.72  # letters are made narrower down to this share of their width, and no further

# The window.
NIGHT = (20, 26, 38)
PANEL = (31, 39, 55)
RAISED = (45, 56, 77)
HOVERED = (58, 72, 100)
MARKED = (92, 74, 26)
EDGE = (66, 80, 106)
INK = (236, 240, 246)
FAINT = (152, 164, 186)
GOLD = (255, 205, 92)
RED = (255, 99, 82)
GREEN = (108, 205, 130)
PAPER = (247, 241, 227)
PAPER_EDGE = (214, 203, 178)
DARK = (48, 44, 52)
PALE_INK = (116, 108, 104)

LIT = (255, 74, 40)  # a lamp

# Keys that bear a word.
KEY_CAPS = {
    "enter": lazy("ENTER"),
    "esc": lazy("ESC"),
    "tab": lazy("TAB"),
    "left": lazy("LEFT"),
    "right": lazy("RIGHT"),
    "backspace": lazy("BACKSPACE"),
}


def head(text: int) -> int:
    """Return how high letters at the head of something are, where the body's are so high."""
    return round(text * HEAD)


def large(text: int) -> int:
    """Return how high letters are that are seen across the room."""
    return round(text * LARGE)


@lru_cache(maxsize=2048)
def fitting(text: str, pixels: int, room: int) -> str:
    """Return the text, cut to `room` px."""
    if text_width(text, pixels) <= room:
        return text
    while text and text_width(text + "…", pixels) > room:
        text = text[:-1]
    return text.rstrip() + "…"


@lru_cache(maxsize=1024)
def wrapped(text: str, pixels: int, room: int) -> tuple[str, ...]:
    """Return the text in lines of at most `room` px; a longer word has to be made narrower."""
    lines: list[str] = []
    for part in text.split("\n"):
        line = ""
        for word in part.split(" "):
            longer = f"{line} {word}" if line else word
            if line and text_width(longer, pixels) > room:
                lines.append(line)
                longer = word
            line = longer
        lines.append(line)
    return tuple(fitting(line, pixels, int(room / NARROWEST)) for line in lines)


@lru_cache(maxsize=1024)
def in_lines(text: str, pixels: int, room: int, most: int) -> tuple[str, ...]:
    """Return the text in at most `most` lines, which `write_lines` makes narrow enough."""
    for part in (1.0, 0.86, NARROWEST):
        lines = wrapped(text, pixels, int(room / part))
        if len(lines) <= most and max(text_width(line, pixels) for line in lines) <= room / part:
            return lines
    kept = wrapped(text, pixels, int(room / NARROWEST))
    rest = fitting(" ".join(kept[most - 1 :]), pixels, int(room / NARROWEST))
    return (*kept[: most - 1], rest)


def write(
    target: pygame.Surface,
    text: str,
    at: Point,
    pixels: int,
    colour: Colour = INK,
    anchor: str = "topleft",
    room: float = 0,
    narrow: float = 1,
) -> pygame.Rect:
    """Write one line with its `anchor` at a point, within `room` px if that is given.

    narrow  the part of their width that its letters have, where that is known
    """
    if room:
        text = fitting(text, pixels, int(room / NARROWEST))
        narrow = min(1.0, room / max(1, text_width(text, pixels)))
    letters = lettering(text, pixels, colour)
    if narrow < 1:
        size = (max(1, int(letters.get_width() * narrow)), letters.get_height())
        letters = pygame.transform.smoothscale(letters, size)
    return put(target, letters, at, anchor)


def write_lines(
    target: pygame.Surface,
    lines: tuple[str, ...],
    at: Point,
    pixels: int,
    colour: Colour = INK,
    anchor: str = "topleft",
    room: float = 0,
    pitch: float = 1.0,
) -> float:
    """Write lines below each other, all as narrow as the widest has to be; return where they end.

    pitch  from line to line, in heights of letters
    """
    widest = max((text_width(line, pixels) for line in lines), default=0)
    narrow = min(1.0, room / widest) if room and widest else 1.0
    across, top = at
    for line in lines:
        write(target, line, (across, top), pixels, colour, anchor, narrow=narrow)
        top += pixels * pitch
    return top


def panel(
    target: pygame.Surface,
    box: Box | pygame.Rect,
    colour: Colour = PANEL,
    edge: Colour | None = None,
    radius: int = 8,
) -> None:
    pygame.draw.rect(target, colour, pygame.Rect(box), border_radius=radius)
    if edge:
        pygame.draw.rect(target, edge, pygame.Rect(box), 1, border_radius=radius)


def centred(at: Point, width: float, height: float) -> pygame.Rect:
    """Return a rectangle round a point, which is taken to the nearest px."""
    rect = pygame.Rect(0, 0, width, height)
    rect.center = round(at[0]), round(at[1])
    return rect


def heading(
    target: pygame.Surface, box: Box, height: float, colour: Colour
) -> tuple[pygame.Rect, Colour]:
    """Draw the coloured band at the top of a card; return where it is, and the ink for it."""
    band = pygame.Rect(box.left + 6, box.top + 6, box.width - 12, height)
    pygame.draw.rect(target, colour, band, border_radius=8)
    return band, ink_on(colour)


def shade(colour: Colour, by: float) -> Colour:
    """Return a darker colour, or for a negative `by` a lighter colour."""
    return mix(colour, (0, 0, 0), by) if by >= 0 else mix(colour, (255, 255, 255), -by)


def ink_on(colour: Colour) -> Colour:
    """Return letters that can be read on a colour."""
    light = 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]
    return DARK if light > 140 else INK


@lru_cache(maxsize=256)
def badge(player: int, size: int, lit: bool = True) -> pygame.Surface:
    """Return a player's shape in the player's colour, `size` px wide."""
    colour, shape = SEATS[player]
    fine = 4
    surface = pygame.Surface((size * fine, size * fine), pygame.SRCALPHA)
    fill = colour if lit else mix(colour, PANEL, 0.65)
    middle = size * fine / 2
    for radius, paint in ((0.98, (18, 20, 28)), (0.86, (255, 255, 255)), (0.74, fill)):
        reach = middle * radius
        if shape == "circle":
            pygame.draw.circle(surface, paint, (middle, middle), reach * 0.94)
        else:
            corners = [(middle + x * reach, middle + y * reach) for x, y in CORNERS[shape]]
            pygame.draw.polygon(surface, paint, corners)
    return pygame.transform.smoothscale(surface.premul_alpha(), (size, size))


@lru_cache(maxsize=64)
def shadow(width: int, height: int) -> pygame.Surface:
    """Return a soft shadow, larger than its thing by a sixth of its height each way."""
    blur = 10
    small = pygame.Surface((width // 4 + 2 * blur, height // 4 + 2 * blur), pygame.SRCALPHA)
    inner = pygame.Rect(blur, blur, width // 4, height // 4)
    pygame.draw.rect(small, (0, 0, 0, 90), inner, border_radius=6)
    soft = pygame.transform.gaussian_blur(small, 5).premul_alpha()
    return pygame.transform.smoothscale(soft, (width + 8 * blur, height + 8 * blur))


@lru_cache(maxsize=8)
def glow(radius: int) -> pygame.Surface:
    """Return the soft red light around a lit lamp."""
    sheet = pygame.Surface((2 * radius, 2 * radius), pygame.SRCALPHA)
    for ring in range(radius, 0, -1):
        part = 1 - ring / radius
        pygame.draw.circle(sheet, (*LIT, round(150 * part * part)), (radius, radius), ring)
    return sheet.premul_alpha()


def key_cap(target: pygame.Surface, key: str, at: Point, pixels: int, lit: bool = True) -> float:
    """Draw a key of the keyboard with its left middle at a point; return its width."""
    text = str(KEY_CAPS.get(key, key.upper()))  # no text: a key's own letter
    wide = max(pixels * 1.35, text_width(text, pixels) + pixels * 0.7)
    box = pygame.Rect(at[0], at[1] - pixels * 0.68, wide, pixels * 1.36)
    pygame.draw.rect(target, (16, 20, 30), box.move(0, 2), border_radius=4)
    pygame.draw.rect(target, (226, 230, 238) if lit else EDGE, box, border_radius=4)
    write(target, text, box.center, pixels, DARK if lit else FAINT, "center")
    return wide


def lay(target: pygame.Surface, box: Box, colour: Colour = PANEL, edge: Colour = EDGE) -> None:
    """Put a card on the table, with its shadow."""
    put(target, shadow(round(box.width), round(box.height)), (box.middle[0], box.middle[1] + 6))
    panel(target, box, colour, edge, 12)


TWO_LINES = 1.7  # heights of letters: a button that is at least so high has room for two lines
TWO_LINES_FROM = 0.88  # words that fit when made so much narrower stay in one line


def ground(target: pygame.Surface, box: Box, what: Button, mouse: Point) -> None:
    """Draw a button without its label, brighter under the mouse."""
    fill = MARKED if what.is_marked else HOVERED if box.holds(mouse) else RAISED
    panel(target, box, fill, GOLD if what.is_marked else EDGE)


def button(
    target: pygame.Surface, box: Box, what: Button, text: int, mouse: Point = (-1, -1)
) -> Spot:
    """Draw a button in letters `text` px high, in two lines if it has to; return its spot."""
    ground(target, box, what, mouse)
    left, at, anchor = box.left + text * 0.5, box.middle, "center"
    if what.key:
        left += key_cap(target, what.key, (left, at[1]), text) + text * 0.5
        anchor, at = "midleft", (left, at[1])
    wide = int(box.right - left - 6)
    if text_width(what.label, text) * TWO_LINES_FROM > wide and box.height >= text * TWO_LINES:
        lines = in_lines(what.label, text, wide, 2)
        top = at[1] - (len(lines) - 1) * text * 0.45
        write_lines(target, lines, (at[0], top), text, INK, anchor, wide, 0.9)
    else:
        write(target, what.label, at, text, INK, anchor, wide)
    return what.spot(box)
