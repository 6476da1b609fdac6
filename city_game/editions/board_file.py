"""Boards as files: read, with each mistake named by its place and the nearest right word.

The format is described in docs/editions.md. Values are read as in every file of ours
(`toml_reader`), those that only a board has by `board_values`. All mistakes are found at once.
"""

import re
from importlib import resources
from pathlib import Path
from typing import NamedTuple, TypeVar

from city_game.editions import board_values as values
from city_game.editions.board import (
    BONUSES,
    HAZARDS,
    Board,
    Card,
    Deed,
    Group,
    Money,
    Pieces,
)
from city_unit.desktop import toml_reader
from city_unit.desktop.catalogue import _, lazy, ngettext
from city_unit.desktop.errors import UserError
from city_unit.desktop.files import reason
from city_unit.desktop.toml_reader import Mistake, Reader, Table

OWN = "saltmarket"  # the board that comes with the game

MONEY_KEYS = (
    "start",
    "salary",
    "jail_fine",
    "stadium",
    "stadium_income",
    "tower",
    "hazard_block",
    "least_bid",
)
SUMS_OF_A_DISTRICT = ("price", "residential", "industrial")


def load(name: str) -> Board:
    """Return the board of that name, or of that file.

    Raises UserError with the first mistake and how many there are.
    """
    board, mistakes = parse(text_of(name))
    if board is not None:
        return board
    more = len(mistakes) - 1
    if not more:
        raise UserError(_("{file}: {mistake}").format(file=name, mistake=mistakes[0]))
    words = ngettext(
        "{file}: {mistake} (and {count} more: city-game board check {file})",
        "{file}: {mistake} (and {count} more: city-game board check {file})",
        more,
    )
    raise UserError(words.format(file=name, mistake=mistakes[0], count=more))


def text_of(name: str) -> str:
    """Return the text of a board that comes with the game, or of a file."""
    own = resources.files("city_game.editions") / "boards" / f"{name}.toml"
    if own.is_file():
        return own.read_text(encoding="utf-8")
    try:
        return Path(name).read_text(encoding="utf-8-sig")
    except OSError as error:
        cannot = _("cannot read the board {file}: {why}")
        raise UserError(cannot.format(file=name, why=reason(error))) from None
    except UnicodeDecodeError:
        raise UserError(_("{file} is not a text file in UTF-8").format(file=name)) from None


def parse(text: str) -> tuple[Board | None, list[str]]:
    """Return the board, or None and its mistakes in order of their lines."""
    try:
        table = toml_reader.parse(text.encode(), "")
    except Mistake as mistake:
        hint = _("{mistake}; names and sums stand in quotes").format(mistake=mistake.message)
        return None, [_in_line(mistake.line, hint)]
    reader = _Reader(table)
    board = reader.board(text)
    if board is None:
        return None, [mistake for _line, mistake in sorted(reader.mistakes)]
    return board, []


def key_of(name: str) -> str:
    """Return a district's name as a single lower-case word, for logs and saves."""
    return re.sub(r"[^\w]+", "-", name.lower()).strip("-")


def _in_line(line: int, mistake: str, part: str = "") -> str:
    if part:
        words = _("line {line}, {part}: {mistake}")
        return words.format(line=max(1, line), part=part, mistake=mistake)
    return _("line {line}: {mistake}").format(line=max(1, line), mistake=mistake)


class _Part(NamedTuple):
    """A table of the file, and what it is called where a mistake in it is named."""

    table: Table
    title: str


T = TypeVar("T")
TITLES = {
    "group": lazy("group {name}"),
    "district": lazy("district {name}"),
    "card": lazy("card {name}"),
}


