"""State that outlives the page: the game, the settings, and one unit in one tab."""

import json

import pytest

from tests.helpers.times import LENGTH_MS
from tests.sim.web.conftest import opened, pass_ms
from tests.sim.web.page.conftest import (
    FINGER_MS,
    auction,
    log,
    ms,
    plan,
    switch_on,
    title,
    until,
)

pytestmark = [pytest.mark.real_time, pytest.mark.slow]


def test_a_closed_page_goes_on_and_lives_in_one_tab_until_its_hour_is_over(people, site):
    context = people()
    page = opened(context, site)
    started = auction(page)
    until(page, "app.history.until === null")
    ends = plan(page, "hour-ended")
    page.close()
    page = opened(context, site)
    title(page, "Auction")
    assert plan(page, "auction-ended") == started + LENGTH_MS
    assert plan(page, "hour-ended") == ends
    second = context.new_page()
    second.goto(site)
    second.get_by_role("button", name="Use it here").click()
    second.wait_for_selector("body.alive[data-mood=auction]")
    assert page.wait_for_selector("#elsewhere:not([hidden])")
    # The notice that the game continues is not shown after the end of the hour.
    goes_on = second.get_by_text("The game continues.")
    pass_ms(second, round(ends - ms(second)) - 3000)
    second.reload()
    goes_on.wait_for()
    pass_ms(second, 3500)
    title(second, "The hour is over!")
    assert goes_on.count() == 0
    second.reload()
    title(second, "The hour is over!")
    assert goes_on.count() == 0


def test_what_ended_while_the_page_was_closed_is_told(people, site):
    context = people()
    page = opened(context, site)
    started = auction(page)
    page.evaluate("document.querySelector('.press-auction').click()")
    pass_ms(page, FINGER_MS)
    until(page, "app.levels(app.time.now() + 1000) === 4")
    before = ms(page)
    page.close()
    kept = context.storage_state()["origins"][0]["localStorage"]
    [text] = [item["value"] for item in kept if item["name"] == "city-unit"]
    kept = json.loads(text)
    kept["epoch"] -= 56_000 + started - round(before)
    # A killed browser reported no release.
    *begun, [at, tap, *button] = kept["journal"]
    kept["journal"] = [*begun, [at, "press", *button]]
    assert tap == "tap"
    page = context.new_page()
    page.add_init_script(f"localStorage.setItem('city-unit', {json.dumps(json.dumps(kept))})")
    page.goto(site)
    title(page, "Sold! (0:0")
    assert (started + LENGTH_MS, "auction-ended") in log(page, "auction-ended")


def keep_at_first(text):
    keep = f"localStorage.length || localStorage.setItem('city-unit', {text!r})"
    return f"try {{ {keep} }} catch {{}}"


def test_what_cannot_be_read_is_put_aside(people, site):
    context, text = people(), "{"
    context.add_init_script(keep_at_first(text))
    page = opened(context, site)
    assert page.evaluate("localStorage.getItem('city-unit-broken')") == text
    switch_on(page)
    page.reload()
    page.get_by_text("Part of the saved state could not be read").wait_for()
    page.get_by_role("button", name="Discard it").click()
    page.reload()
    page.wait_for_selector("body.alive[data-mood=ready]")
    assert page.get_by_text("Part of the saved state could not be read").count() == 0


KEPT = {
    "version": 1,
    "epoch": 1_799_999_999_000,
    "seed": 1,
    "memory": {"program": "timed", "clock_ms": 1_800_000, "volume": 1},
    "journal": [[0, "switch", 1, None], [400, "volume", 1, None]],
    "own": ['name = "mine"'],
    "options": {"language": "fr", "seconds": True, "calm": True, "notify": True},
}
LARGEST = 2**53 - 1
DAY_MS = 86_400_000
SPOILT = {
    "journal": [
        *([[ms, "press", 1, None]] for ms in (LARGEST, -1, 0.5, "0", None)),
        [[5, "press", 1, None], [4, "release", 1, None]],
        *([[0, what, value, None]] for what, value in (
            ("press", 4), ("press", "1"), ("switch", 2), ("volume", 4), ("volume", None),
            ("program", "A b"), ("program", "a" * 21), ("program", None),
            ("set up", 1), ("live", 1), ("fly", 1),
            ("constructor", 1),
        )),
        [[0, "program", "timed", DAY_MS + 1]],
        [[366 * DAY_MS + 1, "live", None, None]],
        [[0, "press", 1, 5]],
        [[]], [None], {}, None, 5, "x",
    ],
    "epoch": [-1, 0.5, "0", None, LARGEST + 1],
    "seed": [-1, 2**32, None, "1"],
    "memory": [
        None, [], "x",
        *({**KEPT["memory"], **wrong} for wrong in (
            {"program": "A b"}, {"program": 5}, {"clock_ms": LARGEST}, {"clock_ms": "1"},
            {"volume": 4}, {"volume": -1}, {"volume": None},
        )),
    ],
    "own": [None, {}, "x", [5], [None], ["x" * 100_001]],
    "options": [None, "x", *({**KEPT["options"], "language": code} for code in ("xx", 5, "at"))],
}  # fmt: skip
PARTS = [("journal", "epoch", "seed"), ("memory",), ("own",), ("options",)]  # each independent


def test_each_value_is_checked_and_what_is_right_stays(unit):
    """A time of 2^53 - 1 once hung the page at every start."""
    kept = """kept => {
        localStorage.setItem("city-unit", JSON.stringify(kept));
        return import("./storage.js").then(({ read }) => read());
    }"""
    longest = [[0, "program", "a" * 20, DAY_MS], [366 * DAY_MS, "live", None, None]]
    for right in (KEPT, {**KEPT, "journal": longest}):
        assert unit.evaluate(kept, right) == {"kept": right, "trouble": ""}
    for text in ('{"version":1}', "[]", '"x"', "null"):
        assert unit.evaluate(kept, json.loads(text))["trouble"] == "broken"
    for name, values in SPOILT.items():
        for value in values:
            spoilt = {**KEPT, name: value}
            found = unit.evaluate(kept, spoilt)
            assert found["trouble"] == "broken", (name, value)
            [part] = [part for part in PARTS if name in part]
            for other in KEPT:
                assert (found["kept"][other] == KEPT[other]) == (other not in part), (name, value)
            aside = unit.evaluate("localStorage.getItem('city-unit-broken')")
            assert json.loads(aside) == spoilt


def test_a_journal_that_no_unit_can_live_again_is_left_out(people, site):
    context = people()
    kept = {**KEPT, "options": {**KEPT["options"], "language": "en"}}
    text = json.dumps({**kept, "memory": {**kept["memory"], "program": "gone"}})
    context.add_init_script(
        keep_at_first(text) + "JSON.parse = ((parse) => (text) => {"
        "    if (text.startsWith('{\"ms\": 400')) throw new Error('what no check knows');"
        "    return parse(text);"
        "})(JSON.parse);"
    )
    page = opened(context, site)
    assert page.get_by_text("Part of the saved state could not be read").count() == 1
    assert json.loads(page.evaluate("localStorage.getItem('city-unit-broken')"))["journal"]
    title(page, "Off")


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
    auction(page)
    assert page.get_by_text("This browser does not store anything").count() == 1
