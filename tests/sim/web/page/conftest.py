"""The page in a browser in which time stands still, and acts of a person at it, for tests."""

import pytest

from tests.sim.web.conftest import pass_ms, stop_time


@pytest.fixture
def people(people):
    """Make browsers of people in which time stands still; see `stop_time`."""

    def person(**choices):
        context = people(**choices)
        stop_time(context)
        return context

    return person


FINGER_MS = 100  # how long a finger is on a button: none is as quick as a bounce

# A program file of a person.
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


def auction(page):
    """Begin an auction of a unit that is off; return when it began."""
    switch_on(page)
    press(page, "a")
    title(page, "Auction")
    [(began, _)] = log(page, "auction-started")
    return began


def ms(page):
    return page.evaluate("app.time.now()")


def plan(page, kind):
    """Return when an event of that kind is to come."""
    return page.evaluate("kind => app.history.coming(kind)?.ms", kind)


def log(page, *kinds):
    lines = page.evaluate("app.history.lines(0, app.time.now())")
    return [(line["ms"], line["event"]) for line in lines if line.get("event") in kinds]


def set_calendar(page, seconds):
    """Set the calendar forward, as a person or a time server may: that is no sleep."""
    page.evaluate(
        """seconds => {
            const now = Date.now;
            Date.now = () => now() + seconds * 1000;
            dispatchEvent(new Event("focus"));
        }""",
        seconds,
    )


def asleep(page, seconds):
    """Let the device sleep: the calendar goes on, the page's own clock does not.

    The browser takes the lock of the screen away, and the sound loses its step: by more than the
    time that really passed since it was last read, or the two could cancel each other.
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
    """Have time pass until an event of that kind has come."""
    pass_ms(page, round(plan(page, kind) - ms(page)) + FINGER_MS)


def own(page, text, name="mine.toml"):
    file = {"name": name, "mimeType": "", "buffer": text.encode()}
    page.locator("#file").set_input_files(file)


def without_notices(page):
    page.evaluate("document.querySelectorAll('[data-notice]').forEach((bar) => bar.remove())")
