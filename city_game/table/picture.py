"""The three arguments of every painter: the pen, the layout and the view.

The layout is pure geometry in px, for any size of the window. The track runs round the board,
clockwise from GO at the bottom left. The deeds lie inside it, each group in its own row. The panel
at the right holds the players, the decision, the unit and the log.

The view is the content of the window at one moment. Players, deeds and groups are indices, -1 for
none; money is in notes of 10k.

The pen draws text, panels and buttons in the colours of `Ink`.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

import pygame

from city_game.kernel.board import Board
from city_game.kernel.state import State
from city_game.seats import CORNERS, SEATS
from city_game.table.view import Player, Plot
from city_game.table.view import View as Game
from city_unit.desktop.catalogue import lazy
from sim.face.disc import Look
from sim.face.geometry import Box, Circle, fit
from sim.face.paint import Colour, Point, lettering, mix, put, text_width

SMALLEST = (800, 600)
LOW = 700  # px; a window lower than this has one line per player, others two
NAMEPLATE_SHARE = 0.24  # share of a plot's height for the plate with its name
MOST_SEATS = 6

# In heights of letters.
NARROW = 6.5  # on a plot narrower than this the owner's badge leaves the name's plate
# Heights of a player's row: of six in a low and in a high window, and the most for fewer.
ROWS, HIGHEST_ROW = (1.95, 2.3), 2.3
LANE = 1.65  # width of the lane between track and city, where the tokens stand
TOKEN = 1.5
CARD_WIDTHS = (34, 18)  # greatest and least width of a card beside a deed


@dataclass(frozen=True)
class Layout:
    """The parts of a window.

    text      height of the letters, px
    board     track and city
    spaces    the spaces of the track
    sides     each space's side of the board: "left", "top", "right", "bottom", or "corner"
    city      the part inside the track
    plots     the deeds' plots
    groups    the quarters, each with the plots of one group
    players, decision, disc, log, tools   the parts of the panel
    """

    width: int
    height: int
    text: int
    board: Box
    spaces: tuple[Box, ...]
    sides: tuple[str, ...]
    city: Box
    plots: tuple[Box, ...]
    players: Box
    decision: Box
    disc: Box
    log: Box
    tools: Box
    groups: tuple[Box, ...]

    @property
    def circle(self) -> Circle:
        """The unit's disc, below its title."""
        title = self.text * 1.4
        box = self.disc
        return fit(Box(box.left, box.top + title, box.width, box.height - title))

    @property
    def lane(self) -> float:
        """The width of the lane between track and city."""
        return self.spaces[0].top - self.city.bottom

    def stand(self, space: int, index: int, count: int) -> tuple[float, float]:
        """Return the position of token `index` of `count` on a space.

        Tokens cover no text: they stand on the lane, and on a corner above its name.
        """
        box, side, size = self.spaces[space], self.sides[space], self.text * TOKEN
        along = box.width if side in ("top", "bottom", "corner") else box.height
        step = min(size * 1.05, (along - size) / max(1, count - 1))
        offset = (index - (count - 1) / 2) * step
        if side in ("left", "right"):
            middle = box.right + self.lane / 2 if side == "left" else box.left - self.lane / 2
            return middle, box.middle[1] + offset
        if side == "corner":
            return box.middle[0] + offset, box.top + size * 0.75
        middle = box.bottom + self.lane / 2 if side == "top" else box.top - self.lane / 2
        return box.middle[0] + offset, middle

    def beside(self, deed: int, width: float, height: float) -> Box:
        """Return the box of a card beside a deed's plot, on the side with more room.

        In a window too narrow for that it lies in the middle.
        """
        plot, city, board = self.plots[deed], self.city, self.board
        height = min(height, city.height)
        top = city.middle[1] - height / 2
        gap = self.text * 0.5
        is_left = plot.middle[0] < city.middle[0]
        room = board.right - plot.right - gap if is_left else plot.left - board.left - gap
        if room < self.text * CARD_WIDTHS[1]:
            width = min(width, city.width)
            return Box(city.middle[0] - width / 2, top, width, height)
        width = min(width, room)
        if is_left:
            left = max(city.middle[0] - width / 2, plot.right + gap)
        else:
            left = min(city.middle[0] + width / 2, plot.left - gap) - width
        return Box(left, top, width, height)

    def deed_at(self, point: tuple[float, float], board: Board) -> int:
        """Return the deed whose plot or space contains a point, -1 for none."""
        plots = (deed for deed, box in enumerate(self.plots) if box.holds(point))
        spaces = (board.deed_on[space] for space, box in enumerate(self.spaces) if box.holds(point))
        return next(chain(plots, spaces), -1)


