"""The programs that a unit can run, as data. Times are milliseconds.

`sim/engine/program_text.py` records for each value whether it is from a rulebook or our assumption.
"""

from .cues import CUES


class Program:
    """The times and odds of a unit. A program sets only values that differ from the defaults.

    name             its name on the wire and in files: a-z, 0-9 and -
    title            its name for people, in any script; "" if it is the same
    clock_ms         length of the game, at most 24 h; 0 for no clock
    clock_choices_ms lengths that the players may choose instead, at most ten
    marks            events of the clock in order of time, as spans
                     `(kind, first_left, last_left, every, label)`: the first event is
                     `first_left` ms before the end, the next ones follow every `every` ms
                     until `last_left`; the last span is the end
    auction_ms       shortest and longest auction; the length is drawn between them
    warning_ms       how long before its end an auction warns; 0 for never
    cancel_hold_ms   how long AUCTION is held to cancel its auction
    slow_ms, fast_ms half a period of the auction lamp's flashing
    odds             integer weights of the permits 1, 2, 3 and station, each at
                     most 1000; empty if the program has no permits
    permit_hops_ms   how long the running light stays on each lamp
    permit_shown_ms  how long the permit stays lit, unless a press ends it
    cues             the sounds, as in `cues.CUES`
    """

    title: str = ""
    clock_ms: int = 0
    clock_choices_ms: tuple[int, ...] = ()
    marks: tuple = ()
    auction_ms: tuple[int, int] = (50000, 50000)
    warning_ms: int = 5000
    cancel_hold_ms: int = 2000
    slow_ms: int = 500
    fast_ms: int = 125
    odds: tuple[int, ...] = ()
    permit_hops_ms: tuple[int, ...] = (50,) * 8 + (70, 80, 100, 120, 150, 280)
    permit_shown_ms: int = 20000
    cues: dict = CUES

    def __init__(self, name: str, **values: object) -> None:
        self.name = name
        for key in values:
            setattr(self, key, values[key])


def span(kind: str, first_left: int, last_left: int = 0, every: int = 0, label: str = "") -> tuple:
    return (kind, first_left, last_left, every, label)


PROGRAMS = (
    Program(
        "city",
        clock_ms=3600000,
        marks=(
            span("hour-beep", 2700000, 900000, 900000),
            span("hour-beep", 600000, 300000, 300000),
            span("hour-beep", 240000, 60000, 60000),
            span("hour-beep", 50000, 10000, 10000),
            span("hour-beep", 9000, 1000, 1000),
            span("hour-ended", 0),
        ),
        odds=(3, 3, 3, 1),
    ),
    Program(
        "championship",
        clock_ms=3000000,
        marks=(
            span("phase-started", 3000000, label="deeds"),
            span("phase-started", 2700000, label="play"),
            span("last-round", 300000),
            span("time-called", 0),
        ),
        auction_ms=(60000, 60000),
        warning_ms=10000,
    ),
    Program(
        "timed",
        clock_ms=3600000,
        clock_choices_ms=(1800000, 3600000, 5400000, 7200000),
        marks=(
            span("hour-beep", 900000),
            span("hour-beep", 600000, 300000, 300000),
            span("hour-beep", 60000),
            span("time-called", 0),
        ),
    ),
    Program("world", auction_ms=(13000, 30000), warning_ms=0),
)
