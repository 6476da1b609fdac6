"""The unit as the table sees it: its face, its clock, and its events."""

import contextlib
from collections import deque
from collections.abc import Callable

from city_game import editions
from city_game.editions import described
from city_unit import host
from city_unit.facts import AUCTIONING, TAP_MS

REFRESH_MS = 5000  # between two looks at the whole state, in case an edge was lost


SHORTEST_MS = TAP_MS  # longer than the unit's debounce, however close the commands come
APART_MS = 40  # from a release to the next press; longer than the unit's debounce as well
MOST_AHEAD = 4  # presses and releases that may wait; of faster hammering the rest is left out


class Finger:
    """One button, pressed and released over the link.

    A release is sent when its press has arrived and has been there for a tap's
    time, and again until the unit answers it: a button never stays held because a
    line was lost.
    """

    def __init__(self, button: str, ask: Callable[[str], host.Request]) -> None:
        self._button = button
        self._ask = ask
        self._down = False  # the player's own finger
        self._ahead: deque[str] = deque()  # presses and releases still to do at the unit
        self._asked: host.Request | None = None
        self._next_at = 0.0

    def is_free(self, now: float) -> bool:
        return not (self._down or self._ahead) and now >= self._next_at

    def press(self) -> None:
        """Put the finger on the button."""
        if not self._down and len(self._ahead) < MOST_AHEAD:
            self._down = True
            self._ahead.append("press")

    def lift(self) -> None:
        """Lift the finger; this is never left out."""
        if self._down:
            self._down = False
            self._ahead.append("release")

    def step(self, now: float) -> None:
        """Do the presses that are due, at `now` ms of the table's clock."""
        if self._asked is not None:
            if not self._asked.finished:
                return
            motion, asked, self._asked = self._ahead[0], self._asked, None
            # A release that was not answered is asked again.
            if motion == "press" or not isinstance(asked.error, host.NoAnswer):
                self._ahead.popleft()
                self._next_at = now + (SHORTEST_MS if motion == "press" else APART_MS)
        if self._ahead and now >= self._next_at:
            self._asked = self._ask(f"{self._ahead[0]} {self._button}")


