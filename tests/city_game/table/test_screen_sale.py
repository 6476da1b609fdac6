"""A sale at the table: bids by key and by mouse, and panels over it."""

import pygame
import pytest

from city_game.table import cards
from city_game.table.drawing import Pen
from city_game.table.layout import SMALLEST
from city_game.table.picture import Command
from tests.helpers.sales import light, put_up
from tests.helpers.table_screen import a_sale, spot, wait
from tests.helpers.virtual_table import (
    BOARD,
    SIZE,
    click,
    draw,
    make_screen,
    make_session,
    point_at,
    press,
    run_until,
    type_letter,
)


def choosing():
    """Return a screen at which a deed is chosen, and the opening of its auction."""
    session, _ = make_session(("human", "human"))
    run_until(session, lambda: session.state.phase == "roll")
    state = session.state
    state.decider, state.phase = state.turn, "auction space"
    screen = make_screen(session)
    screen.update()
    screen.choose(next(option for option in screen.decision.options if option.has_amount))
    return screen


def test_an_opening_bid_changes_by_a_million_by_key_and_by_mouse():
    screen = choosing()
    state = screen.state
    screen.confirm()
    draw(screen)
    least, volume = screen.choice.opening, screen.volume
    click(screen, spot(screen, "+1M").middle)
    assert screen.choice.opening == least + 100
    type_letter(screen, "m")
    assert screen.choice.opening == least + 200 and screen.volume == volume
    click(screen, spot(screen, "−1M").middle)
    assert screen.choice.opening == least + 100
    for _ in range(3):
        type_letter(screen, "n")
    assert screen.choice.opening == state.board.money.least_bid


def test_one_tap_selects_a_district_to_auction_and_a_second_opens_it():
    screen = choosing()
    state = screen.state
    draw(screen)
    first, second = (screen.layout.plots[deed].middle for deed in (4, 7))
    click(screen, first)
    assert screen.choice.deed() == 4 and screen.choice.opening is None
    click(screen, second)  # another one is selected, and not opened
    assert screen.choice.deed() == 7 and screen.choice.opening is None
    point_at(screen, first)  # on the way to a button nothing else is selected
    assert screen.choice.deed() == 7
    click(screen, second)
    assert screen.choice.opening == state.board.money.least_bid
    screen.perform(Command("confirm"))
    assert state.auction.deed == 7


def test_the_step_of_a_bid_is_changed_by_key_and_by_mouse(sale):
    screen, session = sale, sale.session
    me, other = 1 - session.state.auction.opener, session.state.auction.opener
    key = screen.bid_keys[me]
    amounts = [screen.bidding.next(me)]
    press(screen, ord(key), mod=pygame.KMOD_CTRL)
    amounts.append(screen.bidding.next(me))
    draw(screen)
    click(screen, spot(screen, f"larger step {me}").middle)
    amounts.append(screen.bidding.next(me))
    click(screen, spot(screen, f"smaller step {me}").middle)
    press(screen, ord(key), mod=pygame.KMOD_CTRL | pygame.KMOD_SHIFT)
    amounts.append(screen.bidding.next(me))
    assert amounts == [11, 26, 51, 11]
    assert screen.bidding.next(other) == 11 and len(session.state.auction.bids) == 1


def test_up_and_down_change_the_step_of_an_only_person_and_not_that_of_all(sale):
    press(sale, pygame.K_UP)
    assert [sale.bidding.step(player) for player in range(2)] == [10, 10]
    assert "Ctrl" in sale.toast()
    alone = a_sale(("human", "builder"))
    press(alone, pygame.K_UP)
    assert alone.bidding.step(0) == 25
    press(alone, pygame.K_DOWN)
    assert alone.bidding.step(0) == 10


def test_of_two_presses_at_once_the_second_never_bids_what_was_not_seen():
    screen = a_sale(("human",) * 3)
    session = screen.session
    opener = session.state.auction.opener
    first, second = [player for player in range(3) if player != opener]
    seen = screen.bidding.next(first)
    type_letter(screen, screen.bid_keys[first])
    type_letter(screen, screen.bid_keys[second])
    assert [bid[:2] for bid in session.state.auction.bids[1:]] == [(first, seen)]
    assert screen.toast() == "The bid has changed: look, and press again"
    screen.update()
    seen = screen.bidding.next(second)
    type_letter(screen, screen.bid_keys[second])
    assert session.state.auction.bids[-1][:2] == (second, seen)


