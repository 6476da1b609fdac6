"""Play with buttons, keys and fingers, in a real browser whose clock is the tests'."""

import re

import pytest

from tests.helpers.times import HOLD_MS, SLOW_MS
from tests.sim.web.conftest import opened, pass_ms
from tests.sim.web.page.doing import (
    FINGER_MS,
    MINE,
    asleep,
    log,
    own,
    pass_until,
    plan,
    press,
    switch_on,
    title,
    until,
)

pytestmark = [pytest.mark.real_time, pytest.mark.slow]


def test_a_press_is_answered_from_a_short_plan_and_the_rest_follows_in_small_parts(unit):
    """The plan of a whole game at once held a slow telephone for half a second."""
    switch_on(unit)
    until(unit, "app.story.until === null")
    soon = unit.evaluate(
        """() => {
            window.parts = [];
            const further = app._core.further.bind(app._core);
            app._core.further = (...asked) => {
                const part = further(...asked);
                parts.push(part.plan.length);
                return part;
            };
            app.act("press", 1);
            return app.story.until - app.time.now();
        }"""
    )
    assert soon == 2500
    until(unit, "app.story.until === null")
    assert plan(unit, "hour-ended")
    parts = unit.evaluate("parts")
    assert sum(parts) > 200 and max(parts) < 25


def test_build_shows_a_permit(unit):
    switch_on(unit)
    unit.get_by_role("button", name="BUILD").click()
    pass_ms(unit, FINGER_MS)
    title(unit, "Permit…")
    pass_until(unit, "permit-granted")
    unit.wait_for_selector("body[data-mood=permit]")
    shown = unit.inner_text("#title")
    assert shown in ("1 block", "2 blocks", "3 blocks", "A station")
    assert unit.text_content("#lamps") == f"Lit: {shown}"
    assert unit.locator("[data-lamp].on").count() == 1


def test_keys(unit):
    press(unit, "o")
    unit.wait_for_selector("body[data-mood=ready]")
    press(unit, "a")
    title(unit, "Auction")
    press(unit, "b")
    until(unit, "document.querySelector('#detail').textContent.startsWith('Not now')")
    for key, volume in (
        ("ArrowUp", "3"),
        ("ArrowUp", "3"),
        ("ArrowDown", "2"),
        ("m", "0"),
        ("m", "2"),
    ):
        press(unit, key)
        unit.wait_for_selector(f'#volume[data-volume="{volume}"]')


# Of the button that has the focus.
NAME = """(({ ariaLabel, textContent }) => ariaLabel ?? textContent.trim().replace(/\\s+/g, " "))(
    document.activeElement)"""


def test_tab_and_space_and_return_press_what_has_the_focus(unit):
    names = []
    for _ in range(8):
        unit.keyboard.press("Tab")
        names.append(unit.evaluate(NAME))
    wanted = [
        "Programs City ▾",
        "Volume: 2 of 3",
        "Full screen",
        "Help and settings",
        "On and off",
        "AUCTION",
        "BUILD",
    ]
    assert names[:7] == wanted
    unit.locator(".slide").focus()
    press(unit, "Space")
    unit.wait_for_selector("body[data-mood=ready]")
    unit.locator(".press-auction").focus()
    press(unit, "Enter")
    title(unit, "Auction")
    assert len(log(unit, "auction-started", "refused")) == 1


