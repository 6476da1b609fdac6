"""The desktop's end of the link: bytes and time go in, bytes and news come out.

Pure: no port, no clock, no thread. Times are ms of the desktop's clock.

Three rules. Nothing is told twice or out of order: an event is told only if it
is the next one, and a gap is asked for again. A command is repeated until it is
answered, by its number, and never begun again under another one. A line counts
only in the session that its tag names.
"""

import logging
from collections import deque
from collections.abc import Callable
from dataclasses import replace

from city_unit.desktop.catalogue import lazy
from city_unit.host.news import (
    About,
    Connected,
    Disconnected,
    Edge,
    Missed,
    News,
    Restarted,
    Snapshot,
    numbers,
    parse_event,
    parse_state,
    parse_welcome,
)
from city_unit.host.offset import PING_MS, Offset, Pings
from city_unit.host.requests import LinkError, Refused, Request
from city_unit.ticks import MASK, diff
from city_unit.wire import PROTOCOL, cut, number, seal, unseal

REPEAT_MS = 150  # between two tries of a request, until it is answered
GREET_MS = 250  # between greetings, until one is answered
LEFT_MS = 10000  # for so long greetings of a boot that was left may still be under way
SILENCE_MS = 3500  # after which a unit that says nothing is gone: three pings had no answer

TOO_LATE = lazy("none came in time")
SILENT = lazy("the unit no longer answers")
TAKEN_OVER = lazy("the unit was restarted or taken over")

_LOG = logging.getLogger("city_unit.host")

# How a line begins that is no frame, and says that another program has the unit.
BUSY = b"busy:"
LOCKED = b"secret:"  # or that it wants its secret

_NEVER = float("inf")
_MOST_LEFT = 64  # boots that are remembered
_ROOM = 2048  # bytes that may wait to be written


class Requests:
    """All that a client wants done; the first of them is under way, the others wait."""

    def __init__(self) -> None:
        self._waiting: deque[Request] = deque()
        self._count = 0  # that were ever sent: the number of the latest

    def ask(self, text: str, expires: float) -> Request:
        request = Request(text, expires)
        self._waiting.append(request)
        return request

    def expiries(self) -> list[float]:
        return [request.expires for request in self._waiting]

    def send_at(self) -> float | None:
        """Return when the first is to be sent, or sent again; None if there is none."""
        return self._waiting[0].repeat_at or 0.0 if self._waiting else None

    def to_send(self, now: float) -> Request | None:
        """Return the first, if it is to be sent now: for the first time, or again."""
        if not self._waiting:
            return None
        request = self._waiting[0]
        if request.repeat_at is None:
            self._count += 1
            request.number = self._count
        elif now < request.repeat_at:
            return None
        request.repeat_at = now + REPEAT_MS
        return request

    def take(self, number: int) -> Request | None:
        """Remove the command in flight, if it has this number: it is answered."""
        if not self._waiting or self._waiting[0].number != number:
            return None
        return self._waiting.popleft()

    def send_again(self, now: float) -> None:
        """Send the command in flight again at once."""
        if self._waiting and self._waiting[0].repeat_at is not None:
            self._waiting[0].repeat_at = now

    def expire(self, now: float) -> None:
        for request in [late for late in self._waiting if now >= late.expires]:
            self._waiting.remove(request)
            request.fail(str(TOO_LATE))

    def give_up_what_was_sent(self, why: str) -> None:
        if self._waiting and self._waiting[0].repeat_at is not None:
            self._waiting.popleft().fail(why)

    def give_up(self, why: str) -> None:
        while self._waiting:
            self._waiting.popleft().fail(why)


