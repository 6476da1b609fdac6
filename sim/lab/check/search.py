"""A search for presses after which a rule does not hold, and the fewest that do.

Fingers are drawn at random: taps, holds, chatter, the switch, in bursts and with pauses, also as
an auction is about to end. A game that breaks a rule is then made smaller, a finger at a time, as
long as the rule stays broken, and is written as a scenario's file, to be checked and kept.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import UserError, did_you_mean
from city_unit.facts import AUCTION, BUILD, SWITCH
from city_unit.programs import PROGRAMS, Program
from sim.engine import scenario as scenarios
from sim.engine.program_text import shown as time_text
from sim.engine.scenario import TAP_MS, Scenario, Step
from sim.lab.check.checking import Case
from sim.lab.check.faults import Faults
from sim.lab.check.lab import Trace

_LEAST_PAUSE_MS = 20  # between two fingers on one button
_BURST = 0.5  # the share of fingers that follow another soon
_NAMES = {AUCTION: "auction", BUILD: "build"}
_MOST_TRIES = 2000  # at making a finding smaller


class Move(NamedTuple):
    """A finger: when, on which contact, for how long, and how long the contact chatters.

    On the switch, which is on from the beginning, it is how long the unit is switched off.
    """

    at: int
    contact: int
    length: int
    bounce: int = 0


class Games(NamedTuple):
    """The games to search.

    program    which is played
    length_ms  how long each game is
    runs       how many there are
    seed       where chance begins
    with_setup whether a button may be held at switch-on: another program may then be chosen
    """

    program: Program
    length_ms: int
    runs: int
    seed: int = 1
    with_setup: bool = False


class Found(NamedTuple):
    """A scenario that breaks a rule, and the number of games played to find it."""

    scenario: Scenario
    runs: int


Breaks = Callable[[Scenario], bool]


def look(
    breaks: Breaks, games: Games, progress: Callable[[float], None] = lambda part: None
) -> Found | None:
    """Try games; return the smallest that is found to break a rule, None if none does."""
    for run in range(games.runs):
        progress(run / games.runs)
        chance = random.Random(games.seed * 1_000_003 + run)
        moves = _drawn(chance, games, most=2 + run * 60 // games.runs)
        if breaks(_scenario(moves, games, run + 1, games.length_ms)):
            found = _smaller(breaks, moves, games, run + 1)
            progress(1.0)
            return Found(found, run + 1)
    progress(1.0)
    return None


def assert_always(
    holds: Callable[[Trace], object],
    *,
    minutes: float = 10,
    program: str = "city",
    runs: int = 200,
    seed: int = 1,
) -> None:
    """Look for presses after which `holds` returns False or asserts; raises AssertionError."""
    __tracebackhide__ = True
    chosen = next((known for known in PROGRAMS if known.name == program), None)
    if chosen is None:
        names = [known.name for known in PROGRAMS]
        words = _('"{word}" is unknown{hint}')
        raise UserError(words.format(word=program, hint=did_you_mean(program, names)))

    def breaks(scenario: Scenario) -> bool:
        try:
            return holds(Trace(_case(scenario))) is False
        except AssertionError:
            return True

    found = look(breaks, Games(chosen, round(minutes * 60_000), runs, seed))
    if found is None:
        return
    why = ""
    try:
        holds(Trace(_case(found.scenario)))
    except AssertionError as error:
        why = f"\n{error}"
    head = _("it does not hold after these presses:")
    raise AssertionError(f"{head}\n{text(found.scenario)}{why}")


def text(scenario: Scenario, expects: Sequence[dict[str, str]] = (), head: str = "") -> str:
    """Return a scenario as the text of its file."""
    lines = [f"# {line}" for line in head.splitlines()]
    lines += [f'program = "{scenario.program.name}"', f"seed = {scenario.seed}"]
    for step in scenario.steps:
        lines += ["", "[[steps]]", f"at = {time_text(step.at)}", f'do = "{_do(step)}"']
        lines += [f"bounce = {time_text(step.bounce)}"] if step.bounce else []
    for expect in expects:
        lines += ["", "[[expect]]"]
        lines += [
            f"{key} = {value}" if key == "times" else f'{key} = "{value}"'
            for key, value in expect.items()
        ]
    return "\n".join(lines) + "\n"


def _do(step: Step) -> str:
    if step.verb == "end":
        return "end"
    if step.contact == SWITCH:
        return "switch on" if step.verb == "press" else "switch off"
    held = f" for {step.length} ms"  # no text: of a step in a scenario
    length = held if step.verb == "hold" else ""
    return f"{step.verb} {_NAMES[step.contact]}{length}"


def _case(scenario: Scenario) -> Case:
    return Case("the search", scenario, Faults(), [])  # no text: nobody sees it


def _drawn(chance: random.Random, games: Games, most: int) -> tuple[Move, ...]:
    """Return at most `most` moves in order of time."""
    lasting = games.program.auction_ms[1]
    moves = []
    at = chance.randrange(2000)
    while at < games.length_ms and len(moves) < most:
        contact = chance.choices((AUCTION, BUILD, SWITCH), (12, 8, 1))[0]
        kinds = (TAP_MS, chance.randrange(1, 40), chance.randrange(40, 6000))
        length = chance.choices(kinds, (6, 1, 3))[0]
        bounce = chance.randrange(1, 15) if chance.random() < 0.2 else 0
        moves.append(Move(at, contact, length, bounce))
        if chance.random() < _BURST:
            at += chance.randrange(1, 3000)
        else:
            at += chance.choice(
                (chance.randrange(lasting * 2), lasting + chance.randrange(-99, 99))
            )
    return tuple(moves)


def _scenario(moves: Sequence[Move], games: Games, seed: int, length_ms: int) -> Scenario:
    """Return the scenario of moves, without those that cannot be.

    A finger on a button that is still pressed is left out, and, if there is no setup, a finger on a
    button as the unit is switched on.
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


