"""Saved games, and their folder.

A save is readable text. Its header holds the version, the players, all rules, the seed, the bid
keys, the minutes and the whole board. Each action follows as a line, refused bids included, written
as it happens. Between them are notes: the time left on the unit's clock, the time when the light of
a sale was last seen on, and secret maxima, which are masked.

Each line ends with ` *` and eight hex digits, a crc32 of the line and of the digits before it. A
torn, changed, lost or moved line is thereby detected, and a single flipped bit repaired; see
`append_file`.

An action has the same form in saves, test vectors and golden games: its name, then its values by
name, as in `build district=bell-court kind=industrial blocks=2`. Money is written as `3.5M`, times
in ms of the unit's clock.
"""

import os
import struct
import time
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from city_game import editions, steps_file
from city_game.game import Game, Setup
from city_game.kernel import money
from city_game.kernel.board import Board
from city_game.kernel.board import parse as parse_board
from city_game.kernel.sales import Limit
from city_game.kernel.state import Illegal
from city_game.kernel.switches import as_stated
from city_game.steps_file import PLAY, StepsFile, is_locked
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import FAILURE, UserError
from city_unit.desktop.files import reason
from city_unit.desktop.forms import all_of

MAGIC = "city-game save "  # no text: in the file
VERSION = "4"
CLOCK = "clock left="  # no text: in the file
LIGHT = "light at="  # no text: in the file
SECRET = "secret "  # no text: in the file
NOTES = (CLOCK, LIGHT, SECRET)  # prefixes of lines that are not steps of the game


class Save:
    """An open save. `append` returns once the action is on the disk, or else sets `error`.

    clock_left  the time left on the unit's clock when last noted, in ms
    light_at    when the light of the running sale was last seen on, in ms of the unit's clock
    limits      by player: the secret maximum in the running sale
    """

    def __init__(self, file: StepsFile, game: Game, notes: "Notes") -> None:
        self.path = file.path
        self.game = game
        self.clock_left = notes.clock_left
        self.light_at = notes.light_at
        self.limits = notes.limits
        self._secrets = notes.secrets
        self._file = file
        self.write, self.close = file.write, file.close

    @property
    def error(self) -> str:
        """Why the last lines could not be written, for people; "" if all are on the disk."""
        return self._file.error

    def append(self, action: tuple) -> None:
        """Record an action that the game has applied."""
        self._file.add_line(line_of(action, self.game.setup.board))

    def append_undo(self) -> None:
        """Record that the last action was undone."""
        self._file.add_line("undo")

    def note_clock(self, left_ms: int) -> None:
        """Record the time left on the unit's clock, so that the hour can be resumed."""
        self.clock_left = left_ms
        self._file.add_line(f"{CLOCK}{left_ms}")

    def note_light(self, at: int) -> None:
        """Record that the light of the running sale was on at this time of the unit's clock."""
        self._file.add_line(f"{LIGHT}{at}")

    def note_limit(self, player: int, limit: Limit) -> None:
        """Record a secret maximum, masked, in a line of constant length."""
        plain = _LIMIT.pack(player, limit.most, limit.step)
        self._file.add_line(SECRET + _masked(self.game.setup.seed, self._secrets, plain).hex())
        self._secrets += 1

    @property
    def unsaved(self) -> int:
        """Return the number of actions that are not on the disk."""
        notes = tuple(note.encode() for note in NOTES)
        return sum(not line.startswith(notes) for line in self._file.unwritten.splitlines())


def create(path: str | Path, game: Game) -> Save:
    """Create a save of a game with its actions so far; never overwrites a file."""
    path = Path(path)
    if path.exists():
        raise UserError(_("{path} exists already; choose another name").format(path=path))
    setup = game.setup
    seats = zip(setup.names, setup.seats, strict=True)
    lines = [
        f"{MAGIC}{VERSION}",
        *([f"edition {setup.edition.name}"] if setup.edition.name != editions.USUAL else []),
        # A line break in a name would end the line.
        *(
            f"player {seat} " + " ".join(name.split()) for name, seat in seats
        ),  # no text: in the file
        *setup.rules.lines(),
        f"seed {setup.seed}",
        *([f"keys {setup.keys}"] if setup.keys else []),
        *([f"minutes {setup.minutes}"] if setup.minutes else []),
        # Only `\n` ends a line, as in TOML; `splitlines` would split at other characters too.
        *(f"board {line}".rstrip(" ") for line in setup.board.text.removesuffix("\n").split("\n")),
        PLAY,
        *(line_of(action, setup.board) for action in game.actions),
    ]
    return Save(steps_file.create(path, lines), game, Notes())


