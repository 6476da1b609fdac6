"""The page as a folder, with and without a network, and as a published site."""

import io
import json

import pygame
import pytest

from city_unit.facts import VERSION
from sim.web import bundle
from tests.helpers import patience
from tests.sim.web.conftest import HOME_NAME, opened, pass_ms, served
from tests.sim.web.page.conftest import (
    FINGER_MS,
    MINE,
    auction,
    own,
    pass_until,
    press,
    switch_on,
    title,
    until,
)

pytestmark = [pytest.mark.real_time, pytest.mark.slow]


def test_what_a_device_shows_that_installs_it(files):
    """Icons, one of them maskable, and screenshots, in the sizes of the manifest."""
    manifest = json.loads(files["manifest.webmanifest"])
    icons = {(icon["sizes"], icon.get("purpose", "any")) for icon in manifest["icons"]}
    assert icons >= {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}
    forms = {picture["form_factor"] for picture in manifest["screenshots"]}
    assert forms == {"narrow", "wide"}
    for picture in manifest["icons"] + manifest["screenshots"]:
        surface = pygame.image.load(io.BytesIO(files[picture["src"]]), picture["src"])
        assert "{}x{}".format(*surface.get_size()) == picture["sizes"]


NOTIFICATIONS = """
    window.shown = [];
    if (window.ServiceWorkerRegistration)
        Object.assign(ServiceWorkerRegistration.prototype, {
            showNotification: async (words) => void shown.push(words),
            getNotifications: async () => [{ close: () => (shown.length = 0) }],
        });
"""
OUT_OF_SIGHT = "Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })"


def test_an_end_is_notified_while_the_page_is_out_of_sight(people, site):
    """If the user wants it and the browser allows it; not while the page is visible."""
    context = people()
    context.grant_permissions(["notifications"])
    context.add_init_script(NOTIFICATIONS)
    page = opened(context, site)
    page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    page.locator("#help-button").click()
    page.get_by_label("Notify me of the end").check()
    until(page, "app.kept.options.notify")
    page.get_by_role("button", name="Close").click()
    own(page, MINE)
    until(page, "document.querySelector('#program').textContent === 'mine'")
    switch_on(page)
    for is_hidden in (False, True):
        if is_hidden:
            page.evaluate(OUT_OF_SIGHT)
        press(page, "a")
        pass_until(page, "auction-ended")
        title(page, "Sold!")
    pass_until(page, "time-called")
    until(page, "shown.length > 1")
    assert page.evaluate("shown") == ["Sold!", "Time!"]
    page.evaluate("delete document.hidden; dispatchEvent(new Event('focus'))")
    until(page, "!shown.length")  # removed when the page becomes visible


def test_a_visitor_asks_nobody_else_may_install_it_and_keeps_the_screen_on(people, site):
    context = people()
    asked = []
    context.on("request", lambda request: asked.append(request.url))
    page = opened(context, site)
    assert asked and [url for url in asked if not url.startswith(site)] == []
    page.evaluate(
        """() => {
            const offer = new Event("beforeinstallprompt", { cancelable: true });
            offer.prompt = () => (window.wasAsked = true);
            dispatchEvent(offer);
            window.isKeptBack = offer.defaultPrevented;
        }"""
    )
    button = page.get_by_role("button", name="Install the page as an app")
    page.locator("#help-button").click()
    button.click()
    assert page.evaluate("[isKeptBack, wasAsked]") == [True, True]
    page.evaluate("dispatchEvent(new Event('appinstalled'))")
    assert button.count() == 0
    page.get_by_role("button", name="Close").click()
    devtools = context.new_cdp_session(page)
    assert devtools.send("Page.getAppManifest")["errors"] == []
    page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    lacks = devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [error["errorId"] for error in lacks] == ["in-incognito"]  # as each context here is
    switch_on(page)
    until(page, "noted.locks.length === 1 && !noted.locks[0].released")
    page.evaluate("app.act('switch', 0)")
    until(page, "noted.locks[0].released")
    assert page.evaluate("noted.locks.length") == 1