def _smaller(breaks: Breaks, moves: tuple[Move, ...], games: Games, seed: int) -> Scenario:
    """Return the fewest and plainest moves found that still break the rule."""
    length_ms = games.length_ms
    tries = 0
    is_smaller = True
    while is_smaller and tries < _MOST_TRIES:
        is_smaller = False
        for candidate, end_ms in _candidates(moves, length_ms):
            tries += 1
            if breaks(_scenario(candidate, games, seed, end_ms)):
                moves, length_ms, is_smaller = candidate, end_ms, True
                break
    return _scenario(moves, games, seed, length_ms)


def _candidates(moves: tuple[Move, ...], length_ms: int) -> Iterator[tuple[tuple[Move, ...], int]]:
    """Yield smaller candidates: an earlier end, fewer moves, plainer ones, earlier ones."""
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
        for plainer in _plainer(move):
            yield tuple(sorted((*moves[:place], plainer, *moves[place + 1 :]))), length_ms
    for place in range(len(moves)):  # all from here on earlier
        before = moves[place - 1].at + moves[place - 1].length if place else 0
        for part in (2, 8):
            sooner = (moves[place].at - before) // part
            if sooner >= 1000:
                later = tuple(move._replace(at=move.at - sooner) for move in moves[place:])
                yield moves[:place] + later, length_ms


def _plainer(move: Move) -> list[Move]:
    second = move.at // 1000 * 1000
    round_length = -(-move.length // 100) * 100
    is_long = move.contact != SWITCH and move.length > TAP_MS
    plainer = [
        move._replace(bounce=0),
        move._replace(length=TAP_MS if is_long else move.length),
        move._replace(at=second),
        move._replace(at=move.at // 10 * 10),
        move._replace(length=move.length if move.length == TAP_MS else round_length),
    ]
    return [candidate for candidate in plainer if candidate != move]
