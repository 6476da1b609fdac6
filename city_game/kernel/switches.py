"""Switches: questions that a rulebook leaves open, and the answers of one game."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from city_unit.desktop.catalogue import Lazy, _, lazy
from city_unit.desktop.errors import UserError, nearest


@dataclass(frozen=True)
class Switch:
    """An open question as a house rule that is on or off.

    name  in files and for `--rule`
    says  the rule when it is on, as a sentence
    why   the reason for the default, as a sentence
    """

    name: str
    says: Lazy
    why: Lazy
    default: bool = False


# The switches that the kernel reads.
_USUAL = (
    Switch(
        "opening_is_a_bid",
        lazy("The opening amount of an auction is a bid of the player who sets it."),
        lazy("Everybody else must go above it, so somebody must stand behind it."),
        default=True,
    ),
    Switch(
        "doubtful_bids_count",
        lazy("A bid counts by its best estimate, even if the light may have gone out before it."),
        lazy(
            "The estimate errs in favour of nobody; the log says that it was too close to be sure."
        ),
        default=True,
    ),
    Switch(
        "passes_end_auctions",
        lazy(
            "When nobody is left who wants to bid, an auction ends before its light would go out."
        ),
        lazy("The book gives an auction up to 50 seconds, and so does not ask to wait for nobody."),
        default=True,
    ),
    Switch(
        "sales_go_on",
        lazy("A sale that the table's end interrupts goes on with its bids and the time left."),
        lazy("Nobody gains by a cut of the power; otherwise it is held again, maxima kept."),
        default=True,
    ),
    Switch(
        "jail_double_rolls_again",
        lazy("The double that leaves jail also gives another roll."),
        lazy("The double is spent on leaving, as at most tables."),
    ),
    Switch(
        "deals_by_the_light",
        lazy(
            "A deal is offered by pressing AUCTION, and must be agreed before the light goes out."
        ),
        lazy("The book gives a deal the time of an auction."),
        default=True,
    ),
    Switch(
        "mortgage_freely",
        lazy("Deeds may be mortgaged on one's turn without a debt."),
        lazy("The book speaks of a rent or tax that cannot be paid."),
    ),
    Switch(
        "reshuffle",
        lazy(
            "Chance cards are shuffled again when all were drawn, instead of coming in the same "
            "order."
        ),
        lazy("A card drawn goes under the pile, so the order repeats."),
    ),
    Switch(
        "until_one_is_left",
        lazy("The game is played until one player is left; the unit's hour does not end it."),
        lazy("The book names both ways; by the hour one knows when the evening ends."),
    ),
    Switch(
        "nobody_is_out",
        lazy(
            "A player who cannot pay gives all to the creditor, owes nothing more, and plays on "
            "until the hour ends."
        ),
        lazy(
            "The book has bankrupts leave; it is on where an hour is shorter than the box's, "
            "in which nobody comes to sit and wait. A debt carried on would take every salary."
        ),
    ),
    Switch(
        "fine_ends_turn",
        lazy("A player who pays to leave jail before the roll plays on in the next turn only."),
        lazy("The book's words can be read both ways; so nobody is skipped who has paid."),
    ),
    Switch(
        "debtors_may_give",
        lazy("A debtor may give things away in a deal, even before going bankrupt."),
        lazy("The book sets no limit to deals; without it the creditor gets all that is left."),
        default=True,
    ),
    Switch(
        "finish_doubles",
        lazy("When the hour ends, the running turn goes on through its doubles."),
        lazy("A double is part of the turn."),
        default=True,
    ),
)


def usual(*without: str, **reversed_for: Lazy) -> tuple[Switch, ...]:
    """Return the kernel's switches for an edition, without some of them.

    reversed_for  by switch: the reason why this edition reverses its default
    """
    return tuple(
        replace(switch, default=not switch.default, why=reversed_for[switch.name])
        if switch.name in reversed_for
        else switch
        for switch in _USUAL
        if switch.name not in without
    )


class HouseRules:
    """The settings of an edition's switches in one game, each as an attribute."""

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

    def stated(self) -> dict[str, bool]:
        """Return the settings of all switches."""
        return {switch.name: getattr(self, switch.name) for switch in self.switches}

    def bankrupts_play_on(self) -> bool:
        """Return whether bankrupts stay in the game, which a game until one is left rules out."""
        return self.nobody_is_out and not self.until_one_is_left

    def changed(self) -> dict[str, bool]:
        """Return the switches that differ from their defaults."""
        usual = {switch.name: switch.default for switch in self.switches}
        return {name: on for name, on in self.stated().items() if on != usual[name]}


def otherwise(
    switches: tuple[Switch, ...],
    names: Iterable[str],
    is_short: bool = False,
    lists: str = "city-game rules",  # no text: a command
) -> HouseRules:
    """Return the rules of a game with the named switches reversed.

    is_short  whether the game is shorter than its book's; then bankrupts play on by default
    lists     the command that lists the switches, named in the error

    Raises UserError for an unknown name.
    """
    defaults = {switch.name: switch.default for switch in switches}
    if is_short:
        defaults["nobody_is_out"] = True
    for name in names:
        if name not in defaults:
            close = nearest(name, defaults)
            if close:
                unknown = _('there is no house rule "{name}"; did you mean "{close}"?')
            else:
                unknown = _('there is no house rule "{name}"; `{command}` lists them')
            raise UserError(unknown.format(name=name, close=close, command=lists))
    return HouseRules(switches, **(defaults | {name: not defaults[name] for name in names}))
