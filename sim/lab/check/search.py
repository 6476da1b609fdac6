"""Searches for presses that break a rule, and shrinks what it finds.

Games consist of random moves: taps, holds, chattering contacts, the switch, in bursts and with
pauses, some near the end of an auction. A game that breaks a rule is shrunk move by move while it
still breaks the rule, and is written as a scenario that `city-unit check` can run.
"""

import argparse
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from city_unit.desktop import toml_reader
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.command import Progress, convert
from city_unit.desktop.errors import FAILURE, SUCCESS, UNCHECKED, UserError, did_you_mean
from city_unit.desktop.files import ask_before_overwriting, require_folders, write_whole
from city_unit.desktop.toml_reader import Table, choice, list_of, time_ms, within
from city_unit.facts import AUCTION, BUILD, LAMPS, SWITCH
from city_unit.programs import PROGRAMS, Program
from city_unit.trace import EVENTS
from sim.engine import program_file, virtual
from sim.engine import scenario as scenarios
from sim.engine.program_text import shown as time_text
from sim.engine.scenario import TAP_MS, Scenario, Step
from sim.engine.trace import Trace
from sim.lab.check import lab
from sim.lab.check.checking import Case, Faults

# To translators: do not translate keys and values; they are the content of a file.
HELP = lazy(
    """\
Rules that must hold for any presses are the `[[always]]` blocks of a file.

    [[always]]                                     [[always]]
    after = "auction-started"                      never = "auction-started"
    comes = "auction-ended"                        after = "hour-ended"
    in = "50 s"                                    until = "switched-off"
    unless = ["auction-cancelled", "switched-off"]

    [[always]]
    after = "auction-ended"
    lamp = "auction"
    is = "off"
    in = "0 s"
    unless = ["auction-started"]

After each event `after`, the event `comes`, or the lamp has the given state, at the time `in`,
exactly or within a `tolerance`, unless an event of `unless` occurs first. Or `never` names an event
that must not occur, optionally only after the event `after` and until the event `until`.
The file may start with `program = "..."`, and with `setup = true` to allow a button held at
switch-on, which selects another program.
"""
)


class Broken(NamedTuple):
    """A broken rule: a description, an `[[expect]]` block that fails, and the time in ms."""

    words: str
    expect: dict[str, str]
    ms: int


class Rule(NamedTuple):
    """A rule.

    after   the event after which it applies, "" if it always does
    judged  judges a trace: returns whether the rule ever applied, and how it was broken, if so
    """

    after: str
    judged: "Callable[[Trace], tuple[bool, Broken | None]]"


def read(table: Table, length_ms: int) -> list[Rule]:
    """Parse the rules of a file for games of this length; raises UserError."""
    rules = []
    for block in table.tables("always"):
        rules.append(_never(block) if "never" in block else _comes(block, length_ms))
        block.finish()
    if not rules:
        raise table.error(None, _("there are no rules; write [[always]] blocks"))
    return rules


def _never(block: Table) -> Rule:
    never = block.take("never", choice(EVENTS))
    after: str | None = block.take("after", choice(EVENTS), None)
    until: str | None = block.take("until", choice(EVENTS), None)
    if until and not after:
        raise block.error("until", _("until: needs after, the event from which the rule applies"))

    def judged(shown: Trace) -> tuple[bool, Broken | None]:
        is_tried = is_forbidden = after is None
        for ms, kind, _fields in shown.events:
            if kind == never and is_forbidden:
                times = {"event": never, "times": "0", "from": f"{ms - 1} ms", "to": f"{ms} ms"}
                words = _("{event} occurs at {ms} ms").format(event=never, ms=ms)
                return True, Broken(words, times, ms)
            if kind == after:
                is_tried = is_forbidden = True
            elif kind == until:
                is_forbidden = False
        return is_tried, None

    return Rule(after or "", judged)


