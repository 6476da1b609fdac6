"""Saves: readable text, a line for each step, written as the step happens.

A header (version, players, rules, seed, bid keys, minutes, the whole board), then the
actions, bids that were refused among them, and now and then what the unit's
clock had left. Each line ends with ` *` and eight hex digits: a crc32 of the
line and of the digits before it, so that a line that is torn, changed, lost or
moved is found.

Version 1 lacked refused bids, bid keys and the clock. It is still read; to go on, it is
written anew as version 2, and the old file kept beside it: a program that knows
version 1 alone would take a refused bid for damage and cut the game there.
"""

import os
import shutil
from binascii import crc32
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from city_game import board_file
from city_game.errors import UserError
from city_game.files import write_whole
from city_game.game import Game, Setup
from city_game.house_rules import HouseRules
from city_game.lock import Lock
from city_game.notation import read, write
from city_game.rules.state import Illegal

MAGIC = "city-game save "
VERSION = 2
READABLE = ("1", "2")
PLAY = "play"  # the line between the header and the actions
CLOCK = "clock left="


class Save:
    """A save that grows; `append` returns when the step is on the disk.

    lock        held until `close`: two windows that write the same save would spoil it
    clock_left  what the unit's clock had left when that was last noted, ms
    """

    def __init__(
        self, path: Path, game: Game, chain: str, lock: Lock, clock_left: int | None = None
    ) -> None:
        self.path = path
        self.game = game
        self.clock_left = clock_left
        self._chain = chain
        self._lock = lock
        try:
            self._file = open(path, "ab")  # noqa: SIM115
        except OSError as error:
            raise UserError(f"cannot write {path}: {error.strerror}", code=1) from None

    def append(self, action: tuple) -> None:
        """Note an action that the game has done."""
        self._add(write(action, self.game.setup.board))

    def append_undo(self) -> None:
        """Note that the last action was taken back."""
        self._add("undo")

    def note_clock(self, left_ms: int) -> None:
        """Note what the unit's clock has left, so that the hour can be gone on with."""
        self.clock_left = left_ms
        self._add(f"{CLOCK}{left_ms}")

    def close(self) -> None:
        self._file.close()
        self._lock.release()

    def _add(self, text: str) -> None:
        line, self._chain = _sealed(text, self._chain)
        try:
            self._file.write(line.encode())
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise UserError(f"cannot write {self.path}: {error.strerror}", code=1) from None


def create(path: str | Path, game: Game) -> Save:
    """Start a save of a game, with what was done in it so far; never over another file."""
    path = Path(path)
    if path.exists():
        raise UserError(f"{path} exists already; choose another name")
    board = game.setup.board
    lines = [*_header(game.setup), *(write(action, board) for action in game.actions)]
    text, chain = _seal_all(lines)
    with _locked(path) as lock:
        write_whole(path, text)
        return Save(path, game, chain, lock)


def load(path: str | Path) -> tuple[Save, str]:
    """Return the save, ready to go on, and what was repaired ("" if it was whole).

    A damaged save is cut after its last whole step, one of an older version is
    written anew, and the original of either is kept beside it. Raises UserError
    as `look` does, and if the game is open elsewhere; the file is then left as it is.
    """
    path = Path(path)
    with _locked(path) as lock:
        return _load(path, lock)


def _load(path: Path, lock: Lock) -> tuple[Save, str]:
    found = _read_all(path)
    if found.whole and found.version == str(VERSION):
        return Save(path, found.game, found.chain, lock, found.clock_left), ""
    aside = _keep_aside(path, f"version-{found.version}" if found.whole else "damaged")
    text, chain = _seal_all([f"{MAGIC}{VERSION}", *found.lines[1:]])
    write_whole(path, text)
    damage = f"damaged after step {found.steps}"
    was = f"of version {found.version}" if found.whole else damage
    made = Save(path, found.game, chain, lock, found.clock_left)
    return made, f"{path} was {was}; the original is {aside}"


@contextmanager
def _locked(path: Path) -> Iterator[Lock]:
    """Lock a save for whoever opens it; released at once if that fails."""
    lock = Lock(path)
    try:
        yield lock
    except BaseException:
        lock.release()
        raise


def look(path: str | Path) -> Game:
    """Return a game as far as its save is whole, and leave the file as it is.

    Raises UserError if it cannot be read, or its header is damaged or of an
    unknown version.
    """
    return _read_all(Path(path)).game


