"""The pages behind the setup: house rules to be switched, and saved games to be chosen."""

from pathlib import Path

import pygame

from city_game.kernel.switches import HouseRules
from city_game.saves.saved_games import SavedGame, describe
from city_game.table.paint.base.view import Command, Invitation
from city_game.table.paint.cards.paint_rules import reason
from city_game.table.setup import view as seen
from city_game.table.setup.paint_pages import SHOWN
from city_unit.desktop.catalogue import _
from city_unit.desktop.forms import all_of

ENTER = (pygame.K_RETURN, pygame.K_KP_ENTER)
TURNS = (pygame.K_SPACE, pygame.K_LEFT, pygame.K_RIGHT, *ENTER)


class Page:
    """A list over the whole window; `is_done` when it is left.

    here  the row that the keyboard is at
    said  why what was wanted cannot be done, "" for nothing
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self.here = 0
        self.said = ""
        self.is_done = False

    def view(self) -> seen.Rules | seen.Games | seen.Phones:
        """Return what the page shows now."""
        raise NotImplementedError

    def press_key(self, key: int) -> None:
        if key == pygame.K_ESCAPE:
            self.is_done = True
        elif key in (pygame.K_UP, pygame.K_DOWN, pygame.K_TAB):
            self.go(-1 if key == pygame.K_UP else 1)

    def perform(self, command: Command) -> None:
        """Do what a click asks for."""
        if command.name == "leave":
            self.is_done = True

    def go(self, by: int) -> None:
        """Have the keyboard so many rows further down."""
        self.said = ""
        if self.count:
            self.here = (self.here + by) % self.count


class RulesPage(Page):
    """The switches; `rules` is how they stand."""

    def __init__(self, rules: HouseRules) -> None:
        super().__init__(len(rules.switches))
        self.rules = rules

    def view(self) -> seen.Rules:
        switched = tuple(getattr(self.rules, switch.name) for switch in self.rules.switches)
        return seen.Rules(
            _("House rules"),
            _("What the rulebook leaves open. Up and down, Space switches; or click"),
            self.here,
            reason(self.rules.switches[self.here]),
            switched,
            self.rules.switches,
        )

    def turn(self, place: int) -> None:
        """Play a rule the other way."""
        self.here = place
        name = self.rules.switches[place].name
        setattr(self.rules, name, not getattr(self.rules, name))

    def press_key(self, key: int) -> None:
        if key in TURNS:
            self.turn(self.here)
        else:
            super().press_key(key)

    def perform(self, command: Command) -> None:
        if command.name == "rule":
            self.turn(command.value)
        else:
            super().perform(command)


class GamesPage(Page):
    """The saved games, the latest first; `chosen` is the game that is wanted."""

    def __init__(self, paths: list[Path]) -> None:
        super().__init__(len(paths))
        self._paths = paths
        self._described: dict[Path, SavedGame] = {}
        self.chosen: SavedGame | None = None

    def view(self) -> seen.Games:
        first = max(0, min(self.here - SHOWN // 2, self.count - SHOWN))
        places = range(first, min(first + SHOWN, self.count))
        games = tuple(_row(self.game(place)) for place in places)
        return seen.Games(
            _("Saved games"),
            _("Enter or a click goes on with a game; one that is over can be looked at"),
            self.here,
            self.said,
            first,
            games,
        )

    def game(self, place: int) -> SavedGame:
        """Return what is saved there, read when it is first asked for."""
        path = self._paths[place]
        if path not in self._described:
            self._described[path] = describe(path)
        return self._described[path]

    def choose(self, place: int) -> None:
        self.here = place
        game = self.game(place)
        self.said = game.trouble
        if not game.trouble:
            self.chosen = game
            self.is_done = True

    def press_key(self, key: int) -> None:
        if key in ENTER and self.count:
            self.choose(self.here)
        else:
            super().press_key(key)

    def perform(self, command: Command) -> None:
        if command.name == "game":
            self.choose(command.value)
        else:
            super().perform(command)


class PhonesPage(Page):
    """The code by which telephones come to the table."""

    def __init__(self, invitation: Invitation) -> None:
        super().__init__(0)
        self._invitation = invitation

    def view(self) -> seen.Phones:
        return seen.Phones(
            _("Telephones"),
            _("Each player's telephone is a hand and a button to bid with"),
            self.here,
            self.said,
            self._invitation,
        )


def _row(game: SavedGame) -> seen.Saved:
    players = all_of(game.names) or _("cannot be opened")
    return seen.Saved(game.path.stem, players, _how_far(game), not game.trouble)


def _how_far(game: SavedGame) -> str:
    if game.trouble:
        return game.trouble
    if game.winners:
        return _("over: {names} won").format(names=all_of(game.winners))
    return _("turn {turn}").format(turn=game.turns + 1)
