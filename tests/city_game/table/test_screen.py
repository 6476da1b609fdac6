"""What keys and clicks choose, and what is said when the unit is not as wanted."""

import pygame
import pytest

from city_game import texts_table as texts
from city_game.money import show
from city_game.rules import legal_actions
from city_game.rules.rents import worth
from city_game.table import inputs
from city_game.table.decisions import target_detail
from city_game.table.layout import SMALLEST
from city_game.table.paint_panel import nearly_over
from tests.city_game.table.test_session import light, put_up
from tests.city_game.table.virtual import (
    BOARD,
    SIZE,
    click,
    make_screen,
    make_session,
    press,
    run_until,
    type_letter,
)


@pytest.fixture
def screen():
    """Return a screen at which the person A, who owns 0, 1 and 2, ends a turn; B owns 3 and 4."""
    session, _ = make_session(("human", "human"), seed=2)
    run_until(session, lambda: session.state.phase == "roll")
    state = session.state
    for district, owner in ((0, 0), (1, 0), (2, 0), (3, 1), (4, 1)):
        state.transfer(district, owner)
    state.turn = state.decider = 0
    state.phase = "manage"
    made = make_screen(session)
    made.update()
    return made


def draw(screen):
    surface = pygame.Surface(SIZE)
    screen.draw(surface)
    return surface


def wait(screen, ms):
    until = screen.session.unit.host_ms() + ms
    run_until(screen.session, lambda: screen.session.unit.host_ms() >= until)


def spot(screen, name):
    return next(box for box, found, _ in screen.spots if found == name)


def labels(screen):
    return [button[0] for button in screen.buttons()]


def test_every_option_can_be_reached_by_key_and_by_click(screen):
    draw(screen)
    assert labels(screen)[:2] == [texts.PRESS_BUILD, texts.ACTIONS["end turn"]]
    assert texts.OFFER in labels(screen)
    for label in labels(screen):
        assert spot(screen, label)
    keys = [button[1] for button in screen.buttons() if button[1]]
    assert len(keys) == len(set(keys))


def test_a_number_chooses_too(screen):
    number = labels(screen).index(texts.OFFER) + 1
    type_letter(screen, str(number))
    assert screen.deal is not None


def test_a_deal_by_keys(screen):
    """A gives the district 2 and 1M for the districts 3; B accepts it."""
    state = screen.session.state
    type_letter(screen, "t")
    screen.aim = 2
    press(screen, pygame.K_SPACE)
    screen.aim = 3
    press(screen, pygame.K_SPACE)
    for _ in range(10):
        press(screen, pygame.K_PLUS)
    draw(screen)
    cash = state.cash[0]
    press(screen, pygame.K_RETURN)
    assert state.phase == "deal" and state.decider == 1
    screen.update()
    assert BOARD.districts[3].name in screen.detail()
    type_letter(screen, "y")
    assert state.owner[2] == 1 and state.owner[3] == 0 and state.cash[0] == cash - 100


def test_a_deal_by_mouse(screen):
    draw(screen)
    click(screen, spot(screen, texts.OFFER).middle)
    draw(screen)
    click(screen, screen.layout.plots[0].middle)
    click(screen, screen.layout.plots[4].middle)
    click(screen, spot(screen, "money -1").middle)
    draw(screen)
    click(screen, spot(screen, texts.SEND_OFFER).middle)
    deal = screen.session.state.deal
    assert (deal.gives, deal.asks, deal.pays) == ((0,), (4,), -10)


def test_money_in_a_deal_by_steps_small_and_large(screen):
    type_letter(screen, "t")
    draw(screen)
    click(screen, spot(screen, "money 10").middle)
    type_letter(screen, "m")
    press(screen, pygame.K_MINUS)
    assert screen.deal.pays == 190
    type_letter(screen, "n")
    click(screen, spot(screen, "money -10").middle)
    assert screen.deal.pays == -10 and screen.volume == 2


def test_a_deal_turns_to_the_owner_of_what_is_asked_for_first(screen):
    session = screen.session
    session.state.transfer(5, 1)
    type_letter(screen, "t")
    click(screen, screen.layout.plots[10].middle)
    assert "nobody owns" in screen.toast().lower() and not screen.deal.asks
    screen.deal.partner = 0  # as with a third player at the table
    click(screen, screen.layout.plots[3].middle)
    assert (screen.deal.partner, screen.deal.asks) == (1, [3])


