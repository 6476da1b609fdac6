"""Cards that can be looked up: keys, house rules, bids of each sale, the code for telephones."""

from collections.abc import Sequence
from typing import TypeVar

import pygame

from city_game.kernel.edition import Edition
from city_game.kernel.switches import Switch
from city_game.report.reasons import sentences
from city_game.table.cards import paint_rows, room_for
from city_game.table.drawing import (
    EDGE,
    FAINT,
    GOLD,
    INK,
    NIGHT,
    badge,
    button,
    centred,
    head,
    in_lines,
    lay,
    wrapped,
    write,
    write_lines,
)
from city_game.table.layout import Layout
from city_game.table.picture import (
    NOTHING,
    Button,
    Command,
    Invitation,
    Lookup,
    Spot,
    Spots,
    View,
)
from city_unit.desktop.catalogue import Lazy, _, lazy
from sim.face.box import Box
from sim.face.paint import Colour, put, text_width

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


def paint_lookup(target: pygame.Surface, layout: Layout, view: View) -> Spots:
    """Draw the card that is open, the pages it has, and how it is closed."""
    lookup = view.lookup
    if lookup is None:
        return []
    size = layout.text
    box = _card(layout)
    lay(target, box)
    inner = box.shrink(size * 0.8)
    foot = Box(inner.left, inner.bottom - size * 1.9, inner.width, size * 1.9)
    title = CARDS[lookup.card](target, layout, view, lookup)
    at = (box.middle[0], inner.top + size * 0.9)
    write(target, title, at, head(size), GOLD, "center", inner.width)
    buttons = [Button(_("Close"), "esc", Command("back"))]
    if lookup.pages > 1:
        on = _("On ({here})").format(here=f"{lookup.page + 1}/{lookup.pages}")
        before = Button(_("Back"), "left", Command("browse", -1))
        buttons += [before, Button(on, "right", Command("browse", 1))]
    return [
        Spot(box, "card", NOTHING),
        *(
            button(target, foot.column(place, len(buttons), 8), what, size, view.mouse)
            for place, what in enumerate(buttons)
        ),
    ]


def _card(layout: Layout) -> Box:
    size, room = layout.text, layout.city
    if room.width < size * LEAST:
        room = layout.board
    width, height = min(size * 46, room.width), min(size * 37, room.height)
    return Box(room.middle[0] - width / 2, room.middle[1] - height / 2, width, height)


def _body(layout: Layout) -> Box:
    """Return the part of the card between its title and its buttons."""
    inner = _card(layout).shrink(layout.text * 0.8)
    return Box(
        inner.left,
        inner.top + layout.text * 2.6,
        inner.width,
        inner.height - layout.text * 4.9,
    )


def _bids_box(layout: Layout) -> Box:
    """Return the part of the card in which the bids of a sale are, below its outcome."""
    body, above = _body(layout), layout.text * 2
    return Box(body.left, body.top + above, body.width, body.height - above)


def bids_on_a_page(layout: Layout) -> int:
    """Return how many bids have room on one page."""
    return max(1, room_for(_bids_box(layout), layout.text))


def pages_of(card: str, layout: Layout, edition: Edition) -> int:
    """Return how many pages a card has that is the same all through a game."""
    return len(PAGES[card](layout, edition)) if card in PAGES else 1


def _help_pages(layout: Layout, edition: Edition) -> list[list]:
    """Return the pages of keys, and the last one, which tells how to play."""
    box, size = _body(layout), layout.text
    wide = _widest_key(size)
    rows = [
        (str(keys), wrapped(str(does), size, int(box.width - wide))) for keys, does in HELP_LINES
    ]
    heights = [size * (len(lines) * PITCH + APART) for _keys, lines in rows]
    return [*paged(rows, heights, box.height), *_how_to_play(layout, edition)]


def _how_to_play(layout: Layout, edition: Edition) -> list[list]:
    """Return the pages that tell how to play: one, in large letters where there is room."""
    how = sentences(edition)
    pages = sentence_pages(_body(layout), head(layout.text), how)
    return pages if len(pages) == 1 else sentence_pages(_body(layout), layout.text, how)


def _widest_key(size: int) -> float:
    return max(text_width(str(keys), size) for keys, _does in HELP_LINES) + size