def load(path: str | Path) -> tuple[Save, str]:
    """Open a save to continue it; return it and a sentence on its repair, "" if it was intact.

    A damaged save is truncated after its last good line, and the original is kept beside it. Raises
    UserError if `look` does or if the game is open elsewhere; the file then stays as it is.
    """
    file, (game, notes), said = steps_file.resume(Path(path), _parse)
    return Save(file, game, notes), said


def look(path: str | Path) -> Game:
    """Return the game of a save as far as it is intact; the file stays as it is.

    Raises UserError if it cannot be read, or if its header is damaged or of an unknown version.
    """
    return examine(path)[0]


def examine(path: str | Path) -> tuple[Game, str]:
    """Return the game as `look` does, and a sentence on damage in the save, "" if intact."""
    opened = steps_file.read(Path(path))
    (game, _notes), good = _parse(Path(path), opened.texts)
    if opened.is_whole and good == len(opened.texts):
        return game, ""
    ends = _("{path} is damaged after line {line}; the game is intact up to there")
    return game, ends.format(path=path, line=good)


def _parse(path: Path, lines: list[str]) -> tuple[tuple[Game, "Notes"], int]:
    """Return the game and the notes of a save, and the number of its valid lines."""
    if not lines or not lines[0].startswith(MAGIC):
        not_a_save = _(
            "{path} is not a save of city-game, or its first line is damaged; choose another "
            "file or a backup"
        )
        raise UserError(not_a_save.format(path=path))
    version = lines[0][len(MAGIC) :]
    if version != VERSION:
        unknown = _(
            "{path} has version {version}, but this game reads {known}; continue it with the "
            "release that created it"
        )
        raise UserError(unknown.format(path=path, version=version, known=VERSION))
    if PLAY not in lines:
        damaged = _("{path} is damaged before its first step; nothing can be resumed")
        raise UserError(damaged.format(path=path))
    first = lines.index(PLAY) + 1
    game, notes = _parse_header(path, lines[1 : first - 1]), Notes()
    for done, line in enumerate(lines[first:], first):
        try:
            if line == "undo":
                game.undo()
            elif line.startswith(NOTES):
                notes.add(line, game.setup.seed)
            else:
                action = action_of(line, game.setup.board)
                game.do(action)
                notes.forget(action[0])
        except (ValueError, Illegal):
            return (game, notes), done
    return (game, notes), len(lines)


def _parse_header(path: Path, lines: list[str]) -> Game:
    """Return the game before its first action; raises UserError if the header is invalid."""
    names, seats, board, rules = [], [], [], []
    seed, keys, minutes = 0, "", 0
    edition = editions.get()
    try:
        for line in lines:
            what, _space, rest = line.partition(" ")
            if what == "edition":
                if rest not in editions.names():
                    missing = _('{path} is a game of the edition "{name}", which is not installed')
                    raise UserError(missing.format(path=path, name=rest))
                edition = editions.get(rest)
            elif what == "player":
                seat, _space, name = rest.partition(" ")
                seats.append(seat)
                names.append(name)
            elif what == "rule":
                rules.append(rest)
            elif what == "seed":
                seed = int(rest)
            elif what == "keys":
                keys = rest
            elif what == "minutes":
                minutes = int(rest)
            elif what == "board":
                board.append(rest)
        made, errors = parse_board(edition, "\n".join(board) + "\n")
        if made is None:
            raise ValueError(errors[0])
        played = as_stated(edition.switches, rules)
        return Game(Setup(made, tuple(names), tuple(seats), played, seed, keys, minutes))
    except (ValueError, KeyError) as error:
        invalid = _("{path}: invalid header: {why}")
        raise UserError(invalid.format(path=path, why=error)) from None


@dataclass
class Notes:
    """The notes of a save; see `Save`.

    secrets  the number of secret maxima so far, including those of earlier sales
    """

    clock_left: int | None = None
    light_at: int = 0
    limits: dict[int, Limit] = field(default_factory=dict)
    secrets: int = 0

    def add(self, line: str, seed: int) -> None:
        """Parse a note; raises ValueError if it is invalid."""
        if line.startswith(CLOCK):
            self.clock_left = int(line[len(CLOCK) :])
        elif line.startswith(LIGHT):
            self.light_at = int(line[len(LIGHT) :])
        else:
            hidden = bytes.fromhex(line[len(SECRET) :])
            if len(hidden) != _LIMIT.size:
                raise ValueError(line)
            player, *limit = _LIMIT.unpack(_masked(seed, self.secrets, hidden))
            self.secrets += 1
            self.limits.pop(player, None)
            if limit[0]:
                self.limits[player] = Limit(*limit)

    def forget(self, action: str) -> None:
        """Clear the notes of a sale when the action ends it or starts its light."""
        if action in ("light on", "settle"):  # no text: names of actions
            self.light_at = 0
        if action == "settle":
            self.limits = {}


