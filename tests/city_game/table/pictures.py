"""The pictures of docs/play.md: `python -m tests.city_game.table.pictures FOLDER`.

Plays a reproducible game of four in virtual time, the two people by a simple rule. Writes
table-setup.png, table-telephones.png, table-city.png, table-sale.png and table-over.png.
"""

import os
import sys
from pathlib import Path

import pygame
import segno

from city_game.editions.city import EDITION
from city_game.game import Game, Setup
from city_game.table.picture import Invitation
from city_game.table.screen import Screen
from city_game.table.session import Session
from city_game.table.setup import SetupScreen, paint_setup
from city_unit import host
from tests.helpers.table_screen import is_calm
from tests.helpers.virtual_table import BOARD, SIZE, VirtualUnit, draw, press, type_letter

SEED = 11
SEATS = {"Ann": "human", "Bob": "human", "Cleo": "planner", "Dan": "visitor"}
CITY_AT_MS = 30 * 60000  # time in the hour at which the city has grown
PACE_MS = 240  # between bids
ADDRESS = "http://192.168.1.23:8737/k3vqx7mzdp/"  # made up


def begin() -> Screen:
    memory = host.Memory(seed=SEED)
    game = Game(Setup(BOARD, tuple(SEATS), tuple(SEATS.values()), EDITION.rules(), SEED))
    unit = VirtualUnit(memory, 40)
    unit.is_mine = True
    return Screen(Session(game, unit), SIZE)


def act(screen: Screen) -> None:
    """Act for the people: build where possible, else choose the first option."""
    options = screen.decision.options
    to_build = [
        place for place, option in enumerate(options, 1) if option.label.startswith("Build")
    ]
    if any(option.calls == "build" for option in options):
        type_letter(screen, "b")
    elif screen.choice.option is None and screen.session.state.phase == "build" and to_build:
        type_letter(screen, str(to_build[0]))
    elif options:
        press(screen, pygame.K_RETURN)


def bid_to_the_end(screen: Screen) -> None:
    """Bid for both people in turn during the last second, and once after the light."""
    unit, state, auction = screen.session.unit, screen.session.state, screen.session.state.auction
    if auction is None or auction.started is None:
        return
    other = 1 - max(0, auction.leader()) % 2
    amount = screen.bidding.next(other)
    if state.cash[other] < amount:
        return
    if state.phase == "settling" and not auction.refused:
        screen.session.auctioneer.bid(other, amount)
    elif state.phase == "bidding" and unit.ends is not None:
        last_ms = auction.bids[-1][2] if auction.bids else 0
        if unit.ends - unit.now() < 1000 and unit.now() - last_ms > PACE_MS:
            screen.bidding.bid(other)


def first_screen() -> pygame.Surface:
    setup, picture = SetupScreen(), pygame.Surface(SIZE)
    paint_setup(picture, setup)
    return picture


def telephones() -> pygame.Surface:
    """Return the table with the telephones' code; one of two players is connected."""
    screen = begin()
    squares = tuple(tuple(map(bool, row)) for row in segno.make(ADDRESS, micro=False).matrix)
    screen.invite = lambda: Invitation(ADDRESS, squares, (0, 1), (1,))
    screen.session.remote = lambda: {1}
    while not screen.decision.options:
        screen.update()
    screen.skip()
    screen.look_up("phones")
    return draw(screen)


def main(words: list[str]) -> None:
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    pygame.display.init()
    pygame.font.init()
    folder = Path(words[0])
    pygame.image.save(first_screen(), folder / "table-setup.png")
    pygame.image.save(telephones(), folder / "table-telephones.png")
    screen = begin()
    wanted = {"city", "sale"}
    frame = 0
    while screen.session.state.phase != "over":
        screen.update()
        screen.view()
        bid_to_the_end(screen)
        sales = screen.session.state.sales
        if "sale" in wanted and screen.motion.sale and sales[-1].refused and len(sales) > 3:
            wanted.discard("sale")
            pygame.image.save(draw(screen), folder / "table-sale.png")
        calm = screen.decision.options and is_calm(screen) and not screen.toast()
        if "city" in wanted and calm and screen.session.unit.now() > CITY_AT_MS:
            wanted.discard("city")
            pygame.image.save(draw(screen), folder / "table-city.png")
        if frame % 10 == 0:
            act(screen)
        frame += 1
    screen.update()
    screen.skip()
    pygame.image.save(draw(screen), folder / "table-over.png")


if __name__ == "__main__":
    main(sys.argv[1:])
