"""A tournament's file: readable lines, a step each, sealed as a save's, written as they happen."""

import os
import time
from collections.abc import Callable
from pathlib import Path

from city_game.kernel.switches import HouseRules
from city_game.saves.lock import Lock
from city_game.tournament.core import SWITCHES, Tournament
from city_unit.desktop.append_file import AppendFile, keep_aside, open_all, seal, seal_all
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import UserError
from city_unit.desktop.files import cannot_write, reason, warn, write_whole

MAGIC = "city-game tournament 1"  # no text: in the file
PLAY = "play"  # the line between the header and the steps
LARGEST = 4 * 1024 * 1024  # bytes


class Record:
    """The file of a tournament, open and locked until `close`.

    clock  seconds since 1970
    """

    def __init__(
        self,
        path: Path,
        tournament: Tournament,
        chain: str,
        lock: Lock,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.path = path
        self.tournament = tournament
        self.clock = clock
        self._chain = chain
        self._lock = lock
        try:
            self._file = AppendFile(path, os.fsync, warn)
            path.chmod(0o600)  # addresses of tables have their codes in them
        except OSError as error:
            raise cannot_write(path, error) from None

    def do(self, text: str) -> None:
        """Do a step, and have it on the disk; raises UserError, and does nothing, if refused."""
        at = int(self.clock())
        self.tournament.do(at, text)
        line, self._chain = seal(f"{at} {text.strip()}", self._chain)
        self._file.add(line.encode())

    def retry(self) -> None:
        """Write the steps that a full disk did not take; call it often."""
        self._file.retry()

    @property
    def trouble(self) -> str:
        """Why steps are not on the disk, in the user's language; "" if all are."""
        return self._file.trouble

    def close(self) -> None:
        """Write all steps, as far as the disk takes them: see `trouble`."""
        self._file.close()
        self._lock.release()


def create(path: Path, rules: HouseRules, seed: int) -> Record:
    """Start the file of a tournament; raises UserError."""
    lock = Lock(path)
    header = [
        MAGIC,
        f"seed {seed}",
        *(
            f"rule {name} {'yes' if on else 'no'}"  # no text: in the file
            for name, on in rules.stated().items()
        ),
        PLAY,
    ]
    text, chain = seal_all(header)
    try:
        write_whole(path, text)
        return Record(path, Tournament(rules, seed), chain, lock)
    except BaseException:
        lock.release()
        raise


def resume(path: Path) -> tuple[Record, str]:
    """Return a tournament from its file, and a sentence on its repair ("" if it was whole).

    A damaged file is cut behind its last whole line, and the original kept beside it.
    """
    lock = Lock(path)
    try:
        return _resume(path, lock)
    except BaseException:
        lock.release()
        raise


def _resume(path: Path, lock: Lock) -> tuple[Record, str]:
    try:
        data = path.read_bytes() if path.stat().st_size <= LARGEST else b""
    except OSError as error:
        cannot = _("cannot read {path}: {why}")
        raise UserError(cannot.format(path=path, why=reason(error))) from None
    opened = open_all(data)
    lines = opened.texts
    if lines[:1] != [MAGIC] or PLAY not in lines:
        wrong = _("{path} is no tournament of city-game, or its first lines are damaged")
        raise UserError(wrong.format(path=path))
    first = lines.index(PLAY) + 1
    tournament = _begun(path, lines[1 : first - 1])
    good = first
    for line in lines[first:]:
        at, _space, text = line.partition(" ")
        try:
            tournament.do(int(at), text)
        except (ValueError, UserError):
            break
        good += 1
    if opened.is_whole and not opened.mended and good == len(lines):
        return Record(path, tournament, opened.chain, lock), ""
    try:
        aside = keep_aside(path, "damaged")
    except OSError as error:
        raise cannot_write(path, error) from None
    text, chain = seal_all(lines[:good])
    write_whole(path, text)
    said = _("{path} was damaged behind line {line}; all before it counts, the original is {aside}")
    if opened.is_whole and good == len(lines):
        said = _(
            "{path} was damaged in line {line}, and is mended with nothing lost; the original is "
            "{aside}"
        )
    words = said.format(path=path, line=opened.mended or good, aside=aside)
    return Record(path, tournament, chain, lock), words


def _begun(path: Path, header: list[str]) -> Tournament:
    rules, seed = {}, 0
    try:
        for line in header:
            what, name, *answer = line.split(" ")
            if what == "seed":
                seed = int(name)
            else:
                rules[name] = answer == ["yes"]
        return Tournament(HouseRules(SWITCHES, **rules), seed)
    except (ValueError, KeyError) as error:
        senseless = _("{path}: the header makes no sense: {why}")
        raise UserError(senseless.format(path=path, why=error)) from None
