"""The unit's state in words, for the window and the terminal: the setup, the end, a refusal, a
program."""

from city_unit.desktop.catalogue import _, lazy, plazy
from city_unit.desktop.forms import span_of_time
from city_unit.programs import Program
from city_unit.unit import Unit

# A thing, "" where the line above goes on, and its effect.
USES = (
    (lazy("AUCTION"), lazy("starts an auction: bid as long as the light flashes")),
    ("", lazy("it goes out: sold. Hold it for 2 seconds to stop one")),
    (lazy("BUILD"), lazy("tells what may be built: 1, 2 or 3 blocks, or a station")),
    (lazy("slide"), lazy("on: the hour begins; off: it ends, and R takes that back")),
)


# The setup: the present choice, and how to go on.
SETUP = {
    "program": lazy("Choose the program: {choice}.  BUILD: next, AUCTION: take it"),
    "length": lazy("Choose the length: {choice}.  BUILD: next, AUCTION: take it"),
    "volume": lazy("Choose the volume: {choice}.  BUILD: next, AUCTION: take it"),
}
SETUP_HELD = {
    "program": lazy("Choose the program: {choice}.  Let BUILD go to go on"),
    "length": lazy("Choose the length: {choice}.  Let BUILD go to go on"),
    "volume": lazy("Choose the volume: {choice}.  Let BUILD go to go on"),
}
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


# The value that an event carries, where it is a word of ours and not one of a program's own.
CARRIED = {
    "station": lazy("station"),
    "deeds": plazy("phase of a game", "deeds"),
    "play": plazy("phase of a game", "play"),
}


def carried(value: object) -> str:
    """Return what an event carries in words: a permit, a phase, a number."""
    return str(CARRIED.get(str(value), value))


# The names of the built-in programs for people; in files and on the wire they keep their names.
# The page has the same texts in desk.js, so that the catalogue holds each once.
# To translators: the name of a game, in a menu and in "Program: City".
TITLES = {
    "city": lazy("City"),
    "championship": lazy("championship"),
    "timed": lazy("timed"),
    "world": lazy("world"),
}


def title(program: Program) -> str:
    """Return what people call a program."""
    return program.title or str(TITLES.get(program.name, program.name))


def setup(unit: Unit, held: bool) -> str:
    """Return the choice in the unit's setup in words; `held` is whether BUILD is still down."""
    words = SETUP_HELD if held else SETUP
    return words[unit.setup.page].format(choice=choice(unit))


def choice(unit: Unit) -> str:
    """Return the present choice of the setup."""
    choice = unit.setup.choices[unit.setup.choice]
    if isinstance(choice, Program):
        return title(choice)
    return span_text(choice) if unit.setup.page == "length" else str(VOLUMES[choice])


def ended(unit: Unit) -> str:
    """Say that the game is over, and how another begins."""
    return str(ENDED[unit.clock.kind])


def refusal(button: str, why: str) -> str:
    """Say why a button was refused."""
    return REFUSED[button].format(why=REASONS.get(why, why))


def about(program: Program) -> str:
    """Describe a program by its data: its clock, its auctions, and whether it has permits."""
    shortest, longest = program.auction_ms
    parts = [
        _("{length} of play").format(length=span_text(program.clock_ms))
        if program.clock_ms
        else _("no clock")
    ]
    if shortest == longest:
        parts.append(_("auctions of {length}").format(length=span_text(shortest)))
    else:
        parts.append(
            _("auctions of {shortest} to {longest}").format(
                shortest=span_text(shortest), longest=span_text(longest)
            )
        )
    if program.odds:
        parts.append(_("permits"))
    return ", ".join(parts)


def span_text(ms: int) -> str:
    """Say how long something is, in the longest unit that is exact: "50 s", "90 min"."""
    if ms % 60_000 == 0:
        return f"{ms // 60_000} min"
    return span_of_time(ms)