@dataclass(frozen=True)
class _Found:
    """A save as it was read: its good lines, and whether these were all."""

    version: str
    lines: list[str]
    steps: int
    game: Game
    chain: str
    whole: bool
    clock_left: int | None


def _read_all(path: Path) -> _Found:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from None
    lines, chain, whole = _open_seals(data)
    if not lines or not lines[0].startswith(MAGIC):
        raise UserError(f"{path} is not a save of city-game, or its first line is damaged")
    version = lines[0][len(MAGIC) :]
    if version not in READABLE:
        known = " and ".join(READABLE)
        raise UserError(f"{path} is of version {version}; this game reads {known}")
    if PLAY not in lines:
        raise UserError(f"{path} is damaged before its first step; nothing can be resumed")
    first = lines.index(PLAY) + 1
    game, steps = _play(_setup(path, lines[1 : first - 1]), lines[first:])
    whole = whole and first + steps == len(lines)
    lines = lines[: first + steps]
    noted = [line for line in lines[first:] if line.startswith(CLOCK)]
    left = int(noted[-1][len(CLOCK) :]) if noted else None
    return _Found(version, lines, steps, game, chain, whole, left)


def _header(setup: Setup) -> list[str]:
    seats = zip(setup.names, setup.seats, strict=True)
    rules = setup.rules.changed().items()
    return [
        f"{MAGIC}{VERSION}",
        *(f"player {seat} {name}" for name, seat in seats),
        *(f"rule {name} {'yes' if on else 'no'}" for name, on in rules),
        f"seed {setup.seed}",
        *([f"keys {setup.keys}"] if setup.keys else []),
        *([f"minutes {setup.minutes}"] if setup.minutes else []),
        *(f"board {line}".rstrip() for line in setup.board.text.splitlines()),
        PLAY,
    ]


def _setup(path: Path, lines: list[str]) -> Setup:
    names, seats, board, rules = [], [], [], {}
    seed, keys, minutes = 0, "", 0
    try:
        for line in lines:
            what, _, rest = line.partition(" ")
            if what == "player":
                seat, _, name = rest.partition(" ")
                seats.append(seat)
                names.append(name)
            elif what == "rule":
                name, _, answer = rest.partition(" ")
                rules[name] = answer == "yes"
            elif what == "seed":
                seed = int(rest)
            elif what == "keys":
                keys = rest
            elif what == "minutes":
                minutes = int(rest)
            elif what == "board":
                board.append(rest)
        made, mistakes = board_file.parse("\n".join(board) + "\n")
        if made is None:
            raise ValueError(mistakes[0])
        return Setup(made, tuple(names), tuple(seats), HouseRules(**rules), seed, keys, minutes)
    except (ValueError, KeyError) as error:
        raise UserError(f"{path}: the header makes no sense: {error}") from None


def _play(setup: Setup, lines: list[str]) -> tuple[Game, int]:
    """Return the game after its steps, and how many lines of them made sense."""
    game = Game(setup)
    for number, line in enumerate(lines):
        try:
            if line == "undo":
                game.undo()
            elif line.startswith(CLOCK):
                int(line[len(CLOCK) :])
            else:
                game.do(read(line, setup.board))
        except (ValueError, Illegal):
            return game, number
    return game, len(lines)


def _keep_aside(path: Path, what: str) -> Path:
    number = 1
    while True:
        aside = path.with_name(f"{path.name}.{what}-{number}")
        if not aside.exists():
            shutil.copy2(path, aside)
            return aside
        number += 1


# The seals.


def _sealed(text: str, chain: str) -> tuple[str, str]:
    chain = f"{crc32(f'{chain} {text}'.encode()):08x}"
    return f"{text} *{chain}\n", chain


def _seal_all(lines: list[str]) -> tuple[str, str]:
    chain = ""
    sealed = []
    for text in lines:
        line, chain = _sealed(text, chain)
        sealed.append(line)
    return "".join(sealed), chain


def _open_seals(data: bytes) -> tuple[list[str], str, bool]:
    """Return the texts up to the first bad line, the chain there, and whether all were good."""
    chain = ""
    texts: list[str] = []
    for raw in data.splitlines(keepends=True):
        line = raw.decode("utf-8", "replace")
        text = line[: line.rfind(" *")]
        right, next_chain = _sealed(text, chain)
        if line != right:
            return texts, chain, False
        chain = next_chain
        texts.append(text)
    return texts, chain, True
