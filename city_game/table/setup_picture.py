"""The first screen as a picture: the seats and the buttons, or the page that lies over them."""

import pygame

from city_game.game import HUMAN
from city_game.report.reasons import books
from city_game.table.buildings import draw
from city_game.table.drawing import (
    EDGE,
    FAINT,
    GOLD,
    INK,
    NARROWEST,
    NIGHT,
    PANEL,
    RAISED,
    badge,
    ground,
    head,
    key_cap,
    large,
    panel,
    wrapped,
    write,
    write_lines,
)
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
from sim.face.paint import put, text_width

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
    pitch = round(min(height / 34, width / 52))  # the measure in which the parts are placed
    box = Box(width / 2 - pitch * 21, height / 2 - pitch * 16, pitch * 42, pitch * 32)
    target.fill(NIGHT)
    # A row of buildings along the bottom, in the dusk.
    unit = max(24, width // 28)
    for place in range(width // unit + 1):
        kind, tall = SKYLINE[place * 7 % len(SKYLINE)]
        sprite = draw(kind, round(unit * 0.96), round(unit * tall), place)
        put(target, sprite, (place * unit + unit / 2, height), "midbottom")
    dusk = pygame.Surface((width, unit * 3))
    dusk.fill(NIGHT)
    dusk.set_alpha(120)
    target.blit(dusk, (0, height - unit * 3))
    if setup.page:
        return _page(target, box, pitch, text, setup.page)
    middle = width / 2
    at = (middle, box.top + pitch * 1.4)
    write(target, _("Who plays?"), at, large(text), GOLD, "center", pitch * 15)
    for line, words in enumerate(HELP):
        at = (middle, box.top + pitch * (3.3 + line))
        write(target, str(words), at, text, FAINT, "center", box.width)
    spots: Spots = []
    for row in range(len(setup.kinds)):
        seat = Box(box.left, box.top + pitch * (5.2 + row * 2.9), box.width, pitch * 2.5)
        spots += _seat(target, seat, pitch, text, setup, row)
    buttons = [
        Button(label, "", Command("button", place), setup.place == [BUTTONS, place])
        for place, (label, _act) in enumerate(setup.buttons())
    ]
    # Beside the title the telephones and the language.
    top, wide, high = box.top + pitch * 0.4, pitch * 13, pitch * 2
    for left, what in ((box.left, buttons[-2]), (box.right - wide, buttons[-1])):
        spots.append(_button(target, Box(left, top, wide, high), pitch, text, setup, what))
    # Three rows of buttons: the games, the edition, and those of the edition.
    foot, games = Box(box.left, box.top + pitch * 22.8, box.width, pitch * 7.6), setup.games_row()
    line = foot.row(1, 3, pitch * 0.5)
    part = line.column(0, 3, pitch)
    spots.append(_button(target, part, pitch, text, setup, buttons[games]))
    of = Box(part.right + pitch, line.top, line.right - part.right - pitch, line.height)
    panel(target, of, NIGHT, None, 0)  # over the buildings
    lines = wrapped(books(setup.edition), text, round(of.width - pitch))
    at = (of.left + pitch * 0.5, of.middle[1] - text * 0.55 * (len(lines) - 1))
    write_lines(target, lines, at, text, FAINT, "midleft", pitch=1.1)
    for row, several in ((0, buttons[:games]), (2, buttons[games + 1 : -2])):
        line = foot.row(row, 3, pitch * 0.5)
        # A game to go on with has long words, and so the room of two.
        columns = 4 if row == 0 and len(several) == 3 else len(several)
        for column, what in enumerate(several):
            part = line.column(column, columns, pitch)
            if column == len(several) - 1:
                part = Box(part.left, part.top, line.right - part.left, part.height)
            spots.append(_button(target, part, pitch, text, setup, what))
    if setup.message:
        top = foot.bottom + pitch * 0.2
        lines = wrapped(setup.message, text, round(width - 2 * text))
        panel(target, Box(0, top, width, text * 1.1 * len(lines) + 4), NIGHT, None, 0)
        at = (middle, top + 2 + text * 0.55)
        write_lines(target, lines, at, text, GOLD, "center", pitch=1.1)
    return spots


def _seat(
    target: pygame.Surface, box: Box, size: int, text: int, setup: SetupScreen, row: int
) -> Spots:
    """Draw the kind of player, the name, and the key for bids."""
    middle, kind = box.middle[1], setup.kinds[row]
    column = setup.place[1] if setup.place[0] == row else -1  # that the keyboard is at
    panel(target, box, RAISED if column >= 0 else PANEL)
    if kind != EMPTY:  # players are known by their order among the players of the game
        player = sum(one != EMPTY for one in setup.kinds[:row])
        put(target, badge(player, round(size * 2.1)), (box.left + size * 1.7, middle))
    place = Box(box.left + size * 3.4, box.top + 5, size * 13, box.height - 10)
    label, command = str(SEAT_KINDS[kind]), Command("kind", row)
    what = Button(label, "", command, column == 0, f"kind {row}")
    spots = [_button(target, place, size, text, setup, what)]
    # An arrow at each end of it: there are others, that way and this.
    by, y = size * 0.34, place.middle[1]
    for x, way in ((place.left + size * 0.9, -1), (place.right - size * 0.9, 1)):
        points = [(x + way * by, y), (x - way * by, y - by), (x - way * by, y + by)]
        pygame.draw.polygon(target, FAINT, points)
    left = place._replace(width=place.width / 4)
    spots.append(Spot(left, f"kind before {row}", Command("kind before", row)))
    name, typing = Box(place.right + size, box.top + 5, size * 14, box.height - 10), column == 1
    panel(target, name, NIGHT, GOLD if typing else EDGE)
    words, ink = setup.names[row] + ("|" if typing else ""), INK if kind != EMPTY else FAINT
    at, room = (name.left + size * 0.6, name.middle[1]), name.width - size * 1.2
    write(target, words, at, head(text), ink, "midleft", room)
    spots.append(Spot(name, f"name {row}", Command("name", row)))
    if kind == HUMAN:
        key, waits = Box(name.right + size, name.top, size * 9, name.height), column == 2
        words, at = _("press a key") if waits else _("bids with"), (key.left + size * 0.5, y)
        write(target, words, at, text, GOLD if waits else FAINT, "midleft", size * 4.8)
        key_cap(target, setup.keys[row], (key.left + size * 5.5, y), head(text))
        if waits:
            pygame.draw.rect(target, GOLD, pygame.Rect(key), 1, border_radius=6)
        spots.append(Spot(key, f"key {row}", Command("key", row)))
    return spots


def _button(
    target: pygame.Surface, box: Box, pitch: int, text: int, setup: SetupScreen, what: Button
) -> Spot:
    """Draw a button in letters of the head, as far as they have room; return its spot."""
    ground(target, box, what, setup.mouse)
    room, pixels = box.width - pitch, head(text)
    if text_width(what.label, pixels) * NARROWEST > room:  # as an edition with a long title
        pixels = text
    write(target, what.label, box.middle, pixels, INK, "center", room)
    return what.spot(box)


LINE = 1.3  # the height of a line that says why, in letters
BEHIND = 6.0  # heights of letters, behind a rule's words: there it says that it is changed


def _page(target: pygame.Surface, box: Box, pitch: int, size: int, page: Page) -> Spots:
    """Draw a page; return where it can be clicked."""
    middle = box.middle[0]
    write(target, str(page.title), (middle, box.top + pitch * 1.4), large(size), GOLD, "center")
    help_at = (middle, box.top + pitch * 3.6)
    write(target, str(page.help), help_at, size, FAINT, "center", box.width)
    foot = Box(box.left, box.bottom - pitch * 2.6, box.width, pitch * 2.4)
    said = reason(page.rules.switches[page.here]) if isinstance(page, RulesPage) else page.said
    lines = wrapped(said, size, int(foot.width)) if said else ()
    bottom = foot.top - size * (0.6 + LINE * len(lines))
    if lines:
        panel(target, Box(foot.left, bottom, foot.width, foot.top - bottom), NIGHT, None, 0)
    for place, line in enumerate(lines):
        at = (foot.middle[0], bottom + size * (0.3 + LINE * (place + 0.5)))
        write(target, line, at, size, GOLD, "center")
    body = Box(box.left, box.top + pitch * 4.8, box.width, bottom - box.top - pitch * 4.8)
    spots: Spots = []
    if isinstance(page, RulesPage):
        spots = _rules(target, body, size, page)
    elif isinstance(page, PhonesPage):
        paint_invitation(target, body, size, page.invitation, ())
    elif isinstance(page, GamesPage):
        spots = _games(target, body, size, page)
    panel(target, foot, RAISED, EDGE)
    key_cap(target, "esc", (foot.left + size * 0.6, foot.middle[1]), size)
    write(target, _("Back"), foot.middle, head(size), INK, "center")
    return [*spots, Spot(foot, _("Back"), Command("leave"))]


def _rules(target: pygame.Surface, body: Box, size: int, page: RulesPage) -> Spots:
    """Draw a line for each switch, with how it is played and whether that was changed."""
    spots: Spots = []
    for place, switch in enumerate(page.rules.switches):
        row, marked = body.row(place, page.count, size * 0.3), place == page.here
        on = getattr(page.rules, switch.name)
        panel(target, row, RAISED if marked else PANEL, GOLD if marked else None, 6)
        paint_answer(target, row, size, on, INK)
        left = row.left + size * BEFORE
        room = row.right - left - size * BEHIND
        write(target, str(switch.says), (left, row.middle[1]), size, INK, "midleft", room)
        if on != switch.default:
            at = (row.right - size * END, row.middle[1])
            write(target, _("changed"), at, size, GOLD, "midright", size * (BEHIND - 1))
        spots.append(Spot(row, f"rule {switch.name}", Command("rule", place)))
    return spots


def _games(target: pygame.Surface, body: Box, size: int, page: GamesPage) -> Spots:
    """Draw as many saved games as there is room for, the row of the keyboard among them."""
    spots: Spots = []
    first = max(0, min(page.here - SHOWN // 2, page.count - SHOWN))
    for place in range(first, min(first + SHOWN, page.count)):
        game, marked = page.game(place), place == page.here
        row = body.row(place - first, SHOWN, size * 0.4)
        panel(target, row, RAISED if marked else PANEL, GOLD if marked else None)
        ink = FAINT if game.trouble else INK
        at, room = (row.left + size * 0.8, row.middle[1]), row.width * 0.27
        write(target, game.path.stem, at, size, ink, "midleft", room)
        left = row.left + row.width * 0.3
        at, room = (left, row.top + row.height * 0.32), row.right - left - size * 0.6
        players = all_of(game.names) or _("cannot be opened")
        write(target, players, at, head(size), ink, "midleft", room)
        how_far = game.trouble
        if not how_far and game.winners:
            how_far = _("over: {names} won").format(names=all_of(game.winners))
        elif not how_far:
            how_far = _("turn {turn}").format(turn=game.turns + 1)
        at = (left, row.top + row.height * 0.76)
        write(target, how_far, at, size, FAINT, "midleft", room)
        spots.append(Spot(row, f"game {place}", Command("game", place)))  # no text: its name
    if not page.count:
        write(target, _("No game has been saved yet."), body.middle, size, FAINT, "center")
    return spots
