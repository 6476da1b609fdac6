"""The picture of three telephones: `python -m tests.city_game.phones.pictures FOLDER`.

Real pages in a Chromium show a reproducible game in virtual time: one decides, one bids, one is too
late. Writes telephones.png.
"""

import json
import os
import shutil
import sys
from io import BytesIO
from pathlib import Path

import pygame
from playwright.sync_api import Browser, WebSocketRoute, sync_playwright

from city_game.kernel import legal_actions
from city_game.phones.client import ROLES
from city_game.phones.server import Server
from tests.city_game.phones.desk import Desk, Phone, in_sale, others
from tests.helpers.patience import PATIENCE_S
from tests.helpers.virtual_table import make_session, run_until
from tests.sim.web.conftest import FLAGS

WIDTH, HEIGHT, EDGE = 390, 844, 12
NAMES = ("Dan", "Cleo", "Bob", "Ann")
GROUND = (242, 242, 242)
STEP = 10  # notes added by a press
# The action in each phase before that; None is the first one offered.
OWN = {"roll": ("roll",), "manage": ("end turn",), "planning": None, "unsold": None, "jail": None}
OWN |= {"auction space": ("leave",), "debt": None}


def deciding() -> Phone:
    """Return the telephone of a player on an unowned district."""
    session, _ = make_session(("human",) * 4, minutes=30)
    session.names[:] = NAMES
    session.hour.begin()
    run_until(session, lambda: session.state.phase in OWN)
    while session.state.phase != "unsold":
        state = session.state
        session.do(OWN[state.phase] or next(iter(legal_actions(state))))
        run_until(session, lambda: session.state.phase in OWN)
    session.step()
    return Desk(session).seated(session.state.decider)


def bidding(too_late: bool) -> Phone:
    """Return a telephone in a sale, after another's bid; with `too_late`, just beaten by it."""
    desk = in_sale()
    desk.session.names[:] = NAMES[: len(desk.session.names)]
    mine, other = (desk.seated(player) for player in others(desk.session)[:2])
    mine.measure(20), other.measure(20)
    run_until(desk.session, lambda: desk.session.unit.ends - desk.session.unit.now() < 32_000)
    amount = other.view["sale"]["highest"] + STEP
    if too_late:
        mine.bid(amount, ago=5)
    other.bid(amount, ago=76)
    desk.pass_time()
    return mine


def shot(browser: Browser, files: str, phone: Phone, *taps: str) -> pygame.Surface:
    """Return a screenshot of a telephone's page, after some taps."""
    context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, has_touch=True)
    context.set_default_timeout(1000 * PATIENCE_S)
    page = context.new_page()

    def answer(line: WebSocketRoute) -> None:
        def hear(text: str | bytes) -> None:
            if json.loads(text).get("say") == "hello":
                line.send(json.dumps({"welcome": phone.welcome}))
                line.send(json.dumps({"view": phone.view}))

        line.on_message(hear)

    page.route_web_socket("**", answer)
    page.goto(files)
    page.wait_for_selector("body.seated")
    for words in taps:
        page.locator("#decide button", has_text=words).first.tap()
    if page.locator("#bid").is_visible():  # a new button is disabled at first
        page.locator("#bid:not([disabled])").wait_for()
    picture = pygame.image.load(BytesIO(page.screenshot()), "telephone.png")
    context.close()
    return picture


def main(words: list[str]) -> None:
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    pygame.font.init()
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    server = Server("127.0.0.1", 0, {"code": ROLES})
    files = f"http://127.0.0.1:{server.port}/code/"
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=path, args=list(FLAGS))
        pictures = [
            shot(browser, files, deciding(), "Have it auctioned"),
            shot(browser, files, bidding(too_late=False)),
            shot(browser, files, bidding(too_late=True)),
        ]
        browser.close()
    server.stop()
    pitch = WIDTH + 2 * EDGE
    sheet = pygame.Surface((pitch * len(pictures), HEIGHT + 2 * EDGE))
    sheet.fill(GROUND)
    for place, picture in enumerate(pictures):
        sheet.blit(picture, (EDGE + place * pitch, EDGE))
    pygame.image.save(sheet, Path(words[0]) / "telephones.png")


if __name__ == "__main__":
    main(sys.argv[1:])
