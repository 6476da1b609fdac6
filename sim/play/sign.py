"""The sign for the whole table: the state of a unit in large words.

A sign is one large word or time, its meaning, and the useful buttons, in words that a child of
ten understands. This module is pure; the window and the terminal draw the words.
"""

from collections.abc import Iterator
from typing import NamedTuple

from city_unit.clock import ENDS
from city_unit.desktop.catalogue import lazy, pgettext, plazy
from city_unit.events import Events
from city_unit.facts import AUCTIONING, PERMIT_LAMPS
from city_unit.ticks import diff
from city_unit.unit import Unit
from sim.play.phrases import clock_words, setup_choice, span_words

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


def of_unit(unit: Unit, now: int, seconds: bool) -> Sign:
    """Return the sign of a unit.

    seconds  whether an auction shows its remaining time; the original unit never does
    """
    shown = _of_state(unit, now, seconds)
    events = unit.events
    if unit.state == "off" or events.count == events.first():
        return shown
    at, kind, _, reason = events.get(events.count - 1)
    if kind != "refused" or reason not in NOT_NOW or diff(now, at) >= REFUSED_MS:
        return shown
    return shown._replace(under=str(NOT_NOW[reason]), is_refused=True)


def _of_state(unit: Unit, now: int, seconds: bool) -> Sign:
    if unit.state == "off":
        return Sign("off", str(OFF), "", (str(PRESS_ON),))
    if unit.state == "setup":
        big, under = setup_choice(unit), str(CHOOSE[unit.setup.page])
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
        words = OVER[unit.clock.kind if unit.clock.kind in OVER else ENDS[0]]
        ends = (at for at, kind, _, _ in newest_first(unit.events) if kind in ENDS)
        ended_at = next(ends, None)
        ended = "" if ended_at is None else AGO.format(ago=span_words(diff(now, ended_at) / 1000))
        return Sign("over", str(words), ended, (str(PRESS_OFF),))
    press = (str(PRESS_AUCTION),)
    if unit.settings.program.odds:
        press += (str(PRESS_BUILD),)
    permit = _lit_permit(unit)
    if permit >= 0:
        return Sign("permit", str(PERMIT_WORDS[permit]), str(MAY_BUILD), press, permit)
    for at, kind, _, _ in newest_first(unit.events):
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


def newest_first(events: Events) -> Iterator[list]:
    """Yield the events that a unit remembers, each as `Events.get` returns it."""
    for number in range(events.count - 1, events.first() - 1, -1):
        yield events.get(number)


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
