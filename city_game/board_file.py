"""Boards as files: read, with each mistake named by its place and the nearest right word.

The format is described in docs/board-format.md.
"""

import re
from importlib import resources
from pathlib import Path
from typing import TypeGuard

from city_game import money
from city_game.board import (
    BONUSES,
    HAZARDS,
    MOST_BLOCKS,
    SPACES,
    Board,
    Card,
    District,
    Group,
    Money,
    Pieces,
)
from city_game.errors import UserError, nearest
from city_game.toml_file import TomlError, read

FORMAT = 1
OWN = "saltmarket"  # the board that comes with the game
PLAIN_SPACES = tuple(kind for kind in SPACES if kind != "tax")

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
PIECE_KEYS = (
    "residential",
    "industrial",
    "stations",
    "stadiums",
    "skyscrapers",
    "bonuses",
    "hazards",
)
GROUP_KEYS = ("name", "colour", "skyscraper")
DISTRICT_KEYS = ("name", "group", "price", "residential", "industrial", "rents")
CARD_KEYS = ("text", "does")
TOP_KEYS = ("format", "name", "money", "pieces", "group", "district", "track", "card")

# What a card can do: the pattern of its words, and what they mean to the rules.
SUM = r"(\d[\d.]*\s*[kM])"
CARDS = (
    (rf"receive {SUM} from each", "receive from each"),
    (rf"pay {SUM} to each", "pay each"),
    (rf"pay {SUM} per block", "pay per block"),
    (rf"receive {SUM}", "receive"),
    (rf"pay {SUM}", "pay"),
    (r"move (-?\d+)", "move"),
    (r"go to jail", "jail"),
    (r"go to (.+)", "go to"),
    (r"leave jail free", "leave jail"),
    (r"planning permission", "planning"),
    (r"auction", "auction"),
)
CARD_EXAMPLES = (
    "receive 500k",
    "receive 200k from each",
    "pay 500k",
    "pay 100k to each",
    "pay 50k per block",
    "move -3",
    "go to jail",
    "go to go",
    "leave jail free",
    "planning permission",
    "auction",
)


def load(name: str) -> Board:
    """Return the board of that name, or of that file.

    Raises UserError with the first mistake and how many there are.
    """
    text = text_of(name)
    board, mistakes = parse(text)
    if board is None:
        more = (
            f" (and {len(mistakes) - 1} more: city-game board check {name})"
            if len(mistakes) > 1
            else ""
        )
        raise UserError(f"{name}: {mistakes[0]}{more}")
    return board


