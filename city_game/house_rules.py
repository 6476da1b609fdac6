"""What the rulebook leaves open, decided: all of it, in this one place.

Each switch can be set otherwise, for one game, by its name. What is decided
without a switch stands in `DECISIONS`. The source of every line here is
"assumption"; what the rulebook does say is not ours to switch.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from city_game.errors import UserError, nearest


@dataclass(frozen=True)
class Switch:
    """One open question: how we answer it unless told otherwise, and why."""

    name: str
    default: bool
    says: str
    why: str


SWITCHES = (
    Switch(
        "opening_is_a_bid",
        True,
        "the opening amount of an auction is a bid of the player who sets it",
        "everybody else must go above it, so somebody must stand behind it",
    ),
    Switch(
        "doubtful_bids_count",
        True,
        "a bid counts by its best estimate, even if the light may have gone out before it",
        "the estimate errs in favour of nobody; the log says that it was too close to be sure",
    ),
    Switch(
        "stations_anywhere",
        False,
        "a station may be built on any district, not only on one's own",
        "building is told of one's own districts throughout",
    ),
    Switch(
        "travel_passes_go",
        True,
        "who travels by station goes forwards round the track, and takes the salary at GO",
        "the book names reaching the salary sooner as a use of stations",
    ),
    Switch(
        "jail_double_rolls_again",
        False,
        "the double that leaves jail also gives another roll",
        "the double is spent on leaving, as at most tables",
    ),
    Switch(
        "mortgage_freely",
        False,
        "districts may be mortgaged on one's turn without a debt",
        "the book speaks of a rent or tax that cannot be paid",
    ),
    Switch(
        "reshuffle",
        False,
        "chance cards are shuffled again when all were drawn, instead of coming in the same order",
        "a card drawn goes under the pile, so the order repeats",
    ),
    Switch(
        "estate_keeps_buildings",
        True,
        "deeds auctioned after a bankruptcy keep their buildings",
        "deals keep them too, and nothing says that they are cleared",
    ),
    Switch(
        "finish_doubles",
        True,
        "when the hour ends, the running turn goes on through its doubles",
        "a double is part of the turn",
    ),
)

DECISIONS = (
    "Bids, deals and prices are multiples of 10k, and nobody bids money they lack.",
    "Whoever cannot open at 10k opens without a bid; an auction without bids leaves all as it was.",
    "A rent, tax or fine that is due is paid at once, unless the rent dodge card leaves a choice.",
    "Stadium, skyscraper, tower, clearing a hazard and lifting a mortgage need no permit, and are "
    "done on one's own turn, before the roll or after the move.",
    "Nothing is built on a mortgaged district; a district has one bonus or hazard, one station.",
    "Several hazards of a kind are in the box; when no piece can be placed, permission lapses.",
    "A doubled rent needs the skyscraper, or the tower, to be the same owner's; being mortgaged "
    "does not stop it from doubling.",
    "A mortgage stays with its deed in a deal, and in a bankruptcy to a player; the bank auctions "
    "deeds free of mortgage.",
    "Mortgaging pays the rent at that time, doubled if it is; lifting costs just that.",
    "After a bankruptcy the rent dodge card goes back to free parking, and other debts lapse.",
    "A station takes who lands on it one journey far, also from another's district (rent paid "
    "first) and from one just bought or auctioned; arriving by station ends it.",
    "A deal is offered when a player is to decide something, but neither in an auction nor while "
    "a bonus or hazard is placed; the light going out without an answer ends it.",
    "When every chance card is kept in somebody's hand, none is drawn.",
    "Landing on the jail space is only a visit. Sent to jail, the turn ends without building.",
    "A permit that the unit refuses does not use BUILD up, except past the hour.",
    "A player in jail presses BUILD after each try at a double, as after any roll.",
    "Equal worth at the end shares the win.",
    "The dice decide who starts, tied players roll again; the order of seats is the turn order.",
)


class HouseRules:
    """The switches as they stand for one game, each an attribute."""

    __slots__ = tuple(switch.name for switch in SWITCHES)

    opening_is_a_bid: bool
    doubtful_bids_count: bool
    stations_anywhere: bool
    travel_passes_go: bool
    jail_double_rolls_again: bool
    mortgage_freely: bool
    reshuffle: bool
    estate_keeps_buildings: bool
    finish_doubles: bool

    def __init__(self, **changed: bool) -> None:
        for switch in SWITCHES:
            setattr(self, switch.name, changed.pop(switch.name, switch.default))
        if changed:
            raise KeyError(next(iter(changed)))

    def changed(self) -> dict[str, bool]:
        """Return the switches that are not at their default."""
        return {
            switch.name: getattr(self, switch.name)
            for switch in SWITCHES
            if getattr(self, switch.name) != switch.default
        }


def otherwise(names: Iterable[str]) -> HouseRules:
    """Return the rules with the named switches set against their defaults.

    Raises UserError for a name that is none of them.
    """
    defaults = {switch.name: switch.default for switch in SWITCHES}
    for name in names:
        if name not in defaults:
            close = nearest(name, defaults)
            hint = f'did you mean "{close}"?' if close else "`city-game rules` lists them"
            raise UserError(f'there is no house rule "{name}"; {hint}')
    return HouseRules(**{name: not defaults[name] for name in names})
