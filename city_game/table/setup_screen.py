"""Before a game: who plays, in which seat, with which key."""

from collections.abc import Callable

import pygame

from city_game import texts_table as texts
from city_game.bots import STRENGTHS
from city_game.table.buildings import draw
from city_game.table.layout import SMALLEST, Box
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
COLUMNS = ("kind", "name", "key")


class SetupScreen:
    """Six seats, each with a kind, a name and a key; `done` when the game is to begin.

    place    the row and column that the keyboard is at; row 6 is the buttons
    saved    what the game that can be gone on with is called, "" for none
    resumed  whether that is wanted
    """

    def __init__(self, size: tuple[int, int], saved: str = "") -> None:
        self.kinds: list[str] = list(FIRST_KINDS)
        self.names: list[str] = list(texts.FIRST_NAMES)
        self.keys = list(BID_KEYS)
        self.place = [6, 0]
        self.saved = saved
        self.resumed = False
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

    def resume(self) -> None:
        """Go on with the saved game."""
        self.resumed = self.done = True

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
        if key == pygame.K_F11:
            self.wants = "full screen"
        elif key == pygame.K_UP:
            self.place[0] = (row - 1) % 7
        elif key == pygame.K_DOWN:
            self.place[0] = (row + 1) % 7
        elif key == pygame.K_TAB:
            self.place = [row, (column + 1) % 3] if column < 2 else [(row + 1) % 7, 0]
        elif key in (pygame.K_RETURN, pygame.K_KP_ENTER):
            if row == 6 and column and self.saved:
                self.resume()
            else:
                self.begin()
        elif row == 6:
            if key in (pygame.K_LEFT, pygame.K_RIGHT):
                self.place[1] = 1 - min(1, column)
        elif key in (pygame.K_LEFT, pygame.K_RIGHT) and column == 0:
            self.turn(row, 1 if key == pygame.K_RIGHT else -1)
        elif key in (pygame.K_LEFT, pygame.K_RIGHT):
            self.place[1] = (column + (1 if key == pygame.K_RIGHT else -1)) % 3
        elif column == 1:
            self._type(row, key, letter)
        elif column == 2 and len(letter) == 1 and letter.isalpha():
            self._take_key(row, letter.lower())

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
        box = Box(width / 2 - size * 21, height / 2 - size * 15.5, size * 42, size * 31)
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
                Box(box.left, box.top + size * (5.4 + row * 3.3), box.width, size * 2.9),
                row,
            )
        foot = Box(box.left, box.bottom - size * 5, box.width, size * 3)
        begin = foot.column(0, 2, size) if self.saved else foot
        marked = self.place[0] == 6
        self._button(target, begin, texts.BEGIN, self.begin, marked and self.place[1] == 0)
        if self.saved:
            words = texts.RESUME.format(name=self.saved)
            again = foot.column(1, 2, size)
            self._button(target, again, words, self.resume, marked and self.place[1] > 0)
        if self.message:
            write(target, self.message, (width / 2, foot.bottom + size), size, GOLD, "center")

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
        write(target, label, box.middle, round(self.text * 1.1), INK, "center")
        self.spots.append((box, name or label, do))
