"""The first screen at one moment: its values, where they lie, and how they are drawn."""

from dataclasses import dataclass
from typing import NamedTuple

import pygame

from city_game.game import HUMAN
from city_game.kernel.switches import Switch
from city_game.table.buildings import draw
from city_game.table.drawing import (
    EDGE,
    FAINT,
    GOLD,
    INK,
    NARROWEST,
    NIGHT,
    PANEL,
    RAISED,
    badge,
    ground,
    head,
    key_cap,
    large,
    panel,
    wrapped,
    write,
    write_lines,
)
from city_game.table.layout import SMALLEST, letters
from city_game.table.lookup import BEFORE, END, paint_answer, paint_invitation
from city_game.table.picture import Button, Command, Invitation, Spot, Spots
from city_unit.desktop.catalogue import _, lazy
from sim.face.box import Box
from sim.face.paint import put, text_width

EMPTY = "empty"  # a kind of seat, beside the kinds of players


class Seat(NamedTuple):
    """One of the six seats; `player` is its order among those who play, -1 if it is empty.

    column  which of its fields the keyboard is at: 0 the kind, 1 the name, 2 the key, -1 none
    """

    kind: str
    name: str
    key: str
    player: int
    column: int


class Saved(NamedTuple):
    """A saved game in the list."""

    name: str
    players: str
    how_far: str
    is_readable: bool


@dataclass(frozen=True)
class Page:
    """A list over the whole window: of house rules, of saved games, or the code for telephones.

    here        the row that the keyboard is at
    said        of the row that is marked, or why the choice is refused; "" for nothing
    switches    the house rules, and in `switched` how each is played
    games       as many saved games as there is room for, from the `first` on
    invitation  how telephones come to the table
    """

    title: str
    help: str
    here: int
    said: str
    switches: tuple[Switch, ...] = ()
    switched: tuple[bool, ...] = ()
    games: tuple[Saved, ...] = ()
    first: int = 0
    invitation: Invitation | None = None


@dataclass(frozen=True)
class View:
    """All that the first screen depends on but its size.

    above, below  the buttons of the upper and of the lower row
    edition       the button between those, which chooses the edition; `books` stands beside it
    corners       the buttons at the top left and at the top right
    """

    seats: tuple[Seat, ...]
    above: tuple[Button, ...]
    edition: Button
    books: str
    below: tuple[Button, ...]
    corners: tuple[Button, Button]
    message: str = ""
    page: Page | None = None
    mouse: tuple[float, float] = (0.0, 0.0)


class Layout(NamedTuple):
    """The size of the window, a measure in which its parts are placed, and its letters.

    pitch  the measure
    text   the height of the body's letters, as in a game
    """

    width: int
    height: int
    pitch: int
    text: int

    @property
    def box(self) -> Box:
        """The rectangle around all parts, in the middle of the window."""
        pitch = self.pitch
        left, top = self.width / 2 - pitch * 21, self.height / 2 - pitch * 16
        return Box(left, top, pitch * 42, pitch * 32)

    def seat(self, row: int) -> Box:
        box, pitch = self.box, self.pitch
        return Box(box.left, box.top + pitch * (5.2 + row * 2.9), box.width, pitch * 2.5)

    @property
    def corners(self) -> tuple[Box, Box]:
        """Where the buttons beside the title are: of the telephones, and of the language."""
        box, pitch = self.box, self.pitch
        top, wide, high = box.top + pitch * 0.4, pitch * 13, pitch * 2
        return Box(box.left, top, wide, high), Box(box.right - wide, top, wide, high)

    @property
    def foot(self) -> Box:
        """Where the buttons are, in three rows."""
        box, pitch = self.box, self.pitch
        return Box(box.left, box.top + pitch * 22.8, box.width, pitch * 7.6)


def arrange(size: tuple[int, int]) -> Layout:
    width, height = max(size[0], SMALLEST[0]), max(size[1], SMALLEST[1])
    pitch = round(min(height / 34, width / 52))
    return Layout(width, height, pitch, letters(width, height))


# How it is drawn.

SEAT_KINDS = {
    "human": lazy("a person"),
    "visitor": lazy("bot: visitor (easy)"),
    "builder": lazy("bot: builder"),
    "planner": lazy("bot: planner (strong)"),
    "empty": lazy("nobody"),
}

HELP = (
    lazy("Left and right change who sits there; Tab or Enter goes to the name and the bid key"),
    lazy("Each player's telephone can be a hand and a button to bid with: see Telephones"),
)

SKYLINE = (
    ("home 2", 1.5),
    ("works 1", 1.2),
    ("skyscraper", 2.9),
    ("home 3", 2.1),
    ("park", 1.0),
    ("home 1", 1.1),
    ("water tower", 1.6),
    ("works 2", 1.6),
    ("tower", 3.0),
    ("school", 1.2),
    ("wind farm", 1.7),
)


