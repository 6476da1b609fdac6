"""Reference cards: keys, house rules, and the bids of each sale."""

import pygame
import pytest

from city_game.table.layout import SMALLEST
from city_game.table.pages import pages_of
from city_game.table.picture import Pen
from city_game.table.session import Session
from city_game.words import bids
from city_unit import host
from tests.city_game.play import random_game
from tests.helpers.sales import light, put_up
from tests.helpers.table_screen import spot
from tests.helpers.virtual_table import (
    SIZE,
    VirtualUnit,
    click,
    draw,
    make_screen,
    press,
    run_until,
    type_letter,
)

# card: its key, its button, and its least number of pages
CARDS = {
    "help": (pygame.K_F1, 2),
    "rules": (pygame.K_F2, 3),
    "bids": (pygame.K_F3, 1),
}


@pytest.fixture
def screen():
    """Return a screen just after a sale, in which the opener's second bid was too late."""
    session, _ = put_up()
    _, ends = light(session)
    screen = make_screen(session)
    opener = session.state.auction.opener
    run_until(session, lambda: session.unit.now() >= ends - 500)
    type_letter(screen, screen.bid_keys[1 - opener])
    run_until(session, lambda: session.unit.now() >= ends + 100)
    draw(screen)
    type_letter(screen, screen.bid_keys[opener])
    run_until(session, lambda: session.state.auction is None)
    screen.update()
    return screen


def pages(screen):
    return len(pages_of(screen.card, screen.session.state, screen.layout))


def test_each_card_opens_and_closes_by_key_and_mouse_and_its_pages_wrap_around(screen, monkeypatch):
    written, write = [], Pen.write
    monkeypatch.setattr(
        Pen, "write", lambda *what, **more: written.append(what[1]) or write(*what, **more)
    )
    for card, (key, least) in CARDS.items():
        press(screen, key)
        assert screen.card == card and pages(screen) >= least
        seen = set()
        for page in range(pages(screen)):
            assert screen.page == page
            seen.add(pygame.image.tobytes(draw(screen), "RGB"))
            press(screen, pygame.K_RIGHT)
        assert screen.page == 0 and len(seen) >= least
        press(screen, pygame.K_LEFT)
        assert screen.page == pages(screen) - 1
        press(screen, pygame.K_ESCAPE)
        assert not screen.card
        draw(screen)
        click(screen, spot(screen, card).middle)
        draw(screen)
        assert screen.card == card
        click(screen, spot(screen, "back").middle)
        assert not screen.card
    (source,) = screen.session.state.edition.sources  # the books follow the keys
    assert str(source.book) in " ".join(written)


def test_all_bids_of_a_long_sale_are_on_its_pages_and_the_outcome_counts_those_left_out(
    screen, written, monkeypatch
):
    rows = []
    for module in ("cards", "pages"):
        name = f"city_game.table.{module}.paint_rows"
        monkeypatch.setattr(name, lambda *given: rows.append(given[3]))
    sale = screen.session.state.sales[-1]
    first = sale.bids[0]
    for count in (30, 1, 18, 19, 20, 21, 60):
        sale.bids[:] = [first._replace(amount=first.amount + more) for more in range(count)]
        rows.clear()
        if count == 30:  # on the outcome's card
            draw(screen)
            (latest,) = rows
            assert latest == bids(sale)[::-1][: len(latest)]
            assert f"and {31 - len(latest)} earlier ones: F3, once the sale is over" in written
            screen.skip()
            press(screen, pygame.K_F3)
            continue
        for _ in range(pages(screen)):
            draw(screen)
            press(screen, pygame.K_RIGHT)
        assert [bid for page in rows for bid in page] == bids(sale)[::-1], count
        assert all(len(page) == len(rows[0]) for page in rows[:-1]), count


def test_a_bid_key_has_no_other_effect_while_the_outcome_is_shown(screen):
    """Hammering a bid key until after the end must not end the turn or roll the dice."""
    screen.bid_keys = "ee"
    before = len(screen.session.game.actions)
    assert screen.motion.sale and screen.state.phase == "manage"
    type_letter(screen, "e")
    assert len(screen.session.game.actions) == before
    screen.skip()
    type_letter(screen, "e")
    assert len(screen.session.game.actions) == before + 1


@pytest.mark.parametrize("size", [SMALLEST, (1024, 600), SIZE])
def test_a_hint_covers_no_button_of_a_card(monkeypatch, size):
    screen = make_screen(Session(random_game(4, 60), VirtualUnit(host.Memory())), size)
    screen.update()
    boxes = []
    monkeypatch.setattr(Pen, "lay", lambda _, box, *look: boxes.append(box))
    screen.session.hint("A hint that is so long that it takes several lines. " * 3)
    for buttons in ((("export",), ("back",), ("again",)), (("back",), ("browse", -1))):
        draw(screen)
        assert not any(spot(screen, *button).meets(boxes[-1]) for button in buttons)
        press(screen, pygame.K_F1)
