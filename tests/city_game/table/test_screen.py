"""Choices by keys and clicks, and everything that can be looked at."""

import pygame
import pytest

from city_game.editions.city.pieces import rent, worth
from city_game.editions.city.words import OPTIONS
from city_game.kernel import legal_actions
from city_game.kernel.money import show
from city_game.kernel.state import Debt
from city_game.table import evening, inputs
from city_game.table.picture import MONEY_STEP, Invitation
from city_game.table.screen import nearly_over
from city_game.table.view import ACTIONS, TITLES, decide, target_detail
from tests.helpers.table_screen import labels, spot, wait
from tests.helpers.virtual_table import (
    BOARD,
    click,
    draw,
    make_screen,
    make_session,
    press,
)


def test_every_option_can_be_reached_by_key_and_by_click(screen):
    draw(screen)
    assert labels(screen)[:2] == ["BUILD: draw a permit", str(ACTIONS["end turn"])]
    assert "Offer a deal" in labels(screen)
    for label in labels(screen):
        assert spot(screen, label)
    keys = [button[1] for button in screen.buttons() if button[1]]
    assert len(keys) == len(set(keys))


# The letters and codes of the upper row on a French keyboard, by SDL's version.
FRENCH = [(pygame.K_2, "é"), (ord("é"), "é"), (pygame.K_2, ""), (pygame.K_2, "2")]


@pytest.mark.parametrize(("code", "typed"), FRENCH)
def test_a_key_that_bears_a_number_chooses_whatever_it_types(screen, code, typed):
    number = labels(screen).index(str(ACTIONS["end turn"])) + 1
    assert number == 2
    press(screen, code, typed, scancode=pygame.KSCAN_2)
    assert screen.session.state.phase == "roll"


@pytest.mark.parametrize("typed", ["²", "½", "0", "é", "ﬃ", "١٢"])
def test_what_is_no_number_of_an_option_chooses_nothing(screen, typed):
    steps = len(screen.session.game.actions)
    press(screen, pygame.K_BACKQUOTE, typed, scancode=pygame.KSCAN_GRAVE)
    assert len(screen.session.game.actions) == steps and screen.deal is None


@pytest.mark.parametrize(("typed", "scancode"), [("-", pygame.KSCAN_6), ("+", pygame.KSCAN_EQUALS)])
def test_less_and_more_are_known_by_what_is_typed(screen, typed, scancode):
    """On a French keyboard the minus lies on the key that bears 6, and has that key's code."""
    screen.begin_deal()
    press(screen, pygame.K_6 if typed == "-" else pygame.K_EQUALS, typed, scancode=scancode)
    assert screen.deal.pays == (-MONEY_STEP if typed == "-" else MONEY_STEP)


def test_what_cannot_be_done_is_not_in_the_title(screen):
    state = screen.session.state
    assert "build" in screen.game.title
    state.pressed = True
    screen = make_screen(screen.session)
    assert screen.game.title == TITLES["nothing to build"].format(name="A")
    state.phase, state.place[0], state.cash[0] = "unsold", BOARD.deeds[10].space, 5
    screen.update()
    assert screen.game.title == TITLES["must be auctioned"].format(name="A")
    assert "You have not enough money to buy it." in screen.view().detail


def test_after_a_double_the_panel_says_that_one_rolls_again(screen):
    state = screen.session.state
    state.doubles = 1
    screen = make_screen(screen.session)
    assert screen.game.title == "A: build, or roll again"
    assert "Go on to the next roll" in labels(screen) and "End the turn" not in labels(screen)
    state.pressed = True
    assert make_screen(screen.session).game.title == "A: roll again"
    state.hour_over, state.rules.finish_doubles = True, False
    assert make_screen(screen.session).game.title == "A: end the turn"


def test_a_station_is_placed_at_once_and_where_one_clicks(screen):
    screen.session.state.phase = "station"
    screen.update()
    assert screen.choice.deeds() == list(range(len(BOARD.deeds)))
    assert labels(screen)[-1] == str(OPTIONS["done"])
    click(screen, screen.layout.plots[3].middle)
    assert screen.session.state.station[3] and screen.lookups.deed == -1