def paint_setup(target: pygame.Surface, layout: Layout, view: View) -> Spots:
    """Draw the seats and buttons, or the page over them; return the spots that can be clicked."""
    target.fill(NIGHT)
    _skyline(target, layout)
    if view.page:
        return paint_page(target, layout, view.page)
    pitch, text, box = layout.pitch, layout.text, layout.box
    at = (layout.width / 2, box.top + pitch * 1.4)
    write(target, _("Who plays?"), at, large(text), GOLD, "center", pitch * 15)
    for line, words in enumerate(HELP):
        below = (layout.width / 2, box.top + pitch * (3.3 + line))
        write(target, str(words), below, text, FAINT, "center", box.width)
    spots: Spots = []
    for row, seat in enumerate(view.seats):
        spots += _seat(target, layout, view, row, seat)
    for corner, what in zip(layout.corners, view.corners, strict=True):
        spots.append(_button(target, layout, view, corner, what))
    # Three rows of buttons: the games, the edition, and those of the edition.
    line = layout.foot.row(1, 3, pitch * 0.5)
    part = line.column(0, 3, pitch)
    spots.append(_button(target, layout, view, part, view.edition))
    books = Box(part.right + pitch, line.top, line.right - part.right - pitch, line.height)
    panel(target, books, NIGHT, None, 0)  # over the buildings
    lines = wrapped(view.books, text, round(books.width - pitch))
    at = (books.left + pitch * 0.5, books.middle[1] - text * 0.55 * (len(lines) - 1))
    write_lines(target, lines, at, text, FAINT, "midleft", pitch=1.1)
    for row, several in ((0, view.above), (2, view.below)):
        line = layout.foot.row(row, 3, pitch * 0.5)
        # A game to go on with has long words, and so the room of two.
        columns = 4 if row == 0 and len(several) == 3 else len(several)
        for column, what in enumerate(several):
            part = line.column(column, columns, pitch)
            if column == len(several) - 1:
                part = Box(part.left, part.top, line.right - part.left, part.height)
            spots.append(_button(target, layout, view, part, what))
    if view.message:
        top = layout.foot.bottom + pitch * 0.2
        lines = wrapped(view.message, text, round(layout.width - 2 * text))
        panel(target, Box(0, top, layout.width, text * 1.1 * len(lines) + 4), NIGHT, None, 0)
        at = (layout.width / 2, top + 2 + text * 0.55)
        write_lines(target, lines, at, text, GOLD, "center", pitch=1.1)
    return spots


def _seat(target: pygame.Surface, layout: Layout, view: View, row: int, seat: Seat) -> Spots:
    """Draw the kind of player, the name, and the key for bids."""
    size, text, box = layout.pitch, layout.text, layout.seat(row)
    middle = box.middle[1]
    panel(target, box, RAISED if seat.column >= 0 else PANEL)
    if seat.player >= 0:
        put(target, badge(seat.player, round(size * 2.1)), (box.left + size * 1.7, middle))
    kind = Box(box.left + size * 3.4, box.top + 5, size * 13, box.height - 10)
    label, command = str(SEAT_KINDS[seat.kind]), Command("kind", row)
    what = Button(label, "", command, seat.column == 0, f"kind {row}")
    spots = [_button(target, layout, view, kind, what)]
    # An arrow at each end of it: there are others, that way and this.
    by, y = size * 0.34, kind.middle[1]
    for x, way in ((kind.left + size * 0.9, -1), (kind.right - size * 0.9, 1)):
        points = [(x + way * by, y), (x - way * by, y - by), (x - way * by, y + by)]
        pygame.draw.polygon(target, FAINT, points)
    left = Box(kind.left, kind.top, kind.width / 4, kind.height)
    spots.append(Spot(left, f"kind before {row}", Command("kind before", row)))
    name, typing = Box(kind.right + size, box.top + 5, size * 14, box.height - 10), seat.column == 1
    panel(target, name, NIGHT, GOLD if typing else EDGE)
    words, ink = seat.name + ("|" if typing else ""), INK if seat.kind != EMPTY else FAINT
    at, room = (name.left + size * 0.6, name.middle[1]), name.width - size * 1.2
    write(target, words, at, head(text), ink, "midleft", room)
    spots.append(Spot(name, f"name {row}", Command("name", row)))
    if seat.kind == HUMAN:
        key, waits = Box(name.right + size, name.top, size * 9, name.height), seat.column == 2
        words, at = _("press a key") if waits else _("bids with"), (key.left + size * 0.5, y)
        write(target, words, at, text, GOLD if waits else FAINT, "midleft", size * 4.8)
        key_cap(target, seat.key, (key.left + size * 5.5, y), head(text))
        if waits:
            pygame.draw.rect(target, GOLD, pygame.Rect(key), 1, border_radius=6)
        spots.append(Spot(key, f"key {row}", Command("key", row)))
    return spots


