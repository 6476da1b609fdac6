"""The client's end of the link, without I/O: bytes and time go in, bytes and news come out.

A driver feeds received bytes to `receive`, writes `unsent`, and calls `step` at `next_due`. No
port, clock or thread is used here. Times are ms of the desktop's clock.

The client sends greetings until the unit answers with `welcome` and `state`. It is then online:
it pings the unit, sends one request at a time and receives events. It goes offline when the unit
falls silent or reports another session, and starts to greet again.

Three rules make the link reliable:

- Events are delivered once and in order. Only the next event number is accepted; a gap makes the
  client request the missing events.
- A request is repeated under its sequence number until it is answered, and never sent again under
  another number. The unit answers a repeat without running the command twice.
- A line counts only if its tag is that of the current session.
"""

import logging
import math
from collections import deque
from collections.abc import Callable
from dataclasses import replace

from city_unit.desktop.catalogue import _, lazy
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
from city_unit.wire import PROTOCOL, parse_number, seal, split_lines, unseal

REPEAT_MS = 150  # between retries of a request
GREET_MS = 250  # between greetings
STALE_MS = 10000  # how long late greetings of a previous boot are ignored
SILENCE_MS = 3500  # a unit silent for this long is gone: three pings went unanswered

TAKEN_OVER = lazy("the unit was restarted or taken over")

_LOG = logging.getLogger("city_unit.host")

# Prefixes of the plain lines that a unit sends instead of a frame.
BUSY = b"busy:"  # another program has the unit
LOCKED = b"secret:"  # the client must send the secret first

_MAX_BOOTS = 64  # previous boots remembered
_ROOM = 2048  # bytes of unsent output


class Requests:
    """The queue of requests. Only the first is in flight; the others wait for its answer."""

    def __init__(self) -> None:
        self._waiting: deque[Request] = deque()
        self._count = 0  # sequence number of the latest request sent

    def add(self, text: str, expires: float) -> Request:
        request = Request(text, expires)
        self._waiting.append(request)
        return request

    def expiries(self) -> list[float]:
        return [request.expires for request in self._waiting]

    def send_at(self) -> float | None:
        """Return when the next send or retry is due; None if nothing is waiting."""
        return self._waiting[0].repeat_at or 0.0 if self._waiting else None

    def to_send(self, now: float) -> Request | None:
        """Return the first request if its send or retry is due."""
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
        """Remove the answered request; None if `number` is not the one in flight."""
        if not self._waiting or self._waiting[0].number != number:
            return None
        return self._waiting.popleft()

    def retry_now(self, now: float) -> None:
        if self._waiting and self._waiting[0].repeat_at is not None:
            self._waiting[0].repeat_at = now

    def expire(self, now: float) -> None:
        for request in [late for late in self._waiting if now >= late.expires]:
            self._waiting.remove(request)
            request.fail(_("timed out"))

    def fail_sent(self, why: str) -> None:
        if self._waiting and self._waiting[0].repeat_at is not None:
            self._waiting.popleft().fail(why)

    def fail_all(self, why: str) -> None:
        while self._waiting:
            self._waiting.popleft().fail(why)


class Replay:
    """Requests the events of a unit's earlier boots one by one, if the unit stores them on disk.

    boot       the boot of the next event to deliver
    following  the number of that event
    is_done    whether all stored events have been delivered
    """

    def __init__(
        self,
        boot: int,
        following: int,
        ask: Callable[[str], Request],
        deliver: Callable[[News], object],
    ) -> None:
        self.boot = boot
        self.following = following
        self.is_done = False
        self._ask = ask
        self._deliver = deliver
        self._request: Request | None = None

    def resume(self) -> None:
        """Request the next event, unless that request is pending."""
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
            self.is_done = True  # no events on disk, as on a board, or another unit
            return
        except LinkError:
            return  # the connection is lost; the core calls `resume` after it is restored
        event, boot = parse_event(["event", *words]), parse_number(words[0], MASK)
        if event is None or boot < 0:
            self.is_done = True
            return
        if boot != self.boot:
            self._deliver(Restarted(boot))
            self.boot, self.following = boot, 0
        if event.number > self.following:
            self._deliver(Missed(self.following, event.number - self.following))
        self.following = event.number + 1
        self._deliver(replace(event, boot=boot))
        self.resume()