# A maximum must survive a restart, but no player may read it in the file. It is therefore masked by
# a key derived from the seed. This stops a reader, not an attacker, who could compute all future
# dice from the seed as well.
_LIMIT = struct.Struct(">BIH")


def _masked(seed: int, number: int, data: bytes) -> bytes:
    """Mask the bytes of a maximum, or unmask them."""
    key = sha256(f"{seed} {number}".encode()).digest()
    return bytes(a ^ b for a, b in zip(data, key, strict=False))


WORDS = ("kind", "permit", "why")


def line_of(action: tuple, board: Board) -> str:
    """Return an action as a line of a file."""
    words, fields = [action[0].replace(" ", "-")], board.edition.actions[action[0]].fields
    for key, value in zip(fields, action[1:], strict=True):
        if key == "district":
            value = board.deeds[value].key
        elif key in ("gives", "asks"):
            value = ",".join(board.deeds[deed].key for deed in value) or "-"
        elif key == "amount":
            value = money.write(value)
        else:
            value = str(value).replace(" ", "-")
        words.append(f"{key}={value}")
    return " ".join(words)


def action_of(line: str, board: Board) -> tuple:
    """Parse an action; raises ValueError with the reason."""
    first, *rest = line.split()
    name = first.replace("-", " ")
    actions = board.edition.actions
    if name not in actions:
        raise ValueError(_("there is no action {name}").format(name=first))
    given = {key: value for key, _equals, value in (word.partition("=") for word in rest)}
    fields = actions[name].fields
    if tuple(given) != fields:
        wrong = _("{name} needs {fields}") if fields else _("{name} takes no values")
        raise ValueError(wrong.format(name=first, fields=all_of(fields)))
    values: list[object] = []
    for key, value in given.items():
        if key == "district":
            values.append(_deed(value, board))
        elif key in ("gives", "asks"):
            keys = () if value == "-" else value.split(",")
            values.append(tuple(_deed(key, board) for key in keys))
        elif key == "amount":
            values.append(-money.parse(value[1:]) if value.startswith("-") else money.parse(value))
        elif key == "piece":
            values.append(value.replace("-", " "))
        else:
            values.append(value if key in WORDS else int(value))
    return (name, *values)


def _deed(key: str, board: Board) -> int:
    if key not in board.keys:
        raise ValueError(_("there is no district {name}").format(name=key))
    return board.keys[key]


SEARCHED = 20  # latest saves to search for an unfinished game


@dataclass(frozen=True)
class SavedGame:
    """A summary of a save.

    winners  the winners of a finished game, else empty
    error    why it cannot be opened now, "" if it can
    is_open  whether it cannot because another window has it open
    """

    path: Path
    names: tuple[str, ...] = ()
    turns: int = 0
    winners: tuple[str, ...] = ()
    error: str = ""
    is_open: bool = False

    @property
    def can_resume(self) -> bool:
        return not (self.winners or self.error)


def games_folder() -> Path:
    """Return the folder of saved games; creates it if necessary."""
    wanted = os.environ.get("CITY_GAME_FOLDER")
    folder = Path(wanted) if wanted else Path.home() / "City games"  # no text: a name that stays
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        cannot = _(
            "cannot create the folder {folder} for games: {why}; set CITY_GAME_FOLDER to another"
        )
        raise UserError(cannot.format(folder=folder, why=reason(error)), FAILURE) from None
    return folder


def new_save() -> Path:
    """Return an unused path for a game that starts now."""
    stamp = time.strftime("%Y-%m-%d %H.%M")
    folder = games_folder()
    path, number = folder / f"{stamp}.city", 2
    while path.exists():
        path, number = folder / f"{stamp} {number}.city", number + 1
    return path


def saves() -> list[Path]:
    """Return the saved games, the latest first."""
    changed: dict[Path, float] = {}
    for path in games_folder().glob("*.city"):
        with suppress(OSError):  # a dead link, or deleted just now
            changed[path] = path.stat().st_mtime
    return sorted(changed, key=changed.__getitem__, reverse=True)


def describe(path: Path) -> SavedGame:
    """Summarise a save, without changing it."""
    try:
        game = look(path)
    except UserError as error:
        return SavedGame(path, error=str(error))
    names = game.setup.names
    winners = tuple(names[player] for player in game.state.winners)
    is_open = not winners and is_locked(path)
    error = _("this game is open in another window") if is_open else ""
    return SavedGame(path, names, game.state.turns, winners, error, is_open)


def latest_unfinished(include_open: bool = False) -> SavedGame | None:
    """Return the latest unfinished game among the latest saves, or None.

    include_open  whether it may be open in another window
    """
    described = map(describe, saves()[:SEARCHED])
    return next(
        (saved for saved in described if saved.can_resume or (include_open and saved.is_open)), None
    )
