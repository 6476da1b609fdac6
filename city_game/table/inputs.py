"""What keys and the mouse do at the table."""

import pygame

from city_game import texts_table as texts
from city_game.table.grip import MOUSE
from city_game.table.paint_disc import part_at
from city_game.table.screen import Screen

ENTER = (pygame.K_RETURN, pygame.K_KP_ENTER)
LESS, MORE = (pygame.K_MINUS, pygame.K_KP_MINUS), (pygame.K_PLUS, pygame.K_EQUALS, pygame.K_KP_PLUS)
MILLIONS = {pygame.K_n: -10, pygame.K_m: 10}
BUTTONS = {"a": "auction", "b": "build"}
ARROWS = {
    pygame.K_LEFT: (-1, 0),
    pygame.K_RIGHT: (1, 0),
    pygame.K_UP: (0, -1),
    pygame.K_DOWN: (0, 1),
}


def handle(screen: Screen, event: pygame.Event) -> None:
    """Take one event of the window."""
    if event.type == pygame.KEYDOWN:
        if event.key == pygame.K_q and event.mod & pygame.KMOD_CTRL:
            screen.wants = "close"
        else:
            press_key(screen, event.key, bool(event.mod & pygame.KMOD_SHIFT), event.unicode)
    elif event.type == pygame.KEYUP:
        screen.grip.let_go(event.key)
    elif event.type == pygame.MOUSEMOTION:
        screen.mouse = event.pos
        _slide(screen, bool(event.buttons[0]))
        _point(screen)
    elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
        screen.mouse = event.pos
        click(screen, event.pos)
    elif event.type == pygame.WINDOWLEAVE or _is_up(event):
        screen.grip.let_go(MOUSE)
    elif event.type == pygame.WINDOWFOCUSLOST:  # the key's release will be told to others
        screen.grip.let_go()
    elif event.type == pygame.MOUSEWHEEL:
        scroll(screen, event.y)


def _is_up(event: pygame.Event) -> bool:
    return event.type == pygame.MOUSEBUTTONUP and event.button == 1


def click(screen: Screen, point: tuple[float, float]) -> None:
    """Do what was drawn there; a district is chosen, put into a deal, or shows its deed."""
    for box, _, do in reversed(screen.spots):
        if box.holds(point):
            do()
            return
    layout = screen.layout
    part = part_at(layout.disc, layout.text, point)
    if part:
        screen.grip.hold(part, MOUSE)
        return
    district = screen.district_at(point)
    if district < 0:
        screen.motion.skip()
    elif screen.deal:
        screen.put_into_deal(district)
    elif screen.place_for(district):
        return
    elif district in screen.targets():
        screen.aim = screen.targets().index(district)
        screen.confirm()
    elif layout.city.holds(point) or layout.board.holds(point):
        screen.deed = -1 if screen.deed == district else district


def _slide(screen: Screen, held: bool) -> None:
    """Let go of the disc's button when the mouse slides off it, or was let go of elsewhere."""
    layout = screen.layout
    if not held or part_at(layout.disc, layout.text, screen.mouse) != screen.grip.part:
        screen.grip.let_go(MOUSE)


def scroll(screen: Screen, by: int) -> None:
    screen.log_back = max(0, min(len(screen.session.log) - 1, screen.log_back + by * 2))


def press_key(screen: Screen, key: int, shift: bool, letter: str) -> None:
    """Do what a key does now: bids come first while a light is on."""
    letter = letter.lower()
    if _bids(screen, letter, shift):
        return
    if letter in BUTTONS and screen.session.state.phase != "over":
        screen.grip.hold(BUTTONS[letter], key)
    elif key in ALWAYS and not (_takes_millions(screen) and key in MILLIONS):
        ALWAYS[key](screen)
    elif screen.card and key in ARROWS:
        screen.turn_page(sum(ARROWS[key]))
    elif screen.deed >= 0 and key in ARROWS:
        count = len(screen.layout.plots)
        screen.deed = (screen.deed + sum(ARROWS[key])) % count
    elif screen.deal:
        _deal_key(screen, key)
    elif screen.chosen is not None:
        _choice_key(screen, key, letter)
    elif screen.session.state.phase in ("bidding", "settling", "hammer") and key in (
        pygame.K_UP,
        pygame.K_DOWN,
    ):
        screen.bidding.change_step(1 if key == pygame.K_UP else -1)
    else:
        _option_key(screen, key, letter)


def _takes_millions(screen: Screen) -> bool:
    """Return whether N and M change an amount now."""
    return screen.deal is not None or screen.opening is not None