def test_holding_auction_cancels_and_a_ring_says_so(unit):
    switch_on(unit)
    press(unit, "a")
    title(unit, "Auction")
    unit.keyboard.down("a")
    pass_ms(unit, HOLD_MS // 2)
    unit.wait_for_selector(".hold.holding", state="attached")
    title(unit, "Auction")
    pass_until(unit, "auction-cancelled")
    title(unit, "Cancelled")
    assert unit.locator(".hold.holding").count() == 0
    unit.keyboard.up("a")
    [(pressed, _)] = log(unit, "auction-cancelled")
    journal = unit.evaluate("app.kept.journal")
    assert pressed == [deed[0] for deed in journal if deed[1] == "press"][-1] + HOLD_MS


@pytest.mark.parametrize(
    "loss",
    ["window.dispatchEvent(new Event('blur'))", "window.dispatchEvent(new Event('pagehide'))"],
)
def test_a_button_is_let_go_of_when_nobody_can_hold_it(unit, loss):
    switch_on(unit)
    press(unit, "a")
    title(unit, "Auction")
    unit.keyboard.down("a")
    pass_ms(unit, HOLD_MS // 2)
    assert plan(unit, "auction-cancelled")
    unit.evaluate(loss)
    pass_ms(unit, FINGER_MS)
    assert not plan(unit, "auction-cancelled")
    assert unit.evaluate("app.levels(app.time.now() + 1000)") == 4


def test_a_screen_reader_clicks_without_a_finger(unit):
    unit.evaluate("document.querySelector('.slide').click()")
    pass_ms(unit, FINGER_MS)
    unit.wait_for_selector("body[data-mood=ready]")
    unit.evaluate("document.querySelector('.press-auction').click()")
    pass_ms(unit, FINGER_MS)
    title(unit, "Auction")
    assert unit.inner_text("#news") == "Auction"
    assert unit.get_by_role("switch", name="On and off", checked=True).count() == 1
    assert unit.evaluate("app.kept.journal.at(-1)[1]") == "tap"


def test_a_refusal_goes_when_its_moment_is_over(unit):
    switch_on(unit)
    press(unit, "a")
    title(unit, "Auction")
    press(unit, "b")
    until(unit, "document.querySelector('#detail').textContent.startsWith('Not now')")
    asleep(unit, SLOW_MS / 1000 + 1)
    unit.wait_for_selector("body[data-mood=warning]")
    assert "Not now" not in unit.inner_text("#detail")
    press(unit, "b")
    until(unit, "document.querySelector('#detail').textContent.startsWith('Not now')")
    unit.reload()  # it does not outlive the page
    unit.wait_for_selector("body.alive[data-mood=warning]")
    assert "Not now" not in unit.inner_text("#detail")


HUMS = "window.hums = []; navigator.vibrate = (pattern) => hums.push(pattern) > 0;"


def test_a_hum_for_a_press_for_the_last_bids_and_for_the_end(people, site):
    context = people()
    context.add_init_script(HUMS)
    page = opened(context, site)
    own(page, MINE.replace("8 s", "2 s").replace("9 s", "2 s"))
    until(page, "document.querySelector('#program').textContent === 'mine'")
    switch_on(page)
    press(page, "a")
    pass_until(page, "auction-ended")
    title(page, "Sold!")
    assert page.evaluate("hums.map(String)") == ["12", "200", "150,75,600"]
    press(page, "a")
    asleep(page, 5)
    title(page, "Sold!")
    assert page.evaluate("hums.map(String)")[3:] == ["12"]  # one that would come late is left out


def touch(page, kind, *selectors):
    points = []
    for number, selector in enumerate(selectors):
        box = page.locator(selector).bounding_box()
        points.append(
            {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2, "id": number}
        )
    page.devtools = getattr(page, "devtools", None) or page.context.new_cdp_session(page)
    page.devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_two_fingers_at_once(unit):
    switch_on(unit)
    touch(unit, "touchStart", ".press-auction", ".press-build")
    pass_ms(unit, FINGER_MS)
    title(unit, "Auction")
    until(unit, "app.levels(app.time.now()) === 7")
    touch(unit, "touchCancel")
    until(unit, "app.levels(app.time.now() + 1000) === 4")
    assert [kind for _, kind in log(unit, "auction-started", "refused")] == [
        "auction-started",
        "refused",
    ]


def test_the_setup_with_two_fingers_and_with_one(unit):
    unit.keyboard.down("b")
    press(unit, "o")
    unit.keyboard.up("b")
    pass_ms(unit, FINGER_MS)
    title(unit, "Program: City")
    press(unit, "o")
    unit.wait_for_selector("body[data-mood=off]")
    unit.get_by_role("button", name="Programs").click()
    unit.get_by_role("button", name="Choose with the unit's own buttons").click()
    pass_ms(unit, 3 * FINGER_MS)  # BUILD, which began the setup, is let go of meanwhile
    title(unit, "Program: City")
    for key, text in (
        ("b", "Program: championship"),
        ("b", "Program: timed"),
        ("a", "Length: 60\u00a0min"),
        ("b", "Length: 90\u00a0min"),
        ("a", "Volume: 2 of 3"),
        ("b", "Volume: 3 of 3"),
    ):
        press(unit, key)
        title(unit, text)
    press(unit, "a")
    unit.wait_for_selector("body[data-mood=ready]")
    assert unit.inner_text("#program") == "timed"
    assert unit.inner_text("#clock") == "1:30:00"


def test_a_game_is_not_lost_by_a_slip(unit):
    switch_on(unit)
    press(unit, "a")
    unit.get_by_role("switch").click()
    unit.get_by_role("button", name="Go on playing").click()
    title(unit, "Auction")
    unit.get_by_role("switch").click()
    unit.get_by_role("button", name="Switch off").click()
    pass_ms(unit, FINGER_MS)
    title(unit, "Off")


def test_another_program_from_the_menu(unit):
    unit.keyboard.press("c")
    unit.get_by_role("button", name=re.compile(r"30\smin, timed")).click()
    pass_ms(unit, FINGER_MS)
    until(unit, "document.querySelector('#clock').textContent === '30:00'")
    unit.keyboard.press("c")
    assert unit.get_by_role("button", name=re.compile(r"30\smin, timed"), pressed=True).count() == 1
