"""The page as people use it, in a real browser whose clock is the tests'."""

import json
import re
import shutil

import pytest

from sim.web import bundle
from tests.helpers.needs import needs
from tests.helpers.times import HOLD_MS, LENGTH_MS, SLOW_MS
from tests.sim.web.conftest import named_unit_test, opened, pass_ms, served, stop_time
from tests.sim.web.devtools import Page, running

pytestmark = [pytest.mark.real_time, pytest.mark.slow]

RETURN_MS = 6000  # how long the page says that the game goes on, as app.js has it
FINGER_MS = 100  # how long a finger is on a button: none is as quick as a bounce
SIZES = ((390, 844), (820, 1180), (1280, 800), (844, 390), (320, 568), (1920, 1080))


@pytest.fixture
def people(people):
    """Make browsers of people in which time stands still; see `stop_time`."""

    def person(**choices):
        context = people(**choices)
        stop_time(context)
        return context

    return person


def press(page, key):
    """Press a key as a finger does, and let as much time pass after it."""
    page.keyboard.down(key)
    pass_ms(page, FINGER_MS)
    page.keyboard.up(key)
    pass_ms(page, FINGER_MS)


def title(page, text):
    page.wait_for_function(
        "text => document.querySelector('#title').textContent.startsWith(text)", arg=text
    )


def until(page, truth):
    """Wait for something; a string alone would be code, which the page's policy forbids."""
    page.wait_for_function(f"() => {truth}")


def switch_on(page):
    page.get_by_role("switch", name="On and off").click()
    pass_ms(page, FINGER_MS)
    page.wait_for_selector("body[data-mood=ready]")


def ms(page):
    return page.evaluate("app.time.now()")


def plan(page, kind):
    """Return when an event of that kind is to come."""
    return page.evaluate("kind => app.story.coming(kind)?.ms", kind)


def log(page, *kinds):
    lines = page.evaluate("app.story.lines(0, app.time.now())")
    return [(line["ms"], line["event"]) for line in lines if line.get("event") in kinds]


def asleep(page, seconds):
    """Let the device sleep: the calendar goes on, the page's own clock does not."""
    page.evaluate(
        """seconds => {
            const now = Date.now;
            Date.now = () => now() + seconds * 1000;
            dispatchEvent(new Event("focus"));
        }""",
        seconds,
    )


def pass_until(page, kind):
    """Have time pass until an event of that kind has come."""
    pass_ms(page, round(plan(page, kind) - ms(page)) + FINGER_MS)


# Playing.


def test_an_auction(unit):
    switch_on(unit)
    unit.get_by_role("button", name="AUCTION").click()
    pass_ms(unit, FINGER_MS)
    title(unit, "Auction")
    [(started, _)] = log(unit, "auction-started")
    assert plan(unit, "auction-warning") == started + SLOW_MS
    assert plan(unit, "auction-ended") == started + LENGTH_MS


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