@pytest.mark.parametrize(("owned", "aimed"), [((), 0), ((7, 5), 5)])
def test_a_station_is_first_proposed_for_a_deed_of_ones_own(screen, owned, aimed):
    state = screen.session.state
    for deed in list(state.owned[0]):
        state.transfer(deed, 1)
    for deed in owned:
        state.transfer(deed, 0)
    state.phase = "station"
    screen.update()
    assert screen.choice.deed() == aimed
    press(screen, pygame.K_RETURN)
    assert state.station[aimed]


def test_a_deed_to_mortgage_is_clicked_and_then_confirmed(screen):
    state = screen.session.state
    state.debts.append(Debt(0, 1, state.cash[0] + 10, "rent", 3))
    state.phase = "debt"
    screen.update()
    click(screen, screen.layout.plots[1].middle)
    assert screen.choice.deed() == 1 and not state.mortgage[1]
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
    said = target_detail(screen.state, ("build", 0, kind, 1))
    before = rent(state, 0)
    after = before + (rents[1] - rents[0]) * rise
    assert said.endswith(f"the rent goes from {show(before)} to {show(after)}")


@pytest.mark.parametrize(("homes", "works", "tower"), [(2, 1, -1), (2, 0, 0), (0, 3, -1)])
def test_what_a_hazard_would_take_is_said_before_it_is_placed(screen, homes, works, tower):
    state = screen.session.state
    state.residential[0], state.industrial[0], state.tower = homes, works, tower
    before = rent(state, 0)
    said = target_detail(screen.state, ("place", "prison", 0))
    state.hazard[0] = "prison"
    after = rent(state, 0)
    if before == after:
        assert said == f"free; the rent stays {show(before)}"
    else:
        assert said == f"free; the rent goes from {show(before)} to {show(after)}"


def test_what_a_bonus_is_good_for_is_said_before_it_is_placed(screen):
    said = target_detail(screen.state, ("place", "school", 0))
    assert said == "free; no hazard can come here then"


def test_a_landmark_is_built_where_it_is_chosen(screen):
    """The stadium on the second of two, by arrows; then taken back."""
    state = screen.session.state
    option = next(shown for shown in screen.decision.options if "stadium" in shown.label)
    screen.choose(option)
    assert screen.choice.deeds() == [0, 1]
    press(screen, pygame.K_RIGHT)
    assert screen.choice.deed() == 1
    press(screen, pygame.K_RETURN)
    assert state.stadium[state.board.group_of[1]] == 1
    screen.update()
    assert "Take the last step back" in labels(screen)


def test_a_deed_is_a_click_away_and_says_what_would_change_it(screen):
    click(screen, screen.layout.plots[0].middle)
    assert screen.lookups.deed == 0
    first = pygame.image.tobytes(draw(screen), "RGB")
    press(screen, pygame.K_RIGHT)
    assert screen.lookups.deed == 1
    assert pygame.image.tobytes(draw(screen), "RGB") != first
    press(screen, pygame.K_ESCAPE)
    assert screen.lookups.deed == -1
    click(screen, screen.layout.spaces[BOARD.deeds[5].space].middle)  # from the track as well
    assert screen.lookups.deed == 5


@pytest.mark.parametrize(
    ("minutes_left", "share", "red"), [(5, 1.0, False), (0.5, 0.1, True), (6, 0.1, False)]
)
def test_the_clock_is_red_in_the_last_minutes_that_are_a_last_tenth(minutes_left, share, red):
    assert nearly_over(minutes_left * 60000, share) == red


def test_the_end_shows_how_it_came_about_and_can_be_put_aside():
    session, _ = make_session(("human", "human"), clock_ms=60000, frame_ms=200)
    screen = make_screen(session)
    while session.state.phase != "over":
        screen.update()
        if session.state.hour_over and session.is_human(session.state.decider):
            session.do(
                next(action for action in legal_actions(session.state) if action[0] != "put up")
            )
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
    assert screen.sees_city and "Another game" not in [name for _, name, _ in screen.spots]
    press(screen, pygame.K_ESCAPE)
    draw(screen)
    click(screen, spot(screen, "Another game").middle)
    assert screen.wants == "again"


