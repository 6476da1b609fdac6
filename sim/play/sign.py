"""The words for the whole table: one large word or time, its meaning, and the useful buttons.

Pure, and without a picture: the window, the terminal and the page show it each in its way. The
words are those of a child of ten.
"""

from typing import NamedTuple

from city_unit.clock import ENDS
from city_unit.desktop.catalogue import lazy, pgettext, plazy
from city_unit.facts import AUCTIONING, PERMIT_LAMPS
from city_unit.ticks import diff
from city_unit.unit import Unit
from sim.play import state_words
from sim.play.hour import Large, clock_words, span_words

SOLD_MS, CANCELLED_MS = 8000, 4000  # for so long they stand
REFUSED_MS = 4000  # and so long, why a button did nothing
LAST_MINUTE_MS = 60_000

SECRET = ("auction-ended", "auction-warning")  # the unit of the box never shows them ahead

# To translators: the words below are read across a room: short, and in capitals where English is.
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
ENDED = lazy("ended {ago} ago")
SECONDS = lazy("seconds for this auction")

PRESS_ON = lazy("O: slide the switch on")
PRESS_OFF = lazy("O: slide the switch off")
PRESS_AUCTION = lazy("A: start an auction")
PRESS_BUILD = lazy("B: ask what may be built")
PRESS_STOP = lazy("Hold A for 2 seconds: stop this auction")
PRESS_NEXT = lazy("B: the next choice")
PRESS_TAKE = lazy("A: take this choice")

# Why a button does nothing now, by the reason that the unit gives.
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
SECONDS_HIDDEN = lazy("An auction keeps its end a secret, as the unit of the box does. S shows it")


class Sign(NamedTuple):
    """The words of the sign.

    kind        "off", "setup", "ready", "auction", "warning", "sold", "cancelled", "drawing",
                "permit", "over" or "offer"
    big         the text that is read across the room
    under       its meaning
    press       the useful button, and its effect
    permit      the place of the permit that is lit, -1 for none
    is_near     whether time runs short
    is_refused  whether `under` says why a button did nothing
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

    seconds  whether an auction shows how long it still runs; the unit of the box never does
    """
    shown = _state(unit, now, seconds)
    events = unit.events
    if unit.state == "off" or events.count == events.first():
        return shown
    at, kind, _, reason = events.get(events.count - 1)
    if kind != "refused" or reason not in NOT_NOW or diff(now, at) >= REFUSED_MS:
        return shown  # something else has happened since the last press that did nothing
    return shown._replace(under=str(NOT_NOW[reason]), is_refused=True)


def _state(unit: Unit, now: int, seconds: bool) -> Sign:
    if unit.state == "off":
        return Sign("off", str(OFF), "", (str(PRESS_ON),))
    if unit.state == "setup":
        big, under = state_words.choice(unit), str(CHOOSE[unit.setup.page])
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
                ended = ENDED.format(ago=span_words(diff(now, at) / 1000))
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


def with_offer(shown: Sign, offer: Large | None) -> Sign:
    """Return the sign of an offer: the offer, unless the unit is at work."""
    if offer is None or shown.kind not in ("off", "ready"):
        return shown
    return Sign("offer", *offer)


def _lit_permit(unit: Unit) -> int:
    lit = (unit.lamps & PERMIT_LAMPS) >> 1
    return lit.bit_length() - 1 if lit else -1


def heading(sign: Sign) -> str:
    """Return the title of a window, before its name."""
    if sign.kind in AUCTIONING and sign.big.isdecimal():  # its seconds are shown
        return pgettext("title", "{left} s auction").format(left=sign.big)
    return sign.big
