"""Real auctions: how exact they sound is printed, what the page says of them is asserted.

Each runs in a browser of its own, all at once, beside a page that does what most such pages
do: `setTimeout`. Times are of the audio clock, as the browser says when a sample is heard.
"""

import json
import statistics
import time

import pytest

from tests.sim.web.devtools import Page, running

pytestmark = [pytest.mark.real_time, pytest.mark.slow]

PROGRAM = """
name = "quick"
auction = "6 s"
warning = "2.5 s"
"""
WARNS_MS, ENDS_MS = 3500, 6000
AGO_MS, NEWS_MS = 3000, 20_000  # as tells.js has them: from when on it is said how long ago,
SETTLED_MS = ENDS_MS + 1500  # by which all notes of the end are over

# What is done to a page, and between which ms of its auction it is frozen.
CONDITIONS = {
    "foreground": None,
    "hidden": None,
    "processor / 6": None,
    "frozen over nothing": (800, 2300),
    "frozen over the warning": (2300, 4500),
    "frozen over the end": (4900, 9500),
}

# What the page starts to sound, and how its clocks stand to each other.
TAP = """
    window.starts = [];
    window.stamps = [];
    const start = AudioBufferSourceNode.prototype.start;
    AudioBufferSourceNode.prototype.start = function (when, offset) {
        const late = this.context.currentTime - when;
        starts.push({ when, offset, late, length: this.buffer.duration, at: performance.now() });
        if (!stamps.timer) stamps.timer = setInterval(() => {
            const { contextTime, performanceTime } = this.context.getOutputTimestamp();
            if (performanceTime) stamps.push([contextTime, performanceTime]);
        }, 50);
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

BARE = f"""
    window.reported = {{}};
    window.begin = () => {{
        const began = performance.now();
        const tell = (name, due) =>
            setTimeout(() => (reported[name] = performance.now() - began - due), due);
        tell("warning", {WARNS_MS});
        tell("end", {ENDS_MS});
    }};
"""

# How late a note was heard, in ms: when its sample came out by the nearest reading of the clocks.
HEARD = """((due) => {
    const at = (when) => {
        const far = (stamp) => Math.abs(stamp[0] - when);
        const nearest = [...stamps].sort((a, b) => far(a) - far(b))[0];
        return nearest && nearest[1] + (when - nearest[0]) * 1000;
    };
    const errors = starts.map(({ when, length }) => [length, at(when) - app.time.performance(due)]);
    return errors.filter(([, error]) => Math.abs(error) < 1500);
})"""


@pytest.fixture
def trials(site, chromium_path):
    """The page and the bare one, each once for each condition, in one browser."""
    with running(chromium_path) as devtools:
        ours = {condition: Page(devtools, site, TAP) for condition in CONDITIONS}
        bare = {condition: Page(devtools, site + "icon.png", BARE) for condition in CONDITIONS}
        yield ours, bare


def test_real_auctions(trials):
    ours, bare = trials
    for page in ours.values():
        _switch_on(page)
    begun = {}
    for condition, page in ours.items():
        page.press("a")
        page.until(f"({BEGUN}) !== undefined")
        begun[condition] = page.evaluate(BEGUN)
        page.evaluate("painted.length = 0")  # what was painted of the life before
        bare[condition].until("Boolean(window.begin)")
        bare[condition].evaluate("begin()")
        for either in (page, bare[condition]):
            if condition == "processor / 6":
                either.ask("Emulation.setCPUThrottlingRate", rate=6)
            elif condition != "foreground":
                either.hide()
    was_hidden = ours["hidden"].evaluate("document.hidden")
    _freeze(ours, bare, begun)
    head = f"{'warning':>14}{'bare':>10}{'end':>12}{'bare':>10}   says"
    print(f"\n{'ms late':26}{head}")
    for condition, page in ours.items():
        page.until(f"app.time.now() > {begun[condition] + SETTLED_MS}")
        print(f"{condition:26}{_row(page, bare[condition], begun[condition])}")
    assert was_hidden
    # Nothing false sounds when it wakes: no note begins that should have been over.
    frozen = ours["frozen over the end"]
    assert frozen.evaluate("starts.filter((note) => note.late > 0.15 + note.length)") == []
    for condition, page in ours.items():
        ends = page.evaluate("app.story.lines(0, app.time.now()).map((line) => line.event)")
        assert ends.count("auction-ended") == ends.count("auction-warning") == 1
        _says_what_is_true(page, begun[condition] + ENDS_MS)


def _says_what_is_true(page, end):
    """Whenever a page woke up, what it then said of the end was so at that moment."""
    page.until(f"painted.some(([ms]) => ms >= {end})")
    for ms, title in page.evaluate("painted"):
        said = title if title.startswith("Sold!") else ""
        assert said == _of_the_end(ms - end), (ms - end, title)


def _of_the_end(ago):
    """Return what is to be said so many ms after the end, "" for nothing."""
    if not 0 <= ago < NEWS_MS:
        return ""
    return "Sold!" if ago < AGO_MS else f"Sold! (0:{int(ago / 1000):02} ago)"


def _switch_on(page):
    page.until("document.body.classList.contains('alive')")
    page.evaluate(NOTE_TITLES)
    page.evaluate(f"app.take(new File([{json.dumps(PROGRAM)}], 'quick.toml'))")
    page.press("o")
    page.until("document.body.dataset.mood === 'ready' && app.speaker.state === 'running'")


BEGUN = """app.story.lines(0, 1e9).find((line) => line.event === "auction-started")?.ms"""


def _freeze(ours, bare, begun):
    """Freeze and thaw each page at its time, by its own clock as it was before."""
    now = time.monotonic()
    steps = []
    for condition, span in CONDITIONS.items():
        if span:
            began = now - (ours[condition].evaluate("app.time.now()") - begun[condition]) / 1000
            steps += [
                (began + ms / 1000, condition, frozen)
                for ms, frozen in zip(span, (True, False), strict=True)
            ]
    for moment, condition, frozen in sorted(steps):
        time.sleep(max(0, moment - time.monotonic()))
        for page in (ours[condition], bare[condition]):
            page.freeze(frozen)
            if not frozen:
                page.show()


def _row(page, bare, begun):
    reported = bare.evaluate("reported")
    columns = []
    for name, due, length, width in (("warning", WARNS_MS, 0.4, 14), ("end", ENDS_MS, 0.15, 12)):
        found = page.evaluate(f"{HEARD}({begun + due})")
        columns.append(f"{_of(found, length):>{width}}{_late(reported.get(name)):>10}")
    return f"{''.join(columns)}   {page.evaluate('document.title')}"


def _of(found, length):
    """Return the error of the note of that length, in words."""
    errors = [error for seconds, error in found if abs(seconds - length) < 0.01]
    return _late(statistics.median(errors) if errors else None)


def _late(error):
    return "silent" if error is None else f"{error:+.1f}"