def _comes(block: Table, length_ms: int) -> Rule:
    after = block.take("after", choice(EVENTS))
    in_ms = block.take("in", time_ms)
    tolerance = block.take("tolerance", time_ms, 0)
    if in_ms + tolerance >= length_ms:
        words = _("in: with the tolerance it must be shorter than a game ({end} ms)")
        raise block.error("in", words.format(end=length_ms))
    unless = block.take("unless", list_of(choice(EVENTS)), ())
    if "lamp" in block:
        lamp = block.take("lamp", choice(LAMPS))
        state = block.take("is", choice(("on", "off")))
        wanted, what = {"lamp": lamp, "is": state}, f"{lamp} {state}"
    else:
        what = block.take("comes", choice(EVENTS))
        wanted = {"event": what}

    def is_so(shown: Trace, due: int) -> bool:
        if "event" in wanted:
            return any(kind == what and abs(ms - due) <= tolerance for ms, kind, _ in shown.events)
        changes, lit = shown.lamps[wanted["lamp"]], wanted["is"] == "on"
        before = [on for ms, on in changes if ms <= due]
        near = [on for ms, on in changes if abs(ms - due) <= tolerance]
        return bool(([0, *before])[-1]) == lit or any(bool(on) == lit for on in near)

    def judged(shown: Trace) -> tuple[bool, Broken | None]:
        is_tried = False
        for place, (ms, kind, _fields) in enumerate(shown.events):
            due = ms + in_ms
            until = due + tolerance
            if kind != after or until >= shown.end_ms:
                continue
            later = shown.events[place + 1 :]
            if any(other in unless and at <= until for at, other, _ in later):
                continue
            is_tried = True
            if not is_so(shown, due):
                expect = {**wanted, "at": f"{due} ms"}
                if tolerance:
                    expect["tolerance"] = f"{tolerance} ms"
                words = _("after {after} at {ms} ms: no {what} at {due} ms")
                words = words.format(after=after, ms=ms, what=what, due=due)
                return True, Broken(words, expect, due)
        return is_tried, None

    return Rule(after, judged)


_LEAST_PAUSE_MS = 20  # between two moves on one button
_BURST = 0.5  # share of moves that soon follow the previous one
_MOST_TRIES = 2000  # while shrinking


class Move(NamedTuple):
    """A press: its time, contact and length, and how long the contact chatters, in ms.

    On the switch, which is on at the start, it is the time for which the unit is off.
    """

    at: int
    contact: int
    length: int
    bounce: int = 0


class Games(NamedTuple):
    """The games to search.

    program     the program played
    length_ms   length of each game
    runs        number of games
    seed        seed of the random moves
    with_setup  whether a button may be held at switch-on, which may select another program
    """

    program: Program
    length_ms: int
    runs: int
    seed: int = 1
    with_setup: bool = False


class Found(NamedTuple):
    """A scenario that breaks a rule, and the number of games played until then."""

    scenario: Scenario
    runs: int


Breaks = Callable[[Scenario], bool]


def look(
    breaks: Breaks, games: Games, progress: Callable[[float], None] = lambda part: None
) -> Found | None:
    """Play games until one breaks a rule, and shrink it; return None if none does."""
    lasting = games.program.auction_ms[1]
    length_ms = games.length_ms
    for run in range(games.runs):
        progress(run / games.runs)
        chance = random.Random(games.seed * 1_000_003 + run)
        # Draw some moves, in chronological order.
        most = 2 + run * 60 // games.runs
        drawn = []
        at = chance.randrange(2000)
        while at < length_ms and len(drawn) < most:
            contact = chance.choices((AUCTION, BUILD, SWITCH), (12, 8, 1))[0]
            kinds = (TAP_MS, chance.randrange(1, 40), chance.randrange(40, 6000))
            length = chance.choices(kinds, (6, 1, 3))[0]
            bounce = chance.randrange(1, 15) if chance.random() < 0.2 else 0
            drawn.append(Move(at, contact, length, bounce))
            if chance.random() < _BURST:
                at += chance.randrange(1, 3000)
            else:
                at += chance.choice(
                    (chance.randrange(lasting * 2), lasting + chance.randrange(-99, 99))
                )
        moves = tuple(drawn)
        if breaks(_scenario(moves, games, run + 1, length_ms)):
            break
    else:
        progress(1.0)
        return None
    tries = 0
    is_smaller = True
    while is_smaller and tries < _MOST_TRIES:
        is_smaller = False
        for candidate, end_ms in _candidates(moves, length_ms):
            tries += 1
            if breaks(_scenario(candidate, games, run + 1, end_ms)):
                moves, length_ms, is_smaller = candidate, end_ms, True
                break
    progress(1.0)
    return Found(_scenario(moves, games, run + 1, length_ms), run + 1)