class _Reader:
    """A reading of a file; goes on after a mistake, to find them all."""

    def __init__(self, file: Table) -> None:
        self.file = _Part(file, "")
        self.mistakes: list[tuple[int, str]] = []

    def board(self, text: str) -> Board | None:
        file = self.file
        self.take(file, "format", values.version, values.FORMAT)
        name = self.take(file, "name", values.some_text, "")
        sums = self.sums()
        pieces = self.pieces()
        groups = [self.group(row) for row in self.rows("group")]
        deeds = [self.deed(row, groups) for row in self.rows("district")]
        self.members(groups, deeds)
        spaces = self.track(deeds)
        self.stand(deeds, spaces)
        cards = [self.card(row, deeds, len(spaces)) for row in self.rows("card")]
        self.unknown_keys(file)
        if self.mistakes:
            return None
        kinds, deed_on, taxes = (list(column) for column in zip(*spaces, strict=True))
        return Board(name, sums, pieces, groups, deeds, kinds, deed_on, taxes, cards, text)

    # The sections.

    def sums(self) -> Money:
        part = self.section("money")
        sums = {
            key: self.take(part, key, values.sum_of_money, 0) if part else 0 for key in MONEY_KEYS
        }
        self.unknown_keys(part)
        return Money(**sums)

    def pieces(self) -> Pieces:
        part = self.section("pieces")
        if part is None:
            return Pieces((), (), 0, 0, 0, {}, {})
        three = toml_reader.list_of(values.COUNT, 3, 3)  # how many of 1, 2 and 3 blocks
        pieces = Pieces(
            residential=self.take(part, "residential", three, ()),
            industrial=self.take(part, "industrial", three, ()),
            stations=self.take(part, "stations", values.COUNT, 0),
            stadiums=self.take(part, "stadiums", values.COUNT, 0),
            skyscrapers=self.take(part, "skyscrapers", values.COUNT, 0),
            bonuses=self.take(part, "bonuses", values.counts(BONUSES), {}),
            hazards=self.take(part, "hazards", values.counts(tuple(HAZARDS)), {}),
        )
        self.unknown_keys(part)
        return pieces

    def group(self, row: _Part) -> Group:
        name = self.take(row, "name", values.some_text, "")
        colour = self.take(row, "colour", values.colour, "")
        group = Group(name, colour, self.take(row, "skyscraper", values.sum_of_money, 0))
        self.unknown_keys(row)
        return group

    def deed(self, row: _Part, groups: list[Group]) -> Deed:
        name = self.take(row, "name", values.deed_name, "")
        names = [group.name for group in groups]
        # Where no group is right, that is said already.
        group = self.take(
            row, "group", toml_reader.choice(names) if names else values.some_text, ""
        )
        price, residential, industrial = (
            self.take(row, key, values.sum_of_money, 0) for key in SUMS_OF_A_DISTRICT
        )
        rents = self.take(row, "rents", values.rents_by_blocks, ())
        self.unknown_keys(row)
        place = names.index(group) if group in names else -1
        return Deed(name, key_of(name), place, price, residential, industrial, rents)

    def members(self, groups: list[Group], deeds: list[Deed]) -> None:
        for index, group in enumerate(groups):
            group.deeds = tuple(place for place, deed in enumerate(deeds) if deed.group == index)
        if any(deed.group < 0 for deed in deeds):
            return  # those whose group is misspelt may belong to the groups that seem too small
        for row, group in zip(self.rows("group"), groups, strict=False):
            if len(group.deeds) < 2:
                self.wrong(row, None, _("it needs at least two districts"))

    def track(self, deeds: list[Deed]) -> list[tuple[str, int, int]]:
        """Return for each space its kind, the district there or -1, and the tax there or 0."""
        anything = toml_reader.list_of(lambda written: written, 1)
        written = self.take(self.file, "track", anything, ())
        spaces = []
        for place, words in enumerate(written):
            try:
                spaces.append(values.space(words, deeds))
            except ValueError as error:
                self.wrong_space(place, str(error))
                spaces.append(("", -1, 0))
        return spaces

    def stand(self, deeds: list[Deed], spaces: list[tuple[str, int, int]]) -> None:
        """Put the districts on their spaces, and see to it that the track is whole."""
        for place, (_kind, index, _tax) in enumerate(spaces):
            if index < 0:
                continue
            deed = deeds[index]
            if deed.space < 0:
                deed.space = place
                continue
            already = _("{district} is on space {space} already")
            self.wrong_space(place, already.format(district=deed.name, space=deed.space))
        if not spaces:
            return
        self.whole_track([kind for kind, _index, _tax in spaces])
        for row, (index, deed) in zip(self.rows("district"), enumerate(deeds), strict=False):
            doubled = values.called(deed.name, deeds) != index
            if deed.name and deed.space < 0 and not doubled:
                self.wrong(row, None, _("it is not on the track"))

    def whole_track(self, kinds: list[str]) -> None:
        if kinds[0] != "go":
            self.wrong_space(0, _('the first space must be "go"'))
        for kind in ("go", "jail", "parking"):
            found = [place for place, there in enumerate(kinds) if there == kind]
            if not found:
                self.wrong(self.file, "track", _('the track needs one "{kind}"').format(kind=kind))
            for place in found[1:]:
                already = _('there is a "{kind}" on space {space} already')
                self.wrong_space(place, already.format(kind=kind, space=found[0]))

    def card(self, row: _Part, deeds: list[Deed], spaces: int) -> Card:
        text = self.take(row, "text", values.some_text, "")

        def effect(written: object) -> tuple[str, int]:
            return values.effect(toml_reader.text(written), deeds, spaces)

        does, amount = self.take(row, "does", effect, ("", 0))
        self.unknown_keys(row)
        return Card(text, does, amount)

    # Tables and their values.

    def section(self, name: str) -> _Part | None:
        """Return the table `[name]`, or None where it is missing."""
        if name not in self.file.table:
            self.wrong(self.file, None, _("the section [{name}] is missing").format(name=name))
            return None
        try:
            return _Part(self.file.table.table(name), f"[{name}]")
        except Mistake as mistake:
            self.note(mistake, self.file)
            return None

    def rows(self, name: str) -> list[_Part]:
        """Return the tables `[[name]]`; that there are none, or two of a name, is a mistake."""
        try:
            tables = self.file.table.tables(name)
        except Mistake as mistake:
            self.note(mistake, self.file)
            return []
        if not tables:
            self.wrong(self.file, None, _("there is no [[{name}]]").format(name=name))
        rows = [_Part(table, _title(name, place, table)) for place, table in enumerate(tables)]
        self.no_two_alike(rows)
        return rows

    def no_two_alike(self, rows: list[_Part]) -> None:
        seen: dict[str, int] = {}
        for row in rows:
            called = key_of(str(row.table.value("name")))
            if "name" in row.table and called in seen:
                words = _("another of this name is on line {line}")
                self.wrong(row, "name", words.format(line=seen[called]))
            seen.setdefault(called, row.table.line("name"))

    def take(self, part: _Part, key: str, reader: Reader[T], instead: T) -> T:
        """Return what a key means, or `instead` where it is wrong or missing."""
        try:
            return part.table.take(key, reader)
        except Mistake as mistake:
            self.note(mistake, part)
            return instead

    # Mistakes.

    def unknown_keys(self, part: _Part | None) -> None:
        for mistake in part.table.unknown() if part else ():
            self.note(mistake, part or self.file)

    def wrong(self, part: _Part, key: str | None, words: str) -> None:
        self.note(part.table.error(key, words), part)

    def wrong_space(self, place: int, words: str) -> None:
        said = _("space {space}: {mistake}").format(space=place, mistake=words)
        self.note(self.file.table.error("track", said, place), self.file)

    def note(self, mistake: Mistake, part: _Part) -> None:
        said = (mistake.line, _in_line(mistake.line, mistake.message, part.title))
        if said not in self.mistakes:
            self.mistakes.append(said)


def _title(name: str, place: int, table: Table) -> str:
    return TITLES[name].format(name=table.value("name") or place + 1)
