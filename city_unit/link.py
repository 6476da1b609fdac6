"""The unit's end of the serial link: bytes and time go in, bytes come out.

A body that has a link steps the link in place of the unit, and shows the link's
`lamps` and `tone`: the fingers and the shows of the desktop are then a part of
the unit. It hands over what it receives (`receive`), writes as much of `unsent`
as fits, and says how much that was (`sent`). Nothing here waits for anybody.

Two rules. A command is done once, however often it is received: the desktop
numbers its commands, and a repeat is only answered again. Events are kept by
the unit and told in order, each when it fits; told again from any that is asked for.
"""

from city_unit.events import Events
from city_unit.fingers import IDENTIFY, Finger, Show
from city_unit.ticks import add, const
from city_unit.unit import AUCTION, BUILD, SWITCH
from city_unit.wire import LONGEST, PROTOCOL, Lines, is_plain, number, seal, unseal

SILENCE_MS = 5000  # after which a desktop that says nothing has left

_HALF = const(0x20000000)  # a difference with this bit is negative: see `ticks`
_TONE = const(5)  # the place of the tone in `_EDGES` and in `Unit.shown_at`
_ROOM = const(512)  # bytes that may wait to be written
_TAP_MS = const(80)
_LONGEST_HOLD_MS = const(600000)
_LONGEST_AUCTION_MS = const(3600000)
_LONGEST_CLOCK_MS = const(86400000)
_LONGEST_SHOW_MS = const(60000)
_LONGEST_ANSWER = const(80)
_EDGES = ("auction", "permit-1", "permit-2", "permit-3", "permit-station", "tone")
_RESTING = ("off", "ready", "over")  # the states in which a show covers nothing

# command: the method that does it and returns "", or why not
COMMANDS = {
    "press": "_press",
    "tap": "_press",
    "hold": "_press",
    "release": "_press",
    "switch": "_turn",
    "start": "_start",
    "stop": "_tell_unit",
    "program": "_choose",
    "restart": "_tell_unit",
    "volume": "_set_volume",
    "identify": "_show",
    "show": "_show",
    "watch": "_watch",
    "state": "_state",
    "counters": "_count",
}


