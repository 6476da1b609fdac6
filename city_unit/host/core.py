"""The desktop's end of the link: bytes and time go in, bytes and news come out.

Pure: no port, no clock, no thread. Times are ms of the desktop's clock.

Three rules. Nothing is told twice or out of order: an event is told only if it
is the next one, and a gap is asked for again. A command is repeated until it is
answered, by its number, and never begun again under another one. A line counts
only in the session that its tag names.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import replace

from city_unit.host import messages
from city_unit.host.errors import LinkError, NoAnswer, Refused
from city_unit.host.news import (
    About,
    Connected,
    Disconnected,
    Edge,
    Event,
    Missed,
    News,
    Restarted,
    Snapshot,
)
from city_unit.host.offset import Offset
from city_unit.ticks import diff
from city_unit.wire import PROTOCOL, cut, number, seal, unseal

GREET_MS = 250
REPEAT_MS = 150  # a command that is not answered, a gap that is not filled
PING_MS = 1000
FIRST_PING_MS = 20  # between the first pings, which set the clock
FIRST_PINGS = 8
SILENCE_MS = 3500  # after which a unit that says nothing is gone

# How a line begins that is no frame, and says that another program has the unit.
BUSY = b"busy:"

_ROOM = 2048  # bytes that may wait to be written
_MASK = 0x3FFFFFFF


class Request:
    """A command on its way: `finished` when it was answered or given up.

    answer  the text of the answer, None if there is none (yet)
    error   why there is none
    """

    def __init__(self, text: str, expires: float) -> None:
        self.text = text
        self.expires = expires
        self.number = 0
        self.repeat_at: float | None = None  # None: it has never been sent
        self.answer: str | None = None
        self.error: LinkError | None = None

    @property
    def finished(self) -> bool:
        return self.answer is not None or self.error is not None

    def result(self) -> str:
        """Return the answer, often "", or raise what `error` holds; LookupError before either."""
        if self.error is not None:
            raise self.error
        if self.answer is None:
            raise LookupError(f"{self.text!r} is not answered yet")
        return self.answer

    def fail(self, why: str) -> None:
        """Give it up."""
        unknown = "whether it was done is not known"
        done = "it was never sent" if self.repeat_at is None else unknown
        self.error = NoAnswer(f"no answer to {self.text!r}: {why}; {done}")


class Core:
    """A client's end of one line.

    client    a word of up to 16 letters and digits that no other client has
    history   whether events from before the first greeting are told
    ping_ms   how often the unit is asked whether it is there
    unsent    the bytes to write next
    news      what is to be told, oldest first; whoever takes it empties it
    online    whether the unit answers
    taken     whether it said, instead of an answer, that another program has it
    foreign   the version of the protocol that it speaks, if that is another one; else 0
    """

    def __init__(self, client: str, history: bool = False, ping_ms: float = PING_MS) -> None:
        self.unsent = b""
        self.news: deque[News] = deque()
        self.online = False
        self.taken = False
        self.foreign = 0
        self.about: About | None = None
        self.snapshot: Snapshot | None = None
        self.offset = Offset()
        self.ignored = 0  # lines that made no sense
        self._client = client
        self._history = history
        self._ping_ms = ping_ms
        self._silence_ms = ping_ms + SILENCE_MS - PING_MS
        self._rest = b""  # of a line that is half received
        self._open = False
        self._tag = ""
        self._past_boots: list[int] = []  # whose lines may still be under way
        self._next: int | None = None  # the number of the next event to be told
        self._next_edge = 0
        self._asked_at: float | None = None  # when a gap was last asked for
        self._unit_ms = 0  # the unit's clock when it last told it, unwrapped
        self._heard_at = 0.0
        self._greet_at = 0.0
        self._ping_at = 0.0
        self._pings = 0
        self._first_pings = 0  # that are still to be sent
        self._pinged: dict[int, float] = {}
        self._requests: deque[Request] = deque()
        self._numbers = 0
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

    # What a driver calls.

    def opened(self, now: float) -> None:
        """The line is there, and new: greet."""
        self._rest = self.unsent = b""
        self._open = True
        self.taken = False
        self.foreign = 0
        self._past_boots.clear()
        self._greet_at = now
        self.step(now)

    def closed(self, why: str) -> None:
        """The line is gone."""
        self._open = False
        self._rest = self.unsent = b""
        self._go_offline(why)

    def receive(self, now: float, data: bytes) -> None:
        """Take bytes as they come from the line, whatever they are."""
        *lines, self._rest = cut(self._rest + data)
        for line in filter(None, lines):
            text = unseal(line)
            if text:
                self._read(now, text.split(" "))
            else:
                self.ignored += 1
                self.taken = self.taken or (not self.online and line.startswith(BUSY))
        self.step(now)

    def sent(self, count: int) -> None:
        """Forget the first `count` bytes of `unsent`, which have been written."""
        self.unsent = self.unsent[count:]

    def step(self, now: float) -> None:
        """Do what is due."""
        self._expire(now)
        if not self._open:
            return
        if self.online and now - self._heard_at >= self._silence_ms:
            self._go_offline("the unit no longer answers")
            self._greet_at = now
        if not self.online:
            if now >= self._greet_at:
                self._greet_at = now + GREET_MS
                self._say(f"hello {PROTOCOL} {self._client}")
            return
        if now >= self._ping_at:
            self._ping(now)
        self._send_request(now)

    def next_due(self) -> float | None:
        """Return when to step next, None if something must come first."""
        dues = [request.expires for request in self._requests]
        if self._open and not self.online:
            dues.append(self._greet_at)
        elif self._open:
            dues += (self._ping_at, self._heard_at + self._silence_ms)
            if self._requests:
                dues.append(self._requests[0].repeat_at or 0.0)
        return min(dues, default=None)

    def ask(self, text: str, expires: float) -> Request:
        """Have the unit do `text`; it is given up at `expires`."""
        request = Request(text, expires)
        self._requests.append(request)
        return request

    def say_goodbye(self) -> None:
        if self.online:
            self._say("bye " + self._tag)

    # Requests.

    def _send_request(self, now: float) -> None:
        if not self._requests:
            return
        request = self._requests[0]
        if request.repeat_at is None:
            self._numbers += 1
            request.number = self._numbers
        elif now < request.repeat_at:
            return
        request.repeat_at = now + REPEAT_MS
        self._say(f"do {self._tag} {request.number} {request.text}")

    def _expire(self, now: float) -> None:
        for request in [late for late in self._requests if now >= late.expires]:
            self._requests.remove(request)
            request.fail("none came in time")

    def _give_up_what_was_sent(self, why: str) -> None:
        if self._requests and self._requests[0].repeat_at is not None:
            self._requests.popleft().fail(why)

    def give_up(self, why: str) -> None:
        """End all requests: nobody will drive this line any more."""
        while self._requests:
            self._requests.popleft().fail(why)

    # What is received.

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
        read = messages.welcome(words)
        if read is None or read[0] != self._client or self.online:
            return
        _, tag, about = read
        self.foreign = 0 if about.protocol == PROTOCOL else about.protocol
        if about.boot in self._past_boots or self.foreign:
            return
        if self.about is None or self.about.boot != about.boot:
            self._meet_boot(about)
        elif _session(tag) < _session(self._tag):
            return
        if tag != self._tag:
            self._give_up_what_was_sent("the unit was taken over or restarted")
        self.about = about
        self._tag = tag
        self._heard_at = now

    def _meet_boot(self, about: About) -> None:
        if self.about is not None:
            self._past_boots = [*self._past_boots[-63:], self.about.boot]
            self.news.append(Restarted(about.boot))
            self._next = 0
        self._next_edge = 0
        self._unit_ms = 0
        self.snapshot = None
        self.offset.forget()

    def _read_state(self, now: float, words: list[str]) -> None:
        snapshot = messages.state(words)
        if snapshot is None:
            return
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
        self.news.append(Connected(self.about, self.snapshot))
        self._ask_since(now)
        self._first_pings = FIRST_PINGS
        self._ping_at = now
        if self._requests and self._requests[0].repeat_at is not None:
            self._requests[0].repeat_at = now

    def _go_offline(self, why: str) -> None:
        if self.online:
            self.online = False
            self._asked_at = None
            self._pinged.clear()
            self.news.append(Disconnected(why))

    def _read_event(self, now: float, words: list[str]) -> None:
        read = messages.event(words)
        if read is None or self._next is None:
            return
        index, at, kind, fields = read
        if index == self._next:
            self._next += 1
            self.news.append(Event(index, self._unwrap(at), kind, fields))
        elif index > self._next:
            self._ask_again(now)

    def _read_gone(self, _now: float, words: list[str]) -> None:
        first = number(words[2], _MASK) if len(words) == 3 else -1
        if self._next is not None and first > self._next:
            self.news.append(Missed(self._next, first - self._next))
            self._next = first

    def _read_edge(self, _now: float, words: list[str]) -> None:
        values = messages.numbers([*words[2:4], *words[5:]])
        if values is None or len(values) != 4 or values[0] < self._next_edge:
            return
        index, at, value, done_us = values
        self._next_edge = index + 1
        self.news.append(Edge(index, words[4], value, self._unwrap(at), done_us))

    def _read_pong(self, now: float, words: list[str]) -> None:
        values = messages.numbers(words[2:])
        if values is None or len(values) != 3:
            return
        ping, at, told = values
        unit_ms = self._unwrap(at)
        asked = self._pinged.pop(ping, None)
        if asked is not None:
            self._unit_ms = max(self._unit_ms, unit_ms)
            self.offset.learn(asked, now, unit_ms)
        if self._next is not None and told > self._next:
            self._ask_again(now)

    def _read_answer(self, now: float, words: list[str]) -> None:
        index = number(words[2], _MASK) if len(words) > 2 else -1
        if not self._requests or self._requests[0].number != index:
            return
        request = self._requests.popleft()
        text = " ".join(words[3:])
        if words[0] == "refused":
            request.error = Refused(request.text, text)
        else:
            request.answer = text
        self._send_request(now)

    def _read_stranger(self, now: float, _words: list[str]) -> None:
        self._go_offline("the unit was restarted or taken over")
        self._greet_at = now

    # What is said.

    def _ping(self, now: float) -> None:
        self._pings = self._pings % _MASK + 1
        self._pinged[self._pings] = now
        if len(self._pinged) > 8:
            del self._pinged[next(iter(self._pinged))]
        self._say(f"ping {self._tag} {self._pings}")
        self._first_pings -= 1
        self._ping_at = now + (FIRST_PING_MS if self._first_pings > 0 else self._ping_ms)

    def _ask_again(self, now: float) -> None:
        if self._asked_at is None or now - self._asked_at >= REPEAT_MS:
            self._ask_since(now)

    def _ask_since(self, now: float) -> None:
        self._asked_at = now
        self._say(f"since {self._tag} {self._next}")

    def _say(self, text: str) -> None:
        line = seal(text)
        if len(self.unsent) + len(line) <= _ROOM:
            self.unsent += line

    def _unwrap(self, at: int) -> int:
        """Return `at`, a time of the unit's clock, on the clock that never wraps."""
        if self.snapshot is None:
            return at
        return self._unit_ms + diff(at, self._unit_ms & _MASK)


def _session(tag: str) -> int:
    return int(tag.split(".")[1])
