"""What can be looked up at any time: the keys, the house rules, the bids of each sale."""

import pygame

from city_game.kernel.edition import Edition
from city_game.table.paint.base.drawing import (
    FAINT,
    GOLD,
    INK,
    button,
    head,
    lay,
    wrapped,
    write,
    write_lines,
)
from city_game.table.paint.base.layout import Layout
from city_game.table.paint.base.view import NOTHING, Button, Command, Lookup, Spot, Spots, View
from city_game.table.paint.cards.paint_bids import paint_rows, room_for
from city_game.table.paint.cards.paint_phones import paint_invitation
from city_game.table.paint.cards.paint_rules import (
    APART,
    PITCH,
    paged,
    paint_reasons,
    paint_sentences,
    sentence_pages,
    switch_pages,
)
from city_unit.desktop.catalogue import _, lazy
from sim.face.box import Box
from sim.face.paint import text_width

HELP_LINES = (
    (lazy("Enter"), lazy("does what is marked")),
    (lazy("up, down, 1 to 9"), lazy("choose among the options; each also has a letter")),
    (lazy("arrows, Enter"), lazy("choose a district on the map; Esc goes back")),
    ("A", lazy("AUCTION on the unit; held down it stops the light")),
    ("B", lazy("BUILD on the unit")),
    (lazy("your own key"), lazy("bids in an auction; Shift bids more, Ctrl changes your step")),
    (
        lazy("Backspace"),
        lazy("nobody at the table bids more: once the bots pass too, the auction ends"),
    ),
    ("T", lazy("offers a deal")),
    ("I", lazy("looks at deeds; or click a district at any time")),
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
    ("F11, Ctrl+Q", lazy("full screen; leave: the game is saved at each step")),
)
LEAST = 38  # heights of letters: in a city that is less wide a card lies over the whole board


def paint_lookup(target: pygame.Surface, layout: Layout, view: View, lookup: Lookup) -> Spots:
    """Draw the card that is open, the pages it has, and how it is closed."""
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
        before = Button(_("Back"), "left", Command("page", -1))
        buttons += [before, Button(on, "right", Command("page", 1))]
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
    how = edition.words.how_to_play
    pages = sentence_pages(_body(layout), head(layout.text), how)
    return pages if len(pages) == 1 else sentence_pages(_body(layout), layout.text, how)


def _widest_key(size: int) -> float:
    return max(text_width(str(keys), size) for keys, _does in HELP_LINES) + size


def _help(target: pygame.Surface, layout: Layout, view: View, lookup: Lookup) -> str:
    box, size = _body(layout), layout.text
    edition = view.board.edition
    pages, how = _help_pages(layout, edition), _how_to_play(layout, edition)
    if lookup.page >= len(pages) - len(how):
        large = how == sentence_pages(box, head(size), edition.words.how_to_play)
        paint_sentences(target, box, head(size) if large else size, pages[lookup.page])
        return _("How to play")
    top, wide = box.top, _widest_key(size)
    for keys, lines in pages[lookup.page]:
        write(target, keys, (box.left, top), size, GOLD)
        at = (box.left + wide, top)
        top = write_lines(target, lines, at, size, INK, pitch=PITCH) + size * APART
    return _("Keys")


def _rule_pages(layout: Layout, edition: Edition) -> list[list]:
    """Return the pages of the house rules, and those of what is decided without a switch."""
    box, size = _body(layout), layout.text
    return [
        *switch_pages(box, size, edition.switches),
        *sentence_pages(box, size, edition.decisions),
    ]


def _rules(target: pygame.Surface, layout: Layout, view: View, lookup: Lookup) -> str:
    box, size = _body(layout), layout.text
    edition = view.board.edition
    switches = switch_pages(box, size, edition.switches)
    if lookup.page >= len(switches):
        decided = sentence_pages(box, size, edition.decisions)[lookup.page - len(switches)]
        paint_sentences(target, box, size, decided)
        return _("Decided without a switch")
    paint_reasons(target, box, size, edition.switches, lookup.switched, switches[lookup.page])
    return _("House rules")


def _bids(target: pygame.Surface, layout: Layout, view: View, lookup: Lookup) -> str:
    """Draw the bids of a sale, of the latest on the first page."""
    box, size = _body(layout), layout.text
    if lookup.sold < 0:
        words = _("Nothing has been auctioned yet.")
        write(target, words, box.middle, size, FAINT, "center", box.width)
        return _("Bids")
    write(target, lookup.outcome, (box.left, box.top), size, INK, room=box.width)
    paint_rows(target, _bids_box(layout), size, view.names, lookup.bids)
    return _("Bids for {district}").format(district=view.board.deeds[lookup.sold].name)


def _phones(target: pygame.Surface, layout: Layout, view: View, lookup: Lookup) -> str:
    if lookup.invitation:
        paint_invitation(target, _body(layout), layout.text, lookup.invitation, view.names)
    return _("Telephones")


PAGES = {"help": _help_pages, "rules": _rule_pages}  # of the cards that have several
CARDS = {"help": _help, "rules": _rules, "bids": _bids, "phones": _phones}
