"""Pages over the window: the reference cards of a game, and the lists of the setup.

A reference card shows keys, house rules, bids or the telephones' code. It has pages (`pages_of`); a
list too long for one page continues on the next. The setup covers its seats with a `Page`: house
rules to change, saved games to choose from, or the telephones' code.
"""

from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TypeVar

import pygame

from city_game.kernel.money import show
from city_game.kernel.state import Auction, State
from city_game.kernel.switches import HouseRules, Switch
from city_game.save import SavedGame, describe
from city_game.table.cards import paint_rows, rows_in
from city_game.table.layout import Layout
from city_game.table.picture import (
    ENTER,
    NOTHING,
    Button,
    Command,
    Ink,
    Invitation,
    Pen,
    Spot,
    Spots,
    View,
    badge,
    centred,
    head,
    in_lines,
    wrapped,
)
from city_game.words import Bid, bids, sentences
from city_unit.desktop.catalogue import Lazy, _, lazy
from city_unit.desktop.forms import all_of
from sim.face.geometry import Box
from sim.face.paint import Colour, text_width

# Reference cards: keys, house rules, bids of each sale, the telephones' code.

HELP_LINES = (
    (lazy("Enter"), lazy("presses the marked button")),
    (lazy("up, down, 1 to 9"), lazy("choose among the options; each also has a letter")),
    (lazy("arrows, Enter"), lazy("choose a deed on the map; Esc goes back")),
    ("A", lazy("AUCTION on the unit; held down it stops the light")),
    ("B", lazy("BUILD on the unit")),
    (lazy("your own key"), lazy("bids in an auction; Shift bids more, Ctrl changes your step")),
    (
        lazy("Backspace"),
        lazy("everybody at the table passes; once the bots pass too, the auction ends"),
    ),
    ("T", lazy("offers a deal")),
    ("I", lazy("shows deeds; or click a deed at any time")),
    (
        "F1, F2, F3, F4",
        lazy(
            "this card; house rules; bids of the last sales; telephones, also for a secret maximum"
        ),
    ),
    (
        lazy("worth"),
        lazy("beside each name: the wealth as it is counted at the end; the highest wins"),
    ),
    ("± 2 ms", lazy("beside a bid: the uncertainty of its time")),
    ("U", lazy("undoes your own last step, if it revealed nothing")),
    (lazy("Space"), lazy("skips animations")),
    ("F5", lazy("continues with another unit, if this one is lost")),
    ("F6", lazy("starts another hour on the unit")),
    (lazy("M, Page up, Page down"), lazy("the volume; the log back and forth")),
    ("P, F7", lazy("a pause: the unit is off, and later resumes with the rest of the hour")),
    ("F8", lazy("reduced motion: nothing moves or blinks")),
    ("F9", lazy("at a tournament: calls the referee, or cancels the call")),
    ("F11, Ctrl+Q", lazy("full screen; leave (the game is saved at each step)")),
)
# In heights of letters.
LEAST = 38  # in a city narrower than this a card covers the whole board
PITCH = 1.15  # distance between lines
BEFORE, END = 4.4, 0.6  # room before a rule's text, and after it
AIR = 0.9  # room above and below a rule's text, together
DOT, APART = 1.2, 0.4  # indent of a sentence after its dot, and room between sentences

T = TypeVar("T")
CardPage = tuple[str, Callable[[Pen, View], object]]  # title and painter


def paint_lookup(pen: Pen, layout: Layout, view: View) -> Spots:
    """Draw the current page of the open card, with buttons to close it and to turn the pages."""
    if not view.card:
        return []
    size = layout.text
    box = _card(layout)
    pen.lay(box)
    inner = box.shrink(size * 0.8)
    foot = Box(inner.left, inner.bottom - size * 1.9, inner.width, size * 1.9)
    pages = pages_of(view.card, view.state, layout)
    here = view.page % len(pages)
    title, paint = pages[here]
    paint(pen, view)
    at = (box.middle[0], inner.top + size * 0.9)
    pen.write(title, at, Ink.GOLD, "center", inner.width, size=pen.head)
    buttons = [Button(_("Close"), "esc", Command("back"))]
    if len(pages) > 1:
        on = _("Next ({here})").format(here=f"{here + 1}/{len(pages)}")
        before = Button(_("Back"), "left", Command("browse", -1))
        buttons += [before, Button(on, "right", Command("browse", 1))]
    return [
        Spot(box, NOTHING),
        *(
            pen.button(foot.column(place, len(buttons), 8), what)
            for place, what in enumerate(buttons)
        ),
    ]


