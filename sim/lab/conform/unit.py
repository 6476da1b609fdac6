"""Checks a unit against docs/protocol.md, through its port alone.

The checks start and stop auctions on the unit. First come checks of single rules over a good line,
by `Session`, which sends and parses raw frames. Then our client library works over lines with
faults, and must still get each command performed once and each event once.
"""

# No texts: patterns of lines.
import functools
import random
import re
import secrets
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeVar

from city_unit import host
from city_unit.desktop.catalogue import Lazy, _, lazy
from city_unit.host.core import BUSY
from city_unit.host.news import Snapshot, parse_state, parse_welcome
from city_unit.host.ports import Port
from city_unit.link import SILENCE_MS
from city_unit.wire import LONGEST, seal, split_lines, unseal
from sim.lab.conform import FAULTS, Failed, Fault, Finding, Spoiler, clean, wrong_events

ANSWER_S = 3.0  # a slow board responds within this
REPEAT_S = 0.25  # retry interval
BUSY_S = SILENCE_MS / 1000 + ANSWER_S  # until a unit notices that its client is gone
REOPEN_S = 0.5  # between two connections to a busy unit
QUIET_S = 0.4  # silence after which nothing more is expected
PATIENCE_S = 10 * ANSWER_S  # over a bad line
COMMANDS = 12  # per fault
CUT = "cut"  # the error of a line that breaks
AUCTION = ["auction-started", "auction-cancelled"]  # the events of `start` and `stop`
_MOST_ROUNDS = 20_000  # of pings: more than the events that a unit stores
_MOST_SHOWN = 200  # characters of an unexpected result

_Read = TypeVar("_Read")


