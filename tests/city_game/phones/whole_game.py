"""A whole game by up to six pages in a real Chromium, each on a slow line of its own.

`python -m tests.city_game.phones.whole_game` is not a test, since it takes as long as its hour
(`--minutes`, 6 by default; any `--edition`). Each page taps the first option. In a sale it bids up
to its own share of the printed price, and then passes. At the end every page must show the cash of
the saved game.
"""

import argparse
import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from city_game import editions, save
from city_game.kernel.money import show
from tests.city_game.phones.slow_lines import SlowLines
from tests.city_game.phones.table import NAMES, Table
from tests.sim.web.conftest import FLAGS

DELAYS = ((3, 3, 2), (8, 8, 5), (20, 20, 10), (40, 40, 20), (60, 60, 30), (100, 100, 40))
PLAY = """(share) => setInterval(() => {
  const the = (id) => document.getElementById(id);
  if (document.body.classList.contains("in-sale")) {
    if (the("bid").hidden || the("bid").disabled) return;
    const price = parseFloat(/[\\d.]+(?=M)/.exec(the("sale-facts").textContent)) * 100;
    const dear = Number(the("bid").dataset.amount) > price * share;
    if (!dear) the("bid").click();
    else if (!the("pass").disabled) the("pass").click();
    return;
  }
  const choices = [...document.querySelectorAll("#decide.mine .target")];
  const places = choices.length ? choices : [...document.querySelectorAll("#decide.mine button")];
  places[choices.length && Math.floor(Math.random() * places.length)]?.click();
}, 900)"""
OVER = "() => document.getElementById('decide').innerText.includes('game is over')"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=int, default=6)
    parser.add_argument("--edition", default="city", choices=editions.names())
    parser.add_argument("--people", type=int, default=6, choices=range(2, 7))
    parser.add_argument("--pictures", type=Path, help="take a picture of each page every minute")
    options = parser.parse_args()
    minutes, names = options.minutes, NAMES[: options.people]
    where = shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        words = ["--players", ",".join(names), "--edition", options.edition]
        table = Table(Path(folder), *words, *(["--minutes", str(minutes)] if minutes else []))
        lines = SlowLines(table.port, DELAYS)
        browser = play.chromium.launch(executable_path=where, args=list(FLAGS))
        mistakes: list[str] = []
        pages = []
        for port, name in zip(lines.ports, names, strict=False):
            context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
            page = context.new_page()
            page.on("pageerror", lambda error: mistakes.append(str(error)))
            page.goto(table.address(port))
            page.locator(".seat", has_text=name).tap()
            page.wait_for_selector("body.seated")
            pages.append(page)
        for place, page in enumerate(pages):
            page.evaluate(PLAY, 0.35 + 0.05 * place)
        for minute in range(180):
            if all(page.evaluate(OVER) for page in pages):
                break
            if options.pictures:
                for page, name in zip(pages, names, strict=True):
                    page.screenshot(path=options.pictures / f"{minute:03}-{name}.png")
            pages[0].wait_for_timeout(60_000)
        (path,) = Path(folder).glob("*.city")
        state = save.look(path).state
        shown = [page.locator("#cash").inner_text() for page in pages]
        print(f"{state.turns} turns, {len(state.sales)} sales; winners {state.winners}")
        print(
            "cash on the pages is that of the save:", shown == [show(cash) for cash in state.cash]
        )
        print("mistakes of the pages:", mistakes)
        browser.close()
        lines.close()
        table.end()


if __name__ == "__main__":
    main()