class Link:
    """A unit with a serial line.

    unit      the unit, which nobody else steps
    boot      a number that differs from one start of the unit to the next, below 2^30
    about     what the unit says of itself: `VERSION BODY NAME`, plain words, 48 bytes at most
    live      whether a desktop is there
    unsent    the bytes to write next
    lamps     the lit lamps, and
    tone      what sounds, the desktop's shows included
    watched   whether the body is to call `shown` after each change that it shows
    more      answers the commands that only this body has: takes the words, returns
              the text of the answer, or None if it knows no such command
    """

    def __init__(
        self, unit, boot: int, about: str, silence_ms: int = SILENCE_MS, more=None
    ) -> None:
        self.unit = unit
        self.more = more
        self.live = False
        self.watched = False
        self.unsent = b""
        self.lamps = unit.lamps
        self.tone = unit.tone
        self._about = about
        self.boot = boot
        self._silence_ms = silence_ms
        self._lines = Lines()
        self._client = self._tag = ""  # of the desktop that is talked to
        self._new_client = self._new_tag = ""  # of one that has only greeted
        self._sessions = 0
        self._number = 0  # of the latest command
        self._answer = ""
        self._says = ""  # what follows in the answer, if it is done
        self._told = 0  # events that have been told
        self._received = self._ignored = self._dropped = 0  # lines
        self._raw = 0  # the levels of the contacts themselves
        self._kept = AUCTION | BUILD | SWITCH  # those of them that count
        self._auction = Finger(AUCTION)
        self._build = Finger(BUILD)
        self._switch = 0
        self._shows = Show()
        self._shows_until = 0  # the number of the event that ends a show
        self.due: int | None = None  # by then the desktop must be heard of
        self._parts = (self, self._auction, self._build, self._shows)
        self._due: int | None = None  # the earliest deadline of them

    # What a body calls.

    def step(self, now: int, levels: int) -> None:
        """Live until `now`, then take the contacts as they are at `now`."""
        if self._due is not None and not (now - self._due) & _HALF:
            self._advance(now)
        self._raw = levels
        self._step(now)
        if self.live:
            self._fill()

    def next_due(self) -> int | None:
        """Return when the link must be stepped next; None if something must come first."""
        due = self.unit.next_due()
        mine = self._due
        if mine is None or (due is not None and (due - mine) & _HALF):
            return due
        return mine

    def receive(self, now: int, data: bytes) -> None:
        """Take bytes as they come from the line, whatever they are."""
        for line in self._lines.feed(data):
            self._take(now, line)
        self._plan()
        self._step(now)
        self._fill()

    def sent(self, count: int) -> None:
        """Forget the first `count` bytes of `unsent`, which have been written."""
        self.unsent = self.unsent[count:]
        self._fill()

    def hang_up(self, now: int) -> None:
        """Forget what was half received or half sent: the line is another one now."""
        self._lines.clear()
        self.unsent = b""
        self.fire(now)
        self._plan()
        self._step(now)

    def shown(self, done_us: int) -> None:
        """Note which lamps and whether the tone have changed, shown at `done_us`.

        That is a time in microseconds on a clock that wraps at 2^30 and began
        with the clock of milliseconds.
        """
        unit = self.unit
        changed = unit.lamps ^ self._seen_lamps
        for lamp in range(5):
            if changed >> lamp & 1:
                lit = unit.lamps >> lamp & 1
                self._edges.add(unit.shown_at[lamp], _EDGES[lamp], lit, done_us)
        if unit.tone != self._seen_tone:
            self._edges.add(unit.shown_at[_TONE], _EDGES[_TONE], unit.tone, done_us)
        self._see()

    def _see(self) -> None:
        self._seen_lamps = self.unit.lamps
        self._seen_tone = self.unit.tone

    # What passes.

    def _advance(self, now: int) -> None:
        while self._due is not None and not (now - self._due) & _HALF:
            due = self._due
            for part in self._parts:
                if part.due == due:
                    part.fire(due)
            self._step(due)
            self._plan()

    def _plan(self) -> None:
        earliest = None
        for part in self._parts:
            due = part.due
            if due is not None and (earliest is None or (due - earliest) & _HALF):
                earliest = due
        self._due = earliest

    def _step(self, now: int) -> None:
        unit = self.unit
        shows = self._shows
        held = self._switch | self._auction.held | self._build.held
        unit.step(now, self._raw & self._kept | held)
        if shows.due is not None and unit.events.count != self._shows_until:
            shows.stop()
        self.lamps = unit.lamps | shows.lamps
        self.tone = unit.tone or shows.tone

    def fire(self, now: int) -> None:
        """Let go of what the desktop holds: it has left, or has not been heard of until `due`."""
        self.live = self.watched = False
        self.due = None
        self._kept = AUCTION | BUILD | SWITCH
        self._switch = 0
        for finger in (self._auction, self._build):
            if finger.due is None:  # a tap or a hold ends by itself
                finger.lift(now)

    # What is received.

    def _take(self, now: int, line: bytes) -> None:
        text = unseal(line)
        if text:
            self._received += 1
            self._read(now, text.split(" "))
        elif not self.live and is_plain(line) and line.split(b" ")[0].decode() in COMMANDS:
            self._received += 1  # typed by a person
            self._say(self._do(now, line.decode().split(" "), "-", 0))
        else:
            self._ignored += 1

    def _read(self, now: int, words: list[str]) -> None:
        what = words[0]
        words += ("", "")
        if what == "hello":
            self._greet(now, words[2])
            return
        tag = words[1]
        if tag and tag == self._new_tag:
            self._begin()
        if not tag or tag != self._tag:
            self._say("stranger " + tag)
            return
        self.live = True
        self.due = add(now, self._silence_ms)
        if what == "do":
            self._command(now, words)
        elif what == "ping":
            self._say("pong %s %s %d %d" % (tag, words[2], now, self._told))
        elif what == "since":
            self._told = min(max(0, number(words[2], _HALF)), self.unit.events.count)
        elif what == "bye":
            self._say("bye " + tag)
            self.fire(now)

    def _greet(self, now: int, client: str) -> None:
        """Answer a greeting; who greets takes over only with the line that follows."""
        if not 0 < len(client) <= 16:
            return
        tag = self._tag
        if client != self._client:
            if client != self._new_client:
                self._sessions += 1
                self._new_client = client
                self._new_tag = "%d.%d" % (self.boot, self._sessions)
            tag = self._new_tag
        self._say("welcome %s %s %d %s" % (client, tag, PROTOCOL, self._about))
        self._tell_state(now, tag)

    def _begin(self) -> None:
        self._client = self._new_client
        self._tag = self._new_tag
        self._new_client = self._new_tag = ""
        self._told = self.unit.events.count
        self._number = 0

    def _command(self, now: int, words: list[str]) -> None:
        sequence = number(words[2], _HALF)
        if sequence > self._number:
            self._number = sequence
            self._answer = self._do(now, words[3:], self._tag, sequence)
        if sequence == self._number:
            self._say(self._answer)

    # What is said.

    def _say(self, text: str) -> None:
        line = seal(text)
        if len(self.unsent) + len(line) > _ROOM:
            self._dropped += 1
            return
        self.unsent += line

    def _fill(self) -> None:
        """Tell what there is to tell, while there is room: events first."""
        events = self.unit.events
        while self.live and len(self.unsent) <= _ROOM - LONGEST:
            if self._told < events.first():
                self._told = events.first()
                self._say("gone %s %d" % (self._tag, self._told))
            elif self._told < events.count:
                self._tell(events, "event", self._told)
                self._told += 1
            elif self.watched and self._edges_told < self._edges.count:
                self._edges_told = max(self._edges_told, self._edges.first())
                self._tell(self._edges, "edge", self._edges_told)
                self._edges_told += 1
            else:
                return

    def _tell(self, events: Events, what: str, index: int) -> None:
        at, kind, value, why = events.get(index)
        text = "%s %s %d %d %s" % (what, self._tag, index, at, kind)
        if value is not None:
            text += " %s" % value
        if why is not None:
            text += " %s" % why
        self._say(text)

    def _tell_state(self, now: int, tag: str) -> None:
        unit = self.unit
        settings = unit.settings
        times = (settings.clock_ms, unit.clock.left_at(now), unit.auction_left(now))
        shown = (unit.lamps, unit.tone, settings.volume, unit.events.count)
        start = (tag, now, unit.state, settings.program.name)
        self._say("state %s %d %s %s %d %d %d %d %d %d %d" % (start + times + shown))

    # The commands: each returns "" if it is done, else why not.

    def _do(self, now: int, words: list[str], tag: str, sequence: int) -> str:
        self._says = ""
        words += ("", "", "", "")
        name = COMMANDS.get(words[0])
        why = getattr(self, name)(now, words) if name else self._ask_body(words)
        self._step(now)
        if why:
            return "refused %s %d %s" % (tag, sequence, why)
        return ("done %s %d %s" % (tag, sequence, self._says)).rstrip()

    def _ask_body(self, words: list[str]) -> str:
        says = self.more(words) if self.more else None
        if says is None:
            return "unknown"
        self._says = says[:_LONGEST_ANSWER]
        return ""

    def _press(self, now: int, words: list[str]) -> str:
        finger = self._auction if words[1] == "auction" else self._build
        what = words[0]
        length = number(words[2], _LONGEST_HOLD_MS) if what == "hold" else _TAP_MS
        if words[1] not in ("auction", "build") or length < 1:
            return "bad-word"
        if what == "release":
            finger.lift(now)
            return ""
        return finger.press(now, 0 if what == "press" else length)

    def _turn(self, _now: int, words: list[str]) -> str:
        """Hold the switch on or off, or leave it to whoever is at the unit."""
        if words[1] not in ("on", "off", "free"):
            return "bad-word"
        self._kept = AUCTION | BUILD
        self._switch = 0
        if words[1] == "on":
            self._switch = SWITCH
        elif words[1] == "free":
            self._kept |= SWITCH
        return ""

    def _start(self, now: int, words: list[str]) -> str:
        length = number(words[1] or "0", _LONGEST_AUCTION_MS)
        return self.unit.command(now, "start auction", length) if length >= 0 else "bad-word"

    def _tell_unit(self, now: int, words: list[str]) -> str:
        return self.unit.command(now, "restart" if words[0] == "restart" else "stop auction")

    def _choose(self, now: int, words: list[str]) -> str:
        settings = self.unit.settings
        before = settings.program, settings.clock_ms
        for program in settings.programs:
            if program.name == words[1]:
                clock_ms = number(words[2] or str(program.clock_ms), _LONGEST_CLOCK_MS)
                if clock_ms < 0:
                    return "bad-word"
                settings.choose(program, clock_ms)
                why = "" if self.unit.state == "off" else self.unit.command(now, "restart")
                if why:
                    settings.choose(*before)
                return why
        return "bad-word"

    def _set_volume(self, _now: int, words: list[str]) -> str:
        volume = number(words[1], 3)
        if volume < 0:
            return "bad-word"
        self.unit.settings.volume = volume
        return ""

    def _show(self, now: int, words: list[str]) -> str:
        """Show what the next event ends, so that it covers nothing that the unit tells."""
        pattern = IDENTIFY
        if words[0] == "show":
            length = number(words[3], _LONGEST_SHOW_MS)
            pattern = (number(words[1], 31), number(words[2], 20000), length)
        if min(pattern) < 0:
            return "bad-word"
        if self.unit.state not in _RESTING:
            return self.unit.state
        self._shows.start(now, pattern)
        self._shows_until = self.unit.events.count
        return ""

    def _watch(self, _now: int, words: list[str]) -> str:
        if words[1] not in ("on", "off"):
            return "bad-word"
        self.watched = words[1] == "on"
        self._edges = Events()  # not before: a board has other uses for the room
        self._edges_told = 0
        self._see()
        return ""

    def _state(self, now: int, _words: list[str]) -> str:
        self._tell_state(now, self._tag or "-")
        return ""

    def _count(self, _now: int, _words: list[str]) -> str:
        counters = (self._received, self._ignored, self._dropped)
        self._says = "received=%d ignored=%d dropped=%d" % counters
        return ""
