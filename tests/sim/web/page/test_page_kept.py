"""What outlives the page: the game, the settings, and one unit in one tab."""

import json

import pytest

from tests.helpers.times import LENGTH_MS
from tests.sim.web.conftest import opened, pass_ms
from tests.sim.web.page.doing import FINGER_MS, log, ms, plan, press, switch_on, title, until

pytestmark = [pytest.mark.real_time, pytest.mark.slow]


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