class Past:
    """The events of a unit's earlier boots, requested one by one where it keeps them on disk.

    boot       the boot of the next event for the program, if known
    following  the number of that event
    is_over    whether all has been told that is kept
    """

    def __init__(
        self,
        boot: int,
        following: int,
        ask: Callable[[str], Request],
        tell: Callable[[News], object],
    ) -> None:
        self.boot = boot
        self.following = following
        self.is_over = False
        self._ask = ask
        self._tell = tell
        self._request: Request | None = None

    def go_on(self) -> None:
        """Ask for the next event, unless it is asked for already."""
        if self._request is None:
            self._request = self._ask(
                f"journal {self.boot} {self.following}"  # no text: on the wire
            )
            self._request.when_done = self._take

    def _take(self) -> None:
        request, self._request = self._request, None
        assert request is not None
        try:
            words = request.result().split(" ")
        except Refused:
            self.is_over = True  # it keeps nothing on disk, as a board, or is another unit
            return
        except LinkError:
            return  # the line is gone; when it is back, `go_on` asks again
        event, boot = parse_event(["event", *words]), number(words[0], MASK)
        if event is None or boot < 0:
            self.is_over = True
            return
        if boot != self.boot:
            self._tell(Restarted(boot))
            self.boot, self.following = boot, 0
        if event.number > self.following:
            self._tell(Missed(self.following, event.number - self.following))
        self.following = event.number + 1
        self._tell(replace(event, boot=boot))
        self.go_on()


