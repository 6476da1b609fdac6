"""Switches: what a rulebook leaves open, and how it is played in one game.

The kernel asks for these of every edition, which lists them among its own with its defaults:
opening_is_a_bid, doubtful_bids_count, passes_end_auctions, sales_go_on, deals_by_the_light,
nobody_is_out, jail_double_rolls_again, mortgage_freely, reshuffle, estate_keeps_buildings,
until_one_is_left, fine_ends_turn, debtors_may_give, finish_doubles.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from city_unit.desktop.catalogue import Lazy, _
from city_unit.desktop.errors import UserError, nearest

# Minutes, as long as the box's own hour: in a shorter game nobody is out unless that is chosen.
WHOLE_HOUR = 60


@dataclass(frozen=True)
class Switch:
    """An open question: how we answer it unless a game is set otherwise, and why.

    name  as files and `--rule` have it
    says  the rule that is played when it is on, a sentence
    why   why the default is so, a sentence
    """

    name: str
    default: bool
    says: Lazy
    why: Lazy


class HouseRules:
    """The switches of an edition as they stand for one game, each an attribute."""

    def __init__(self, switches: tuple[Switch, ...], **changed: bool) -> None:
        self.switches = switches
        for switch in switches:
            setattr(self, switch.name, changed.pop(switch.name, switch.default))
        if changed:
            raise KeyError(next(iter(changed)))

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> bool: ...

        def __setattr__(self, name: str, value: object) -> None: ...

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HouseRules) and self.stated() == other.stated()

    __hash__ = None  # type: ignore[assignment]

    def stated(self) -> dict[str, bool]:
        """Return all switches, as they stand."""
        return {switch.name: getattr(self, switch.name) for switch in self.switches}

    def bankrupts_play_on(self) -> bool:
        """Return whether nobody leaves the game; until one is left, somebody has to."""
        return self.nobody_is_out and not self.until_one_is_left

    def changed(self) -> dict[str, bool]:
        """Return the switches that are not at their default."""
        stated = self.stated()
        return {
            switch.name: stated[switch.name]
            for switch in self.switches
            if stated[switch.name] != switch.default
        }


def is_short(minutes: int) -> bool:
    """Return whether an hour of so many minutes is short; 0 is as the unit is set, and is not."""
    return 0 < minutes < WHOLE_HOUR


def otherwise(switches: tuple[Switch, ...], names: Iterable[str], minutes: int = 0) -> HouseRules:
    """Return the rules of a game of `minutes`, the named switches set against their defaults.

    Raises UserError for a name that is none of them.
    """
    defaults = {switch.name: switch.default for switch in switches}
    defaults["nobody_is_out"] = is_short(minutes)
    for name in names:
        if name not in defaults:
            close = nearest(name, defaults)
            if close:
                unknown = _('there is no house rule "{name}"; did you mean "{close}"?')
            else:
                unknown = _('there is no house rule "{name}"; `city-game rules` lists them')
            raise UserError(unknown.format(name=name, close=close))
    return HouseRules(switches, **(defaults | {name: not defaults[name] for name in names}))