@pytest.mark.parametrize("key", [pygame.K_F1, pygame.K_F2, pygame.K_F3])
def test_nothing_is_looked_up_over_a_light_that_is_on(sale, key):
    screen = sale
    press(screen, key)
    assert not screen.lookups.card and "after the sale" in screen.toast()


def test_the_deed_of_a_sale_is_a_click_away_and_stays_through_bids(sale):
    screen, session = sale, sale.session
    draw(screen)
    click(screen, spot(screen, "deed of the sale").middle)
    assert screen.lookups.deed == session.state.auction.deed
    screen.bidding.bid(1 - session.state.auction.opener, 1)
    screen.update()
    assert screen.lookups.deed == session.state.auction.deed


@pytest.mark.parametrize("size", [SMALLEST, SIZE, (1000, 1000), (1920, 1080)])
@pytest.mark.parametrize("deed", range(0, len(BOARD.deeds), 5))
def test_a_bid_button_bids_whatever_deed_is_open(size, deed):
    screen = a_sale(size=size)
    session = screen.session
    screen.perform(Command("deed", deed))
    draw(screen)
    bidder = 1 - session.state.auction.opener
    box, paper = spot(screen, f"bid {bidder}"), spot(screen, "deed")
    assert not paper.meets(spot(screen, "sale")) and paper.bottom <= size[1]
    click(screen, (box.left + 1, box.top + 1))
    assert session.state.auction.leader() == bidder and screen.lookups.deed == deed


def test_a_deed_hides_no_button_that_mends_the_unit_in_a_sale():
    session, _ = put_up()
    screen = make_screen(session)
    screen.update()
    screen.perform(Command("deed", 0))
    draw(screen)
    assert not spot(screen, "deed").meets(spot(screen, "AUCTION: begin the sale"))


def test_auction_pressed_while_the_light_is_on_says_how_it_is_stopped(screen):
    screen.session.tap("auction")
    run_until(screen.session, lambda: screen.session.unit.light_is_on)
    wait(screen, 1000)
    screen.session.message = ""
    type_letter(screen, "a")
    assert screen.session.message.lower() == "The light is on; AUCTION held down stops it".lower()


def test_what_lies_under_the_card_of_a_sale_is_not_clicked_through_it(sale):
    screen = sale
    draw(screen)
    card = spot(screen, "sale")
    for part in range(1, 20):
        click(screen, (card.left + card.width * part / 20, card.bottom - 12))
        assert screen.lookups.deed == -1


def test_people_pass_by_backspace_or_by_a_click_and_never_by_enter():
    for by_key in (True, False):
        screen = a_sale()
        session = screen.session
        draw(screen)
        press(screen, pygame.K_RETURN)
        assert session.state.auction.passed == []
        if by_key:
            press(screen, pygame.K_BACKSPACE)
        else:
            click(screen, spot(screen, "Nobody here bids more").middle)
        assert session.state.auction.passed == [1 - session.state.auction.opener]


@pytest.mark.parametrize("size", [SMALLEST, (1024, 600), SIZE, (1366, 768)])
def test_long_names_on_the_card_of_a_sale_end_before_the_steps(monkeypatch, size):
    session, _ = put_up(("human",) * 6)
    session.names[:] = [letter * 14 for letter in "WMWMWM"]
    light(session)
    session.do(("pass", 1 - session.state.auction.opener % 2, int(session.unit.now())))
    screen = make_screen(session, size)
    screen.update()
    names, write = [], Pen.write

    def note(pen, said, at, *look, **more):
        rect = write(pen, said, at, *look, **more)
        if said.startswith(("WWW", "MMM")) and look[1:2] == ("midleft",) and not more:
            names.append(rect)

    monkeypatch.setattr(Pen, "write", note)
    monkeypatch.setattr(cards, "paint_bids", lambda *_given: None)  # has names as well
    draw(screen)
    rows = [rect for rect in names if rect.left == min(name.left for name in names)]
    assert len(rows) == 6
    assert all(rect.right < spot(screen, "smaller step 0").left for rect in rows)


def test_the_card_of_a_sale_says_who_has_passed(sale, monkeypatch):
    screen, session = sale, sale.session
    words = []
    monkeypatch.setattr(Pen, "write", lambda _, said, *rest, **more: words.append(said))
    draw(screen)
    assert not any("has passed" in said for said in words)
    passes = 1 - session.state.auction.opener
    session.do(("pass", passes, int(session.unit.now())))
    screen.update()
    draw(screen)
    assert f"{session.names[passes]} has passed" in words