def _help(target: pygame.Surface, layout: Layout, view: View, lookup: Lookup) -> str:
    box, size = _body(layout), layout.text
    edition = view.board.edition
    pages, how = _help_pages(layout, edition), _how_to_play(layout, edition)
    if lookup.page >= len(pages) - len(how):
        large = how == sentence_pages(box, head(size), sentences(edition))
        paint_sentences(target, box, head(size) if large else size, pages[lookup.page])
        return _("How to play")
    top, wide = box.top, _widest_key(size)
    for keys, lines in pages[lookup.page]:
        write(target, keys, (box.left, top), size, GOLD)
        at = (box.left + wide, top)
        top = write_lines(target, lines, at, size, INK, pitch=PITCH) + size * APART
    return _("Keys")


def _rules(target: pygame.Surface, layout: Layout, view: View, lookup: Lookup) -> str:
    """Draw switches, each with its reason; the answer is gold where it was changed."""
    box, size = _body(layout), layout.text
    edition = view.board.edition
    pages = switch_pages(box, size, edition.switches)
    if lookup.page >= len(pages):
        decided = sentence_pages(box, size, edition.decisions)[lookup.page - len(pages)]
        paint_sentences(target, box, size, decided)
        return _("Decided without a switch")
    top = box.top
    for place in pages[lookup.page]:
        switch, on = edition.switches[place], lookup.switched[place]
        row = Box(box.left, top, box.width, _height(switch, size, box.width))
        paint_answer(target, row, size, on, INK if on == switch.default else GOLD)
        says, why = _lines(switch, size, box.width)
        at = (row.left + size * BEFORE, top + size * AIR / 2)
        below = write_lines(target, says, at, size, INK, pitch=PITCH)
        write_lines(target, why, (at[0], below), size, FAINT, pitch=PITCH)
        top = row.bottom
    return _("House rules")


def _bids(target: pygame.Surface, layout: Layout, view: View, lookup: Lookup) -> str:
    """Draw the bids of a sale, of the latest on the first page."""
    box, size = _body(layout), layout.text
    if lookup.sold == -1:
        words = _("Nothing has been auctioned yet.")
        write(target, words, box.middle, size, FAINT, "center", box.width)
        return _("Bids")
    write(target, lookup.outcome, (box.left, box.top), size, INK, room=box.width)
    paint_rows(target, _bids_box(layout), size, view.names, lookup.bids)
    return _("Bids for {district}").format(district=view.board.name_of(lookup.sold))


def _phones(target: pygame.Surface, layout: Layout, view: View, lookup: Lookup) -> str:
    if lookup.invitation:
        paint_invitation(target, _body(layout), layout.text, lookup.invitation, view.names)
    return _("Telephones")


def _rule_pages(layout: Layout, edition: Edition) -> list[list]:
    """Return the pages of the house rules, and of the rules that are decided without a switch."""
    box, size = _body(layout), layout.text
    decided = sentence_pages(box, size, edition.decisions)
    return [*switch_pages(box, size, edition.switches), *decided]


PAGES = {"help": _help_pages, "rules": _rule_pages}  # of the cards that have several
CARDS = {"help": _help, "rules": _rules, "bids": _bids, "phones": _phones}


T = TypeVar("T")

PITCH = 1.15  # from line to line, in heights of letters
BEFORE, END = 4.4, 0.6  # heights of letters: before a rule's words, and at the row's end
AIR = 0.9  # heights of letters, above and below the words of a row


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


def paint_answer(target: pygame.Surface, row: Box, size: int, on: bool, ink: Colour) -> None:
    """Draw at the left of a switch's row how it is played: a box, ticked or not, and a word."""
    x, y = row.left + size * 1.1, row.middle[1]
    box = centred((x, y), size * 1.2, size * 1.2)
    pygame.draw.rect(target, NIGHT, box, border_radius=4)
    pygame.draw.rect(target, GOLD if on else EDGE, box, 2, border_radius=4)
    if on:
        points = [(-0.3, 0.0), (-0.08, 0.26), (0.34, -0.3)]
        corners = [(x + across * size, y + down * size) for across, down in points]
        pygame.draw.lines(target, GOLD, False, corners, max(2, round(size / 6)))
    words, at = _("yes") if on else _("no"), (row.left + size * 2.1, y)
    write(target, words, at, size, ink, "midleft", size * (BEFORE - 2.2))


