"""The lists over the first screen: house rules, saved games, the code for telephones."""

from pathlib import Path

import pygame

from city_game.kernel.switches import HouseRules
from city_game.save import SavedGame, describe
from city_game.table.drawing import Ink, Pen, wrapped
from city_game.table.inputs import ENTER
from city_game.table.lookup import BEFORE, END, paint_answer, paint_invitation, reason
from city_game.table.picture import Command, Invitation, Spot, Spots
from city_unit.desktop.catalogue import Lazy, _, lazy
from city_unit.desktop.forms import all_of
from sim.face.geometry import Box

SHOWN = 8  # saved games at once
LINE = 1.3  # the height of a line that says why, in letters
BEHIND = 6.0  # heights of letters, behind a rule's words: there it says that it is changed


class Page:
    """A list over the whole window; `is_done` when it is left.

    chooses  the keys that choose a row
    here     the row that the keyboard is at
    said     why the choice is refused, "" for nothing
    """

    title: Lazy
    help: Lazy
    chooses: tuple[int, ...] = ENTER

    def __init__(self, count: int) -> None:
        self.count = count
        self.here = 0
        self.said = ""
        self.is_done = False

    def choose(self, place: int) -> None:
        """Do what a row is for."""

    def press_key(self, key: int) -> None:
        if key == pygame.K_ESCAPE:
            self.is_done = True
        elif key in (pygame.K_UP, pygame.K_DOWN, pygame.K_TAB):
            self.go(-1 if key == pygame.K_UP else 1)
        elif key in self.chooses and self.count:
            self.choose(self.here)

    def go(self, by: int) -> None:
        """Move the keyboard's row down by `by` rows."""
        self.said = ""
        if self.count:
            self.here = (self.here + by) % self.count


class RulesPage(Page):
    """The switches; `rules` is how they stand."""

    title = lazy("House rules")
    help = lazy("The rulebook leaves these open. Up and down, Space switches; or click")
    chooses = (pygame.K_SPACE, pygame.K_LEFT, pygame.K_RIGHT, *ENTER)

    def __init__(self, rules: HouseRules) -> None:
        super().__init__(len(rules.switches))
        self.rules = rules

    def choose(self, place: int) -> None:
        """Play a rule the other way."""
        self.here = place
        name = self.rules.switches[place].name
        setattr(self.rules, name, not getattr(self.rules, name))


class GamesPage(Page):
    """The saved games, the latest first; `chosen` is the game that is wanted."""

    title = lazy("Saved games")
    help = lazy("Enter or a click goes on with a game; one that is over can be looked at")

    def __init__(self, paths: list[Path]) -> None:
        super().__init__(len(paths))
        self._paths = paths
        self._described: dict[Path, SavedGame] = {}
        self.chosen: SavedGame | None = None

    def game(self, place: int) -> SavedGame:
        """Return a saved game, read when it is first asked for."""
        path = self._paths[place]
        if path not in self._described:
            self._described[path] = describe(path)
        return self._described[path]

    def choose(self, place: int) -> None:
        self.here = place
        game = self.game(place)
        self.said = game.error
        if not game.error:
            self.chosen = game
            self.is_done = True


class PhonesPage(Page):
    """The code by which telephones come to the table."""

    title = lazy("Telephones")
    help = lazy("Each player's telephone is a hand and a button to bid with")

    def __init__(self, invitation: Invitation) -> None:
        super().__init__(0)
        self.invitation = invitation


# The picture of a list.


