"""What can be looked up at any time: the keys, the house rules, the bids of each sale."""

from city_game import texts_table as texts
from city_game.house_rules import DECISIONS
from city_game.money import show
from city_game.rules.state import Auction
from city_game.table.layout import Box, Layout
from city_game.table.paint_bids import paint_page_of_bids, room_for
from city_game.table.paint_panel import button
from city_game.table.paint_rules import paint_sentences, paint_switches
from city_game.table.pens import FAINT, GOLD, INK, lay, width_of, write


def paint_lookup(target, screen) -> None:
    """Draw the card that is open, the pages it has, and how it is closed."""
    size = screen.layout.text
    box = _card(screen.layout)
    lay(target, box)
    screen.spot(box, "card", lambda: None)
    inner = box.shrink(size * 0.8)
    body = _body(screen.layout)
    foot = Box(inner.left, inner.bottom - size * 1.9, inner.width, size * 1.9)
    title = CARDS[screen.card](target, screen, body)
    head = (box.middle[0], inner.top + size * 0.9)
    write(target, title, head, round(size * 1.6), GOLD, "center", inner.width)
    pages = screen.card_pages()
    parts = 3 if pages > 1 else 1
    button(target, screen, foot.column(0, parts, 8), texts.CLOSE, screen.back, "esc")
    if pages > 1:
        here = f"{screen.card_page % pages + 1}/{pages}"
        back, on = foot.column(1, 3, 8), foot.column(2, 3, 8)
        button(target, screen, back, texts.PAGE_BACK, lambda: screen.turn_page(-1), "left")
        button(
            target,
            screen,
            on,
            texts.PAGE_ON.format(here=here),
            lambda: screen.turn_page(1),
            "right",
        )


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


def bid_pages(screen) -> list[tuple[Auction, int]]:
    """Return for each page of bids its sale and how many later bids stand on the pages before it.

    The latest sale comes first; one of many bids takes several pages.
    """
    room = max(1, room_for(_bids_box(screen.layout), screen.layout.text))
    sales = reversed(screen.session.state.sales)
    return [
        (sale, skip)
        for sale in sales
        for skip in range(0, max(1, len(sale.bids) + len(sale.refused)), room)
    ]


def _help(target, screen, box: Box) -> str:
    pitch = box.height / len(texts.HELP_LINES)
    size = round(min(screen.layout.text * 0.95, pitch / 1.35))
    wide = max(width_of(keys, size) for keys, _ in texts.HELP_LINES) + size
    for place, (keys, does) in enumerate(texts.HELP_LINES):
        middle = box.top + (place + 0.5) * pitch
        write(target, keys, (box.left, middle), size, GOLD, "midleft")
        write(target, does, (box.left + wide, middle), size, INK, "midleft", box.width - wide)
    return texts.HELP_TITLE


def _rules(target, screen, box: Box) -> str:
    size = round(screen.layout.text * 0.95)
    if screen.card_page % 2:
        paint_sentences(target, box, size, DECISIONS)
        return texts.DECIDED_TITLE
    paint_switches(target, box, size, screen.session.state.rules)
    return texts.RULES_TITLE


def _bids(target, screen, box: Box) -> str:
    """Draw the bids of a sale, of the latest on the first page."""
    pages = bid_pages(screen)
    if not pages:
        write(target, texts.NO_SALES, box.middle, screen.layout.text, FAINT, "center")
        return texts.BIDS_TITLE
    sale, skip = pages[screen.card_page % len(pages)]
    size = screen.layout.text
    write(target, _outcome(screen, sale), (box.left, box.top), size, INK, room=box.width)
    paint_page_of_bids(target, screen, _bids_box(screen.layout), sale, size, skip)
    return texts.BIDS_OF.format(district=screen.session.state.board.districts[sale.district].name)


def _outcome(screen, sale: Auction) -> str:
    if sale.ended is None:
        return texts.STOPPED
    if not sale.bids:
        return texts.UNSOLD
    name = screen.session.names[sale.leader()]
    return texts.SOLD_FOR.format(name=name, amount=show(sale.highest()))


CARDS = {"help": _help, "rules": _rules, "bids": _bids}
