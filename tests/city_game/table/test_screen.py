"""A person's turn at the table: choices by keys and clicks, texts, animation and sounds."""

import pygame
import pytest

from city_game import evening
from city_game.editions.city.board import worth
from city_game.editions.city.words import OPTIONS
from city_game.kernel import legal_actions
from city_game.kernel.state import Debt
from city_game.table import inputs, window
from city_game.table.motion import GROW_MS
from city_game.table.picture import Invitation
from city_game.table.screen import TOAST_MS, nearly_over
from city_game.table.view import ACTIONS, HINTS, FirstGame, decide
from city_game.table.window import Controllers
from tests.helpers.table_screen import labels, option, settle, spot, wait
from tests.helpers.virtual_table import (
    BOARD,
    click,
    draw,
    make_screen,
    make_session,
    press,
    type_letter,
)


# A French keyboard types letters in the upper row, and SDL's versions give different codes.
@pytest.mark.parametrize(("code", "typed"), [(pygame.K_2, "é"), (ord("é"), "é"), (pygame.K_2, "")])
def test_a_digit_key_chooses_its_option_whatever_it_types(screen, code, typed):
    steps = len(screen.session.game.actions)
    for letter in ("²", "½", "0", "é", "ﬃ", "١٢"):  # not the number of an option
        press(screen, pygame.K_BACKQUOTE, letter, scancode=pygame.KSCAN_GRAVE)
    assert len(screen.session.game.actions) == steps and screen.deal is None
    assert labels(screen)[1] == str(ACTIONS["end turn"])
    press(screen, code, typed, scancode=pygame.KSCAN_2)
    assert screen.session.state.phase == "roll"


def test_the_title_says_what_can_be_done(screen):
    state = screen.session.state

    def title():
        return make_screen(screen.session).game.title

    assert title() == "A: build, or end the turn"
    state.doubles = 1
    assert title() == "A: build, or roll again"
    assert "Continue with the next roll" in labels(make_screen(screen.session))
    state.pressed = True
    assert title() == "A: roll again"
    state.hour_over, state.rules.finish_doubles = True, False
    assert title() == "A: end the turn"
    state.phase, state.place[0], state.cash[0] = "unsold", BOARD.deeds[10].space, 5
    screen.update()
    assert screen.game.title == "A: it is auctioned"
    assert "You do not have enough money to buy it." in screen.view().detail


def test_a_station_is_proposed_on_an_own_deed_and_placed_by_one_click(screen):
    state = screen.session.state
    state.owned[0].sort(reverse=True)  # not in the order of the board
    for deed in (0, 1):
        state.transfer(deed, 1)
    state.phase = "station"
    screen.update()
    assert screen.choice.deeds() == list(range(len(BOARD.deeds))) and screen.choice.deed() == 2
    assert labels(screen)[-1] == str(OPTIONS["done"])
    click(screen, screen.layout.plots[3].middle)
    assert state.station[3] and screen.deed == -1


def test_a_deed_to_mortgage_is_clicked_and_then_confirmed(screen):
    state = screen.session.state
    state.debts.append(Debt(0, 1, state.cash[0] + 10, "rent", 3))
    state.phase = "debt"
    screen.update()
    click(screen, screen.layout.plots[1].middle)
    assert screen.choice.deed() == 1 and not state.mortgage[1]
    click(screen, screen.layout.plots[1].middle)
    assert state.mortgage[1]


def test_a_landmark_is_built_where_the_arrows_point_and_can_be_undone(screen):
    state = screen.session.state
    screen.choose(next(shown for shown in screen.decision.options if "stadium" in shown.label))
    assert screen.choice.deeds() == [0, 1]
    press(screen, pygame.K_RIGHT)
    press(screen, pygame.K_RETURN)
    assert state.stadium[state.board.group_of[1]] == 1
    screen.update()
    assert "Undo the last step" in labels(screen)


def test_the_detail_of_building_names_the_blocks_left_and_useless_permits(screen):
    state = screen.session.state

    def detail():
        return decide(screen.session.table()).detail

    assert detail() == "BUILD on the unit draws a permit, once per roll."
    state.phase, state.permit = "build", 2
    assert detail() == "Blocks left to build: 2."
    state.box_blocks["residential"] = [0, 0, 0]
    assert detail().endswith("The box has no suitable homes left.")
    for deed in tuple(state.owned[0]):
        state.transfer(deed, 1)
    assert "have none yet" in detail()
    state.phase = "manage"
    assert "only a permit for a station" in detail()


