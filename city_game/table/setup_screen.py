"""Before a game: who plays, in which seat, with which key; by which rules, or which saved one."""

from collections.abc import Callable
from pathlib import Path

import pygame

from city_game import texts_table as texts
from city_game.bots import STRENGTHS
from city_game.game import Setup
from city_game.house_rules import HouseRules
from city_game.saved_games import SavedGame
from city_game.table.layout import SMALLEST, Box
from city_game.table.pages import ENTER, GamesPage, Page, RulesPage
from city_game.table.paint_setup import BUTTONS, EMPTY, paint_setup
from city_game.table.screen import BID_KEYS
from city_game.table.session import HUMAN

KINDS = (HUMAN, *STRENGTHS, EMPTY)
FIRST_KINDS = (HUMAN, "builder", "planner", EMPTY, EMPTY, EMPTY)
LONGEST_NAME = 14
HOURS = (0, 30, 60, 90, 120)  # minutes; 0 is as the unit is set
UNIT_KEYS = "ab"  # of AUCTION and BUILD; nobody bids with them


class SetupScreen:
    """Six seats, each with a kind, a name and a key; `done` when a game is to begin.

    place    the row and column that the keyboard is at; row 6 is the buttons
    rules    by which a new game is played
    minutes  how long its hour is, 0 for as the unit is set
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
        self.minutes = 60
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
            tuple(self._name(seat) for seat in playing),
            tuple(self.kinds[seat] for seat in playing),
            "".join(self.keys[seat] for seat in playing),
        )

    def _name(self, seat: int) -> str:
        return self.names[seat].strip() or texts.FIRST_NAMES[seat]

    def take(self, played: Setup, keys: str) -> None:
        """Propose the seats and the rules of the game that was just played."""
        self.rules = HouseRules(**played.rules.changed())
        self.minutes = played.minutes or self.minutes
        taken = keys[: len(played.names)]
        spare = [key for key in BID_KEYS if key not in taken]
        for seat in range(6):
            if seat < len(played.names):
                self.names[seat], self.kinds[seat] = played.names[seat], played.seats[seat]
                self.keys[seat] = taken[seat]
            else:
                self.kinds[seat] = EMPTY
                self.keys[seat] = spare.pop(0)

    def stay(self, why: str) -> None:
        """Say why what was chosen cannot be opened, and have something else chosen."""
        self.done = False
        self.resumed = None
        self.message = why

    def change_hour(self) -> None:
        """Propose the next length of the hour."""
        later = [minutes for minutes in HOURS if minutes > self.minutes]
        self.minutes = later[0] if later else HOURS[0]

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
            return
        names = self.seats()[0]
        twice = next((name for name in names if names.count(name) > 1), "")
        if twice:
            self.message = texts.NAME_TWICE.format(name=twice)
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
        buttons = self.buttons()
        columns = len(buttons) if row == BUTTONS else 3
        if key in (pygame.K_UP, pygame.K_DOWN):
            self.place = [(row + (1 if key == pygame.K_DOWN else -1)) % 7, 0]
        elif key in ENTER and row == BUTTONS:
            buttons[column][1]()
        elif key == pygame.K_TAB or key in ENTER:
            last = column == columns - 1
            self.place = [(row + 1) % 7, 0] if last else [row, column + 1]
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

    def buttons(self) -> list[tuple[str, Callable[[], object]]]:
        """Return the buttons below the seats: what they say, what they do."""
        count = len(self.rules.changed())
        state = texts.RULES_SOME.format(count=count) if count else texts.RULES_USUAL
        buttons: list[tuple[str, Callable[[], object]]] = [(texts.BEGIN, self.begin)]
        latest = self.latest
        if latest:
            words = texts.RESUME.format(names=", ".join(latest.names), turn=latest.turns + 1)
            buttons.append((words, lambda: self.resume(latest)))
        buttons.append((texts.RULES_BUTTON.format(state=state), self.show_rules))
        hour = texts.HOUR_MINUTES.format(minutes=self.minutes) if self.minutes else texts.HOUR_SET
        buttons.append((hour, self.change_hour))
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
        elif letter.isprintable() and letter:
            self.message = texts.NAME_FULL.format(most=LONGEST_NAME)

    def _take_key(self, row: int, letter: str) -> None:
        """Give a seat a key; who had it gets the one that is free now."""
        if letter in UNIT_KEYS:
            self.message = texts.UNIT_KEY.format(key=letter.upper())
            return
        if letter in self.keys and letter != self.keys[row]:
            other, left = self.keys.index(letter), self.keys[row]
            self.keys[other] = left
            if self.kinds[other] == HUMAN:
                name = self._name(other)
                words = {"key": letter.upper(), "name": name, "other": left.upper()}
                self.message = texts.KEY_TAKEN.format(**words)
        self.keys[row] = letter

    def go(self, row: int, column: int) -> None:
        """Have the keyboard at a row and a column."""
        self.place = [row, column]

    def spot(self, box: Box, name: str, do: Callable[[], object]) -> None:
        """Note while drawing that a click into `box` does something."""
        self.spots.append((box, name, do))

    def draw(self, target: pygame.Surface) -> None:
        self.spots = []
        paint_setup(target, self)
