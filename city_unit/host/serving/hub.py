"""Share one unit between many programs: any number watch it, and one has control.

The hub does no I/O: bytes and time go in, bytes come out. Times are seconds on a monotonic clock.
Each peer is the connection of one program, which speaks the protocol as if it were alone with the
unit. The hub answers greetings, pings and requests for events itself, from the interface
`SharedUnit`, and passes other commands on. `ServedUnit` implements it for an asyncio client.

A peer that greets with `watch` instead of `hello` only watches. It receives the state, the events
and the changes of lamps and tone; all commands but `state`, `describe`, `watch` and `journal` are
refused.
"""

from collections.abc import Callable
from dataclasses import astuple
from typing import TYPE_CHECKING, Protocol

from city_unit.host.client import ANSWER_S
from city_unit.host.news import Connected, Edge, Event, Missed, Restarted
from city_unit.host.requests import Refused
from city_unit.host.serving.journal import Journal
from city_unit.link import SILENCE_MS
from city_unit.ticks import MASK
from city_unit.wire import LONGEST, PROTOCOL, parse_number, seal, split_lines, unseal

if TYPE_CHECKING:  # asyncio would delay each start of a window
    from city_unit.host.asynchronous import AsyncClient

Answered = Callable[[str, str], object]  # receives the answer, and the reason of a refusal or ""

TAKEN = b"busy: another program has this unit\n"

_SILENCE_S = SILENCE_MS / 1000
_MAX_SESSIONS = 256
_ROOM = 1 << 16  # bytes of unsent output per peer; more is dropped
_EVENTS = _ROOM // 2  # share of it for events, so that answers always fit
# Limits of requests in flight at the unit, so that a flood from watchers hardly delays control.
_MAX_OF_WATCHERS = 16
_MAX_REQUESTS = 64
# Commands that change nothing, allowed for watchers.
_READ_ONLY = ("state", "describe", "watch", "journal")


class SharedUnit(Protocol):
    """The unit, as peers see it. It stores the events from number `first` to `count` - 1."""

    about: str  # VERSION BODY NAME
    first: int

    @property
    def boot(self) -> int: ...

    @property
    def count(self) -> int: ...

    @property
    def waiting(self) -> int:
        """Return the number of requests in flight."""
        ...

    def is_online(self) -> bool: ...

    def new_session(self) -> int:
        """Return a new session number of this boot."""
        ...

    def now(self) -> int:
        """Return the unit's time, wrapped."""
        ...

    def event(self, index: int) -> str:
        """Return the words of event `index` after its number: AT KIND and more."""
        ...

    def ask_state(self, seen: Callable[[str], object]) -> None:
        """Call `seen` with the words of `state` from NOW to VOLUME."""
        ...

    def ask(self, text: str, answered: Answered) -> None:
        """Send a command."""
        ...


class _Session:
    """The session of a program; it outlives a connection."""

    def __init__(self, tag: str, client: str) -> None:
        self.tag = tag
        self.client = client
        self.number = 0  # sequence number of the latest command
        self.answer = ""  # to the latest command, "" while it is in flight
        self.peer: Peer | None = None


class Hub:
    """All peers of one unit."""

    def __init__(self, unit: SharedUnit, may_act: bool = True) -> None:
        self.unit = unit
        self.may_act = may_act  # whether any peer may have control
        self.peers: list[Peer] = []
        self.holder: Peer | None = None
        self._sessions: dict[str, _Session] = {}

    def connect(self, now: float, may_act: bool = True) -> "Peer":
        """Add a peer for a new connection."""
        peer = Peer(self, may_act and self.may_act, now)
        self.peers.append(peer)
        return peer

    def disconnect(self, peer: "Peer") -> None:
        """Remove a peer, and release control if it has it."""
        if peer in self.peers:
            self.peers.remove(peer)
        self.release_control(peer)

    def release_control(self, peer: "Peer") -> None:
        """Take control away from a peer, and release the buttons and the switch."""
        if self.holder is peer:
            self.holder = None
            for command in ("release auction", "release build", "switch free"):
                self.unit.ask(command, lambda answer, why: None)

    def step(self, now: float) -> None:
        """Release control when its holder times out."""
        if self.holder is not None and now - self.holder.heard_at >= _SILENCE_S:
            self.release_control(self.holder)

    def is_crowded(self, for_control: bool) -> bool:
        """Return whether the limit of requests is reached, for the holder or for watchers."""
        return self.unit.waiting >= (_MAX_REQUESTS if for_control else _MAX_OF_WATCHERS)

    def end_sessions(self) -> None:
        """End all sessions: the unit was restarted."""
        self._sessions.clear()
        for peer in self.peers:
            peer.session = None

    def send_events(self) -> None:
        """Send all new events to all peers."""
        for peer in self.peers:
            peer.send_events()

    def send_edge(self, words: str) -> None:
        """Send a change of a lamp or the tone to subscribers: N DUE WHAT VALUE DONE."""
        for peer in self.peers:
            if peer.wants_edges:
                peer.send_tagged("edge", words)

    def session(self, client: str) -> _Session:
        """Return the session of a client, or a new one."""
        session = self._sessions.pop(client, None)
        if session is None or not session.tag.startswith(f"{self.unit.boot}."):
            session = _Session(f"{self.unit.boot}.{self.unit.new_session()}", client)
        self._sessions[client] = session
        while len(self._sessions) > _MAX_SESSIONS:
            del self._sessions[next(iter(self._sessions))]
        return session

    def take_control(self, peer: "Peer", now: float) -> bool:
        """Give control to a peer unless an active peer has it; return whether it has it."""
        if not peer.may_act:
            return False
        holder = self.holder
        if holder is not None and holder is not peer and now - holder.heard_at < _SILENCE_S:
            return False
        if holder is not None and holder is not peer:
            self.release_control(holder)
        self.holder = peer
        return True