def test_a_click_on_map_or_track_shows_a_deed(screen):
    click(screen, screen.layout.plots[0].middle)
    assert screen.deed == 0
    first = pygame.image.tobytes(draw(screen), "RGB")
    press(screen, pygame.K_RIGHT)
    assert screen.deed == 1
    assert pygame.image.tobytes(draw(screen), "RGB") != first
    press(screen, pygame.K_ESCAPE)
    assert screen.deed == -1
    click(screen, screen.layout.spaces[BOARD.deeds[5].space].middle)
    assert screen.deed == 5


def test_nearest_follows_the_direction_of_the_arrow(screen):
    plots = screen.layout.plots
    everywhere = list(range(len(plots)))
    for deed, box in enumerate(plots):
        right = plots[inputs.nearest(plots, deed, (1, 0), everywhere)]
        if any(other.left > box.right for other in plots):
            assert right.left > box.left and abs(right.middle[1] - box.middle[1]) < box.height
        below = plots[inputs.nearest(plots, deed, (0, 1), everywhere)]
        if any(other.top > box.bottom for other in plots):
            assert below.top > box.top


def test_the_track_shows_owner_rent_and_station_but_the_city_no_station(screen):
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


def test_the_clock_is_red_in_the_last_minutes_and_the_last_tenth():
    for minutes_left, share, red in ((5, 1.0, False), (0.5, 0.1, True), (6, 0.1, False)):
        assert nearly_over(minutes_left * 60000, share) == red


def test_the_end_shows_the_history_and_can_be_put_aside():
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
    assert [series[-1][1] for series in screen.history] == [
        worth(session.state, player) for player in (0, 1)
    ]
    press(screen, pygame.K_RETURN)  # meant for the last turn
    assert not screen.wants
    wait(screen, 2000)
    press(screen, pygame.K_ESCAPE)
    draw(screen)
    assert screen.sees_city and ("again", 0) not in [command for _, command in screen.spots]
    press(screen, pygame.K_ESCAPE)
    draw(screen)
    click(screen, spot(screen, "again").middle)
    assert screen.wants == "again"


def test_the_large_code_closes_once_a_telephone_connects_and_a_key_reopens_it():
    screen = make_screen(make_session(("human", "human"))[0])
    online = []
    screen.invite = lambda: Invitation("http://here/", ((True,),), (0, 1), tuple(online))
    screen.look_up("phones")
    screen.update()
    assert screen.card == "phones" and not screen.view().has_code
    online.append(1)
    screen.update()
    assert screen.card == "" and screen.view().has_code
    draw(screen)
    click(screen, spot(screen, "phones").middle)
    assert screen.card == "phones"
    online.append(0)
    screen.update()
    assert screen.card == "" and not screen.view().has_code  # all are connected
    press(screen, pygame.K_F4)
    assert screen.card == "phones"


