"""Boards: the printed facts as plain lists, indexed by space, deed or group; and board files.

Editions subclass these classes and the reader for the further facts on their boards.

docs/editions.md describes the file format. As in `toml_reader`, a reader of a value takes the TOML
value and returns its meaning, or raises ValueError with the error and the nearest valid word. The
reading continues after an error, so that one check reports all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from importlib import resources
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from city_game.kernel import money
from city_unit.desktop import toml_reader
from city_unit.desktop.catalogue import _, lazy, ngettext
from city_unit.desktop.errors import UserError, did_you_mean, nearest
from city_unit.desktop.files import cannot_read
from city_unit.desktop.forms import all_of
from city_unit.desktop.toml_reader import FileError, Reader, Table

if TYPE_CHECKING:
    from importlib.abc import Traversable

    from city_game.kernel.edition import Edition

SPACES = ("go", "chance", "tax", "jail", "parking", "go to jail")  # shared by all editions


@dataclass
class Deed:
    """A property that players can own; prices and rents in notes of 10k.

    rents  the printed rents, the bare rent first
    space  its index on the track
    """

    name: str
    key: str
    group: int
    price: int
    rents: tuple[int, ...]
    space: int = -1


@dataclass
class Group:
    """Deeds of one colour, `#rrggbb`."""

    name: str
    colour: str
    deeds: tuple[int, ...] = ()


@dataclass
class Card:
    """A card: its text, its effect with an amount or target, and the kind of space of its deck."""

    text: str
    does: str
    amount: int = 0
    deck: str = "chance"


@dataclass
class Money:
    """The sums that belong to no deed, in notes of 10k."""

    start: int
    salary: int
    jail_fine: int
    least_bid: int


class Board:
    """All printed facts of a board. Treat it as constant: games share it.

    edition  the edition that the board belongs to
    kinds    by space: one of the edition's kinds of space, or "district" for a deed
    deed_on  by space: the deed, -1 for none
    taxes    by space: the tax in notes of 10k, 0 for none
    text     the text of the file from which it was read
    """

    def __init__(
        self,
        edition: Edition,
        name: str,
        money: Money,
        groups: list[Group],
        deeds: list[Deed],
        kinds: list[str],
        deed_on: list[int],
        taxes: list[int],
        cards: list[Card],
        text: str,
    ) -> None:
        self.edition = edition
        self.name = name
        self.money = money
        self.groups = groups
        self.deeds = deeds
        self.kinds = kinds
        self.deed_on = deed_on
        self.taxes = taxes
        self.cards = cards
        self.text = text
        self.size = len(kinds)
        self.jail = kinds.index("jail")
        self.keys = {deed.key: index for index, deed in enumerate(deeds)}
        # The facts that the rules read most often, as plain lists.
        self.prices = [deed.price for deed in deeds]
        self.rents = [deed.rents for deed in deeds]
        self.group_of = [deed.group for deed in deeds]
        self.members = [group.deeds for group in groups]
        self.sizes = [len(group.deeds) for group in groups]
        self.space_of = [deed.space for deed in deeds]

    def name_of(self, thing: int | str) -> str:
        """Return the name of a deed, or the name for people of one of the edition's lots."""
        if isinstance(thing, str):
            return str(self.edition.words.lots[thing])
        return self.deeds[thing].name


# Boards as files.

FORMAT = 1

# The card effects of all editions: the pattern of the text in a file, the name of the effect in the
# rules, and an example.
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
    text = toml_reader.text(value)
    # A terminal obeys control characters. A tab and U+0085, pasted from web pages, are harmless.
    if not text.strip() or re.search(r"[\0-\x08\n-\x1f\x7f-\x84\x86-\x9f]", text):
        raise ValueError(_("it must be a non-empty string in quotes, without control characters"))
    return text


