"""Play with buttons, keys, fingers and program files; the tests advance the browser's clock."""

import re
from pathlib import Path

import pytest

from city_unit.facts import VERSION
from tests.helpers.times import HOLD_MS, SLOW_MS
from tests.sim.web.conftest import opened, pass_ms
from tests.sim.web.page.conftest import (
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

IS_REFUSED = "document.querySelector('#detail').textContent.startsWith('Not now')"
# The accessible name of the focused button.
NAME = """(({ ariaLabel, textContent }) => ariaLabel ?? textContent.trim().replace(/\\s+/g, " "))(
    document.activeElement)"""


LOSE = """loss => {
    const isHidden = loss === "visibilitychange";
    Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
    (isHidden ? document : window).dispatchEvent(new Event(loss));
    delete document.hidden;
}"""


def shows_program(page, name):
    until(page, f"document.querySelector('#program').textContent === '{name}'")


def test_a_press_is_answered_from_a_short_plan_and_the_rest_follows_in_small_parts(unit):
    """A plan of the whole game at once blocked a slow telephone for half a second."""
    switch_on(unit)
    until(unit, "app.history.until === null")
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
            return app.history.until - app.time.now();
        }"""
    )
    assert soon == 2500
    until(unit, "app.history.until === null")
    assert plan(unit, "hour-ended")
    parts = unit.evaluate("parts")
    assert sum(parts) > 200 and max(parts) < 25


def test_a_game_by_the_keys_alone(unit):
    names = []
    for _ in range(7):
        unit.keyboard.press("Tab")
        names.append(unit.evaluate(NAME))
    bar = ["Programs City ▾", "Volume: 2 of 3", "Full screen", "Help and settings"]
    assert names == [*bar, "On and off", "AUCTION", "BUILD"]
    unit.keyboard.press("F1")
    unit.wait_for_selector("#help[open]")
    unit.mouse.click(2, 2)  # beside it
    unit.wait_for_selector("#help:not([open])", state="attached")
    unit.locator(".slide").focus()
    press(unit, "Space")
    unit.wait_for_selector("body[data-mood=ready]")
    # The browser's shortcuts and the right mouse button do not press.
    unit.keyboard.down("Control"), press(unit, "a"), unit.keyboard.up("Control")
    unit.locator(".press-auction").hover()
    unit.mouse.down(button="right"), pass_ms(unit, FINGER_MS), unit.mouse.up(button="right")
    assert log(unit, "auction-started") == []
    unit.locator(".press-auction").focus()
    press(unit, "Enter")
    title(unit, "Auction")
    press(unit, "b")
    until(unit, IS_REFUSED)
    assert len(log(unit, "auction-started", "refused")) == 2
    for key, volume in (("ArrowUp", 3), ("ArrowUp", 3), ("ArrowDown", 2), ("m", 0), ("m", 2)):
        press(unit, key)
        unit.wait_for_selector(f'#volume[data-volume="{volume}"]')
    gains = []
    for volume in (3, 0, 1, 2):
        unit.locator("#volume").click()
        unit.wait_for_selector(f'#volume[data-volume="{volume}"]')
        gains.append(unit.evaluate("app.speaker._score._gain.gain.value"))
    assert gains[1] == 0 < gains[2] < gains[3] < gains[0]
    # AUCTION is released when the page loses the focus; held to the end it cancels, with a ring.
    unit.locator(".press-auction").focus()
    for loss in ("blur", "pagehide", "visibilitychange"):
        unit.keyboard.down("a"), unit.keyboard.down("Space"), unit.keyboard.up("Space")
        pass_ms(unit, HOLD_MS // 2)
        assert plan(unit, "auction-cancelled"), loss  # one of two fingers was lifted
        unit.evaluate(LOSE, loss)
        pass_ms(unit, FINGER_MS)
        assert not plan(unit, "auction-cancelled"), loss
        assert unit.evaluate("app.levels(app.time.now() + 1000)") == 4
        unit.keyboard.up("a")
        pass_ms(unit, FINGER_MS)
    unit.keyboard.down("a")
    pass_ms(unit, HOLD_MS // 2)
    unit.wait_for_selector(".hold.holding", state="attached")
    title(unit, "Auction")
    pass_until(unit, "auction-cancelled")
    title(unit, "Cancelled")
    assert unit.locator(".hold.holding").count() == 0
    unit.keyboard.up("a")
    [(cancelled, _)] = log(unit, "auction-cancelled")
    journal = unit.evaluate("app.kept.journal")
    assert cancelled == [deed[0] for deed in journal if deed[1] == "press"][-1] + HOLD_MS


def test_a_game_by_a_screen_reader_which_clicks_without_a_finger(unit):
    unit.evaluate("document.querySelector('.slide').click()")
    pass_ms(unit, FINGER_MS)
    unit.wait_for_selector("body[data-mood=ready]")
    unit.get_by_role("button", name="BUILD").click()
    pass_ms(unit, FINGER_MS)
    title(unit, "Permit…")
    assert unit.text_content("#lamps") == ""  # the light is running over all of them
    pass_until(unit, "permit-granted")
    unit.wait_for_selector("body[data-mood=permit]")
    shown = unit.inner_text("#title")
    assert shown in ("1 block", "2 blocks", "3 blocks", "A station")
    assert unit.text_content("#lamps") == f"Lit: {shown}"
    assert unit.locator("[data-lamp].on").count() == 1
    unit.evaluate("document.querySelector('.press-auction').click()")
    pass_ms(unit, FINGER_MS)
    title(unit, "Auction")
    assert unit.inner_text("#news") == "Auction"
    assert re.fullmatch(r"Auction · 59:\d\d", unit.title())
    assert unit.get_by_role("switch", name="On and off", checked=True).count() == 1
    assert unit.evaluate("app.kept.journal.at(-1)[1]") == "tap"
    # An accidental touch does not end a game.
    unit.get_by_role("switch").click()
    unit.get_by_role("button", name="Keep playing").click()
    title(unit, "Auction")
    # A refusal disappears with the state it is about, and does not survive a reload.
    press(unit, "b")
    until(unit, IS_REFUSED)
    asleep(unit, SLOW_MS / 1000 + 1)
    unit.wait_for_selector("body[data-mood=warning]")
    assert "Not now" not in unit.inner_text("#detail")
    press(unit, "b")
    until(unit, IS_REFUSED)
    unit.reload()
    unit.wait_for_selector("body.alive[data-mood=warning]")
    assert "Not now" not in unit.inner_text("#detail")
    unit.get_by_role("switch").click()
    unit.get_by_role("button", name="Switch off").click()
    pass_ms(unit, FINGER_MS)
    title(unit, "Off")


HUMS = "window.hums = []; navigator.vibrate = (pattern) => hums.push(pattern) > 0;"


def test_a_hum_for_a_press_for_the_last_bids_and_for_the_end(people, site):
    context = people()
    context.add_init_script(HUMS)
    page = opened(context, site)
    own(page, MINE.replace("8 s", "2 s").replace("9 s", "2 s"))
    shows_program(page, "mine")
    switch_on(page)
    press(page, "a")
    pass_until(page, "auction-ended")
    title(page, "Sold!")
    assert page.evaluate("hums.map(String)") == ["12", "200", "150,75,600"]
    assert page.locator(".disc.sounding").count() == 1
    press(page, "m")
    assert page.locator(".disc.sounding").count() == 0
    # A press does not cut a sound.
    assert page.evaluate("app.history.notes()[0].ms < app.history.since")
    press(page, "a")
    asleep(page, 5)
    title(page, "Sold!")
    assert page.evaluate("hums.map(String)")[3:] == ["12"]  # a late vibration is dropped


def touch(page, kind, *selectors):
    boxes = [page.locator(selector).bounding_box() for selector in selectors]
    points = [
        {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2, "id": number}
        for number, box in enumerate(boxes)
    ]
    page.devtools = getattr(page, "devtools", None) or page.context.new_cdp_session(page)
    page.devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_two_fingers_at_once_and_the_setup_with_two_and_with_one(unit):
    switch_on(unit)
    touch(unit, "touchStart", ".press-auction", ".press-build")
    pass_ms(unit, FINGER_MS)
    title(unit, "Auction")
    until(unit, "app.levels(app.time.now()) === 7")
    touch(unit, "touchCancel")
    until(unit, "app.levels(app.time.now() + 1000) === 4")
    done = [kind for _, kind in log(unit, "auction-started", "refused")]
    assert done == ["auction-started", "refused"]
    unit.evaluate("app.act('switch', 0)")
    pass_ms(unit, FINGER_MS)
    unit.keyboard.down("b")
    press(unit, "o")
    unit.keyboard.up("b")
    pass_ms(unit, FINGER_MS)
    title(unit, "Program: City")
    press(unit, "o")
    unit.wait_for_selector("body[data-mood=off]")
    unit.get_by_role("button", name="Programs").click()
    unit.get_by_role("button", name="Choose with the unit's own buttons").click()
    pass_ms(unit, 3 * FINGER_MS)  # BUILD, which started the setup, is released meanwhile
    title(unit, "Program: City")
    # The lamp of the volume flashes without end until one is chosen.
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
    unit.clock.fast_forward(3_000_000)
    pass_ms(unit, 3000)
    until(unit, "app.history.until > app.time.now()")
    press(unit, "a")
    unit.wait_for_selector("body[data-mood=ready]")
    assert unit.inner_text("#program") == "timed"
    assert unit.inner_text("#clock") == "1:30:00"


# Programs.

DROP = """text => {
    const data = new DataTransfer();
    data.items.add(new File([text], "mine.toml"));
    const event = { dataTransfer: data, bubbles: true, cancelable: true };
    document.body.dispatchEvent(new DragEvent("drop", event));
}"""
THIRTY = re.compile(r"30\smin, timed")


def test_a_program_is_chosen_from_one_row_each_or_opened_kept_and_forgotten(people, site):
    context = people()
    page = opened(context, site)
    page.keyboard.press("c")
    rows = page.locator("#program-list > li")
    assert rows.count() == len(page.evaluate("app.facts.programs"))
    lengths = page.get_by_role("group", name="timed").get_by_role("button").all_inner_texts()
    assert lengths == [f"{minutes}\u00a0min" for minutes in (30, 60, 90, 120)]
    close, last = page.locator("dialog[open] form button"), rows.last.bounding_box()
    assert last["y"] + last["height"] < close.bounding_box()["y"]  # they all fit on a telephone
    page.get_by_role("button", name=THIRTY).click()
    pass_ms(page, FINGER_MS)
    until(page, "document.querySelector('#clock').textContent === '30:00'")
    page.keyboard.press("c")
    assert page.get_by_role("button", name=THIRTY, pressed=True).count() == 1
    close.click()
    # A program of one's own: an error is shown with its line.
    own(page, MINE.replace("8 s", "8 parsecs"), "wrong.toml")
    page.get_by_text("wrong.toml, line 3: ").wait_for()
    own(page, MINE.replace("mine", "city"), "city.toml")
    page.get_by_text("is the name of a built-in program").wait_for()
    assert page.inner_text("#program") == "timed"
    page.evaluate(DROP, MINE)
    shows_program(page, "mine")
    switch_on(page)
    press(page, "b")
    pass_until(page, "permit-granted")
    title(page, "1 block")
    page.close()
    page = opened(context, site)
    assert page.inner_text("#program") == "mine"
    page.keyboard.press("c")
    assert "auctions of 8\u00a0s to 9\u00a0s" in page.inner_text("#program-list > li:last-child")
    assert "auctions of 50\u00a0s, permits" in page.inner_text("#program-list > li:first-child")
    page.get_by_role("button", name="Forget mine").click()  # not while it is chosen
    # Choosing a program asks before it ends a game, and never ends an auction.
    pass_ms(page, 5000)
    go_on = page.get_by_role("button", name="Keep playing")
    page.get_by_role("button", name="Choose with the unit's own buttons").click()
    go_on.click()
    own(page, MINE.replace("mine", "yours"))
    go_on.click()
    championship = page.get_by_role("button", name=re.compile("^championship"))
    press(page, "a")
    for told in ("Not now: wait for the light to go out.", ""):
        page.keyboard.press("c")
        championship.click()
        page.get_by_text("Start championship? That ends this game.").wait_for()
        assert page.inner_text("#program") == "mine"
        page.get_by_role("button", name="Start").click()
        page.get_by_text(told).first.wait_for()
        pass_until(page, "auction-ended") if told else None
    shows_program(page, "championship")
    page.keyboard.press("c")
    page.get_by_role("button", name="Forget mine").click()
    assert page.get_by_role("button", name=re.compile("^mine")).count() == 0


def test_a_report_is_shown_before_it_is_saved(people, site):
    page = opened(people(), site)
    switch_on(page)
    page.locator("#help-button").click()
    page.locator("#report-button").click()
    text = page.locator("#report-text").input_value()
    assert text.startswith(f"City Unit {VERSION}\n")
    assert '"journal":[[' in text
    with page.expect_download() as saving:
        page.locator("#report-save").click()
    assert saving.value.suggested_filename == "city-unit-report.txt"
    assert Path(saving.value.path()).read_text(encoding="utf-8") == f"{text}\n"
