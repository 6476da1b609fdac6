"""Whole evenings of the table command, with a scripted window."""

import argparse
from collections.abc import Callable

from city_game.evening import Evening, arguments, read_players
from city_game.table.screen import Screen
from city_game.table.setup import SetupScreen
from city_game.table.unit import TableUnit
from city_unit import host
from tests.helpers.virtual_table import VirtualUnit


class Window:
    """A window with a script in place of a player.

    plays  a function for each game: takes the screen and returns its request, None for "close"
    asks   a function for each setup: returns True to start a game
    bye    the notice when a game was left
    """

    size = (1280, 720)

    def __init__(
        self,
        *plays: Callable[[Screen], str | None],
        asks: tuple[Callable[[SetupScreen], bool], ...] = (),
    ) -> None:
        self.plays = list(plays)
        self.asks = list(asks)
        self.bye = ""

    def play(self, screen: Screen, meanwhile: Callable[[], object]) -> str:
        wanted = self.plays.pop(0)(screen) or "close"
        meanwhile()
        return wanted

    def ask_seats(self, setup: SetupScreen, _meanwhile: Callable[[], object]) -> bool:
        return bool(self.asks) and self.asks.pop(0)(setup)

    def say_good_bye(self, screen: Screen) -> None:
        self.bye = screen.toast()

    def close(self) -> None:
        """Nothing is open."""


def table(*words: str, window: Window, unit: TableUnit | None = None, mine: bool = True) -> Evening:
    """Return an evening with these options, by default with a unit in memory."""
    parser = argparse.ArgumentParser()
    arguments(parser)
    if unit is None:
        unit = VirtualUnit(host.Memory())
        unit.is_mine = mine
    options = parser.parse_args(words)
    seats = read_players(options.players) if options.players else None
    return Evening(options, lambda _options: window, unit, seats)  # type: ignore[arg-type,return-value]


def evening(*words: str, window: Window, mine: bool = True) -> None:
    """Run a whole evening like the command, and raise its exceptions."""
    opened = table(*words, window=window, mine=mine)
    try:
        opened.run()
    finally:
        opened.close()