def run(options: argparse.Namespace) -> int:
    """Search as `city-unit search` requests, and write what breaks a rule; return the exit status.

    Raises UserError.
    """
    require_folders(options.out)
    length = within(time_ms, 1000, 25 * 3_600_000, _("between 1 s and 25 h"))
    length_ms = convert("--length", length, options.length)
    table = toml_reader.load(options.file)
    name: str = table.take("program", toml_reader.text, PROGRAMS[0].name)
    program = program_file.find(name, Path(options.file).parent)
    with_setup: bool = table.take("setup", _yes_or_no, False)
    wanted = read(table, length_ms)
    table.finish()
    games = Games(program, length_ms, options.runs, options.seed, with_setup)
    ask_before_overwriting(options.force, options.out)
    used: set[tuple[str, str]] = set()
    tried: set[int] = set()

    def breaks(scenario: Scenario) -> bool:
        used.update(virtual.used_transitions(scenario))
        shown = virtual.run(scenario)
        judged = [rule.judged(shown) for rule in wanted]
        tried.update(place for place, (is_tried, _broken) in enumerate(judged) if is_tried)
        return any(broken for _is_tried, broken in judged)

    line = Progress()
    words = _("searching: {percent} %")
    found = look(breaks, games, lambda part: line.percent(words, part))
    if found is None:
        words = _("no rule was broken in {runs} games of {length}, which used {rows} transitions")
        print(words.format(runs=options.runs, length=options.length, rows=len(used)))
        untried = [rule for place, rule in enumerate(wanted) if place not in tried]
        for rule in untried:
            words = _("never tested: the rule after {event}, which occurred in no game")
            print(words.format(event=rule.after), file=sys.stderr)
        return UNCHECKED if untried else SUCCESS
    shown = virtual.run(found.scenario)
    broken = next(broken for rule in wanted if (broken := rule.judged(shown)[1]))
    words = _("found in game {run}: {what}")
    print(words.format(run=found.runs, what=broken.words))
    command = f"city-unit search {Path(options.file).name}"  # no text: a command
    words = _("Found by `{command}`: {what}.")
    head = words.format(command=command, what=broken.words)
    write_whole(options.out, text(found.scenario, [broken.expect], head))
    print(_("wrote {path}").format(path=options.out), file=sys.stderr)
    return FAILURE