def test_every_page_is_there_offline_by_each_of_its_names(people, files):
    """Nobody has opened the other pages before; a stand-in replaces the board page."""
    beside = [*json.loads(files["beside.json"]), "board.html"]
    board = {"board.html": b"<title>Boards</title>", "beside.json": json.dumps(beside).encode()}
    context = people()
    with served({**files, **board}) as server:
        site = f"http://127.0.0.1:{server.port}/"
        page = opened(context, site)
        page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
        context.set_offline(True)
        for name in ("index.html", "index.html?installed", "?a=b", ""):
            page.goto(site + name)
            page.wait_for_selector("body.alive")
        auction(page)
        for name in ("hear.html", "hear.html?a=b", "board.html", "board.html?a=b#c"):
            page.goto(site + name)
            assert page.title() == ("Boards" if "board" in name else "City Unit")
            assert "hear" not in name or page.get_by_role("button", name="Record").is_visible()
    context.mistakes.clear()  # the browser logs each failed request


def newer(files, name):
    """Return the files of another version, marked in the style sheet."""
    worker = files["worker.js"].replace(b'OURS + "', f'OURS + "{name}-'.encode())
    style = files["style.css"] + f"/* {name} */".encode()
    return {**files, "style.css": style, "worker.js": worker}


STYLE = "fetch('style.css').then((answer) => answer.text())"
WAITS = "navigator.serviceWorker.getRegistration().then(({ waiting }) => Boolean(waiting))"


def look_for_another(page):
    """Check for a new version, and wait until the browser has it."""
    page.evaluate("app.version._look()")
    patience.until(lambda: page.evaluate(WAITS))


def test_each_new_version_is_offered_while_the_unit_is_off_and_used_from_the_next_start_on(
    people, files
):
    """In a tab open since the first visit; a game is never interrupted by the question."""
    context = people()
    with served(files) as server:
        site = f"http://127.0.0.1:{server.port}/"
        page = opened(context, site)
        page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
        page.evaluate("caches.open('of another page there')")
        offer = page.get_by_role("button", name="Use it now")
        for name in ("newer", "newest"):
            server.publish(newer(files, name))
            look_for_another(page)
            offer.wait_for()
            switch_on(page)
            assert offer.count() == 0
            page.evaluate("app.act('switch', 0)")
            pass_ms(page, FINGER_MS)
            with page.expect_navigation():
                offer.click()
            page.wait_for_selector("body.alive")
            assert name in page.evaluate(STYLE)
        assert page.evaluate("caches.has('of another page there')")
        auction(page)
        server.publish(newer(files, "next"))
        look_for_another(page)
        assert offer.count() == 0 and "newest" in page.evaluate(STYLE)
        page.close()
        page = opened(context, site)
        until(page, f"{STYLE}.then((text) => text.includes('next'))")
        title(page, "Auction")


def test_from_a_file_it_says_what_it_needs(people, files, tmp_path):
    bundle.write(tmp_path / "page", files)
    context = people()
    page = context.new_page()
    page.goto((tmp_path / "page" / "index.html").as_uri())
    page.wait_for_selector("#slow", state="visible")
    assert "city-unit web" in page.inner_text("#slow")
    context.mistakes.clear()  # the browser complains about the modules


def test_from_the_home_network_it_plays_without_what_needs_https(people, files):
    """The address is not a secure context, so that browsers refuse the microphone."""
    with served(files) as server:
        page = people().new_page()
        page.goto(f"http://{HOME_NAME}:{server.port}/")
        page.wait_for_selector("body.alive")
        assert page.evaluate("isSecureContext") is False
        auction(page)
        page.goto(f"http://{HOME_NAME}:{server.port}/hear.html")
        page.get_by_text("only on https pages").wait_for()
        assert page.get_by_role("button", name="Record").is_disabled()


HOME = bundle.Home(
    "https://somebody.example/city-unit/", "https://forge.example/o/r/releases/latest"
)


def test_a_published_page_leads_to_itself_and_to_the_downloads(people):
    with served(bundle.files(HOME)) as server:
        page = opened(people(), f"http://127.0.0.1:{server.port}/")
        page.locator("#help-button").click()
        page.get_by_role("link", name=HOME.address).wait_for()
        shown = page.locator(".home img").evaluate(
            "(code) => [code.complete, code.naturalWidth > 0]"
        )
        assert shown == [True, True]
        targets = page.locator("#help .links a").evaluate_all("(all) => all.map((a) => a.href)")
    of_downloads = [target for target in targets if target.startswith(HOME.downloads)]
    names = [target.rpartition("/")[2] for target in of_downloads]
    assert names[:3] == [
        f"city-unit-{VERSION}-linux-x86_64.tar.gz",
        f"city-unit-{VERSION}-windows-amd64.zip",
        f"city-unit-{VERSION}-macos-arm64.zip",
    ]
    assert of_downloads[3] == HOME.downloads