class Clock(NamedTuple):
    """A clock and its sleep function, in seconds."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], object] = time.sleep


HOST = Clock()


class Session:
    """A client session at the level of frames."""

    def __init__(self, open_line: Callable[[], Port], clock: Clock) -> None:
        self.clock = clock
        self._open_line = open_line
        self._line = open_line()
        self._is_busy = False  # whether the unit reported another client
        self._rest = b""
        self._frames: deque[str] = deque()
        self._sequence = 0
        self._pings = 1000
        self.tag = ""
        self.client = secrets.token_hex(5)

    def close(self) -> None:
        self._line.close()

    def write(self, data: bytes) -> None:
        end = self.clock.now() + ANSWER_S
        while data and self.clock.now() < end:
            count = self._line.write(data)
            data = data[count:]
            if not count:
                self._line.read(0.01)

    def send(self, text: str) -> None:
        self.write(seal(text))

    def frames(self, seconds: float) -> Iterator[str]:
        """Yield each frame that arrives within `seconds`."""
        end = self.clock.now() + seconds
        while (left := end - self.clock.now()) > 0:
            while self._frames:  # the caller may stop early; the rest is kept
                yield self._frames.popleft()
            *lines, self._rest = split_lines(self._rest + self._line.read(left))
            self._is_busy = self._is_busy or any(line.startswith(BUSY) for line in lines)
            self._frames.extend(filter(None, map(unseal, lines)))

    def expect(self, pattern: str, after: str = "") -> re.Match[str]:
        """Return the next frame that matches `pattern`; raises Failed on timeout."""
        others = []
        for text in self.frames(ANSWER_S):
            found = re.fullmatch(pattern, text)
            if found:
                return found
            others.append(text)
        instead = others[-1] if others else _("nothing")
        if after:
            words = _("expected `{pattern}` after {command}, received: {instead}")
        else:
            words = _("expected `{pattern}`, received: {instead}")
        raise Failed(words.format(pattern=pattern, command=after, instead=instead))

    def greet(self) -> Snapshot:
        """Send hello until the unit responds, and start the session; return the unit's state.

        A unit may be busy until an earlier connection times out. If it hangs up meanwhile, the
        line is opened again. Raises Busy if it stays so.
        """
        begun = self.clock.now()
        while self.clock.now() - begun < (BUSY_S if self._is_busy else ANSWER_S):
            try:
                self.send(f"hello 1 {self.client}")
                for text in self.frames(REPEAT_S):
                    words = text.split(" ")
                    if words[:2] == ["welcome", self.client]:
                        self._is_busy = False
                        self.tag = _read(parse_welcome, words)[0]
                        return _read(parse_state, self.expect("state .*").group().split(" "))
            except OSError:
                if not self._is_busy:
                    raise
                self._line.close()
                self.clock.sleep(REOPEN_S)
                self._line, self._rest = self._open_line(), b""
        if self._is_busy:
            raise host.Busy(
                _("another program has this unit; close that program, then check again")
            )
        raise Failed(_("no `welcome` in response to `hello`"))

    def do(self, command: str, sequence: int | None = None) -> str:
        """Send a command; return the response without tag and number."""
        if sequence is None:
            self._sequence += 1
            sequence = self._sequence
        self.send(f"do {self.tag} {sequence} {command}")
        tag = re.escape(self.tag)
        answer = self.expect(rf"(done|refused) {tag} {sequence}( .*)?", f"`{command}`")
        return f"{answer[1]}{answer[2] or ''}"

    def drain(self) -> list[str]:
        """Drain events until the event counter stops advancing."""
        received: list[str] = []
        before, following = "", self._ping(received)
        for _round in range(_MOST_ROUNDS):
            if following == before:
                return received
            before, following = following, self._ping(received)
        raise Failed(_("NEXT of its `pong` never stops advancing"))

    def _ping(self, received: list[str]) -> str:
        """Return NEXT of a pong. Append the frames that arrive before it to `received`."""
        self._pings += 1
        pattern = re.compile(rf"pong {re.escape(self.tag)} {self._pings} \d+ (\d+)( .*)?")
        for _again in range(int(ANSWER_S / REPEAT_S)):  # a unit without room may drop it
            self.send(f"ping {self.tag} {self._pings}")
            for text in self.frames(REPEAT_S):
                pong = pattern.fullmatch(text)
                if pong:
                    return pong[1]
                received.append(text)
        raise Failed(_("no `pong` in response to `ping`"))

    def events(self, first: int = 0) -> list[tuple[int, str]]:
        """Request and return the events from number `first`."""
        self.drain()  # drop the events sent so far: the unit sends them again
        self.send(f"since {self.tag} {first}")
        events = []
        for text in self.drain():
            if text.startswith(f"event {self.tag} "):
                _kind, _tag, number, rest = text.split(" ", 3)
                events.append((int(number), rest))
            elif text.startswith(f"gone {self.tag} "):
                events.clear()
        return events


def _read(reader: Callable[[list[str]], _Read], words: list[str]) -> _Read:
    try:
        return reader(words)
    except ValueError as error:
        raise Failed(str(error)) from None


def _equal(what: str, found: object, expected: object) -> None:
    if found != expected:
        words = _("{what}: expected {expected}, received {found}")
        wanted, received = (
            text if len(text) <= _MOST_SHOWN else text[:_MOST_SHOWN] + " ..."
            for text in (str(expected), str(found))
        )
        raise Failed(words.format(what=what, expected=wanted, found=received))


def _auctions(kinds: Iterable[str]) -> list[str]:
    """Select the auction events; others, of the unit's clock, may occur meanwhile."""
    return [kind for kind in kinds if kind.startswith("auction-")]


def same_tag(session: Session) -> None:
    tag = session.tag
    session.greet()
    _equal(_("the TAG for the same CLIENT"), session.tag, tag)


def pings(session: Session) -> None:
    session.send(f"ping {session.tag} 77")
    first = int(session.expect(rf"pong {re.escape(session.tag)} 77 (\d+) \d+( .*)?")[1])
    session.clock.sleep(0.05)
    session.send(f"ping {session.tag} 78")
    then = int(session.expect(rf"pong {re.escape(session.tag)} 78 (\d+) \d+( .*)?")[1])
    if not 30 <= (then - first) % (1 << 30) <= 3000:
        words = _("the unit's time was {first}, and {then} 50 ms later")
        raise Failed(words.format(then=then, first=first))