def deed_name(kinds: tuple[str, ...]) -> Callable[[object], str]:
    """Return a reader of a deed's name, which must differ from these kinds of space."""

    def read(value: object) -> str:
        name = some_text(value)
        if name.lower() in kinds or name.lower().startswith("tax "):
            words = _('"{name}" is a kind of space and cannot name a district')
            raise ValueError(words.format(name=name))
        return name

    return read


def colour(value: object) -> str:
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", toml_reader.text(value)):
        raise ValueError(_('a colour is written like "#2f6db5"'))
    return toml_reader.text(value)


def sum_of_money(value: object) -> int:
    """Read a sum of money in notes of 10k."""
    notes = money.parse(value)
    if not notes:
        raise ValueError(_("it must be more than 0"))
    return notes


def rents(most: int) -> Callable[[object], tuple[int, ...]]:
    """Return a reader of the rents for 0 to `most` blocks, which must not decrease."""

    def read(value: object) -> tuple[int, ...]:
        sums = toml_reader.list_of(sum_of_money, most + 1, most + 1)(value)
        for blocks in range(most):
            if sums[blocks + 1] < sums[blocks]:
                words = _("the rent for {more} blocks is below that for {fewer}")
                raise ValueError(words.format(more=blocks + 1, fewer=blocks))
        return sums

    return read


def unknown(name: str, right: Sequence[str], otherwise: str, **words: str) -> ValueError:
    """Return an error for an unknown name, with the nearest valid one, else with `otherwise`."""
    near = nearest(name, right)
    said = _('"{name}" is unknown, did you mean "{near}"?') if near else otherwise
    return ValueError(said.format(name=name, near=near, **words))


def space(written: object, deeds: Sequence[Deed], plain: tuple[str, ...]) -> tuple[str, int, int]:
    """Parse an entry of the track into its kind, its district or -1, and its tax or 0."""
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
    other = _('there is no district "{name}"; the other spaces are {kinds}')
    raise unknown(name, [*kinds, *(deed.name for deed in deeds)], other, kinds=all_of(kinds))


def effect(
    deeds: Sequence[Deed], spaces: int, more: Sequence[tuple[str, str, str]]
) -> Callable[[object], tuple[str, int]]:
    """Return a reader of a card's effect and its amount or target; `more` extends `CARDS`."""

    def read(value: object) -> tuple[str, int]:
        does = toml_reader.text(value)
        for pattern, meaning, _example in (*more, *CARDS):
            if not (found := re.fullmatch(pattern, does, re.IGNORECASE)):
                continue
            target = found[1] if found.groups() else "0"
            if meaning == "go to":
                deed = called(target, deeds)
                if deed >= 0 or target.lower() == "go":
                    return meaning, deeds[deed].space if deed >= 0 else 0
                other = _('there is no "{name}" to go to; it may be "go", "jail" or a district')
                right = ("go", "jail", *(deed.name for deed in deeds))
                raise unknown(target, right, other)
            number = re.fullmatch(r"-?\d+", target)
            amount = int(target) if number else sum_of_money(target)
            if meaning == "move" and spaces and not 1 <= abs(amount) <= spaces - 1:
                words = _("a move is 1 to {most} spaces, forwards or backwards")
                raise ValueError(words.format(most=spaces - 1))
            return meaning, amount
        examples = [example for _pattern, _meaning, example in (*CARDS, *more)]
        hint = did_you_mean(does, examples)
        raise ValueError(_('"{does}" is unknown{hint}').format(does=does, hint=hint))

    return read


def called(name: str, deeds: Sequence[Deed]) -> int:
    """Return the index of the first district with that name, -1 if there is none."""
    names = [deed.name.lower() for deed in deeds]
    return names.index(name.lower()) if name.lower() in names else -1


