"""`city-game tournament FILE`: start or resume a tournament of the championship.

Its file is readable text, with a line for each step, written at once and sealed like a saved game.
"""

import argparse
import queue
import secrets
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from city_game import steps_file
from city_game.commands import WIDEST, print_switch
from city_game.kernel.switches import HouseRules, as_stated, with_reversed
from city_game.steps_file import PLAY, StepsFile
from city_game.tournament import network, view
from city_game.tournament.core import STEPS, SWITCHES, Tournament
from city_unit.desktop import addresses, catalogue
from city_unit.desktop.append_file import STOPPED
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import FAILURE, UserError, at
from city_unit.desktop.files import cannot_read, require_folders, warn

STEP_S = 0.2  # between two updates of clocks, tables and pages
LARGEST = 64 * 1024  # bytes of a list of teams
MAGIC = "city-game tournament 1"  # no text: in the file


class Record:
    """A tournament and its file, which is open and locked until it is closed.

    clock  seconds since 1970
    """

    def __init__(
        self, file: StepsFile, tournament: Tournament, clock: Callable[[], float] = time.time
    ) -> None:
        self.path = file.path
        self.tournament = tournament
        self.clock = clock
        self.file = file
        with suppress(OSError):  # some file systems have no permissions
            self.path.chmod(0o600)  # addresses of tables contain secret codes

    def do(self, text: str) -> None:
        """Perform a step and write it to the file; raises UserError if it is refused."""
        at = int(self.clock())
        self.tournament.do(at, text)
        self.file.add_line(f"{at} {text.strip()}")


def create(path: Path, rules: HouseRules, seed: int) -> Record:
    """Create a tournament and its file; raises UserError."""
    file = steps_file.create(path, [MAGIC, f"seed {seed}", *rules.lines(), PLAY], warn)
    return Record(file, Tournament(rules, seed))


def resume(path: Path) -> tuple[Record, str]:
    """Read a tournament from its file; return it with a message about a repair, if any."""
    file, tournament, said = steps_file.resume(path, _understand, warn)
    return Record(file, tournament), said


def _understand(path: Path, lines: list[str]) -> tuple[Tournament, int]:
    """Parse a tournament; return it and the number of valid lines."""
    if lines[:1] != [MAGIC] or PLAY not in lines:
        wrong = _(
            "{path} is not a tournament of city-game, or its first lines are damaged: name another "
            "file, or a copy of this one"
        )
        raise UserError(wrong.format(path=path))
    first = lines.index(PLAY) + 1
    rules, seed = [], 0
    try:
        for line in lines[1 : first - 1]:
            what, _space, rest = line.partition(" ")
            if what == "seed":
                seed = int(rest)
            else:
                rules.append(rest)
        tournament = Tournament(as_stated(SWITCHES, rules), seed)
    except (ValueError, KeyError) as error:
        invalid = _("{path}: invalid header: {why}")
        raise UserError(invalid.format(path=path, why=error)) from None
    for done, line in enumerate(lines[first:], first):
        at, _space, text = line.partition(" ")
        try:
            tournament.do(int(at), text)
        except (ValueError, UserError):
            return tournament, done
    return tournament, len(lines)


# The command.


def arguments(parser: argparse.ArgumentParser) -> None:
    file = _("the tournament's file: created if it does not exist, otherwise resumed")
    parser.add_argument("file", nargs="?", metavar=_("FILE"), help=file)
    teams = _("enter the teams listed in a file, one per line: NAME, JUNIOR, ADULT")
    parser.add_argument("--teams", metavar=_("FILE"), help=teams)
    team = _("enter a team; may be repeated")
    parser.add_argument(
        "--team", action="append", default=[], metavar=_("NAME,JUNIOR,ADULT"), help=team
    )
    rule = _("in a new tournament, switch a rule that the book leaves open; --rules lists them")
    parser.add_argument("--rule", action="append", default=[], metavar=_("NAME"), help=rule)
    rules = _("list the rules that the book leaves open, and their defaults")
    parser.add_argument("--rules", action="store_true", help=rules)
    lan = _("serve the pages to the home network too, not only to this computer")
    parser.add_argument("--lan", action="store_true", help=lan)
    port = _("serve the pages on this port (default: the last one used, or a free one)")
    parser.add_argument("--port", default="0", metavar=_("N"), help=port)
    seed = _("seed of the draws: the same number gives the same draws (default: random)")
    parser.add_argument("--seed", type=int, metavar=_("N"), help=seed)
    parser.epilog = "\n\n".join(
        (
            _("While the tournament runs, type its steps, one per line:"),
            "\n".join(_steps()),
            _(
                "TEAM and TABLE are the numbers shown. Each step is written to the file at once; "
                "an interrupted tournament resumes from there."
            ),
        )
    )