def refuses(session: Session) -> None:
    _equal(_("an unknown command"), session.do("dance")[:15], "refused unknown")
    for command in ("start 0", "hold auction 0", "tap lamp", "switch maybe", "volume 4"):
        _equal(f"`{command}`", session.do(command)[:16], "refused bad-word")


def once(session: Session) -> None:
    """A command is performed once, however often it is received."""
    events = session.events()
    before = events[-1][0] + 1 if events else 0
    _equal("`start 60000`", session.do("start 60000"), "done")
    _equal("`stop`", session.do("stop"), "done")
    for _again in range(3):
        _equal(_("a repeat"), session.do("stop", session._sequence), "done")
    _equal(_("`start` again"), session.do("start 60000"), "done")
    for _again in range(3):
        _equal(_("a repeat"), session.do("start 60000", session._sequence), "done")
    session.do("stop")
    kinds = _auctions(rest.split(" ")[1] for _number, rest in session.events(before))
    _equal(_("the events"), kinds, AUCTION * 2)


def stale(session: Session) -> None:
    number = session._sequence
    _equal(_("a lower SEQ"), session.do("start", number - 1)[:13], "refused stale")


def in_order(session: Session) -> None:
    events = session.events()
    numbers = [number for number, _rest in events]
    first = numbers[0] if numbers else 0  # there is at least one: switched-on
    expected = list(range(first, first + max(1, len(numbers))))
    _equal(_("numbers of events"), numbers, expected)
    _equal(_("repeated events"), session.events()[: len(events)], events)


def strangers(session: Session) -> None:
    session.send("ping 1.1 5")
    session.expect(r"stranger 1\.1( .*)?")


def noise(session: Session) -> None:
    """Bytes that are not a frame have no effect."""
    before = session.events()
    spoilt = seal(f"do {session.tag} {session._sequence + 1} start").replace(b"start", b"stark")
    session.write(spoilt + b"\xff\x00\n\n\r\n" + b"x" * (3 * LONGEST) + b"\n")
    session.write(b"y" * LONGEST + seal(f"do {session.tag} {session._sequence + 1} start 60000"))
    kinds = _auctions(rest.split(" ")[1] for _number, rest in session.events()[len(before) :])
    _equal(_("events after noise"), kinds, [])


def pieces(session: Session) -> None:
    for byte in seal(f"ping {session.tag} 79"):
        session.write(bytes([byte]))
    session.expect(rf"pong {re.escape(session.tag)} 79 .*")


def says_goodbye(session: Session) -> None:
    session.send(f"bye {session.tag}")
    session.expect(rf"bye {re.escape(session.tag)}( .*)?")
    events = [text for text in session.frames(QUIET_S) if text.startswith("event")]
    _equal(_("events after `bye`"), events, [])


CHECKS: tuple[tuple[Lazy, Callable[[Session], None]], ...] = (
    (lazy("the same client gets the same tag"), same_tag),
    (lazy("ping returns the time"), pings),
    (lazy("invalid commands are refused"), refuses),
    (lazy("a repeated command is performed once"), once),
    (lazy("a lower sequence number is stale"), stale),
    (lazy("events arrive in order, and again on request"), in_order),
    (lazy("another tag is a stranger's"), strangers),
    (lazy("noise has no effect"), noise),
    (lazy("a frame may arrive in pieces"), pieces),
    (lazy("bye is confirmed, then silence"), says_goodbye),
)


