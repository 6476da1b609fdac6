"""Protect the hour of a game: offer to undo whatever ended it, and report missed time.

There are three kinds of offers. One is made at a time, and the same key accepts each:
continue a game that an earlier start of the program left behind; return to a game that was just
switched off or replaced; and choose whether the game clock ran or stood still while the program
was not running or the computer slept.
"""

import sys
from collections.abc import Callable
from typing import NamedTuple

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
from sim.play.phrases import clock_words, span_words
from sim.play.sign import Sign


def is_busy(unit: Unit) -> bool:
    """Return whether an auction or a draw must end before another game can start."""
    return unit.state != "off" and "restart" not in TRANSITIONS[unit.state]


def game_runs(unit: Unit) -> bool:
    """Return whether a game could be lost: a clock, an auction or a draw is running."""
    return unit.clock.due is not None or is_busy(unit)


BACK_S = 10.0  # how long the end of a game can be undone
CHOICE_S = 60.0  # how long missed time can be given back to the game, or deducted
GAP_S = 10.0  # a longer gap between two turns: the computer slept, or the program was stopped
MISSED_MS = 5000  # shorter absences are not worth an offer
LONGEST_AWAY_S = 6 * 24 * 3600  # the unit's clock cannot compare times further apart

GOES_ON = lazy("Your game can continue: {left} left. Press R")
GOES_ON_UNTIMED = lazy("Your game can continue. Press R")
SWITCHED_OFF = lazy("Switched off: this game ends in {left} s. R takes it back")
ANOTHER_GAME = lazy("A new game has started. R goes back to the old one ({left} s)")
STOOD_STILL = lazy(
    "The clock stood still while you were away ({span}). R: deduct that time from the game"
)
WENT_ON = lazy("This computer slept or was busy for {span}, and the hour went on")
MISSED_AUCTION = lazy(
    "An auction ended {ago} ago, while this computer slept or was busy ({span}); the hour went on"
)
MISSED_END = lazy("The hour ended {ago} ago, while this computer slept or was busy ({span})")
GIVE_BACK = lazy("{news}. R: give that time back to the game")
# To translators: the same offers in few words, read across a room; then the effects of keys.
LARGE_GOES_ON = lazy("Continue your game?")
LARGE_OFF = lazy("Switched off")
LARGE_ANOTHER = lazy("A new game has started")
LEFT_TO_PLAY = lazy("{left} left to play")
TO_TAKE_BACK = lazy("{left} s to take it back")
PRESS_GO_ON = lazy("R: continue")
PRESS_NEW = lazy("O: start a new game")
PRESS_BACK = lazy("R: back to the old game")

# For a headless unit, which has no key R.
STOOD_STILL_ONLY = lazy("The clock stood still while the unit was not running ({span})")
NOT_KEPT = lazy("This game cannot be saved: {why}")
OTHERS_GAME = lazy("Another window is already saving its game. The game of this one is not saved")


class Offer(NamedTuple):
    """An offer, which one key accepts.

    words           returns its sentence, given the seconds until it expires
    do              its effect
    until           when it expires, on the runner's clock; None for never
    only_while_off  whether switching the unit on withdraws it
    sign            returns its sign for the whole table, given those seconds; None for no sign
    found           the game of an earlier start that it would continue
    news            its sentence for a body without keys, "" for none
    """

    words: Callable[[int], str]
    do: Callable[[], None]
    until: float | None
    only_while_off: bool
    sign: Callable[[int], Sign] | None = None
    found: History | None = None
    news: str = ""


