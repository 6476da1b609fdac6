"""Units that run a variant of our program: other pitches, lengths and patterns, drawn from a seed.

Each is a program, played in a game of two or three auctions, some permits and a whole clock. Its
beeps are returned as `listening.beeps` would return them for a clean recording.
"""

import random
from typing import NamedTuple

from city_unit.cues import CUES
from city_unit.facts import AUCTION, BUILD, SWITCH
from city_unit.programs import Program, span
from sim.engine import scenario, virtual
from sim.engine.scenario import TAP_MS, Step
from sim.engine.trace import spans
from sim.lab.listen import sounds
from sim.lab.listen.listening import Beep
from tests.sim.lab.listen import foreign


class Played(NamedTuple):
    """A program, a game played with it, and the beeps."""

    program: Program
    game: scenario.Scenario
    beeps: list[Beep]


def unit(seed: int) -> Program:
    """Return a program of one to four pitches of its own, its lengths 0.75 to 1.35 times ours."""
    chance = random.Random(f"unit {seed}")
    count = chance.choice((1, 2, 3, 4, 4))
    pitches: list[int] = []
    while len(pitches) < count:
        hz = round(500 * 10 ** chance.random())
        if all(abs(hz / other - 1) > 0.08 for other in pitches):
            pitches.append(hz)
    ours = sorted({hz for cue in CUES.values() for hz in cue[1::2] if hz})
    new = {hz: chance.choice(pitches) for hz in ours}
    new.update(zip(chance.sample(ours, count), pitches, strict=True))
    auction = chance.randrange(30_000, 48_000, 10)
    clock = chance.randrange(150_000, 175_000, 10)
    marks = sorted({chance.randrange(3000, clock - 5000, 1000) for _ in range(3)}, reverse=True)
    return Program(
        f"unit-{seed}",
        clock_ms=clock,
        marks=(*(span("hour-beep", left) for left in marks), span("hour-ended", 0)),
        auction_ms=(auction, auction),
        warning_ms=chance.randrange(3000, 9000, 10),
        odds=(3, 3, 3, 1),
        cues=_cues(chance, new),
    )


def _cues(chance: random.Random, new: dict[int, int]) -> dict[str, tuple[int, ...]]:
    """Return all cues at other pitches and lengths; equal cues remain equal."""
    changed: dict[tuple[int, ...], tuple[int, ...]] = {}
    for cue in CUES.values():
        factor = chance.uniform(0.75, 1.35)
        notes = zip(cue[1::2], cue[2::2], strict=True)
        parts = [
            (
                new.get(hz, 0),
                min(190, round(ms * factor)) if not hz else max(12, round(ms * factor)),
            )
            for hz, ms in notes
        ]
        changed.setdefault(cue, (cue[0], *(number for part in parts for number in part)))
    return {name: changed[cue] for name, cue in CUES.items()}


def play(seed: int, off_ms: float = 0.7) -> Played:
    """Play a unit and return its beeps, with a random error of about `off_ms` at each edge."""
    program = unit(seed)
    chance = random.Random(f"game {seed}")
    steps = [Step(1000, "press", SWITCH)]
    at = 1000 + chance.randrange(2000, 8000)
    end = program.clock_ms + 1000
    auctions = chance.choice((2, 3))
    while at < end - 12_000:
        is_auction = auctions and end - at > program.auction_ms[0] + 6000
        if is_auction and chance.random() < 0.6:
            auctions -= 1
            steps.append(Step(at, "tap", AUCTION, TAP_MS))
            at += program.auction_ms[0] + chance.randrange(2500, 9000)
            if chance.random() < 0.3:  # somebody presses BUILD in it, and is refused
                steps.append(Step(at - 20_000, "tap", BUILD, TAP_MS))
        else:
            steps.append(Step(at, "tap", BUILD, TAP_MS))
            at += chance.randrange(4000, 12_000)
    steps.sort(key=lambda step: step.at)
    steps.append(Step(end + 6000, "end"))
    game = scenario.of_steps(program, seed, steps)
    shown = virtual.run(game)
    beeps = [
        Beep(
            start + chance.gauss(0, off_ms),
            max(5.0, stop - start + chance.gauss(0, off_ms)),
            hz * (1 + chance.gauss(0, 0.0005)),
            -12.0,
        )
        for start, stop, hz in spans(shown.tones, shown.end_ms)
    ]
    return Played(program, game, beeps)


def as_foreign(played: Played) -> foreign.Played:
    """Return a game in the form that `foreign.score` compares."""
    its = played.program
    shown = virtual.run(played.game)
    cues = {
        name: tuple((first, length, hz) for first, length, hz, *_ in sounds.notes(cue))
        for name, cue in its.cues.items()
    }
    marks = tuple(left for _kind, left, *_ in its.marks if left)
    kinds = [
        (ms, f"permit-{fields['permit']}" if kind == "permit-granted" else kind)
        for ms, kind, fields in shown.events
    ]
    unit = foreign.Unit(cues, its.auction_ms[0], its.warning_ms, 0, its.clock_ms, marks)
    return foreign.Played(unit, tuple(kinds), (), shown.end_ms)
