"""One unit for many programs: any number that watch it, and one that has its hand.

Pure: bytes and time go in, bytes come out; times are seconds that never go back. Each
guest speaks the protocol as if it were alone with the unit. `Stage` is the unit, as far
as they see it.

A guest that greets with `watch` in place of `hello` only watches: it receives the state,
the events and the changes of lamps and tone, and all other commands are refused.
"""

from collections.abc import Callable
from typing import Protocol

from city_unit.link import SILENCE_MS
from city_unit.ticks import MASK
from city_unit.wire import PROTOCOL, cut, number, seal, unseal

Answered = Callable[[str, str], object]  # called with the text of the answer, and why not or ""

TAKEN = b"busy: another program has this unit\n"

_SILENCE_S = SILENCE_MS / 1000
_MOST_TALKS = 256  # that are remembered
_ROOM = 1 << 16  # bytes that may wait for a guest that does not read; further ones are dropped
_EVENTS = _ROOM // 2  # of them for events, which wait for the rest: an answer always finds room
# Commands that change nothing, and are done for watchers too.
_LOOKING = ("state", "describe", "watch", "journal")


class Stage(Protocol):
    """A unit, as guests see it. `events` are kept from `first` on, up to `count`."""

    about: str  # VERSION BODY NAME
    first: int

    @property
    def boot(self) -> int: ...

    @property
    def count(self) -> int: ...

    def is_there(self) -> bool: ...

    def new_session(self) -> int:
        """Return the number of one more client in this boot."""
        ...

    def now(self) -> int:
        """Return the unit's time, which wraps."""
        ...

    def event(self, index: int) -> str:
        """Return the words of event `index` behind its number: AT KIND and more."""
        ...

    def look(self, seen: Callable[[str], object]) -> None:
        """Call `seen` with the words of `state` from NOW to VOLUME."""
        ...

    def ask(self, text: str, answered: Answered) -> None:
        """Have the unit do a command."""
        ...


class _Talk:
    """The session of a program, which outlives its connection."""

    def __init__(self, tag: str, client: str) -> None:
        self.tag = tag
        self.client = client
        self.number = 0  # of the latest command
        self.answer = ""  # to it; "" while it is under way
        self.guest: Guest | None = None


class Audience:
    """All guests of one unit."""

    def __init__(self, stage: Stage, may_act: bool = True) -> None:
        self.stage = stage
        self.may_act = may_act  # whether there is a hand at all
        self.guests: list[Guest] = []
        self.hand: Guest | None = None
        self._talks: dict[str, _Talk] = {}

    def enter(self, now: float, may_act: bool = True) -> "Guest":
        """Add a guest for a new connection."""
        guest = Guest(self, may_act and self.may_act, now)
        self.guests.append(guest)
        return guest

    def leave(self, guest: "Guest") -> None:
        """The line of a guest is gone: nothing that it holds stays held."""
        if guest in self.guests:
            self.guests.remove(guest)
        self.let_go(guest)

    def let_go(self, guest: "Guest") -> None:
        """Take the hand from a guest that has it, and its fingers off the buttons."""
        if self.hand is guest:
            self.hand = None
            for command in ("release auction", "release build", "switch free"):
                self.stage.ask(command, lambda answer, why: None)

    def step(self, now: float) -> None:
        """Release control when its holder times out."""
        if self.hand is not None and now - self.hand.heard_at >= _SILENCE_S:
            self.let_go(self.hand)

    def forget(self) -> None:
        """The unit was started anew: all talks are over."""
        self._talks.clear()
        for guest in self.guests:
            guest.talk = None

    def tell(self) -> None:
        """Send all new events to all guests."""
        for guest in self.guests:
            guest.tell()

    def tell_edge(self, words: str) -> None:
        """Send a change of a lamp or the tone to its subscribers: N DUE WHAT VALUE DONE."""
        for guest in self.guests:
            if guest.sees_edges:
                guest.say_tagged("edge", words)

    def talk(self, client: str) -> _Talk:
        """Return the talk with a program, which is a new one if it was never here."""
        talk = self._talks.pop(client, None)
        if talk is None or not talk.tag.startswith(f"{self.stage.boot}."):
            talk = _Talk(f"{self.stage.boot}.{self.stage.new_session()}", client)
        self._talks[client] = talk
        while len(self._talks) > _MOST_TALKS:
            del self._talks[next(iter(self._talks))]
        return talk

    def take_hand(self, guest: "Guest", now: float) -> bool:
        """Give the guest the hand, unless another has it and has been heard of."""
        if not guest.may_act:
            return False
        hand = self.hand
        if hand is not None and hand is not guest and now - hand.heard_at < _SILENCE_S:
            return False
        if hand is not None and hand is not guest:
            self.let_go(hand)
        self.hand = guest
        return True


