"""The hour on disk: all that was done to a unit, noted before it takes effect, and lived again.

A unit is pure: the same contacts and commands at the same times lead to the same game, its
draws included. So what is kept is no picture of its inside but the steps that led there, one
line of JSON each, from the moment at which it was switched on. A line that was torn when the
power failed is one step less, and nothing else is lost.

A step is in the file before it takes effect, so that a program that is killed has lost nothing.
That the disk itself has it, for when the power fails, is seen to in the background: a beep
cannot wait for a disk.
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

from city_unit.desktop import folders
from city_unit.desktop.toml_reader import parse
from city_unit.draws import Draws
from city_unit.drive import Drive
from city_unit.facts import SWITCH
from city_unit.fingers import SHORTEST_PRESS_MS
from city_unit.programs import PROGRAMS, Program
from city_unit.settings import Settings
from city_unit.ticks import MASK, add, diff
from city_unit.unit import Unit
from sim.engine import program_file, program_text

FORM = 1  # of the file; another one is not read
EVENTS = 16384  # that the unit remembers: those of a long evening, in half a MB
BEAT_S = 1.0  # how often the file learns that the hour still runs
_BINARY = getattr(os, "O_BINARY", 0)  # of Windows, which would write another end of a line
QUIET_MS = 1000  # after which the contacts of a unit that is off have settled


def where() -> Path:
    """Return the path of the file."""
    return folders.settings() / "game.jsonl"


def events() -> Path:
    """Return the path of the journal beside it, for programs that ask for the unit's events."""
    return where().with_name("events.log")


class Step(NamedTuple):
    """Something that was done to the unit.

    now       the unit's own time
    levels    what the contacts became; -1 for a command
    command   of the link or of the menu, with its length in ms
    program   the text of the program's file, and
    clock_ms  the length of its game, as they were set when it was done
    at        seconds of the wall's clock
    """

    now: int
    levels: int
    command: str
    length: int
    program: str
    clock_ms: int
    at: float


class Story(NamedTuple):
    """A game from its beginning.

    seed    of the draws, as they stood then
    now     the unit's own time then, and
    levels  its contacts, which had settled
    steps   what was done since
    until   the unit's time up to which it is known to have lived, and
    at      the wall's clock then
    """

    seed: int
    now: int
    levels: int
    steps: tuple[Step, ...]
    until: int
    at: float


class KeptUnit(Unit):
    """A unit that has each thing noted before it is done."""

    def __init__(self, settings: Settings, seed: int, keeper: "Keeper") -> None:
        draws = Draws(seed)
        super().__init__(settings, draws.below, EVENTS)
        self.draws = draws
        self.keeper = keeper

    def step(self, now: int, levels: int) -> None:
        if levels != self._levels:
            self.keeper.contacts(self, now, self._levels, levels)
        super().step(now, levels)
        self.keeper.lived(self)

    def command(self, now: int, what: str, length: int = 0) -> str:
        self.keeper.command(self, now, what, length)
        return super().command(now, what, length)

    def become(self, other: Unit) -> None:
        keeper = self.keeper
        super().become(other)
        self.keeper = keeper


class Keeper:
    """Keeps the running game in a file.

    path   of the file; None keeps it in memory alone
    wall   the clock of the wall, in seconds
    story  the game as it is known, None before the first
    fault  why it cannot be kept on disk, None if it can
    """

    def __init__(self, path: Path | None, wall: Callable[[], float] = time.time) -> None:
        self.fault: OSError | None = None
        self.story: Story | None = None
        self._path = path
        self._wall = wall
        self._file = -1
        self._begun: Story | None = None  # of a unit that is off: what may become a game
        self._is_asleep = True
        self._beaten = 0.0
        self._flusher = Flusher()

    # What the unit tells.

    def contacts(self, unit: KeptUnit, now: int, before: int, levels: int) -> None:
        self._note(unit, now, before, self._step(unit, now, levels, "", 0))

    def command(self, unit: KeptUnit, now: int, what: str, length: int) -> None:
        if not self._is_asleep:
            self._note(unit, now, 0, self._step(unit, now, -1, what, length))

    def lived(self, unit: KeptUnit) -> None:
        """See whether the unit has been switched on, and with that a game has begun."""
        if self._is_asleep and unit.state != "off" and self._begun is not None:
            self._is_asleep = False
            self.tell_anew(self._begun)
        elif unit.state == "off" and not self._is_asleep:
            self._is_asleep = True
            self._begun = self.story  # a slide that chatters may yet wake it

    def beat(self, now: int) -> None:
        """Note that the game has lived until now; call it often."""
        at = self._wall()
        if self._is_asleep or self.story is None or 0 <= at - self._beaten < BEAT_S:
            return
        self._beaten = at
        self.story = self.story._replace(until=now, at=at)
        self._write({"until": now, "at": at}, sure=False)

    # What is done with a game.

    def tell_anew(self, story: Story) -> None:
        """Have the file tell this story, in place of what it told; it goes on from there."""
        self.story = story
        self._is_asleep = False
        self._close()
        if self._path is None:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            unfinished = self._path.with_name(f"{self._path.name}.part")
            unfinished.write_bytes(_text(story).encode())
            unfinished.replace(self._path)
            self._file = os.open(self._path, os.O_WRONLY | os.O_APPEND | _BINARY)
            self._flusher.flush(self._file)
        except OSError as error:
            self.fault = error

    @property
    def is_kept(self) -> bool:
        """Whether the game is in a file."""
        return self._file >= 0

    def close(self) -> None:
        """Let go of the file, all of which is then on the disk."""
        if self._file >= 0:
            with contextlib.suppress(OSError):
                os.fsync(self._file)
        self._close()

    def _note(self, unit: KeptUnit, now: int, before: int, step: Step) -> None:
        if self._is_asleep:
            begun = self._begun
            if begun is None or diff(now, begun.until) > QUIET_MS or diff(now, begun.until) < 0:
                seed = unit.draws.seed
                begun = Story(seed, add(now, -QUIET_MS), before, (), now, step.at)
            self._begun = begun._replace(steps=(*begun.steps, step), until=now, at=step.at)
        elif self.story is not None:
            steps = (*self.story.steps, step)
            self.story = self.story._replace(steps=steps, until=now, at=step.at)
            self._write(step._asdict(), sure=True)

    def _step(self, unit: KeptUnit, now: int, levels: int, command: str, length: int) -> Step:
        settings = unit.settings
        text = _written(settings.program)
        return Step(now, levels, command, length, text, settings.clock_ms, self._wall())

    def _write(self, content: dict, sure: bool) -> None:
        if self._file < 0:
            return
        try:
            os.write(self._file, f"{json.dumps(content)}\n".encode())
            if sure:
                self._flusher.flush(self._file)
        except OSError as error:
            self.fault = error
            self._close()

    def _close(self) -> None:
        if self._file >= 0:
            with contextlib.suppress(OSError):
                os.close(self._file)
            self._file = -1