def _card(layout: Layout) -> Box:
    size, room = layout.text, layout.city
    if room.width < size * LEAST:
        room = layout.board
    width, height = min(size * 46, room.width), min(size * 37, room.height)
    return Box(room.middle[0] - width / 2, room.middle[1] - height / 2, width, height)


def pages_of(card: str, state: State, layout: Layout) -> list[CardPage]:
    """Return the pages of a card, at least one; each sale starts a page of the bids."""
    inner, size, edition = _card(layout).shrink(layout.text * 0.8), layout.text, state.edition
    # The room between title and buttons.
    box = Box(inner.left, inner.top + size * 2.6, inner.width, inner.height - size * 4.9)

    def paint_none(pen: Pen, _view: View) -> None:
        pen.write(_("Nothing has been auctioned yet."), box.middle, Ink.FAINT, "center", box.width)

    def paint_phones(pen: Pen, view: View) -> None:
        if view.invitation:
            paint_invitation(pen, box, view.invitation, view.names)

    if card == "help":
        keys = [(str(keys), str(does)) for keys, does in HELP_LINES]
        indent = max(text_width(key, size) for key, _does in keys) + size
        how = [("", str(sentence)) for sentence in sentences(edition)]
        for pixels in (head(size), size):  # in large letters if that fits on one page
            pages = _listed(_("How to play"), box, pixels, pixels * DOT, how)
            if len(pages) == 1:
                break
        return [*_listed(_("Keys"), box, size, indent, keys), *pages]
    if card == "rules":
        heights = [_height(switch, size, box.width) for switch in edition.switches]
        decided = [("", str(sentence)) for sentence in edition.decisions]
        return [
            *(
                (_("House rules"), partial(_switches, box, switches))
                for switches in paged(edition.switches, heights, box.height)
            ),
            *_listed(_("Rules without a switch"), box, size, size * DOT, decided),
        ]
    if card == "bids":
        # The latest sale comes first; many bids need several pages.
        below = Box(box.left, box.top + size * 2, box.width, box.height - size * 2)
        room = max(1, rows_in(below, size))
        title = _("Bids for {district}")
        return [
            (
                title.format(district=state.board.name_of(sale.thing)),
                partial(_bids, box, below, sale, bids(sale)[::-1][skip : skip + room]),
            )
            for sale in reversed(state.sales)
            for skip in range(0, max(1, len(sale.bids) + len(sale.refused)), room)
        ] or [(_("Bids"), paint_none)]
    return [(_("Telephones"), paint_phones)]


