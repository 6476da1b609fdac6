"""Before a game: who plays, in which seat, with which key; by which rules, or which saved one."""

from collections.abc import Callable
from pathlib import Path

import pygame

from city_game import texts_table as texts
from city_game.bots import STRENGTHS
from city_game.game import Setup
from city_game.house_rules import HouseRules
from city_game.saved_games import SavedGame
from city_game.table.buildings import draw
from city_game.table.layout import SMALLEST, Box
from city_game.table.pages import GamesPage, Page, RulesPage
from city_game.table.pens import (
    EDGE,
    FAINT,
    GOLD,
    INK,
    NIGHT,
    PANEL,
    RAISED,
    badge,
    key_cap,
    panel,
    put,
    write,
)
from city_game.table.screen import BID_KEYS
from city_game.table.session import HUMAN

EMPTY = "empty"
KINDS = (HUMAN, *STRENGTHS, EMPTY)
FIRST_KINDS = (HUMAN, "builder", "planner", EMPTY, EMPTY, EMPTY)
SKYLINE = (
    ("home 2", 1.5),
    ("works 1", 1.2),
    ("skyscraper", 2.9),
    ("home 3", 2.1),
    ("park", 1.0),
    ("home 1", 1.1),
    ("water tower", 1.6),
    ("works 2", 1.6),
    ("tower", 3.0),
    ("school", 1.2),
    ("wind farm", 1.7),
)
LONGEST_NAME = 14
BUTTONS = 6  # the row of the buttons, below the seats
UNIT_KEYS = "ab"  # of AUCTION and BUILD; nobody bids with them


