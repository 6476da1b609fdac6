"""The texts that window, terminal and sign share: events, programs, the setup, and times.

The functions are pure: each returns a text in the current language.
"""

from city_unit.desktop.catalogue import _, lazy, plazy
from city_unit.desktop.forms import span_of_time
from city_unit.programs import Program
from city_unit.unit import Unit

# The controls and their effects; "" continues the line above.
USES = (
    (lazy("AUCTION"), lazy("starts an auction: bid while the light flashes")),
    ("", lazy("light out: sold. Hold AUCTION for 2 seconds to stop an auction")),
    (lazy("BUILD"), lazy("shows what may be built: 1, 2 or 3 blocks, or a station")),
    (lazy("slide"), lazy("on: the hour starts; off: it ends, and R undoes that")),
)


# The setup: the current choice, and what the buttons do.
SETUP = {
    "program": lazy("Choose the program: {choice}."),
    "length": lazy("Choose the length: {choice}."),
    "volume": lazy("Choose the volume: {choice}."),
}
NEXT_OR_TAKE, LET_GO = lazy("BUILD: next, AUCTION: accept"), lazy("Release BUILD to continue")
VOLUMES = (lazy("silent"), lazy("1 of 3"), lazy("2 of 3"), lazy("3 of 3"))

ENDED = {
    "hour-ended": lazy("The hour is over. O switches off, O again starts another"),
    "time-called": lazy("Time is called. O switches off, O again starts another"),
}

REFUSED = {
    "auction": lazy("AUCTION refused: {why}"),
    "build": lazy("BUILD refused: {why}"),
}
REASONS = {
    "setup": lazy("choose the settings first"),
    "ready": lazy("nothing runs"),
    "auction": lazy("an auction runs"),
    "warning": lazy("an auction runs"),
    "drawing": lazy("the light runs"),
    "over": lazy("the game is over"),
    "no-permits": lazy("no permits in this program"),
}


# Values of events that are words of ours; others are words of a program.
EVENT_VALUES = {
    "station": lazy("station"),
    "deeds": plazy("phase of a game", "deeds"),
    "play": plazy("phase of a game", "play"),
}


def event_value(value: object) -> str:
    """Return the value of an event in words: a permit, a phase, a number."""
    return str(EVENT_VALUES.get(str(value), value))


# The names of the built-in programs for people; files and the wire have the keys. The page has
# the same texts in desk.js.
# To translators: the name of a game, in a menu and in "Program: City".
TITLES = {
    "city": lazy("City"),
    "championship": lazy("championship"),
    "timed": lazy("timed"),
    "world": lazy("world"),
}


def program_title(program: Program) -> str:
    """Return the name of a program for people."""
    return program.title or str(TITLES.get(program.name, program.name))


def setup_hint(unit: Unit, held: bool) -> str:
    """Return the setup's choice and what the buttons do; `held`: BUILD is still pressed."""
    words = SETUP[unit.setup.page].format(choice=setup_choice(unit))
    return f"{words}  {LET_GO if held else NEXT_OR_TAKE}"


def setup_choice(unit: Unit) -> str:
    """Return the current choice of the setup."""
    choice = unit.setup.choices[unit.setup.choice]
    if isinstance(choice, Program):
        return program_title(choice)
    return exact_span(choice) if unit.setup.page == "length" else str(VOLUMES[choice])


def over_hint(unit: Unit) -> str:
    """Return that the game is over, and how to start another."""
    return str(ENDED[unit.clock.kind])


def refusal(button: str, why: str) -> str:
    """Return why a button was refused."""
    return REFUSED[button].format(why=REASONS.get(why, why))


def program_about(program: Program) -> str:
    """Describe a program by its data: its clock, its auctions, and whether it has permits."""
    shortest, longest = program.auction_ms
    parts = [
        _("{length} of play").format(length=exact_span(program.clock_ms))
        if program.clock_ms
        else _("no clock")
    ]
    if shortest == longest:
        parts.append(_("auctions of {length}").format(length=exact_span(shortest)))
    else:
        parts.append(
            _("auctions of {shortest} to {longest}").format(
                shortest=exact_span(shortest), longest=exact_span(longest)
            )
        )
    if program.odds:
        parts.append(_("permits"))
    return ", ".join(parts)


def exact_span(ms: int) -> str:
    """Return a duration in the largest unit that is exact: "50 s", "90 min"."""
    if ms % 60_000 == 0:
        return f"{ms // 60_000} min"
    return span_of_time(ms)


def clock_words(ms: int) -> str:
    """Return the remaining time of a game as a clock shows it: "23:41", "1:05:00"."""
    seconds = -(-ms // 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def span_words(seconds: float) -> str:
    """Return a duration, rounded to the unit that people would use: "40 s", "6 min", "3 h"."""
    if seconds < 90:
        return f"{round(seconds)} s"
    if seconds < 5400:
        return f"{round(seconds / 60)} min"
    return f"{round(seconds / 3600)} h"
