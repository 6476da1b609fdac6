"""One unit for many programs: any number watch it, and one of them has control.

The hub is pure: bytes and time go in, bytes come out; times are seconds that never go back. Each
peer speaks the protocol as if it were alone with the unit. `SharedUnit` is the unit, as far as
peers see it; `ServedUnit` is that of an asyncio client.

A peer that greets with `watch` in place of `hello` only watches: it receives the state,
the events and the changes of lamps and tone, and all other commands are refused.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from city_unit.host.client import ANSWER_S
from city_unit.host.news import Connected, Edge, Event, Missed, Restarted
from city_unit.host.requests import Refused
from city_unit.host.serving.journal import Journal
from city_unit.link import SILENCE_MS
from city_unit.ticks import MASK
from city_unit.wire import PROTOCOL, cut, number, seal, unseal

if TYPE_CHECKING:  # asyncio would delay each start of a window
    from city_unit.host.asynchronous import AsyncClient

Answered = Callable[[str, str], object]  # called with the text of the answer, and why not or ""

TAKEN = b"busy: another program has this unit\n"

_SILENCE_S = SILENCE_MS / 1000
_MOST_SESSIONS = 256  # that are remembered
_ROOM = 1 << 16  # bytes that may wait for a peer that does not read; further ones are dropped
_EVENTS = _ROOM // 2  # of them for events, which wait for the rest: an answer always finds room
# Under way at the unit: beyond that no others, so that a flood of them delays control by little.
_MOST_READING = 16
_MOST_WAITING = 64
# Commands that change nothing, and are done for watchers too.
_READ_ONLY = ("state", "describe", "watch", "journal")


class SharedUnit(Protocol):
    """A unit, as peers see it. `events` are kept from `first` on, up to `count`."""

    about: str  # VERSION BODY NAME
    first: int

    @property
    def boot(self) -> int: ...

    @property
    def count(self) -> int: ...

    @property
    def waiting(self) -> int:
        """Return how many commands and requests of the state are under way."""
        ...

    def is_online(self) -> bool: ...

    def new_session(self) -> int:
        """Return the number of one more client in this boot."""
        ...

    def now(self) -> int:
        """Return the unit's time, which wraps."""
        ...

    def event(self, index: int) -> str:
        """Return the words of event `index` behind its number: AT KIND and more."""
        ...

    def ask_state(self, seen: Callable[[str], object]) -> None:
        """Call `seen` with the words of `state` from NOW to VOLUME."""
        ...

    def ask(self, text: str, answered: Answered) -> None:
        """Send the unit a command."""
        ...


