"""Keys and the mouse at the table: their actions."""

import pygame

from city_game.kernel.sales import IN_SALE, JUDGED_IN
from city_game.table.paint.base.view import Command
from city_game.table.window.screen import MOUSE, Screen
from city_unit.desktop.catalogue import _

ENTER = (pygame.K_RETURN, pygame.K_KP_ENTER)
LESS, MORE = (pygame.K_MINUS, pygame.K_KP_MINUS), (pygame.K_PLUS, pygame.K_EQUALS, pygame.K_KP_PLUS)
MILLIONS = {pygame.K_n: -10, pygame.K_m: 10}
BUTTONS = {"a": "auction", "b": "build"}
DIGITS = {pygame.KSCAN_1 + place: place + 1 for place in range(9)}  # by where the keys lie
UP_AND_DOWN = {pygame.K_UP: -1, pygame.K_DOWN: 1}  # down a list
ARROWS = {
    pygame.K_LEFT: (-1, 0),
    pygame.K_RIGHT: (1, 0),
    pygame.K_UP: (0, -1),
    pygame.K_DOWN: (0, 1),
}


def handle(screen: Screen, event: pygame.Event) -> None:
    """Take an event of the window."""
    if event.type == pygame.KEYDOWN:
        if event.key == pygame.K_q and event.mod & pygame.KMOD_CTRL:
            screen.wants = "close"
        else:
            _press_key(screen, event)
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
    elif event.type == pygame.WINDOWFOCUSLOST:  # the key's release will go to others
        screen.grip.let_go()
    elif event.type == pygame.MOUSEWHEEL:
        screen.scroll(event.y * 2)


def _press_key(screen: Screen, event: pygame.Event) -> None:
    shift = bool(event.mod & pygame.KMOD_SHIFT)
    if event.mod & pygame.KMOD_CTRL and _changes_step(screen, event.key, shift):
        return
    press_key(screen, event.key, shift, event.unicode, _digit(event))


def _changes_step(screen: Screen, key: int, smaller: bool) -> bool:
    """Have a player's bids add more, or less: by their own key with Ctrl, or with Ctrl and Shift.

    With Ctrl no key types its letter, so it is known by its code.
    """
    if screen.session.state.phase not in IN_SALE:
        return False
    for player in screen.session.humans():
        if key == ord(screen.bid_keys[player]):
            screen.bidding.change_step(player, -1 if smaller else 1)
            return True
    return False


def _digit(event: pygame.Event) -> int:
    """Return the digit that a key types, else the digit on most keyboards' key; 0 for none.

    On a French keyboard the digits need Shift: the key of 2 types é.
    """
    return int(event.unicode) if event.unicode.isdecimal() else DIGITS.get(event.scancode, 0)


def _is_up(event: pygame.Event) -> bool:
    return event.type == pygame.MOUSEBUTTONUP and event.button == 1


def click(screen: Screen, point: tuple[float, float]) -> None:
    """Do the action of the thing drawn there; a deed is chosen, put into a deal, or shown."""
    for spot in reversed(screen.spots):
        if spot.box.holds(point):
            screen.perform(spot.command)
            return
    layout = screen.layout
    part = layout.circle.part_at(point)
    if part:
        screen.grip.hold(part, MOUSE)
        return
    deed = screen.deed_at(point)
    if deed < 0:
        screen.motion.skip()
    elif screen.deal:
        screen.put_into_deal(deed)
    elif screen.place_for(deed):
        return
    elif deed in screen.choice.deeds():
        if screen.choice.tap(deed):
            screen.confirm()
    elif layout.city.holds(point) or layout.board.holds(point):
        lookups = screen.lookups
        lookups.deed = -1 if lookups.deed == deed else deed


def _slide(screen: Screen, held: bool) -> None:
    """Let go of the disc's button when the mouse slides off it, or was let go of elsewhere."""
    if not held or screen.layout.circle.part_at(screen.mouse) != screen.grip.part:
        screen.grip.let_go(MOUSE)


def press_key(screen: Screen, key: int, shift: bool, letter: str, digit: int = 0) -> None:
    """Do the action of a key now: bids come first while a light is on.

    key    by its code, which follows the layout of the keyboard
    digit  that chooses an option, 0 for none
    """
    letter = letter.lower()
    if _bids(screen, letter, shift):
        return
    if letter in BUTTONS and screen.session.state.phase != "over":
        screen.grip.hold(BUTTONS[letter], key)
    elif key in ALWAYS and not (_takes_millions(screen) and key in MILLIONS):
        screen.perform(ALWAYS[key])
    elif key == pygame.K_SPACE:
        _space(screen)
    elif key in ARROWS and (screen.lookups.card or screen.lookups.deed >= 0):
        _browse(screen, sum(ARROWS[key]))
    else:
        _decide(screen, key, letter, digit)


def _browse(screen: Screen, by: int) -> None:
    """Turn the pages of the open card, or look at the next deed."""
    if screen.lookups.card:
        screen.turn_page(by)
    else:
        screen.lookups.look_at_next(by, len(screen.layout.plots))


def _decide(screen: Screen, key: int, letter: str, digit: int) -> None:
    """Do the action of a key in the decision of the moment."""
    phase = screen.session.state.phase
    if screen.deal:
        _deal_key(screen, key, letter)
    elif screen.choice.option is not None:
        _choice_key(screen, key, letter)
    elif phase == "over":
        _end_key(screen, key)
    elif phase in IN_SALE and key in UP_AND_DOWN:
        _change_only_step(screen, -UP_AND_DOWN[key])
    elif phase == "bidding":
        if key == pygame.K_BACKSPACE:
            screen.session.auctioneer.pass_on()
        elif letter == "p":
            screen.perform(Command("pause"))  # is refused, and that is said
    else:
        _option_key(screen, key, letter, digit)


