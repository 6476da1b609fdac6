"""Keyboard input at the table, and the choices, deals and bids being made with it.

The tables map keys to commands of the screen: `ALWAYS` in any situation, `MAKING` while a deed, an
opening bid or a deal is being chosen.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pygame

from city_game.kernel.money import show
from city_game.kernel.sales import most_opening
from city_game.kernel.state import Auction, State
from city_game.table.picture import ENTER, MONEY_STEP, Bidder, Button, Command
from city_game.table.session import Session
from city_game.table.view import Option, target_detail
from city_unit.desktop.catalogue import _
from city_unit.facts import AUCTIONING
from sim.face.geometry import Box

BUTTONS = {"a": Command("hold auction"), "b": Command("hold build")}
HOLDS = {BUTTONS["a"]: "auction", BUTTONS["b"]: "build"}  # held down as long as the key is
DIGITS = {pygame.KSCAN_1 + place: place + 1 for place in range(9)}  # by position on the keyboard
UP_AND_DOWN = {pygame.K_UP: -1, pygame.K_DOWN: 1}  # steps in a list
ARROWS = {
    pygame.K_LEFT: (-1, 0),
    pygame.K_RIGHT: (1, 0),
    pygame.K_UP: (0, -1),
    pygame.K_DOWN: (0, 1),
}
AIMS = {key: Command("aim", place) for place, key in enumerate(ARROWS)}
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
    pygame.K_F9: Command("referee"),
    pygame.K_PAUSE: Command("pause"),
    pygame.K_F6: Command("hour"),
    pygame.K_F11: Command("full screen"),
    pygame.K_PAGEUP: Command("log", 6),
    pygame.K_PAGEDOWN: Command("log", -6),
}


def _more_and_less(name: str) -> dict[int, Command]:
    """Return the plus and minus keys, for a command that takes 1 or -1."""
    more, less = Command(name, 1), Command(name, -1)
    return {
        **dict.fromkeys((pygame.K_PLUS, pygame.K_EQUALS, pygame.K_KP_PLUS), more),
        **dict.fromkeys((pygame.K_MINUS, pygame.K_KP_MINUS), less),
    }


# The keys while a deal, an opening bid or the choice of a deed is in progress.
MAKING = {
    "deal": {
        **dict.fromkeys(ENTER, Command("send offer")),
        pygame.K_SPACE: Command("take"),
        pygame.K_TAB: Command("next partner"),
        pygame.K_n: Command("money", -10),
        pygame.K_m: Command("money", 10),
        **_more_and_less("money"),
        **AIMS,
    },
    "opening": {
        **dict.fromkeys(ENTER, Command("confirm")),
        pygame.K_UP: Command("opening", 1),
        pygame.K_DOWN: Command("opening", -1),
        **_more_and_less("opening"),
    },
    "deed": {
        **dict.fromkeys(ENTER, Command("confirm")),
        pygame.K_TAB: Command("next deed"),
        **AIMS,
    },
}


def nearest(plots: tuple[Box, ...], start: int, way: tuple[int, int], among: list[int]) -> int:
    """Return the nearest deed in direction `way`; without one, the next or previous in the list."""
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


MOUSE = "mouse"  # holds a control in place of a key code


class Held:
    """The control of the disc held down by a key or the mouse, one at a time."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.part = ""  # "auction", "build", "switch", or "" for none
        self._since = 0.0  # host ms
        self._by: object = None

    def hold(self, part: str, by: object) -> None:
        """Press a control until `let_go`; the switch acts at once."""
        self.let_go()
        unit = self._session.unit
        self.part, self._since, self._by = part, unit.host_ms(), by
        stops = part == "auction" and unit.light_is_on
        if part == "switch":
            unit.ask("switch on" if unit.state in ("off", "") else "switch off")
        elif stops and self._session.state.phase == "hammer":
            self._session.call_auction()
        else:
            if stops:
                self._session.hint(_("The light is on; hold AUCTION to stop it"))
            self._session.press(part)

    def let_go(self, by: object = None) -> None:
        """Release the control held by that key or the mouse; None releases any."""
        if self.part and by in (None, self._by):
            self.part = ""
            self._session.unit.lift()

    def stopping(self) -> float:
        """Return how much of the hold that stops the light has passed, 0 to 1."""
        unit = self._session.unit
        if self.part != "auction" or unit.state not in AUCTIONING:
            return 0.0
        return min(1.0, (unit.host_ms() - self._since) / unit.described.cancel_hold_ms)


