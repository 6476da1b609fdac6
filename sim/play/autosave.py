"""Save the running game: a log of every input to the unit, which is replayed to restore it.

A unit is deterministic: the same contacts and commands at the same times lead to the same game,
draws included. So the file stores no state but the steps since the unit was switched on, each
as a line of sealed JSON. A line that a power failure cut short costs one step; a flipped bit
costs nothing.

Each step is in the file before it takes effect, so a program that is killed loses nothing. A
thread flushes the file to the disk, against a power failure; a beep cannot wait for a disk.
"""

import contextlib
import json
import os
import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from filelock import FileLock, Timeout

from city_unit.desktop import files
from city_unit.desktop.append_file import AppendFile, back_up, seal, seal_all, unseal_all
from city_unit.desktop.catalogue import lazy
from city_unit.desktop.errors import FAILURE, UserError
from city_unit.desktop.files import cannot_read, reason
from city_unit.desktop.toml_reader import parse
from city_unit.draws import Draws
from city_unit.drive import Drive
from city_unit.facts import LONGEST_CLOCK_MS, SWITCH
from city_unit.fingers import SHORTEST_PRESS_MS
from city_unit.programs import PROGRAMS, Program
from city_unit.settings import Settings
from city_unit.ticks import MASK, add, diff
from city_unit.unit import Unit
from sim.engine import program_file, program_text
from sim.engine.runner import EVENTS_KEPT

FORM = 2  # version of the file format
BEAT_S = 1.0  # how often the file records that the game still runs
QUIET_MS = 1000  # after this the contacts of a unit that is off have settled
UNREADABLE = lazy(
    "{path} has no game that this version can continue; it is kept as {aside}, and the next game"
    " starts without it"
)


def game_path() -> Path:
    """Return the path of the file."""
    return files.settings_folder() / "game.jsonl"


def journal_path() -> Path:
    """Return the path of the journal next to it, from which programs read the unit's events."""
    return game_path().with_name("events.log")


class Step(NamedTuple):
    """An input to the unit.

    now       the unit's own time
    levels    the new levels of the contacts; -1 for a command
    command   a command of the link or the menu, "" for none
    length    the argument of the command, in ms
    program   the current program: the name of a built-in one, else the text of its file
    clock_ms  the current length of the game
    at        wall clock, s
    """

    now: int
    levels: int
    command: str
    length: int
    program: str
    clock_ms: int
    at: float


class History(NamedTuple):
    """A game from its start.

    seed    state of the draws at the start
    now     the unit's own time at the start
    levels  its settled contacts at the start
    steps   all inputs since
    until   the latest time of the unit at which it is known to have run
    at      wall clock at `until`, s
    """

    seed: int
    now: int
    levels: int
    steps: tuple[Step, ...]
    until: int
    at: float


class RecordedUnit(Unit):
    """A unit that saves each step before it takes effect."""

    def __init__(self, settings: Settings, seed: int, autosave: "Autosave") -> None:
        draws = Draws(seed)
        super().__init__(settings, draws.below, EVENTS_KEPT)
        self.draws = draws
        self.autosave = autosave

    def step(self, now: int, levels: int) -> None:
        if levels != self._levels:
            self.autosave.note(self, now, levels, self._levels)
        super().step(now, levels)
        self.autosave.note_state(self)

    def command(self, now: int, what: str, length: int = 0) -> str:
        self.autosave.note(self, now, -1, 0, what, length)
        return super().command(now, what, length)

    def become(self, other: "RecordedUnit") -> None:
        """Take over the state and the parts of `other`, which must not be used any more."""
        vars(self).update(vars(other), autosave=self.autosave)