def _change_only_step(screen: Screen, by: int) -> None:
    """Change the step of the only person at the table; of several each changes their own."""
    people = screen.session.humans()
    if len(people) == 1:
        screen.bidding.change_step(people[0], by)
    else:
        screen.session.hint(_("Ctrl and your own key: your bids add more; with Shift less"))


def _takes_millions(screen: Screen) -> bool:
    """Return whether N and M change an amount now."""
    return screen.deal is not None or screen.choice.opening is not None


def _bids(screen: Screen, letter: str, shift: bool) -> bool:
    """Bid, if it is a player's key; while the result is shown, such a key does nothing else."""
    session = screen.session
    bidding = session.state.phase in JUDGED_IN
    if not letter or not (bidding or screen.motion.sale):
        return False
    for player in session.humans():
        if screen.bid_keys[player] == letter:
            if bidding:
                screen.bidding.bid(player, 5 if shift else 1)
            return True
    return False


def _end_key(screen: Screen, key: int) -> None:
    if key in ENTER:
        screen.again()
    elif key == pygame.K_x:
        screen.export()


def _option_key(screen: Screen, key: int, letter: str, digit: int) -> None:
    buttons = screen.buttons()
    if not buttons:
        _letter(screen, letter)
    elif key in UP_AND_DOWN:
        step = UP_AND_DOWN[key]
        start = max(screen.focus, 0 if step < 0 else -1)
        screen.focus = (start + step) % len(buttons)
    elif key in ENTER and screen.focus < 0 and not screen.notice():
        screen.session.hint(_("A deal is accepted with Y and declined with N, or by a click"))
    elif key in ENTER:
        screen.perform(buttons[max(0, min(screen.focus, len(buttons) - 1))].command)
    elif 0 < digit <= len(buttons):
        screen.perform(buttons[digit - 1].command)
    else:
        _letter(screen, letter)


def _letter(screen: Screen, letter: str) -> None:
    """Press the button with that letter, if there is any."""
    for button in screen.buttons():
        if letter and button.key == letter:
            screen.perform(button.command)
            return
    if letter == "p":  # for the door, where nothing is to be paid
        screen.perform(Command("pause"))


def _choice_key(screen: Screen, key: int, letter: str) -> None:
    choice = screen.choice
    if key in ENTER:
        screen.confirm()
    elif choice.opening is not None:
        if key in MORE or key == pygame.K_UP:
            choice.change_opening(1)
        elif key in LESS or key == pygame.K_DOWN:
            choice.change_opening(-1)
        else:
            _letter(screen, letter)
    elif key in ARROWS:
        choice.point_at(nearest(screen, choice.deed(), ARROWS[key], choice.deeds()))
    elif key == pygame.K_TAB:
        choice.aim = (choice.aim + 1) % len(choice.deeds())
    else:
        _letter(screen, letter)


def _deal_key(screen: Screen, key: int, letter: str = "") -> None:
    deal, plots = screen.deal, screen.layout.plots
    if deal is None:
        return
    if key in ENTER:
        screen.send_offer()
    elif key == pygame.K_TAB:
        screen.next_partner()
    elif key in MORE or letter == "+":
        screen.change_money(1)
    elif key in LESS or letter == "-":
        screen.change_money(-1)
    elif key in MILLIONS:
        screen.change_money(MILLIONS[key])
    elif key in ARROWS:
        deal.aim = nearest(screen, deal.aim, ARROWS[key], list(range(len(plots))))


def nearest(screen: Screen, start: int, way: tuple[int, int], among: list[int]) -> int:
    """Return the deed next to `start` in a direction, or round the list if there is none."""
    plots = screen.layout.plots
    x, y = plots[start].middle
    best, found = 0.0, -1
    for deed in among:
        dx, dy = plots[deed].middle[0] - x, plots[deed].middle[1] - y
        along = dx * way[0] + dy * way[1]
        if along <= 1:
            continue
        cost = along + 3 * abs(dx * way[1] + dy * way[0])
        if found < 0 or cost < best:
            best, found = cost, deed
    if found >= 0:
        return found
    return among[(among.index(start) + sum(way)) % len(among)]


def _space(screen: Screen) -> None:
    if screen.deal:
        screen.put_into_deal(screen.deal.aim)
    else:
        screen.motion.skip()


def _point(screen: Screen) -> None:
    """Point at the deed under the mouse, if it can be chosen and none was tapped."""
    deed = screen.deed_at(screen.mouse)
    if deed in screen.choice.deeds() and screen.choice.picked < 0:
        screen.choice.point_at(deed)


ALWAYS = {
    pygame.K_ESCAPE: Command("back"),
    pygame.K_F1: Command("help"),
    pygame.K_F2: Command("rules"),
    pygame.K_F3: Command("bids"),
    pygame.K_F4: Command("phones"),
    pygame.K_i: Command("browse deeds"),
    pygame.K_m: Command("sound"),
    pygame.K_F5: Command("another unit"),
    pygame.K_F7: Command("pause"),
    pygame.K_F8: Command("calm"),
    pygame.K_PAUSE: Command("pause"),
    pygame.K_F6: Command("another hour"),
    pygame.K_F11: Command("full screen"),
    pygame.K_PAGEUP: Command("log", 6),
    pygame.K_PAGEDOWN: Command("log", -6),
}
