"""What can be done now: the legal actions as options that a key or a click can choose."""

from dataclasses import dataclass, field

from city_game.editions.money import show
from city_game.kernel.building import clearing_cost
from city_game.kernel.engine import legal_actions
from city_game.kernel.rents import rent, rent_beside_hazard, rent_with
from city_game.kernel.state import State
from city_game.table.play.deed_words import PIECES
from city_game.table.play.session import Session
from city_unit.desktop.catalogue import _, lazy, nlazy

DEALS_IN = (
    "roll",
    "jail",
    "unsold",
    "auction space",
    "debt",
    "travel",
    "manage",
    "build",
    "station",
)

BUILD = {
    "residential": nlazy("Build {count} home, {price}", "Build {count} homes, {price}"),
    "industrial": nlazy("Build {count} factory, {price}", "Build {count} factories, {price}"),
}

ACTIONS = {
    "roll": lazy("Roll the dice"),
    "pay fine": lazy("Pay the fine of {price}"),
    "use card": lazy("Use the jail card"),
    "move on": lazy("Go on"),
    "buy": lazy("Buy {district} for {price}"),
    "put up": lazy("Have it auctioned"),
    "leave": lazy("Leave it"),
    "pay": lazy("Pay {price}"),
    "dodge": lazy("Use the rent dodge card"),
    "mortgage": lazy("Mortgage a district"),
    "bankrupt": lazy("Go bankrupt"),
    "travel": lazy("Take the train"),
    "stay": lazy("Stay here"),
    "end turn": lazy("End the turn"),
    "done": lazy("Build no more"),
    "station": lazy("Build the station"),
    "stadium": lazy("Build a stadium, {price}"),
    "skyscraper": lazy("Build a skyscraper"),
    "tower": lazy("Build the tower, {price}"),
    "clear": lazy("Clear a hazard"),
    "lift": lazy("Lift a mortgage"),
    "accept": lazy("Accept the deal"),
    "decline": lazy("Decline it"),
}

TARGETS = {
    "clear": lazy("costs {price}"),
    "lift": lazy("costs {price}"),
    "mortgage": lazy("brings {price}"),
    "skyscraper": lazy("costs {price}; doubles the group's rents"),
    "stadium": lazy("costs {price}; more salary at each GO"),
    "tower": lazy("costs {price}; doubles all your rents"),
    "put up": lazy("its printed price is {price}"),
    "station": lazy("free"),
    "travel": lazy("{price} there"),
}


LETTERS = {
    "roll": "r",
    "end turn": "e",
    "buy": "y",
    "pay": "p",
    "dodge": "d",
    "pay fine": "p",
    "use card": "c",
    "leave": "l",
    "stay": "s",
    "accept": "y",
    "decline": "n",
    "done": "e",
    "move on": "r",
    "bankrupt": "k",
}


@dataclass
class Option:
    """One thing that can be done.

    action      what it does; None if a deed must be chosen first, or if the table does it
    targets     for each deed that can be chosen, what is then done
    calls       what the table does itself: "auction", "build", "offer", "undo", "hour", "pass"
    has_amount  whether the action ends with an opening amount that can be changed
    """

    label: str
    key: str = ""
    action: tuple | None = None
    targets: dict[int, tuple] = field(default_factory=dict)
    calls: str = ""
    has_amount: bool = False


def options_of(session: Session) -> list[Option]:
    """Gather the legal actions: those that differ only by the deed become one option."""
    state = session.state
    gathered: dict[tuple, Option] = {}
    for action in legal_actions(state):
        name = action[0]
        if name == "press":
            gathered[action] = Option(_("BUILD: draw a permit"), "b", calls="build")
        elif name == "place":
            _add_target(gathered, action[:2], action[2], action)
        elif name == "build":
            _add_target(gathered, (name, *action[2:]), action[1], action)
        elif len(action) > 1:
            _add_target(gathered, action[:1], action[1], action)
        else:
            gathered[action] = Option(_label(session, action), LETTERS.get(name, ""), action)
    options = []
    for key, option in gathered.items():
        if option.targets:
            option.label = _target_label(session, key, option.targets)
            option.has_amount = key[0] == "put up"
            if key[0] == "put up":
                option.key = "o"
        options.append(option)
    options.sort(key=lambda option: _rank(state.phase, option))
    if state.phase in DEALS_IN and len(session.names) - state.alive.count(False) > 1:
        options.append(Option(_("Offer a deal"), "t", calls="offer"))
    return options