# Choices in progress: an option's deed and amount, or a deal.

MILLION = 100  # notes of 10k
PLACES = ("auction space", "debt", "station", "travel")  # phases whose deeds can be clicked at once


@dataclass
class Choice:
    """The choice of an option's deed, then of its amount."""

    option: Option | None = None  # None if no choice is in progress
    aim: int = 0  # index of the deed pointed at, among `targets`
    picked: int = -1  # the deed tapped once, -1 for none
    opening: int | None = None  # the opening bid, in notes; None while the deed is chosen

    def begin(self, option: Option) -> None:
        """Start choosing the deed of an option; if it has only one, go straight to its amount."""
        self.option, self.aim, self.picked = option, 0, -1
        if option.has_amount and len(option.targets) == 1:
            self.begin_opening()

    def targets(self) -> list[int]:
        """Return the option's deeds in the order of their numbers."""
        return sorted(self.option.targets) if self.option is not None else []

    def deeds(self) -> list[int]:
        """Return the deeds that can be chosen now; none while an amount is chosen."""
        return self.targets() if self.opening is None else []

    def deed(self) -> int:
        return self.targets()[self.aim]

    def point_at(self, deed: int) -> None:
        self.aim = self.targets().index(deed)

    def tap(self, deed: int) -> bool:
        """Point at a deed; return True if that confirms it.

        A deed to auction needs a second tap, since a finger cannot hover to see its figures.
        """
        assert self.option is not None
        chooses = not self.option.has_amount or self.picked == deed
        self.point_at(deed)
        self.picked = deed
        return chooses

    def action(self) -> tuple:
        """Return the action for the deed pointed at and the amount."""
        assert self.option is not None
        action = self.option.targets[self.deed()]
        return action if self.opening is None else (*action[:-1], self.opening)

    def begin_opening(self) -> None:
        """Start choosing the amount, from the lowest opening bid."""
        assert self.option is not None
        self.opening = self.option.targets[self.deed()][-1]

    def change_opening(self, state: State, by: int) -> None:
        """Raise or lower the opening bid, in steps that grow with it."""
        assert self.opening is not None
        step = 1 if self.opening + min(by, 0) < 10 else 10 if self.opening + by < 100 else 50
        self.add_to_opening(state, by * step)

    def add_to_opening(self, state: State, notes: int) -> None:
        """Change the opening bid by an amount, within the allowed range."""
        assert self.opening is not None
        least = state.board.money.least_bid
        most = most_opening(state, self.deed())
        self.opening = max(least, min(most, self.opening + notes))

    # Texts.

    def detail(self, state: State) -> str:
        """Return the text of the choice: how to make it, and the figures of the deed."""
        if self.opening is not None:
            return _("Opening bid: {amount}   (- and + change it; a million: N and M)").format(
                amount=show(self.opening)
            )
        assert self.option is not None
        name = state.board.deeds[self.deed()].name
        words = target_detail(state, self.option.targets[self.deed()])
        how = _("{label}: choose a deed (arrows, Enter; Esc goes back)")
        if self.picked >= 0:
            how = _("{label}: tap the deed once more, or choose another")
        head = how.format(label=self.option.label)
        return f"{head}\n{name}: {words}" if words else f"{head}\n{name}"

    def buttons(self, state: State, options: list[Option]) -> list[Button]:
        """Return the buttons of the choice; in phases of PLACES the other options' too."""
        if self.opening is None:
            words = _("Confirm: {district}").format(district=state.board.deeds[self.deed()].name)
        elif state.rules.opening_is_a_bid:
            words = _("Open with {amount}, as your bid").format(amount=show(self.opening))
        else:
            words = _("Open with {amount}").format(amount=show(self.opening))
        confirm = Button(words, "enter", Command("confirm"), True)
        leave = Button(_("Back"), "esc", Command("back"))
        if self.opening is not None:
            return [
                confirm,
                Button(_("Higher"), "+", Command("opening", 1)),
                Button(_("Lower"), "-", Command("opening", -1)),
                Button(f"+{show(MILLION)}", "m", Command("opening notes", MILLION)),
                Button(f"−{show(MILLION)}", "n", Command("opening notes", -MILLION)),
                leave,
            ]
        if state.phase not in PLACES:
            return [confirm, leave]
        others = [
            Button(option.label, option.key, Command("option", place))
            for place, option in enumerate(options)
            if option.action is not None
        ]
        return [confirm, leave, *others]


