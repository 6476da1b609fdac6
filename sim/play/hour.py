"""The hour that cannot be lost: what would end it is offered back, time that was missed is said.

Three things are offered, one at a time, and all are taken by one key: to go on with the interrupted
game, to take back the end of a game, and to choose whether the hour went on or stood still while
nobody looked after it.
"""

import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from city_unit.desktop.catalogue import Lazy, lazy
from city_unit.desktop.errors import UserError
from city_unit.facts import SWITCH
from city_unit.link import Link
from city_unit.ticks import add, diff
from city_unit.transitions import TRANSITIONS
from city_unit.unit import Unit
from sim.engine.link_server import new_boot
from sim.engine.runner import Runner
from sim.play.autosave import Autosave, History, RecordedUnit, replay


def clock(platform: str = sys.platform, source: Any = time) -> Callable[[], float]:
    """Return a clock in seconds that nobody sets and that no sleep of the computer stops.

    Python's own `monotonic` stands still in a sleep on Linux and macOS, and goes on under
    Windows; so each system is asked for the clock that goes on.
    """
    name = {"linux": "CLOCK_BOOTTIME", "darwin": "CLOCK_MONOTONIC"}.get(platform, "")
    number = getattr(source, name, None) if name else None
    if number is None:
        return source.monotonic
    return lambda: source.clock_gettime(number)


def is_busy(unit: Unit) -> bool:
    """Return whether an auction or a permit must end before another program can begin."""
    return unit.state != "off" and "restart" not in TRANSITIONS[unit.state]


def game_runs(unit: Unit) -> bool:
    """Return whether there is something to lose: a clock that runs, an auction, a draw."""
    return unit.clock.due is not None or is_busy(unit)


BACK_S = 10.0  # for so long an end can be taken back
CHOICE_S = 60.0  # and it can be chosen what became of the time
GAP_S = 10.0  # without a turn of the loop: the computer slept, or the program was stopped
MISSED_MS = 5000  # a shorter time that was missed is not worth a question
LONGEST_AWAY_S = 6 * 24 * 3600  # times further apart cannot be compared on the unit's clock

GOES_ON = lazy("Your game goes on: {left} left. Press R")
GOES_ON_UNTIMED = lazy("Your game goes on. Press R")
SWITCHED_OFF = lazy("Switched off: in {left} s this game has ended. R takes it back")
ANOTHER_GAME = lazy("Another game has begun. R takes it back ({left} s)")
STOOD_STILL = lazy(
    "The clock stood still while you were away ({span}). R: take that time off the game"
)
WENT_ON = lazy("For {span} this computer slept or was busy, and the hour went on")
MISSED_AUCTION = lazy(
    "An auction ended {ago} ago, while this computer slept or was busy ({span}); the hour went on"
)
MISSED_END = lazy("The hour ended {ago} ago, while this computer slept or was busy ({span})")
GIVE_BACK = lazy("{news}. R: give that time back to the game")
# To translators: the same offers across a room, in few words; below each, the effect of a key.
LARGE_GOES_ON = lazy("Your game goes on")
LARGE_OFF = lazy("Switched off")
LARGE_ANOTHER = lazy("A new game has begun")
LEFT_TO_PLAY = lazy("{left} left to play")
TO_TAKE_BACK = lazy("{left} s to take it back")
PRESS_GO_ON = lazy("R: go on with it")
PRESS_NEW = lazy("O: begin a new game")
PRESS_BACK = lazy("R: back to the game that ran")

# Where there is no key R.
STOOD_STILL_ONLY = lazy("The clock stood still while the unit was not running ({span})")
NOT_KEPT = lazy("This game cannot be kept on the disk: {why}")
OTHERS_GAME = lazy("Another window keeps its game already. The game of this one is not kept")


class Large(NamedTuple):
    """An offer as the whole table reads it: large, its meaning, and the keys that may be
    pressed."""

    big: str
    under: str
    press: tuple[str, ...]


class Offer(NamedTuple):
    """The effect of one key now.

    words           its sentence, with a field `left` for the seconds that it still stands
    do              its effect
    until           when it is withdrawn, in seconds of the clock; None for never
    only_while_off  whether it stands only while the unit is off
    large           its sign for the whole table, likewise; None for a sentence alone
    found           the game of another start that it would go on with
    news            its sentence for a body without keys, "" for none
    """

    words: Callable[[int], str]
    do: Callable[[], None]
    until: float | None
    only_while_off: bool
    large: Callable[[int], Large] | None = None
    found: History | None = None
    news: str = ""