def test_who_asks_for_nothing_is_told_so_first(screen):
    type_letter(screen, "t")
    type_letter(screen, "m")
    press(screen, pygame.K_RETURN)
    assert screen.session.state.phase == "manage" and "nothing in return" in screen.toast()
    press(screen, pygame.K_RETURN)
    assert screen.session.state.phase == "deal"


def test_enter_does_not_accept_a_deal_for_another(screen):
    type_letter(screen, "t")
    click(screen, screen.layout.plots[3].middle)
    press(screen, pygame.K_RETURN)
    screen.update()
    press(screen, pygame.K_RETURN)
    assert screen.session.state.phase == "deal" and "with Y" in screen.toast()
    press(screen, pygame.K_DOWN)
    assert screen.focus == 0
    press(screen, pygame.K_RETURN)
    assert screen.session.state.owner[3] == 0


def test_a_deal_can_be_left(screen):
    type_letter(screen, "t")
    press(screen, pygame.K_ESCAPE)
    assert screen.deal is None and screen.session.state.phase == "manage"


def test_what_cannot_be_done_is_not_in_the_title(screen):
    state = screen.session.state
    assert "build" in screen.title()
    for district in (0, 1, 2):
        state.transfer(district, 1)
    screen._known = ()
    screen.update()
    assert screen.title() == texts.TITLES["nothing to build"].format(name="A")
    state.phase, state.place[0], state.cash[0] = "unsold", BOARD.districts[10].space, 5
    screen._known = ()
    screen.update()
    assert screen.title() == texts.TITLES["must be auctioned"].format(name="A")
    assert texts.CANNOT_BUY in screen.detail()


def test_a_station_is_placed_at_once_and_where_one_clicks(screen):
    screen.session.state.phase = "station"
    screen._known = ()
    screen.update()
    assert screen.targets() == [0, 1, 2]
    assert labels(screen)[-1] == texts.ACTIONS["done"]
    click(screen, screen.layout.plots[1].middle)
    assert screen.session.state.station[1] and screen.deed == -1


def test_a_station_can_be_left_unbuilt_by_its_letter(screen):
    screen.session.state.phase = "station"
    screen._known = ()
    screen.update()
    type_letter(screen, "e")
    assert screen.session.state.phase == "manage"


def test_a_district_to_mortgage_is_clicked_and_then_confirmed(screen):
    state = screen.session.state
    state.debts.append((0, 1, state.cash[0] + 10, "rent", 3))
    state.phase = "debt"
    screen._known = ()
    screen.update()
    click(screen, screen.layout.plots[1].middle)
    assert screen.target() == 1 and not state.mortgage[1]
    click(screen, screen.layout.plots[1].middle)
    assert state.mortgage[1]


@pytest.mark.parametrize(
    ("hazard", "tower", "kind", "rise"),
    [
        ("", -1, "residential", 1),
        ("", 0, "residential", 2),
        ("", 0, "industrial", 2),
        ("sewage works", -1, "residential", 0),
        ("sewage works", 0, "industrial", 2),
    ],
)
def test_what_a_block_would_bring_is_said_before_it_is_built(screen, hazard, tower, kind, rise):
    state = screen.session.state
    state.hazard[0], state.tower = hazard, tower
    rents = BOARD.rents[0]
    said = target_detail(screen.session, ("build", 0, kind, 1))
    assert said.endswith(f"rises by {show((rents[1] - rents[0]) * rise)}")


def test_a_landmark_is_built_where_it_is_chosen(screen):
    """The stadium on the second of two, by arrows; then taken back."""
    state = screen.session.state
    option = next(one for one in screen.decision.options if "stadium" in one.label)
    screen.choose(option)
    assert screen.targets() == [0, 1]
    press(screen, pygame.K_RIGHT)
    assert screen.target() == 1
    press(screen, pygame.K_RETURN)
    assert state.stadium[state.board.group_of[1]] == 1
    screen.update()
    assert texts.UNDO in labels(screen)