def load(edition: Edition, name: str = "") -> Board:
    """Load a board by its name or from a file; by default the edition's own.

    Raises UserError with the first error and the number of further ones.
    """
    name = name or edition.board
    board, errors = parse(edition, text_of(edition, name))
    if board is not None:
        return board
    more = len(errors) - 1
    words = ngettext(
        "{file}: {error} (and {count} more: city-game board check {file})",
        "{file}: {error} (and {count} more: city-game board check {file})",
        more,
    )
    words = words if more else _("{file}: {error}")
    raise UserError(words.format(file=name, error=errors[0], count=more))


def text_of(edition: Edition, name: str) -> str:
    """Return the text of a board supplied with the edition, or of a file."""
    if (own := own_file(edition, name)).is_file():
        return own.read_text(encoding="utf-8")
    try:
        with open(name, encoding="utf-8-sig") as file:
            return file.read(toml_reader.LARGEST + 1)  # too long for `parse`, which refuses it
    except OSError as error:
        raise cannot_read(name, error) from None
    except UnicodeDecodeError:
        raise UserError(_("{file} is not a text file in UTF-8").format(file=name)) from None


def own_file(edition: Edition, name: str) -> Traversable:
    """Return the path of a board supplied with the edition; it need not exist."""
    return resources.files(edition.package) / "boards" / f"{name}.toml"


def edition_named(text: str) -> str:
    """Return the edition that a board file names, "" if it names none or is not valid TOML."""
    try:
        named = toml_reader.parse(text.encode(), "").value("edition")
    except FileError:
        return ""
    return named if isinstance(named, str) else ""


def parse(edition: Edition, text: str) -> tuple[Board | None, list[str]]:
    """Return the board and no errors, or None and the errors in the order of their lines."""
    try:
        table = toml_reader.parse(text.encode(), "")
    except FileError as error:
        hint = _("{error}; names and sums need quotes").format(error=error.message)
        return None, [_in_line(error.line, hint)]
    if "district" not in table and any(key in table for key in ("auction", "marks", "steps")):
        words = _("this is a program or a scenario of the unit, not a board")
        return None, [_in_line(1, words)]
    theirs = table.value("edition") if "edition" in table else ""
    ours = edition.plays_on or edition.name
    if not theirs and not edition.owns_unnamed:
        words = _('it names no edition; a board for this one needs `edition = "{ours}"`')
        return None, [_in_line(1, words.format(ours=ours))]
    if theirs and theirs != ours:
        words = _('it is a board for the edition "{theirs}", not for "{ours}"')
        return None, [_in_line(table.line("edition"), words.format(theirs=theirs, ours=ours))]
    reader = edition.reader(edition, table)
    board = reader.board(text)
    if board is None:
        return None, [error for _line, error in sorted(reader.errors)]
    return board, []


def key_of(name: str) -> str:
    """Return a district's name as a single lower-case word, for logs and saves."""
    return re.sub(r"[^\w]+", "-", name.lower()).strip("-")


def _in_line(line: int, error: str, part: str = "") -> str:
    words = _("line {line}, {part}: {error}") if part else _("line {line}: {error}")
    return words.format(line=max(1, line), part=part, error=error)


class Part(NamedTuple):
    """A table of the file, and its name in error messages."""

    table: Table
    title: str


T = TypeVar("T")
TITLES = {
    "group": lazy("group {name}"),
    "district": lazy("district {name}"),
    "card": lazy("card {name}"),
}


