"""The sounds. Each announcement has its own rhythm, since a cheap buzzer has only one pitch.

A cue is named after its event, or after the permit or the setup's choice. It has the form
`(rank, hz, ms, hz, ms, ...)`, with 0 Hz for silence. The player adds a pause after each cue. All
pitches, lengths and ranks are assumptions: the rulebook only mentions "a beep".
"""

from .ticks import add, const

_TICK = const(1)  # feedback to a press; dropped if a cue of a higher rank is playing
_BEEP = const(2)  # a beep of the hour
_SIGNAL = const(3)  # an announcement; waits while a moment is playing
_MOMENT = const(4)  # must start at its exact time

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
    """One buzzer, which plays one cue at a time.

    A cue interrupts one of the same or a lower rank. The cue that loses is dropped, except that a
    signal waits for its turn, and then starts anew. Only the latest signal waits.

    value  the current tone in Hz, 0 for silence; in a pattern of the desktop, also lamps (`Remote`)
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
        """Start the next tone, the pause after the cue, or the cue that waits."""
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