def arrange(
    width: int, height: int, spaces: int, members: list[tuple[int, ...]], seats: int = MOST_SEATS
) -> Layout:
    """Lay out a window for `spaces` spaces, the deeds of each group, and `seats` players."""
    width, height = max(width, SMALLEST[0]), max(height, SMALLEST[1])
    text = letters(width, height)
    gap = round(text * 0.5)
    panel = round(min(max(width * 0.27, min(290, width * 0.33)), 24 * text + 80))
    board = Box(gap, gap, width - panel - 3 * gap, height - 2 * gap)
    depth = round(min(board.height * 0.105, max(board.width * 0.09, 4 * text)))
    city = board.shrink(depth + round(text * LANE))
    boxes, sides = _track(board, depth, spaces)
    plots, groups = _plots(city, gap, members)
    side = Box(board.right + gap, gap, panel, height - 2 * gap)
    tools = Box(side.left, side.top, side.width, text * 2)
    rows = min(MOST_SEATS * round(text * ROWS[height >= LOW]), seats * round(text * HIGHEST_ROW))
    players = Box(side.left, tools.bottom + gap, side.width, rows)
    foot = round(min(side.height * 0.31, side.width * 0.72))
    below = Box(side.left, side.bottom - foot, side.width, foot)
    disc = Box(below.left, below.top, min(foot, side.width * 0.44), foot)
    log = Box(disc.right + gap, below.top, side.right - disc.right - gap, foot)
    top = players.bottom + gap
    decision = Box(side.left, top, side.width, below.top - gap - top)
    places = tuple(boxes), tuple(sides), city, tuple(plots)
    panel_parts = players, decision, disc, log, tools
    return Layout(width, height, text, board, *places, *panel_parts, tuple(groups))


def letters(width: int, height: int) -> int:
    """Return the height of body text in a window of that size."""
    return round(max(min(height / 41, width / 72), 14))


def _track(board: Box, depth: float, count: int) -> tuple[list[Box], list[str]]:
    """Place the spaces clockwise: a corner, the left side, a corner, the top, and so on."""
    between = max(0, count - 4)
    right, bottom = board.right - depth, board.bottom - depth
    corners = {
        "left": (board.left, bottom),
        "top": (board.left, board.top),
        "right": (right, board.top),
        "bottom": (right, bottom),
    }
    boxes: list[Box] = []
    sides: list[str] = []
    for place, (side, corner) in enumerate(corners.items()):
        boxes.append(Box(*corner, depth, depth))
        on_side = between // 4 + (place < between % 4)
        is_upright = side in ("left", "right")
        whole = (board.height if is_upright else board.width) - 2 * depth
        long = whole / max(1, on_side)
        for at in range(on_side):
            if side in ("left", "bottom"):  # from the corner back to the left, or to the top
                along = (bottom if is_upright else right) - (at + 1) * long
            else:
                along = (board.top if is_upright else board.left) + depth + at * long
            spot = (
                (corner[0], along, depth, long) if is_upright else (along, corner[1], long, depth)
            )
            boxes.append(Box(*spot))
        sides += ["corner"] + [side] * on_side
    return boxes[:count], sides[:count]