class SetupScreen:
    """Six seats, each with a kind, a name and a key; `done` when a game is to begin.

    place    the row and column that the keyboard is at; row 6 is the buttons
    rules    by which a new game is played
    latest   the game to go on with, None for none
    games    all saved games, the latest first
    page     what lies over the seats, None for nothing
    resumed  the saved game that is wanted, None for a new one
    """

    def __init__(
        self,
        size: tuple[int, int],
        latest: SavedGame | None = None,
        games: list[Path] | None = None,
        rules: HouseRules | None = None,
    ) -> None:
        self.kinds: list[str] = list(FIRST_KINDS)
        self.names: list[str] = list(texts.FIRST_NAMES)
        self.keys = list(BID_KEYS)
        self.place = [BUTTONS, 0]
        self.rules = rules or HouseRules()
        self.latest = latest
        self.games = games or []
        self.page: Page | None = None
        self.resumed: SavedGame | None = None
        self.done = False
        self.wants = ""
        self.message = ""
        self.mouse = (0.0, 0.0)
        self.spots: list[tuple[Box, str, Callable[[], object]]] = []
        self.resize(size)

    def resize(self, size: tuple[int, int]) -> None:
        width, height = max(size[0], SMALLEST[0]), max(size[1], SMALLEST[1])
        self.size = (width, height)
        self.text = round(min(height / 34, width / 52))

    def seats(self) -> tuple[tuple[str, ...], tuple[str, ...], str]:
        """Return the names, the kinds and the bid keys of those who play."""
        playing = [seat for seat, kind in enumerate(self.kinds) if kind != EMPTY]
        return (
            tuple(self.names[seat].strip() or texts.FIRST_NAMES[seat] for seat in playing),
            tuple(self.kinds[seat] for seat in playing),
            "".join(self.keys[seat] for seat in playing),
        )

    def take(self, played: Setup, keys: str) -> None:
        """Propose the seats and the rules of the game that was just played."""
        self.rules = HouseRules(**played.rules.changed())
        spare = [key for key in BID_KEYS if key not in keys]
        for seat in range(6):
            if seat < len(played.names):
                self.names[seat], self.kinds[seat] = played.names[seat], played.seats[seat]
                self.keys[seat] = keys[seat]
            else:
                self.kinds[seat] = EMPTY
                self.keys[seat] = spare.pop(0)

    def resume(self, game: SavedGame) -> None:
        """Go on with a saved game, or look at a finished one."""
        self.resumed = game
        self.done = True

    def show_rules(self) -> None:
        self.page = RulesPage(self.rules)

    def show_games(self) -> None:
        self.page = GamesPage(self.games)

    def begin(self) -> None:
        """Begin, if there are two players at least."""
        if sum(kind != EMPTY for kind in self.kinds) < 2:
            self.message = texts.TWO_AT_LEAST
        else:
            self.done = True

    # Input.

    def handle(self, event: pygame.Event) -> None:
        if event.type == pygame.MOUSEMOTION:
            self.mouse = event.pos
        elif event.type == pygame.KEYDOWN and event.key == pygame.K_F11:
            self.wants = "full screen"
        elif self.page:
            self.page.handle(event, self.spots)
            self._turn_page(self.page)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self.mouse = event.pos
            for box, _, do in reversed(self.spots):
                if box.holds(event.pos):
                    do()
                    return
        elif event.type == pygame.KEYDOWN:
            self._key(event.key, event.unicode)

    def _key(self, key: int, letter: str) -> None:
        row, column = self.place
        self.message = ""
        buttons = self._buttons()
        columns = len(buttons) if row == BUTTONS else 3
        if key in (pygame.K_UP, pygame.K_DOWN):
            self.place = [(row + (1 if key == pygame.K_DOWN else -1)) % 7, 0]
        elif key == pygame.K_TAB:
            last = column == columns - 1
            self.place = [(row + 1) % 7, 0] if last else [row, column + 1]
        elif key in (pygame.K_RETURN, pygame.K_KP_ENTER):
            buttons[column if row == BUTTONS else 0][1]()
        elif row == BUTTONS:
            if key in (pygame.K_LEFT, pygame.K_RIGHT):
                self.place[1] = (column + (1 if key == pygame.K_RIGHT else -1)) % columns
        elif key in (pygame.K_LEFT, pygame.K_RIGHT) and column == 0:
            self.turn(row, 1 if key == pygame.K_RIGHT else -1)
        elif key in (pygame.K_LEFT, pygame.K_RIGHT):
            self.place[1] = (column + (1 if key == pygame.K_RIGHT else -1)) % 3
        elif column == 1:
            self._type(row, key, letter)
        elif column == 2 and len(letter) == 1 and letter.isalpha():
            self._take_key(row, letter.lower())

    def _turn_page(self, page: Page) -> None:
        """Leave a page that is done, with what was chosen there."""
        if page.done:
            self.page = None
            if isinstance(page, GamesPage) and page.chosen:
                self.resume(page.chosen)

    def _buttons(self) -> list[tuple[str, Callable[[], object]]]:
        """Return the buttons below the seats: what they say, what they do."""
        count = len(self.rules.changed())
        state = texts.RULES_SOME.format(count=count) if count else texts.RULES_USUAL
        buttons: list[tuple[str, Callable[[], object]]] = [(texts.BEGIN, self.begin)]
        latest = self.latest
        if latest:
            words = texts.RESUME.format(names=", ".join(latest.names), turn=latest.turns + 1)
            buttons.append((words, lambda: self.resume(latest)))
        buttons.append((texts.RULES_BUTTON.format(state=state), self.show_rules))
        if self.games:
            buttons.append((texts.GAMES_BUTTON, self.show_games))
        return buttons

    def turn(self, row: int, by: int) -> None:
        """Have the next kind of player in a seat."""
        self.kinds[row] = KINDS[(KINDS.index(self.kinds[row]) + by) % len(KINDS)]

    def _type(self, row: int, key: int, letter: str) -> None:
        if key == pygame.K_BACKSPACE:
            self.names[row] = self.names[row][:-1]
        elif letter.isprintable() and letter and len(self.names[row]) < LONGEST_NAME:
            self.names[row] += letter

    def _take_key(self, row: int, letter: str) -> None:
        """Give a seat a key; who had it gets the one that is free now."""
        if letter in UNIT_KEYS:
            self.message = texts.UNIT_KEY.format(key=letter.upper())
            return
        if letter in self.keys:
            self.keys[self.keys.index(letter)] = self.keys[row]
        self.keys[row] = letter

    # Drawing.

    def draw(self, target: pygame.Surface) -> None:
        self.spots = []
        target.fill(NIGHT)
        self._skyline(target)
        size = self.text
        width, height = self.size
        box = Box(width / 2 - size * 21, height / 2 - size * 16, size * 42, size * 32)
        if self.page:
            self.spots = self.page.draw(target, box, size)
            return
        write(
            target,
            texts.SETUP_TITLE,
            (width / 2, box.top + size * 1.4),
            round(size * 2.6),
            GOLD,
            "center",
        )
        write(
            target,
            texts.SETUP_HELP,
            (width / 2, box.top + size * 3.9),
            round(size * 0.95),
            FAINT,
            "center",
        )
        for row in range(6):
            self._row(
                target,
                Box(box.left, box.top + size * (5.2 + row * 3.2), box.width, size * 2.8),
                row,
            )
        foot = Box(box.left, box.top + size * 24.9, box.width, size * 5.6)
        self._foot(target, foot)
        if self.message:
            write(target, self.message, (width / 2, foot.bottom + size), size, GOLD, "center")

    def _foot(self, target, box: Box) -> None:
        """Draw the buttons in two rows: the games above, what belongs to them below."""
        buttons = self._buttons()
        above = 2 if self.latest else 1
        place = 0
        for row, several in enumerate((buttons[:above], buttons[above:])):
            for column, (label, do) in enumerate(several):
                part = box.row(row, 2, self.text * 0.5).column(column, len(several), self.text)
                self._button(target, part, label, do, self.place == [BUTTONS, place])
                place += 1

    def _row(self, target, box: Box, row: int) -> None:
        size = self.text
        here = self.place[0] == row
        playing = self.kinds[row] != EMPTY
        panel(target, box, RAISED if here else PANEL)
        if playing:  # players are known by their order among those who play
            player = sum(kind != EMPTY for kind in self.kinds[:row])
            put(target, badge(player, round(size * 2.1)), (box.left + size * 1.7, box.middle[1]))
        left = box.left + size * 3.4
        kind = Box(left, box.top + 5, size * 13, box.height - 10)
        self._button(
            target,
            kind,
            texts.SEAT_KINDS[self.kinds[row]],
            lambda: self.turn(row, 1),
            here and self.place[1] == 0,
            f"kind {row}",
        )
        self._arrows(target, kind, row)
        name = Box(kind.right + size, box.top + 5, size * 14, box.height - 10)
        typing = here and self.place[1] == 1
        panel(target, name, NIGHT, GOLD if typing else EDGE)
        words = self.names[row] + ("|" if typing else "")
        write(
            target,
            words,
            (name.left + size * 0.6, name.middle[1]),
            round(size * 1.1),
            INK if playing else FAINT,
            "midleft",
        )
        self.spots.append((name, f"name {row}", lambda: self._go(row, 1)))
        if self.kinds[row] == HUMAN:
            key = Box(name.right + size, box.top + 5, size * 9, box.height - 10)
            write(
                target,
                texts.BID_KEY,
                (key.left, key.middle[1]),
                round(size * 0.9),
                FAINT,
                "midleft",
            )
            key_cap(target, self.keys[row], (key.left + size * 5, key.middle[1]), size)
            if here and self.place[1] == 2:
                pygame.draw.rect(target, GOLD, pygame.Rect(key), 1, border_radius=6)
            self.spots.append((key, f"key {row}", lambda: self._go(row, 2)))

    def _arrows(self, target, box: Box, row: int) -> None:
        """Draw an arrow at each end of a seat's kind: there are others, that way and this."""
        size = self.text * 0.34
        for x, way in ((box.left + self.text * 0.9, -1), (box.right - self.text * 0.9, 1)):
            y = box.middle[1]
            points = [(x + way * size, y), (x - way * size, y - size), (x - way * size, y + size)]
            pygame.draw.polygon(target, FAINT, points)
        left = Box(box.left, box.top, box.width / 4, box.height)
        self.spots.append((left, f"kind before {row}", lambda: self.turn(row, -1)))

    def _skyline(self, target) -> None:
        """Draw a row of buildings along the bottom, in the dusk."""
        width, height = self.size
        unit = max(24, width // 28)
        for place in range(width // unit + 1):
            kind, tall = SKYLINE[place * 7 % len(SKYLINE)]
            sprite = draw(kind, round(unit * 0.96), round(unit * tall), place)
            put(target, sprite, (place * unit + unit / 2, height), "midbottom")
        dusk = pygame.Surface((width, unit * 3))
        dusk.fill(NIGHT)
        dusk.set_alpha(120)
        target.blit(dusk, (0, height - unit * 3))

    def _go(self, row: int, column: int) -> None:
        self.place = [row, column]

    def _button(self, target, box: Box, label: str, do, marked: bool, name: str = "") -> None:
        hovered = box.holds(self.mouse)
        panel(
            target,
            box,
            (92, 74, 26) if marked else (58, 72, 100) if hovered else RAISED,
            GOLD if marked else EDGE,
        )
        room = box.width - self.text
        write(target, label, box.middle, round(self.text * 1.1), INK, "center", room)
        self.spots.append((box, name or label, do))
