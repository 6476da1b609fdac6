"""A tournament's file: readable lines, a step each, sealed as a save's, written as they happen."""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from city_game.kernel.switches import HouseRules
from city_game.saves import steps_file
from city_game.saves.steps_file import PLAY, StepsFile
from city_game.tournament.core import SWITCHES, Tournament
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import UserError
from city_unit.desktop.files import warn

MAGIC = "city-game tournament 1"  # no text: in the file


class Record:
    """A tournament and its file, which is open and locked until `close`.

    clock  seconds since 1970
    """

    def __init__(
        self, file: StepsFile, tournament: Tournament, clock: Callable[[], float] = time.time
    ) -> None:
        self.path = file.path
        self.tournament = tournament
        self.clock = clock
        self._file = file
        self.retry, self.close = file.retry, file.close
        with suppress(OSError):  # a disk may know no owners
            self.path.chmod(0o600)  # addresses of tables have their codes in them

    @property
    def error(self) -> str:
        """Why steps are not on the disk, in the user's language; "" if all are."""
        return self._file.error

    def do(self, text: str) -> None:
        """Do a step, and have it on the disk; raises UserError, and does nothing, if refused."""
        at = int(self.clock())
        self.tournament.do(at, text)
        self._file.add(f"{at} {text.strip()}")


def create(path: Path, rules: HouseRules, seed: int) -> Record:
    """Start the file of a tournament; raises UserError."""
    stated = [
        f"rule {name} {'yes' if on else 'no'}"  # no text: in the file
        for name, on in rules.stated().items()
    ]
    file = steps_file.begin(path, [MAGIC, f"seed {seed}", *stated, PLAY], warn)
    return Record(file, Tournament(rules, seed))


def resume(path: Path) -> tuple[Record, str]:
    """Return a tournament from its file, and a sentence on its repair ("" if it was whole)."""
    file, tournament, said = steps_file.go_on(path, _understand, warn)
    return Record(file, tournament), said


def _understand(path: Path, lines: list[str]) -> tuple[Tournament, int]:
    """Return a tournament from its lines, and how many of them make sense."""
    if lines[:1] != [MAGIC] or PLAY not in lines:
        wrong = _(
            "{path} is no tournament of city-game, or its first lines are damaged: name another "
            "file, or a copy of this one"
        )
        raise UserError(wrong.format(path=path))
    first = lines.index(PLAY) + 1
    rules, seed = {}, 0
    try:
        for line in lines[1 : first - 1]:
            what, name, *answer = line.split(" ")
            if what == "seed":
                seed = int(name)
            else:
                rules[name] = answer == ["yes"]
        tournament = Tournament(HouseRules(SWITCHES, **rules), seed)
    except (ValueError, KeyError) as error:
        senseless = _("{path}: the header makes no sense: {why}")
        raise UserError(senseless.format(path=path, why=error)) from None
    for done, line in enumerate(lines[first:], first):
        at, _space, text = line.partition(" ")
        try:
            tournament.do(int(at), text)
        except (ValueError, UserError):
            return tournament, done
    return tournament, len(lines)