def test_an_opening_bid_changes_by_a_million_by_key_and_by_mouse():
    session, _ = make_session(("human", "human"))
    run_until(session, lambda: session.state.phase == "roll")
    state = session.state
    state.decider, state.phase = state.turn, "auction space"
    screen = make_screen(session)
    screen.update()
    screen.choose(next(option for option in screen.decision.options if option.amount))
    screen.confirm()
    draw(screen)
    least, volume = screen.opening, screen.volume
    click(screen, spot(screen, texts.MILLION_MORE).middle)
    assert screen.opening == least + 100
    type_letter(screen, "m")
    assert screen.opening == least + 200 and screen.volume == volume
    click(screen, spot(screen, texts.MILLION_LESS).middle)
    assert screen.opening == least + 100
    for _ in range(3):
        type_letter(screen, "n")
    assert screen.opening == state.board.money.least_bid


def test_a_deed_is_a_click_away_and_says_what_would_change_it(screen):
    click(screen, screen.layout.plots[0].middle)
    assert screen.deed == 0
    first = pygame.image.tobytes(draw(screen), "RGB")
    press(screen, pygame.K_RIGHT)
    assert screen.deed == 1
    assert pygame.image.tobytes(draw(screen), "RGB") != first
    press(screen, pygame.K_ESCAPE)
    assert screen.deed == -1


def test_a_deed_opens_from_the_track_as_well(screen):
    space = BOARD.districts[5].space
    click(screen, screen.layout.spaces[space].middle)
    assert screen.deed == 5


@pytest.mark.parametrize("key", [pygame.K_F1, pygame.K_i, pygame.K_m, pygame.K_PAGEUP])
def test_looking_changes_nothing_in_the_game(screen, key):
    before = len(screen.session.game.actions)
    press(screen, key, chr(key) if key < 128 else "")
    draw(screen)
    press(screen, pygame.K_ESCAPE)
    assert len(screen.session.game.actions) == before


def test_the_step_of_a_bid_is_changed_by_key_and_by_mouse():
    session, _ = put_up()
    light(session)
    screen = make_screen(session)
    screen.update()
    amounts = [screen.bidding.next()]
    press(screen, pygame.K_UP)
    amounts.append(screen.bidding.next())
    draw(screen)
    click(screen, spot(screen, "larger step").middle)
    amounts.append(screen.bidding.next())
    click(screen, spot(screen, "smaller step").middle)
    press(screen, pygame.K_DOWN)
    amounts.append(screen.bidding.next())
    assert amounts == [11, 26, 51, 11]


def test_the_deed_of_a_sale_is_a_click_away_and_stays_through_bids():
    session, _ = put_up()
    light(session)
    screen = make_screen(session)
    screen.update()
    draw(screen)
    click(screen, spot(screen, "deed of the sale").middle)
    assert screen.deed == session.state.auction.district
    screen.bidding.bid(1 - session.state.auction.opener, 1)
    screen.update()
    assert screen.deed == session.state.auction.district


@pytest.mark.parametrize("size", [SMALLEST, SIZE, (1000, 1000), (1920, 1080)])
@pytest.mark.parametrize("district", range(len(BOARD.districts)))
def test_a_bid_button_bids_whatever_deed_is_open(size, district):
    session, _ = put_up()
    light(session)
    screen = make_screen(session, size)
    screen.update()
    screen.show_deed(district)
    screen.draw(pygame.Surface(size))
    bidder = 1 - session.state.auction.opener
    box, deed = spot(screen, f"bid {bidder}"), spot(screen, "deed")
    assert not deed.meets(spot(screen, "sale")) and deed.bottom <= size[1]
    click(screen, (box.left + 1, box.top + 1))
    assert session.state.auction.leader() == bidder and screen.deed == district


def test_a_deed_hides_no_button_that_mends_the_unit_in_a_sale():
    session, _ = put_up()
    screen = make_screen(session)
    screen.update()
    screen.show_deed(0)
    draw(screen)
    assert not spot(screen, "deed").meets(spot(screen, texts.PRESS_AUCTION))