class TableUnit:
    """A unit at the other end of the link, real or emulated.

    Call `poll` once a frame. Times are ms of the unit's clock.

    host_ms    returns the time by which the table paces itself, also without a unit
    time       at the last poll: all that a frame does by itself is done at one time
    lamps      a mask, AUCTION first
    tone       Hz, 0 for silence
    state      a state of the unit, "" while it has never been heard
    ends       when the running auction ends, None without an auction or if that is secret
    is_mine    whether the unit runs beside this table and sounds through it
    described  the figures of its program: the emulated unit's until it has said its own
    full_ms    how long a whole game lasts, if the unit was set to the rest of a game
    """

    def __init__(self, client: host.Client, is_mine: bool = False) -> None:
        self.client = client
        self.host_ms, self.close = client.host_ms, client.close
        self.is_mine = is_mine
        self.full_ms = 0
        self.described = described(editions.USUAL_PROGRAM)
        self._describing: host.Describing | None = None
        self.lamps = 0
        self.tone = 0
        self.state = ""
        self.program = ""
        self.ends: float | None = None
        self.error = ""  # the last command that the link refused, in words
        self._asked: list[host.Request] = []
        self._seen: host.Snapshot | None = None
        self._refresh_at = 0.0
        self.time = 0.0
        self._within = 0
        self._started_at: int | None = None  # by its clock, if that was heard
        self._before: host.Snapshot | None = None  # the last one before that
        self._fingers = {button: Finger(button, self.ask) for button in host.BUTTONS}
        self._watch()

    @property
    def online(self) -> bool:
        return self.client.online

    def poll(self) -> list[host.News]:
        """Return the news since the last call."""
        news = self.receive()
        now = self.host_ms()
        for item in news:
            self._note(item)
        self._look(now)
        for finger in self._fingers.values():
            finger.step(now)
        self.now()  # sets `time`
        return news

    def receive(self) -> list[host.News]:
        """Return the news of the line; a unit in this program lets time pass in here."""
        return self.client.poll(0)

    def now(self) -> float:
        """Return the time on the unit's clock; it stands still while that is not known."""
        with contextlib.suppress(LookupError):
            self.time = self.client.now()
        return self.time

    def at(self, host_ms: float) -> float:
        """Return the time that the unit's clock had at `host_ms` of the table's, a moment ago."""
        return self.now() - (self.host_ms() - host_ms)

    def within(self) -> int:
        """By how many ms `now` may be wrong, rounded up."""
        with contextlib.suppress(LookupError):
            self._within = int(self.client.uncertainty + 0.999)
        return self._within

    def clock_left(self) -> float | None:
        """Return how many ms the game has left by the unit; None if it keeps no time."""
        seen = self._seen
        if seen is None or not seen.clock_ms or seen.state in ("off", "setup"):
            return None
        return max(0.0, seen.clock_left_ms - (self.time - seen.ms))

    @property
    def clock_is_known(self) -> bool:
        """Return whether the unit was started at this table, and has said its clock since."""
        seen, started = self._seen, self._started_at
        is_later = seen is not None and started is not None and seen.ms > started
        return is_later and seen is not self._before

    def forget_clock(self) -> None:
        """Believe no clock of the unit until it was started once more, as it is about to be."""
        self._started_at = None

    def left(self) -> float:
        """Return the share of the game that remains, 1.0 to 0.0."""
        seen, left = self._seen, self.clock_left()
        return 1.0 if left is None or seen is None else left / max(seen.clock_ms, self.full_ms)

    def press(self, button: str) -> None:
        """Put a finger on a button, until `lift`."""
        self._fingers[button].press()

    def lift(self) -> None:
        """Lift the fingers off the buttons."""
        for finger in self._fingers.values():
            finger.lift()

    @property
    def is_touched(self) -> bool:
        """Return whether a finger is on a button, or was a moment ago."""
        now = self.host_ms()
        return not all(finger.is_free(now) for finger in self._fingers.values())

    @property
    def light_is_on(self) -> bool:
        """Return whether an auction runs on the unit, or a deal is timed."""
        return self.state in AUCTIONING

    def ask(self, text: str) -> host.Request:
        """Send the unit a request; its effects come as news."""
        request = self.client.ask(text)
        self._asked.append(request)
        return request

    def _watch(self) -> None:
        self.ask("watch on")
        self.ask("state")
        self._describing = self.client.ask_description()

    def _note(self, item: host.News) -> None:
        if isinstance(item, host.Edge):
            if item.what == "tone":
                self.tone = item.value
            elif item.what in host.LAMPS:  # a later unit may have more of them
                bit = 1 << host.LAMPS.index(item.what)
                self.lamps = self.lamps | bit if item.value else self.lamps & ~bit
        elif isinstance(item, host.Event):
            if item.kind == "auction-started":
                length = item.fields.get("length_ms")
                self.ends = item.ms + int(length) if length else None
                self.state = "auction"
            elif item.kind == "switched-on":
                self._describing = self.client.ask_description()
                self._started_at, self._before = item.ms, self._seen
            elif item.kind in ("auction-ended", "auction-cancelled"):
                self.ends = None
                self.state = "ready"  # until the unit says more
            self._refresh_at = 0.0
        elif isinstance(item, host.Connected):
            self._watch()
        elif isinstance(item, host.Restarted):
            self.ends = None

    def _look(self, now: float) -> None:
        """Process answers, and ask for the whole state now and then; `now` is the table's ms."""
        for request in [request for request in self._asked if request.finished]:
            self._asked.remove(request)
            if isinstance(request.error, host.Refused):
                self.error = request.error.why
        if self._describing is not None and self._describing.finished:
            with contextlib.suppress(host.LinkError):  # an older unit has nothing to say
                self.described = self._describing.result()
            self._describing = None
        snapshot = self.client.snapshot
        if snapshot is not None and snapshot is not self._seen:
            self._seen = snapshot
            self.state, self.program = snapshot.state, snapshot.program
            self.lamps, self.tone = snapshot.lamps, snapshot.tone
            if snapshot.auction_left_ms:
                self.ends = snapshot.ms + snapshot.auction_left_ms
            elif snapshot.state not in AUCTIONING:
                self.ends = None
        if now >= self._refresh_at and self.online:
            self._refresh_at = now + REFRESH_MS
            self.ask("state")
