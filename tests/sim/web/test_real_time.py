"""Real auctions in a real Chromium, hidden, slowed down, blocked and frozen: in words and in sound.

Chromium is driven by its own protocol, which can hide and freeze a page. Playwright keeps every
page visible, as most tests need it.
"""

import json
import os
import shutil
import subprocess
import tempfile
import time
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import numpy as np
import pytest
from websockets.sync.client import connect

from tests.helpers import patience
from tests.helpers.needs import needs
from tests.helpers.times import FAST_MS, LENGTH_MS, SLOW_MS
from tests.sim.web.conftest import FLAGS

pytestmark = [pytest.mark.real_time, pytest.mark.slow]


class Failed(Exception):
    """The requests that the browser refused."""


class Devtools:
    """Sends commands and waits for their responses; ignores events."""

    def __init__(self, line):
        self._line = line
        self._count = 0

    def ask(self, method, session=None, **params):
        self._count += 1
        message = {"id": self._count, "method": method, "params": params}
        self._line.send(json.dumps(message | ({"sessionId": session} if session else {})))
        while (answer := json.loads(self._line.recv())).get("id") != self._count:
            pass
        if "error" in answer:
            raise Failed(answer["error"]["message"])
        return answer["result"]


@contextmanager
def running(chromium):
    """Run a Chromium without a page."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        flags = [*FLAGS, "--headless", "--remote-debugging-port=0", f"--user-data-dir={profile}"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        address = Path(profile) / "DevToolsActivePort"
        with subprocess.Popen([chromium, *flags], **quiet) as program:
            try:
                patience.until(lambda: address.exists() and "/" in address.read_text())
                port, path = address.read_text().split()
                with connect(f"ws://127.0.0.1:{port}{path}", max_size=None) as line:
                    yield Devtools(line)
            finally:
                program.terminate()


class Page:
    """A tab in a browser context of its own."""

    def __init__(self, devtools, address, before=""):
        self._devtools = devtools
        self._where = devtools.ask("Target.createBrowserContext")
        target = self._open("about:blank")
        attached = devtools.ask("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        self._target = target
        self.ask("Page.enable")
        if before:
            self.ask("Page.addScriptToEvaluateOnNewDocument", source=before)
        self.ask("Page.navigate", url=address)

    def _open(self, address):
        made = self._devtools.ask("Target.createTarget", url=address, **self._where)
        return made["targetId"]

    def ask(self, method, **params):
        return self._devtools.ask(method, self._session, **params)

    def evaluate(self, expression):
        answer = self.ask(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            raise Failed(str(answer["exceptionDetails"].get("exception", {}).get("description")))
        return answer["result"].get("value")

    def until(self, truth):
        """Wait until an expression is true."""

        def is_true():
            try:
                return self.evaluate(truth)
            except Failed:
                return False  # the page is still loading

        patience.until(is_true, lambda: truth)

    def switch_on(self):
        """Switch the unit on, and wait until its sound runs."""
        self.until("document.body.classList.contains('alive')")
        self.press("o")
        self.until("document.body.dataset.mood === 'ready' && app.speaker.state === 'running'")

    def begin_auction(self):
        """Press AUCTION; return the start of the auction, in the unit's ms."""
        is_start = "(line) => line.event === 'auction-started'"
        began = f"(app.history.lines(0, 1e9).findLast({is_start})?.ms ?? -1)"
        before = self.evaluate(began)
        self.press("a")
        self.until(f"{began} > {before}")
        return self.evaluate(began)

    def press(self, key):
        """Press and release a key."""
        pressed = {"key": key, "code": f"Key{key.upper()}", "text": key}
        self.ask("Input.dispatchKeyEvent", type="keyDown", **pressed)
        self.ask("Input.dispatchKeyEvent", type="keyUp", key=key, code=pressed["code"])

    def hide(self):
        """Open another tab over it."""
        self._devtools.ask("Target.activateTarget", targetId=self._open("about:blank"))

    def freeze(self, frozen):
        self.ask("Page.setWebLifecycleState", state="frozen" if frozen else "active")

    def show(self):
        self._devtools.ask("Target.activateTarget", targetId=self._target)


# The words of the page.

PROGRAM = """
name = "quick"
auction = "6 s"
warning = "2.5 s"
"""
ENDS_MS = 6000
AGO_MS, NEWS_MS = 3000, 20_000  # as in face.js
SETTLED_MS = ENDS_MS + 1500  # by then all notes of the end are over

