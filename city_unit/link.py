"""The unit's end of the serial link: bytes and time go in, bytes come out.

A body with a link steps the link instead of the unit, since the desktop may press buttons and show
lamps too; the link's `lamps` and `tone` include them. The body passes received bytes to `receive`,
writes as much of `unsent` as fits, and reports how much with `sent`. Nothing blocks.

Two rules make the link reliable:

- A command is run once, however often it is received. The desktop numbers its commands, and for a
  repeated number the stored answer is sent again.
- The unit stores its events and sends them in order, as they fit. The desktop can request them
  again from any number that is still stored.
"""

from .commands import COMMANDS, Remote
from .description import page
from .events import Events
from .facts import ALL_LAMPS, LAMP_COUNT, OUTPUTS, TONE
from .ticks import MASK, SIGN_BIT, add, const, earliest
from .unit import Timer, Unit
from .wire import LONGEST, PROTOCOL, decode, parse_number, seal, split_lines, unseal

SILENCE_MS = const(5000)  # a desktop silent for this long has left

# The commands that are not in COMMANDS: those of the link, and two that only a board has. A typed
# line is a command if its first word is in either.
OTHER_COMMANDS = const(("watch", "state", "describe", "counters", "board", "crash"))

_ROOM = const(512)  # bytes of unsent output
_LONGEST_ANSWER = const(80)


