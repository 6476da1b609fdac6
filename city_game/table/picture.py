"""The view, which a painter draws, and the pen it draws with; the `Layout` tells it where.

The view is the content of the window at one moment. Players, deeds and groups are indices, -1 for
none; money is in notes of 10k.

The pen draws text, panels and buttons in the colours of `Ink`.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import pygame

from city_game.kernel.state import State
from city_game.seats import CORNERS, SEATS
from city_game.table.view import GameView, Plot
from city_unit.desktop.catalogue import lazy
from sim.face.disc import Look
from sim.face.geometry import Box
from sim.face.paint import Colour, Point, lettering, mix, put, text_width


class Command(NamedTuple):
    """The command of a click or a key, with a number as its argument."""

    name: str
    value: int = 0


NOTHING = Command("nothing")


class Spot(NamedTuple):
    """A clickable part of the picture and its command."""

    box: Box
    command: Command


Spots = list[Spot]


class Button(NamedTuple):
    """A button. `key` presses it too, and Enter presses the marked one."""

    label: str
    key: str
    command: Command
    is_marked: bool = False


ENTER = (pygame.K_RETURN, pygame.K_KP_ENTER)
MONEY_STEP = 10  # notes; a step of the payment in a deal


class Die(NamedTuple):
    """A die. While it tumbles it is turned by `turned` degrees and lifted by `raised` widths."""

    face: int
    turned: int
    raised: float


class Bidder(NamedTuple):
    """A person's bid key in a sale: the amount it bids, the player's step, and if it can bid."""

    player: int
    key: str
    amount: int
    step: int
    can_bid: bool


@dataclass(frozen=True)
class Invitation:
    """How telephones connect to the table."""

    address: str
    squares: tuple[tuple[bool, ...], ...]  # the address as a QR code: rows, True for dark
    people: tuple[int, ...] = ()  # who can use a telephone
    online: tuple[int, ...] = ()  # whose telephone is connected
    is_only_here: bool = False  # no other device can reach the address


@dataclass(frozen=True)
class View:
    """Everything the picture depends on except its size."""

    game: GameView
    state: State
    names: tuple[str, ...]
    plots: tuple[Plot, ...]  # the game's, at their current height
    places: tuple[float, ...]  # of the tokens in spaces, with a fraction while one walks
    dice: tuple[Die, ...]
    floats: tuple[tuple[int, int, float], ...]  # just paid or received: player, notes, age in ms
    outlined: tuple[int, ...]  # the deeds that can be chosen, are in a deal or for sale
    pointed: tuple[int, ...]  # the deeds with the blinking pointer
    is_bright: bool  # the bright half of the pointer's blinking
    seconds: int | None  # left of the hour, None without a clock
    is_urgent: bool  # the hour's last minutes
    look: Look  # of the unit's disc
    is_mine: bool  # the table runs the unit itself
    calls: bool  # somebody here calls the referee
    stopping: float  # progress of the hold of AUCTION that stops the light, 0 to 1
    detail: str  # the text below the decision's title
    buttons: tuple[Button, ...]  # of the decision
    offer: tuple | None  # the deal being put together, as an action; in place of the decision
    bidders: tuple[Bidder, ...]  # the people who can bid in the sale
    share: float | None  # of its light's time left, 1 to 0; None if secret or not on
    is_closing: bool  # the light's warning time
    sold: tuple | None  # the event that just ended a sale
    drawn: int  # the chance card just drawn, -1 for none
    # After the game, each player's worth as (turn, worth); () to show the city.
    history: tuple[tuple[tuple[int, int], ...], ...]
    card: str  # the open card, "" for none
    page: int
    deed: int  # the deed shown, -1 for none
    log: tuple[str, ...]  # the visible lines, newest last
    is_newest: bool  # the log's last line is among them
    toast: str
    volume: int
    invitation: Invitation | None  # None if telephones cannot connect
    has_code: bool  # the small code is shown at the log
    mouse: tuple[float, float]  # px


# The pen.

# Text has three heights: body, head, and large for text read across the room (amounts, the time,
# the winner). All use pygame's own typeface, set letter by letter by `sim.face.paint`. Text that
# does not fit is never made smaller: it is wrapped, or its letters are made narrower.
HEAD, LARGE = 1.5, 2.0  # in heights of body text
NARROWEST = 0.72  # least share of their width to which letters are narrowed


class Ink:
    """The colours of the window, its paper cards, and a lit lamp."""

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
    LIT = (255, 74, 40)


KEY_CAPS = {
    "enter": lazy("ENTER"),
    "esc": lazy("ESC"),
    "tab": lazy("TAB"),
    "left": lazy("LEFT"),
    "right": lazy("RIGHT"),
    "backspace": lazy("BACKSPACE"),
}


def head(text: int) -> int:
    """Return the height of head text for body text of height `text`, px."""
    return round(text * HEAD)


@lru_cache(maxsize=2048)
def fitting(text: str, pixels: int, room: int) -> str:
    """Return the text, cut with an ellipsis to `room` px."""
    if text_width(text, pixels) <= room:
        return text
    while text and text_width(text + "…", pixels) > room:
        text = text[:-1]
    return text.rstrip() + "…"


@lru_cache(maxsize=1024)
def wrapped(text: str, pixels: int, room: int) -> tuple[str, ...]:
    """Wrap text to lines of at most `room` px; a longer word has to be narrowed by the caller."""
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
    """Wrap text to at most `most` lines, which `write_lines` narrows to fit."""
    for part in (1.0, 0.86, NARROWEST):
        lines = wrapped(text, pixels, int(room / part))
        if len(lines) <= most and max(text_width(line, pixels) for line in lines) <= room / part:
            return lines
    kept = wrapped(text, pixels, int(room / NARROWEST))
    if len(kept) < most:  # a word too long for its line: another line would not help
        return kept
    rest = fitting(" ".join(kept[most - 1 :]), pixels, int(room / NARROWEST))
    return (*kept[: most - 1], rest)


def centred(at: Point, width: float, height: float) -> pygame.Rect:
    """Return a rectangle centred on a point, rounded to whole px."""
    rect = pygame.Rect(0, 0, width, height)
    rect.center = round(at[0]), round(at[1])
    return rect


def shade(colour: Colour, by: float) -> Colour:
    """Return a darker colour, or a lighter one for a negative `by`."""
    return mix(colour, (0, 0, 0), by) if by >= 0 else mix(colour, (255, 255, 255), -by)


def ink_on(colour: Colour) -> Colour:
    """Return the text colour that is legible on a colour."""
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
    """Return a soft shadow for a box of that size; it extends beyond the box on all sides."""
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


TWO_LINES = 1.7  # heights of letters; a button at least this high has room for two lines
TWO_LINES_FROM = 0.88  # a label that fits when narrowed to this share stays on one line


class Pen:
    """Draws on a surface, in body text unless another `size` is given.

    size   height of body text, px; `head` and `large` are the other heights
    mouse  its position, px; the button under it is brighter
    """

    def __init__(self, target: pygame.Surface, size: int, mouse: Point = (-1, -1)) -> None:
        self.target = target
        self.size, self.head, self.large = size, head(size), round(size * LARGE)
        self.mouse = mouse

    def put(self, sprite: pygame.Surface, at: Point, anchor: str = "center") -> pygame.Rect:
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
        """Write one line with its `anchor` at a point, narrowed or cut to `room` px if given.

        narrow  share of their width for the letters, if known
        """
        size = size or self.size
        if room:
            text = fitting(text, size, int(room / NARROWEST))
            narrow = min(1.0, room / max(1, text_width(text, size)))
        letters = lettering(text, size, colour)
        if narrow < 1 and text:  # pygame can crash when it scales an empty picture
            width = max(1, int(letters.get_width() * narrow))
            letters = pygame.transform.smoothscale(letters, (width, letters.get_height()))
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
        """Write lines, all narrowed like the widest; return the bottom of the last one.

        pitch  distance between lines, in heights of letters
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
        """Draw a card with its shadow."""
        self.put(shadow(round(box.width), round(box.height)), (box.middle[0], box.middle[1] + 6))
        self.panel(box, colour, edge, 12)

    def heading(self, box: Box, height: float, colour: Colour) -> tuple[pygame.Rect, Colour]:
        """Draw the coloured band at the top of a card; return the band and its text colour."""
        band = pygame.Rect(box.left + 6, box.top + 6, box.width - 12, height)
        pygame.draw.rect(self.target, colour, band, border_radius=8)
        return band, ink_on(colour)

    def key_cap(self, key: str, at: Point, lit: bool = True, size: int = 0) -> float:
        """Draw a key cap with the middle of its left edge at a point; return its width."""
        size = size or self.size
        text = str(KEY_CAPS.get(key, key.upper()))  # no text: a key's own letter
        width = max(size * 1.35, text_width(text, size) + size * 0.7)
        box = pygame.Rect(at[0], at[1] - size * 0.68, width, size * 1.36)
        pygame.draw.rect(self.target, (16, 20, 30), box.move(0, 2), border_radius=4)
        cap, ink = ((226, 230, 238), Ink.DARK) if lit else (Ink.EDGE, Ink.FAINT)
        pygame.draw.rect(self.target, cap, box, border_radius=4)
        self.write(text, box.center, ink, "center", size=size)
        return width

    def ground(self, box: Box, what: Button) -> Spot:
        """Draw a button without label; return its spot."""
        fill = Ink.HOVERED if box.holds(self.mouse) else Ink.RAISED
        if what.is_marked:
            fill = Ink.MARKED
        self.panel(box, fill, Ink.GOLD if what.is_marked else Ink.EDGE)
        return Spot(box, what.command)

    def button(self, box: Box, what: Button) -> Spot:
        """Draw a button, with its label in two lines if necessary; return its spot."""
        spot, size = self.ground(box, what), self.size
        left, at, anchor = box.left + size * 0.5, box.middle, "center"
        if what.key:
            left += self.key_cap(what.key, (left, at[1])) + size * 0.5
            anchor, at = "midleft", (left, at[1])
        width = int(box.right - left - 6)
        is_long = text_width(what.label, size) * TWO_LINES_FROM > width
        if is_long and box.height >= size * TWO_LINES:
            lines = in_lines(what.label, size, width, 2)
            top = at[1] - (len(lines) - 1) * size * 0.45
            self.write_lines(lines, (at[0], top), Ink.BRIGHT, anchor, width, 0.9)
        else:
            self.write(what.label, at, Ink.BRIGHT, anchor, width)
        return spot
