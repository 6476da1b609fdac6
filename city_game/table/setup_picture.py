"""The first screen as a picture: the seats and the buttons, or the page that lies over them."""

import pygame

from city_game.game import HUMAN
from city_game.report.reasons import books
from city_game.table.buildings import draw
from city_game.table.drawing import NARROWEST, Ink, Pen, badge, wrapped
from city_game.table.layout import SMALLEST, letters
from city_game.table.lookup import BEFORE, END, paint_answer, paint_invitation, reason
from city_game.table.picture import Button, Command, Spot, Spots
from city_game.table.setup import (
    BUTTONS,
    EMPTY,
    SHOWN,
    GamesPage,
    Page,
    PhonesPage,
    RulesPage,
    SetupScreen,
)
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.forms import all_of
from sim.face.box import Box
from sim.face.paint import text_width

SEAT_KINDS = {
    "human": lazy("a person"),
    "visitor": lazy("bot: visitor (easy)"),
    "builder": lazy("bot: builder"),
    "planner": lazy("bot: planner (strong)"),
    "empty": lazy("nobody"),
}
HELP = (
    lazy("Left and right change who sits there; Tab or Enter goes to the name and the bid key"),
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
    """Draw the seats and buttons, or the page over them; return the spots that can be clicked."""
    width, height = map(max, target.get_size(), SMALLEST)
    text = letters(width, height)
    pen = Pen(target, text, setup.mouse)
    pitch = round(min(height / 34, width / 52))  # the measure in which the parts are placed
    box = Box(width / 2 - pitch * 21, height / 2 - pitch * 16, pitch * 42, pitch * 32)
    target.fill(Ink.NIGHT)
    # A row of buildings along the bottom, in the dusk.
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
        return _page(pen, box, pitch, setup.page)
    middle = width / 2
    at = (middle, box.top + pitch * 1.4)
    pen.write(_("Who plays?"), at, Ink.GOLD, "center", pitch * 15, size=pen.large)
    for line, words in enumerate(HELP):
        at = (middle, box.top + pitch * (3.3 + line))
        pen.write(str(words), at, Ink.FAINT, "center", box.width)
    spots: Spots = []
    for row in range(len(setup.kinds)):
        seat = Box(box.left, box.top + pitch * (5.2 + row * 2.9), box.width, pitch * 2.5)
        spots += _seat(pen, seat, pitch, setup, row)
    buttons = [
        Button(label, "", Command("button", place), setup.place == [BUTTONS, place])
        for place, (label, _act) in enumerate(setup.buttons())
    ]
    # Beside the title the telephones and the language.
    top, wide, high = box.top + pitch * 0.4, pitch * 13, pitch * 2
    for left, what in ((box.left, buttons[-2]), (box.right - wide, buttons[-1])):
        spots.append(_button(pen, Box(left, top, wide, high), pitch, what))
    # Three rows of buttons: the games, the edition, and those of the edition.
    foot, games = Box(box.left, box.top + pitch * 22.8, box.width, pitch * 7.6), setup.games_row()
    line = foot.row(1, 3, pitch * 0.5)
    part = line.column(0, 3, pitch)
    spots.append(_button(pen, part, pitch, buttons[games]))
    of = Box(part.right + pitch, line.top, line.right - part.right - pitch, line.height)
    pen.panel(of, Ink.NIGHT, None, 0)  # over the buildings
    lines = wrapped(books(setup.edition), text, round(of.width - pitch))
    at = (of.left + pitch * 0.5, of.middle[1] - text * 0.55 * (len(lines) - 1))
    pen.write_lines(lines, at, Ink.FAINT, "midleft", pitch=1.1)
    for row, several in ((0, buttons[:games]), (2, buttons[games + 1 : -2])):
        line = foot.row(row, 3, pitch * 0.5)
        # A game to go on with has long words, and so the room of two.
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


def _seat(pen: Pen, box: Box, size: int, setup: SetupScreen, row: int) -> Spots:
    """Draw the kind of player, the name, and the key for bids."""
    middle, kind = box.middle[1], setup.kinds[row]
    column = setup.place[1] if setup.place[0] == row else -1  # that the keyboard is at
    pen.panel(box, Ink.RAISED if column >= 0 else Ink.PANEL)
    if kind != EMPTY:  # players are known by their order among the players of the game
        player = sum(one != EMPTY for one in setup.kinds[:row])
        pen.put(badge(player, round(size * 2.1)), (box.left + size * 1.7, middle))
    place = Box(box.left + size * 3.4, box.top + 5, size * 13, box.height - 10)
    label, command = str(SEAT_KINDS[kind]), Command("kind", row)
    what = Button(label, "", command, column == 0, f"kind {row}")
    spots = [_button(pen, place, size, what)]
    # An arrow at each end of it: there are others, that way and this.
    by, y = size * 0.34, place.middle[1]
    for x, way in ((place.left + size * 0.9, -1), (place.right - size * 0.9, 1)):
        points = [(x + way * by, y), (x - way * by, y - by), (x - way * by, y + by)]
        pygame.draw.polygon(pen.target, Ink.FAINT, points)
    left = place._replace(width=place.width / 4)
    spots.append(Spot(left, f"kind before {row}", Command("kind before", row)))
    name, typing = Box(place.right + size, box.top + 5, size * 14, box.height - 10), column == 1
    pen.panel(name, Ink.NIGHT, Ink.GOLD if typing else Ink.EDGE)
    words, ink = setup.names[row], Ink.BRIGHT if kind != EMPTY else Ink.FAINT
    words += "|" * typing
    at, room = (name.left + size * 0.6, name.middle[1]), name.width - size * 1.2
    pen.write(words, at, ink, "midleft", room, size=pen.head)
    spots.append(Spot(name, f"name {row}", Command("name", row)))
    if kind == HUMAN:
        key, waits = Box(name.right + size, name.top, size * 9, name.height), column == 2
        words, at = _("press a key") if waits else _("bids with"), (key.left + size * 0.5, y)
        pen.write(words, at, Ink.GOLD if waits else Ink.FAINT, "midleft", size * 4.8)
        pen.key_cap(setup.keys[row], (key.left + size * 5.5, y), size=pen.head)
        if waits:
            pygame.draw.rect(pen.target, Ink.GOLD, pygame.Rect(key), 1, border_radius=6)
        spots.append(Spot(key, f"key {row}", Command("key", row)))
    return spots


def _button(pen: Pen, box: Box, pitch: int, what: Button) -> Spot:
    """Draw a button in letters of the head, as far as they have room; return its spot."""
    spot, room, size = pen.ground(box, what), box.width - pitch, pen.head
    if text_width(what.label, size) * NARROWEST > room:  # as an edition with a long title
        size = pen.size
    pen.write(what.label, box.middle, Ink.BRIGHT, "center", room, size)
    return spot


LINE = 1.3  # the height of a line that says why, in letters
BEHIND = 6.0  # heights of letters, behind a rule's words: there it says that it is changed


def _page(pen: Pen, box: Box, pitch: int, page: Page) -> Spots:
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
        ink = Ink.FAINT if game.trouble else Ink.BRIGHT
        at, room = (row.left + size * 0.8, row.middle[1]), row.width * 0.27
        pen.write(game.path.stem, at, ink, "midleft", room)
        left = row.left + row.width * 0.3
        at, room = (left, row.top + row.height * 0.32), row.right - left - size * 0.6
        players = all_of(game.names) or _("cannot be opened")
        pen.write(players, at, ink, "midleft", room, size=pen.head)
        how_far = game.trouble
        if not how_far and game.winners:
            how_far = _("over: {names} won").format(names=all_of(game.winners))
        elif not how_far:
            how_far = _("turn {turn}").format(turn=game.turns + 1)
        pen.write(how_far, (left, row.top + row.height * 0.76), Ink.FAINT, "midleft", room)
        spots.append(Spot(row, f"game {place}", Command("game", place)))  # no text: its name
    if not page.count:
        pen.write(_("No game has been saved yet."), body.middle, Ink.FAINT, "center")
    return spots
