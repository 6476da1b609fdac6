"""A real Chromium with the page."""

import json
import shutil
import subprocess
import threading
from contextlib import contextmanager

import pytest

from sim.web import bundle
from sim.web.server import Server
from tests.helpers.needs import needs, needs_modules
from tests.helpers.patience import PATIENCE_S

HOME_NAME = "unit.test"  # a name of this computer that browsers do not consider secure
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--autoplay-policy=user-gesture-required",
    f"--host-resolver-rules=MAP {HOME_NAME} 127.0.0.1",
)


# Records a page's requests to the browser; a test can inspect and refuse them.
NOTED = """
    window.noted = { contexts: [], locks: [], sounds: 0 };
    window.AudioContext = class extends AudioContext {
        constructor(...words) { super(...words); noted.contexts.push(this); }
    };
    const start = AudioBufferSourceNode.prototype.start;
    AudioBufferSourceNode.prototype.start = function (...words) {
        noted.sounds++;
        return start.apply(this, words);
    };
    if (navigator.wakeLock) {
        const request = navigator.wakeLock.request.bind(navigator.wakeLock);
        navigator.wakeLock.request = async (kind) => {
            const lock = await request(kind);
            noted.locks.push(lock);
            return lock;
        };
    }
"""


@pytest.fixture(scope="session")
def files():
    return bundle.files()


@pytest.fixture
def run(tmp_path):
    """Return a function that runs a script next to the pages' modules, and parses its output."""
    needs(shutil.which("node"), "node")
    for folder in ("page", "board", "hear"):
        shutil.copytree(bundle.HERE / folder, tmp_path / folder)
    shutil.copy(bundle.ROOT / "city_unit/host/web/city_unit.js", tmp_path / "board")
    (tmp_path / "page/languages.js").write_text(bundle.languages_script())
    (tmp_path / "package.json").write_text('{"type": "module"}')

    def run(script, *words):
        (tmp_path / "run.js").write_text(script)
        command = ["node", "run.js", *words]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


@contextmanager
def served(content):
    with Server("127.0.0.1", 0, content) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def site(files):
    """Serve the page, and its modules one by one for the tests; return the address."""
    modules = {path.name: path.read_bytes() for path in (bundle.HERE / "page").glob("*.js")}
    modules["languages.js"] = bundle.languages_script().encode()
    with served({**modules, **files}) as server:
        yield f"http://127.0.0.1:{server.port}/"


@pytest.fixture(scope="package")
def playwright():
    """Return the driver of browsers, of which only one can run at a time.

    It ends with the package: while it runs, its event loop occupies this thread, and other tests
    could not start their own.
    """
    needs_modules("playwright")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="session")
def chromium_path():
    where = shutil.which("chromium") or shutil.which("chromium-browser")
    needs(where, "chromium")
    return where


@pytest.fixture(scope="package")
def chromium(playwright, chromium_path):
    browser = playwright.chromium.launch(executable_path=chromium_path, args=list(FLAGS))
    yield browser
    browser.close()


@pytest.fixture
def people(playwright, chromium):
    """Make independent browser contexts, which record their errors.

    program, flags  start a separate browser for this context
    """
    made = []
    started = []

    def person(program=None, *flags, **choices):
        browser = chromium
        if program:
            words = {"executable_path": str(program), "args": [*FLAGS, *flags]}
            started.append(browser := playwright.chromium.launch(**words))
        context = browser.new_context(
            **{"locale": "en", "viewport": {"width": 390, "height": 844}, "has_touch": True}
            | choices
        )
        context.add_init_script(NOTED)
        context.set_default_timeout(1000 * PATIENCE_S)  # a busy machine is only slow
        context.mistakes = []
        context.on("weberror", lambda error: context.mistakes.append(str(error.error)))
        context.on(
            "console", lambda said: said.type == "error" and context.mistakes.append(said.text)
        )
        made.append(context)
        return context

    yield person
    mistakes = [mistake for context in made for mistake in context.mistakes]
    for each in (*made, *started):
        each.close()
    assert mistakes == []


@pytest.fixture
def unit(people, site):
    """Return the started page of a new visitor."""
    return opened(people(), site)


BEGINS_S = 1_800_000_000  # by the system clock


def stop_time(context):
    """Stop the time in all pages of a browser; only `pass_ms` advances it.

    On a slow machine a short notice would otherwise be gone before a test sees it.
    """
    context.clock.install(time=BEGINS_S)
    context.clock.pause_at(BEGINS_S + 1)
    context.add_init_script(
        "Object.defineProperty(Event.prototype, 'timeStamp', { get: () => performance.now() });"
    )


def pass_ms(page, ms):
    """Advance the page's time, and run its timers."""
    page.clock.run_for(ms)


def opened(context, site):
    page = context.new_page()
    page.goto(site)
    page.wait_for_selector("body.alive")
    return page
