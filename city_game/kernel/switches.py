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
        lazy("The opening amount of an auction counts as a bid by the player who sets it."),
        lazy("Everybody else must exceed it, so it counts as a bid."),
        default=True,
    ),
    Switch(
        "doubtful_bids_count",
        lazy(
            "A bid counts by the best estimate of its time, even if the light may have gone "
            "out before."
        ),
        lazy("The estimate favours nobody; the log says that the bid was too close to be sure."),
        default=True,
    ),
    Switch(
        "passes_end_auctions",
        lazy("An auction ends early when nobody is left who wants to bid."),
        lazy("The book gives an auction up to 50 seconds, so it may end sooner."),
        default=True,
    ),
    Switch(
        "sales_go_on",
        lazy("A sale interrupted by closing the table resumes with its bids and the time left."),
        lazy(
            "So nobody gains from a power cut; with this off it is held again, and keeps the "
            "maxima."
        ),
        default=True,
    ),
    Switch(
        "jail_double_rolls_again",
        lazy("A double that gets a player out of jail also gives another roll."),
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
        lazy("Players may mortgage deeds on their turn without a debt."),
        lazy("The book mentions only a rent or tax that cannot be paid."),
    ),
    Switch(
        "reshuffle",
        lazy("Cards are reshuffled once all have been drawn, instead of repeating in order."),
        lazy("A drawn card goes under the pile, so the order repeats."),
    ),
    Switch(
        "until_one_is_left",
        lazy("The game is played until one player is left; the unit's hour does not end it."),
        lazy("With the hour everybody knows when the evening ends."),
    ),
    Switch(
        "nobody_is_out",
        lazy(
            "A player who cannot pay gives all to the creditor, owes nothing more, and plays on "
            "until the hour ends."
        ),
        lazy(
            "By the book bankrupts leave. It is on by default in an hour shorter than the "
            "box's, where nobody wants to sit and wait. A debt carried forward would consume "
            "every salary."
        ),
    ),
    Switch(
        "fine_ends_turn",
        lazy(
            "A player who pays the fine before the roll leaves jail, but moves only on the "
            "next turn."
        ),
        lazy("The book can be read both ways; with this off, nobody who has paid misses a turn."),
    ),
    Switch(
        "debtors_may_give",
        lazy("A debtor may give things away in a deal, even before going bankrupt."),
        lazy("The book does not limit deals; with this off, the creditor gets all that is left."),
        default=True,
    ),
    Switch(
        "finish_doubles",
        lazy("When the hour ends, the current turn still includes its doubles."),
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
        return isinstance(other, HouseRules) and self.settings() == other.settings()

    def settings(self) -> dict[str, bool]:
        """Return the settings of all switches."""
        return {switch.name: getattr(self, switch.name) for switch in self.switches}

    def lines(self) -> list[str]:
        """Return the settings as lines of a file; `as_stated` parses them."""
        return [
            f"rule {name} {'yes' if on else 'no'}"  # no text: in the file
            for name, on in self.settings().items()
        ]

    def bankrupts_play_on(self) -> bool:
        """Return whether bankrupts stay in the game, which a game until one is left rules out."""
        return self.nobody_is_out and not self.until_one_is_left

    def changed(self) -> dict[str, bool]:
        """Return the switches that differ from their defaults."""
        usual = {switch.name: switch.default for switch in self.switches}
        return {name: on for name, on in self.settings().items() if on != usual[name]}


def as_stated(switches: tuple[Switch, ...], lines: Iterable[str]) -> HouseRules:
    """Return the rules that the lines of a file state, without their first word.

    Raises KeyError unless they state each rule and no other, so that no game goes on by others.
    """
    parts = (line.partition(" ") for line in lines)
    stated = {name: answer == "yes" for name, _space, answer in parts}
    if odd := stated.keys() ^ {switch.name for switch in switches}:
        raise KeyError(min(odd))
    return HouseRules(switches, **stated)


def with_reversed(
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
