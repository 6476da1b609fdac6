"""The setup before a game: edition, seats, bid keys, house rules and hour; or a saved game.

`SetupScreen` holds the choices and handles the input, and `paint_setup` draws it. House rules,
saved games and the telephones' code are pages (`Page`) that cover the seats.
"""

from collections.abc import Callable
from pathlib import Path

import pygame

from city_game import editions
from city_game.bots import STRENGTHS
from city_game.editions import is_short, own_minutes
from city_game.game import HUMAN, Setup
from city_game.kernel.edition import Edition
from city_game.save import SavedGame
from city_game.table.buildings import draw
from city_game.table.layout import SMALLEST, letters
from city_game.table.pages import GamesPage, Page, PhonesPage, RulesPage, paint_page
from city_game.table.picture import (
    ENTER,
    NARROWEST,
    Button,
    Command,
    Ink,
    Invitation,
    Pen,
    Spot,
    Spots,
    badge,
    wrapped,
)
from city_game.table.view import BID_KEYS
from city_game.words import books
from city_unit.desktop import catalogue, language
from city_unit.desktop.catalogue import _, lazy, ngettext
from city_unit.desktop.errors import UserError
from city_unit.desktop.forms import all_of
from sim.face.geometry import Box
from sim.face.paint import text_width

EMPTY = "empty"  # a kind of seat, beside the kinds of players
FIRST_NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn")
KINDS = (HUMAN, *STRENGTHS, EMPTY)
FIRST_KINDS = (HUMAN, "builder", "planner", EMPTY, EMPTY, EMPTY)
LONGEST_NAME = 14
PASTES = pygame.KMOD_CTRL | pygame.KMOD_META  # with V
HOURS = (0, 30, 60, 90, 120)  # minutes, 0 for the length set at the unit
HALF_HOUR = 30
BUTTONS = 6  # the buttons' row, below the seats
SIDEWAYS = {pygame.K_LEFT: -1, pygame.K_RIGHT: 1}
UNIT_KEYS = "ab"  # AUCTION and BUILD, which cannot be bid keys


