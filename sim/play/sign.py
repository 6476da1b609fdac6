"""The state of a unit in words: the sign for the whole table, and lines for the user.

A sign is one large word or time, its meaning, and the useful buttons, in words that a child of
ten understands. This module is pure; the window and the terminal draw the words.
"""

from typing import NamedTuple

from city_unit.clock import ENDS
from city_unit.desktop.catalogue import _, lazy, pgettext, plazy
from city_unit.desktop.forms import span_of_time
from city_unit.facts import AUCTIONING, PERMIT_LAMPS
from city_unit.programs import Program
from city_unit.ticks import diff
from city_unit.unit import Unit

SOLD_MS, CANCELLED_MS = 8000, 4000  # how long the results of an auction are shown
REFUSED_MS = 4000  # how long the reason of a refusal is shown
LAST_MINUTE_MS = 60_000

SECRET = ("auction-ended", "auction-warning")  # the original unit does not show these in advance

# To translators: these words are read across a room. Keep them short, and in capitals as here.
OFF = lazy("OFF")
READY = lazy("READY")
AUCTION = lazy("AUCTION")
LAST_BIDS = lazy("LAST BIDS!")
SOLD = lazy("SOLD!")
CANCELLED = lazy("STOPPED")
OVER = {"hour-ended": lazy("THE HOUR IS OVER"), "time-called": lazy("TIME IS UP")}
PERMIT_WORDS = (
    plazy("permit", "1 block"),
    plazy("permit", "2 blocks"),
    plazy("permit", "3 blocks"),
    plazy("permit", "A station"),
)

LEFT = lazy("left to play")
LAST_MINUTE = lazy("the last minute!")
UNTIMED = lazy("no clock in this game")
BIDDING = lazy("Bid until the light goes out")
GOING = lazy("The light is about to go out")
TO_HIGHEST = lazy("to the highest bid")
NOT_SOLD = lazy("nothing was sold")
CHOOSING = lazy("the light is choosing ...")
MAY_BUILD = lazy("may be built")
CHOOSE = {
    "program": lazy("which game?"),
    "length": lazy("how long?"),
    "volume": lazy("how loud?"),
}
AGO = lazy("ended {ago} ago")
SECONDS = lazy("seconds for this auction")

PRESS_ON = lazy("O: slide the switch on")
PRESS_OFF = lazy("O: slide the switch off")
PRESS_AUCTION = lazy("A: start an auction")
PRESS_BUILD = lazy("B: see what may be built")
PRESS_STOP = lazy("Hold A for 2 seconds: stop this auction")
PRESS_NEXT = lazy("B: the next choice")
PRESS_TAKE = lazy("A: accept this choice")

# Why a button does nothing now, by the unit's reason.
AUCTION_IS_RUNNING = lazy("Not now: an auction is running")
NOT_NOW = {
    "setup": lazy("Not now: choose the settings first"),
    "auction": AUCTION_IS_RUNNING,
    "warning": AUCTION_IS_RUNNING,
    "drawing": lazy("Not now: the light is choosing"),
    "over": lazy("Not now: the game is over"),
    "no-permits": lazy("This game has no permits"),
}

SECONDS_SHOWN = lazy("An auction now shows its seconds. S hides them")
SECONDS_HIDDEN = lazy("An auction keeps its end secret, as the original unit does. S shows it")


class Sign(NamedTuple):
    """A sign.

    kind        "off", "setup", "ready", "auction", "warning", "sold", "cancelled", "drawing",
                "permit", "over" or "offer"
    big         the large text
    under       its meaning
    press       the useful buttons and their effects
    permit      index of the lit permit, -1 for none
    is_near     whether time is running out
    is_refused  whether `under` has the reason of a refusal
    """

    kind: str
    big: str
    under: str = ""
    press: tuple[str, ...] = ()
    permit: int = -1
    is_near: bool = False
    is_refused: bool = False


def read(unit: Unit, now: int, seconds: bool) -> Sign:
    """Return the sign of a unit.

    seconds  whether an auction shows its remaining time; the original unit never does
    """
    shown = _state(unit, now, seconds)
    events = unit.events
    if unit.state == "off" or events.count == events.first():
        return shown
    at, kind, _, reason = events.get(events.count - 1)
    if kind != "refused" or reason not in NOT_NOW or diff(now, at) >= REFUSED_MS:
        return shown
    return shown._replace(under=str(NOT_NOW[reason]), is_refused=True)