class Hour:
    """Looks after the game of a unit.

    runner   of a `RecordedUnit`
    wall     the clock of the wall, in seconds: all that one start knows of the one before
    warning  a sentence about the game of the start before, "" for none or once it is taken
    """

    def __init__(
        self,
        runner: Runner,
        unit: RecordedUnit,
        wall: Callable[[], float],
        link: Link | None = None,
        warning: str = "",
    ) -> None:
        self.warning = warning
        self._runner = runner
        self._unit = unit
        self._autosave: Autosave = unit.autosave
        self._wall = wall
        self._link = link
        self._offer: Offer | None = None
        self._seen = runner.seconds()
        self._has_warned = False

    # The interface of a body.

    def turn(self) -> None:
        """Look after the game; called in each turn of a body's loop, in place of `advance`."""
        runner = self._runner
        seconds = runner.seconds()
        missed, self._seen = seconds - self._seen, seconds
        before, known = runner.now, self._unit.events.count
        ran = game_runs(self._unit) and not runner.is_paused
        runner.advance()
        history, events = self._autosave.history, self._unit.events
        if ran and missed >= GAP_S and history is not None:
            # Say what happened unseen, and offer to have the hour stand still instead.
            words, fields = WENT_ON, {"span": span_words(missed)}
            news = [events.get(place) for place in range(max(known, events.first()), events.count)]
            for kinds, said in (  # of both, the end of the hour is said
                (("auction-ended",), MISSED_AUCTION),
                (("hour-ended", "time-called"), MISSED_END),
            ):
                ends = [at for at, kind, _, _ in news if kind in kinds]
                if ends:
                    words = said
                    fields["ago"] = span_words(diff(runner.now, ends[-1]) / 1000)
            said_news = words.format(**fields)
            self._offer_choice(GIVE_BACK.format(news=said_news), said_news, history, before)
        self._autosave.note_time(runner.now)
        self._standing()

    def sentence(self) -> str:
        """Return the words of the offer, "" for none."""
        offer = self._standing()
        return "" if offer is None else offer.words(self._left(offer))

    def large(self) -> Large | None:
        """Return the offer as the whole table reads it; None where a sentence does."""
        offer = self._waiting()
        return offer.large(self._left(offer)) if offer and offer.large else None

    def news(self) -> str:
        """Return the missed events in words, for a body without keys; "" for nothing."""
        offer = self._standing()
        return "" if offer is None else offer.news

    def take(self) -> bool:
        """Accept the offer; return whether anything was."""
        offer = self._standing()
        self._offer = None
        if offer is not None:
            offer.do()
        return offer is not None

    def is_saved(self) -> bool:
        """Return whether the game would survive the end of this program."""
        return self._autosave.is_saved

    def take_warning(self) -> str:
        """Return, once each, `warning` and why the game that runs is not kept; "" for nothing."""
        if self.warning:
            warning, self.warning = self.warning, ""
            return warning
        if self._has_warned or self._autosave.is_saved or not game_runs(self._unit):
            return ""
        self._has_warned = True
        why = self._autosave.error
        return NOT_KEPT.format(why=why) if why else str(OTHERS_GAME)

    # Keys that would lose a game.

    def find(self, history: History | None) -> bool:
        """Offer to go on with the game of another start, if it still ran; return whether it did."""
        if history is None:
            return False
        try:
            unit = replay(history, history.until, self._unit.settings.programs)
        except UserError:
            return False
        if not game_runs(unit):
            return False
        left = unit.clock.left_at(history.until)
        words = GOES_ON.format(left=clock_words(left)) if left else str(GOES_ON_UNTIMED)

        def large(_: int) -> Large:
            under = LEFT_TO_PLAY.format(left=clock_words(left)) if left else ""
            return Large(str(LARGE_GOES_ON), under, (str(PRESS_GO_ON), str(PRESS_NEW)))

        def go_on() -> None:
            """Go on where the game was left, as if the clock had stood still meanwhile."""
            away = self._wall() - history.at
            self._restore(history, history.until)
            if MISSED_MS / 1000 <= away <= LONGEST_AWAY_S:
                gone_on = add(history.until, round(away * 1000))
                span = span_words(away)
                text, news = STOOD_STILL.format(span=span), STOOD_STILL_ONLY.format(span=span)
                self._offer_choice(text, news, history, gone_on)

        self._offer = Offer(lambda _: words, go_on, None, True, large, found=history)
        return True

    def switch(self, on: bool) -> None:
        """Move the slide; the end of a game, or the former offer, can be taken back."""
        history, ran = self._before()
        waited = self._waiting()
        self._runner.switch(on)
        if on and waited is not None:
            self._offer_for_a_while(ANOTHER_GAME, waited)
        elif not on and waited is not None and waited.found is not None:
            self.find(waited.found)  # the game that waited waits again
        elif not on and ran and history is not None:
            self._offer_back(SWITCHED_OFF, history)

    def restarting(self) -> Callable[[], None]:
        """Return the function to call after another game has replaced the running one."""
        history, ran = self._before()

        def done() -> None:
            if ran and history is not None and self._autosave.history is not history:
                self._offer_back(ANOTHER_GAME, history)

        return done

    # How it is done.

    def _before(self) -> tuple[History | None, bool]:
        self._runner.advance()
        return self._autosave.history, game_runs(self._unit)

    def _left(self, offer: Offer) -> int:
        """Return for how many seconds an offer still stands, 0 if it has no end."""
        if offer.until is None:
            return 0
        return max(1, round(offer.until - self._runner.seconds()))

    def _waiting(self) -> Offer | None:
        """Return the offer of a game that ended or waits, if there is one."""
        offer = self._standing()
        return offer if offer is not None and offer.large is not None else None

    def _offer_back(self, words: Lazy, history: History) -> None:
        """Offer the game that has just ended; of several that ended within seconds, the first."""
        back = Offer(str, lambda: self._restore(history, self._runner.now), None, False)
        self._offer_for_a_while(words, self._waiting() or back)

    def _offer_for_a_while(self, words: Lazy, game: Offer) -> None:
        is_off = words is SWITCHED_OFF
        big, until = (LARGE_OFF if is_off else LARGE_ANOTHER), self._runner.seconds() + BACK_S

        def large(left: int) -> Large:
            return Large(str(big), TO_TAKE_BACK.format(left=left), (str(PRESS_BACK),))

        self._offer = game._replace(
            words=lambda left: words.format(left=left),
            until=until,
            only_while_off=is_off,
            large=large,
        )

    def _standing(self) -> Offer | None:
        """Return the offer, which is withdrawn when its time has come."""
        offer = self._offer
        if offer is not None:
            expired = offer.until is not None and self._runner.seconds() >= offer.until
            on = self._unit.state != "off" and self._runner.is_closed(SWITCH)
            if expired or (offer.only_while_off and on):
                self._offer = None
        return self._offer

    def _offer_choice(self, text: str, news: str, history: History, until: int) -> None:
        """Offer to move the game to another time of its clock, until somebody plays on."""
        steps = len(self._steps())

        def choose() -> None:
            if len(self._steps()) == steps:
                self._restore(history, until)

        until_s = self._runner.seconds() + CHOICE_S
        self._offer = Offer(lambda _: text, choose, until_s, False, news=news)

    def _steps(self) -> tuple:
        history = self._autosave.history
        return () if history is None else history.steps

    def _restore(self, history: History, until: int) -> None:
        """Restore the unit as if it had lived through this game until its own time `until`."""
        unit = replay(history, until, self._unit.settings.programs)
        again = unit.autosave.history
        if again is None:
            return
        volume = self._unit.settings.volume
        self._unit.become(unit)
        self._unit.settings.volume = volume
        self._autosave.restart_from(again._replace(until=until, at=self._wall()))
        if self._link is not None:
            self._link.rebind(self._unit, new_boot())
        self._runner.resume(until, SWITCH)


def clock_words(ms: int) -> str:
    """Return the rest of a game as a clock shows it: "23:41", "1:05:00"."""
    seconds = -(-ms // 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def span_words(seconds: float) -> str:
    """Return a span in the unit that people would name: "40 s", "6 min", "3 h"."""
    if seconds < 90:
        return f"{round(seconds)} s"
    if seconds < 5400:
        return f"{round(seconds / 60)} min"
    return f"{round(seconds / 3600)} h"