def text_of(name: str) -> str:
    """Return the text of a board that comes with the game, or of a file."""
    own = resources.files("city_game") / "boards" / f"{name}.toml"
    if own.is_file():
        return own.read_text(encoding="utf-8")
    try:
        return Path(name).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UserError(f"cannot read the board {name}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UserError(f"{name} is not a text file in UTF-8") from None


def parse(text: str) -> tuple[Board | None, list[str]]:
    """Return the board, or None and its mistakes in order of their lines."""
    try:
        data, lines = read(text)
    except TomlError as error:
        return None, [_not_toml(error)]
    reader = _Reader(data, lines)
    board = reader.board(text)
    if reader.mistakes:
        return None, [text for _, text in sorted(reader.mistakes)]
    return board, []


def key_of(name: str) -> str:
    """Return a district's name as one lower-case word, for logs and saves."""
    return re.sub(r"[^\w]+", "-", name.lower()).strip("-")


def _not_toml(error: TomlError) -> str:
    """Return the reason with its line in front, as with all other mistakes."""
    reason = str(error)
    place = re.search(r" \(at line (\d+), column (\d+)\)", reason)
    if place:
        reason = f"{reason[: place.start()]}, column {place[2]}"
    line = f"line {place[1]}: " if place else ""
    return f"{line}not TOML: {reason}; names and sums stand in quotes"


class _Reader:
    """One reading of one file; goes on after a mistake, to find them all."""

    def __init__(self, data: dict, lines: dict[tuple, int]) -> None:
        self.data = data
        self.lines = lines
        self.mistakes: list[tuple[int, str]] = []
        self.missing: set[str] = set()  # sections of which nothing more is to be said

    def board(self, text: str) -> Board | None:
        self.known((), self.data, TOP_KEYS)
        version = self.data.get("format")
        if not _is_count(version) or version != FORMAT:
            self.wrong(("format",), f"format must be {FORMAT}, the version of this file format")
        name = self.text((), self.data, "name")
        sums = self.sums()
        pieces = self.pieces()
        groups = [self.group(*row) for row in self.rows("group", GROUP_KEYS)]
        districts = [self.district(*row, groups) for row in self.rows("district", DISTRICT_KEYS)]
        self.members(groups, districts)
        kinds, standing, taxes = self.track(districts)
        cards = [self.card(*row, districts) for row in self.rows("card", CARD_KEYS)]
        if self.mistakes:
            return None
        return Board(name, sums, pieces, groups, districts, kinds, standing, taxes, cards, text)

    # The sections.

    def sums(self) -> Money:
        table = self.table("money", MONEY_KEYS)
        return Money(**{key: self.sum(("money",), table, key) for key in MONEY_KEYS})

    def pieces(self) -> Pieces:
        table = self.table("pieces", PIECE_KEYS)
        path = ("pieces",)
        return Pieces(
            residential=self.blocks(path, table, "residential"),
            industrial=self.blocks(path, table, "industrial"),
            stations=self.count(path, table, "stations"),
            stadiums=self.count(path, table, "stadiums"),
            skyscrapers=self.count(path, table, "skyscrapers"),
            bonuses=self.kinds(path, table, "bonuses", BONUSES),
            hazards=self.kinds(path, table, "hazards", tuple(HAZARDS)),
        )

    def group(self, path: tuple, row: dict) -> Group:
        name = self.text(path, row, "name")
        colour = self.text(path, row, "colour")
        if colour and not re.fullmatch(r"#[0-9a-fA-F]{6}", colour):
            self.wrong((*path, "colour"), 'colour must be like "#2f6db5"')
        return Group(name, colour, self.sum(path, row, "skyscraper"))

    def district(self, path: tuple, row: dict, groups: list[Group]) -> District:
        name = self.text(path, row, "name")
        if name.lower() in PLAIN_SPACES or name.lower().startswith("tax "):
            self.wrong((*path, "name"), f'"{name}" is a kind of space, and names no district')
        names = [group.name for group in groups]
        group = self.one_of(path, row, "group", names)
        price, residential, industrial = (self.sum(path, row, key) for key in DISTRICT_KEYS[2:5])
        return District(
            name, key_of(name), group, price, residential, industrial, self.rents(path, row)
        )

    def rents(self, path: tuple, row: dict) -> tuple[int, ...]:
        listed = row.get("rents")
        where = (*path, "rents")
        if not isinstance(listed, list) or len(listed) != MOST_BLOCKS + 1:
            have = len(listed) if isinstance(listed, list) else "no"
            self.wrong(where, f"rents must be 9 sums, for 0 to 8 blocks; there are {have}")
            return ()
        rents = tuple(
            self.money(where, f"rent for {n} blocks", sum) for n, sum in enumerate(listed)
        )
        for blocks in range(MOST_BLOCKS):
            if rents[blocks + 1] < rents[blocks]:
                self.wrong(where, f"the rent for {blocks + 1} blocks is below that for {blocks}")
        return rents

    def members(self, groups: list[Group], districts: list[District]) -> None:
        for index, group in enumerate(groups):
            group.districts = tuple(i for i, one in enumerate(districts) if one.group == index)
        if any(one.group < 0 for one in districts):
            return  # a group of one may be meant by those
        for index, group in enumerate(groups):
            if len(group.districts) < 2:
                self.wrong(("group", index), "it needs at least two districts")

    def track(self, districts: list[District]) -> tuple[list[str], list[int], list[int]]:
        kinds, standing, taxes = [], [], []
        listed = self.data.get("track")
        if not isinstance(listed, list) or not listed:
            self.wrong(("track",), "track must be the list of the spaces, from GO on")
            return kinds, standing, taxes
        for space, written in enumerate(listed):
            kind, district, tax = self.space(space, written, districts)
            if district >= 0:
                self.stand(districts[district], space)
            kinds.append(kind)
            standing.append(district)
            taxes.append(tax)
        self.whole_track(kinds, districts)
        return kinds, standing, taxes

    def space(self, space: int, written: object, districts: list) -> tuple[str, int, int]:
        """Return a space's kind, the district there or -1, and the tax there or 0."""
        where, called = ("track", space), f"space {space}"
        if not isinstance(written, str):
            self.wrong(where, f"{called} must be a text in quotes")
            return "", -1, 0
        word = written.lower()
        district = _called(written, districts)
        if district >= 0:
            return "district", district, 0
        if word.startswith("tax "):
            return "tax", -1, self.money(where, f"{called}: tax", written[4:])
        if word not in PLAIN_SPACES:
            self.unknown_space(where, called, written, districts)
        return word, -1, 0

    def unknown_space(self, where: tuple, called: str, written: str, districts: list) -> None:
        kinds = (*PLAIN_SPACES, "tax 1M")
        near = nearest(written, [*kinds, *(one.name for one in districts)])
        others = f"no district is called so, and the other spaces are {', '.join(kinds)}"
        hint = f'did you mean "{near}"?' if near else others
        self.wrong(where, f'unknown {called} "{written}"; {hint}')

    def stand(self, district: District, space: int) -> None:
        if district.space < 0:
            district.space = space
            return
        already = f"{district.name} is on space {district.space} already"
        self.wrong(("track", space), f"space {space}: {already}")

    def whole_track(self, kinds: list[str], districts: list[District]) -> None:
        if kinds[0] != "go":
            self.wrong(("track", 0), 'the first space must be "go"')
        for kind in ("go", "jail", "parking"):
            found = [space for space, one in enumerate(kinds) if one == kind]
            if not found:
                self.wrong(("track",), f'the track needs one "{kind}"')
            for space in found[1:]:
                already = f"there is a {kind} on space {found[0]} already"
                self.wrong(("track", space), f"space {space}: {already}")
        for index, district in enumerate(districts):
            doubled = _called(district.name, districts) != index
            if district.name and district.space < 0 and not doubled:
                self.wrong(("district", index), "it is not on the track")

    def card(self, path: tuple, row: dict, districts: list[District]) -> Card:
        text = self.text(path, row, "text")
        does = self.text(path, row, "does")
        for pattern, meaning in CARDS:
            found = re.fullmatch(pattern, does, re.IGNORECASE)
            if found:
                return Card(text, meaning, self.card_amount(path, meaning, found, districts))
        if does:
            self.unknown((*path, "does"), "does", does, CARD_EXAMPLES)
        return Card(text, does)

    def card_amount(self, path: tuple, does: str, found: re.Match, districts: list) -> int:
        if not found.groups():
            return 0
        if does == "move":
            return self.move(path, int(found[1]))
        if does != "go to":
            return self.money((*path, "does"), "does", found[1])
        if found[1].lower() == "go":
            return 0
        return self.go_to(path, found[1], districts)

    def move(self, path: tuple, spaces: int) -> int:
        most = len(self.data["track"]) - 1 if isinstance(self.data.get("track"), list) else 0
        if most and not 1 <= abs(spaces) <= most:
            self.wrong((*path, "does"), f"move must be 1 to {most} spaces, either way")
        return spaces

    def go_to(self, path: tuple, name: str, districts: list[District]) -> int:
        """Return the space of that district."""
        district = _called(name, districts)
        if district >= 0:
            return districts[district].space
        near = nearest(name, ["go", "jail", *(one.name for one in districts)])
        others = 'it may be "go", "jail" or the name of a district'
        hint = f'did you mean "{near}"?' if near else others
        self.wrong((*path, "does"), f'unknown place to go to "{name}"; {hint}')
        return 0

    # The values.

    def table(self, name: str, keys: tuple) -> dict:
        table = self.data.get(name)
        if not isinstance(table, dict):
            self.wrong((name,), f"the section [{name}] is missing")
            self.missing.add(name)
            return {}
        self.known((name,), table, keys)
        return table

    def rows(self, name: str, keys: tuple) -> list[tuple[tuple, dict]]:
        rows = self.data.get(name)
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            self.wrong((name,), f"there is no [[{name}]]")
            return []
        found = []
        seen: dict[str, int] = {}
        for index, row in enumerate(rows):
            path = (name, index)
            self.known(path, row, keys)
            self.only_one(path, row, seen)
            found.append((path, row))
        return found

    def only_one(self, path: tuple, row: dict, seen: dict[str, int]) -> None:
        if "name" not in row:
            return
        where = (*path, "name")
        called = key_of(str(row["name"]))
        if called in seen:
            self.wrong(where, f"another of this name is on line {seen[called]}")
        seen.setdefault(called, self.line(where))

    def known(self, path: tuple, table: dict, keys: tuple) -> None:
        for key in table:
            if key not in keys:
                self.unknown((*path, key), "key", key, keys)

    def text(self, path: tuple, table: dict, key: str) -> str:
        value = table.get(key)
        if not isinstance(value, str) or not value.strip():
            self.wrong((*path, key), f"{key} must be a text in quotes")
            return ""
        return value

    def one_of(self, path: tuple, table: dict, key: str, right: list[str]) -> int:
        value = self.text(path, table, key)
        if value in right:
            return right.index(value)
        if value and right:  # where there is nothing right, that is told already
            self.unknown((*path, key), key, value, right)
        return -1

    def sum(self, path: tuple, table: dict, key: str) -> int:
        if key not in table:
            self.wrong(path, f"{key} is missing")
            return 0
        return self.money((*path, key), key, table[key])

    def money(self, path: tuple, what: str, value: object) -> int:
        try:
            notes = money.parse(value)
        except ValueError as error:
            self.wrong(path, f"{what} is {value!r}, but {error}")
            return 0
        if not notes:
            self.wrong(path, f"{what} must be more than nothing")
        return notes

    def count(self, path: tuple, table: dict, key: str) -> int:
        value = table.get(key)
        if not _is_count(value):
            self.wrong((*path, key), f"{key} must be a number of pieces, 0 to 99")
            return 0
        return value

    def blocks(self, path: tuple, table: dict, key: str) -> tuple[int, ...]:
        value = table.get(key)
        if not isinstance(value, list) or len(value) != 3 or not all(map(_is_count, value)):
            self.wrong(
                (*path, key), f"{key} must be how many pieces of 1, 2 and 3 blocks there are"
            )
            return (0, 0, 0)
        return tuple(value)

    def kinds(self, path: tuple, table: dict, key: str, right: tuple) -> dict[str, int]:
        value = table.get(key)
        if not isinstance(value, dict):
            self.wrong((*path, key), f"{key} must be how many there are of {', '.join(right)}")
            return {}
        for kind, count in value.items():
            if kind not in right:
                self.unknown((*path, key), key, kind, right)
            elif not _is_count(count):
                self.wrong((*path, key), f"{kind} must be a number of pieces, 0 to 99")
        return {kind: value.get(kind, 0) for kind in right}

    # Mistakes.

    def unknown(self, path: tuple, what: str, word: str, right: list[str] | tuple) -> None:
        near = nearest(word, right)
        hint = f'; did you mean "{near}"?' if near else f"; it may be {', '.join(right)}"
        self.wrong(path, f'unknown {what} "{word}"{hint}')

    def wrong(self, path: tuple, what: str) -> None:
        if path[0] in self.missing:
            return
        line = self.line(path)
        self.mistakes.append((line, f"line {line}{self.place(path)}: {what}"))

    def line(self, path: tuple) -> int:
        """Return the line of what is there, or of what it belongs to."""
        for length in range(len(path), 0, -1):
            if path[:length] in self.lines:
                return self.lines[path[:length]]
        return 1

    def place(self, path: tuple) -> str:
        if len(path) < 2 or path[0] == "track":
            return ""
        if not isinstance(path[1], int):
            return f", [{path[0]}]"
        name = self.data[path[0]][path[1]].get("name", path[1] + 1)
        return f", {path[0]} {name}"


def _called(name: str, districts: list[District]) -> int:
    """Return the place of the first district of that name, -1 if there is none."""
    names = [district.name.lower() for district in districts]
    return names.index(name.lower()) if name.lower() in names else -1


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 99