class SetupScreen:
    """Six seats, each with a kind, a name and a bid key; `is_done` once a game is chosen.

    latest  the latest unfinished game
    games   all saved games, latest first
    """

    def __init__(
        self,
        latest: SavedGame | None = None,
        games: list[Path] | None = None,
        edition: Edition | None = None,
    ) -> None:
        self.kinds: list[str] = list(FIRST_KINDS)
        self.names: list[str] = list(FIRST_NAMES)
        self.keys = list(BID_KEYS)
        self.place = [BUTTONS, 0]  # row and column selected by the keyboard
        self._untouched = False  # nothing has been typed into the selected name yet
        self.edition = edition or editions.get()
        self.rules = self.edition.rules()
        self._changed: dict[str, bool] = {}  # changed house rules, of all editions shown so far
        self.minutes = own_minutes(self.edition)  # 0 for the length set at the unit
        self.latest = latest
        self.games = games or []
        self.page: Page | None = None  # over the seats
        self.resumed: SavedGame | None = None  # None for a new game
        self.is_done = False
        self.wants = ""
        self.message = ""
        self.mouse = (0.0, 0.0)
        self.spots: Spots = []  # of the picture that is shown
        # Starts the telephones' server and returns the invitation; may raise UserError.
        self.call_phones: Callable[[], Invitation | None] = lambda: None

    def seats(self) -> tuple[tuple[str, ...], tuple[str, ...], str]:
        """Return the names, kinds and bid keys of the players."""
        playing = [seat for seat, kind in enumerate(self.kinds) if kind != EMPTY]
        return (
            tuple(self._name(seat) for seat in playing),
            tuple(self.kinds[seat] for seat in playing),
            "".join(self.keys[seat] for seat in playing),
        )

    def _name(self, seat: int) -> str:
        return self.names[seat].strip() or FIRST_NAMES[seat]

    def propose(self, played: Setup, keys: str) -> None:
        """Propose the seats and rules of the game just played."""
        self.edition = played.edition
        self.rules = played.edition.rules(**played.rules.changed())
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

    def reopen(self, why: str) -> None:
        """Show why the chosen game cannot be opened, and wait for another choice."""
        self.is_done = False
        self.resumed = None
        self.message = why

    def change_edition(self) -> None:
        """Propose the next edition, with the changed house rules that it has too."""
        for name in self.rules.settings():
            self._changed.pop(name, None)
        self._changed |= self.rules.changed()
        was_its_own = self.minutes == own_minutes(self.edition)
        was_usual = self.rules.nobody_is_out == is_short(self.edition, self.minutes)
        names = editions.names()
        place = names.index(self.edition.name) + 1
        self.edition = editions.get(names[place % len(names)])
        known = {switch.name for switch in self.edition.switches}
        changed = {name: on for name, on in self._changed.items() if name in known}
        self.rules = self.edition.rules(**changed)
        if was_its_own:
            self.minutes = own_minutes(self.edition)
        if was_usual:
            self.rules.nobody_is_out = is_short(self.edition, self.minutes)

    def change_hour(self) -> None:
        """Propose the next length of the hour; after the longest, playing until one is left."""
        hours = sorted({*HOURS, own_minutes(self.edition)})
        if self.rules.until_one_is_left:
            self.rules.until_one_is_left = False
            self.minutes = HOURS[0]
        elif later := [minutes for minutes in hours if minutes > self.minutes]:
            self.minutes = later[0]
        else:
            self.rules.until_one_is_left = True
        self.rules.nobody_is_out = is_short(self.edition, self.minutes)

    def begin_half_hour(self) -> None:
        """Start a game of half an hour, in which nobody drops out before the end."""
        self.minutes = HALF_HOUR
        self.rules.until_one_is_left, self.rules.nobody_is_out = False, True
        self.begin()

    def resume(self, game: SavedGame) -> None:
        self.resumed = game
        self.is_done = True

    def show_rules(self) -> None:
        self.page = RulesPage(self.rules)

    def show_games(self) -> None:
        self.page = GamesPage(self.games)

    def show_phones(self) -> None:
        """Start the telephones' server and show the invitation."""
        try:
            invitation = self.call_phones()
        except UserError as error:
            self.message = str(error)
            return
        if invitation:
            self.page = PhonesPage(invitation)

    def begin(self) -> None:
        """Start the game if the seats are valid."""
        if sum(kind != EMPTY for kind in self.kinds) < 2:
            self.message = _("At least two players are needed.")
            return
        names = self.seats()[0]
        twice = next((name for name in names if names.count(name) > 1), "")
        if why := self.edition.seats_refusal(len(names), self.rules):
            self.message = why
        elif twice:
            called = _("Two players are called {name}; rename one of them")
            self.message = called.format(name=twice)
        else:
            self.is_done = True

    # Input.

    def handle(self, event: pygame.Event) -> None:
        if event.type == pygame.MOUSEMOTION:
            self.mouse = event.pos
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self.mouse = event.pos
            for spot in reversed(self.spots):
                if spot.box.holds(event.pos):
                    self.perform(spot.command)
                    return
        elif event.type == pygame.MOUSEWHEEL and self.page:
            self.page.go(-event.y)
        elif event.type == pygame.KEYDOWN:
            if event.key == pygame.K_v and getattr(event, "mod", 0) & PASTES:
                self._enter(pygame.scrap.get_text())
            elif event.key == pygame.K_F11:
                self.wants = "full screen"
            elif self.page:
                self.page.press_key(event.key)
                self._leave_if_done(self.page)
            else:
                self._key(event.key, event.unicode)
        elif event.type == pygame.TEXTINPUT and not self.page:
            self._enter(event.text)

    def perform(self, command: Command) -> None:
        page = self.page
        if page is None:
            COMMANDS[command.name](self, command.value)
        elif command.name == "leave":
            self.page = None
        else:
            page.choose(command.value)
            self._leave_if_done(page)

    def _key(self, key: int, letter: str) -> None:
        """Process a key at the selected button or field of a seat."""
        self.message = ""
        row, column = self.place
        if key in (pygame.K_UP, pygame.K_DOWN):
            self.place = [(row + (1 if key == pygame.K_DOWN else -1)) % 7, 0]
            return
        columns = len(self.buttons()) if row == BUTTONS else 3
        if key in ENTER and row == BUTTONS:
            self.press(column)
        elif key == pygame.K_TAB or key in ENTER:
            is_last = column == columns - 1
            self.go(*((row + 1) % 7, 0) if is_last else (row, column + 1))
        elif key in SIDEWAYS and column == 0 and row != BUTTONS:
            self.turn(row, SIDEWAYS[key])
        elif key in SIDEWAYS:
            self.place[1] = (column + SIDEWAYS[key]) % columns
        elif row == BUTTONS:
            return
        elif column == 1 and key == pygame.K_BACKSPACE:
            self.names[row] = self.names[row][:-1]
            self._untouched = False
        elif column == 2 and len(letter) == 1 and letter.isalpha():
            wanted, own = letter.lower(), self.keys[row]
            if wanted in UNIT_KEYS:
                self.message = _(
                    "{key} presses a button of the unit; choose another key to bid with"
                ).format(key=wanted.upper())  # no text: a key's own letter
                return
            if wanted in self.keys:  # the seat that had it gets the other's key
                other = self.keys.index(wanted)
                self.keys[other] = own
                if other != row and self.kinds[other] == HUMAN:
                    was = _("{key} was the key of {name}, who now bids with {other}")
                    words = {"key": wanted.upper(), "other": own.upper()}  # no text: own letters
                    self.message = was.format(name=self._name(other), **words)
            self.keys[row] = wanted

    def _leave_if_done(self, page: Page) -> None:
        """Close a page that is done, and resume the game chosen there."""
        if page.is_done:
            self.page = None
            if isinstance(page, GamesPage) and page.chosen:
                self.resume(page.chosen)

    def buttons(self) -> list[tuple[str, Callable[[], object]]]:
        """Return the labels and commands of the buttons; the two in the corners come last."""
        buttons: list[tuple[str, Callable[[], object]]] = [
            (_("Start the game"), self.begin),
            (_("A half-hour game"), self.begin_half_hour),
        ]
        if latest := self.latest:
            words = _("Resume: {names}, turn {turn}")
            words = words.format(names=all_of(latest.names), turn=latest.turns + 1)
            buttons.append((words, lambda: self.resume(latest)))
        words = _("Edition: {title}").format(title=self.edition.title)
        buttons.append((words, self.change_edition))
        words, count = _("House rules: default"), len(self.rules.changed())
        if count:
            words = ngettext("House rules: {count} changed", "House rules: {count} changed", count)
        buttons.append((words.format(count=count), self.show_rules))
        if self.rules.until_one_is_left:
            words = _("Play until one is left")
        elif not self.minutes:
            words = _("The hour: as set at the unit")
        else:
            words = ngettext("The hour: {count} minute", "The hour: {count} minutes", self.minutes)
        buttons.append((words.format(count=self.minutes), self.change_hour))
        if self.games:
            buttons.append((_("Saved games"), self.show_games))
        buttons.append((_("Telephones"), self.show_phones))
        speaking = catalogue.own_name(catalogue.speaking())
        buttons.append((_("Language: {name}").format(name=speaking), self.change_language))
        return buttons

    def change_language(self) -> None:
        """Switch to the next language and save that choice for the table."""
        try:
            language.change_in("table")
        except UserError as error:
            self.message = str(error)

    def turn(self, row: int, by: int) -> None:
        self.kinds[row] = KINDS[(KINDS.index(self.kinds[row]) + by) % len(KINDS)]

    def _enter(self, text: str) -> None:
        """Add typed or pasted text to the selected name, up to its longest length.

        It replaces a proposed name and fills an empty seat with a person. Text is used in place of
        key codes, because é may come from a dead key or an input method.
        """
        row, column = self.place
        if row == BUTTONS or column != 1:
            return
        before = self.names[row]
        if self._untouched and before == FIRST_NAMES[row]:
            before = ""
        self._untouched = False
        if self.kinds[row] == EMPTY:
            self.kinds[row] = HUMAN
        name = before + "".join(letter for letter in text if letter.isprintable())
        self.names[row] = name[:LONGEST_NAME]
        if len(name) > LONGEST_NAME:
            self.message = _("A name can have at most {most} letters.").format(most=LONGEST_NAME)

    def go(self, row: int, column: int) -> None:
        self.place = [row, column]
        self._untouched = True

    def press(self, place: int) -> None:
        self.buttons()[place][1]()


