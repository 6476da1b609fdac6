"""Drawing by hand: letters, panels, and the shapes by which players are known."""

from functools import lru_cache

import pygame

from city_game.seats import CORNERS, SEATS
from city_game.table.picture import Button, Spot
from city_unit.desktop.catalogue import lazy
from sim.face.geometry import Box
from sim.face.paint import Colour, Point, lettering, mix, put, text_width

# The table's letters have two heights that are read, of the body and of the head, and a third
# one for texts that are seen across the room: amounts, the time, the winner. All are of one
# typeface, the toolkit's own, which `sim.face.paint` sets letter by letter. A text that is too
# long is never made smaller: it goes on in another line, or its letters are made narrower.
HEAD, LARGE = 1.5, 2.0  # heights of the body's letters
NARROWEST = 0.72  # letters are made narrower down to this share of their width, and no further


class Ink:
    """The colours of the window, of its cards of paper, and of a lamp."""

    NIGHT = (20, 26, 38)
    PANEL = (31, 39, 55)
    RAISED = (45, 56, 77)
    HOVERED = (58, 72, 100)
    MARKED = (92, 74, 26)
    EDGE = (66, 80, 106)
    BRIGHT = (236, 240, 246)
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
    """Return the height of letters at the head of something, px; `text` is the body's."""
    return round(text * HEAD)


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


def centred(at: Point, width: float, height: float) -> pygame.Rect:
    """Return a rectangle round a point, which is taken to the nearest px."""
    rect = pygame.Rect(0, 0, width, height)
    rect.center = round(at[0]), round(at[1])
    return rect


def shade(colour: Colour, by: float) -> Colour:
    """Return a darker colour, or for a negative `by` a lighter colour."""
    return mix(colour, (0, 0, 0), by) if by >= 0 else mix(colour, (255, 255, 255), -by)


def ink_on(colour: Colour) -> Colour:
    """Return letters that can be read on a colour."""
    light = 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]
    return Ink.DARK if light > 140 else Ink.BRIGHT


@lru_cache(maxsize=256)
def badge(player: int, size: int, lit: bool = True) -> pygame.Surface:
    """Return a player's shape in the player's colour, `size` px wide."""
    colour, shape = SEATS[player]
    fine = 4
    surface = pygame.Surface((size * fine, size * fine), pygame.SRCALPHA)
    fill = colour if lit else mix(colour, Ink.PANEL, 0.65)
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
        pygame.draw.circle(sheet, (*Ink.LIT, round(150 * part * part)), (radius, radius), ring)
    return sheet.premul_alpha()


TWO_LINES = 1.7  # heights of letters: a button that is at least so high has room for two lines
TWO_LINES_FROM = 0.88  # words that fit when made so much narrower stay in one line


