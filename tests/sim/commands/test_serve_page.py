"""The pages of `city-unit serve`, in a real browser that watches a unit."""

import shutil

import pytest

from sim.commands import serve
from tests.city_unit.served import PATIENCE_S, Doored, played
from tests.helpers.needs import needs, needs_modules

needs_modules("playwright")
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")


@pytest.mark.real_time
def test_the_page_shows_the_unit_in_the_language_of_the_browser_and_never_its_words_as_a_page():
    where = shutil.which("chromium") or shutil.which("chromium-browser")
    needs(where, "chromium")
    mistakes = []

    async def open_page(browser, doored, language):
        context = await browser.new_context(locale=language)
        context.set_default_timeout(1000 * PATIENCE_S)
        context.on("weberror", lambda error: mistakes.append(str(error.error)))
        page = await context.new_page()
        await page.goto(f"http://{doored.door.name}/{doored.door.secret}/")
        return page

    async def visit(browser, doored):
        page = await open_page(browser, doored, "en")
        await page.wait_for_selector("text=city: ready")
        assert await page.locator(".lit").count() == 0
        await doored.unit.start_auction(60000)
        await page.wait_for_selector(".lamp.lit >> text=auction")
        await page.wait_for_selector("li >> text=auction-started 60000")
        await page.wait_for_selector("text=city: auction")
        await doored.unit.stop_auction()
        await page.wait_for_selector("text=city: ready")
        assert await page.locator(".lit").count() == 0

        doored.served.link.unit.events.add(5, "<img/src=x>", "<b>bold</b>")
        doored.served.advance(1)
        await page.wait_for_selector("li >> text=<img/src=x>")
        assert await page.locator("li *").count() == 0

        french = await open_page(browser, doored, "fr")
        await french.wait_for_selector("text=city : prête")
        lamps = await french.locator(".lamp").all_inner_texts()
        assert lamps == ["enchère", "1", "2", "3", "gare"]

        await page.click("text=A unit of your own")
        await page.wait_for_selector("body.alive")
        assert "1:00:00" in await page.title()

    async def play():
        from playwright.async_api import async_playwright

        async with Doored(beside=serve.page()) as doored, async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=where, args=list(FLAGS))
            await visit(browser, doored)
            await browser.close()
        assert mistakes == []

    played(play)
