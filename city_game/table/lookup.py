"""Cards that can be looked up: keys, house rules, bids of each sale, the code for telephones."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import pygame

from city_game.kernel.money import show
from city_game.kernel.state import Auction, State
from city_game.kernel.switches import Switch
from city_game.table.cards import paint_rows, room_for
from city_game.table.drawing import Ink, Pen, badge, centred, head, in_lines, wrapped
from city_game.table.picture import NOTHING, Button, Command, Invitation, Layout, Spot, Spots, View
from city_game.words import Bid, bids, sentences
from city_unit.desktop.catalogue import Lazy, _, lazy
from sim.face.geometry import Box
from sim.face.paint import Colour, text_width

HELP_LINES = (
    (lazy("Enter"), lazy("does what is marked")),
    (lazy("up, down, 1 to 9"), lazy("choose among the options; each also has a letter")),
    (lazy("arrows, Enter"), lazy("choose a deed on the map; Esc goes back")),
    ("A", lazy("AUCTION on the unit; held down it stops the light")),
    ("B", lazy("BUILD on the unit")),
    (lazy("your own key"), lazy("bids in an auction; Shift bids more, Ctrl changes your step")),
    (
        lazy("Backspace"),
        lazy("nobody at the table bids more: once the bots pass too, the auction ends"),
    ),
    ("T", lazy("offers a deal")),
    ("I", lazy("looks at deeds; or click a deed at any time")),
    (
        "F1, F2, F3, F4",
        lazy("this; house rules; bids of the last sales; telephones, for a secret maximum too"),
    ),
    (
        lazy("worth"),
        lazy("beside each name: cash and today's rents; the most of it wins at the end"),
    ),
    ("± 2 ms", lazy("beside a bid: how well the clocks are known that say when it was made")),
    ("U", lazy("takes back your own last step, if it revealed nothing")),
    (lazy("Space"), lazy("skips what moves")),
    ("F5", lazy("goes on with another unit, if this one is lost")),
    ("F6", lazy("another hour on the unit")),
    (lazy("M, Page up, Page down"), lazy("sound off and on; the log back and forth")),
    ("P, F7", lazy("a pause: the unit is off, and the rest of the hour is given back")),
    ("F8", lazy("calm: nothing walks, tumbles or blinks")),
    ("F9", lazy("at a tournament: calls the referee, or takes the call back")),
    ("F11, Ctrl+Q", lazy("full screen; leave: the game is saved at each step")),
)
LEAST = 38  # heights of letters: in a city that is less wide a card lies over the whole board


PITCH = 1.15  # from line to line, in heights of letters
BEFORE, END = 4.4, 0.6  # heights of letters: before a rule's words, and at the row's end
AIR = 0.9  # heights of letters, above and below the words of a row

T = TypeVar("T")
Page = tuple[str, Callable[[Pen, View], object]]  # its title, and what draws it


def paint_lookup(pen: Pen, layout: Layout, view: View) -> Spots:
    """Draw the card that is open, the pages it has, and how it is closed."""
    if not view.lookup:
        return []
    size = layout.text
    box = _card(layout)
    pen.lay(box)
    inner = box.shrink(size * 0.8)
    foot = Box(inner.left, inner.bottom - size * 1.9, inner.width, size * 1.9)
    pages = pages_of(view.lookup, view.state, layout)
    here = view.page % len(pages)
    title, paint = pages[here]
    paint(pen, view)
    at = (box.middle[0], inner.top + size * 0.9)
    pen.write(title, at, Ink.GOLD, "center", inner.width, size=pen.head)
    buttons = [Button(_("Close"), "esc", Command("back"))]
    if len(pages) > 1:
        on = _("On ({here})").format(here=f"{here + 1}/{len(pages)}")
        before = Button(_("Back"), "left", Command("browse", -1))
        buttons += [before, Button(on, "right", Command("browse", 1))]
    return [
        Spot(box, "card", NOTHING),
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


def pages_of(card: str, state: State, layout: Layout) -> list[Page]:
    """Return the pages of a card: one at least, and of the bids one or more for each sale."""
    inner, size, edition = _card(layout).shrink(layout.text * 0.8), layout.text, state.edition
    # Between the title and the buttons.
    box = Box(inner.left, inner.top + size * 2.6, inner.width, inner.height - size * 4.9)
    if card == "help":
        title, how = _("How to play"), sentences(edition)
        pages = _sentences(title, box, head(size), how)  # one, in large letters, if it has room
        if len(pages) > 1:
            pages = _sentences(title, box, size, how)
        return [*_keys(box, size), *pages]
    if card == "rules":
        heights = [_height(switch, size, box.width) for switch in edition.switches]
        return [
            *(
                (_("House rules"), partial(_switches, box, switches))
                for switches in paged(edition.switches, heights, box.height)
            ),
            *_sentences(_("Decided without a switch"), box, size, edition.decisions),
        ]
    if card == "bids":
        # The latest sale comes first; one of many bids takes several pages.
        below = Box(box.left, box.top + size * 2, box.width, box.height - size * 2)
        room = max(1, room_for(below, size))
        title = _("Bids for {district}")
        return [
            (
                title.format(district=state.board.name_of(sale.thing)),
                partial(_bids, box, below, sale, bids(sale)[::-1][skip : skip + room]),
            )
            for sale in reversed(state.sales)
            for skip in range(0, max(1, len(sale.bids) + len(sale.refused)), room)
        ] or [(_("Bids"), partial(_no_bids, box))]

    def paint_phones(pen: Pen, view: View) -> None:
        if view.invitation:
            paint_invitation(pen, box, view.invitation, view.names)

    return [(_("Telephones"), paint_phones)]


def _keys(box: Box, size: int) -> list[Page]:
    """Return the pages of the keys."""
    wide = max(text_width(str(keys), size) for keys, _does in HELP_LINES) + size
    rows = [
        (str(keys), wrapped(str(does), size, int(box.width - wide))) for keys, does in HELP_LINES
    ]
    heights = [size * (len(lines) * PITCH + APART) for _key, lines in rows]

    def paint(page: list[tuple[str, tuple[str, ...]]], pen: Pen, _view: View) -> None:
        top = box.top
        for keys, lines in page:
            pen.write(keys, (box.left, top), Ink.GOLD, size=size)
            at = (box.left + wide, top)
            top = pen.write_lines(lines, at, Ink.BRIGHT, pitch=PITCH, size=size) + size * APART

    return [(_("Keys"), partial(paint, page)) for page in paged(rows, heights, box.height)]


def _sentences(title: str, box: Box, size: int, several: Sequence[Lazy | str]) -> list[Page]:
    """Return pages of sentences under one title."""

    def paint(page: list[tuple[str, ...]], pen: Pen, _view: View) -> None:
        paint_sentences(pen, box, size, page)

    parts = [wrapped(str(sentence), size, int(box.width - size * DOT)) for sentence in several]
    heights = [size * (len(lines) * PITCH + APART) for lines in parts]
    return [(title, partial(paint, page)) for page in paged(parts, heights, box.height)]


def _switches(box: Box, switches: list[Switch], pen: Pen, view: View) -> None:
    """Draw switches, each with its reason; the answer is gold where it was changed."""
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
    """Draw how a sale ended, and below that some of its bids."""
    words = _("{name} has it for {amount}.")
    if sale.ended is None:
        words = _("The light was stopped; the sale was held again.")
    elif not sale.bids:
        words = _("Nobody bids; it stays with the bank")
    winner = view.names[sale.leader()] if sale.bids else ""
    words = words.format(name=winner, amount=show(sale.highest()))
    pen.write(words, (box.left, box.top), Ink.BRIGHT, room=box.width)
    paint_rows(pen, below, view.names, latest)


def _no_bids(box: Box, pen: Pen, _view: View) -> None:
    pen.write(_("Nothing has been auctioned yet."), box.middle, Ink.FAINT, "center", box.width)


def paged(items: Sequence[T], heights: Sequence[float], room: float) -> list[list[T]]:
    """Return the items in pages: as many on each as there is room for."""
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
    """Draw at the left of a switch's row how it is played: a box, ticked or not, and a word."""
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
    """Return how a switch usually stands, and why."""
    usual = _("yes") if switch.default else _("no")
    return _("Usually {usual}. {why}").format(usual=usual, why=switch.why)