def paint_page(pen: Pen, box: Box, pitch: int, page: Page) -> Spots:
    """Draw a page; return where it can be clicked."""
    size, middle = pen.size, box.middle[0]
    pen.write(str(page.title), (middle, box.top + pitch * 1.4), Ink.GOLD, "center", size=pen.large)
    help_at = (middle, box.top + pitch * 3.6)
    pen.write(str(page.help), help_at, Ink.FAINT, "center", box.width)
    foot = Box(box.left, box.bottom - pitch * 2.6, box.width, pitch * 2.4)
    said = reason(page.rules.switches[page.here]) if isinstance(page, RulesPage) else page.said
    lines = wrapped(said, size, int(foot.width)) if said else ()
    bottom = foot.top - size * (0.6 + LINE * len(lines))
    if lines:
        pen.panel(Box(foot.left, bottom, foot.width, foot.top - bottom), Ink.NIGHT, None, 0)
    for place, line in enumerate(lines):
        at = (foot.middle[0], bottom + size * (0.3 + LINE * (place + 0.5)))
        pen.write(line, at, Ink.GOLD, "center")
    body = Box(box.left, box.top + pitch * 4.8, box.width, bottom - box.top - pitch * 4.8)
    spots: Spots = []
    if isinstance(page, RulesPage):
        spots = _rules(pen, body, page)
    elif isinstance(page, PhonesPage):
        paint_invitation(pen, body, page.invitation, ())
    elif isinstance(page, GamesPage):
        spots = _games(pen, body, page)
    pen.panel(foot, Ink.RAISED, Ink.EDGE)
    pen.key_cap("esc", (foot.left + size * 0.6, foot.middle[1]))
    pen.write(_("Back"), foot.middle, Ink.BRIGHT, "center", size=pen.head)
    return [*spots, Spot(foot, _("Back"), Command("leave"))]


def _rules(pen: Pen, body: Box, page: RulesPage) -> Spots:
    """Draw a line for each switch, with how it is played and whether that was changed."""
    spots: Spots = []
    size = pen.size
    for place, switch in enumerate(page.rules.switches):
        row, marked = body.row(place, page.count, size * 0.3), place == page.here
        on = getattr(page.rules, switch.name)
        pen.panel(row, Ink.RAISED if marked else Ink.PANEL, Ink.GOLD if marked else None, 6)
        paint_answer(pen, row, on, Ink.BRIGHT)
        left = row.left + size * BEFORE
        room = row.right - left - size * BEHIND
        pen.write(str(switch.says), (left, row.middle[1]), Ink.BRIGHT, "midleft", room)
        if on != switch.default:
            at = (row.right - size * END, row.middle[1])
            pen.write(_("changed"), at, Ink.GOLD, "midright", size * (BEHIND - 1))
        spots.append(Spot(row, f"rule {switch.name}", Command("rule", place)))
    return spots


def _games(pen: Pen, body: Box, page: GamesPage) -> Spots:
    """Draw as many saved games as there is room for, the row of the keyboard among them."""
    spots: Spots = []
    size = pen.size
    first = max(0, min(page.here - SHOWN // 2, page.count - SHOWN))
    for place in range(first, min(first + SHOWN, page.count)):
        game, marked = page.game(place), place == page.here
        row = body.row(place - first, SHOWN, size * 0.4)
        pen.panel(row, Ink.RAISED if marked else Ink.PANEL, Ink.GOLD if marked else None)
        ink = Ink.FAINT if game.error else Ink.BRIGHT
        at, room = (row.left + size * 0.8, row.middle[1]), row.width * 0.27
        pen.write(game.path.stem, at, ink, "midleft", room)
        left = row.left + row.width * 0.3
        at, room = (left, row.top + row.height * 0.32), row.right - left - size * 0.6
        players = all_of(game.names) or _("cannot be opened")
        pen.write(players, at, ink, "midleft", room, size=pen.head)
        how_far = game.error
        if not how_far and game.winners:
            how_far = _("over: {names} won").format(names=all_of(game.winners))
        elif not how_far:
            how_far = _("turn {turn}").format(turn=game.turns + 1)
        pen.write(how_far, (left, row.top + row.height * 0.76), Ink.FAINT, "midleft", room)
        spots.append(Spot(row, f"game {place}", Command("game", place)))  # no text: its name
    if not page.count:
        pen.write(_("No game has been saved yet."), body.middle, Ink.FAINT, "center")
    return spots