class Peer:
    """The connection of one program.

    unsent     the bytes to write next
    heard_at   when it last sent a valid line, or connected
    on_unsent  called when there is output
    """

    def __init__(self, hub: Hub, may_act: bool, now: float) -> None:
        self.unsent = b""
        self.may_act = may_act
        self.heard_at = now
        self.wants_edges = False
        self.on_unsent: Callable[[], object] = lambda: None
        self.session: _Session | None = None
        self._hub = hub
        self._next: int | None = None  # the next event to send; None before its `since`
        self._partial = b""  # an incomplete line

    def receive(self, now: float, data: bytes) -> None:
        """Parse received bytes, which may be hostile."""
        *lines, self._partial = split_lines(self._partial + data)
        for line in lines:
            words = unseal(line).split(" ")
            if words[0]:
                self.heard_at = now
                self._read(now, words)
        self.send_events()

    def sent(self, count: int) -> None:
        """Forget the first `count` bytes of `unsent`, which have been written."""
        self.unsent = self.unsent[count:]

    def send_events(self) -> None:
        """Send all events it does not have, while there is room."""
        unit = self._hub.unit
        while self._next is not None and self._next < unit.count and len(self.unsent) < _EVENTS:
            if self._next < unit.first:
                self._next = unit.first
                self.send_tagged("gone", str(self._next))
            else:
                self.send_tagged("event", f"{self._next} {unit.event(self._next)}")
                self._next += 1

    def send_tagged(self, what: str, words: str) -> None:
        if self.session is not None:
            self.send(seal(f"{what} {self.session.tag} {words}".rstrip(" ")))

    def send(self, line: bytes) -> None:
        """Send a line if there is room and it is not too long, as the answer to a long tag is."""
        if len(line) <= LONGEST and len(self.unsent) < _ROOM:
            self.unsent += line
            self.on_unsent()

    def _read(self, now: float, words: list[str]) -> None:
        words += ["", "", ""]
        boot = f"{self._hub.unit.boot}."  # a restart of the unit ends its sessions
        what, tag, word = words[:3]
        if what in ("hello", "watch"):
            self._greet(now, what, word)
        elif self.session is None or tag != self.session.tag or not tag.startswith(boot):
            if tag:
                self.send(seal(f"stranger {tag}"))  # no text: on the wire
        elif not self._hub.unit.is_online():
            return  # silence tells the peer that the unit is gone
        elif what == "since":
            self._next = min(max(0, parse_number(word, MASK)), self._hub.unit.count)
        elif what == "ping":
            following = self._hub.unit.count if self._next is None else self._next
            self.send_tagged("pong", f"{word} {self._hub.unit.now()} {following}")
        elif what == "do":
            self._command(self.session, word, [each for each in words[3:] if each])
        elif what == "bye":
            self.send(seal(f"bye {tag}"))  # no text: on the wire
            self._next = None
            self._hub.release_control(self)

    def _greet(self, now: float, what: str, client: str) -> None:
        hub = self._hub
        if not (client.isalnum() and len(client) <= 16 and hub.unit.is_online()):
            return
        if hub.is_crowded(what == "hello"):
            return  # the peer repeats its greeting
        if what == "hello" and not hub.take_control(self, now):
            self.send(TAKEN)
            return
        if what == "watch":
            self.may_act = False
        session = self.session = hub.session(client)
        session.peer = self

        def welcome(shown: str) -> None:
            if self.session is session:
                about = f"{client} {session.tag} {PROTOCOL} {hub.unit.about}"
                self.send(seal("welcome " + about))  # no text: on the wire
                self.send_tagged("state", f"{shown} {hub.unit.count}")

        hub.unit.ask_state(welcome)

    def _command(self, session: _Session, word: str, command: list[str]) -> None:
        sequence = parse_number(word, MASK)
        if sequence < 1:
            self.send_tagged("refused", f"{word} bad-word")
        elif sequence < session.number:
            stale = f"{sequence} stale {session.number}"  # no text: on the wire
            self.send_tagged("refused", stale)
        elif sequence > session.number:
            session.number = sequence
            session.answer = ""
            self._do(session, sequence, command)
        elif session.answer:
            self.send(seal(session.answer))

    def _do(self, session: _Session, sequence: int, command: list[str]) -> None:
        """Run a command; its answer goes to the connection that the session has by then."""

        def answer(text: str, why: str) -> None:
            if session.number == sequence:
                outcome, rest = ("refused", why) if why else ("done", text)
                session.answer = f"{outcome} {session.tag} {sequence} {rest}".rstrip(" ")
                if session.peer is not None:
                    session.peer.send(seal(session.answer))

        def shown(words: str) -> None:
            if session.peer is not None:
                session.peer.send_tagged("state", f"{words} {self._hub.unit.count}")
            answer("", "")

        what = command[0] if command else ""
        if what not in _READ_ONLY and self._hub.holder is not self:
            answer("", "watching")
        elif self._hub.is_crowded(self._hub.holder is self):
            answer("", "busy")
        elif what == "state":
            self._hub.unit.ask_state(shown)
        elif what == "watch":
            known = command[1:] in (["on"], ["off"])
            self.wants_edges = command[1:] == ["on"] if known else self.wants_edges
            answer("", "" if known else "bad-word")
        else:
            self._hub.unit.ask(" ".join(command), answer)