class Guest:
    """One line to a program.

    unsent    the bytes to write next
    heard_at  when it last said a line of the protocol; when it came, before the first
    when_said called when there is something to write
    """

    def __init__(self, audience: Audience, may_act: bool, now: float) -> None:
        self.unsent = b""
        self.may_act = may_act
        self.heard_at = now
        self.sees_edges = False
        self.when_said: Callable[[], object] = lambda: None
        self.talk: _Talk | None = None
        self._audience = audience
        self._next: int | None = None  # the event to be told; None before it asks
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
        self.tell()

    def sent(self, count: int) -> None:
        """Forget the first `count` bytes of `unsent`, which have been written."""
        self.unsent = self.unsent[count:]

    def tell(self) -> None:
        """Tell the events that are new to it."""
        stage = self._audience.stage
        while self._next is not None and self._next < stage.count and len(self.unsent) < _EVENTS:
            if self._next < stage.first:
                self._next = stage.first
                self.say_tagged("gone", str(self._next))
            else:
                self.say_tagged("event", f"{self._next} {stage.event(self._next)}")
                self._next += 1

    def say_tagged(self, what: str, words: str) -> None:
        if self.talk is not None:
            self.say(seal(f"{what} {self.talk.tag} {words}".rstrip(" ")))

    def say(self, line: bytes) -> None:
        if len(self.unsent) < _ROOM:
            self.unsent += line
            self.when_said()

    def _read(self, words: list[str]) -> None:
        words += ["", "", ""]
        boot = f"{self._audience.stage.boot}."  # a session with the unit before a restart is over
        what, tag, word = words[:3]
        if what in ("hello", "watch"):
            self._greet(what, word)
        elif self.talk is None or tag != self.talk.tag or not tag.startswith(boot):
            if tag:
                self.say(seal(f"stranger {tag}"))  # no text: on the wire
        elif not self._audience.stage.is_there():
            return  # and so the guest learns it, from the silence
        elif what == "since":
            self._next = min(max(0, number(word, MASK)), self._audience.stage.count)
        elif what == "ping":
            following = self._audience.stage.count if self._next is None else self._next
            self.say_tagged("pong", f"{word} {self._audience.stage.now()} {following}")
        elif what == "do":
            self._command(self.talk, word, [each for each in words[3:] if each])
        elif what == "bye":
            self.say(seal(f"bye {tag}"))  # no text: on the wire
            self._next = None
            self._audience.let_go(self)

    def _greet(self, what: str, client: str) -> None:
        audience = self._audience
        if not (client.isalnum() and len(client) <= 16 and audience.stage.is_there()):
            return
        if what == "hello" and not audience.take_hand(self, self._now):
            self.say(TAKEN)
            return
        if what == "watch":
            self.may_act = False
        talk = self.talk = audience.talk(client)
        talk.guest = self

        def welcome(shown: str) -> None:
            if self.talk is talk:
                about = f"{client} {talk.tag} {PROTOCOL} {audience.stage.about}"
                self.say(seal("welcome " + about))  # no text: on the wire
                self.say_tagged("state", f"{shown} {audience.stage.count}")

        audience.stage.look(welcome)

    def _command(self, talk: _Talk, word: str, command: list[str]) -> None:
        sequence = number(word, MASK)
        if sequence < 1:
            self.say_tagged("refused", f"{word} bad-word")
        elif sequence < talk.number:
            self.say_tagged("refused", f"{sequence} stale {talk.number}")  # no text: on the wire
        elif sequence > talk.number:
            talk.number = sequence
            talk.answer = ""
            self._do(talk, sequence, command)
        elif talk.answer:
            self.say(seal(talk.answer))

    def _do(self, talk: _Talk, sequence: int, command: list[str]) -> None:
        """Do a command; the answer goes to the line by which the program is reached then."""

        def answer(text: str, why: str) -> None:
            line = f"refused {talk.tag} {sequence} {why}" if why else f"done {talk.tag} {sequence}"
            if talk.number == sequence:
                talk.answer = f"{line} {text}" if text and not why else line
                if talk.guest is not None:
                    talk.guest.say(seal(talk.answer))

        def shown(words: str) -> None:
            if talk.guest is not None:
                talk.guest.say_tagged("state", f"{words} {self._audience.stage.count}")
            answer("", "")

        what = command[0] if command else ""
        if what not in _LOOKING and self._audience.hand is not self:
            answer("", "watching")
        elif what == "state":
            self._audience.stage.look(shown)
        elif what == "watch":
            known = command[1:] in (["on"], ["off"])
            self.sees_edges = command[1:] == ["on"] if known else self.sees_edges
            answer("", "" if known else "bad-word")
        else:
            self._audience.stage.ask(" ".join(command), answer)
