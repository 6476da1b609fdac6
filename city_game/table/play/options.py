"""The actions that are possible now: as options that a key or a click can choose."""

from collections.abc import Callable
from dataclasses import dataclass, field

from city_game.kernel.engine import legal_actions
from city_game.kernel.money import show
from city_game.kernel.state import State
from city_game.table.play.session import Session
from city_unit.desktop.catalogue import _, lazy

ACTIONS = {
    "roll": lazy("Roll the dice"),
    "pay fine": lazy("Pay the fine of {price}"),
    "use card": lazy("Use the jail card"),
    "move on": lazy("Go on"),
    "buy": lazy("Buy {district} for {price}"),
    "put up": lazy("Have it auctioned"),
    "pay": lazy("Pay {price}"),
    "mortgage": lazy("Mortgage a district"),
    "bankrupt": lazy("Go bankrupt"),
    "end turn": lazy("End the turn"),
    "lift": lazy("Lift a mortgage"),
    "accept": lazy("Accept the deal"),
    "decline": lazy("Decline it"),
}

TARGETS = {
    "lift": lazy("costs {price}"),
    "mortgage": lazy("brings {price}"),
    "put up": lazy("its printed price is {price}"),
    "travel": lazy("{price} there"),
}


LETTERS = {
    "roll": "r",
    "end turn": "e",
    "buy": "y",
    "pay": "p",
    "pay fine": "p",
    "use card": "c",
    "accept": "y",
    "decline": "n",
    "move on": "r",
    "bankrupt": "k",
}


@dataclass
class Option:
    """One thing that can be done.

    action      of the rules; None if a deed must be chosen first, or if the table does it
    targets     for each deed that can be chosen, the action that is then done
    calls       the action of the table itself: "auction", "build", "offer", "undo", "hour", "pass"
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
        fields = state.edition.actions[name].fields
        if name == "press":
            gathered[action] = Option(_("BUILD: draw a permit"), "b", calls="build")
        elif name == "put up":
            _add_target(gathered, action[:1], action[1], action)
        elif "district" in fields:
            at = fields.index("district") + 1
            _add_target(gathered, (*action[:at], *action[at + 1 :]), action[at], action)
        elif len(action) == 1:
            key = {**LETTERS, **state.edition.words.letters}.get(name, "")
            gathered[action] = Option(_label(session, action), key, action)
    options = []
    for key, option in gathered.items():
        if option.targets:
            option.label = _target_label(state, key, option.targets)
            option.has_amount = key[0] == "put up"
            if key[0] == "put up":
                option.key = "o"
        options.append(option)
    options.sort(key=lambda option: _rank(state.phase, option))
    if (
        "offer" in state.edition.phases[state.phase]
        and len(session.names) - state.alive.count(False) > 1
    ):
        options.append(Option(_("Offer a deal"), "t", calls="offer"))
    return options


def _add_target(gathered: dict, key: tuple, deed: int, action: tuple) -> None:
    gathered.setdefault(key, Option("")).targets[deed] = action


FIRST = ("buy", "roll", "dodge", "pay", "move on", "accept", "pay fine", "use card")
LAST = ("end turn", "done", "leave", "stay", "decline", "bankrupt")


def _rank(phase: str, option: Option) -> int:
    """Put the usual option first; leaving off comes last, but ending a turn comes early."""
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
    return (state.edition.words.options.get(action[0]) or ACTIONS[action[0]]).format(**values)


def _target_label(state: State, key: tuple, targets: dict[int, tuple]) -> str:
    words = state.edition.words
    return words.label(state, key, targets) or str(words.options.get(key[0]) or ACTIONS[key[0]])


def rolls_again(state: State) -> bool:
    """Return whether the turn goes on with another roll after this."""
    again = bool(state.doubles) and not state.stopped and state.alive[state.turn]
    return again and (not state.hour_over or state.rules.finish_doubles)


def target_detail(session: Session, action: tuple) -> str:
    """Return the cost or the gain of an action on a deed, for the player that may choose it."""
    state, name = session.state, action[0]
    theirs = state.edition.words
    detail = theirs.target_detail(state, action)
    if detail is not None:
        return detail
    words = theirs.targets.get(name) or TARGETS.get(name)
    price = theirs.prices.get(name) or PRICES.get(name)
    return words.format(price=show(price(state, action[1])) if price else "") if words else ""


# action: the cost or the gain of it with a deed
PRICES: dict[str, Callable[[State, int], int]] = {
    "lift": lambda state, deed: state.edition.redemption(state, deed),
    "mortgage": lambda state, deed: state.edition.loan(state, deed),
    "put up": lambda state, deed: state.board.prices[deed],
}
