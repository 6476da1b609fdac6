"""The page in a browser with stopped time, and a user's actions."""

import pytest

from tests.sim.web.conftest import pass_ms, stop_time


@pytest.fixture
def people(people):
    """Make browser contexts with stopped time; see `stop_time`."""

    def person(**choices):
        context = people(**choices)
        stop_time(context)
        return context

    return person


FINGER_MS = 100  # length of a press, longer than the debounce

# A user's program file.
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


def press(page, key):
    """Press and release a key, and let the same time pass afterwards."""
    page.keyboard.down(key)
    pass_ms(page, FINGER_MS)
    page.keyboard.up(key)
    pass_ms(page, FINGER_MS)


def title(page, text):
    page.wait_for_function(
        "text => document.querySelector('#title').textContent.startsWith(text)", arg=text
    )


def until(page, truth):
    """Wait for a condition, as a function: the page's policy forbids evaluating a string."""
    page.wait_for_function(f"() => {truth}")


def switch_on(page):
    page.get_by_role("switch", name="On and off").click()
    pass_ms(page, FINGER_MS)
    page.wait_for_selector("body[data-mood=ready]")


def auction(page):
    """Switch the unit on and start an auction; return its start."""
    switch_on(page)
    press(page, "a")
    title(page, "Auction")
    [(began, _)] = log(page, "auction-started")
    return began


def ms(page):
    return page.evaluate("app.time.now()")


def plan(page, kind):
    """Return the planned time of the next event of a kind."""
    return page.evaluate("kind => app.history.coming(kind)?.ms", kind)


def log(page, *kinds):
    shown = "[...app.history.log, ...app.history.plan].filter(({ ms }) => ms <= app.time.now())"
    lines = page.evaluate(shown)
    return [(line["ms"], line["event"]) for line in lines if line.get("event") in kinds]


def set_calendar(page, seconds):
    """Set the system clock, as a user or a time server may; this is not a sleep."""
    page.evaluate(
        """seconds => {
            const now = Date.now;
            Date.now = () => now() + seconds * 1000;
            dispatchEvent(new Event("focus"));
        }""",
        seconds,
    )


def asleep(page, seconds):
    """Let the device sleep: the system clock runs on, the page's own clock stops.

    The browser drops the wake lock, and the audio clock loses pace by more than the real time since
    it was last read, or the two could cancel each other out.
    """
    page.evaluate(
        """async () => {
            for (const lock of noted.locks) await lock.release();
            document.dispatchEvent(new Event("visibilitychange"));
            const read = AudioContext.prototype.getOutputTimestamp;
            AudioContext.prototype.getOutputTimestamp = function () {
                const { contextTime, performanceTime } = read.call(this);
                return { contextTime: contextTime - 1000, performanceTime };
            };
        }"""
    )
    set_calendar(page, seconds)


def pass_until(page, kind):
    """Advance the time until an event of a kind has occurred; tasks of the page plan that far."""
    until(page, f"app.history.coming('{kind}')")
    pass_ms(page, round(plan(page, kind) - ms(page)) + FINGER_MS)


def own(page, text, name="mine.toml"):
    file = {"name": name, "mimeType": "", "buffer": text.encode()}
    page.locator("#file").set_input_files(file)


def without_notices(page):
    page.evaluate("document.querySelectorAll('[data-notice]').forEach((bar) => bar.remove())")