def _skyline(target: pygame.Surface, layout: Layout) -> None:
    """Draw a row of buildings along the bottom, in the dusk."""
    width, height = layout.width, layout.height
    unit = max(24, width // 28)
    for place in range(width // unit + 1):
        kind, tall = SKYLINE[place * 7 % len(SKYLINE)]
        sprite = draw(kind, round(unit * 0.96), round(unit * tall), place)
        put(target, sprite, (place * unit + unit / 2, height), "midbottom")
    dusk = pygame.Surface((width, unit * 3))
    dusk.fill(NIGHT)
    dusk.set_alpha(120)
    target.blit(dusk, (0, height - unit * 3))


def _button(target: pygame.Surface, layout: Layout, view: View, box: Box, what: Button) -> Spot:
    """Draw a button in letters of the head, as far as they have room; return its spot."""
    ground(target, box, what, view.mouse)
    room, pixels = box.width - layout.pitch, head(layout.text)
    if text_width(what.label, pixels) * NARROWEST > room:  # as an edition with a long title
        pixels = layout.text
    write(target, what.label, box.middle, pixels, INK, "center", room)
    return what.spot(box)


SHOWN = 8  # saved games at once
LINE = 1.3  # the height of a line that says why, in letters
BEHIND = 6.0  # heights of letters, behind a rule's words: there it says that it is changed


def paint_page(target: pygame.Surface, layout: Layout, page: Page) -> Spots:
    """Draw a page; return where it can be clicked."""
    box, size, pitch = layout.box, layout.text, layout.pitch
    middle = box.middle[0]
    write(target, page.title, (middle, box.top + pitch * 1.4), large(size), GOLD, "center")
    help_at = (middle, box.top + pitch * 3.6)
    write(target, page.help, help_at, size, FAINT, "center", box.width)
    foot = Box(box.left, box.bottom - pitch * 2.6, box.width, pitch * 2.4)
    lines = wrapped(page.said, size, int(foot.width)) if page.said else ()
    bottom = foot.top - size * (0.6 + LINE * len(lines))
    if lines:
        panel(target, Box(foot.left, bottom, foot.width, foot.top - bottom), NIGHT, None, 0)
    for place, line in enumerate(lines):
        at = (foot.middle[0], bottom + size * (0.3 + LINE * (place + 0.5)))
        write(target, line, at, size, GOLD, "center")
    body = Box(box.left, box.top + pitch * 4.8, box.width, bottom - box.top - pitch * 4.8)
    spots: Spots = []
    if page.switches:
        spots = _rules(target, body, size, page)
    elif page.invitation:
        paint_invitation(target, body, size, page.invitation, ())
    else:
        spots = _games(target, body, size, page)
    panel(target, foot, RAISED, EDGE)
    key_cap(target, "esc", (foot.left + size * 0.6, foot.middle[1]), size)
    write(target, _("Back"), foot.middle, head(size), INK, "center")
    return [*spots, Spot(foot, _("Back"), Command("leave"))]


def _rules(target: pygame.Surface, body: Box, size: int, page: Page) -> Spots:
    """Draw a line for each switch, with how it is played and whether that was changed."""
    spots: Spots = []
    for place, (switch, on) in enumerate(zip(page.switches, page.switched, strict=True)):
        row, marked = body.row(place, len(page.switches), size * 0.3), place == page.here
        panel(target, row, RAISED if marked else PANEL, GOLD if marked else None, 6)
        paint_answer(target, row, size, on, INK)
        left = row.left + size * BEFORE
        room = row.right - left - size * BEHIND
        write(target, str(switch.says), (left, row.middle[1]), size, INK, "midleft", room)
        if on != switch.default:
            at = (row.right - size * END, row.middle[1])
            write(target, _("changed"), at, size, GOLD, "midright", size * (BEHIND - 1))
        spots.append(Spot(row, f"rule {switch.name}", Command("rule", place)))
    return spots


def _games(target: pygame.Surface, body: Box, size: int, page: Page) -> Spots:
    spots: Spots = []
    for place, game in enumerate(page.games, page.first):
        row, marked = body.row(place - page.first, SHOWN, size * 0.4), place == page.here
        panel(target, row, RAISED if marked else PANEL, GOLD if marked else None)
        ink = INK if game.is_readable else FAINT
        at, room = (row.left + size * 0.8, row.middle[1]), row.width * 0.27
        write(target, game.name, at, size, ink, "midleft", room)
        left = row.left + row.width * 0.3
        at, room = (left, row.top + row.height * 0.32), row.right - left - size * 0.6
        write(target, game.players, at, head(size), ink, "midleft", room)
        at = (left, row.top + row.height * 0.76)
        write(target, game.how_far, at, size, FAINT, "midleft", room)
        spots.append(Spot(row, f"game {place}", Command("game", place)))  # no text: its name
    if not page.games:
        write(target, _("No game has been saved yet."), body.middle, size, FAINT, "center")
    return spots