def _bids(screen: Screen, letter: str, shift: bool) -> bool:
    """Bid, if it is a player's key; while the result is shown, such a key does nothing else."""
    session = screen.session
    bidding = session.state.phase in ("bidding", "settling")
    if not letter or not (bidding or screen.motion.sale):
        return False
    for player in session.humans():
        if screen.bid_keys[player] == letter:
            if bidding:
                screen.bidding.bid(player, 5 if shift else 1)
            return True
    return False


def _option_key(screen: Screen, key: int, letter: str) -> None:
    if screen.session.state.phase == "over":
        if key in ENTER:
            screen.again()
        elif key == pygame.K_x:
            screen.export()
        return
    buttons = screen.buttons()
    if key in (pygame.K_UP, pygame.K_DOWN) and buttons:
        step = 1 if key == pygame.K_DOWN else -1
        start = max(screen.focus, 0 if step < 0 else -1)
        screen.focus = (start + step) % len(buttons)
    elif key in ENTER and buttons and screen.focus < 0 and not screen.notice():
        screen.session.hint(texts.NOT_BY_ENTER)
    elif key in ENTER and buttons:
        buttons[max(0, min(screen.focus, len(buttons) - 1))][2]()
    elif letter.isdigit() and 0 < int(letter) <= len(buttons):
        buttons[int(letter) - 1][2]()
    else:
        _letter(screen, letter)


def _letter(screen: Screen, letter: str) -> None:
    """Do what the button with that letter does, if there is one."""
    for _, name, do, _ in screen.buttons():
        if letter and name == letter:
            do()
            return


def _choice_key(screen: Screen, key: int, letter: str) -> None:
    if key in ENTER:
        screen.confirm()
    elif screen.opening is not None:
        if key in MORE or key == pygame.K_UP:
            screen.change_opening(1)
        elif key in LESS or key == pygame.K_DOWN:
            screen.change_opening(-1)
        else:
            _letter(screen, letter)
    elif key in ARROWS:
        screen.aim = screen.targets().index(
            nearest(screen, screen.target(), ARROWS[key], screen.targets())
        )
    elif key == pygame.K_TAB:
        screen.aim = (screen.aim + 1) % len(screen.targets())
    else:
        _letter(screen, letter)


def _deal_key(screen: Screen, key: int) -> None:
    plots = screen.layout.plots
    if key in ENTER:
        screen.send_offer()
    elif key == pygame.K_TAB:
        screen.next_partner()
    elif key in MORE:
        screen.change_money(1)
    elif key in LESS:
        screen.change_money(-1)
    elif key in MILLIONS:
        screen.change_money(MILLIONS[key])
    elif key == pygame.K_SPACE:
        screen.put_into_deal(screen.aim)
    elif key in ARROWS:
        screen.aim = nearest(screen, screen.aim, ARROWS[key], list(range(len(plots))))


def nearest(screen: Screen, start: int, way: tuple[int, int], among: list[int]) -> int:
    """Return the district next to `start` in a direction, or round the list if there is none."""
    plots = screen.layout.plots
    x, y = plots[start].middle
    best, found = 0.0, -1
    for district in among:
        dx, dy = plots[district].middle[0] - x, plots[district].middle[1] - y
        along = dx * way[0] + dy * way[1]
        if along <= 1:
            continue
        cost = along + 3 * abs(dx * way[1] + dy * way[0])
        if found < 0 or cost < best:
            best, found = cost, district
    if found >= 0:
        return found
    return among[(among.index(start) + sum(way)) % len(among)]


def _point(screen: Screen) -> None:
    """Point at the district under the mouse, if it can be chosen."""
    district = screen.district_at(screen.mouse)
    if district in screen.targets():
        screen.aim = screen.targets().index(district)


def _space(screen: Screen) -> None:
    if screen.deal:
        _deal_key(screen, pygame.K_SPACE)
    else:
        screen.motion.skip()


def _full_screen(screen: Screen) -> None:
    screen.wants = "full screen"


ALWAYS = {
    pygame.K_ESCAPE: Screen.back,
    pygame.K_F1: lambda screen: screen.look_up("help"),
    pygame.K_F2: lambda screen: screen.look_up("rules"),
    pygame.K_F3: lambda screen: screen.look_up("bids"),
    pygame.K_i: Screen.browse_deeds,
    pygame.K_m: Screen.turn_sound,
    pygame.K_SPACE: _space,
    pygame.K_F5: Screen.another_unit,
    pygame.K_F6: lambda screen: screen.session.another_hour(),
    pygame.K_F11: _full_screen,
    pygame.K_PAGEUP: lambda screen: scroll(screen, 3),
    pygame.K_PAGEDOWN: lambda screen: scroll(screen, -3),
}
