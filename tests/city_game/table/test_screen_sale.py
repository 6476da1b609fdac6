"""A sale on the screen: its opening, bids by key and mouse, and cards over it."""

import pygame
import pytest

from city_game.table import cards
from city_game.table.layout import SMALLEST
from city_game.table.picture import Command, Pen
from tests.helpers.sales import light, put_up
from tests.helpers.table_screen import a_sale, option, spot
from tests.helpers.virtual_table import (
    BOARD,
    SIZE,
    at_the_dice,
    click,
    draw,
    make_screen,
    point_at,
    press,
    type_letter,
)


def test_the_second_tap_on_a_district_opens_its_auction_and_the_opening_is_changed():
    session = at_the_dice()
    state = session.state
    state.decider, state.phase = state.turn, "auction space"
    screen = make_screen(session)
    screen.update()
    screen.choose(next(option for option in screen.decision.options if option.has_amount))
    draw(screen)
    first, second = (screen.layout.plots[deed].middle for deed in (4, 7))
    for point, deed in ((first, 4), (second, 7)):  # the second tap selects another one
        click(screen, point)
        assert screen.choice.deed() == deed and screen.choice.opening is None
    point_at(screen, first)  # the mouse on its way to a button selects nothing
    assert screen.choice.deed() == 7
    click(screen, second)
    least = BOARD.money.least_bid
    assert screen.choice.opening == least
    assert screen.buttons()[0].label == "Open with 10k, as your bid"
    draw(screen)
    volume = screen.volume
    click(screen, spot(screen, "opening notes", 100).middle)
    type_letter(screen, "m")
    assert screen.choice.opening == least + 200 and screen.volume == volume
    click(screen, spot(screen, "opening notes", -100).middle)
    assert screen.choice.opening == least + 100
    type_letter(screen, "n")
    type_letter(screen, "n")
    assert screen.choice.opening == least
    press(screen, pygame.K_UP)
    screen.perform(Command("confirm"))
    assert (state.auction.deed, state.auction.opening) == (7, least + 1)


def test_each_player_changes_their_step_by_key_and_mouse(sale):
    session = sale.session
    me, other = 1 - session.state.auction.opener, session.state.auction.opener
    key = ord(sale.bid_keys[me])
    amounts = [sale.bidding.next(me)]
    press(sale, key, mod=pygame.KMOD_CTRL)
    amounts.append(sale.bidding.next(me))
    draw(sale)
    click(sale, spot(sale, "larger step", me).middle)
    amounts.append(sale.bidding.next(me))
    click(sale, spot(sale, "smaller step", me).middle)
    press(sale, key, mod=pygame.KMOD_CTRL | pygame.KMOD_SHIFT)
    amounts.append(sale.bidding.next(me))
    press(sale, pygame.K_UP)  # ambiguous with several people
    assert "Ctrl" in sale.toast()
    amounts.append(sale.bidding.next(me))
    assert amounts == [11, 26, 51, 11, 11]
    assert sale.bidding.next(other) == 11 and len(session.state.auction.bids) == 1
    alone = a_sale(("human", "builder"))
    steps = []
    for arrow in (pygame.K_UP, pygame.K_DOWN):
        press(alone, arrow)
        steps.append(alone.view().bidders[0].step)
    assert steps == [25, 10]


def test_the_second_of_two_presses_never_bids_an_unseen_amount():
    screen = a_sale(("human",) * 3)
    session = screen.session
    opener = session.state.auction.opener
    first, second = [player for player in range(3) if player != opener]
    seen = screen.bidding.next(first)
    type_letter(screen, screen.bid_keys[first])
    type_letter(screen, screen.bid_keys[second])
    assert [bid[:2] for bid in session.state.auction.bids[1:]] == [(first, seen)]
    assert screen.toast() == "The amount has changed: check it and press again"
    draw(screen)
    seen = screen.bidding.next(second)
    press(screen, ord(screen.bid_keys[second]), screen.bid_keys[second].upper(), shift=True)
    assert session.state.auction.bids[-1][:2] == (second, seen + 40)  # five steps at once


def test_during_a_sale_only_its_deed_can_be_looked_up():
    session, _ = put_up()
    screen = make_screen(session)
    press(screen, pygame.K_F2)
    assert screen.card
    light(session)
    screen.update()
    assert not screen.card
    for key in (pygame.K_F1, pygame.K_F2, pygame.K_F3):
        press(screen, key)
        assert not screen.card and "after the sale" in screen.toast()
    draw(screen)
    card = spot(screen, "nothing")
    for part in range(1, 20):  # nothing is clicked through the card
        click(screen, (card.left + card.width * part / 20, card.bottom - 12))
        assert screen.deed == -1
    click(screen, spot(screen, "deed", session.state.auction.deed).middle)
    screen.bidding.bid(1 - session.state.auction.opener, 1)
    screen.update()
    assert screen.deed == session.state.auction.deed


@pytest.mark.parametrize("size", [SMALLEST, SIZE, (1000, 1000), (1920, 1080)])
def test_an_open_deed_hides_no_part_of_a_sale(size):
    screen = a_sale(size=size)
    bidder = 1 - screen.state.auction.opener
    for deed in range(0, len(BOARD.deeds), 5):
        screen.perform(Command("deed", deed))
        draw(screen)
        box, paper = spot(screen, "bid", bidder), spot(screen, "deed", -1)
        assert not paper.meets(spot(screen, "nothing")) and paper.bottom <= size[1], deed
        assert not box.meets(paper), deed
    click(screen, (box.left + 1, box.top + 1))
    assert screen.state.auction.leader() == bidder and screen.deed == deed
    screen = make_screen(put_up()[0], size)
    screen.update()
    screen.perform(Command("deed", 0))
    draw(screen)
    assert not spot(screen, "deed", -1).meets(option(screen, "AUCTION: start the sale"))


@pytest.mark.parametrize("by_key", [True, False])
def test_people_pass_by_backspace_or_a_click_but_never_by_enter(sale, request, by_key):
    auction = sale.state.auction
    draw(sale)
    press(sale, pygame.K_RETURN)
    assert auction.passed == []
    if by_key:
        press(sale, pygame.K_BACKSPACE)
    else:
        click(sale, option(sale, "Everybody here passes").middle)
    passes = 1 - auction.opener
    assert auction.passed == [passes]
    words = request.getfixturevalue("written")
    sale.update()
    draw(sale)
    assert [said for said in words if "has passed" in said] == [
        f"{sale.session.names[passes]} has passed"
    ]


@pytest.mark.parametrize("size", [SMALLEST, (1024, 600), SIZE])
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
    monkeypatch.setattr(cards, "paint_bids", lambda *_given: None)  # draws names too
    draw(screen)
    rows = [rect for rect in names if rect.left == min(name.left for name in names)]
    assert len(rows) == 6
    assert all(rect.right < spot(screen, "smaller step", 0).left for rect in rows)