def test_nearest_goes_the_way_of_the_arrow(screen):
    plots = screen.layout.plots
    everywhere = list(range(len(plots)))
    for deed, box in enumerate(plots):
        right = plots[inputs.nearest(screen.layout.plots, deed, (1, 0), everywhere)]
        if any(other.left > box.right for other in plots):
            assert right.left > box.left and abs(right.middle[1] - box.middle[1]) < box.height
        below = plots[inputs.nearest(screen.layout.plots, deed, (0, 1), everywhere)]
        if any(other.top > box.bottom for other in plots):
            assert below.top > box.top


def test_a_view_is_equal_until_something_is_to_be_seen(screen):
    before = screen.view()
    assert screen.view() == before
    press(screen, pygame.K_DOWN)
    assert screen.view() != before
    press(screen, pygame.K_UP)
    assert screen.view() == before


def test_the_track_shows_owner_rent_and_station_and_the_city_no_station(screen):
    """Facts needed on landing stand on the space, and change as they do in the city."""
    state, layout = screen.session.state, screen.layout
    space, plot = pygame.Rect(layout.spaces[BOARD.deeds[0].space]), pygame.Rect(layout.plots[0])
    tracks, cities = [], []
    for change in (
        lambda: None,
        lambda: state.transfer(0, 1),
        lambda: state.residential.__setitem__(0, 3),
        lambda: state.station.__setitem__(0, True),
        lambda: state.mortgage.__setitem__(0, 50),
    ):
        change()
        picture = draw(make_screen(screen.session))
        for part, seen in ((space, tracks), (plot, cities)):
            seen.append(pygame.image.tobytes(picture.subsurface(part), "RGB"))
    assert len(set(tracks)) == 5 and len(set(cities)) == 4 and cities[2] == cities[3]


def test_the_large_code_goes_when_a_telephone_has_come_by_it_and_a_key_brings_it_back():
    session, _ = make_session(("human", "human"))
    screen = make_screen(session)
    online = []
    screen.invite = lambda: Invitation("http://here/", ((True,),), (0, 1), tuple(online))
    screen.look_up("phones")
    screen.update()
    assert screen.lookups.card == "phones" and screen.small_code() is None
    online.append(1)
    screen.update()
    assert screen.lookups.card == "" and screen.small_code()
    draw(screen)
    click(screen, next(spot for spot in screen.spots if spot.name == "code").box.middle)
    assert screen.lookups.card == "phones"
    online.append(0)
    screen.update()
    assert screen.lookups.card == "" and screen.small_code() is None  # all have come
    press(screen, pygame.K_F4)
    assert screen.lookups.card == "phones"


def test_calm_is_remembered_from_one_evening_to_the_next(tmp_path, monkeypatch):
    monkeypatch.setenv("CITY_UNIT_SETTINGS", str(tmp_path / "new" / "settings.toml"))
    assert not evening.is_calm_wanted()
    session, _ = make_session()
    screen = make_screen(session)
    screen.keep_calm = evening.keep_calm
    press(screen, pygame.K_F8)
    assert evening.is_calm_wanted()
    press(screen, pygame.K_F8)
    assert not evening.is_calm_wanted()
    (tmp_path / "new" / "calm").write_bytes(b"\xff")
    assert not evening.is_calm_wanted()  # nor is a spoiled file in the way


def test_who_builds_is_told_what_the_box_has_no_more_and_what_is_of_no_use_yet(screen):
    state = screen.session.state
    assert decide(screen.session.table()).detail == "BUILD on the unit draws a permit, once a roll."
    state.phase, state.permit = "build", 2
    assert decide(screen.session.table()).detail == "Blocks that may still be built: 2."
    state.box_blocks["residential"] = [0, 0, 0]
    assert decide(screen.session.table()).detail.endswith(
        "The box has no homes left that would fit."
    )
    for deed in tuple(state.owned[0]):
        state.transfer(deed, 1)
    assert "you have none yet" in decide(screen.session.table()).detail
    state.phase = "manage"
    assert "only one for a station is of use" in decide(screen.session.table()).detail