# The commands of clicks; each receives the command's value.
COMMANDS: dict[str, Callable[[SetupScreen, int], object]] = {
    "kind": lambda setup, row: setup.turn(row, 1),
    "kind before": lambda setup, row: setup.turn(row, -1),
    "name": lambda setup, row: setup.go(row, 1),
    "key": lambda setup, row: setup.go(row, 2),
    "button": SetupScreen.press,
}


# The picture: the seats and buttons, or the page over them.

SEAT_KINDS = {
    "human": lazy("a person"),
    "visitor": lazy("bot: visitor (easy)"),
    "builder": lazy("bot: builder"),
    "planner": lazy("bot: planner (strong)"),
    "empty": lazy("nobody"),
}
HELP = (
    lazy("Left and right change the player; Tab or Enter moves to the name and the bid key"),
    lazy("Each player's telephone can be a hand and a button to bid with: see Telephones"),
)
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


def paint_setup(target: pygame.Surface, setup: SetupScreen) -> Spots:
    """Draw the seats and buttons, or the page over them; return the spots."""
    width, height = map(max, target.get_size(), SMALLEST)
    text = letters(width, height)
    pen = Pen(target, text, setup.mouse)
    pitch = round(min(height / 34, width / 52))  # unit of the layout
    box = Box(width / 2 - pitch * 21, height / 2 - pitch * 16, pitch * 42, pitch * 32)
    target.fill(Ink.NIGHT)
    # A skyline along the bottom, darkened.
    unit = max(24, width // 28)
    for place in range(width // unit + 1):
        kind, tall = SKYLINE[place * 7 % len(SKYLINE)]
        sprite = draw(kind, round(unit * 0.96), round(unit * tall), place)
        pen.put(sprite, (place * unit + unit / 2, height), "midbottom")
    dusk = pygame.Surface((width, unit * 3))
    dusk.fill(Ink.NIGHT)
    dusk.set_alpha(120)
    target.blit(dusk, (0, height - unit * 3))
    if setup.page:
        return paint_page(pen, box, pitch, setup.page)
    middle = width / 2
    at = (middle, box.top + pitch * 1.4)
    pen.write(_("Who plays?"), at, Ink.GOLD, "center", pitch * 15, size=pen.large)
    for line, words in enumerate(HELP):
        at = (middle, box.top + pitch * (3.3 + line))
        pen.write(str(words), at, Ink.FAINT, "center", box.width)
    spots: Spots = []
    # The seats, each with the kind of player, the name and the bid key.
    for row, kind in enumerate(setup.kinds):
        seat = Box(box.left, box.top + pitch * (5.2 + row * 2.9), box.width, pitch * 2.5)
        column = setup.place[1] if setup.place[0] == row else -1  # the selected column
        pen.panel(seat, Ink.RAISED if column >= 0 else Ink.PANEL)
        if kind != EMPTY:  # a player's number counts the seats taken before
            player = sum(one != EMPTY for one in setup.kinds[:row])
            at = (seat.left + pitch * 1.7, seat.middle[1])
            pen.put(badge(player, round(pitch * 2.1)), at)
        place = Box(seat.left + pitch * 3.4, seat.top + 5, pitch * 13, seat.height - 10)
        what = Button(str(SEAT_KINDS[kind]), "", Command("kind", row), column == 0)
        spots.append(_button(pen, place, pitch, what))
        # An arrow at each end: there are other kinds.
        by, y = pitch * 0.34, place.middle[1]
        for x, way in ((place.left + pitch * 0.9, -1), (place.right - pitch * 0.9, 1)):
            points = [(x + way * by, y), (x - way * by, y - by), (x - way * by, y + by)]
            pygame.draw.polygon(pen.target, Ink.FAINT, points)
        before = Command("kind before", row)
        spots.append(Spot(place._replace(width=place.width / 4), before))
        name, is_typed = place._replace(left=place.right + pitch, width=pitch * 14), column == 1
        pen.panel(name, Ink.NIGHT, Ink.GOLD if is_typed else Ink.EDGE)
        words, ink = setup.names[row], Ink.BRIGHT if kind != EMPTY else Ink.FAINT
        words += "|" * is_typed
        at, room = (name.left + pitch * 0.6, y), name.width - pitch * 1.2
        pen.write(words, at, ink, "midleft", room, size=pen.head)
        spots.append(Spot(name, Command("name", row)))
        if kind == HUMAN:
            key, waits = name._replace(left=name.right + pitch, width=pitch * 9), column == 2
            words, at = _("press a key") if waits else _("bids with"), (key.left + pitch * 0.5, y)
            pen.write(words, at, Ink.GOLD if waits else Ink.FAINT, "midleft", pitch * 4.8)
            pen.key_cap(setup.keys[row], (key.left + pitch * 5.5, y), size=pen.head)
            if waits:
                pygame.draw.rect(pen.target, Ink.GOLD, pygame.Rect(key), 1, border_radius=6)
            spots.append(Spot(key, Command("key", row)))
    buttons = [
        Button(label, "", Command("button", place), setup.place == [BUTTONS, place])
        for place, (label, _act) in enumerate(setup.buttons())
    ]
    # Telephones and language, beside the title.
    corner = Box(box.left, box.top + pitch * 0.4, pitch * 13, pitch * 2)
    for left, what in ((box.left, buttons[-2]), (box.right - corner.width, buttons[-1])):
        spots.append(_button(pen, corner._replace(left=left), pitch, what))
    # Three rows of buttons: starting a game, the edition, and its settings.
    foot = Box(box.left, box.top + pitch * 22.8, box.width, pitch * 7.6)
    games = 3 if setup.latest else 2  # number of the first buttons, which start or resume a game
    line = foot.row(1, 3, pitch * 0.5)
    part = line.column(0, 3, pitch)
    spots.append(_button(pen, part, pitch, buttons[games]))
    books_box = Box(part.right + pitch, line.top, line.right - part.right - pitch, line.height)
    pen.panel(books_box, Ink.NIGHT, None, 0)  # over the skyline
    lines = wrapped(books(setup.edition), text, round(books_box.width - pitch))
    at = (books_box.left + pitch * 0.5, books_box.middle[1] - text * 0.55 * (len(lines) - 1))
    pen.write_lines(lines, at, Ink.FAINT, "midleft", pitch=1.1)
    for row, several in ((0, buttons[:games]), (2, buttons[games + 1 : -2])):
        line = foot.row(row, 3, pitch * 0.5)
        # The label of a game to resume is long and gets two columns.
        columns = 4 if row == 0 and len(several) == 3 else len(several)
        for column, what in enumerate(several):
            part = line.column(column, columns, pitch)
            if column == len(several) - 1:
                part = Box(part.left, part.top, line.right - part.left, part.height)
            spots.append(_button(pen, part, pitch, what))
    if setup.message:
        top = foot.bottom + pitch * 0.2
        lines = wrapped(setup.message, text, round(width - 2 * text))
        pen.panel(Box(0, top, width, text * 1.1 * len(lines) + 4), Ink.NIGHT, None, 0)
        pen.write_lines(lines, (middle, top + 2 + text * 0.55), Ink.GOLD, "center", pitch=1.1)
    return spots


def _button(pen: Pen, box: Box, pitch: int, what: Button) -> Spot:
    """Draw a button, in large letters if they fit; return its spot."""
    spot, room, size = pen.ground(box, what), box.width - pitch, pen.head
    if text_width(what.label, size) * NARROWEST > room:
        size = pen.size
    pen.write(what.label, box.middle, Ink.BRIGHT, "center", room, size)
    return spot