class Offers:
    """Makes the offers about the game of a unit.

    runner   runs a `RecordedUnit`
    wall     the wall clock, in seconds, the only clock that two starts of the program share
    warning  a sentence about the saved game, "" for none; removed when it is read
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
        self._printed = ""

    # The interface of a body.

    def turn(self) -> None:
        """Advance the runner and update the offers; a body's loop calls this in each turn."""
        runner = self._runner
        seconds = runner.seconds()
        missed, self._seen = seconds - self._seen, seconds
        before, known = runner.now, self._unit.events.count
        ran = game_runs(self._unit) and not runner.is_paused
        runner.advance()
        history, events = self._autosave.history, self._unit.events
        if ran and missed >= GAP_S and history is not None:
            # Report what happened meanwhile, and offer to undo it.
            words, fields = WENT_ON, {"span": span_words(missed)}
            news = [events.get(place) for place in range(max(known, events.first()), events.count)]
            for kinds, sentence in (  # if both happened, report the end of the hour
                (("auction-ended",), MISSED_AUCTION),
                (("hour-ended", "time-called"), MISSED_END),
            ):
                ends = [at for at, kind, _, _ in news if kind in kinds]
                if ends:
                    words = sentence
                    fields["ago"] = span_words(diff(runner.now, ends[-1]) / 1000)
            report = words.format(**fields)
            self._offer_choice(GIVE_BACK.format(news=report), report, history, before)
        self._autosave.note_time(runner.now)
        self._current()

    def turn_aloud(self, saves: bool) -> None:
        """Do a turn, and print missed events and failures to save the game, once each.

        saves  whether the game is to be saved
        """
        self.turn()
        news = (self.next_warning() if saves else "") or self.news()
        if news and news != self._printed:
            print(f"city-unit: {news}", file=sys.stderr)
        self._printed = news

    def sentence(self) -> str:
        """Return the sentence of the current offer, "" for none."""
        offer = self._current()
        return "" if offer is None else offer.words(self._left(offer))

    def sign(self) -> Sign | None:
        """Return the sign of the current offer; None if it has only a sentence."""
        offer = self._current_game()
        return offer.sign(self._left(offer)) if offer and offer.sign else None

    def news(self) -> str:
        """Return a report of missed events, for a body without keys; "" for nothing."""
        offer = self._current()
        return "" if offer is None else offer.news

    def accept(self) -> bool:
        """Accept the current offer; return False if there is none."""
        offer = self._current()
        self._offer = None
        if offer is not None:
            offer.do()
        return offer is not None

    def is_saved(self) -> bool:
        """Return whether the game can be continued at the next start."""
        return self._autosave.is_saved

    def next_warning(self) -> str:
        """Return a warning, each once: `warning`, and that the game is not saved; "" for none."""
        if self.warning:
            warning, self.warning = self.warning, ""
            return warning
        if self._has_warned or self._autosave.is_saved or not game_runs(self._unit):
            return ""
        self._has_warned = True
        why = self._autosave.error
        return NOT_KEPT.format(why=why) if why else str(OTHERS_GAME)

    # Actions that could lose a game.

    def offer_saved(self, history: History | None) -> bool:
        """Offer to continue a saved game if it was still running; return whether it was."""
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

        def sign(_: int) -> Sign:
            under = LEFT_TO_PLAY.format(left=clock_words(left)) if left else ""
            return Sign("offer", str(LARGE_GOES_ON), under, (str(PRESS_GO_ON), str(PRESS_NEW)))

        def go_on() -> None:
            """Continue as if the clock had been stopped, and offer to deduct the absence."""
            away = self._wall() - history.at
            self._restore(history, history.until)
            if MISSED_MS / 1000 <= away <= LONGEST_AWAY_S:
                gone_on = add(history.until, round(away * 1000))
                span = span_words(away)
                text, news = STOOD_STILL.format(span=span), STOOD_STILL_ONLY.format(span=span)
                self._offer_choice(text, news, history, gone_on)

        self._offer = Offer(lambda _: words, go_on, None, True, sign, found=history)
        return True

    def switch(self, on: bool) -> None:
        """Move the switch, and offer to undo it if it ended or replaced a game."""
        history, ran = self._before()
        waiting = self._current_game()
        self._runner.switch(on)
        if on and waiting is not None:
            self._offer_for_a_while(ANOTHER_GAME, waiting)
        elif not on and waiting is not None and waiting.found is not None:
            self.offer_saved(waiting.found)
        elif not on and ran and history is not None:
            self._offer_back(SWITCHED_OFF, history)

    def restarting(self) -> Callable[[], None]:
        """Return a function to call after another game has replaced the running one."""
        history, ran = self._before()

        def done() -> None:
            if ran and history is not None and self._autosave.history is not history:
                self._offer_back(ANOTHER_GAME, history)

        return done

    # Internals.

    def _before(self) -> tuple[History | None, bool]:
        self._runner.advance()
        return self._autosave.history, game_runs(self._unit)

    def _left(self, offer: Offer) -> int:
        """Return the seconds until an offer expires, 0 if it does not expire."""
        if offer.until is None:
            return 0
        return max(1, round(offer.until - self._runner.seconds()))

    def _current_game(self) -> Offer | None:
        """Return the current offer if it is about a game, not about missed time."""
        offer = self._current()
        return offer if offer is not None and offer.sign is not None else None

    def _offer_back(self, words: Lazy, history: History) -> None:
        """Offer the game that has just ended; if an earlier one is still on offer, that one."""
        back = Offer(str, lambda: self._restore(history, self._runner.now), None, False)
        self._offer_for_a_while(words, self._current_game() or back)

    def _offer_for_a_while(self, words: Lazy, game: Offer) -> None:
        is_off = words is SWITCHED_OFF
        big, until = (LARGE_OFF if is_off else LARGE_ANOTHER), self._runner.seconds() + BACK_S

        def sign(left: int) -> Sign:
            return Sign("offer", str(big), TO_TAKE_BACK.format(left=left), (str(PRESS_BACK),))

        self._offer = game._replace(
            words=lambda left: words.format(left=left),
            until=until,
            only_while_off=is_off,
            sign=sign,
        )

    def _current(self) -> Offer | None:
        """Return the current offer, after withdrawing an expired one."""
        offer = self._offer
        if offer is not None:
            expired = offer.until is not None and self._runner.seconds() >= offer.until
            on = self._unit.state != "off" and self._runner.is_closed(SWITCH)
            if expired or (offer.only_while_off and on):
                self._offer = None
        return self._offer

    def _offer_choice(self, text: str, news: str, history: History, until: int) -> None:
        """Offer to move the game to time `until`; the next input to the unit withdraws this."""
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
        """Restore the unit to the state of this game at its own time `until`."""
        unit = replay(history, until, self._unit.settings.programs)
        replayed = unit.autosave.history
        if replayed is None:
            return
        volume = self._unit.settings.volume
        self._unit.become(unit)
        self._unit.settings.volume = volume
        self._autosave.restart_from(replayed._replace(until=until, at=self._wall()))
        if self._link is not None:
            self._link.rebind(self._unit, new_boot())
        self._runner.resume(until, SWITCH)