class Core:
    """A client's end of one line.

    client      a word of up to 16 letters and digits that no other client has
    history     whether events from before the first greeting are told, and those of a boot that
                is over, if the unit keeps them
    greeting    "hello", or "watch" to only observe
    after       boot and number of the last event that an earlier run received; or None. All
                later events follow, those of earlier boots included, if the unit keeps them
    ping_ms     how often the unit is asked whether it is there
    unsent      the bytes to write next
    news        received news, oldest first; its reader empties it
    online      whether the unit answers
    taken       whether it said, instead of an answer, that another program has it
    unreadable  the error in its greeting, if that could not be parsed; else ""
    locked      whether it said that it wants its secret
    foreign     the version of the protocol that it speaks, if that is another one; else 0
    """

    def __init__(
        self,
        client: str,
        history: bool = False,
        ping_ms: float = PING_MS,
        after: tuple[int, int] | None = None,
        greeting: str = "hello",
    ) -> None:
        self.unsent = b""
        self.news: deque[News] = deque()
        self.online = False
        self.taken = self.locked = False
        self.foreign = 0
        self.unreadable = ""
        self.about: About | None = None
        self.snapshot: Snapshot | None = None
        self.offset = Offset()
        self.ignored = 0  # lines that made no sense
        self._client = client
        self._history = history
        self._keeps_up = history or after is not None  # with boots that are over, too
        self._after = after
        self._greeting = greeting
        self._silence_ms = ping_ms + SILENCE_MS - PING_MS
        self._partial = b""  # of a line that is half received
        self._is_open = False
        self._tag = ""
        # Of each boot that was left: until when it is not met again, and its next event.
        self._left: dict[int, tuple[float, int]] = {}
        self._next: int | None = None  # the number of the next event to be told
        self._next_edge = 0
        self._past: Past | None = None  # of an earlier boot, while it is read
        self._is_new_boot = False  # of which `Restarted` is still to be told
        self._asked_at: float | None = None  # when a gap was last asked for
        self._unit_ms = 0  # the unit's clock when it last told it, unwrapped
        self._heard_at = 0.0
        self._greet_at = 0.0
        self._pings = Pings(ping_ms, self.offset)
        self._requests = Requests()
        self._readers: dict[str, Callable[[float, list[str]], None]] = {
            "state": self._read_state,
            "event": self._read_event,
            "gone": self._read_gone,
            "edge": self._read_edge,
            "pong": self._read_pong,
            "done": self._read_answer,
            "refused": self._read_answer,
            "stranger": self._read_stranger,
        }

    # For the driver.

    def opened(self, now: float) -> None:
        """The line is there, and new: greet."""
        self._partial = self.unsent = b""
        self._is_open = True
        self.taken = self.locked = False
        self.foreign = 0
        self.unreadable = ""
        self._left = {boot: (now, index) for boot, (_, index) in self._left.items()}
        self._greet_at = now
        self.step(now)

    def closed(self, why: str) -> None:
        """The line is gone."""
        self._is_open = False
        self._partial = self.unsent = b""
        self._go_offline(why)

    def receive(self, now: float, data: bytes) -> None:
        """Parse received bytes; all may be hostile."""
        *lines, self._partial = cut(self._partial + data)
        for line in filter(None, lines):
            text = unseal(line)
            if text:
                _LOG.debug("%s < %s", self._client, text)
                self._read(now, text.split(" "))
            else:
                _LOG.debug("%s < no frame: %r", self._client, line)  # no text: a log has it
                self.ignored += 1
                self.taken = self.taken or (not self.online and line.startswith(BUSY))
                self.locked = self.locked or (not self.online and line.startswith(LOCKED))
        self.step(now)

    def sent(self, count: int) -> None:
        """Forget the first `count` bytes of `unsent`, which have been written."""
        self.unsent = self.unsent[count:]

    def step(self, now: float) -> None:
        """Do all due work."""
        self._requests.expire(now)
        if not self._is_open:
            return
        if self.online and now - self._heard_at >= self._silence_ms:
            self._go_offline(str(SILENT))
            self._greet_at = now
        if not self.online:
            if now >= self._greet_at:
                self._greet_at = now + GREET_MS
                self._say(f"{self._greeting} {PROTOCOL} {self._client}")
            return
        if self._past is not None and self._past.is_over:
            self._past = None
            self._begin(now)
        if now >= self._pings.due:
            self._say(f"ping {self._tag} {self._pings.next(now)}")  # no text: on the wire
        self._send_request(now)

    def next_due(self) -> float | None:
        """Return when to step next, None if something must come first."""
        dues: list[float | None] = [*self._requests.expiries()]
        if self._is_open and not self.online:
            dues.append(self._greet_at)
        elif self._is_open:
            dues += (self._pings.due, self._heard_at + self._silence_ms, self._requests.send_at())
        return min((due for due in dues if due is not None), default=None)

    def ask(self, text: str, expires: float) -> Request:
        """Queue the command `text`; it times out at `expires`."""
        return self._requests.ask(text, expires)

    def give_up(self, why: str) -> None:
        """End all requests: nobody will drive this line any more."""
        self._requests.give_up(why)

    def say_goodbye(self) -> None:
        if self.online:
            self._say("bye " + self._tag)

    # Receiving.

    def _read(self, now: float, words: list[str]) -> None:
        if words[0] == "welcome":
            self._read_welcome(now, words)
            return
        reader = self._readers.get(words[0])
        if reader is None or len(words) < 2:
            self.ignored += 1
        elif words[1] == self._tag and (self.online or words[0] == "state"):
            self._heard_at = now
            reader(now, words)

    def _read_welcome(self, now: float, words: list[str]) -> None:
        if words[1:2] != [self._client] or self.online:
            return
        try:
            tag, about = parse_welcome(words)
        except ValueError as error:
            self.unreadable = str(error)
            return
        self.unreadable = ""
        self.foreign = 0 if about.protocol == PROTOCOL else about.protocol
        until, _ = self._left.get(about.boot, (now, 0))
        if now < until or self.foreign:
            return
        if self.about is None or self.about.boot != about.boot:
            self._meet_boot(now, about)
        elif _session(tag) < _session(self._tag):
            return
        if tag != self._tag:
            self._requests.give_up_what_was_sent(str(TAKEN_OVER))
        self.about = about
        self._tag = tag
        self._heard_at = now

    def _meet_boot(self, now: float, about: About) -> None:
        """Another unit is there, or the same one started anew; or one that was left is back."""
        if self.about is not None:
            self._leave(now, self.about.boot, about.boot)
        elif self._after is not None:
            boot, number = self._after
            self._next = number + 1 if boot == about.boot else 0
            if boot != about.boot:
                self._is_new_boot = True
                self._read_past(boot, number + 1)
        self._next_edge = 0
        self._unit_ms = 0
        self.snapshot = None
        self.offset.forget()

    def _leave(self, now: float, left: int, met: int) -> None:
        """Go over from one boot to another, perhaps one that was left before."""
        is_back = met in self._left
        _, following = self._left.pop(met, (now, 0))
        if self._keeps_up and not is_back and self._next is not None:
            self._read_past(left, self._next)
        self._left[left] = now + LEFT_MS, self._next or 0
        if len(self._left) > _MOST_LEFT:
            del self._left[next(iter(self._left))]
        self._is_new_boot = True
        self._next = following

    def _read_past(self, boot: int, following: int) -> None:
        """Begin with later events of an earlier boot, if the unit keeps them."""
        if self._past is None:  # else the reading of it was broken off, and goes on
            self._past = Past(
                boot, following, lambda text: self.ask(text, _NEVER), self.news.append
            )

    def _read_state(self, now: float, words: list[str]) -> None:
        try:
            snapshot = parse_state(words)
        except ValueError as error:
            self.unreadable = str(error)
            return
        self.unreadable = ""
        snapshot = replace(snapshot, ms=self._unwrap(snapshot.ms))
        if self.snapshot is not None and snapshot.ms < self.snapshot.ms:
            return
        self.snapshot = snapshot
        self._unit_ms = max(self._unit_ms, snapshot.ms)
        if not self.online:
            self._go_online(now)

    def _go_online(self, now: float) -> None:
        assert self.about is not None and self.snapshot is not None
        self.online = True
        self.taken = False
        if self._next is None:
            self._next = 0 if self._history else self.snapshot.events
        if self._after is not None:  # it may be made up, and lie beyond all events
            self._next = min(self._next, self.snapshot.events)
            self._after = None
        self._pings.begin(now)
        self._requests.send_again(now)
        if self._past is None:
            self._begin(now)
        else:
            self._past.go_on()

    def _begin(self, now: float) -> None:
        """Begin with the events of the present boot, when nothing is left of the past."""
        assert self.about is not None and self.snapshot is not None
        if self._is_new_boot:
            self._is_new_boot = False
            self.news.append(Restarted(self.about.boot))
        self.news.append(Connected(self.about, self.snapshot))
        self._ask_since(now)

    def _go_offline(self, why: str) -> None:
        if self.online:
            self.online = False
            self._asked_at = None
            self._pings.forget()
            self.news.append(Disconnected(why))

    def _read_event(self, now: float, words: list[str]) -> None:
        event = parse_event(words)
        if event is None or self._next is None or self._past is not None:
            return
        if event.number == self._next:
            self._next += 1
            boot = 0 if self.about is None else self.about.boot
            self.news.append(replace(event, ms=self._unwrap(event.ms), boot=boot))
        elif event.number > self._next:
            self._ask_again(now)

    def _read_gone(self, _now: float, words: list[str]) -> None:
        first = number(words[2], MASK) if len(words) > 2 else -1
        if self._next is not None and first > self._next and self._past is None:
            self.news.append(Missed(self._next, first - self._next))
            self._next = first

    def _read_edge(self, _now: float, words: list[str]) -> None:
        values = numbers([*words[2:4], *words[5:7]])
        if values is None or len(values) != 4 or values[0] < self._next_edge:
            return
        index, at, value, done_us = values
        self._next_edge = index + 1
        self.news.append(Edge(index, words[4], value, self._unwrap(at), done_us))

    def _read_pong(self, now: float, words: list[str]) -> None:
        values = numbers(words[2:5])
        if values is None or len(values) != 3:
            return
        ping, at, following = values
        unit_ms = self._unwrap(at)
        if self._pings.learn(ping, now, unit_ms):
            self._unit_ms = max(self._unit_ms, unit_ms)
        if self._next is not None and following > self._next:
            self._ask_again(now)

    def _read_answer(self, now: float, words: list[str]) -> None:
        index = number(words[2], MASK) if len(words) > 2 else -1
        request = self._requests.take(index)
        if request is None:
            return
        if words[0] == "refused":
            request.finish(None, Refused(request.text, " ".join(words[3:4])))
        else:
            request.finish(" ".join(words[3:]))
        self._send_request(now)

    def _read_stranger(self, now: float, _words: list[str]) -> None:
        self._go_offline(str(TAKEN_OVER))
        self._greet_at = now

    # Sending.

    def _send_request(self, now: float) -> None:
        request = self._requests.to_send(now)
        if request is not None:
            self._say(f"do {self._tag} {request.number} {request.text}")  # no text: on the wire

    def _ask_again(self, now: float) -> None:
        if self._past is not None:
            return
        if self._asked_at is None or now - self._asked_at >= REPEAT_MS:
            self._ask_since(now)

    def _ask_since(self, now: float) -> None:
        self._asked_at = now
        self._say(f"since {self._tag} {self._next}")  # no text: on the wire

    def _say(self, text: str) -> None:
        _LOG.debug("%s > %s", self._client, text)
        line = seal(text)
        if len(self.unsent) + len(line) <= _ROOM:
            self.unsent += line

    def _unwrap(self, at: int) -> int:
        """Return `at`, a time of the unit's clock, on the clock that never wraps."""
        if self.snapshot is None:
            return at
        return self._unit_ms + diff(at, self._unit_ms & MASK)


def _session(tag: str) -> int:
    return int(tag.split(".")[1])