def test_tab_and_space_and_return_press_what_has_the_focus(unit):
    names = []
    for _ in range(8):
        unit.keyboard.press("Tab")
        names.append(unit.evaluate("document.activeElement.ariaLabel"))
    wanted = [
        "Programs",
        "Volume",
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


def test_a_refusal_does_not_outlive_the_page(people, site):
    page = opened(people(), site)
    switch_on(page)
    press(page, "a")
    title(page, "Auction")
    press(page, "b")
    until(page, "document.querySelector('#detail').textContent.startsWith('Not now')")
    page.reload()
    page.wait_for_selector("body.alive[data-mood=auction]")
    assert page.inner_text("#detail").startswith("Call out")


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


def test_a_hum_that_would_come_late_is_left_out(people, site):
    context = people()
    context.add_init_script(HUMS)
    page = opened(context, site)
    switch_on(page)
    press(page, "a")
    title(page, "Auction")
    asleep(page, 56)
    title(page, "Sold!")
    assert page.evaluate("hums.map(String)") == ["12"]


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
    touch(unit, "touchEnd")
    until(unit, "app.levels(app.time.now() + 1000) === 4")
    assert [kind for _, kind in log(unit, "auction-started", "refused")] == [
        "auction-started",
        "refused",
    ]


def test_a_cancelled_touch_lets_go(unit):
    switch_on(unit)
    touch(unit, "touchStart", ".press-auction")
    until(unit, "app.levels(app.time.now()) === 5")
    touch(unit, "touchCancel")
    until(unit, "app.levels(app.time.now() + 1000) === 4")


def test_the_setup_with_two_fingers_and_with_one(unit):
    unit.keyboard.down("b")
    press(unit, "o")
    unit.keyboard.up("b")
    pass_ms(unit, FINGER_MS)
    title(unit, "Program: classic")
    press(unit, "o")
    unit.wait_for_selector("body[data-mood=off]")
    unit.get_by_role("button", name="Programs").click()
    unit.get_by_role("button", name="Choose with the unit's own buttons").click()
    pass_ms(unit, 3 * FINGER_MS)  # BUILD, which began the setup, is let go of meanwhile
    title(unit, "Program: classic")
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
    unit.get_by_role("button", name=re.compile(r"timed 30\smin of play")).click()
    pass_ms(unit, FINGER_MS)
    until(unit, "document.querySelector('#clock').textContent === '30:00'")
    unit.keyboard.press("c")
    assert unit.get_by_role("button", name=re.compile("timed 30"), pressed=True).count() == 1


# What is kept.


def test_a_closed_page_goes_on(people, site):
    context = people()
    page = opened(context, site)
    switch_on(page)
    press(page, "a")
    title(page, "Auction")
    [(started, _)] = log(page, "auction-started")
    ends = plan(page, "hour-ended")
    page.close()
    page = opened(context, site)
    title(page, "Auction")
    assert plan(page, "auction-ended") == started + LENGTH_MS
    assert plan(page, "hour-ended") == ends
    assert page.get_by_text("The game goes on.").count() == 1


def test_what_ended_while_the_page_was_closed_is_told(people, site):
    context = people()
    page = opened(context, site)
    switch_on(page)
    press(page, "a")
    title(page, "Auction")
    [(started, _)] = log(page, "auction-started")
    page.evaluate("document.querySelector('.press-auction').click()")
    pass_ms(page, FINGER_MS)
    until(page, "app.levels(app.time.now() + 1000) === 4")
    before = ms(page)
    page.close()
    kept = context.storage_state()["origins"][0]["localStorage"]
    [text] = [item["value"] for item in kept if item["name"] == "city-unit"]
    kept = json.loads(text)
    kept["epoch"] -= 56_000 + started - round(before)
    page = context.new_page()
    page.add_init_script(f"localStorage.setItem('city-unit', {json.dumps(json.dumps(kept))})")
    page.goto(site)
    title(page, "Sold! (0:0")
    assert (started + LENGTH_MS, "auction-ended") in log(page, "auction-ended")


@pytest.mark.parametrize("text", ["{", '{"version":1}', "[]", "null", '"x"'])
def test_what_cannot_be_read_is_put_aside(people, site, text):
    context = people()
    context.add_init_script(
        f"try {{ localStorage.length || localStorage.setItem('city-unit', {text!r}) }} catch {{}}"
    )
    page = opened(context, site)
    assert page.get_by_text("What was kept could not be read").count() == 1
    assert page.evaluate("localStorage.getItem('city-unit-broken')") == text
    switch_on(page)


@pytest.mark.parametrize(
    "trouble",
    [
        "Storage.prototype.setItem = () => { throw new DOMException('it is full') }",
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no') } })",
    ],
    ids=["full", "forbidden"],
)
def test_without_storage_it_says_so_and_plays(people, site, trouble):
    context = people()
    context.add_init_script(trouble)
    page = opened(context, site)
    switch_on(page)
    press(page, "a")
    title(page, "Auction")
    assert page.get_by_text("This browser keeps nothing").count() == 1


def test_a_second_tab_is_told(people, site):
    context = people()
    first = opened(context, site)
    switch_on(first)
    second = context.new_page()
    second.goto(site)
    second.get_by_role("button", name="Use it here").click()
    second.wait_for_selector("body.alive[data-mood=ready]")
    assert first.wait_for_selector("#elsewhere:not([hidden])")


# Truth.


def test_after_a_sleep_the_time_is_right_and_it_is_told(unit):
    switch_on(unit)
    press(unit, "a")
    title(unit, "Auction")
    [(started, _)] = log(unit, "auction-started")
    asleep(unit, 56)
    title(unit, "Sold! (0:0")
    assert unit.get_by_text("The device slept for 0:56").count() == 1
    assert log(unit, "auction-ended") == [(started + LENGTH_MS, "auction-ended")]


def test_the_hour_that_ended_in_a_sleep(unit):
    switch_on(unit)
    asleep(unit, 3605)
    title(unit, "The hour is over!")
    assert re.fullmatch(r"0:\d\d ago", unit.inner_text("#detail"))
    assert unit.inner_text("#clock") == "0:00"


def test_a_blocked_sound_says_what_to_tap(unit):
    switch_on(unit)
    until(unit, "app.speaker.state === 'running'")
    unit.evaluate("noted.contexts.at(-1).suspend()")
    unit.get_by_role("button", name="Tap for sound").click()
    until(unit, "app.speaker.state === 'running'")
    unit.wait_for_selector("[data-notice=sound]", state="detached")


def test_a_lost_sound_is_made_anew_from_the_plan(unit):
    switch_on(unit)
    until(unit, "app.speaker.state === 'running'")
    unit.evaluate("noted.contexts.at(-1).close()")
    until(unit, "app.speaker.state === 'blocked'")
    unit.evaluate("noted.sounds = 0")
    press(unit, "a")
    until(unit, "app.speaker.state === 'running' && noted.sounds > 20")
    assert unit.evaluate("noted.contexts.length") == 2


# Programs of the person's own.

MINE = """
name = "mine"
auction = ["8 s", "9 s"]
warning = "1.5 s"
odds = [1, 0, 0, 0]
clock = "10 min"
[[marks]]
tell = "time-called"
left = "0 s"
"""


def own(page, text, name="mine.toml"):
    file = {"name": name, "mimeType": "", "buffer": text.encode()}
    page.locator("#file").set_input_files(file)


def test_a_program_file_is_opened_kept_and_forgotten(people, site):
    context = people()
    page = opened(context, site)
    own(page, MINE)
    until(page, "document.querySelector('#program').textContent === 'mine'")
    switch_on(page)
    press(page, "b")
    pass_until(page, "permit-granted")
    title(page, "1 block")
    page.close()
    page = opened(context, site)
    assert page.inner_text("#program") == "mine"
    page.evaluate("app.act('switch', 0)")
    pass_ms(page, FINGER_MS)
    page.keyboard.press("c")
    page.get_by_role("button", name=re.compile("^championship")).click()
    until(page, "document.querySelector('#program').textContent === 'championship'")
    page.keyboard.press("c")
    page.get_by_role("button", name="Forget mine").click()
    assert page.get_by_role("button", name=re.compile("^mine")).count() == 0


def test_a_program_file_is_dropped(unit):
    unit.evaluate(
        """text => {
            const data = new DataTransfer();
            data.items.add(new File([text], "mine.toml"));
            const event = { dataTransfer: data, bubbles: true, cancelable: true };
            document.body.dispatchEvent(new DragEvent("drop", event));
        }""",
        MINE,
    )
    until(unit, "document.querySelector('#program').textContent === 'mine'")


def test_a_mistake_in_a_program_file_is_told_with_its_line(unit):
    own(unit, MINE.replace("8 s", "8 parsecs"), "wrong.toml")
    unit.get_by_text("wrong.toml, line 3: ").wait_for()
    own(unit, MINE.replace("mine", "city"), "city.toml")
    unit.get_by_text("is the name of a built-in program").wait_for()
    assert unit.inner_text("#program") == "classic"


# Languages and looks.


def test_french(people, site):
    page = opened(people(locale="fr-FR"), site)
    assert page.evaluate("document.documentElement.lang") == "fr"
    page.get_by_role("switch", name="Interrupteur").click()
    pass_ms(page, FINGER_MS)
    page.get_by_role("button", name="ENCHÈRES").click()
    pass_ms(page, FINGER_MS)
    title(page, "Enchères")
    assert page.locator("text[data-say=AUCTION]").text_content() == "ENCHÈRES"
    assert page.text_content("#news") == "Enchères"
    page.keyboard.press("h")
    page.evaluate("noted.contexts.at(-1).suspend()")  # until the next touch or key
    page.get_by_text("Le son est bloqué.").wait_for()
    page.get_by_label("Langue").select_option("en")
    title(page, "Auction")
    assert page.text_content("#news") == "Auction"  # what a screen reader is told
    page.get_by_text("The sound is blocked.").wait_for()
    assert page.evaluate("document.documentElement.lang") == "en"


def test_a_word_on_the_disc_keeps_inside_its_button(people, site):
    page = opened(people(locale="fr"), site)
    for key, part in (("AUCTION", ".press-auction"), ("BUILD", ".press-build")):
        label = page.locator(f"text[data-say={key}]").bounding_box()
        button = page.locator(part).bounding_box()
        assert button["x"] + 4 < label["x"]
        assert label["x"] + label["width"] < button["x"] + button["width"] - 4


def test_the_seconds_of_an_auction_are_hidden_unless_asked_for(unit):
    switch_on(unit)
    press(unit, "a")
    title(unit, "Auction")
    assert unit.inner_text("#below") == "left of this game"
    unit.keyboard.press("h")
    unit.get_by_label("Show the seconds").check()
    assert unit.inner_text("#below") == "left of this auction"
    assert re.fullmatch(r"0:[45]\d", unit.inner_text("#clock"))


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_everything_fits_at_every_size(people, site, tmp_path, width, height, language):
    page = opened(people(viewport={"width": width, "height": height}, locale=language), site)
    places = page.evaluate(PLACES)
    press(page, "o")
    for state in ("ready", "auction", "sold"):
        if state != "ready":
            press(page, "a")
            page.wait_for_selector("body[data-mood=auction]")
        if state == "sold":
            asleep(page, 51)
            page.evaluate(
                "document.querySelectorAll('[data-notice]').forEach((bar) => bar.remove())"
            )
        page.wait_for_selector(f"body[data-mood={state}]")
        page.screenshot(path=tmp_path / f"{state}.png")
        wrong = page.evaluate(WRONG)
        assert wrong == [], state
        assert page.evaluate(PLACES) == places, state
    print(f"{width}x{height} {language}: {tmp_path}")


# Where what is looked for begins: the same in every state.
PLACES = """() => ["below", "detail", "hint", "hour"].map((name) =>
    Math.round(document.getElementById(name).getBoundingClientRect().top))"""


# What lies outside the screen, what is too small for a finger, and what lies over another.
WRONG = """() => {
    const wrong = [];
    const boxes = [...document.querySelectorAll("header button, .disc button, .words > *")]
        .filter((element) => !element.matches(".for-readers") && element.getClientRects().length);
    for (const element of boxes) {
        const box = element.getBoundingClientRect();
        const name = element.id || element.className;
        const inside = box.left > -1 && box.top > -1;
        if (!inside || box.right > innerWidth + 1 || box.bottom > innerHeight + 1)
            wrong.push(`${name} outside`);
        if (element.scrollWidth > element.clientWidth + 1 && element.clientWidth)
            wrong.push(`${name} too wide`);
        if (element.matches("button") && (box.width < 47.9 || box.height < 47.9))
            wrong.push(`${name} too small`);
    }
    const words = boxes.filter((element) => element.matches(".words > *"));
    words.slice(1).forEach((element, place) => {
        if (element.getBoundingClientRect().top < words[place].getBoundingClientRect().bottom - 1)
            wrong.push(`${element.id} over ${words[place].id}`);
    });
    return wrong;
}"""


NOTICE = """() => {
    const hidden = ["[data-lamp]", ".disc button", ".words > :not(.for-readers)"];
    const box = document.querySelector("#notices p").getBoundingClientRect();
    return hidden.flatMap((selector) => [...document.querySelectorAll(selector)]).filter((part) => {
        const { left, right, top, bottom } = part.getBoundingClientRect();
        return left < box.right && right > box.left && top < box.bottom && bottom > box.top;
    }).map((part) => part.id || part.className.baseVal || part.className);
}"""


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_notice_covers_nothing_that_is_looked_at(people, site, width, height, language):
    context = people(viewport={"width": width, "height": height}, locale=language)
    page = opened(context, site)
    press(page, "o")
    page.wait_for_selector("body[data-mood=ready]")
    press(page, "a")
    page.wait_for_selector("body[data-mood=auction]")
    page.reload()
    page.wait_for_selector("body.alive[data-mood=auction] [data-notice=sound]")
    assert page.evaluate(NOTICE) == []
    for words in ("#hint", "#hour"):
        look = page.locator(words).evaluate("part => getComputedStyle(part).visibility")
        assert look == "visible"
    band = page.locator("[data-notice=sound]").bounding_box()
    assert band["height"] < 40 and band["width"] <= width  # one line


def test_who_returns_gets_the_sound_by_a_touch_anywhere(people, site):
    context = people()
    page = opened(context, site)
    switch_on(page)
    page.reload()
    page.get_by_text("The game goes on.").wait_for()
    pass_ms(page, RETURN_MS)
    page.get_by_text("The game goes on.").wait_for(state="detached")
    assert page.get_by_role("button", name="Tap for sound").is_visible()
    page.locator("#below").tap()
    page.wait_for_selector("[data-notice=sound]", state="detached")
    assert page.evaluate("app.speaker.state") == "running"


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("key", ["h", "c"])
def test_the_way_out_of_a_dialog_is_in_sight(people, site, width, height, key):
    page = opened(people(viewport={"width": width, "height": height}, locale="fr"), site)
    page.keyboard.press(key)
    close = page.locator("dialog[open] form button")
    box = close.bounding_box()
    assert box["y"] >= 0 and box["y"] + box["height"] <= height
    assert page.evaluate("document.querySelector('dialog[open]').scrollTop") == 0
    close.click()
    assert page.locator("dialog[open]").count() == 0


def test_on_a_telephone_the_help_is_for_fingers(people, site):
    page = opened(people(locale="fr", is_mobile=True), site)
    page.get_by_role("button", name="Aide et réglages").tap()
    assert page.get_by_text("Touches", exact=True).is_hidden()
    boxes = [part.bounding_box() for part in page.locator("#help :is(label:has(input), a)").all()]
    assert len(boxes) == 4
    assert all(box["height"] >= 48 for box in boxes)
    left = page.locator("#seconds").bounding_box()["x"]
    assert left == page.locator("#help h2").first.bounding_box()["x"]
    text = page.locator("#seconds + span").bounding_box()
    assert text["x"] > left + 24 and text["height"] > 40  # two lines, both beside the box
    page.get_by_role("link", name="Écouter une unité par le micro").tap()
    assert page.get_by_role("link", name="Retour à l’unité").bounding_box()["height"] >= 48


# The folder, the network, and what keeps it.


def test_nothing_is_asked_for_elsewhere(people, site):
    context = people()
    asked = []
    context.on("request", lambda request: asked.append(request.url))
    opened(context, site)
    assert asked
    assert [url for url in asked if not url.startswith(site)] == []


def test_it_can_be_installed(site):
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    needs(chromium, "chromium")
    with running(chromium) as devtools:
        page = Page(devtools, site, alone=False)
        page.until("document.body.classList.contains('alive')")
        page.until("navigator.serviceWorker.ready.then(() => true)")
        manifest = page.ask("Page.getAppManifest")
        assert (manifest["errors"], "City Unit" in manifest["data"]) == ([], True)
        assert page.ask("Page.getInstallabilityErrors")["installabilityErrors"] == []


def test_the_screen_stays_on_while_the_unit_is_on(unit):
    switch_on(unit)
    until(unit, "noted.locks.length === 1 && !noted.locks[0].released")
    unit.evaluate("app.act('switch', 0)")
    until(unit, "noted.locks[0].released")
    assert unit.evaluate("noted.locks.length") == 1


def test_offline_it_begins_and_plays(people, site):
    context = people()
    page = opened(context, site)
    page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    context.set_offline(True)
    page.reload()
    page.wait_for_selector("body.alive")
    switch_on(page)
    press(page, "a")
    title(page, "Auction")


def test_a_new_version_is_used_from_the_next_start_on(people, files):
    newer = dict(files)
    newer["style.css"] += b"/* newer */"
    newer["worker.js"] = newer["worker.js"].replace(b'OURS + "', b'OURS + "newer-')
    context = people()
    with served(files) as server:
        site = f"http://127.0.0.1:{server.port}/"
        page = opened(context, site)
        page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
        page.reload()  # from here on the worker serves it
        page.wait_for_selector("body.alive")
        switch_on(page)
        press(page, "a")
        server.publish(newer)
        page.evaluate("navigator.serviceWorker.getRegistration().then((found) => found.update())")
        page.get_by_text("A new version is here").wait_for()
        style = "fetch('style.css').then((answer) => answer.text())"
        assert "newer" not in page.evaluate(style)
        page.close()
        page = opened(context, site)
        until(page, f"{style}.then((text) => text.includes('newer'))")
        title(page, "Auction")


def test_from_a_file_it_says_what_it_needs(people, files, tmp_path):
    bundle.write(tmp_path / "page", files)
    context = people()
    page = context.new_page()
    page.goto((tmp_path / "page" / "index.html").as_uri())
    page.wait_for_selector("#slow", state="visible")
    assert "city-unit web" in page.inner_text("#slow")
    context.mistakes.clear()  # the browser itself complains of the modules


def test_from_the_home_network_it_plays_without_what_needs_https(chromium, people, files):
    page = people().new_page()
    with named_unit_test(page, files):
        page.goto("http://unit.test/")
        page.wait_for_selector("body.alive")
        assert page.evaluate("isSecureContext") is False
        switch_on(page)
        press(page, "a")
        title(page, "Auction")
