"""The page shows and plays the right state, also after a sleep or a loss of sound."""

import pytest

from tests.helpers.times import LENGTH_MS
from tests.sim.web.conftest import opened, pass_ms
from tests.sim.web.page.conftest import (
    asleep,
    auction,
    log,
    ms,
    plan,
    press,
    set_calendar,
    switch_on,
    title,
    until,
)

pytestmark = [pytest.mark.real_time, pytest.mark.slow]


def test_after_a_sleep_the_time_is_right_and_it_is_told(unit):
    started = auction(unit)
    asleep(unit, 56)
    title(unit, "Sold! (0:0")
    assert unit.get_by_text("The device slept for 0:56").count() == 1
    assert log(unit, "auction-ended") == [(started + LENGTH_MS, "auction-ended")]
    # Of a thousand, as 56 s of an hour.
    assert 14 < int(unit.get_attribute("#passed", "width")) < 18
    pass_ms(unit, 15_000)
    assert unit.get_by_text("The device slept").count() == 0


# Each row: the state; the latest event; its age in ms; other facts about the unit or the user; the
# texts on the page.
TOLD = [
    ("ready", {"event": "auction-ended"}, 2999, {}, {"mood": "sold", "title": "Sold!"}),
    ("ready", {"event": "auction-ended"}, 19_999, {}, {"title": "Sold! (0:19 ago)"}),
    ("ready", {"event": "auction-ended"}, 20_000, {}, {"mood": "ready", "title": "Ready"}),
    ("ready", {"event": "last-round"}, 19_999, {}, {"title": "The last round!"}),
    ("ready", {"event": "last-round"}, 20_000, {}, {"title": "Ready"}),
    ("ready", {"event": "phase-started", "phase": "tea"}, 0, {}, {"title": "Phase: tea"}),
    ("over", {"event": "time-called"}, 2999, {}, {"title": "Time!", "detail": ""}),
    ("over", {"event": "hour-ended"}, 65_999, {}, {"detail": "1:05 ago"}),
    ("ready", {"event": "hour-beep", "left_ms": 599_900}, 4999, {}, {"detail": "10:00 to go"}),
    ("ready", {"event": "hour-beep", "left_ms": 599_900}, 5000, {}, {"detail": ""}),
    (
        "ready",
        {"event": "refused", "why": "drawing"},
        0,
        {},
        {"detail": "Not now: the light is running."},
    ),
    ("ready", None, 0, {"permits": False}, {"hint": "AUCTION: start an auction."}),
    ("ready", None, 0, {"hour_ends": 3_700_001}, {"clock": "1:01:41"}),
    ("ready", None, 0, {"hour_ends": 100_001}, {"clock": "1:41", "below": "left of this game"}),
    ("auction", None, 0, {"hour_ends": None}, {"clock": "0:00"}),
    ("ready", None, 0, {"hour_ends": None, "clock_ms": 0}, {"clock": "", "below": "City"}),
    ("warning", None, 0, {"seconds": True, "ends": 3001}, {"clock": "0:04"}),
    ("warning", None, 0, {"ends": 3001}, {"clock": "1:00:00"}),
    ("setup", None, 0, {"choice": ["volume", 0]}, {"title": "Volume: silent"}),
]
TELL = """async cases => {
    const { tell } = await import("./face.js");
    return cases.map(([state, event, ago, more]) => {
        const line = event && { ...event, ms: -ago };
        const isBeside = ["refused", "hour-beep"].includes(event?.event);
        const unit = { state, clock_ms: 3.6e6, hour_ends: 3.6e6, choice: null, ...more };
        const news = isBeside ? { latest: null, aside: line } : { latest: line, aside: null };
        const shown = { unit, lamps: new Set(), auctionEnds: more.ends ?? null, ...news };
        return tell(shown, 0, { seconds: false, permits: true, called: () => "City", ...more });
    });
}"""


def test_what_is_told_in_each_moment(unit):
    told = unit.evaluate(TELL, [case[:4] for case in TOLD])
    for (*case, wanted), found in zip(TOLD, told, strict=True):
        assert wanted.items() <= found.items(), case


@pytest.mark.parametrize(
    ("seconds", "missing"),
    [(3600, "delete window.AudioContext"), (-3600, "delete Navigator.prototype.wakeLock")],
)
def test_a_step_of_the_calendar_is_no_sleep(people, site, missing, seconds):
    """The wake lock shows that the device was awake, and so does the audio clock."""
    context = people()
    context.add_init_script(missing)
    page = opened(context, site)
    started = auction(page)
    pass_ms(page, 2500)
    before = ms(page)
    set_calendar(page, seconds)
    pass_ms(page, 1500)
    assert ms(page) == before + 1500
    assert plan(page, "auction-ended") == started + LENGTH_MS
    assert page.get_by_text("The device slept").count() == 0
    kept = page.evaluate("JSON.parse(localStorage.getItem('city-unit')).epoch + app.time.now()")
    assert abs(kept - page.evaluate("Date.now()")) < 2  # ms; stored by the new system clock


INTERRUPTED = """
    window.isInterrupted = true;
    const context = noted.contexts.at(-1);
    Object.defineProperty(context, "state", {
        get: () => (isInterrupted ? "interrupted" : "running"),
    });
    context.resume = async () => { if (isInterrupted) throw new DOMException("a call"); };
    context.close = async () => { window.wasClosed = true; };
    context.onstatechange();
"""
RETURNS = """
    for (const kind of ["visibilitychange", "resume"]) document.dispatchEvent(new Event(kind));
    for (const kind of ["pageshow", "focus"]) window.dispatchEvent(new Event(kind));
"""


def test_a_lost_sound_is_made_anew_from_the_plan_but_only_by_a_gesture(unit):
    """An interrupted context resumes automatically; a return to the page is not a gesture."""
    sound, contexts = "app.speaker.state", "noted.contexts.length"
    switch_on(unit)
    until(unit, f"{sound} === 'running'")
    unit.evaluate("noted.contexts.at(-1).suspend()")
    unit.get_by_role("button", name="Tap for sound").click()
    until(unit, f"{sound} === 'running'")
    unit.wait_for_selector("[data-notice=sound]", state="detached")
    unit.evaluate("noted.contexts.at(-1).close()")
    until(unit, f"{sound} === 'blocked'")
    unit.evaluate("noted.sounds = 0")
    press(unit, "a")
    until(unit, f"{sound} === 'running' && noted.sounds > 20")
    assert unit.evaluate(contexts) == 2
    # A telephone call interrupts it, as on iOS.
    unit.evaluate(INTERRUPTED)
    assert unit.evaluate(sound) == "blocked"
    unit.evaluate("isInterrupted = false; noted.contexts.at(-1).onstatechange()")
    assert unit.evaluate(sound) == "running"
    unit.evaluate("isInterrupted = true; noted.contexts.at(-1).onstatechange()")
    # If a gesture does not resume it, the next one replaces it.
    press(unit, "b")
    for _ in range(3):
        unit.evaluate(RETURNS)
        pass_ms(unit, 3000)
    assert unit.evaluate(f"[{contexts}, window.wasClosed]") == [2, None]
    press(unit, "b")
    until(unit, f"{sound} === 'running'")
    assert unit.evaluate(f"[{contexts}, window.wasClosed]") == [3, True]