def _yes_or_no(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError(_("write true or false"))
    return value


def assert_always(
    holds: Callable[[lab.Trace], object],
    *,
    minutes: float = 10,
    program: str = "city",
    runs: int = 200,
    seed: int = 1,
) -> None:
    """Search for presses for which `holds` returns False or asserts; raises AssertionError."""
    __tracebackhide__ = True
    known = {one.name: one for one in PROGRAMS}
    if program not in known:
        words = _('"{word}" is unknown{hint}')
        raise UserError(words.format(word=program, hint=did_you_mean(program, known)))

    why = ""  # of the last game that broke it, which is the smallest

    def breaks(scenario: Scenario) -> bool:
        nonlocal why
        case = Case("the search", scenario, Faults(), [])  # no text: nobody sees it
        try:
            if holds(lab.Trace(case)) is not False:
                return False
            why = ""
        except AssertionError as error:
            why = f"\n{error}"
        return True

    found = look(breaks, Games(known[program], round(minutes * 60_000), runs, seed))
    if found:
        head = _("it does not hold after these presses:")
        raise AssertionError(f"{head}\n{text(found.scenario)}{why}")


def text(scenario: Scenario, expects: Sequence[dict[str, str]] = (), head: str = "") -> str:
    """Format a scenario as a file."""
    lines = [f"# {line}" for line in head.splitlines()]
    lines += [f'program = "{scenario.program.name}"', f"seed = {scenario.seed}"]
    for step in scenario.steps:
        if step.verb == "end":
            do = "end"
        elif step.contact == SWITCH:
            do = "switch on" if step.verb == "press" else "switch off"
        else:
            held = f" for {step.length} ms"  # no text: of a step in a scenario
            do = f"{step.verb} {step.button}{held if step.verb == 'hold' else ''}"
        lines += ["", "[[steps]]", f"at = {time_text(step.at)}", f'do = "{do}"']
        lines += [f"bounce = {time_text(step.bounce)}"] if step.bounce else []
    for expect in expects:
        lines += ["", "[[expect]]"]
        lines += [
            f"{key} = {value}" if key == "times" else f'{key} = "{value}"'
            for key, value in expect.items()
        ]
    return "\n".join(lines) + "\n"


def _scenario(moves: Sequence[Move], games: Games, seed: int, length_ms: int) -> Scenario:
    """Convert moves to a scenario, dropping impossible ones.

    These are presses of a button that is still pressed, and, without setup, of a button at
    switch-on.
    """
    steps = [Step(0, "press", SWITCH)]
    free_at = {AUCTION: 0, BUILD: 0, SWITCH: 1}
    offs = [(move.at, move.at + move.length) for move in moves if move.contact == SWITCH]
    for move in moves:
        until = move.at + move.length + move.bounce + _LEAST_PAUSE_MS
        if move.at < free_at[move.contact] or move.at + move.length >= length_ms:
            continue
        if move.contact == SWITCH:
            steps.append(Step(move.at, "release", SWITCH))
            steps.append(Step(move.at + move.length, "press", SWITCH))
        elif games.with_setup or not any(move.at <= on <= until for _off, on in (*offs, (0, 0))):
            verb = "tap" if move.length == TAP_MS else "hold"
            steps.append(Step(move.at, verb, move.contact, move.length, move.bounce))
        free_at[move.contact] = until
    steps.sort(key=lambda step: step.at)
    steps.append(Step(length_ms, "end"))
    return scenarios.of_steps(games.program, seed, steps)


def _candidates(moves: tuple[Move, ...], length_ms: int) -> Iterator[tuple[tuple[Move, ...], int]]:
    """Yield smaller candidates: an earlier end, fewer, simpler or earlier moves."""
    for end_ms in (length_ms // 2, length_ms * 9 // 10, length_ms - 1000):
        rounded = max(1000, end_ms // 1000 * 1000)
        if rounded < length_ms:
            yield tuple(move for move in moves if move.at + move.length < rounded), rounded
    size = len(moves) // 2
    while size:
        for place in range(0, len(moves), size):
            yield moves[:place] + moves[place + size :], length_ms
        size //= 2
    for place, move in enumerate(moves):
        round_length = -(-move.length // 100) * 100
        is_long = move.contact != SWITCH and move.length > TAP_MS
        simpler = (
            move._replace(bounce=0),
            move._replace(length=TAP_MS if is_long else move.length),
            move._replace(at=move.at // 1000 * 1000),
            move._replace(at=move.at // 10 * 10),
            move._replace(length=move.length if move.length == TAP_MS else round_length),
        )
        for plainer in (candidate for candidate in simpler if candidate != move):
            yield tuple(sorted((*moves[:place], plainer, *moves[place + 1 :]))), length_ms
    for place in range(len(moves)):  # this move and all later ones sooner
        before = moves[place - 1].at + moves[place - 1].length if place else 0
        for part in (2, 8):
            sooner = (moves[place].at - before) // part
            if sooner >= 1000:
                later = tuple(move._replace(at=move.at - sooner) for move in moves[place:])
                yield moves[:place] + later, length_ms
