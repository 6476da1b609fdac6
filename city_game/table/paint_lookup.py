"""What can be looked up at any time: the keys, the house rules, the bids of each sale."""

from city_game import texts_table as texts
from city_game.house_rules import DECISIONS
from city_game.money import show
from city_game.rules.state import Auction
from city_game.table.layout import Box
from city_game.table.paint_bids import paint_bids
from city_game.table.paint_panel import button
from city_game.table.paint_rules import paint_sentences, paint_switches
from city_game.table.pens import FAINT, GOLD, INK, lay, width_of, write


def paint_lookup(target, screen) -> None:
    """Draw the card that is open, the pages it has, and how it is closed."""
    size = screen.layout.text
    city = screen.layout.city
    width, height = min(size * 46, city.width), min(size * 37, city.height)
    box = Box(city.middle[0] - width / 2, city.middle[1] - height / 2, width, height)
    lay(target, box)
    screen.spot(box, "card", lambda: None)
    inner = box.shrink(size * 0.8)
    foot = Box(inner.left, inner.bottom - size * 1.9, inner.width, size * 1.9)
    body = Box(inner.left, inner.top + size * 2.6, inner.width, foot.top - inner.top - size * 3)
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
    """Draw all bids of a sale, of the latest on the first page."""
    sales = screen.session.state.sales
    if not sales:
        write(target, texts.NO_SALES, box.middle, screen.layout.text, FAINT, "center")
        return texts.BIDS_TITLE
    sale = sales[-1 - screen.card_page % len(sales)]
    size = screen.layout.text
    write(target, _outcome(screen, sale), (box.left, box.top), size, INK, room=box.width)
    below = Box(box.left, box.top + size * 2, box.width, box.height - size * 2)
    paint_bids(target, screen, below, sale, size)
    return texts.BIDS_OF.format(district=screen.session.state.board.districts[sale.district].name)


def _outcome(screen, sale: Auction) -> str:
    if sale.ended is None:
        return texts.STOPPED
    if not sale.bids:
        return texts.UNSOLD
    name = screen.session.names[sale.leader()]
    return texts.SOLD_FOR.format(name=name, amount=show(sale.highest()))


CARDS = {"help": _help, "rules": _rules, "bids": _bids}
