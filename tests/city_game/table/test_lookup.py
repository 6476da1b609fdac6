"""Things to look up at any time: the keys, the house rules, the bids of each sale."""

import pygame
import pytest

from city_game.report.words import bids
from city_game.table import cards, lookup
from city_game.table.drawing import Pen
from city_game.table.layout import SMALLEST
from city_game.table.lookup import pages_of
from city_game.table.session import Session
from city_unit import host
from tests.city_game.play import random_game
from tests.helpers.sales import light, put_up
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

CARDS = {"help": (pygame.K_F1, "Help"), "rules": (pygame.K_F2, "Rules")}
CARDS["bids"] = (pygame.K_F3, "Bids")


@pytest.fixture
def screen():
    """Return a screen just after a sale: A bid, B outbid, A came too late."""
    session, _ = put_up()
    _, ends = light(session)
    screen = make_screen(session)
    opener = session.state.auction.opener
    run_until(session, lambda: session.unit.now() >= ends - 500)
    type_letter(screen, screen.bid_keys[1 - opener])
    run_until(session, lambda: session.unit.now() >= ends + 100)
    type_letter(screen, screen.bid_keys[opener])
    run_until(session, lambda: session.state.auction is None)
    screen.update()
    return screen


def spots(screen):
    draw(screen)
    return {name: box for box, name, _ in screen.spots}


@pytest.mark.parametrize("card", CARDS)
def test_a_card_opens_and_closes_by_key_and_by_mouse(screen, card):
    key, label = CARDS[card]
    press(screen, key)
    assert screen.lookups.card == card
    press(screen, pygame.K_ESCAPE)
    assert not screen.lookups.card
    click(screen, spots(screen)[label].middle)
    assert screen.lookups.card == card
    click(screen, spots(screen)["Close"].middle)
    assert not screen.lookups.card


def pages(screen):
    return len(pages_of(screen.lookups.card, screen.session.state, screen.layout))


def test_the_rules_have_several_pages_and_the_bids_one_a_sale(screen):
    press(screen, pygame.K_F2)
    seen = set()
    for _ in range(pages(screen)):
        seen.add(pygame.image.tobytes(draw(screen), "RGB"))
        press(screen, pygame.K_RIGHT)
    assert len(seen) == pages(screen) > 2 and screen.lookups.page == 0
    press(screen, pygame.K_F3)
    assert screen.lookups.card == "bids" and pages(screen) == 1


def test_the_latest_bid_is_told_first_and_the_late_one_with_its_reason(screen):
    opening, counted, late = bids(screen.session.state.sales[-1])
    assert (opening.why, counted.why, late.why) == ("", "", "too-late")
    assert opening.since == 0 and counted.left >= 484 and -116 <= late.left <= -100


def shown_bids(monkeypatch, screen):
    """Return the bids that are drawn, in their order, and the words of how many there are more."""
    rows, words = [], []
    for painter in (cards, lookup):
        monkeypatch.setattr(painter, "paint_rows", lambda *given: rows.extend(given[3]))
    monkeypatch.setattr(Pen, "write", lambda _, said, *rest, **more: words.append(said))
    draw(screen)
    return rows, [said for said in words if said.startswith("and ")]


@pytest.mark.parametrize("count", [1, 18, 19, 20, 21, 60])
def test_all_bids_of_a_long_sale_are_on_the_pages(monkeypatch, screen, count):
    sale = screen.session.state.sales[-1]
    sale.bids[:] = sale.bids[:1] * count
    for place, bid in enumerate(sale.bids):
        sale.bids[place] = bid._replace(amount=bid.amount + place)
    screen.skip()
    press(screen, pygame.K_F3)
    shown = []
    for _ in range(pages(screen)):
        shown.append(shown_bids(monkeypatch, screen)[0])
        press(screen, pygame.K_RIGHT)
    assert [bid for page in shown for bid in page] == bids(sale)[::-1]
    assert all(len(page) == len(shown[0]) for page in shown[:-1])


def test_how_many_bids_are_not_shown_is_said(monkeypatch, screen):
    sale = screen.session.state.sales[-1]
    sale.bids[:] = [
        bid._replace(amount=bid.amount + more) for more, bid in enumerate(sale.bids[:1] * 30)
    ]
    rows, words = shown_bids(monkeypatch, screen)
    assert rows == bids(sale)[::-1][: len(rows)]
    assert words == [f"and {31 - len(rows)} before these: F3, once the sale is over"]


def test_a_bid_key_does_nothing_else_while_the_result_is_shown(screen):
    """Hammering a bid key until after the end must not end a turn or roll the dice by it."""
    state = screen.session.state
    screen.bid_keys = "ee"
    before = len(screen.session.game.actions)
    assert screen.motion.sale and state.phase == "manage"
    type_letter(screen, "e")
    assert len(screen.session.game.actions) == before
    screen.skip()
    type_letter(screen, "e")
    assert len(screen.session.game.actions) == before + 1


def test_the_light_closes_what_is_looked_up():
    session, _ = put_up()
    screen = make_screen(session)
    screen.update()
    press(screen, pygame.K_F2)
    assert screen.lookups.card
    light(session)
    screen.update()
    assert not screen.lookups.card


def test_how_to_play_and_the_books_of_the_edition_are_behind_the_keys(screen, monkeypatch):
    written = []
    monkeypatch.setattr(lookup, "paint_sentences", lambda *what: written.append(what[-1]))
    press(screen, pygame.K_F1)
    press(screen, pygame.K_LEFT)
    draw(screen)
    assert screen.lookups.card == "help" and screen.lookups.page == pages(screen) - 1
    (source,) = screen.session.state.edition.sources
    assert str(source.book) in " ".join(line for lines in written[0] for line in lines)
    press(screen, pygame.K_RIGHT)
    assert screen.lookups.page == 0


@pytest.mark.parametrize("size", [SMALLEST, (1024, 600), SIZE, (1366, 768)])
@pytest.mark.parametrize("card", ["the end", "help"])
def test_a_hint_covers_no_button_of_a_card(monkeypatch, size, card):
    screen = make_screen(Session(random_game(4, 60), VirtualUnit(host.Memory())), size)
    assert screen.session.state.phase == "over"
    screen.update()
    if card == "help":
        press(screen, pygame.K_F1)
    boxes = []
    monkeypatch.setattr(Pen, "lay", lambda _, box, *look: boxes.append(box))
    screen.session.hint("A hint that is so long that it takes several lines. " * 3)
    there = spots(screen)
    buttons = ["Close", "Back"] if card == "help" else ["Export", "See the city", "Another game"]
    hint = boxes[-1]  # it lies above the card
    assert not any(there[button].meets(hint) for button in buttons)