def _add_target(gathered: dict, key: tuple, deed: int, action: tuple) -> None:
    gathered.setdefault(key, Option("")).targets[deed] = action


FIRST = ("buy", "roll", "dodge", "pay", "move on", "accept", "pay fine", "use card")
LAST = ("end turn", "done", "leave", "stay", "decline", "bankrupt")


def _rank(phase: str, option: Option) -> int:
    """Put what is usually wanted first; leaving off comes last, but ending a turn comes early."""
    name = option.action[0] if option.action else ""
    if option.calls == "build":  # once a roll, and so before the turn is ended
        return 0
    if name == "end turn":
        return 1
    if name in FIRST:
        return 2
    if name in LAST:
        return 9
    return 5


def _label(session: Session, action: tuple) -> str:
    state = session.state
    board = state.board
    values = {}
    if action[0] == "end turn" and rolls_again(state):
        return _("Go on to the next roll")
    if action[0] == "bankrupt" and state.rules.bankrupts_play_on():
        return _("Give all you have, and play on")
    if action[0] == "buy":
        deed = board.deed_on[state.place[state.turn]]
        values = {"price": show(board.prices[deed]), "district": board.deeds[deed].name}
    elif action[0] == "pay":
        values = {"price": show(state.debts[0][2])}
    elif action[0] == "pay fine":
        values = {"price": show(board.money.jail_fine)}
    return ACTIONS[action[0]].format(**values)


def _target_label(session: Session, key: tuple, targets: dict[int, tuple]) -> str:
    board = session.state.board
    money = board.money
    if key[0] == "place":
        return _("Place: {piece}").format(piece=PIECES[key[1]])
    if key[0] == "build":
        prices = [key[2] * board.block_prices[key[1]][deed] for deed in targets]
        price = show(min(prices))
        if min(prices) < max(prices):
            price = _("from {price}").format(price=price)
        return BUILD[key[1]].format(count=key[2], price=price)
    prices = {"stadium": show(money.stadium), "tower": show(money.tower)}
    return ACTIONS[key[0]].format(price=prices.get(key[0], ""))


def rolls_again(state: State) -> bool:
    """Return whether the turn goes on with another roll after this."""
    again = bool(state.doubles) and not state.stopped and state.alive[state.turn]
    return again and (not state.hour_over or state.rules.finish_doubles)


def target_detail(session: Session, action: tuple) -> str:
    """Return what an action on a deed costs or brings, for whoever is about to choose it."""
    state = session.state
    board = state.board
    name = action[0]
    if name == "build":
        deed, kind, blocks = action[1:]
        before, price = rent(state, deed), blocks * board.block_prices[kind][deed]
        after = rent_with(state, deed, kind, blocks)
        words = {"price": show(price), "rent": show(before), "after": show(after)}
        return _("costs {price}; the rent goes from {rent} to {after}").format(**words)
    if name == "place":
        return _placed_detail(state, *action[1:])
    deed = action[1]
    price = {
        "clear": lambda: clearing_cost(state, deed),
        "lift": lambda: state.mortgage[deed],
        "mortgage": lambda: rent(state, deed),
        "skyscraper": lambda: board.groups[board.group_of[deed]].skyscraper,
        "stadium": lambda: board.money.stadium,
        "tower": lambda: board.money.tower,
        "put up": lambda: board.prices[deed],
        "travel": lambda: board.prices[deed] if state.owner[deed] < 0 else rent(state, deed),
    }.get(name)
    words = TARGETS.get(name)
    return words.format(price=show(price()) if price else "") if words else ""


def _placed_detail(state: State, piece: str, deed: int) -> str:
    """Return what a piece of the planning permission would do to a deed."""
    if piece not in state.box_hazards:
        return _("free; no hazard can come here then")
    before, after = rent(state, deed), rent_beside_hazard(state, deed)
    if before == after:
        return _("free; the rent stays {rent}").format(rent=show(before))
    words = {"rent": show(before), "after": show(after)}
    return _("free; the rent goes from {rent} to {after}").format(**words)