def switch_pages(box: Box, size: int, switches: tuple[Switch, ...]) -> list[list[int]]:
    """Return which switches have room on each page, with their reasons."""
    heights = [_height(switch, size, box.width) for switch in switches]
    return paged(range(len(switches)), heights, box.height)


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


def sentence_pages(
    box: Box, size: int, sentences: Sequence[Lazy | str]
) -> list[list[tuple[str, ...]]]:
    """Return the lines of sentences, as many of these on a page as there is room for."""
    room = int(box.width - size * DOT)
    parts = [wrapped(str(sentence), size, room) for sentence in sentences]
    return paged(parts, [size * (len(lines) * PITCH + APART) for lines in parts], box.height)


def paint_sentences(
    target: pygame.Surface, box: Box, size: int, sentences: Sequence[tuple[str, ...]]
) -> None:
    """Write sentences, each in its lines, below each other and each with a dot."""
    top = box.top
    for lines in sentences:
        pygame.draw.circle(target, GOLD, (box.left + 4, top + size * 0.35), max(3, size // 6))
        at = (box.left + size * DOT, top)
        top = write_lines(target, lines, at, size, INK, pitch=PITCH) + size * APART


QUIET = 4  # squares of white around the code, which cameras want


def paint_invitation(
    target: pygame.Surface, box: Box, size: int, invitation: Invitation, names: tuple[str, ...]
) -> None:
    """Draw the code as large as there is room, and below it the address and the arrivals.

    The name of a player whose telephone has come is bright.
    """
    below = size * (4.4 + (1.9 if names else 0))
    side = min(box.height - below, box.width)
    left = box.middle[0] - side / 2
    _code(target, Box(left, box.top, side, side), invitation.squares)
    top = box.top + side + size * 0.9
    middle = box.middle[0]
    write(target, invitation.address, (middle, top), head(size), GOLD, "center", box.width)
    words = _("Telephones in this home network scan it, or open the address. Nobody else can come.")
    if invitation.is_only_here:
        words = _("Only a browser on this computer can open the address.")
    lines = in_lines(words, size, int(box.width), 2)
    at = (middle, top + size * 1.35)
    write_lines(target, lines, at, size, FAINT, "center", box.width, 1.15)
    foot = Box(box.left, box.bottom - size * 1.8, box.width, size * 1.8)
    seats = [player for player in range(len(names)) if player in invitation.people]
    for place, player in enumerate(seats):
        cell = foot.column(place, len(seats), size * 0.4)
        came = player in invitation.online
        put(
            target, badge(player, round(size * 1.3), came), (cell.left + size * 0.8, cell.middle[1])
        )
        at, room = (cell.left + size * 1.8, cell.middle[1]), cell.width - size * 1.8
        write(target, names[player], at, size, INK if came else FAINT, "midleft", room)


def paint_small(target: pygame.Surface, box: Box, size: int, invitation: Invitation) -> Spot:
    """Draw the code at the top of a box, smaller, with the key for a large one; return its spot."""
    side = min(box.width, box.height - size * 1.3)
    left = box.middle[0] - side / 2
    _code(target, Box(left, box.top, side, side), invitation.squares)
    words = _("F4: the code, larger")
    at = (box.middle[0], box.top + side + size * 0.7)
    write(target, words, at, size, FAINT, "center", box.width)
    return Spot(box, "code", Command("phones"))


def _code(target: pygame.Surface, box: Box, squares: tuple[tuple[bool, ...], ...]) -> None:
    count = len(squares) + 2 * QUIET
    pitch = max(1, int(box.width // count))
    side = pitch * count
    left, top = round(box.middle[0] - side / 2), round(box.middle[1] - side / 2)
    pygame.draw.rect(target, (255, 255, 255), pygame.Rect(left, top, side, side))
    for row, cells in enumerate(squares, QUIET):
        for column, dark in enumerate(cells, QUIET):
            if dark:
                square = pygame.Rect(left + column * pitch, top + row * pitch, pitch, pitch)
                pygame.draw.rect(target, (0, 0, 0), square)