class Autosave:
    """Saves the running game.

    path     of the file; None to keep the game in memory only
    wall     the wall clock, in seconds
    history  the game so far, None before the first
    fault    why there is no file, in the user's language; "" if there is one or none is wanted.
             If `path` is None for this reason, the owner sets it
    """

    def __init__(self, path: Path | None, wall: Callable[[], float] = time.time) -> None:
        self.fault = ""
        self.history: History | None = None
        self._path = path
        self._wall = wall
        self._file: AppendFile | None = None
        self._chain = ""
        self._begun: History | None = None  # recent inputs while off, which may start a game
        self._is_asleep = True
        self._noted_at = 0.0
        self._flusher = Flusher()

    # Reports of the unit.

    def note(
        self,
        unit: RecordedUnit,
        now: int,
        levels: int,
        before: int,
        command: str = "",
        length: int = 0,
    ) -> None:
        """Record a step, described as in `Step`; `before` has the levels before it."""
        if command and self._is_asleep:
            return
        settings, at = unit.settings, self._wall()
        text = _written(settings.program)
        step = Step(now, levels, command, length, text, settings.clock_ms, at)
        if self._is_asleep:
            begun = self._begun
            if begun is None or not 0 <= diff(now, begun.until) <= QUIET_MS:
                begun = History(unit.draws.seed, add(now, -QUIET_MS), before, (), now, at)
            self._begun = begun._replace(steps=(*begun.steps, step), until=now, at=at)
        elif self.history is not None:
            self.history = self.history._replace(
                steps=(*self.history.steps, step), until=now, at=at
            )
            self._write(step._asdict(), is_urgent=True)

    def note_state(self, unit: RecordedUnit) -> None:
        """Record whether the unit was switched on, which starts a game, or off."""
        if self._is_asleep and unit.state != "off" and self._begun is not None:
            self._is_asleep = False
            self.restart_from(self._begun)
        elif unit.state == "off" and not self._is_asleep:
            self._is_asleep = True
            self._begun = self.history  # the switch may only have bounced

    def note_time(self, now: int) -> None:
        """Record that the game still runs; call this often."""
        at = self._wall()
        if self._is_asleep or self.history is None or 0 <= at - self._noted_at < BEAT_S:
            return
        self._noted_at = at
        self.history = self.history._replace(until=now, at=at)
        if self.fault or (self._file is not None and self._file.lost):
            self._write_whole()
        else:
            self._write({"until": now, "at": at}, is_urgent=False)

    # The file.

    def restart_from(self, history: History) -> None:
        """Replace the file's contents by `history`; further steps are added to it."""
        self.history = history
        self._is_asleep = False
        self._write_whole()

    @property
    def error(self) -> str:
        """Why the game is not in the file, in the user's language; "" if it is."""
        return self.fault or ("" if self._file is None else self._file.error)

    @property
    def is_saved(self) -> bool:
        return self._file is not None and not self.error

    def close(self) -> None:
        """Flush and close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _write_whole(self) -> None:
        if self._path is None:
            return
        assert self.history is not None
        history = self.history
        head = {"form": FORM, **history._asdict()}
        del head["steps"]
        last = {"until": history.until, "at": history.at}
        content = (head, *(step._asdict() for step in history.steps), last)
        text, self._chain = seal_all([json.dumps(line) for line in content])
        try:
            if self._file is None:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._file = AppendFile(self._path, self._flusher.flush)
            self._file.replace(text.encode())
            self.fault = ""
        except OSError as error:
            self.fault = reason(error)

    def _write(self, content: dict, is_urgent: bool) -> None:
        if self._file is not None and not self.fault:
            line, self._chain = seal(json.dumps(content), self._chain)
            self._file.add(line.encode(), is_urgent)


class Flusher:
    """Synchronises files with the disk in the background."""

    def __init__(self) -> None:
        self._files: queue.SimpleQueue[int] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def flush(self, file: int) -> None:
        """Schedule an open file for flushing; it may be closed before. Raises OSError."""
        self._files.put(os.dup(file))
        if self._thread is None:

            def work() -> None:
                while True:
                    waiting = self._files.get()
                    with contextlib.suppress(OSError):
                        os.fsync(waiting)
                    os.close(waiting)

            self._thread = threading.Thread(target=work, daemon=True)
            self._thread.start()


def claim(path: Path) -> FileLock | None:
    """Acquire the lock on the file; return None if another window holds it.

    Raises OSError if the folder is not writable.
    """
    lock = FileLock(path.with_name(f".{path.name}.lock"), thread_local=False)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire(blocking=False)
    except Timeout:
        return None
    return lock


def read(path: Path) -> History | None:
    """Return the saved game, None if there is none.

    Raises UserError if the file is damaged or of a later version; it was then renamed, so that
    the next game does not overwrite it.
    """
    try:
        content = path.read_bytes()
        try:
            return _parsed(unseal_all(content).texts) if content else None
        except (ValueError, KeyError, TypeError, IndexError, OverflowError, RecursionError):
            aside = back_up(path, "unreadable")
            path.unlink()
            raise UserError(UNREADABLE.format(path=path, aside=aside), FAILURE) from None
    except FileNotFoundError:
        return None
    except OSError as error:
        raise cannot_read(path, error, FAILURE) from None


def _parsed(lines: list[str]) -> History:
    head = json.loads(lines[0])
    if head["form"] != FORM:
        raise ValueError(head["form"])
    steps: list[Step] = []
    until, at = _time(head["until"]), float(head["at"])
    for line in lines[1:]:
        content = json.loads(line)
        if "levels" in content:
            step = Step(**content)
            # Reject values that a unit cannot process.
            _whole(step.levels, -1, 7)
            _whole(step.length, 0, MASK)
            _whole(step.clock_ms, 0, LONGEST_CLOCK_MS)
            if not isinstance(step.command, str) or not isinstance(step.program, str):
                raise ValueError(step)
            step.program.encode()
            steps.append(step)
            until, at = _time(step.now), float(step.at)
        else:
            until, at = _time(content["until"]), float(content["at"])
    if steps and steps[-1].levels > 0 and steps[-1].levels & ~SWITCH:
        # The program died while a button was down. Let the press outlast the debounce, or the
        # auction that it started would be lost.
        pressed = add(steps[-1].now, SHORTEST_PRESS_MS)
        until = pressed if diff(pressed, until) > 0 else until
    return History(
        int(head["seed"]), _time(head["now"]), int(head["levels"]), tuple(steps), until, at
    )


def _time(value: object) -> int:
    return _whole(value, 0, MASK)


def _whole(value: object, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise ValueError(value)
    return value


def replay(history: History, until: int, programs: tuple[Program, ...]) -> RecordedUnit:
    """Return a unit in the state that a game had at the unit's own time `until`.

    No button is pressed. Its autosave has the same history, in memory only. Raises UserError if
    the program of the game can no longer be parsed.
    """
    unit = RecordedUnit(Settings(programs), history.seed, Autosave(None))
    drive = Drive(unit, history.now)
    drive.go(0, history.levels)
    for step in history.steps:
        settings = unit.settings
        if _written(settings.program) == step.program:
            settings.clock_ms = step.clock_ms
        else:
            known = [program for program in settings.programs if _written(program) == step.program]
            if not known:
                known = [program_file.read(parse(step.program.encode(), "game.jsonl"))]
                settings.programs = (*settings.programs, *known)
            settings.choose(known[0], step.clock_ms)
        ms = drive.ms + diff(step.now, drive.now)
        if step.command:
            drive.until(ms)
            unit.command(step.now, step.command, step.length)
        else:
            drive.until(ms, step.levels)
    drive.until(drive.ms + max(0, diff(until, drive.now)), drive.levels & SWITCH)
    return unit


def _written(program: Program) -> str:
    """Return the name of a built-in program, or the text of its file, which identifies it too."""
    if program in PROGRAMS:
        return program.name
    return program_text.write(program, {})
