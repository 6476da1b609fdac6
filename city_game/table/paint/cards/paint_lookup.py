"""What can be looked up at any time: the keys, the house rules, the bids of each sale."""

import pygame

from city_game.editions.house_rules import DECISIONS, SWITCHES
from city_game.table.paint.base.drawing import FAINT, GOLD, INK, button, lay, write
from city_game.table.paint.base.layout import Layout
from city_game.table.paint.base.view import NOTHING, Button, Command, Lookup, Spot, Spots, View
from city_game.table.paint.cards.paint_bids import paint_rows, room_for
from city_game.table.paint.cards.paint_phones import paint_invitation
from city_game.table.paint.cards.paint_rules import paint_sentences, paint_switches
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


HOW_TO_PLAY = (
    lazy("Who is worth the most when the hour is over wins: cash and the day's rents count."),
    lazy("On your turn you roll the dice, walk round the track, and do what the space says."),
    lazy("An unsold district can be bought at its price; if not, it is auctioned."),
    lazy("In an auction all bid until the unit's light goes out; the highest bid has it."),
    lazy("After the move BUILD draws a permit: so many blocks, on any of your districts."),
    lazy("Each block raises the rent; homes beside a hazard do not count, factories do."),
    lazy("A skyscraper doubles a whole group, the tower all you have; stadiums pay at GO."),
    lazy("Who lands on your district pays its rent; who cannot pay mortgages, deals, or is out."),
    lazy(
        "A deal may be offered at any time of your turn; the other one says yes or no before the "
        "light goes out."
    ),
)

RULE_PAGES = 3  # the switches on two, since on a single page they are too small to be read


def paint_lookup(target: pygame.Surface, layout: Layout, view: View, lookup: Lookup) -> Spots:
    """Draw the card that is open, the pages it has, and how it is closed."""
    size = layout.text
    box = _card(layout)
    lay(target, box)
    inner = box.shrink(size * 0.8)
    foot = Box(inner.left, inner.bottom - size * 1.9, inner.width, size * 1.9)
    title = CARDS[lookup.card](target, layout, view, lookup)
    head = (box.middle[0], inner.top + size * 0.9)
    write(target, title, head, round(size * 1.6), GOLD, "center", inner.width)
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
    size, city = layout.text, layout.city
    width, height = min(size * 46, city.width), min(size * 37, city.height)
    return Box(city.middle[0] - width / 2, city.middle[1] - height / 2, width, height)


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


def _help(target: pygame.Surface, layout: Layout, _view: View, lookup: Lookup) -> str:
    if lookup.page:
        paint_sentences(target, _body(layout), round(layout.text * 1.4), HOW_TO_PLAY)
        return _("How to play")
    box = _body(layout)
    pitch = box.height / len(HELP_LINES)
    size = round(min(layout.text * 0.95, pitch / 1.35))
    lines = [(str(keys), str(does)) for keys, does in HELP_LINES]
    wide = max(text_width(keys, size) for keys, _does in lines) + size
    for place, (keys, does) in enumerate(lines):
        middle = box.top + (place + 0.5) * pitch
        write(target, keys, (box.left, middle), size, GOLD, "midleft")
        write(target, does, (box.left + wide, middle), size, INK, "midleft", box.width - wide)
    return _("Keys")


def _rules(target: pygame.Surface, layout: Layout, _view: View, lookup: Lookup) -> str:
    size = round(layout.text * 0.95)
    if lookup.page == RULE_PAGES - 1:
        paint_sentences(target, _body(layout), size, DECISIONS)
        return _("Decided without a switch")
    half = -(-len(SWITCHES) // 2)
    shown = range(half * lookup.page, min(len(SWITCHES), half * (lookup.page + 1)))
    paint_switches(target, _body(layout), size, lookup.switched, shown=shown)
    return _("House rules")


def _bids(target: pygame.Surface, layout: Layout, view: View, lookup: Lookup) -> str:
    """Draw the bids of a sale, of the latest on the first page."""
    box, size = _body(layout), layout.text
    if lookup.sold < 0:
        write(target, _("Nothing has been auctioned yet."), box.middle, size, FAINT, "center")
        return _("Bids")
    write(target, lookup.outcome, (box.left, box.top), size, INK, room=box.width)
    paint_rows(target, _bids_box(layout), size, view.names, lookup.bids)
    return _("Bids for {district}").format(district=view.board.districts[lookup.sold].name)


def _phones(target: pygame.Surface, layout: Layout, view: View, lookup: Lookup) -> str:
    if lookup.invitation:
        paint_invitation(target, _body(layout), layout.text, lookup.invitation, view.names)
    return _("Telephones")


CARDS = {"help": _help, "rules": _rules, "bids": _bids, "phones": _phones}