def test_a_first_game_shows_each_hint_once():
    session, _ = make_session(("human", "human"))
    screen = make_screen(session)
    screen.first_game = FirstGame(True)
    while session.state.phase != "roll":
        screen.update()
    for frames in (1, TOAST_MS // 16 + 30):  # long enough to be read
        settle(screen, frames)
        assert screen.toast() == str(HINTS["roll"])
    assert screen.first_game.hint(session.state, True) == ""
    assert FirstGame(False).hint(session.state, True) == ""


# Problems of the unit: one clear line and a remedy.


@pytest.mark.parametrize("in_deal", [False, True])
def test_a_unit_that_is_off_can_be_switched_on(screen, in_deal):
    if in_deal:
        screen.session.do(("offer", 0, 1, (), (), 100, 0))
    screen.session.unit.memory.client.send("switch off")
    settle(screen)
    assert screen.game.title == "The unit is switched off."
    press(screen, pygame.K_RETURN)
    settle(screen)
    assert screen.game.problem is None
    assert screen.session.state.phase == ("deal" if in_deal else "manage")


def test_a_unit_with_another_program_is_set_and_a_lost_one_replaced(screen):
    memory = screen.session.unit.memory
    memory.client.send("program world")
    settle(screen)
    assert screen.game.title == "The unit runs the program world, not city."
    draw(screen)
    click(screen, option(screen, "Set it to city").middle)
    settle(screen)
    assert screen.game.problem is None
    press(screen, pygame.K_F5)
    assert not screen.wants and "only if it is lost" in screen.toast()
    memory.cut()
    settle(screen)
    assert screen.game.title == "The unit has disconnected. The game is waiting."
    press(screen, pygame.K_F5)
    assert screen.wants == "another unit"


def test_a_call_of_the_referee_is_shown_until_it_is_cancelled(screen, written):
    screen.session.has_referee = lambda: True
    for calls in (True, False):
        press(screen, pygame.K_F9)
        settle(screen)
        written.clear()
        draw(screen)
        assert ("The referee is called" in written) is calls


def test_a_refused_build_is_explained_for_a_while(screen):
    screen.session.state.pressed = True
    type_letter(screen, "b")
    assert "once per roll" in screen.toast()
    draw(screen)
    settle(screen)
    assert screen.toast() == ""


# Animation, sounds and controllers.


def roll(screen):
    """Roll the dice; return the views until they disappear."""
    screen.session.state.phase = "roll"
    screen.skip()
    screen.session.do(("roll",))
    while not screen.motion.dice:
        screen.update()
    views = []
    while screen.motion.dice:
        views.append(screen.view())
        draw(screen)
        screen.update()
    return views


def test_dice_tumble_and_lie_still_and_calm_motion_is_remembered(screen, tmp_path, monkeypatch):
    monkeypatch.setenv("CITY_UNIT_SETTINGS", str(tmp_path / "new" / "settings.toml"))
    dice = [view.dice[0] for view in roll(screen)]
    assert len({die.turned for die in dice}) > 5 and max(die.raised for die in dice) > 0.1
    assert dice[-1].turned == 0 and dice[-1].raised == 0
    assert not evening.is_calm_wanted()
    screen.keep_calm = evening.keep_calm
    press(screen, pygame.K_F8)
    assert screen.motion.is_calm and evening.is_calm_wanted()
    for view in roll(screen):
        assert all(die.turned == 0 for die in view.dice)
        assert all(place == int(place) for place in view.places)
    press(screen, pygame.K_F8)
    assert not screen.motion.is_calm and not evening.is_calm_wanted()
    (tmp_path / "new" / "calm").write_bytes(b"\xff")
    assert not evening.is_calm_wanted()  # a corrupt file counts as no choice


def test_only_a_new_building_grows(screen):
    session = screen.session
    session.state.transfer(3, 0)
    session.state.phase, session.state.permit = "build", 2
    session.do(("build", 3, "residential", 2))
    grown = []
    for _ in range(GROW_MS // 16 + 3):
        screen.update()
        grown.append(screen.view().plots[3].grown)
    assert grown[0] < 0.5 and grown[-1] == 1.0 and grown == sorted(grown)
    assert screen.view().plots[4].grown == 1.0


def test_several_events_make_one_sound_at_the_unit_s_volume():
    for name in window.WAVES:
        samples = window.wave(name)
        assert samples == window.wave(name)
        assert 1000 < max(map(abs, samples)) <= window.LOUDEST
        assert max(map(abs, samples[-200:])) < 1200  # no click at the end
    heard = []
    events = [("rolled", 0, 1, 2)]
    table = window.Sounds(lambda name, volume: heard.append((name, volume)))
    table.play_new(events, 3)  # events before the first frame are silent
    for more, volume in (
        ([("paid", 0, 1, 5, "rent")], 0),
        ([("turn", 0)], 1),
        ([("rolled", 0, 1, 2), ("salary", 0, 2), ("paid", 0, 1, 5, "rent")], 1),
        ([], 1),
    ):
        events += more
        table.play_new(events, volume)
    assert heard == [("dice", window.VOLUMES[1])]


def test_a_controller_acts_as_keys():
    controllers = Controllers()
    for button, key in (
        (pygame.CONTROLLER_BUTTON_A, pygame.K_RETURN),
        (pygame.CONTROLLER_BUTTON_X, pygame.K_a),
        (pygame.CONTROLLER_BUTTON_DPAD_LEFT, pygame.K_LEFT),
    ):
        for event, kind in (
            (pygame.CONTROLLERBUTTONDOWN, pygame.KEYDOWN),
            (pygame.CONTROLLERBUTTONUP, pygame.KEYUP),
        ):
            stroke = controllers.as_keys(pygame.event.Event(event, button=button))
            assert (stroke.type, stroke.key) == (kind, key)
    other = pygame.event.Event(pygame.CONTROLLERBUTTONDOWN, button=99)
    assert controllers.as_keys(other) is other