def _state(unit: Unit, now: int, seconds: bool) -> Sign:
    if unit.state == "off":
        return Sign("off", str(OFF), "", (str(PRESS_ON),))
    if unit.state == "setup":
        big, under = choice(unit), str(CHOOSE[unit.setup.page])
        return Sign("setup", big, under, (str(PRESS_NEXT), str(PRESS_TAKE)))
    if unit.state in AUCTIONING:
        warns = unit.state == "warning"
        left = unit.auction_left(now) if seconds else 0
        big = str(-(-left // 1000)) if left else str(LAST_BIDS if warns else AUCTION)
        under = str(GOING if warns else SECONDS if left else BIDDING)
        return Sign(unit.state, big, under, (str(PRESS_STOP),), is_near=warns)
    if unit.state == "drawing":
        return Sign("drawing", "", str(CHOOSING), (), _lit_permit(unit))
    if unit.state == "over":
        events = unit.events
        words = OVER[unit.clock.kind if unit.clock.kind in OVER else ENDS[0]]
        ended = ""
        for number in range(events.count - 1, events.first() - 1, -1):
            at, kind, _, _ = events.get(number)
            if kind in ENDS:
                ended = AGO.format(ago=span_words(diff(now, at) / 1000))
                break
        return Sign("over", str(words), ended, (str(PRESS_OFF),))
    press = (str(PRESS_AUCTION),)
    if unit.settings.program.odds:
        press += (str(PRESS_BUILD),)
    permit = _lit_permit(unit)
    if permit >= 0:
        return Sign("permit", str(PERMIT_WORDS[permit]), str(MAY_BUILD), press, permit)
    for number in range(unit.events.count - 1, unit.events.first() - 1, -1):
        at, kind, _, _ = unit.events.get(number)
        if kind == "auction-ended" and diff(now, at) < SOLD_MS:
            return Sign("sold", str(SOLD), str(TO_HIGHEST), press)
        if kind == "auction-cancelled" and diff(now, at) < CANCELLED_MS:
            return Sign("cancelled", str(CANCELLED), str(NOT_SOLD), press)
        if kind in ("auction-ended", "auction-cancelled", "switched-on", "permit-started"):
            break
    left = unit.clock.left_at(now)
    if not left:
        return Sign("ready", str(READY), str(UNTIMED), press)
    near = left <= LAST_MINUTE_MS
    return Sign("ready", clock_words(left), str(LAST_MINUTE if near else LEFT), press, is_near=near)


def with_offer(shown: Sign, offer: Sign | None) -> Sign:
    """Return the sign of an offer, or `shown` if there is none or the unit is busy."""
    return offer if offer is not None and shown.kind in ("off", "ready") else shown


def _lit_permit(unit: Unit) -> int:
    lit = (unit.lamps & PERMIT_LAMPS) >> 1
    return lit.bit_length() - 1 if lit else -1


def heading(sign: Sign) -> str:
    """Return the first part of a window's title."""
    if sign.kind in AUCTIONING and sign.big.isdecimal():  # the remaining seconds
        return pgettext("title", "{left} s auction").format(left=sign.big)
    return sign.big


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
CARRIED = {
    "station": lazy("station"),
    "deeds": plazy("phase of a game", "deeds"),
    "play": plazy("phase of a game", "play"),
}


def carried(value: object) -> str:
    """Return the value of an event in words: a permit, a phase, a number."""
    return str(CARRIED.get(str(value), value))


# The names of the built-in programs for people; files and the wire have the keys. The page has
# the same texts in desk.js.
# To translators: the name of a game, in a menu and in "Program: City".
TITLES = {
    "city": lazy("City"),
    "championship": lazy("championship"),
    "timed": lazy("timed"),
    "world": lazy("world"),
}


def title(program: Program) -> str:
    """Return the name of a program for people."""
    return program.title or str(TITLES.get(program.name, program.name))


def setup(unit: Unit, held: bool) -> str:
    """Return the setup's choice and what the buttons do; `held`: BUILD is still pressed."""
    words = SETUP[unit.setup.page].format(choice=choice(unit))
    return f"{words}  {LET_GO if held else NEXT_OR_TAKE}"


def choice(unit: Unit) -> str:
    """Return the current choice of the setup."""
    choice = unit.setup.choices[unit.setup.choice]
    if isinstance(choice, Program):
        return title(choice)
    return span_text(choice) if unit.setup.page == "length" else str(VOLUMES[choice])


def ended(unit: Unit) -> str:
    """Return that the game is over, and how to start another."""
    return str(ENDED[unit.clock.kind])


def refusal(button: str, why: str) -> str:
    """Return why a button was refused."""
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
