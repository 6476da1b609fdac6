"""Things in the making: an option with its deed and amount, a bid, a deal."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from city_game.kernel.money import show
from city_game.kernel.state import Auction, State
from city_game.table.picture import Button, Command
from city_game.table.view import Option, most_opening, target_detail
from city_unit.desktop.catalogue import _

if TYPE_CHECKING:
    from city_game.table.session import Session

MILLION = 100  # notes of 10k
PLACES = ("auction space", "debt", "station", "travel")  # phases in which a deed is chosen


@dataclass
class Choice:
    """The deed, or the amount, that a player points at before the option is done.

    option   whose deed, or amount, is still to be chosen; None while there is none
    aim      which of its deeds is pointed at, in the order of their numbers
    picked   the deed that was tapped once; -1 for none
    opening  the opening bid that is being chosen, in notes; None while there is none
    """

    option: Option | None = None
    aim: int = 0
    picked: int = -1
    opening: int | None = None

    def begin(self, option: Option) -> None:
        """Have the deed of an option chosen; its amount at once, if it has one deed."""
        self.option, self.aim, self.picked = option, 0, -1
        if option.has_amount and len(option.targets) == 1:
            self.begin_opening()

    def deeds(self) -> list[int]:
        """Return the deeds that can be chosen now."""
        if self.option is not None and self.opening is None:
            return sorted(self.option.targets)
        return []

    def deed(self) -> int:
        """Return the deed that is pointed at."""
        assert self.option is not None
        return sorted(self.option.targets)[self.aim]

    def point_at(self, deed: int) -> None:
        """Point at a deed of the option."""
        assert self.option is not None
        self.aim = sorted(self.option.targets).index(deed)

    def aim_at_next(self) -> None:
        self.aim = (self.aim + 1) % len(self.deeds())

    def tap(self, deed: int) -> bool:
        """Point at a deed; return whether that chooses it.

        One tap only selects a deed to auction, and a second opens it: a finger cannot hover.
        """
        assert self.option is not None
        chooses = not self.option.has_amount or self.picked == deed
        self.point_at(deed)
        self.picked = deed
        return chooses

    def action(self) -> tuple:
        """Return the action on the deed that is pointed at, and the amount."""
        assert self.option is not None
        action = self.option.targets[self.deed()]
        return action if self.opening is None else (*action[:-1], self.opening)

    def has_to_ask(self) -> bool:
        """Return whether an amount is still to be chosen."""
        return self.option is not None and self.option.has_amount and self.opening is None

    def leave_opening(self) -> bool:
        """Go back from the amount to the deeds; return whether there are several."""
        if self.opening is None or self.option is None or len(self.option.targets) < 2:
            return False
        self.opening = None
        return True

    def begin_opening(self) -> None:
        """Begin with the least that the option opens with."""
        assert self.option is not None
        self.opening = self.option.targets[self.deed()][-1]

    def change_opening(self, state: State, by: int) -> None:
        """Raise or lower the opening bid, in steps that grow with it."""
        assert self.opening is not None
        step = 1 if self.opening + min(by, 0) < 10 else 10 if self.opening + by < 100 else 50
        self.add_to_opening(state, by * step)

    def add_to_opening(self, state: State, notes: int) -> None:
        """Raise or lower the opening bid by an amount, as far as the money goes."""
        assert self.opening is not None
        least = state.board.money.least_bid
        self.opening = max(least, min(most_opening(state), self.opening + notes))

    # Words.

    def detail(self, state: State) -> str:
        """Return the facts for the choice, and how to make it."""
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
        """Return the buttons of the choice, beside those of other options of the decision."""
        if self.opening is None:
            words = _("Do it: {district}").format(district=state.board.deeds[self.deed()].name)
        elif state.rules.opening_is_a_bid:
            words = _("Open with {amount}: it binds you").format(amount=show(self.opening))
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
    """A deal that is to be offered; money in notes of 10k, negative to get some.

    aim         the deed that is pointed at
    was_warned  whether the player was warned that they ask for nothing in return
    """

    proposer: int
    partner: int
    gives: list[int] = field(default_factory=list)
    asks: list[int] = field(default_factory=list)
    pays: int = 0
    aim: int = 0
    was_warned: bool = False

    def toggle(self, state: State, deed: int) -> str:
        """Put a deed into the deal, or take it out; return "", or a reason's code.

        A deed of somebody else turns to them, if nothing is asked for yet.
        """
        owner = state.owner[deed]
        if owner < 0:
            return "unowned"
        if owner not in (self.proposer, self.partner):
            if self.asks:
                return "not-in-this-deal"
            self.turn_to(owner)
        side = self.gives if owner == self.proposer else self.asks
        if deed in side:
            side.remove(deed)
        else:
            side.append(deed)
        self.was_warned = False
        return ""

    def gives_away(self) -> bool:
        """Return whether something is given and nothing wanted for it."""
        return not self.asks and self.pays >= 0 and bool(self.gives or self.pays)

    def turn_to(self, partner: int) -> None:
        self.partner = partner
        self.asks.clear()
        self.was_warned = False

    def change_money(self, state: State, by: int) -> None:
        """Offer more or less, as far as both have it."""
        pays = self.pays + by
        self.was_warned = False
        self.pays = max(-state.cash[self.partner], min(state.cash[self.proposer], pays))

    def action(self) -> tuple:
        gives, asks = tuple(self.gives), tuple(self.asks)
        return ("offer", self.proposer, self.partner, gives, asks, self.pays, 0)


# Bids by key.

STEPS = (1, 5, 10, 25, 50, 100)  # notes of 10k that a bid adds
USUAL = STEPS.index(10)


class Bidding:
    """The steps of the players, and the bids that come of them."""

    def __init__(self, game: "Session") -> None:
        self._game = game
        self._places = [USUAL] * game.state.players
        self._seen: tuple[Auction, tuple[int, ...]] | None = None  # a sale, and its keys' bids

    def step(self, player: int) -> int:
        """Return how many notes a player's bid adds."""
        return STEPS[self._places[player]]

    def change_step(self, player: int, by: int) -> None:
        """Have a player's own bids add more, or less; the others' stay as they are."""
        self._places[player] = max(0, min(len(STEPS) - 1, self._places[player] + by))
        self.look()

    def next(self, player: int, steps: int = 1) -> int:
        """Return the bid of a player's key that adds `steps` of the player's steps."""
        state = self._game.state
        auction = state.auction
        assert auction is not None
        added = self.step(player) * steps
        if auction.bids:
            return auction.highest() + added
        least = max(auction.opening, state.board.money.least_bid)
        return least if steps == 1 else least + added

    def look(self) -> None:
        """Note the bids that the keys show; once a picture."""
        auction = self._game.state.auction
        amounts = tuple(self.next(player) for player in range(len(self._places))) if auction else ()
        self._seen = (auction, amounts) if auction is not None else None

    def bid(self, player: int, steps: int = 1) -> None:
        """Bid at once, all the money if it is less; the leader does not bid against themselves."""
        state = self._game.state
        if state.auction is None or state.auction.leader() == player:
            return
        is_of_this = self._seen is not None and self._seen[0] is state.auction
        if self._seen and is_of_this and self.next(player) > self._seen[1][player]:
            self._game.hint(_("The bid has changed: look, and press again"))
            return
        cash, amount = state.cash[player], self.next(player, steps)
        if amount > cash > state.auction.highest():
            amount = cash
        self._game.auctioneer.bid(player, amount)
