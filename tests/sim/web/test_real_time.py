"""Real auctions, hidden, slowed down and frozen: the page's words about them are true.

Each runs in a browser of its own, all at once.
"""

import json
import time

import pytest

from tests.sim.web.devtools import Page, running

pytestmark = [pytest.mark.real_time, pytest.mark.slow]

PROGRAM = """
name = "quick"
auction = "6 s"
warning = "2.5 s"
"""
ENDS_MS = 6000
AGO_MS, NEWS_MS = 3000, 20_000  # as face.js has them: from when on it is said how long ago,
SETTLED_MS = ENDS_MS + 1500  # by which all notes of the end are over

# A treatment of a page, and between which ms of its auction it is frozen.
CONDITIONS = {
    "foreground": None,
    "hidden": None,
    "processor / 6": None,
    "frozen over nothing": (800, 2300),
    "frozen over the warning": (2300, 4500),
    "frozen over the end": (4900, 9500),
}

# The sounds that the page starts, and how late each begins.
TAP = """
    window.starts = [];
    const start = AudioBufferSourceNode.prototype.start;
    AudioBufferSourceNode.prototype.start = function (when, offset) {
        starts.push({ late: this.context.currentTime - when, length: this.buffer.duration });
        return start.call(this, when, offset);
    };
"""

# Each title that the page paints, and for which moment: it can be asked for however late.
NOTE_TITLES = """
    window.painted = [];
    const again = app.comeAgain;
    app.comeAgain = function (now) {
        painted.push([now, document.querySelector("#title").textContent]);
        again.call(this, now);
    };
"""


@pytest.fixture
def pages(site, chromium_path):
    """The page, once for each condition, in one browser."""
    with running(chromium_path) as devtools:
        yield {condition: Page(devtools, site, TAP) for condition in CONDITIONS}


def test_real_auctions(pages):
    for page in pages.values():
        page.until("document.body.classList.contains('alive')")
        page.evaluate(NOTE_TITLES)
        page.evaluate(f"app.take(new File([{json.dumps(PROGRAM)}], 'quick.toml'))")
        page.switch_on()
    begun = {}
    for condition, page in pages.items():
        begun[condition] = page.begin_auction()
        page.evaluate("painted.length = 0")  # the paintings of the life before
        if condition == "processor / 6":
            page.ask("Emulation.setCPUThrottlingRate", rate=6)
        elif condition != "foreground":
            page.hide()
    assert pages["hidden"].evaluate("document.hidden")
    _freeze(pages, begun)
    for condition, page in pages.items():
        page.until(f"app.time.now() > {begun[condition] + SETTLED_MS}")
    # Nothing false sounds when it wakes: no note begins that should have been over.
    frozen = pages["frozen over the end"]
    assert frozen.evaluate("starts.filter((note) => note.late > 0.15 + note.length)") == []
    for condition, page in pages.items():
        ends = page.evaluate("app.history.lines(0, app.time.now()).map((line) => line.event)")
        assert ends.count("auction-ended") == ends.count("auction-warning") == 1
        _says_what_is_true(page, begun[condition] + ENDS_MS)


def _says_what_is_true(page, end):
    """Whenever a page woke up, its words about the end were true at that moment."""
    page.until(f"painted.some(([ms]) => ms >= {end})")
    for ms, title in page.evaluate("painted"):
        said = title if title.startswith("Sold!") else ""
        assert said == _of_the_end(ms - end), (ms - end, title)


def _of_the_end(ago):
    """Return the words due a number of ms after the end, "" for none."""
    if not 0 <= ago < NEWS_MS:
        return ""
    return "Sold!" if ago < AGO_MS else f"Sold! (0:{int(ago / 1000):02} ago)"


def _freeze(pages, begun):
    """Freeze and thaw each page at its time, by its own clock as it was before."""
    now = time.monotonic()
    steps = []
    for condition, span in CONDITIONS.items():
        if span:
            began = now - (pages[condition].evaluate("app.time.now()") - begun[condition]) / 1000
            steps += [
                (began + ms / 1000, condition, frozen)
                for ms, frozen in zip(span, (True, False), strict=True)
            ]
    for moment, condition, frozen in sorted(steps):
        time.sleep(max(0, moment - time.monotonic()))
        pages[condition].freeze(frozen)
        if not frozen:
            pages[condition].show()