def checks(
    open_line: Callable[[], Port], turns: Iterable[int] = (0,), clock: Clock = HOST
) -> Iterator[Finding]:
    """Run all checks; yield each result as soon as it is known.

    turns  seeds of the random faults; the same turn gives the same faults
    """
    session = Session(open_line, clock)
    try:
        if session.greet().state == "off":  # a session holds the switch only while it lasts
            raise Failed(_("it is switched off; switch it on first"))
        session.send(f"ping {session.tag} 1")
        session.do("stop")  # a running auction would interfere
        session.do("switch on")
        session.do("restart")  # so would a game that ends
    except (Failed, OSError) as trouble:
        yield Finding(_("it responds to a greeting"), str(trouble))
        session.close()
        return
    except host.Busy:
        session.close()
        raise
    yield Finding(_("it responds to a greeting"))
    for name, check in CHECKS:
        yield _finding(str(name), functools.partial(check, session))
    session.close()
    for turn in turns:
        for seed, (fault, name) in enumerate(FAULTS.values(), 100 * turn):
            spoilt = functools.partial(BadPort, open_line, fault, seed)
            yield _finding(str(name), functools.partial(bad_line, spoilt, clock))
        chance = random.Random(turn)

        def breaking(chance: random.Random = chance) -> Port:
            return BadPort(open_line, clean, 0, chance.randrange(100, 1000))

        yield _finding(_("a line that breaks"), functools.partial(bad_line, breaking, clock))


def _finding(name: str, check: Callable[[], None]) -> Finding:
    try:
        check()
    except Failed as failed:
        return Finding(name, str(failed))
    except OSError as error:
        return Finding(name, _("the line was lost: {why}").format(why=error))
    return Finding(name)


class BadPort:
    """A connection to the unit that applies a fault in both directions.

    left  number of bytes in either direction until it breaks
    """

    def __init__(
        self, open_line: Callable[[], Port], fault: Fault, seed: int, left: int = sys.maxsize
    ) -> None:
        self._port = open_line()
        self._out = Spoiler(fault, random.Random(2 * seed))
        self._in = Spoiler(fault, random.Random(2 * seed + 1))
        self._unsent = b""
        self._left = left

    def read(self, timeout: float) -> bytes:
        data = self._in.pass_on(self._port.read(timeout))
        self._left -= len(data)
        if self._left < 0:
            raise OSError(CUT)
        return data

    def write(self, data: bytes) -> int:
        self._unsent += self._out.pass_on(data)
        count = self._port.write(self._unsent[: max(0, self._left)])
        self._unsent = self._unsent[count:]
        self._left -= count
        if self._left <= 0:
            raise OSError(CUT)
        return len(data)

    def fileno(self) -> int:
        return -1

    def close(self) -> None:
        self._port.close()


def bad_line(open_line: Callable[[], Port], clock: Clock = HOST) -> None:
    """Use the client over a bad line: each command must act once, each event arrive once."""
    unit = host.Client("", open_line, clock=lambda: clock.now() * 1000, sleep=clock.sleep)
    events: list[host.Event] = []
    unit.on(host.Event, events.append)

    def kinds() -> list[str]:
        return _auctions(event.kind for event in events)

    try:
        # The line may be lost any number of times before the unit has responded.
        end = clock.now() + PATIENCE_S
        while not unit.online and clock.now() < end:
            unit.poll(0.1)
        unit.wait_online(0.0)
        assert unit.snapshot is not None
        before = unit.snapshot.events
        for place in range(COMMANDS):
            unit.send("start 60000" if place % 2 == 0 else "stop", PATIENCE_S)
        end = clock.now() + PATIENCE_S
        while len(kinds()) < COMMANDS and clock.now() < end:
            unit.poll(0.1)
        unit.poll(QUIET_S)
    except host.LinkError as error:
        raise Failed(str(error)) from None
    finally:
        unit.close()
    numbers = [event.number - before for event in events]
    why = wrong_events(numbers, max(numbers, default=-1) + 1)
    if why or kinds() != AUCTION * (COMMANDS // 2):
        words = _("{commands} commands were not performed once each: {kinds}")
        raise Failed(why or words.format(commands=COMMANDS, kinds=", ".join(kinds())))
