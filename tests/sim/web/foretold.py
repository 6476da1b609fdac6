"""Compares what happens with the plan, for random inputs, on the interpreter that runs it.

Written for MicroPython too; `count` returns figures and the first mistake, as text.
"""

import json

from city_unit.draws import Draws
from sim.web.body import Body

OWN = {
    "name": "mine",
    "clock_ms": 90000,
    "marks": [["hour-beep", 60000, 20000, 20000, ""], ["time-called", 0, 0, 0, ""]],
    "auction_ms": [2000, 4000],
    "warning_ms": 1000,
    "odds": [1, 1, 1, 1],
    "permit_hops_ms": [30, 40, 50],
    "permit_shown_ms": 700,
}
NAMES = ("city", "championship", "timed", "world", "mine")
# Waits in ms, shorter than a debounce, a sound, an auction or a game.
WAITS = (1, 5, 20, 60, 400, 2500, 2500, 9000, 60000, 1000000)
AHEAD_MS = (0, 2500, 4000000, 90000000)


def body(seed, start, journal=(), program="city"):
    kept = {"seed": seed, "start": start, "programs": [OWN], "program": program}
    kept.update(clock_ms=None, volume=2)
    made = Body(json.dumps(kept))
    made.replay(json.dumps(journal))
    return made


def something(draws):
    """Draw a random input: `(what, value, more)`."""
    bit = 1 + draws.below(2)
    return (
        ("press", bit, None),
        ("press", bit, None),
        ("release", 1, None),
        ("release", 2, None),
        ("release", bit, None),
        ("tap", bit, None),
        ("tap", bit, None),
        ("switch", 1, None),
        ("switch", 1, None),
        ("switch", 0, None),
        ("set up", None, None),
        ("program", NAMES[draws.below(5)], (1800000, 7200000, 5, None)[draws.below(4)]),
        ("volume", draws.below(4), None),
        ("live", None, None),
    )[draws.below(14)]


def inputs(seed, number):
    """Return `number` random inputs with their times."""
    draws = Draws(seed)
    ms = 0
    done = []
    for _ in range(number):
        ms += draws.below(1 + WAITS[draws.below(len(WAITS))])
        done.append((ms,) + something(draws))
    return done


def count(number, seed, start, make=body):
    """Return the numbers of inputs, planned lines and mistakes, and the first mistake."""
    ahead = Draws(seed + 1)
    unit = make(seed, start)
    plan, until = [], 0
    foretold = 0
    mistakes = 0
    first = ""
    for ms, what, value, more in inputs(seed, number):
        asked = json.dumps((ms, what, value, more, AHEAD_MS[ahead.below(len(AHEAD_MS))]))
        done = json.loads(unit.do(asked))
        known = [line for line in plan if line["ms"] <= ms]
        if until is not None and ms > until:
            # Judge only the time that the plan covered.
            known = [line for line in plan if line["ms"] <= until]
            happened = [line for line in done["log"] if line["ms"] <= until]
            happened = happened[: len(known)] if until == ms else happened
        else:
            # After the planned lines, the input may add others at its own millisecond.
            happened = done["log"][: len(known)]
            late = [line for line in done["log"][len(known) :] if line["ms"] < ms]
            happened = happened + late
        foretold += len(known)
        if happened != known:
            mistakes += 1
            first = first or "at %d ms, %s: %s, but foretold was %s" % (
                ms,
                what,
                happened[:4],
                known[:4],
            )
        plan, until = done["plan"], done["until"]
    return number, foretold, mistakes, first


def ended(number, seed, start):
    """Return the plan after random inputs, from a body that lived them and from a replay."""
    done = inputs(seed, number)
    lived = body(seed, start)
    for ms, what, value, more in done:
        answer = lived.do(json.dumps((ms, what, value, more, 4000000)))
    again = body(seed, start, done)
    last = done[-1][0]
    return answer[answer.index('"plan"') :], again.do(
        json.dumps((last, "live", None, None, 4000000))
    ).split('"plan"')[1]