class _Session:
    """The session of a program, which outlives its connection."""

    def __init__(self, tag: str, client: str) -> None:
        self.tag = tag
        self.client = client
        self.number = 0  # of the latest command
        self.answer = ""  # to it; "" while it is under way
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
        """The line of a peer is gone: nothing that it holds stays held."""
        if peer in self.peers:
            self.peers.remove(peer)
        self.release_control(peer)

    def release_control(self, peer: "Peer") -> None:
        """Take control from a peer that has it, and its fingers off the buttons."""
        if self.holder is peer:
            self.holder = None
            for command in ("release auction", "release build", "switch free"):
                self.unit.ask(command, lambda answer, why: None)

    def step(self, now: float) -> None:
        """Release control when its holder times out."""
        if self.holder is not None and now - self.holder.heard_at >= _SILENCE_S:
            self.release_control(self.holder)

    def is_crowded(self, for_control: bool) -> bool:
        """Return whether no more can be asked of the unit now, by its holder or by the others."""
        return self.unit.waiting >= (_MOST_WAITING if for_control else _MOST_READING)

    def end_sessions(self) -> None:
        """The unit was started anew: all sessions are over."""
        self._sessions.clear()
        for peer in self.peers:
            peer.session = None

    def send_events(self) -> None:
        """Send all new events to all peers."""
        for peer in self.peers:
            peer.send_events()

    def send_edge(self, words: str) -> None:
        """Send a change of a lamp or the tone to its subscribers: N DUE WHAT VALUE DONE."""
        for peer in self.peers:
            if peer.wants_edges:
                peer.send_tagged("edge", words)

    def session(self, client: str) -> _Session:
        """Return the session with a program, which is a new one if it was never here."""
        session = self._sessions.pop(client, None)
        if session is None or not session.tag.startswith(f"{self.unit.boot}."):
            session = _Session(f"{self.unit.boot}.{self.unit.new_session()}", client)
        self._sessions[client] = session
        while len(self._sessions) > _MOST_SESSIONS:
            del self._sessions[next(iter(self._sessions))]
        return session

    def take_control(self, peer: "Peer", now: float) -> bool:
        """Give the peer control, unless another has it and has been heard of."""
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
    """One line to a program.

    unsent    the bytes to write next
    heard_at  when it last said a line of the protocol; when it came, before the first
    on_unsent  called when there is something to write
    """

    def __init__(self, hub: Hub, may_act: bool, now: float) -> None:
        self.unsent = b""
        self.may_act = may_act
        self.heard_at = now
        self.wants_edges = False
        self.on_unsent: Callable[[], object] = lambda: None
        self.session: _Session | None = None
        self._hub = hub
        self._next: int | None = None  # the event to send next; None before it asks
        self._partial = b""  # of a line that is half received
        self._now = now

    def receive(self, now: float, data: bytes) -> None:
        """Parse received bytes; all may be hostile."""
        self._now = now
        *lines, self._partial = cut(self._partial + data)
        for line in lines:
            words = unseal(line).split(" ")
            if words[0]:
                self.heard_at = now
                self._read(words)
        self.send_events()

    def sent(self, count: int) -> None:
        """Forget the first `count` bytes of `unsent`, which have been written."""
        self.unsent = self.unsent[count:]

    def send_events(self) -> None:
        """Send the events that are new to it."""
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
        if len(self.unsent) < _ROOM:
            self.unsent += line
            self.on_unsent()

    def _read(self, words: list[str]) -> None:
        words += ["", "", ""]
        boot = f"{self._hub.unit.boot}."  # a session with the unit before a restart is over
        what, tag, word = words[:3]
        if what in ("hello", "watch"):
            self._greet(what, word)
        elif self.session is None or tag != self.session.tag or not tag.startswith(boot):
            if tag:
                self.send(seal(f"stranger {tag}"))  # no text: on the wire
        elif not self._hub.unit.is_online():
            return  # and so the peer learns it, from the silence
        elif what == "since":
            self._next = min(max(0, number(word, MASK)), self._hub.unit.count)
        elif what == "ping":
            following = self._hub.unit.count if self._next is None else self._next
            self.send_tagged("pong", f"{word} {self._hub.unit.now()} {following}")
        elif what == "do":
            self._command(self.session, word, [each for each in words[3:] if each])
        elif what == "bye":
            self.send(seal(f"bye {tag}"))  # no text: on the wire
            self._next = None
            self._hub.release_control(self)

    def _greet(self, what: str, client: str) -> None:
        hub = self._hub
        if not (client.isalnum() and len(client) <= 16 and hub.unit.is_online()):
            return
        if hub.is_crowded(what == "hello"):
            return  # it repeats its greeting
        if what == "hello" and not hub.take_control(self, self._now):
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
        sequence = number(word, MASK)
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
        """Do a command; the answer goes to the line by which the program is reached then."""

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


MOST = 1 << 16  # events that are kept: more than an evening has, and a unit that floods has an end


class ServedUnit:
    """The unit of an asyncio client. It keeps the events of the unit's boot: a whole evening.

    journal  keeps them on disk as well; peers receive its earlier events too
    most     how many events it keeps
    """

    def __init__(
        self, unit: "AsyncClient", journal: Journal | None = None, most: int = MOST
    ) -> None:
        self.journal = journal
        self.boot = 0
        self.about = ""
        self.first = 0
        self.waiting = 0
        self.hub = Hub(self)
        self._unit = unit
        self._most = most
        self._events: list[str] = []
        self._sessions = 0  # of peers; they do not see this program's own
        unit.on(Connected, self._take_about)
        unit.on(Restarted, self._begin_again)
        unit.on(Missed, self._skip)
        unit.on(Event, self._keep)
        unit.on(Edge, self._pass_on)

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

        def tell() -> None:
            self.waiting -= 1
            snapshot = self._unit.snapshot
            if snapshot is None or request.error is not None:
                return  # the unit is gone; peers repeat their greeting
            shown = (
                *(snapshot.ms & MASK, snapshot.state, snapshot.program),
                *(snapshot.clock_ms, snapshot.clock_left_ms, snapshot.auction_left_ms),
                *(snapshot.lamps, snapshot.tone, snapshot.volume),
            )
            seen(" ".join(map(str, shown)))

        request.when_done = tell

    def ask(self, text: str, answered: Answered) -> None:
        kept = self.journal.answer(text.split(" "), self.boot) if self.journal else None
        if kept is not None:
            answered(kept, "")
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
            # Else whether it was done is not known: the peer hears nothing, and says so.

        request.when_done = answer

    def _take_about(self, news: Connected) -> None:
        about = news.about
        self.boot = about.boot
        self.about = f"{about.version} {about.body} {about.name}"
        self._unit.ask("watch on")

    def _begin_again(self, news: Restarted) -> None:
        self.boot = news.boot
        self.first = 0
        self._events.clear()
        self.hub.end_sessions()

    def _skip(self, news: Missed) -> None:
        self.first = news.first + news.count
        self._events.clear()

    def _keep(self, event: Event) -> None:
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

    def _pass_on(self, edge: Edge) -> None:
        words = (edge.number, edge.due_ms & MASK, edge.what, edge.value, edge.done_us)
        self.hub.send_edge(" ".join(map(str, words)))