@dataclass
class Draft:
    """A deal being put together."""

    proposer: int
    partner: int
    gives: list[int] = field(default_factory=list)
    asks: list[int] = field(default_factory=list)
    pays: int = 0  # to the partner in notes of 10k, negative to receive some
    aim: int = 0  # the deed pointed at
    was_warned: bool = False  # the player has been warned of asking for nothing in return

    def toggle(self, state: State, deed: int) -> str:
        """Add a deed to the deal or remove it; return "" or why not, as text.

        A third player's deed makes that player the partner if nothing is asked for yet.
        """
        owner = state.owner[deed]
        if owner < 0:
            return _("Nobody owns that deed yet")
        if owner not in (self.proposer, self.partner):
            if self.asks:
                return _("That deed is another player's; Tab makes them your partner")
            self.turn_to(owner)
        side = self.gives if owner == self.proposer else self.asks
        if deed in side:
            side.remove(deed)
        else:
            side.append(deed)
        self.was_warned = False
        return ""

    def turn_to_next(self, state: State) -> None:
        """Turn to the next player the proposer can deal with."""
        for step in range(1, state.players + 1):
            other = (self.partner + step) % state.players
            if state.alive[other] and other != self.proposer:
                self.turn_to(other)
                return

    def turn_to(self, partner: int) -> None:
        self.partner = partner
        self.asks.clear()
        self.was_warned = False

    def change_money(self, state: State, steps: int) -> None:
        """Change the payment, within the money of both players."""
        pays = self.pays + steps * MONEY_STEP
        self.was_warned = False
        self.pays = max(-state.cash[self.partner], min(state.cash[self.proposer], pays))

    def is_gift(self) -> bool:
        """Return True if the proposer gives something and asks for nothing in return."""
        return not self.asks and self.pays >= 0 and bool(self.gives or self.pays)

    def action(self) -> tuple:
        gives, asks = tuple(self.gives), tuple(self.asks)
        return ("offer", self.proposer, self.partner, gives, asks, self.pays, 0)


# Bids by key.

STEPS = (1, 5, 10, 25, 50, 100)  # notes of 10k added by a bid
USUAL = STEPS.index(10)


class Bidding:
    """The bids of the players' keys: each adds the player's own step to the highest bid."""

    def __init__(self, session: Session, keys: str) -> None:
        self._session = session
        self._keys = keys  # one for each player
        self._places = [USUAL] * session.state.players
        self._sale: Auction | None = None  # of the latest picture
        self._shown: dict[int, int] = {}  # the amounts it shows on the keys

    def change_step(self, player: int, by: int) -> None:
        self._places[player] = max(0, min(len(STEPS) - 1, self._places[player] + by))
        if self._sale is not None and self._sale is self._session.state.auction:
            self._shown[player] = self.next(player)

    def next(self, player: int, steps: int = 1) -> int:
        """Return the amount of a player's key that adds `steps` of the player's steps."""
        state = self._session.state
        auction = state.auction
        assert auction is not None
        added = STEPS[self._places[player]] * steps
        if auction.bids:
            return auction.highest() + added
        least = max(auction.opening, state.board.money.least_bid)
        return least if steps == 1 else least + added

    def show(self, people: Sequence[int]) -> tuple[Bidder, ...]:
        """Return the keys of `people` for the next picture, and note their amounts as shown."""
        state = self._session.state
        sale = self._sale = state.auction
        assert sale is not None
        self._shown = {player: self.next(player) for player in people}
        is_on, leader = state.phase == "bidding", sale.leader()
        return tuple(
            Bidder(
                player,
                self._keys[player],
                amount,
                STEPS[self._places[player]],
                is_on and player != leader and amount <= state.cash[player],
            )
            for player, amount in self._shown.items()
        )

    def bid(self, player: int, steps: int = 1) -> None:
        """Bid the key's amount, or all the player's money if that is less.

        The leader's key does nothing. If the amount has risen since the last picture, no bid is
        made, because the player pressed for the amount shown.
        """
        state = self._session.state
        if state.auction is None or state.auction.leader() == player:
            return
        if self._sale is state.auction and self.next(player) > self._shown[player]:
            self._session.hint(_("The amount has changed: check it and press again"))
            return
        cash, amount = state.cash[player], self.next(player, steps)
        if amount > cash > state.auction.highest():
            amount = cash
        self._session.auctioneer.bid(player, amount)
