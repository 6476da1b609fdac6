"""The sounds: each cue a rhythm of its own, since a cheap buzzer has one pitch.

A cue is named after the event that it tells. It is `(rank, hz, ms, hz, ms, ...)`,
0 Hz being silence; a pause follows each cue by itself. All pitches, lengths and
ranks are assumptions: the rulebook knows only "a beep".
"""

from .ticks import add, const

_TICK = const(1)  # an answer to a finger; dropped if something else sounds
_BEEP = const(2)  # the hour passing
_SIGNAL = const(3)  # an announcement; waits, but is always heard
_MOMENT = const(4)  # must sound at its millisecond

_PAUSE_MS = const(200)


def cue(rank: int, *pattern: int) -> tuple[int, ...]:
    return (rank,) + pattern


ACCEPTED = cue(_TICK, 2700, 25)

CUES = {
    "switched-on": cue(_MOMENT, 2000, 60, 0, 40, 2700, 60),
    "choice": ACCEPTED,
    "auction-started": ACCEPTED,
    "permit-started": ACCEPTED,
    "refused": cue(_TICK, 440, 35, 0, 35, 440, 35, 0, 35, 440, 35),
    "auction-cancelled": cue(_TICK, 2000, 50, 0, 40, 1300, 200),
    "auction-warning": cue(_MOMENT, 2700, 400),
    "auction-ended": cue(_MOMENT, 2000, 150, 0, 75, 2000, 600),
    "permit-1": cue(_MOMENT, 2300, 110),
    "permit-2": cue(_MOMENT, 2300, 110, 0, 130, 2300, 110),
    "permit-3": cue(_MOMENT, 2300, 110, 0, 130, 2300, 110, 0, 130, 2300, 110),
    "permit-station": cue(_MOMENT, 1800, 450, 0, 60, 2300, 110),
    "hour-beep": cue(_BEEP, 2700, 60, 0, 80, 2700, 60),
    "hour-ended": cue(_SIGNAL, 2700, 80, 0, 80, 2700, 80, 0, 80, 2700, 80, 0, 80, 2700, 900),
    "phase-started": cue(_SIGNAL, 2300, 400, 0, 120, 2300, 90, 0, 120, 2300, 90),
    "last-round": cue(_SIGNAL, 2300, 90, 0, 120, 2300, 90, 0, 120, 2300, 400),
    "time-called": cue(_SIGNAL, 2700, 500, 0, 200, 2700, 500, 0, 200, 2700, 500),
}


class Player:
    """One buzzer, and the arbitration of its cues.

    A cue cuts in on another of its own rank or a lower one. Of the two, the cue
    that lost is forgotten, unless it is a signal: a signal waits for its turn.

    value  the present tone: Hz, 0 for silence. The shows of a desktop are played as
           well: Hz above the bits of the lamps.
    """

    def __init__(self) -> None:
        self.silence()

    def silence(self) -> None:
        self.value = 0
        self.due: int | None = None
        self._cue: tuple[int, ...] = ()
        self._waiting: tuple[int, ...] = ()

    def play(self, now: int, cue: tuple[int, ...]) -> None:
        loser = self._cue
        if loser and cue[0] < loser[0]:
            loser = cue
        else:
            self._cue = cue
            self._place = -1
            self.fire(now)
        if loser and loser[0] == _SIGNAL:
            self._waiting = loser

    def fire(self, due: int) -> str:
        cue = self._cue
        self._place += 2
        if self._place < len(cue):
            self.value = cue[self._place]
            self.due = add(due, cue[self._place + 1])
        elif self.value:
            self.value = 0
            self.due = add(due, _PAUSE_MS)
        else:
            waiting = self._waiting
            self.silence()
            if waiting:
                self.play(due, waiting)
        return ""