class Link:
    """A unit with a serial line.

    unit         the unit, which only the link steps
    boot         a number below 2^30 that differs with each start of the unit
    about        the unit's identity: `VERSION BODY NAME`, plain words, at most 48 bytes
    run_other    runs a command that only this body has: receives the words, returns the answer,
                 or None for an unknown command
    has_desktop  whether the session is active: its desktop has sent a line within `silence_ms`
    is_watched   whether the body must call `note_shown` after each change that it shows
    takes_typed  whether to accept commands typed without a checksum
    unsent       the bytes to write next
    lamps        the lit lamps, including those shown by the desktop
    tone         the current tone in Hz, including the desktop's; 0 is silence
    remote       what the desktop presses and shows
    session      client and tag of the latest session, ("", "") before the first
    session_count  new clients that have greeted; the tag of a session is `BOOT.COUNT`
    """

    def __init__(
        self, unit: Unit, boot: int, about: str, silence_ms: int = SILENCE_MS, run_other=None
    ) -> None:
        self.about = about
        self.silence_ms = silence_ms
        self.run_other = run_other
        self.rebind(unit, boot)

    def rebind(self, unit: Unit, boot: int) -> None:
        """Reset the link for another unit or boot; all desktops must greet it again."""
        self.unit = unit
        self.boot = boot
        self.has_desktop = self.is_watched = False
        self.takes_typed = True
        self.unsent = b""
        self.lamps = unit.lamps
        self.tone = unit.tone
        self.remote = Remote(unit)
        self._timeout = Timer("")  # of the desktop
        self._partial = b""  # an incomplete line
        self.session = ("", "")
        self._greeted = ("", "")  # client and tag of the latest greeting
        self.session_count = 0
        self._number = 0  # sequence number of the latest command
        self._answer: tuple = ("",)
        self._next_event = 0  # number of the next event to send
        self._next_edge = 0
        self._edges = Events(0)  # given room when a desktop watches: memory is scarce on a board
        self._seen = (0, 0)  # lamps and tone at the last `note_shown`
        self._received = self._ignored = self._dropped = 0  # lines
        self._levels = 0  # of the real contacts
        self._parts = (self._timeout, self.remote.shown) + self.remote.fingers  # with deadlines
        self._next_due: int | None = None  # the earliest deadline

    # For the body.

    def step(self, now: int, levels: int, with_events: bool = True) -> None:
        """Advance to `now`, then apply the levels of the contacts.

        A slow body passes with_events=False, shows lamps and tone first, and then calls
        `queue_events`.
        """
        due = self._next_due
        if due is not None and not (now - due) & SIGN_BIT:
            self._advance(now)
        self._levels = levels
        self._step(now)
        if with_events:
            self.queue_events()

    def next_due(self) -> int | None:
        """Return when to step next; None if only input can change anything."""
        unit_due = self.unit.next_due()
        due = self._next_due
        if due is None or (unit_due is not None and (unit_due - due) & SIGN_BIT):
            return unit_due
        return due

    def receive(self, now: int, data: bytes) -> None:
        """Parse received bytes, which may be hostile."""
        *lines, self._partial = split_lines(self._partial + data)
        for line in lines:
            self._receive_line(now, line)
        self._advance(now)
        self.queue_events()

    def sent(self, count: int) -> None:
        """Forget the first `count` bytes of `unsent`, which have been written."""
        self.unsent = self.unsent[count:]
        self.queue_events()

    def hang_up(self, now: int) -> None:
        """Drop partial input and output: the connection is closed."""
        self._partial = self.unsent = b""
        self._end_session(now)
        self._advance(now)

    def note_shown(self, done_us: int) -> None:
        """Record the lamps and the tone that have changed, as edges shown at `done_us`.

        done_us  in microseconds, on a clock that wraps at 2^30 and started together with the
                 clock of milliseconds
        """
        unit = self.unit
        lamps, tone = self._seen
        changed = unit.lamps ^ lamps
        for lamp in range(LAMP_COUNT):
            if changed >> lamp & 1:
                lit = unit.lamps >> lamp & 1
                self._edges.add(unit.changed_at[lamp], OUTPUTS[lamp], lit, done_us)
        if unit.tone != tone:
            self._edges.add(unit.changed_at[TONE], "tone", unit.tone, done_us)
        self._seen = unit.lamps, unit.tone

    # Time.

    def _advance(self, now: int) -> None:
        """Advance to `now`, from deadline to deadline.

        Equal ones are handled together, before the unit's step: it senses two buttons at once.
        """
        while True:
            first = earliest(self._parts)
            self._next_due = due = None if first is None else first.due
            if due is None or (now - due) & SIGN_BIT:
                break
            for part in self._parts:
                if part.due == due:
                    part.fire(due)
                    if part is self._timeout:
                        self._end_session(due)
            self._step(due)
        self._step(now)

    def _step(self, now: int) -> None:
        """Step the unit, with the buttons that the desktop presses and the lamps that it shows."""
        unit = self.unit
        remote = self.remote
        unit.step(now, remote.combined(self._levels))
        remote.end_show()
        shown = remote.shown.value
        self.lamps = unit.lamps | shown & ALL_LAMPS
        self.tone = unit.tone or shown >> LAMP_COUNT

    def _end_session(self, now: int) -> None:
        """End the session, and release the buttons and the switch that the desktop holds."""
        self.has_desktop = self.is_watched = False
        self._timeout.due = None
        self.remote.release(now)

    # Receiving.

    def _receive_line(self, now: int, line: bytes) -> None:
        """Handle a frame, or run a command that a person has typed."""
        words = unseal(line).split(" ")
        if words[0]:
            self._received += 1
            self._handle(now, words)
            return
        words = decode(line).split(" ")
        if not self.has_desktop and (words[0] in COMMANDS or words[0] in OTHER_COMMANDS):
            self._received += 1
            if self.takes_typed:
                self._queue(*self._run(now, words, "-", 0))
            else:
                self._queue("refused", "-", 0, "unsealed")
        elif line:
            self._ignored += 1

    def _handle(self, now: int, words: list[str]) -> None:
        """Handle the words of a frame; the first that uses a new tag starts its session."""
        words += ("", "")
        what, tag, word = words[:3]
        if what == "hello":
            self._greet(now, word)
            return
        if tag and tag == self._greeted[1]:
            self.session = self._greeted
            self._greeted = ("", "")
            self._next_event = self.unit.events.count
            self._number = 0
        if not tag or tag != self.session[1]:
            self._queue("stranger", tag)
            return
        self.has_desktop = True
        self._timeout.due = add(now, self.silence_ms)
        if what == "do":
            self._run_once(now, words)
        elif what == "ping":
            self._queue("pong", tag, word, now, self._next_event)
        elif what == "since":
            self._next_event = min(max(0, parse_number(word, MASK)), self.unit.events.count)
        elif what == "bye":
            self._queue(what, tag)
            self._end_session(now)

    def _greet(self, now: int, client: str) -> None:
        """Answer a greeting; its session starts only with the next line of the client."""
        if not 0 < len(client) <= 16:
            return
        session = self.session
        if client != session[0]:
            if client != self._greeted[0]:
                self.session_count += 1
                self._greeted = (client, "%d.%d" % (self.boot, self.session_count))
            session = self._greeted
        self._queue("welcome", *session, PROTOCOL, self.about)
        self._queue_state(now, session[1])

    def _run_once(self, now: int, words: list[str]) -> None:
        """Run a numbered command; if it has run before, only repeat the answer."""
        tag, word = words[1:3]
        sequence = parse_number(word, MASK)
        if sequence < 1:
            self._queue("refused", tag, word, "bad-word")
            return
        if sequence < self._number:
            self._queue("refused", tag, sequence, "stale", self._number)
            return
        if sequence > self._number:
            self._number = sequence
            self._answer = self._run(now, words[3:], tag, sequence)
        self._queue(*self._answer)

    def _run(self, now: int, words: list[str], tag: str, sequence: int) -> tuple:
        """Run a command; return the words of the answer."""
        why, text = self._execute(now, words + ["", "", "", ""])
        self._step(now)
        if why:
            return "refused", tag, sequence, why
        if text:
            return "done", tag, sequence, text[:_LONGEST_ANSWER]
        return "done", tag, sequence

    def _execute(self, now: int, words: list[str]) -> tuple[str, str]:
        """Run a command; return the reason of a refusal and the text of the answer."""
        what = words[0]
        if what == "state":
            self._queue_state(now, self.session[1] or "-")
            return "", ""
        if what == "counters":
            counts = self._received, self._ignored, self._dropped
            return "", "received=%d ignored=%d dropped=%d" % counts
        if what == "describe":
            text = page(self.unit.settings.program, parse_number(words[1] or "0", MASK))
            return ("" if text else "bad-word"), text
        if what == "watch":
            return self._watch(words[1]), ""
        if what in COMMANDS:
            return COMMANDS[what](self.remote, now, words), ""
        text = self.run_other(words) if self.run_other else None
        return ("unknown", "") if text is None else ("", text)

    def _watch(self, word: str) -> str:
        """Start or stop the reports of edges."""
        if word not in ("on", "off"):
            return "bad-word"
        self.is_watched = word == "on"
        self._edges = Events()
        self._edges.count = self._next_edge  # numbers are never reused
        self._seen = self.unit.lamps, self.unit.tone
        return ""

    # Sending.

    def _queue(self, what: str, *words: str | int) -> None:
        """Add a line to `unsent`; drop it if there is no room."""
        line = seal((what + " %s" * len(words)) % words)
        if len(line) > LONGEST or len(self.unsent) + len(line) > _ROOM:
            self._dropped += 1
        else:
            self.unsent += line

    def queue_events(self) -> None:
        """Queue pending events, then edges, while `unsent` has room."""
        events = self.unit.events
        while self.has_desktop and len(self.unsent) <= _ROOM - LONGEST:
            if self._next_event < events.count:
                if self._next_event < events.first():
                    self._next_event = events.first()
                    self._queue("gone", self.session[1], self._next_event)
                else:
                    self._queue_event("event", events, self._next_event)
                    self._next_event += 1
            elif self.is_watched and self._next_edge < self._edges.count:
                self._next_edge = max(self._next_edge, self._edges.first())
                self._queue_event("edge", self._edges, self._next_edge)
                self._next_edge += 1
            else:
                return

    def _queue_event(self, what: str, events: Events, index: int) -> None:
        words = events.get(index)
        while words[-1] is None:
            words.pop()
        self._queue(what, self.session[1], index, *words)

    def _queue_state(self, now: int, tag: str) -> None:
        self._queue("state", tag, *self.snapshot(now), self.unit.events.count)

    def snapshot(self, now: int) -> tuple:
        """Return the words of `state` from NOW to VOLUME."""
        unit = self.unit
        settings = unit.settings
        return (
            now,
            unit.state,
            settings.program.name,
            settings.clock_ms,
            unit.clock.left_at(now),
            unit.auction_left(now),
            unit.lamps,
            unit.tone,
            settings.volume,
        )