class BoardReader:
    """Reads a board file, and continues after an error to find them all.

    An edition with further facts on its board overrides these attributes, and the methods up to
    `make_board`.

    of_group  the class of its groups
    of_deed   the class of its deeds
    money     the class of its other sums
    spaces    its kinds of space
    decks     its decks that are not named after a kind of space
    cards     its card effects beside `CARDS`, in the same form
    """

    of_group: type[Group] = Group
    of_deed: type[Deed] = Deed
    money: type[Money] = Money
    spaces: tuple[str, ...] = SPACES
    decks: tuple[str, ...] = ()
    cards: tuple[tuple[str, str, str], ...] = ()

    def __init__(self, edition: Edition, file: Table) -> None:
        self.edition = edition
        self.plain = tuple(kind for kind in self.spaces if kind != "tax")
        self.file = Part(file, "")
        self.errors: list[tuple[int, str]] = []

    def board(self, text: str) -> Board | None:
        file = self.file
        self.take(file, "format", version, FORMAT)
        if "edition" in file.table:
            self.take(file, "edition", some_text, "")
        name = self.take(file, "name", some_text, "")
        sums = self.sums()
        self.read_more()
        groups = [self.group(row) for row in self.rows("group")]
        deeds = [self.deed(row, groups) for row in self.rows("district")]
        self.members(groups, deeds)
        spaces = self.track(deeds)
        self.place_deeds(deeds, spaces)
        cards = [self.card(row, deeds, len(spaces)) for row in self.rows("card")]
        self.unknown_keys(file)
        if self.errors:
            return None
        kinds, deed_on, taxes = (list(column) for column in zip(*spaces, strict=True))
        return self.make_board(
            self.edition, name, sums, groups, deeds, kinds, deed_on, taxes, cards, text
        )

    def read_more(self) -> None:
        """Read the sections that only this edition has."""

    def group_more(self, row: Part) -> dict[str, Any]:
        """Return the facts of a group that only this edition has."""
        return {}

    def deed_more(self, row: Part) -> dict[str, Any]:
        """Return the facts of a deed that only this edition has."""
        return {}

    def rents(self, group: Group | None) -> Reader[tuple[int, ...]]:
        """Return the reader of a deed's rents; `group` is None if its name is misspelt."""
        return toml_reader.list_of(sum_of_money, 1)

    def make_board(self, *printed: Any) -> Board:
        """Return the board made of everything that was read."""
        return Board(*printed)

    # The sections.

    def sums(self) -> Money:
        part = self.section("money")
        keys = [field.name for field in fields(self.money)]
        sums = {key: self.take(part, key, sum_of_money, 0) if part else 0 for key in keys}
        self.unknown_keys(part)
        return self.money(**sums)

    def group(self, row: Part) -> Group:
        name, shown = self.take(row, "name", some_text, ""), self.take(row, "colour", colour, "")
        group = self.of_group(name, shown, **self.group_more(row))
        self.unknown_keys(row)
        return group

    def deed(self, row: Part, groups: Sequence[Group]) -> Deed:
        name = self.take(row, "name", deed_name(self.plain), "")
        names = [group.name for group in groups]
        # If there is no group at all, an error says so already.
        reader = toml_reader.choice(names) if names else some_text
        group = self.take(row, "group", reader, "")
        place = names.index(group) if group in names else -1
        price = self.take(row, "price", sum_of_money, 0)
        printed = self.take(row, "rents", self.rents(groups[place] if place >= 0 else None), ())
        deed = self.of_deed(name, key_of(name), place, price, printed, **self.deed_more(row))
        self.unknown_keys(row)
        return deed

    def members(self, groups: Sequence[Group], deeds: Sequence[Deed]) -> None:
        for index, group in enumerate(groups):
            group.deeds = tuple(place for place, deed in enumerate(deeds) if deed.group == index)
        if any(deed.group < 0 for deed in deeds):
            return  # a group may seem too small only because a deed misspells its name
        for row, group in zip(self.rows("group"), groups, strict=False):
            if len(group.deeds) < 2:
                self.add_error(row, None, _("it needs at least two districts"))

    def track(self, deeds: Sequence[Deed]) -> list[tuple[str, int, int]]:
        """Return the parsed entry of each space; see `space`."""
        anything = toml_reader.list_of(lambda written: written, 1)
        written = self.take(self.file, "track", anything, ())
        spaces = []
        for place, words in enumerate(written):
            try:
                spaces.append(space(words, deeds, self.plain))
            except ValueError as error:
                self.add_space_error(place, str(error))
                spaces.append(("", -1, 0))
        return spaces

    def place_deeds(self, deeds: Sequence[Deed], spaces: list[tuple[str, int, int]]) -> None:
        """Assign the districts to their spaces, and check that the track is complete."""
        for place, (_kind, index, _tax) in enumerate(spaces):
            if index < 0:
                continue
            deed = deeds[index]
            if deed.space < 0:
                deed.space = place
                continue
            already = _("{district} is on space {space} already")
            self.add_space_error(place, already.format(district=deed.name, space=deed.space))
        if not spaces:
            return
        kinds = [kind for kind, _index, _tax in spaces]
        if kinds[0] != "go":
            self.add_space_error(0, _('the first space must be "go"'))
        for kind in ("go", "jail", "parking"):
            found = [place for place, there in enumerate(kinds) if there == kind]
            if not found:
                self.add_error(
                    self.file, "track", _('the track needs one "{kind}"').format(kind=kind)
                )
            for place in found[1:]:
                already = _('there is a "{kind}" on space {space} already')
                self.add_space_error(place, already.format(kind=kind, space=found[0]))
        for row, (index, deed) in zip(self.rows("district"), enumerate(deeds), strict=False):
            doubled = called(deed.name, deeds) != index
            if deed.name and deed.space < 0 and not doubled:
                self.add_error(row, None, _("it is not on the track"))

    def card(self, row: Part, deeds: Sequence[Deed], spaces: int) -> Card:
        text = self.take(row, "text", some_text, "")
        does, amount = self.take(row, "does", effect(deeds, spaces, self.cards), ("", 0))
        decks = toml_reader.choice((*self.plain, *self.decks))
        deck = self.take(row, "deck", decks, "chance") if "deck" in row.table else "chance"
        self.unknown_keys(row)
        return Card(text, does, amount, deck)

    # Tables and their values.

    def section(self, name: str) -> Part | None:
        """Return the table `[name]`, or None and an error if it is missing."""
        if name not in self.file.table:
            self.add_error(self.file, None, _("the section [{name}] is missing").format(name=name))
            return None
        try:
            return Part(self.file.table.table(name), f"[{name}]")
        except FileError as error:
            self.add(error, self.file)
            return None

    def rows(self, name: str) -> list[Part]:
        """Return the tables `[[name]]`; having none, or two with one name, is an error."""
        try:
            tables = list(self.file.table.tables(name))
        except FileError as error:
            self.add(error, self.file)
            return []
        if not tables:
            self.add_error(self.file, None, _("there is no [[{name}]]").format(name=name))
        rows, seen = [], {}
        for place, table in enumerate(tables, 1):
            row = Part(table, TITLES[name].format(name=table.value("name") or place))
            rows.append(row)
            called = key_of(str(table.value("name")))
            if "name" in table and called in seen:
                words = _("line {line} has the same name")
                self.add_error(row, "name", words.format(line=seen[called]))
            seen.setdefault(called, table.line("name"))
        return rows

    def take(self, part: Part, key: str, reader: Reader[T], instead: T) -> T:
        """Return the value of a key, or `instead` and an error if it is wrong or missing."""
        try:
            return part.table.take(key, reader)
        except FileError as error:
            self.add(error, part)
            return instead

    # Errors.

    def unknown_keys(self, part: Part | None) -> None:
        for error in part.table.unknown() if part else ():
            self.add(error, part or self.file)

    def add_error(self, part: Part, key: str | None, words: str) -> None:
        self.add(part.table.error(key, words), part)

    def add_space_error(self, place: int, words: str) -> None:
        said = _("space {space}: {error}").format(space=place, error=words)
        self.add(self.file.table.error("track", said, place), self.file)

    def add(self, error: FileError, part: Part) -> None:
        said = (error.line, _in_line(error.line, error.message, part.title))
        if said not in self.errors:
            self.errors.append(said)