class Flusher:
    """Has the disk take what was written, while the program goes on."""

    def __init__(self) -> None:
        self._files: queue.SimpleQueue[int] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def flush(self, file: int) -> None:
        """Flush an open file soon; it may be closed meanwhile. Raises OSError."""
        self._files.put(os.dup(file))
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, daemon=True)
            self._thread.start()

    def _work(self) -> None:
        while True:
            file = self._files.get()
            with contextlib.suppress(OSError):
                os.fsync(file)
            os.close(file)


def claim(path: Path) -> FileLock | None:
    """Take the right to write the file; None if another window keeps its game there.

    Raises OSError where nothing can be kept.
    """
    lock = FileLock(path.with_name(f".{path.name}.lock"), thread_local=False)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire(blocking=False)
    except Timeout:
        return None
    return lock


def read(path: Path) -> Story | None:
    """Return the game in a file; None if there is none, or none that can be lived again."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        return _parsed(lines)
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        return None


def _parsed(lines: list[str]) -> Story:
    head = json.loads(lines[0])
    if head["form"] != FORM:
        raise ValueError(head["form"])
    steps: list[Step] = []
    until, at = _time(head["until"]), float(head["at"])
    for line in lines[1:]:
        try:
            content = json.loads(line)
        except ValueError:
            break  # torn; what follows it, if anything, cannot be trusted
        if "levels" in content:
            step = Step(**content)
            steps.append(step)
            until, at = _time(step.now), float(step.at)
        else:
            until, at = _time(content["until"]), float(content["at"])
    if steps and steps[-1].levels > 0 and steps[-1].levels & ~SWITCH:
        # The finger that was on a button when the program died had pressed it: without this
        # it would be gone before the debounce, and an auction that everybody saw with it.
        pressed = add(steps[-1].now, SHORTEST_PRESS_MS)
        until = pressed if diff(pressed, until) > 0 else until
    return Story(
        int(head["seed"]), _time(head["now"]), int(head["levels"]), tuple(steps), until, at
    )


def _time(value: object) -> int:
    if type(value) is not int or not 0 <= value <= MASK:
        raise ValueError(value)
    return value


def _text(story: Story) -> str:
    head = {"form": FORM, **story._asdict()}
    del head["steps"]
    lines = [head, *(step._asdict() for step in story.steps)]
    last = {"until": story.until, "at": story.at}
    return "".join(f"{json.dumps(line)}\n" for line in (*lines, last))


def live_again(story: Story, until: int, programs: tuple[Program, ...]) -> KeptUnit:
    """Return a unit that has lived through a game until its own time `until`.

    It is on, with no finger on it; its keeper, in memory alone, tells the same story. Raises
    UserError if the program that the game is of can no longer be read.
    """
    unit = KeptUnit(Settings(programs), story.seed, Keeper(None))
    drive = Drive(unit, story.now)
    drive.go(0, story.levels)
    for step in story.steps:
        _take_settings(unit.settings, step)
        ms = drive.ms + diff(step.now, drive.now)
        if step.command:
            drive.until(ms)
            unit.command(step.now, step.command, step.length)
        else:
            drive.until(ms, step.levels)
    drive.until(drive.ms + max(0, diff(until, drive.now)), drive.levels & SWITCH)
    return unit


def _take_settings(settings: Settings, step: Step) -> None:
    if _written(settings.program) == step.program:
        settings.clock_ms = step.clock_ms
        return
    for program in settings.programs:
        if _written(program) == step.program:
            settings.choose(program, step.clock_ms)
            return
    program = program_file.read(parse(step.program.encode(), "game.jsonl"))
    settings.programs = (*settings.programs, program)
    settings.choose(program, step.clock_ms)


def _written(program: Program) -> str:
    """Return a program as a file of it, by which it is known again."""
    if program in PROGRAMS:
        return program.name
    return program_text.write(program, {})
