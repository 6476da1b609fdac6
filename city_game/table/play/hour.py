"""The game's hour, which the unit keeps: what each thing that happens to its clock leads to.

As in the unit's own table (`city_unit.transitions`): an event in a state
leads to the state beside it, and the action named is done; an event without a row
changes nothing. Once the game is over, no start and no mark of the unit's clock
means anything any more.

The states:

running     the hour runs, or the unit is off in its middle
restarting  the unit was over when it was wanted, before the game has heard that its hour is
ended       the hour is over: the turn that runs is the last, and another start of the
            unit is another hour
overtime    the unit is to start for the last turn; that start is not another hour
"""

from city_game import editions
from city_game.editions.program import due_call
from city_game.table.play.game_at_table import GameAtTable, Patience
from city_unit.desktop.catalogue import _
from city_unit.desktop.forms import minutes

# state: {event: (the state it leads to, the method of Hour that does it)}
TRANSITIONS = {
    "running": {
        "switched on": ("running", "_go_on_with_kept"),
        "switched off": ("running", "_keep_time"),
        "unit restarted": ("running", "_go_on"),
        "beep": ("running", "_tell_left"),
        "hour ended": ("ended", "_end"),
        "wanted when over": ("restarting", "_start_again"),
        "another hour": ("running", "_refuse"),
    },
    "restarting": {
        "switched on": ("running", "_drop_time"),
        "switched off": ("restarting", "_keep_time"),
        "unit restarted": ("restarting", "_go_on"),
        "beep": ("restarting", "_tell_left"),
        "hour ended": ("overtime", "_end"),
        "wanted when over": ("restarting", "_start_again"),
        "another hour": ("restarting", "_refuse"),
    },
    "ended": {
        "switched on": ("running", "_begin_another"),
        "switched off": ("ended", "_keep_time"),
        "switched off in the last turn": ("overtime", "_keep_time"),
        "wanted when over": ("overtime", "_start_again"),
        "another hour": ("ended", "_begin_whole"),
    },
    "overtime": {
        "switched on": ("ended", "_drop_time"),
        "switched off": ("overtime", "_keep_time"),
        "wanted when over": ("overtime", "_start_again"),
        "another hour": ("ended", "_begin_whole"),
    },
}
OF_A_GAME = ("switched on", "hour ended", "beep")  # events that mean nothing once the game is over


class Hour:
    """The hour of a game; `length` is how many minutes it is, 0 for as the unit is set.

    state  a key of `TRANSITIONS`
    """

    def __init__(self, game: GameAtTable, length: int) -> None:
        self._game = game
        self._program = game.state.edition.program
        self._whole_ms = length * 60000
        self._begun_with_ms = 0  # time left when the unit was last set, ms; 0 for a whole hour
        self._left_ms = 0  # as last known while the unit was on
        self._kept_ms = 0  # time left on a unit that was switched off in the middle, ms
        self._starting = Patience()
        self.state = "ended" if game.state.hour_over else "running"

    def look(self) -> None:
        """Note the time left; once a frame."""
        unit = self._game.unit
        if unit.state != "off":
            self._left_ms = int(unit.clock_left() or 0)

    def call(self) -> None:
        """Do the action to which a mark of the clock leads: also one that was missed, or skipped.

        A unit that has not said its clock since it was last started may still tell the last one.
        """
        unit = self._game.unit
        left = unit.clock_left() if unit.clock_is_known and unit.program == self._program else None
        action = due_call(self._game.state, left, int(unit.now())) if left is not None else None
        if action:
            self._game.do(action)

    @property
    def kept_ms(self) -> int:
        """Return the time left on a unit that is switched off in the middle, 0 for nothing."""
        return self._kept_ms

    def begin(self, left_ms: int = 0) -> None:
        """Have the unit begin the hour, or the rest of it."""
        unit = self._game.unit
        unit.forget_clock()
        self._begun_with_ms = left_ms
        if left_ms or self._whole_ms:
            unit.ask(f"program {self._program} {left_ms or self._whole_ms}")
        elif unit.full_ms or (unit.program or editions.USUAL_PROGRAM) != self._program:
            unit.ask(f"program {self._program}")
        else:
            unit.ask("restart")
        unit.full_ms = self._whole_ms or (unit.described.clock_ms if left_ms else 0)

    def go_on(self, left_ms: int) -> None:
        """Have the unit go on with the time left when it, or the game, was stopped."""
        if left_ms and not self._game.state.hour_over:
            self.begin(left_ms)
            words = _("The hour goes on with {time} left")
            self._game.say(words.format(time=minutes(left_ms)))

    def go_on_elsewhere(self) -> None:
        """Have another unit go on with the time left on the last unit."""
        self.go_on(self._left_ms)

    def another(self) -> None:
        """Have the unit begin another hour once this hour is over; the game goes on in it."""
        self.meet("another hour")

    def want(self) -> None:
        """The unit is about to be pressed: past its hour, start it for the last turn."""
        unit = self._game.unit
        if unit.state == "over" and not self._starting.waits(unit.host_ms()):
            self.meet("wanted when over")

    def switched_off(self) -> None:
        in_last_turn = self.state == "ended" and self._left_ms > 0
        if in_last_turn:
            self.meet("switched off in the last turn")  # no text: a key of TRANSITIONS
        else:
            self.meet("switched off")

    def meet(self, what: str, value: int = 0) -> None:
        """Do the action of an event; `value` is its time, or the time left."""
        if self._game.state.phase == "over" and what in OF_A_GAME:
            return
        row = TRANSITIONS[self.state].get(what)
        if row:
            self.state = row[0]
            getattr(self, row[1])(value)

    def _keep_time(self, _value: int) -> None:
        """Keep the time left: the unit itself begins a whole hour when it is switched on."""
        self._kept_ms = self._left_ms

    def _drop_time(self, _value: int) -> None:
        self._kept_ms = 0

    def _go_on_with_kept(self, _value: int) -> None:
        kept_ms, self._kept_ms = self._kept_ms, 0
        if self._game.unit.program in ("", self._program):
            self.go_on(kept_ms)

    def _go_on(self, _value: int) -> None:
        if self._game.unit.program in ("", self._program):
            self.go_on(self._left_ms)

    def _end(self, ms: int) -> None:
        if self._game.state.rules.until_one_is_left:
            self._game.say(_("The unit's hour is over; the game goes on until one is left."))
        else:
            self._game.do(("hour ended", ms))

    def _start_again(self, _value: int) -> None:
        unit = self._game.unit
        self._starting.begin(unit.host_ms())
        unit.ask("restart")

    def _begin_another(self, ms: int) -> None:
        """Another hour has begun on the unit; have it be a whole one, whatever the last one was."""
        self._kept_ms = 0
        self._game.do(("new hour", ms))
        if self._begun_with_ms:
            self.begin()

    def _begin_whole(self, _value: int) -> None:
        self.begin()

    def _refuse(self, _value: int) -> None:
        self._game.hint(_("The hour still runs; another one can be begun when it is over"))

    def _tell_left(self, left_ms: int) -> None:
        words = _("The hour has {time} left.")
        self._game.log.append(words.format(time=minutes(left_ms)))