def _height(switch: Switch, size: int, width: float) -> float:
    """Return how high a rule's row is, with its reason and the air around it."""
    says, why = _lines(switch, size, width)
    return size * (PITCH * len(says + why) + AIR)


def _lines(switch: Switch, size: int, width: float) -> tuple[tuple[str, ...], tuple[str, ...]]:
    room = int(width - size * (BEFORE + END))
    return wrapped(str(switch.says), size, room), wrapped(reason(switch), size, room)


DOT, APART = 1.2, 0.4  # heights of letters: before a sentence, and between two


def paint_sentences(pen: Pen, box: Box, size: int, sentences: Sequence[tuple[str, ...]]) -> None:
    """Write sentences, each in its lines, below each other and each with a dot."""
    top = box.top
    for lines in sentences:
        pygame.draw.circle(
            pen.target, Ink.GOLD, (box.left + 4, top + size * 0.35), max(3, size // 6)
        )
        at = (box.left + size * DOT, top)
        top = pen.write_lines(lines, at, Ink.BRIGHT, pitch=PITCH, size=size) + size * APART


QUIET = 4  # squares of white around the code, which cameras want


def paint_invitation(pen: Pen, box: Box, invitation: Invitation, names: tuple[str, ...]) -> None:
    """Draw the code as large as there is room, and below it the address and the arrivals.

    The name of a player whose telephone has come is bright.
    """
    size = pen.size
    below = size * (4.4 + (1.9 if names else 0))
    side = min(box.height - below, box.width)
    left = box.middle[0] - side / 2
    _code(pen, Box(left, box.top, side, side), invitation.squares)
    top = box.top + side + size * 0.9
    middle = box.middle[0]
    pen.write(invitation.address, (middle, top), Ink.GOLD, "center", box.width, size=pen.head)
    words = _("Telephones in this home network scan it, or open the address. Nobody else can come.")
    if invitation.is_only_here:
        words = _("Only a browser on this computer can open the address.")
    lines = in_lines(words, size, int(box.width), 2)
    pen.write_lines(lines, (middle, top + size * 1.35), Ink.FAINT, "center", box.width, 1.15)
    foot = Box(box.left, box.bottom - size * 1.8, box.width, size * 1.8)
    seats = [player for player in range(len(names)) if player in invitation.people]
    for place, player in enumerate(seats):
        cell = foot.column(place, len(seats), size * 0.4)
        came = player in invitation.online
        pen.put(badge(player, round(size * 1.3), came), (cell.left + size * 0.8, cell.middle[1]))
        at, room = (cell.left + size * 1.8, cell.middle[1]), cell.width - size * 1.8
        pen.write(names[player], at, Ink.BRIGHT if came else Ink.FAINT, "midleft", room)


def paint_small(pen: Pen, box: Box, invitation: Invitation) -> Spot:
    """Draw the code at the top of a box, smaller, with the key for a large one; return its spot."""
    size = pen.size
    side = min(box.width, box.height - size * 1.3)
    left = box.middle[0] - side / 2
    _code(pen, Box(left, box.top, side, side), invitation.squares)
    words = _("F4: the code, larger")
    pen.write(words, (box.middle[0], box.top + side + size * 0.7), Ink.FAINT, "center", box.width)
    return Spot(box, "code", Command("phones"))


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
