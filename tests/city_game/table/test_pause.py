"""A pause for the door, and AUCTION pressed by accident."""

import pytest

from city_game.saves import save
from tests.city_game.phones.desk import Desk
from tests.helpers.sales import put_up
from tests.helpers.table_command import Window, evening
from tests.helpers.virtual_table import draw, make_screen, make_session, run_until, type_letter


@pytest.fixture
def session():
    session, _ = make_session(("human", "human"), minutes=30)
    session.hour.begin()
    run_until(session, lambda: session.state.phase == "roll")
    return session


def test_a_pause_stops_the_hour_and_gives_the_rest_of_it_back(session):
    run_until(session, lambda: session.unit.clock_left() < 1_700_000)
    left = session.unit.clock_left()
    screen = make_screen(session)
    type_letter(screen, "p")
    run_until(session, lambda: session.unit.state == "off")
    screen.update()
    assert session.is_paused and screen.game.title == "Pause: the hour stands."
    for _ in range(2000):
        session.step()
    draw(screen)
    assert screen.view().seconds == -(-session.hour.kept_ms // 1000) > 1000
    (button,) = screen.buttons()
    screen.perform(button.command)
    run_until(session, lambda: session.unit.state == "ready" and session.unit.clock_left())
    run_until(session, lambda: session.unit.clock_left() <= left)
    assert not session.is_paused
    assert left - 15_000 < session.unit.clock_left() <= left


def test_a_pause_that_is_asked_for_as_the_hour_begins_is_one():
    """The unit says only then that it was switched on for the hour: that ends no pause."""
    session, _ = make_session(("human", "human"))
    session.gathers = True
    for _ in range(40):
        session.step()
    session.begin()
    session.pause()
    run_until(session, lambda: session.unit.state == "off")
    assert session.is_paused
    session.pause()
    run_until(session, lambda: not session.is_paused)


def test_in_a_pause_no_bot_acts_and_no_telephone():
    session, _ = make_session(("human", "builder"), pace=0)
    run_until(session, lambda: session.state.decider == 1)
    session.pause()
    run_until(session, lambda: session.unit.state == "off")
    before = len(session.game.actions)
    for _ in range(3000):
        session.step()
    assert len(session.game.actions) == before
    desk = Desk(session)
    phone = desk.seated(0)
    assert phone.view["title"] == "Pause: the hour stands."
    assert phone.view["hand"]["options"] == []
    assert phone.say("do", action=["roll"]) != ""
    assert phone.say("pause") == ""
    run_until(session, lambda: session.unit.state != "off")
    run_until(session, lambda: not session.is_paused)


def test_who_has_paused_by_telephone_is_said_and_what_is_left_stands(session):
    desk = Desk(session)
    ann, bob = desk.seated(0), desk.seated(1)
    assert bob.say("pause") == ""
    run_until(session, lambda: session.unit.state == "off")
    desk.step()
    assert ann.view["title"] == "B has paused: the hour stands." == session.log[-1]
    assert ann.view["stands"] and ann.view["left"] == session.hour.kept_ms > 1_000_000
    assert ann.say("pause") == ""
    run_until(session, lambda: not session.is_paused)
    desk.step()
    assert not ann.view["stands"]


def test_nothing_is_paused_while_the_light_is_on_and_p_says_so(sale):
    session = sale.session
    type_letter(sale, "p")
    assert session.message == session.pause_refused() != ""
    for _ in range(100):
        session.step()
    assert session.state.phase == "bidding" and not session.is_paused


def test_p_pays_where_something_is_to_be_paid(session):
    state = session.state
    state.jailed[state.turn], state.phase = 1, "jail"
    screen = make_screen(session)
    screen.update()
    type_letter(screen, "p")
    assert not session.is_paused and session.game.actions[-1] == ("pay fine",)


@pytest.mark.parametrize("by_key", [True, False])
def test_auction_pressed_by_accident_does_not_block_the_next_sale(by_key):
    session, _ = put_up()
    session.unit.press("auction")  # the finger of somebody at the disc
    session.unit.lift()
    session.state.phase, before = "roll", session.state.phase
    run_until(session, lambda: session.unit.light_is_on)
    session.state.phase = before
    assert session.state.phase == "hammer"
    screen = make_screen(session)
    screen.update()
    if by_key:
        type_letter(screen, "a")
    else:
        screen.perform(screen.buttons()[0].command)
    run_until(session, lambda: session.state.phase == "bidding")
    assert session.state.auction.started is not None


def test_a_bid_that_binds_says_so_before_it_is_pressed():
    session, _ = make_session(("human", "human"), seed=1)
    screen = make_screen(session)
    for _ in range(60):
        run_until(session, lambda: session.state.phase in ("roll", "unsold", "manage", "planning"))
        screen.update()
        if session.state.phase == "unsold":
            break
        option = screen.decision.options[0]
        action = option.action or next(iter(option.targets.values()), None)
        session.do(("end turn",) if session.state.phase == "manage" else action)
    option = next(option for option in screen.decision.options if option.has_amount)
    screen.choose(option)
    assert screen.buttons()[0].label == "Open with 10k: it binds you"


@pytest.mark.parametrize(("mine", "words"), [(True, "the hour stands"), (False, "runs on")])
def test_whoever_leaves_is_told_what_becomes_of_the_hour(session, tmp_path, mine, words):
    path = tmp_path / "evening.city"
    save.create(path, session.game).close()

    def leave(screen):
        run_until(screen.session, lambda: screen.session.unit.clock_left())
        return "close"

    window = Window(leave)
    evening("--resume", str(path), window=window, mine=mine)
    assert words in window.bye
    resumed, _ = save.load(path)
    resumed.close()
    assert (resumed.clock_left is not None) is mine
