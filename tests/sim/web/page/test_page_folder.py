"""The folder that the page is, the network, and what keeps the page without it."""

import shutil

import pytest

from sim.web import bundle
from tests.helpers.needs import needs
from tests.sim.web.conftest import named_unit_test, opened, served
from tests.sim.web.devtools import Page, running
from tests.sim.web.page.doing import press, switch_on, title, until

pytestmark = [pytest.mark.real_time, pytest.mark.slow]


def test_nothing_is_asked_for_elsewhere(people, site):
    context = people()
    asked = []
    context.on("request", lambda request: asked.append(request.url))
    opened(context, site)
    assert asked
    assert [url for url in asked if not url.startswith(site)] == []


def test_it_can_be_installed(site):
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    needs(chromium, "chromium")
    with running(chromium) as devtools:
        page = Page(devtools, site, alone=False)
        page.until("document.body.classList.contains('alive')")
        page.until("navigator.serviceWorker.ready.then(() => true)")
        manifest = page.ask("Page.getAppManifest")
        assert (manifest["errors"], "City Unit" in manifest["data"]) == ([], True)
        assert page.ask("Page.getInstallabilityErrors")["installabilityErrors"] == []


def test_the_screen_stays_on_while_the_unit_is_on(unit):
    switch_on(unit)
    until(unit, "noted.locks.length === 1 && !noted.locks[0].released")
    unit.evaluate("app.act('switch', 0)")
    until(unit, "noted.locks[0].released")
    assert unit.evaluate("noted.locks.length") == 1


def test_offline_it_begins_and_plays(people, site):
    context = people()
    page = opened(context, site)
    page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    context.set_offline(True)
    page.reload()
    page.wait_for_selector("body.alive")
    switch_on(page)
    press(page, "a")
    title(page, "Auction")


def test_a_new_version_is_used_from_the_next_start_on(people, files):
    newer = dict(files)
    newer["style.css"] += b"/* newer */"
    newer["worker.js"] = newer["worker.js"].replace(b'OURS + "', b'OURS + "newer-')
    context = people()
    with served(files) as server:
        site = f"http://127.0.0.1:{server.port}/"
        page = opened(context, site)
        page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
        page.reload()  # from here on the worker serves it
        page.wait_for_selector("body.alive")
        switch_on(page)
        press(page, "a")
        server.publish(newer)
        page.evaluate("navigator.serviceWorker.getRegistration().then((found) => found.update())")
        page.get_by_text("A new version is here").wait_for()
        style = "fetch('style.css').then((answer) => answer.text())"
        assert "newer" not in page.evaluate(style)
        page.close()
        page = opened(context, site)
        until(page, f"{style}.then((text) => text.includes('newer'))")
        title(page, "Auction")


def test_from_a_file_it_says_what_it_needs(people, files, tmp_path):
    bundle.write(tmp_path / "page", files)
    context = people()
    page = context.new_page()
    page.goto((tmp_path / "page" / "index.html").as_uri())
    page.wait_for_selector("#slow", state="visible")
    assert "city-unit web" in page.inner_text("#slow")
    context.mistakes.clear()  # the browser itself complains of the modules


def test_from_the_home_network_it_plays_without_what_needs_https(chromium, people, files):
    page = people().new_page()
    with named_unit_test(page, files):
        page.goto("http://unit.test/")
        page.wait_for_selector("body.alive")
        assert page.evaluate("isSecureContext") is False
        switch_on(page)
        press(page, "a")
        title(page, "Auction")