class Core:
    """The state of a client on one connection.

    client      a unique name of up to 16 letters and digits
    history     whether to deliver the events from before the first greeting and, after a restart,
                those missed in the previous boot, as far as the unit has stored them
    greeting    "hello", or "watch" to only observe
    after       boot and number of the last event that an earlier run received, or None. All later
                events follow, those of earlier boots included, as far as the unit has stored them
    ping_ms     the interval of pings
    unsent      the bytes to write next
    news        received news, oldest first; the reader removes them
    online      whether the unit answers
    busy        whether the unit reported that another program has it
    locked      whether the unit reported that it needs its secret
    foreign     the protocol version of the unit if this client does not speak it, else 0
    unreadable  the error in the unit's greeting if it could not be parsed, else ""
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
        self.busy = self.locked = False
        self.foreign = 0
        self.unreadable = ""
        self.about: About | None = None
        self.snapshot: Snapshot | None = None
        self.offset = Offset()
        self.ignored = 0  # invalid lines
        self._client = client
        self._history = history
        self._replays_boots = history or after is not None
        self._after = after
        self._greeting = greeting
        self._silence_ms = ping_ms + SILENCE_MS - PING_MS
        self._partial = b""  # an incomplete line
        self._is_open = False
        self._tag = ""
        # Previous boots: until when to ignore greetings from each, and its next event number.
        self._previous: dict[int, tuple[float, int]] = {}
        self._next: int | None = None  # the number of the next event
        self._next_edge = 0
        self._replay: Replay | None = None  # of earlier boots, while in progress
        self._is_new_boot = False  # whether `Restarted` has yet to be delivered
        self._since_at: float | None = None  # when missing events were last requested
        self._unit_ms = 0  # the latest time received from the unit, unwrapped
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
        """A new connection is open: start to greet."""
        self._partial = self.unsent = b""
        self._is_open = True
        self.busy = self.locked = False
        self.foreign = 0
        self.unreadable = ""
        self._previous = {boot: (now, index) for boot, (_, index) in self._previous.items()}
        self._greet_at = now
        self.step(now)

    def closed(self, why: str) -> None:
        """The connection is lost."""
        self._is_open = False
        self._partial = self.unsent = b""
        self._go_offline(why)

    def receive(self, now: float, data: bytes) -> None:
        """Parse received bytes, which may be hostile."""
        *lines, self._partial = split_lines(self._partial + data)
        for line in filter(None, lines):
            text = unseal(line)
            if text:
                _LOG.debug("%s < %s", self._client, text)
                self._read(now, text.split(" "))
            else:
                _LOG.debug("%s < no frame: %r", self._client, line)  # no text: a log has it
                self.ignored += 1
                self.busy = self.busy or (not self.online and line.startswith(BUSY))
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
            self._go_offline(_("the unit no longer answers"))
            self._greet_at = now
        if not self.online:
            if now >= self._greet_at:
                self._greet_at = now + GREET_MS
                self._queue(f"{self._greeting} {PROTOCOL} {self._client}")
            return
        if self._replay is not None and self._replay.is_done:
            self._replay = None
            self._start_events(now)
        if now >= self._pings.due:
            self._queue(f"ping {self._tag} {self._pings.next(now)}")  # no text: on the wire
        self._send_request(now)

    def next_due(self) -> float | None:
        """Return when to step next; None if only input can change anything."""
        dues: list[float | None] = [*self._requests.expiries()]
        if self._is_open and not self.online:
            dues.append(self._greet_at)
        elif self._is_open:
            dues += (self._pings.due, self._heard_at + self._silence_ms, self._requests.send_at())
        return min((due for due in dues if due is not None), default=None)

    def ask(self, text: str, expires: float) -> Request:
        """Queue a command, which times out at `expires`."""
        return self._requests.add(text, expires)

    def fail_requests(self, why: str) -> None:
        self._requests.fail_all(why)

    def say_goodbye(self) -> None:
        if self.online:
            self._queue("bye " + self._tag)

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
        until = self._previous.get(about.boot, (now, 0))[0]
        if now < until or self.foreign:
            return
        if self.about is None or self.about.boot != about.boot:
            self._enter_boot(now, about)
        elif _session(tag) < _session(self._tag):
            return
        if tag != self._tag:
            self._requests.fail_sent(str(TAKEN_OVER))
        self.about = about
        self._tag = tag
        self._heard_at = now

    def _enter_boot(self, now: float, about: About) -> None:
        """Handle the first contact, a restart, another unit, or the return of a previous one."""
        if self.about is not None:
            self._change_boot(now, self.about.boot, about.boot)
        elif self._after is not None:
            boot, number = self._after
            self._next = number + 1 if boot == about.boot else 0
            if boot != about.boot:
                self._is_new_boot = True
                self._start_replay(boot, number + 1)
        self._next_edge = 0
        self._unit_ms = 0
        self.snapshot = None
        self.offset.forget()

    def _change_boot(self, now: float, old: int, new: int) -> None:
        """Change to another boot, which may be a previous one."""
        is_back = new in self._previous
        following = self._previous.pop(new, (now, 0))[1]
        if self._replays_boots and not is_back and self._next is not None:
            self._start_replay(old, self._next)
        self._previous[old] = now + STALE_MS, self._next or 0
        if len(self._previous) > _MAX_BOOTS:
            del self._previous[next(iter(self._previous))]
        self._is_new_boot = True
        self._next = following

    def _start_replay(self, boot: int, following: int) -> None:
        if self._replay is None:  # else an interrupted replay resumes
            self._replay = Replay(
                boot, following, lambda text: self.ask(text, math.inf), self.news.append
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
        self.busy = False
        if self._next is None:
            self._next = 0 if self._history else self.snapshot.events
        if self._after is not None:  # may be invented, and beyond the latest event
            self._next = min(self._next, self.snapshot.events)
            self._after = None
        self._pings.begin(now)
        self._requests.retry_now(now)
        if self._replay is None:
            self._start_events(now)
        else:
            self._replay.resume()

    def _start_events(self, now: float) -> None:
        """Start to receive the events of the current boot; any replay is complete."""
        assert self.about is not None and self.snapshot is not None
        if self._is_new_boot:
            self._is_new_boot = False
            self.news.append(Restarted(self.about.boot))
        self.news.append(Connected(self.about, self.snapshot))
        self._send_since(now)

    def _go_offline(self, why: str) -> None:
        if self.online:
            self.online = False
            self._since_at = None
            self._pings.forget()
            self.news.append(Disconnected(why))

    def _read_event(self, now: float, words: list[str]) -> None:
        event = parse_event(words)
        if event is None or self._next is None or self._replay is not None:
            return
        if event.number == self._next:
            self._next += 1
            boot = 0 if self.about is None else self.about.boot
            self.news.append(replace(event, ms=self._unwrap(event.ms), boot=boot))
        elif event.number > self._next:
            self._request_missing(now)

    def _read_gone(self, _now: float, words: list[str]) -> None:
        first = parse_number(words[2], MASK) if len(words) > 2 else -1
        if self._next is not None and first > self._next and self._replay is None:
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
            self._request_missing(now)

    def _read_answer(self, now: float, words: list[str]) -> None:
        index = parse_number(words[2], MASK) if len(words) > 2 else -1
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
            self._queue(f"do {self._tag} {request.number} {request.text}")  # no text: on the wire

    def _request_missing(self, now: float) -> None:
        if self._replay is not None:
            return
        if self._since_at is None or now - self._since_at >= REPEAT_MS:
            self._send_since(now)

    def _send_since(self, now: float) -> None:
        self._since_at = now
        self._queue(f"since {self._tag} {self._next}")  # no text: on the wire

    def _queue(self, text: str) -> None:
        _LOG.debug("%s > %s", self._client, text)
        line = seal(text)
        if len(self.unsent) + len(line) <= _ROOM:
            self.unsent += line

    def _unwrap(self, at: int) -> int:
        """Convert a time of the unit's clock to one that does not wrap."""
        if self.snapshot is None:
            return at
        return self._unit_ms + diff(at, self._unit_ms & MASK)


def _session(tag: str) -> int:
    return int(tag.split(".")[1])
