"""The pages behind the setup: house rules to be switched, and saved games to be chosen."""

from collections.abc import Callable
from pathlib import Path

import pygame

from city_game import texts_table as texts
from city_game.house_rules import SWITCHES, HouseRules
from city_game.saved_games import SavedGame, describe
from city_game.table.layout import Box
from city_game.table.paint_rules import paint_switches
from city_game.table.pens import (
    EDGE,
    FAINT,
    GOLD,
    INK,
    NIGHT,
    PANEL,
    RAISED,
    key_cap,
    panel,
    wrapped,
    write,
)

ENTER = (pygame.K_RETURN, pygame.K_KP_ENTER)
TURNS = (pygame.K_SPACE, pygame.K_LEFT, pygame.K_RIGHT, *ENTER)
SHOWN = 8  # saved games at once
LINE = 1.3  # the height of a line that says why, in letters

Spots = list[tuple[Box, str, Callable[[], object]]]


class Page:
    """A list over the whole window; `done` when it is left.

    here  the row that the keyboard is at
    said  why what was wanted cannot be done, "" for nothing
    """

    title = ""
    help = ""

    def __init__(self, count: int) -> None:
        self.count = count
        self.here = 0
        self.said = ""
        self.done = False

    def leave(self) -> None:
        self.done = True

    def handle(self, event: pygame.Event, spots: Spots) -> None:
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            for box, _, do in reversed(spots):
                if box.holds(event.pos):
                    do()
                    return
        elif event.type == pygame.MOUSEWHEEL:
            self._go(-event.y)
        elif event.type == pygame.KEYDOWN:
            self._key(event.key)

    def _key(self, key: int) -> None:
        if key == pygame.K_ESCAPE:
            self.leave()
        elif key in (pygame.K_UP, pygame.K_DOWN, pygame.K_TAB):
            self._go(-1 if key == pygame.K_UP else 1)

    def _go(self, by: int) -> None:
        self.said = ""
        if self.count:
            self.here = (self.here + by) % self.count

    def draw(self, target: pygame.Surface, box: Box, size: int) -> Spots:
        """Draw the page into a box; return where it can be clicked."""
        middle = box.middle[0]
        write(target, self.title, (middle, box.top + size * 1.4), round(size * 2.2), GOLD, "center")
        help_at = (middle, box.top + size * 3.6)
        write(target, self.help, help_at, round(size * 0.95), FAINT, "center")
        foot = Box(box.left, box.bottom - size * 2.6, box.width, size * 2.4)
        lines = wrapped(self.said, size, int(box.width)) if self.said else []
        bottom = foot.top - size * (0.6 + LINE * len(lines))
        if lines:
            panel(target, Box(box.left, bottom, box.width, foot.top - bottom), NIGHT, None, 0)
        for place, line in enumerate(lines):
            at = (middle, bottom + size * (0.3 + LINE * (place + 0.5)))
            write(target, line, at, size, GOLD, "center")
        body = Box(box.left, box.top + size * 4.8, box.width, bottom - box.top - size * 4.8)
        spots = self._rows(target, body, size)
        panel(target, foot, RAISED, EDGE)
        key_cap(target, "esc", (foot.left + size * 0.6, foot.middle[1]), size)
        write(target, texts.BACK, foot.middle, round(size * 1.1), INK, "center")
        return [*spots, (foot, texts.BACK, self.leave)]

    def _rows(self, target, body: Box, size: int) -> Spots:
        raise NotImplementedError


class RulesPage(Page):
    """The switches; `rules` is how they stand."""

    title = texts.RULES_TITLE
    help = texts.RULES_HELP

    def __init__(self, rules: HouseRules) -> None:
        super().__init__(len(SWITCHES))
        self.rules = rules

    def turn(self, place: int) -> None:
        """Play one rule the other way."""
        self.here = place
        name = SWITCHES[place].name
        setattr(self.rules, name, not getattr(self.rules, name))

    def _key(self, key: int) -> None:
        if key in TURNS:
            self.turn(self.here)
        else:
            super()._key(key)

    def _rows(self, target, body: Box, size: int) -> Spots:
        boxes = paint_switches(target, body, round(size * 0.95), self.rules, self.here)
        return [
            (box, f"rule {SWITCHES[place].name}", lambda place=place: self.turn(place))
            for place, box in enumerate(boxes)
        ]


class GamesPage(Page):
    """The saved games, the latest first; `chosen` is the one that is wanted."""

    title = texts.GAMES_TITLE
    help = texts.GAMES_HELP

    def __init__(self, paths: list[Path]) -> None:
        super().__init__(len(paths))
        self._paths = paths
        self._described: dict[Path, SavedGame] = {}
        self.chosen: SavedGame | None = None

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
            self.done = True

    def _key(self, key: int) -> None:
        if key in ENTER and self.count:
            self.choose(self.here)
        else:
            super()._key(key)

    def _rows(self, target, body: Box, size: int) -> Spots:
        first = max(0, min(self.here - SHOWN // 2, self.count - SHOWN))
        spots: Spots = []
        for place in range(first, min(first + SHOWN, self.count)):
            row = body.row(place - first, SHOWN, size * 0.4)
            self._row(target, row, size, place)
            spots.append((row, f"game {place}", lambda place=place: self.choose(place)))
        if not self.count:
            write(target, texts.NO_GAMES, body.middle, size, FAINT, "center")
        return spots

    def _row(self, target, row: Box, size: int, place: int) -> None:
        game = self.game(place)
        marked = place == self.here
        panel(target, row, RAISED if marked else PANEL, GOLD if marked else None)
        left, middle = row.left + size * 0.8, row.middle[1]
        ink = FAINT if game.trouble else INK
        write(target, game.path.stem, (left, middle), size, ink, "midleft", size * 11)
        left += size * 11.6
        at, room = (left, middle - size * 0.55), row.right - left - size * 0.6
        names = ", ".join(game.names) or texts.GAME_UNREADABLE
        write(target, names, at, size, ink, "midleft", room)
        at = (left, middle + size * 0.65)
        write(target, _how_far(game), at, round(size * 0.85), FAINT, "midleft", room)


def _how_far(game: SavedGame) -> str:
    if game.trouble:
        return game.trouble
    if game.winners:
        return texts.GAME_OVER.format(names=" & ".join(game.winners))
    return texts.GAME_TURN.format(turn=game.turns + 1)