# The condition of a page, and the ms of its auction between which it is frozen.
CONDITIONS = {
    "foreground": None,
    "hidden": None,
    "processor / 6": None,
    "frozen over nothing": (800, 2300),
    "frozen over the warning": (2300, 4500),
    "frozen over the end": (4900, 9500),
}

# Records the sounds that the page starts, and how late.
TAP = """
    window.starts = [];
    const start = AudioBufferSourceNode.prototype.start;
    AudioBufferSourceNode.prototype.start = function (when, offset) {
        starts.push({ late: this.context.currentTime - when, length: this.buffer.duration });
        return start.call(this, when, offset);
    };
"""

# Records each title that the page paints, with its moment.
NOTE_TITLES = """
    window.painted = [];
    const later = app._paintLater;
    app._paintLater = function (now) {
        painted.push([now, document.querySelector("#title").textContent]);
        later.call(this, now);
    };
"""


@pytest.fixture
def pages(site, chromium_path):
    """Return a page for each condition, in one browser."""
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
        page.evaluate("painted.length = 0")  # forget the time before the auction
        if condition == "processor / 6":
            page.ask("Emulation.setCPUThrottlingRate", rate=6)
        elif condition != "foreground":
            page.hide()
    assert pages["hidden"].evaluate("document.hidden")
    _freeze(pages, begun)
    for condition, page in pages.items():
        page.until(f"app.time.now() > {begun[condition] + SETTLED_MS}")
    # No note starts after the time at which it should have ended.
    frozen = pages["frozen over the end"]
    assert frozen.evaluate("starts.filter((note) => note.late > 0.15 + note.length)") == []
    for condition, page in pages.items():
        ends = page.evaluate("app.history.lines(0, app.time.now()).map((line) => line.event)")
        assert ends.count("auction-ended") == ends.count("auction-warning") == 1
        _says_what_is_true(page, begun[condition] + ENDS_MS)


def _says_what_is_true(page, end):
    """Check each painted title against the time since the end of the auction."""
    page.until(f"painted.some(([ms]) => ms >= {end})")
    for ms, title in page.evaluate("painted"):
        said = title if title.startswith("Sold!") else ""
        assert said == _of_the_end(ms - end), (ms - end, title)


def _of_the_end(ago):
    """Return the title about the end that is due `ago` ms after it, else ""."""
    if not 0 <= ago < NEWS_MS:
        return ""
    return "Sold!" if ago < AGO_MS else f"Sold! (0:{int(ago / 1000):02} ago)"


def _freeze(pages, begun):
    """Freeze and thaw each page at the times of its condition."""
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


# Real auctions of 50 s, recorded from the sound device on which a real Chromium plays.
#
# A browser suspends a stream after 30 s of silence, and its main thread must restart it: without
# a countermeasure, the warning after 45 s is late. Intervals are measured in recorded samples.
#
# The countermeasure, a source too quiet to hear, also shows where a busy machine interrupted the
# sound: there the samples are zero. Such an auction measures the machine, so another one is played.

RATE = 48_000
GOAL_MS = 5
AUDIBLE = 1e-3  # the source that keeps the stream running is a thousand times quieter
GAP_MS = 20  # a silence that ends a note
AFTER_MS = 1500  # by then the end is over
HEARD_MS = FAST_MS + AFTER_MS + 12_000  # what a recording must have without interruption
ROUNDS = 8  # of auctions, until one was not interrupted
AUDIBLE_CONDITIONS = ("foreground", "hidden", "blocked", "processor / 6")
BLOCKED_MS = (
    SLOW_MS - 12_000,
    LENGTH_MS + AFTER_MS,
)  # of the auction: from before the warning until after the end

BLOCK = """(until => void setTimeout(() => { while (app.time.now() < until); }, 0))"""