MAX_EVENTS = 1 << 16  # more than an evening has; limits the memory that a flood of events takes


class ServedUnit:
    """The unit of an asyncio client, as a `SharedUnit`. It stores the events of the current boot.

    most     the limit of stored events
    journal  stores them on disk as well, and supplies earlier events to peers
    """

    def __init__(self, unit: "AsyncClient", most: int = MAX_EVENTS) -> None:
        self.journal: Journal | None = None
        self.boot = 0
        self.about = ""
        self.first = 0
        self.waiting = 0
        self.hub = Hub(self)
        self._unit = unit
        self._most = most
        self._events: list[str] = []
        self._sessions = 0  # given to peers, apart from this program's own
        unit.on(Connected, self._set_about)
        unit.on(Restarted, self._reset)
        unit.on(Missed, self._skip_missed)
        unit.on(Event, self._store)
        unit.on(Edge, self._forward)

    @property
    def count(self) -> int:
        return self.first + len(self._events)

    def new_session(self) -> int:
        self._sessions += 1
        return self._sessions

    def is_online(self) -> bool:
        return self._unit.online and bool(self.about)

    def now(self) -> int:
        return int(self._unit.now()) & MASK

    def event(self, index: int) -> str:
        return self._events[index - self.first]

    def ask_state(self, seen: Callable[[str], object]) -> None:
        request = self._unit.ask("state")

        self.waiting += 1

        def report() -> None:
            self.waiting -= 1
            snapshot = self._unit.snapshot
            if snapshot is None or request.error is not None:
                return  # the connection is lost; peers repeat their greeting
            ms, *rest, _events = astuple(snapshot)  # in the order of `state`
            seen(" ".join(map(str, (ms & MASK, *rest))))

        request.when_done = report

    def ask(self, text: str, answered: Answered) -> None:
        stored = self.journal.answer(text.split(" "), self.boot) if self.journal else None
        if stored is not None:
            answered(stored, "")
            return
        try:
            request = self._unit.ask(text, ANSWER_S)
        except ValueError:  # longer than any command
            answered("", "unknown")
            return

        self.waiting += 1

        def answer() -> None:
            self.waiting -= 1
            if isinstance(request.error, Refused):
                answered("", request.error.why)
            elif request.error is None:
                answered(request.result(), "")
            # After any other error the outcome is unknown: the peer gets no answer and times out.

        request.when_done = answer

    def _set_about(self, news: Connected) -> None:
        about = news.about
        self.boot = about.boot
        self.about = f"{about.version} {about.body} {about.name}"
        self._unit.ask("watch on")

    def _reset(self, news: Restarted) -> None:
        self.boot = news.boot
        self.first = 0
        self._events.clear()
        self.hub.end_sessions()

    def _skip_missed(self, news: Missed) -> None:
        self.first = news.first + news.count
        self._events.clear()

    def _store(self, event: Event) -> None:
        journal = self.journal
        if not self._events:
            self._events = journal.run_before(event.boot, event.number) if journal else []
            self.first = event.number - len(self._events)
        values = [*map(str, event.fields.values()), *event.more]
        words = " ".join([str(event.ms & MASK), event.kind, *values])
        self._events.append(words)
        if len(self._events) > self._most:
            self.first += self._most // 8
            del self._events[: self._most // 8]
        if journal is not None and not journal.has(event.boot, event.number):
            journal.add(event.boot, event.number, words)
        self.hub.send_events()

    def _forward(self, edge: Edge) -> None:
        words = (edge.number, edge.due_ms & MASK, edge.what, edge.value, edge.done_us)
        self.hub.send_edge(" ".join(map(str, words)))