class Pen:
    """Draws on a surface, in letters of the body's height where no other `size` is given.

    size   height of the body's letters, px; `head` and `large` of the others
    mouse  where it is, px: the button under it is brighter
    """

    def __init__(self, target: pygame.Surface, size: int, mouse: Point = (-1, -1)) -> None:
        self.target = target
        self.size, self.head, self.large = size, head(size), round(size * LARGE)
        self.mouse = mouse

    def put(self, sprite: pygame.Surface, at: Point, anchor: str = "center") -> pygame.Rect:
        """Lay a picture with its `anchor` at a point."""
        return put(self.target, sprite, at, anchor)

    def write(
        self,
        text: str,
        at: Point,
        colour: Colour = Ink.BRIGHT,
        anchor: str = "topleft",
        room: float = 0,
        size: int = 0,
        narrow: float = 1,
    ) -> pygame.Rect:
        """Write one line with its `anchor` at a point, within `room` px if that is given.

        narrow  the part of their width that its letters have, where that is known
        """
        size = size or self.size
        if room:
            text = fitting(text, size, int(room / NARROWEST))
            narrow = min(1.0, room / max(1, text_width(text, size)))
        letters = lettering(text, size, colour)
        if narrow < 1:
            wide = max(1, int(letters.get_width() * narrow))
            letters = pygame.transform.smoothscale(letters, (wide, letters.get_height()))
        return self.put(letters, at, anchor)

    def write_lines(
        self,
        lines: tuple[str, ...],
        at: Point,
        colour: Colour = Ink.BRIGHT,
        anchor: str = "topleft",
        room: float = 0,
        pitch: float = 1.0,
        size: int = 0,
    ) -> float:
        """Write lines below each other, all as narrow as the widest; return where they end.

        pitch  from line to line, in heights of letters
        """
        size = size or self.size
        widest = max((text_width(line, size) for line in lines), default=0)
        narrow = min(1.0, room / widest) if room and widest else 1.0
        across, top = at
        for line in lines:
            self.write(line, (across, top), colour, anchor, size=size, narrow=narrow)
            top += size * pitch
        return top

    def panel(
        self,
        box: Box | pygame.Rect,
        colour: Colour = Ink.PANEL,
        edge: Colour | None = None,
        radius: int = 8,
    ) -> None:
        pygame.draw.rect(self.target, colour, pygame.Rect(box), border_radius=radius)
        if edge:
            pygame.draw.rect(self.target, edge, pygame.Rect(box), 1, border_radius=radius)

    def lay(self, box: Box, colour: Colour = Ink.PANEL, edge: Colour = Ink.EDGE) -> None:
        """Put a card on the table, with its shadow."""
        self.put(shadow(round(box.width), round(box.height)), (box.middle[0], box.middle[1] + 6))
        self.panel(box, colour, edge, 12)

    def heading(self, box: Box, height: float, colour: Colour) -> tuple[pygame.Rect, Colour]:
        """Draw the coloured band at the top of a card; return where it is, and the ink for it."""
        band = pygame.Rect(box.left + 6, box.top + 6, box.width - 12, height)
        pygame.draw.rect(self.target, colour, band, border_radius=8)
        return band, ink_on(colour)

    def key_cap(self, key: str, at: Point, lit: bool = True, size: int = 0) -> float:
        """Draw a key of the keyboard with its left middle at a point; return its width."""
        size = size or self.size
        text = str(KEY_CAPS.get(key, key.upper()))  # no text: a key's own letter
        wide = max(size * 1.35, text_width(text, size) + size * 0.7)
        box = pygame.Rect(at[0], at[1] - size * 0.68, wide, size * 1.36)
        pygame.draw.rect(self.target, (16, 20, 30), box.move(0, 2), border_radius=4)
        cap, ink = ((226, 230, 238), Ink.DARK) if lit else (Ink.EDGE, Ink.FAINT)
        pygame.draw.rect(self.target, cap, box, border_radius=4)
        self.write(text, box.center, ink, "center", size=size)
        return wide

    def ground(self, box: Box, what: Button) -> Spot:
        """Draw a button without its label; return its spot."""
        fill = Ink.HOVERED if box.holds(self.mouse) else Ink.RAISED
        if what.is_marked:
            fill = Ink.MARKED
        self.panel(box, fill, Ink.GOLD if what.is_marked else Ink.EDGE)
        return Spot(box, what.name or what.label, what.command)

    def button(self, box: Box, what: Button) -> Spot:
        """Draw a button, its label in two lines if it has to be; return its spot."""
        spot, size = self.ground(box, what), self.size
        left, at, anchor = box.left + size * 0.5, box.middle, "center"
        if what.key:
            left += self.key_cap(what.key, (left, at[1])) + size * 0.5
            anchor, at = "midleft", (left, at[1])
        wide = int(box.right - left - 6)
        is_long = text_width(what.label, size) * TWO_LINES_FROM > wide
        if is_long and box.height >= size * TWO_LINES:
            lines = in_lines(what.label, size, wide, 2)
            top = at[1] - (len(lines) - 1) * size * 0.45
            self.write_lines(lines, (at[0], top), Ink.BRIGHT, anchor, wide, 0.9)
        else:
            self.write(what.label, at, Ink.BRIGHT, anchor, wide)
        return spot