@pytest.fixture
def devices(tmp_path, monkeypatch):
    """Run a private sound server with a null device for each condition; return their names."""
    for program in ("pulseaudio", "parec", "pactl"):
        needs(shutil.which(program), program)
    for name in ("PULSE_RUNTIME_PATH", "PULSE_STATE_PATH", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME"):
        folder = tmp_path / name
        folder.mkdir(mode=0o700)
        monkeypatch.setenv(name, str(folder))
    socket = f"{tmp_path}/sound"
    monkeypatch.setenv("PULSE_SERVER", f"unix:{socket}")
    modules = [f"--load=module-native-protocol-unix auth-anonymous=1 socket={socket}"]
    for number in range(len(AUDIBLE_CONDITIONS)):
        words = f"sink_name=device{number} format=float32le rate={RATE} channels=2"
        modules.append(f"--load=module-null-sink {words}")
    server = subprocess.Popen(
        [
            "pulseaudio",
            "-n",
            "--daemonize=no",
            "--use-pid-file=no",
            "--exit-idle-time=-1",
            *modules,
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        patience.until(
            lambda: not subprocess.run(["pactl", "info"], capture_output=True).returncode
        )
        yield [f"device{number}" for number in range(len(AUDIBLE_CONDITIONS))]
    finally:
        server.terminate()
        server.wait()


def tasks(program):
    """Yield the folders in /proc of all threads of a process and of its descendants."""
    with suppress(OSError):  # a thread or a process may end meanwhile
        for task in Path(f"/proc/{program}/task").iterdir():
            yield task
            for child in (task / "children").read_text().split():
                yield from tasks(child)


def hasten_sound():
    """Give the sound's threads real-time priority, if allowed, so that no load delays the sound.

    They are those of the sound server, the recorders, and Chromium's audio service and renderers.
    """
    for task in tasks(os.getpid()):
        with suppress(OSError):
            command, name = (task / "cmdline").read_bytes(), (task / "comm").read_text()
            of_sound = any(word in command for word in (b"pulseaudio", b"parec", b"AudioService"))
            if of_sound or "Audio" in name:
                os.sched_setscheduler(int(task.name), os.SCHED_RR, os.sched_param(1))


@contextmanager
def recorded(device, path):
    """Record the sound of a device, as 32-bit floats."""
    words = ["--format=float32le", "--channels=1", f"--rate={RATE}", "--latency-msec=50"]
    with path.open("wb") as file:
        recorder = subprocess.Popen(["parec", f"--device={device}.monitor", *words], stdout=file)
        try:
            yield
        finally:
            recorder.terminate()
            recorder.wait()


def notes(sound):
    """Return the onset of each note in samples, in ms."""
    loud = np.flatnonzero(np.abs(sound) > AUDIBLE)
    gaps = np.flatnonzero(np.diff(loud) > RATE * GAP_MS // 1000)
    return loud[np.concatenate([[0], gaps + 1])] * 1000 / RATE


def end_of(path, ms):
    """Return the last `ms` of a recording, once what is played now has been recorded."""
    later = path.stat().st_size + 4 * RATE
    patience.until(lambda: path.stat().st_size > later)
    return np.fromfile(path, "<f4")[-RATE * ms // 1000 :]


@pytest.mark.alone
def test_between_warning_and_end_lie_five_seconds(
    devices, site, tmp_path, monkeypatch, chromium_path
):
    pages, intervals = {}, {}
    with ExitStack() as stack:
        for condition, device in zip(AUDIBLE_CONDITIONS, devices, strict=True):
            monkeypatch.setenv("PULSE_SINK", device)
            page = Page(stack.enter_context(running(chromium_path)), site)
            path = tmp_path / f"{device}.f32"
            stack.enter_context(recorded(device, path))
            page.switch_on()
            pages[condition] = page, path
        hasten_sound()
        for _ in range(ROUNDS):
            over = {}
            for condition in pages.keys() - intervals.keys():
                begun = begin_under(condition, pages[condition][0])
                over[condition] = begun + LENGTH_MS + AFTER_MS
            for condition, ms in over.items():
                page, path = pages[condition]
                page.until(f"app.time.now() > {ms}")
                sound = end_of(path, HEARD_MS + int(page.evaluate("app.time.now()") - ms))
                assert np.mean(sound != 0) > 0.25, f"{condition}: the device was left to rest"
                if sound.all():
                    warning, end, _second_note = notes(sound)
                    intervals[condition] = round(float(end - warning), 2)
            if len(intervals) == len(pages):
                break
    print("\nms from the warning to the end:", intervals)
    assert all(abs(interval - FAST_MS) <= GOAL_MS for interval in intervals.values())
    needs(len(intervals) == len(pages), "a machine that plays sound without interruption")


def begin_under(condition, page):
    """Begin an auction under a condition; return its start."""
    page.show()
    # The sound of the switch, or of an earlier auction, is over.
    page.until("app.time.now() > app.history.since + 1000")
    begun = page.begin_auction()
    if condition == "hidden":
        page.hide()
    elif condition == "processor / 6":
        page.ask("Emulation.setCPUThrottlingRate", rate=6)
    elif condition == "blocked":
        wait, over = BLOCKED_MS
        page.evaluate(f"void setTimeout({BLOCK}, {wait}, {begun + over})")
    return begun
