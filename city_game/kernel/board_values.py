"""Readers of the values in a board's file: names, sums, spaces, and the effects of cards.

A reader takes a value as written in the file and returns its meaning; it raises ValueError with
the mistake and the nearest right word.
"""

import re
from collections.abc import Callable, Sequence

from city_game.kernel import money
from city_game.kernel.board import Deed
from city_unit.desktop import toml_reader
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import did_you_mean, nearest
from city_unit.desktop.forms import all_of

FORMAT = 1

# The effects of cards in any edition: the pattern of the words, the rules' name of the effect, and
# an example.
SUM = r"(\d[\d.]*\s*[kM])"
CARDS = (
    (
        rf"receive {SUM} from each",
        "receive from each",
        "receive 200k from each",  # no text: in the file
    ),
    (rf"pay {SUM} to each", "pay each", "pay 100k to each"),  # no text: in the file
    (rf"receive {SUM}", "receive", "receive 500k"),
    (rf"pay {SUM}", "pay", "pay 500k"),
    (r"move (-?\d+)", "move", "move -3"),
    (r"go to jail", "jail", "go to jail"),
    (r"go to (.+)", "go to", "go to go"),  # no text: in the file
    (r"leave jail free", "leave jail", "leave jail free"),  # no text: in the file
)

COUNT = toml_reader.integer(0, 99)  # of pieces


def version(value: object) -> int:
    if type(value) is not int or value != FORMAT:  # True is 1
        words = _("it must be {version}, the version of this file format")
        raise ValueError(words.format(version=FORMAT))
    return FORMAT


def some_text(value: object) -> str:
    if not toml_reader.text(value).strip():
        raise ValueError(_("it must be a text in quotes, and not empty"))
    return toml_reader.text(value)


def deed_name(kinds: tuple[str, ...]) -> Callable[[object], str]:
    """Return a reader of the name of a deed, which is none of these kinds of space."""

    def read(value: object) -> str:
        name = some_text(value)
        if name.lower() in kinds or name.lower().startswith("tax "):
            words = _('"{name}" is a kind of space, and names no district')
            raise ValueError(words.format(name=name))
        return name

    return read


def colour(value: object) -> str:
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", toml_reader.text(value)):
        raise ValueError(_('a colour is like "#2f6db5"'))
    return toml_reader.text(value)


def sum_of_money(value: object) -> int:
    """Read a sum of money in notes of 10k."""
    notes = money.parse(value)
    if not notes:
        raise ValueError(_("it must be more than nothing"))
    return notes


def rents(most: int) -> Callable[[object], tuple[int, ...]]:
    """Return a reader of the rents for 0 to `most` blocks; no rent is below the one before it."""

    def read(value: object) -> tuple[int, ...]:
        sums = toml_reader.list_of(sum_of_money, most + 1, most + 1)(value)
        for blocks in range(most):
            if sums[blocks + 1] < sums[blocks]:
                words = _("the rent for {more} blocks is below that for {fewer}")
                raise ValueError(words.format(more=blocks + 1, fewer=blocks))
        return sums

    return read


def space(written: object, deeds: Sequence[Deed], plain: tuple[str, ...]) -> tuple[str, int, int]:
    """Return a space's kind, the district there or -1, and the tax there or 0."""
    name = toml_reader.text(written)
    word = name.lower()
    deed = called(name, deeds)
    if deed >= 0:
        return "district", deed, 0
    if word.startswith("tax "):
        return "tax", -1, sum_of_money(name[4:])
    if word in plain:
        return word, -1, 0
    kinds = (*plain, "tax 1M")
    near = nearest(name, [*kinds, *(deed.name for deed in deeds)])
    if near:
        unknown = _('"{name}" is unknown, did you mean "{near}"?')
    else:
        unknown = _('no district is called "{name}", and the other spaces are {kinds}')
    raise ValueError(unknown.format(name=name, near=near, kinds=all_of(kinds)))


def effect(
    deeds: Sequence[Deed], spaces: int, more: Sequence[tuple[str, str, str]]
) -> Callable[[object], tuple[str, int]]:
    """Return a reader of a card's effect, and its amount or target; `more` extends `CARDS`."""

    def read(value: object) -> tuple[str, int]:
        does = toml_reader.text(value)
        for pattern, meaning, _example in (*more, *CARDS):
            if found := re.fullmatch(pattern, does, re.IGNORECASE):
                target = found[1] if found.groups() else "0"
                if meaning == "go to":
                    return meaning, _place(target, deeds)
                number = re.fullmatch(r"-?\d+", target)
                amount = int(target) if number else sum_of_money(target)
                if meaning == "move" and spaces and not 1 <= abs(amount) <= spaces - 1:
                    words = _("a move is 1 to {most} spaces, either way")
                    raise ValueError(words.format(most=spaces - 1))
                return meaning, amount
        unknown = _('"{does}" is unknown{hint}')
        examples = [example for _pattern, _meaning, example in (*CARDS, *more)]
        raise ValueError(unknown.format(does=does, hint=did_you_mean(does, examples)))

    return read


def _place(name: str, deeds: Sequence[Deed]) -> int:
    """Return the space of a district, or of GO."""
    if name.lower() == "go":
        return 0
    deed = called(name, deeds)
    if deed >= 0:
        return deeds[deed].space
    near = nearest(name, ["go", "jail", *(deed.name for deed in deeds)])
    if near:
        unknown = _('"{name}" is unknown, did you mean "{near}"?')
    else:
        unknown = _('there is no "{name}" to go to; it may be "go", "jail" or a district')
    raise ValueError(unknown.format(name=name, near=near))


def called(name: str, deeds: Sequence[Deed]) -> int:
    """Return the place of the first district of that name, -1 if there is none."""
    names = [deed.name.lower() for deed in deeds]
    return names.index(name.lower()) if name.lower() in names else -1