def _steps() -> list[str]:
    steps = {verb: (str(step.usage), str(step.says)) for verb, step in STEPS.items()} | {
        "save": (_("TABLE FILE"), _("enter the result of a table from a saved game")),
        "undo": ("", _("undo the last step")),
        "show": ("", _("show the round, its clocks, and the questions for the referee")),
        "help": ("", _("list the steps")),
        "quit": ("", _("leave; the clocks keep running")),
    }
    rows = [(f"{verb} {usage}".rstrip(), says) for verb, (usage, says) in steps.items()]
    width = max(len(usage) for usage, _says in rows)
    return [f"  {usage:{width}}  {says}" for usage, says in rows]


def run(options: argparse.Namespace) -> int:
    if options.rules:
        for switch in SWITCHES:
            print_switch(switch, WIDEST)
        return 0
    if not options.file:
        raise UserError(
            _("name the tournament's file, as in `city-game tournament cup.tournament`")
        )
    if not addresses.is_port(options.port):
        raise UserError(at(options.port, addresses.BAD_PORT))
    entries = [*_entries(options.teams), *(("--team", entry) for entry in options.team)]
    opened = _open(Path(options.file), options)
    known = {team.name for team in opened.tournament.teams}  # repeating the command resumes it
    try:
        for place, entry in entries:
            if " ".join(entry.partition(",")[0].split()) in known:
                continue
            try:
                opened.do(f"team {entry}")
            except UserError as error:
                raise UserError(at(place, error)) from None
        evening = Evening(opened, options.lan, int(options.port))
        try:
            evening.type("show")
            print(_("Type a step and Return; `help` lists the steps."), flush=True)
            _listen(evening)
        finally:
            evening.stop()
    finally:
        opened.file.close()
    if opened.file.error:
        lost = _("{path}: the latest steps could not be written, and are lost: {why}")
        raise UserError(lost.format(path=options.file, why=opened.file.error), FAILURE)
    return 0


def _open(path: Path, options: argparse.Namespace) -> Record:
    listed = "city-game tournament --rules"  # no text: a command
    rules = with_reversed(SWITCHES, options.rule, lists=listed)
    if path.exists():
        opened, repaired = resume(path)
        if repaired:
            warn(repaired)
        begun = opened.tournament
        is_other = options.rule and rules != begun.rules
        if is_other or options.seed not in (None, begun.seed):
            opened.file.close()
            raise UserError(_("this tournament was started with other rules, or another --seed"))
        return opened
    require_folders(options.file)
    seed = secrets.randbits(32) if options.seed is None else options.seed
    return create(path, rules, seed)


def _entries(path: str | None) -> list[tuple[str, str]]:
    """Return the teams listed in a file, each with its place, without empty lines and comments."""
    if not path:
        return []
    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise cannot_read(path, error) from None
    if len(data) > LARGEST:
        raise UserError(_("{path} is too large to be a list of teams").format(path=path))
    try:
        text = data.decode("utf-8-sig").replace(";", ",").replace("\t", " ")
    except UnicodeDecodeError:
        raise UserError(_("{file} is not a text file in UTF-8").format(file=path)) from None
    place = _("{file}, line {line}")
    lines = [
        (place.format(file=path, line=count), line.strip().rstrip(", "))  # a table's empty cells
        for count, line in enumerate(text.splitlines(), 1)
    ]
    return [(where, line) for where, line in lines if line and not line.startswith("#")]