def _plots(city: Box, gap: float, members: list[tuple[int, ...]]) -> tuple[list[Box], list[Box]]:
    """Place each group as a row of plots, in two columns of groups with streets between them."""
    columns = 2 if len(members) > 3 else 1
    rows = -(-len(members) // columns)
    street = gap * 1.6
    plots: dict[int, Box] = {}
    groups = []
    for group, deeds in enumerate(members):
        # Up the left column and down the right one, like the track.
        column, row = divmod(group, rows)
        row = rows - 1 - row if column == 0 else row
        cell = city.column(column, columns, street).row(row, rows, street)
        groups.append(cell)
        for place, deed in enumerate(deeds):
            plots[deed] = cell.column(place, len(deeds), gap * 0.7)
    return [plots[deed] for deed in sorted(plots)], groups


class Command(NamedTuple):
    """The command of a click or a key, with a number as its argument."""

    name: str
    value: int = 0


NOTHING = Command("nothing")


class Spot(NamedTuple):
    """A clickable part of the picture and its command."""

    box: Box
    name: str
    command: Command


Spots = list[Spot]


class Button(NamedTuple):
    """A button. `key` presses it too, and Enter presses the marked one."""

    label: str
    key: str
    command: Command
    is_marked: bool = False
    name: str = ""  # of its spot, if not the label


ENTER = (pygame.K_RETURN, pygame.K_KP_ENTER)
MONEY_STEP = 10  # notes; a step of the payment in a deal


# A deal being put together: proposer, partner, deeds given, deeds asked for, payment.
Draft = tuple[int, int, tuple[int, ...], tuple[int, ...], int]


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
    """How telephones connect to the table.

    squares       the address as a QR code: rows, True for dark
    people        the players who can use a telephone
    online        the players whose telephone is connected
    is_only_here  True if no other device can reach the address
    """

    address: str
    squares: tuple[tuple[bool, ...], ...]
    people: tuple[int, ...] = ()
    online: tuple[int, ...] = ()
    is_only_here: bool = False


@dataclass(frozen=True)
class View:
    """Everything the picture depends on except its size.

    game       the game as the table sees it, with its `state`, `board`, `names` and `players`
    plots      its plots at their current height
    places     position of each token in spaces, with a fraction while it walks
    floats     amounts just paid or received: (player, notes, age in ms)
    outlined   the deeds that can be chosen or are in a deal
    pointed    the deeds with the blinking pointer
    is_bright  True in the bright half of the pointer's blinking
    seconds    time left of the hour, None without a clock
    is_urgent  True in the hour's last minutes
    look       of the unit's disc
    is_mine    True if the table runs the unit itself
    calls      True if somebody here calls the referee
    stopping   progress of the hold of AUCTION that stops the light, 0 to 1
    detail     the text below the decision's title
    buttons    of the decision
    draft      a deal being put together, shown in place of the decision
    bidders    the people who can bid in the sale
    share      the share of its light's time left, 1 to 0; None if secret or not on
    is_closing True in the light's warning time
    sold       the event that just ended a sale, None for none
    drawn      the chance card just drawn, -1 for none
    history    after the game, each player's worth as (turn, worth); () to show the city
    lookup     the open card, "" for none, and its `page`
    deed       the deed shown, -1 for none
    log        the visible lines, newest last; `is_newest` if the log's last line is among them
    invitation how telephones connect, None if they cannot
    has_code   True if the small code is shown at the log
    mouse      its position, px
    """

    game: Game
    state: State
    board: Board
    names: tuple[str, ...]
    players: tuple[Player, ...]
    plots: tuple[Plot, ...]
    places: tuple[float, ...]
    dice: tuple[Die, ...]
    floats: tuple[tuple[int, int, float], ...]
    outlined: tuple[int, ...]
    pointed: tuple[int, ...]
    is_bright: bool
    seconds: int | None
    is_urgent: bool
    look: Look
    is_mine: bool
    calls: bool
    stopping: float
    detail: str
    buttons: tuple[Button, ...]
    draft: Draft | None
    bidders: tuple[Bidder, ...]
    share: float | None
    is_closing: bool
    sold: tuple | None
    drawn: int
    history: tuple[tuple[tuple[int, int], ...], ...]
    lookup: str
    page: int
    deed: int
    log: tuple[str, ...]
    is_newest: bool
    toast: str
    volume: int
    invitation: Invitation | None
    has_code: bool
    mouse: tuple[float, float]


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
        if narrow < 1:
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
        return Spot(box, what.name or what.label, what.command)

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
