"""The pages of `city-unit serve`, in a real browser that watches a unit."""

import shutil

import pytest

from sim.commands import serve
from tests.city_unit.served import PATIENCE_S, played
from tests.helpers.doored import Doored
from tests.helpers.needs import needs, needs_modules

needs_modules("playwright")
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")
pytestmark = pytest.mark.real_time


def browse(visit, language="en"):
    """Return what `visit(doored, page)` returns; nothing may have gone wrong in the page."""
    where = shutil.which("chromium") or shutil.which("chromium-browser")
    needs(where, "chromium")

    async def play():
        from playwright.async_api import async_playwright

        async with Doored(beside=serve.page()) as doored, async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=where, args=list(FLAGS))
            context = await browser.new_context(locale=language)
            context.set_default_timeout(1000 * PATIENCE_S)
            mistakes = []
            context.on("weberror", lambda error: mistakes.append(str(error.error)))
            page = await context.new_page()
            await page.goto(f"http://{doored.door.name}/{doored.door.secret}/")
            found = await visit(doored, page)
            await browser.close()
            assert mistakes == []
            return found

    return played(play)


def test_who_opens_the_page_sees_lamps_and_events():
    async def visit(doored, page):
        await page.wait_for_selector("text=city: ready")
        unlit = await page.locator(".lit").count()
        await doored.unit.start_auction(60000)
        await page.wait_for_selector(".lamp.lit >> text=auction")
        await page.wait_for_selector("li >> text=auction-started 60000")
        await page.wait_for_selector("text=city: auction")
        await doored.unit.stop_auction()
        await page.wait_for_selector("text=city: ready")
        return unlit, await page.locator(".lit").count()

    assert browse(visit) == (0, 0)


def test_the_page_speaks_the_language_of_the_browser():
    async def visit(doored, page):
        await page.wait_for_selector("text=city : prête")
        return await page.locator(".lamp").all_inner_texts()

    assert browse(visit, "fr") == ["enchère", "1", "2", "3", "gare"]


def test_what_a_unit_says_is_never_a_page(monkeypatch):
    async def visit(doored, page):
        await page.wait_for_selector("text=city: ready")
        doored.served.link.unit.events.add(5, "<img/src=x>", "<b>bold</b>")
        doored.served.advance(1)
        await page.wait_for_selector("li")
        return await page.locator("li").inner_text(), await page.locator("li *").count()

    text, elements = browse(visit)
    assert "<img/src=x>" in text and elements == 0


@pytest.mark.slow
def test_the_unit_in_a_page_is_there_too():
    async def visit(doored, page):
        await page.click("text=A unit of your own")
        await page.wait_for_selector("body.alive")
        return "1:00:00" in await page.title()

    assert browse(visit)