class Evening:
    """A running tournament: its keyboard, its pages, and the tables that it watches."""

    def __init__(self, opened: Record, is_for_all: bool, port: int = 0) -> None:
        self.record = opened
        self._known: object = None
        self._waits: list[str] = []
        self._language = catalogue.speaking()
        file = opened.path.with_name(f".{opened.path.name}.page")
        self._door = network.Door(file, is_for_all, port, self._rule, self._look)
        self._tables = network.Tables()
        if self._door.moved:
            warn(self._door.moved)
        print(_("Projector: {address}").format(address=self._door.projector))
        print(_("Referee: {address}").format(address=self._door.referee))

    def step(self) -> None:
        """Process messages of tables and browsers, and send changes; called every STEP_S."""
        self.record.file.retry()
        tournament = self.record.tournament
        has_news = self._tables.step({table.live for table in tournament.tables} - {""})
        for step in network.entered(tournament, self._tables.facts):
            self._do(step)
        now = int(self.record.clock())
        facts = self._tables.facts
        phases = [view.clock(one, now, facts.get(one.live)).phase for one in tournament.tables]
        known = len(tournament.steps), tournament.steps[-1:], phases, self.record.file.error
        self._door.step(has_news or known != self._known)
        if has_news or known != self._known:
            self._print([])
        self._known = known

    def type(self, line: str) -> None:
        """Perform a typed step, and print the lines that it changed."""
        verb, _space, rest = line.partition(" ")
        if verb == "help":
            print("\n".join(_steps()), flush=True)
            return
        if verb == "save":
            self._do(network.result_of_save(self.record.tournament, rest))
        elif verb == "show":
            self._print(self._lines())
        elif line:
            self._do(line)

    def _do(self, step: str) -> None:
        """Perform a step, acknowledge it, and print the lines that it changed."""
        undone = self.record.tournament.last() if step.split(" ")[0] == "undo" else ""
        with catalogue.spoken(self._language):
            before = self._lines()
        self.record.do(step)
        said = _("Undone: {step}") if undone else _("Done: {step}")
        with catalogue.spoken(self._language):  # a browser may have another one
            lines = [line for line in self._lines() if line not in before]
            self._print([said.format(step=undone or step.strip()), *lines])

    def _print(self, lines: list[str]) -> None:
        """Print lines, and the new questions for the referee."""
        tournament = self.record.tournament
        waits = view.waits(tournament, int(self.record.clock()), self._tables.facts)
        lines += [words for words in waits if words not in (*self._waits, *lines)]
        self._waits = waits
        if lines:
            print("\n".join(lines), flush=True)

    def stop(self) -> None:
        self._door.stop()
        self._tables.stop()

    def _lines(self) -> list[str]:
        tournament = self.record.tournament
        return view.lines(tournament, int(self.record.clock()), self._tables.facts)

    def _rule(self, step: str, seen: int) -> None:
        """Perform a step of the referee's page, which showed the first `seen` steps."""
        self.record.tournament.refuse_stale(step, seen)
        self._do(step)

    def _look(self, is_referee: bool) -> dict[str, Any]:
        tournament, facts = self.record.tournament, self._tables.facts
        shown = view.whole(tournament, int(self.record.clock()), facts)
        if not is_referee:
            return shown
        if why := self.record.file.error:
            shown["waits"].insert(0, STOPPED.format(path=self.record.path.name, why=why))
        # The addresses of tables contain secret codes.
        return {**shown, "live": sorted(facts), "last": tournament.last()}


def _listen(evening: Evening) -> None:
    """Perform typed steps, until `quit` or the end of the input."""
    typed: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(typed,), daemon=True).start()
    has_asked = False
    while True:
        evening.step()
        try:
            line = typed.get(timeout=STEP_S)
        except queue.Empty:
            continue
        if line.strip() == "quit" and evening.record.file.error and not has_asked:
            has_asked = True
            ask = _(
                "steps are not written yet ({why}): free some space, or quit again and lose them"
            )
            warn(ask.format(why=evening.record.file.error))
            continue
        if not line or line.strip() == "quit":
            return
        try:
            evening.type(line.strip())
        except UserError as error:
            warn(str(error))


def _read(typed: "queue.SimpleQueue[str]") -> None:
    while line := sys.stdin.readline():
        typed.put(line.replace("\0", ""))  # no name of a file has one
    typed.put("")