def test_auction_pressed_while_the_light_is_on_says_how_it_is_stopped(screen):
    screen.session.tap("auction")
    run_until(screen.session, lambda: screen.session.unit.light_is_on)
    wait(screen, 1000)
    screen.session.message = ""
    type_letter(screen, "a")
    assert screen.session.message.lower() == texts.LIGHT_IS_ON.lower()


@pytest.mark.parametrize(
    ("minutes_left", "share", "red"), [(5, 1.0, False), (0.5, 0.1, True), (6, 0.1, False)]
)
def test_the_clock_is_red_in_the_last_minutes_that_are_a_last_tenth(minutes_left, share, red):
    assert nearly_over(minutes_left * 60000, share) == red


def test_what_lies_under_the_card_of_a_sale_is_not_clicked_through_it():
    session, _ = put_up()
    light(session)
    screen = make_screen(session)
    screen.update()
    draw(screen)
    card = spot(screen, "sale")
    for part in range(1, 20):
        click(screen, (card.left + card.width * part / 20, card.bottom - 12))
        assert screen.deed == -1


def test_the_end_shows_how_it_came_about_and_can_be_put_aside():
    session, _ = make_session(("human", "human"), clock_ms=60000, frame_ms=200)
    screen = make_screen(session)
    while session.state.phase != "over":
        screen.update()
        if session.state.hour_over and session.is_human(session.state.decider):
            session.do(next(one for one in legal_actions(session.state) if one[0] != "put up"))
        if session.state.phase == "hammer":
            session.tap("auction")
    screen.update()
    draw(screen)
    assert [series[-1][1] for series in screen.history()] == [
        worth(session.state, player) for player in (0, 1)
    ]
    press(screen, pygame.K_RETURN)  # meant for the last turn
    assert not screen.wants
    wait(screen, 2000)
    press(screen, pygame.K_ESCAPE)
    draw(screen)
    assert screen.sees_city and texts.AGAIN not in [name for _, name, _ in screen.spots]
    press(screen, pygame.K_ESCAPE)
    draw(screen)
    click(screen, spot(screen, texts.AGAIN).middle)
    assert screen.wants == "again"


# The unit is not as wanted: one clear line, and a way on.


def settle(screen, frames=600):
    for _ in range(frames):
        screen.update()


def test_a_unit_that_is_off_can_be_switched_on(screen):
    screen.session.unit.memory.client.send("switch off")
    settle(screen)
    assert screen.title() == texts.NOTICE_OFF
    press(screen, pygame.K_RETURN)
    settle(screen)
    assert screen.notice() == ""


def test_enter_mends_the_unit_in_a_deal_as_well(screen):
    screen.session.do(("offer", 0, 1, (), (), 100, 0))
    screen.session.unit.memory.client.send("switch off")
    settle(screen)
    press(screen, pygame.K_RETURN)
    settle(screen)
    assert screen.notice() == "" and screen.session.state.phase == "deal"


def test_a_unit_with_another_program_can_be_set(screen):
    screen.session.unit.memory.client.send("program world")
    settle(screen)
    assert screen.title() == texts.NOTICE_PROGRAM.format(program="world")
    draw(screen)
    click(screen, spot(screen, texts.SET_PROGRAM).middle)
    settle(screen)
    assert screen.notice() == ""


def test_a_unit_that_is_gone_can_be_replaced(screen):
    screen.session.unit.memory.cut()
    settle(screen)
    assert screen.title() == texts.NOTICE_GONE
    press(screen, pygame.K_F5)
    assert screen.wants == "another unit"


def test_what_the_unit_refuses_is_told_where_it_is_seen(screen):
    screen.session.state.pressed = True
    type_letter(screen, "b")
    assert "once a roll" in screen.toast()
    draw(screen)
    settle(screen)
    assert screen.toast() == ""


def test_nearest_goes_the_way_of_the_arrow(screen):
    plots = screen.layout.plots
    everywhere = list(range(len(plots)))
    for district, box in enumerate(plots):
        right = plots[inputs.nearest(screen, district, (1, 0), everywhere)]
        if any(other.left > box.right for other in plots):
            assert right.left > box.left and abs(right.middle[1] - box.middle[1]) < box.height
        below = plots[inputs.nearest(screen, district, (0, 1), everywhere)]
        if any(other.top > box.bottom for other in plots):
            assert below.top > box.top