def _listed(
    title: str, box: Box, size: int, indent: float, rows: Sequence[tuple[str, str]]
) -> list[CardPage]:
    """Return pages of texts under one title, each with an `indent` in px after a key or a dot."""
    parts = [(key, wrapped(text, size, int(box.width - indent))) for key, text in rows]
    heights = [size * (len(lines) * PITCH + APART) for _key, lines in parts]

    def paint(page: list[tuple[str, tuple[str, ...]]], pen: Pen, _view: View) -> None:
        top = box.top
        for key, lines in page:
            if key:
                pen.write(key, (box.left, top), Ink.GOLD, size=size)
            else:
                at = (box.left + 4, top + size * 0.35)
                pygame.draw.circle(pen.target, Ink.GOLD, at, max(3, size // 6))
            at = (box.left + indent, top)
            top = pen.write_lines(lines, at, Ink.BRIGHT, pitch=PITCH, size=size) + size * APART

    return [(title, partial(paint, page)) for page in paged(parts, heights, box.height)]


def _switches(box: Box, switches: list[Switch], pen: Pen, view: View) -> None:
    """Draw house rules with their reasons; a changed answer is gold."""
    size, top = pen.size, box.top
    for switch in switches:
        on = getattr(view.state.rules, switch.name)
        row = Box(box.left, top, box.width, _height(switch, size, box.width))
        paint_answer(pen, row, on, Ink.BRIGHT if on == switch.default else Ink.GOLD)
        says, why = _lines(switch, size, box.width)
        at = (row.left + size * BEFORE, top + size * AIR / 2)
        below = pen.write_lines(says, at, Ink.BRIGHT, pitch=PITCH)
        pen.write_lines(why, (at[0], below), Ink.FAINT, pitch=PITCH)
        top = row.bottom


def _bids(
    box: Box,
    below: Box,
    sale: Auction,
    latest: list[Bid],
    pen: Pen,
    view: View,
) -> None:
    """Draw the outcome of a sale, and below it some of its bids."""
    words = _("{name} buys it for {amount}.")
    if sale.ended is None:
        words = _("The light was stopped; the sale was repeated.")
    elif not sale.bids:
        words = _("Nobody bids; it stays with the bank")
    winner = view.names[sale.leader()] if sale.bids else ""
    words = words.format(name=winner, amount=show(sale.highest()))
    pen.write(words, (box.left, box.top), Ink.BRIGHT, room=box.width)
    paint_rows(pen, below, view.names, latest)


def paged(items: Sequence[T], heights: Sequence[float], room: float) -> list[list[T]]:
    """Return the items in pages, each as full as `room` allows."""
    pages: list[list[T]] = [[]]
    left = room
    for item, height in zip(items, heights, strict=True):
        if height > left and pages[-1]:
            pages.append([])
            left = room
        pages[-1].append(item)
        left -= height
    return pages


def paint_answer(pen: Pen, row: Box, on: bool, ink: Colour) -> None:
    """Draw the answer of a house rule at the left of its row: a tick box, and yes or no."""
    size = pen.size
    x, y = row.left + size * 1.1, row.middle[1]
    box = centred((x, y), size * 1.2, size * 1.2)
    pygame.draw.rect(pen.target, Ink.NIGHT, box, border_radius=4)
    pygame.draw.rect(pen.target, Ink.GOLD if on else Ink.EDGE, box, 2, border_radius=4)
    if on:
        points = [(-0.3, 0.0), (-0.08, 0.26), (0.34, -0.3)]
        corners = [(x + across * size, y + down * size) for across, down in points]
        pygame.draw.lines(pen.target, Ink.GOLD, False, corners, max(2, round(size / 6)))
    words, at = _("yes") if on else _("no"), (row.left + size * 2.1, y)
    pen.write(words, at, ink, "midleft", size * (BEFORE - 2.2))


def reason(switch: Switch) -> str:
    """Return the default of a switch and its reason, as text."""
    usual = _("yes") if switch.default else _("no")
    return _("Default: {usual}. {why}").format(usual=usual, why=switch.why)


def _height(switch: Switch, size: int, width: float) -> float:
    says, why = _lines(switch, size, width)
    return size * (PITCH * len(says + why) + AIR)


def _lines(switch: Switch, size: int, width: float) -> tuple[tuple[str, ...], tuple[str, ...]]:
    room = int(width - size * (BEFORE + END))
    return wrapped(str(switch.says), size, room), wrapped(reason(switch), size, room)


QUIET = 4  # width of the white margin a QR code needs, in squares


def paint_invitation(pen: Pen, box: Box, invitation: Invitation, names: tuple[str, ...]) -> None:
    """Draw the code as large as fits, and below it the address and the players.

    The names of players with a connected telephone are bright.
    """
    size = pen.size
    below = size * (4.4 + (1.9 if names else 0))
    side = min(box.height - below, box.width)
    left = box.middle[0] - side / 2
    _code(pen, Box(left, box.top, side, side), invitation.squares)
    top = box.top + side + size * 0.9
    middle = box.middle[0]
    pen.write(invitation.address, (middle, top), Ink.GOLD, "center", box.width, size=pen.head)
    words = _(
        "Telephones in this home network scan it, or open the address. Nobody else can connect."
    )
    if invitation.is_only_here:
        words = _("Only a browser on this computer can open the address.")
    lines = in_lines(words, size, int(box.width), 2)
    pen.write_lines(lines, (middle, top + size * 1.35), Ink.FAINT, "center", box.width, 1.15)
    foot = Box(box.left, box.bottom - size * 1.8, box.width, size * 1.8)
    seats = [player for player in range(len(names)) if player in invitation.people]
    for place, player in enumerate(seats):
        cell = foot.column(place, len(seats), size * 0.4)
        lit = player in invitation.online
        pen.put(badge(player, round(size * 1.3), lit), (cell.left + size * 0.8, cell.middle[1]))
        at, room = (cell.left + size * 1.8, cell.middle[1]), cell.width - size * 1.8
        pen.write(names[player], at, Ink.BRIGHT if lit else Ink.FAINT, "midleft", room)


def paint_small(pen: Pen, box: Box, invitation: Invitation) -> Spot:
    """Draw a small code at the top of a box, and the key for a large one; return its spot."""
    size = pen.size
    side = min(box.width, box.height - size * 1.3)
    left = box.middle[0] - side / 2
    _code(pen, Box(left, box.top, side, side), invitation.squares)
    words = _("F4: the code, larger")
    pen.write(words, (box.middle[0], box.top + side + size * 0.7), Ink.FAINT, "center", box.width)
    return Spot(box, Command("phones"))


def _code(pen: Pen, box: Box, squares: tuple[tuple[bool, ...], ...]) -> None:
    count = len(squares) + 2 * QUIET
    pitch = max(1, int(box.width // count))
    side = pitch * count
    left, top = round(box.middle[0] - side / 2), round(box.middle[1] - side / 2)
    pygame.draw.rect(pen.target, (255, 255, 255), pygame.Rect(left, top, side, side))
    for row, cells in enumerate(squares, QUIET):
        for column, dark in enumerate(cells, QUIET):
            if dark:
                square = pygame.Rect(left + column * pitch, top + row * pitch, pitch, pitch)
                pygame.draw.rect(pen.target, (0, 0, 0), square)


# The pages over the seats: house rules, saved games, the telephones' code. Sizes are in heights of
# letters.

SHOWN = 8  # saved games at once
LINE = 1.3  # pitch of the lines of an explanation
BEHIND = 6.0  # room after a rule's text for "changed"


class Page:
    """A list over the whole window; `is_done` once it is left."""

    title: Lazy
    help: Lazy
    chooses: tuple[int, ...] = ENTER  # the keys that choose a row

    def __init__(self, count: int) -> None:
        self.count = count
        self.here = 0  # the row selected by the keyboard
        self.error = ""  # why the choice is refused
        self.is_done = False

    def choose(self, place: int) -> None:
        """Choose a row."""

    def why(self) -> str:
        """Return the text below the list, "" for none."""
        return self.error

    def paint(self, pen: Pen, body: Box) -> Spots:
        """Draw the rows in a box; return their spots."""
        raise NotImplementedError

    def press_key(self, key: int) -> None:
        if key == pygame.K_ESCAPE:
            self.is_done = True
        elif key in (pygame.K_UP, pygame.K_DOWN, pygame.K_TAB):
            self.go(-1 if key == pygame.K_UP else 1)
        elif key in self.chooses and self.count:
            self.choose(self.here)

    def go(self, by: int) -> None:
        """Move the selection down by `by` rows."""
        self.error = ""
        if self.count:
            self.here = (self.here + by) % self.count


class RulesPage(Page):
    """The house rules as switches."""

    title = lazy("House rules")
    help = lazy("The rulebook leaves these open. Up and down choose, Space changes; or click")
    chooses = (pygame.K_SPACE, pygame.K_LEFT, pygame.K_RIGHT, *ENTER)

    def __init__(self, rules: HouseRules) -> None:
        super().__init__(len(rules.switches))
        self.rules = rules

    def choose(self, place: int) -> None:
        self.here = place
        name = self.rules.switches[place].name
        setattr(self.rules, name, not getattr(self.rules, name))

    def why(self) -> str:
        return reason(self.rules.switches[self.here])

    def paint(self, pen: Pen, body: Box) -> Spots:
        """Draw a row for each switch: its position, its rule, and whether it was changed."""
        spots: Spots = []
        size = pen.size
        for place, switch in enumerate(self.rules.switches):
            row, marked = body.row(place, self.count, size * 0.3), place == self.here
            on = getattr(self.rules, switch.name)
            pen.panel(row, Ink.RAISED if marked else Ink.PANEL, Ink.GOLD if marked else None, 6)
            paint_answer(pen, row, on, Ink.BRIGHT)
            left = row.left + size * BEFORE
            room = row.right - left - size * BEHIND
            pen.write(str(switch.says), (left, row.middle[1]), Ink.BRIGHT, "midleft", room)
            if on != switch.default:
                at = (row.right - size * END, row.middle[1])
                pen.write(_("changed"), at, Ink.GOLD, "midright", size * (BEHIND - 1))
            spots.append(Spot(row, Command("rule", place)))
        return spots


class GamesPage(Page):
    """The saved games, latest first; `chosen` is the game to resume."""

    title = lazy("Saved games")
    help = lazy("Enter or a click resumes a game; a finished one is only shown")

    def __init__(self, paths: list[Path]) -> None:
        super().__init__(len(paths))
        self.game = cache(lambda place: describe(paths[place]))  # each file is read when shown
        self.chosen: SavedGame | None = None

    def choose(self, place: int) -> None:
        self.here = place
        game = self.game(place)
        self.error = game.error
        if not game.error:
            self.chosen = game
            self.is_done = True

    def paint(self, pen: Pen, body: Box) -> Spots:
        """Draw as many saved games as fit, the selected one among them."""
        spots: Spots = []
        size = pen.size
        first = max(0, min(self.here - SHOWN // 2, self.count - SHOWN))
        for place in range(first, min(first + SHOWN, self.count)):
            game, marked = self.game(place), place == self.here
            row = body.row(place - first, SHOWN, size * 0.4)
            pen.panel(row, Ink.RAISED if marked else Ink.PANEL, Ink.GOLD if marked else None)
            ink = Ink.FAINT if game.error else Ink.BRIGHT
            at, room = (row.left + size * 0.8, row.middle[1]), row.width * 0.27
            pen.write(game.path.stem, at, ink, "midleft", room)
            left = row.left + row.width * 0.3
            at, room = (left, row.top + row.height * 0.32), row.right - left - size * 0.6
            players = all_of(game.names) or _("cannot be opened")
            pen.write(players, at, ink, "midleft", room, size=pen.head)
            how_far = game.error
            if not how_far and game.winners:
                how_far = _("over: {names} won").format(names=all_of(game.winners))
            elif not how_far:
                how_far = _("turn {turn}").format(turn=game.turns + 1)
            pen.write(how_far, (left, row.top + row.height * 0.76), Ink.FAINT, "midleft", room)
            spots.append(Spot(row, Command("game", place)))
        if not self.count:
            pen.write(_("No game has been saved yet."), body.middle, Ink.FAINT, "center")
        return spots


class PhonesPage(Page):
    """The code with which telephones connect."""

    title = lazy("Telephones")
    help = lazy("Each player's telephone is a hand and a button to bid with")

    def __init__(self, invitation: Invitation) -> None:
        super().__init__(0)
        self._invitation = invitation

    def paint(self, pen: Pen, body: Box) -> Spots:
        paint_invitation(pen, body, self._invitation, ())
        return []


def paint_page(pen: Pen, box: Box, pitch: int, page: Page) -> Spots:
    size, middle = pen.size, box.middle[0]
    pen.write(str(page.title), (middle, box.top + pitch * 1.4), Ink.GOLD, "center", size=pen.large)
    help_at = (middle, box.top + pitch * 3.6)
    pen.write(str(page.help), help_at, Ink.FAINT, "center", box.width)
    foot = Box(box.left, box.bottom - pitch * 2.6, box.width, pitch * 2.4)
    why = page.why()
    lines = wrapped(why, size, int(foot.width)) if why else ()
    bottom = foot.top - size * (0.6 + LINE * len(lines))
    if lines:
        pen.panel(Box(foot.left, bottom, foot.width, foot.top - bottom), Ink.NIGHT, None, 0)
    first = (foot.middle[0], bottom + size * (0.3 + LINE * 0.5))
    pen.write_lines(lines, first, Ink.GOLD, "center", pitch=LINE)
    body = Box(box.left, box.top + pitch * 4.8, box.width, bottom - box.top - pitch * 4.8)
    spots = page.paint(pen, body)
    pen.panel(foot, Ink.RAISED, Ink.EDGE)
    pen.key_cap("esc", (foot.left + size * 0.6, foot.middle[1]))
    pen.write(_("Back"), foot.middle, Ink.BRIGHT, "center", size=pen.head)
    return [*spots, Spot(foot, Command("leave"))]
