"""The unit as the table uses it: connection, hour and light.

`TableUnit` wraps the client of the link: it mirrors the unit's lamps, tone, state and clock, and
presses its buttons. `Hour` translates the events of its clock into actions of the rules, `Light`
those of its light and permits.
"""

import contextlib
from collections import deque
from collections.abc import Callable
from typing import Protocol

from city_game import editions
from city_game.editions import described, due_call
from city_game.kernel.deals import awaits_light
from city_game.kernel.state import State
from city_game.save import Save
from city_unit import host
from city_unit.desktop.catalogue import _, lazy, ngettext
from city_unit.desktop.forms import minutes
from city_unit.facts import AUCTIONING, TAP_MS

REFRESH_MS = 5000  # interval between requests of the whole state, in case an edge was lost

SHORTEST_MS = TAP_MS  # shortest press, longer than the unit's debounce
APART_MS = 40  # from a release to the next press, longer than the unit's debounce too
MOST_AHEAD = 4  # longest queue of presses and releases; faster presses are dropped


class RemoteButton:
    """A button, pressed and released over the link.

    A release is sent once the unit has acknowledged the press and a tap's time has passed. It is
    repeated until acknowledged, so a lost line never leaves a button held.
    """

    def __init__(self, button: str, ask: Callable[[str], host.Request]) -> None:
        self._button = button
        self._ask = ask
        self._down = False  # the player's finger
        self._ahead: deque[str] = deque()  # presses and releases still to send
        self._request: host.Request | None = None
        self._next_at = 0.0

    def is_free(self, now: float) -> bool:
        return not (self._down or self._ahead) and now >= self._next_at

    def press(self) -> None:
        if not self._down and len(self._ahead) < MOST_AHEAD:
            self._down = True
            self._ahead.append("press")

    def lift(self) -> None:
        """Release the button; a release is never dropped."""
        if self._down:
            self._down = False
            self._ahead.append("release")

    def step(self, now: float) -> None:
        """Send the next press or release if it is due, at `now` host ms."""
        if self._request is not None:
            if not self._request.finished:
                return
            motion, request, self._request = self._ahead[0], self._request, None
            # A release without a response is sent again.
            if motion == "press" or not isinstance(request.error, host.NoAnswer):
                self._ahead.popleft()
                self._next_at = now + (SHORTEST_MS if motion == "press" else APART_MS)
        if self._ahead and now >= self._next_at:
            self._request = self._ask(f"{self._ahead[0]} {self._button}")


class TableUnit:
    """A unit at the other end of the link, real or emulated.

    Call `poll` once per frame. Times are ms of the unit's clock unless called host ms.
    """

    def __init__(self, client: host.Client, is_mine: bool = False) -> None:
        self.client = client
        self.host_ms = client.host_ms  # the host's time also runs without a unit
        self.close = client.close
        self.online = client.online  # the unit answered at the last poll
        self.is_mine = is_mine  # the table runs the unit itself and plays its sound
        self.full_ms = 0  # length of the whole game if the unit was set to the rest of one, else 0
        # Figures of the usual program until the unit reports its own.
        self.described = described(editions.USUAL_PROGRAM)
        self._describing: host.Describing | None = None
        self.lamps = 0  # mask of the lit ones, AUCTION first
        self.tone = 0  # Hz, 0 for silence
        self.state = ""  # before its first snapshot
        self.program = ""
        self.ends: float | None = None  # the current auction; None if that is secret
        self.error = ""  # why the unit refused the latest request
        self._requests: list[host.Request] = []
        self._snapshot: host.Snapshot | None = None
        self._newest = -1  # the number of its latest event
        self._refresh_at = 0.0
        self.time = 0.0  # at the last poll; everything a frame does happens at this time
        self._within = 0
        self._started_at: int | None = None  # unit time of its latest start, if known
        self._snapshot_before: host.Snapshot | None = None  # the latest snapshot before that start
        self._buttons = {button: RemoteButton(button, self.ask) for button in host.BUTTONS}
        self._subscribe()

    def poll(self) -> list[host.News]:
        """Send the presses that are due; return the news since the last call."""
        now = self.host_ms()
        for button in self._buttons.values():
            button.step(now)
        news, self.online = self.receive(), self.client.online
        for item in news:
            match item:
                case host.Edge(what="tone"):
                    self.tone = item.value
                case host.Edge() if item.what in host.LAMPS:  # a newer unit may have other lamps
                    bit = 1 << host.LAMPS.index(item.what)
                    self.lamps = self.lamps | bit if item.value else self.lamps & ~bit
                case host.Event():
                    self._newest = item.number
                    if item.kind == "auction-started":
                        length = item.fields.get("length_ms")
                        self.ends = item.ms + int(length) if length else None
                        self.state = "auction"
                    elif item.kind == "switched-on":
                        self._describing = self.client.ask_description()
                        self._started_at, self._snapshot_before = item.ms, self._snapshot
                    elif item.kind in ("auction-ended", "auction-cancelled"):
                        self.ends = None
                        self.state = "ready"  # until the next snapshot
                    self._refresh_at = 0.0
                case host.Connected():
                    self._subscribe()
                case host.Restarted():
                    self.ends, self._newest = None, -1
        for request in [request for request in self._requests if request.finished]:
            self._requests.remove(request)
            if isinstance(request.error, host.Refused):
                self.error = request.error.why
        if self._describing is not None and self._describing.finished:
            with contextlib.suppress(host.LinkError):  # an older unit does not know the request
                self.described = self._describing.result()
            self._describing = None
        snapshot = self.client.snapshot
        if snapshot is None or snapshot.events <= self._newest:
            pass  # it was sent before the latest event
        elif snapshot is not self._snapshot:
            self._snapshot = snapshot
            self.state, self.program = snapshot.state, snapshot.program
            self.lamps, self.tone = snapshot.lamps, snapshot.tone
            if snapshot.auction_left_ms:
                self.ends = snapshot.ms + snapshot.auction_left_ms
            elif snapshot.state not in AUCTIONING:
                self.ends = None
        if now >= self._refresh_at and self.online:
            self._refresh_at = now + REFRESH_MS
            self.ask("state")
        self.now()  # sets `time`
        return news

    def receive(self) -> list[host.News]:
        """Return the client's news; tests override this to advance virtual time."""
        return self.client.poll(0)

    def now(self) -> float:
        """Return the unit's time; the last known time while it cannot be estimated."""
        with contextlib.suppress(LookupError):
            self.time = self.client.unit_time(self.host_ms())
        return self.time

    def at(self, host_ms: float) -> float:
        """Return the unit's time at a recent `host_ms`."""
        return self.now() - (self.host_ms() - host_ms)

    def within(self) -> int:
        """Return the uncertainty of `now` in ms, rounded up."""
        with contextlib.suppress(LookupError):
            self._within = int(self.client.uncertainty + 0.999)
        return self._within

    def clock_left(self) -> float | None:
        """Return the ms left of the hour, None while the unit has no clock running."""
        seen = self._snapshot
        if seen is None or not seen.clock_ms or seen.state in ("off", "setup"):
            return None
        return max(0.0, seen.clock_left_ms - (self.time - seen.ms))

    @property
    def clock_is_known(self) -> bool:
        """Return True if the unit was started at this table and has reported its clock since."""
        seen, started = self._snapshot, self._started_at
        is_later = seen is not None and started is not None and seen.ms > started
        return is_later and seen is not self._snapshot_before

    def forget_clock(self) -> None:
        """Distrust the unit's clock until its next start, which is about to be requested."""
        self._started_at = None

    def left(self) -> float:
        """Return the share of the hour that is left, 1.0 to 0.0."""
        seen, left = self._snapshot, self.clock_left()
        return 1.0 if left is None or seen is None else left / max(seen.clock_ms, self.full_ms)

    def press(self, button: str) -> None:
        self._buttons[button].press()

    def lift(self) -> None:
        for button in self._buttons.values():
            button.lift()

    @property
    def is_touched(self) -> bool:
        """Return True while a button is pressed or its presses are still being sent."""
        now = self.host_ms()
        return not all(button.is_free(now) for button in self._buttons.values())

    @property
    def light_is_on(self) -> bool:
        return self.state in AUCTIONING

    def ask(self, text: str) -> host.Request:
        """Send a request; its effects arrive as news."""
        request = self.client.ask(text)
        self._requests.append(request)
        return request

    def _subscribe(self) -> None:
        self.ask("watch on")
        self.ask("state")
        self._describing = self.client.ask_description()


class SessionPart(Protocol):
    """The part of a session that its hour, its light and its auctioneer use."""

    state: State
    unit: TableUnit
    save: Save | None
    log: list[str]
    gathers: bool

    def do(self, action: tuple) -> bool: ...

    def say(self, text: str) -> None: ...

    def hint(self, text: str) -> None: ...

    def at_keyboard(self) -> set[int]: ...


# The hour.

PATIENCE_MS = 4000  # how long the unit has to respond before the table presses again


class Hour:
    """The hour of a game: `length` minutes, 0 for the length set at the unit.

    The unit's next start begins another hour once this one is over, except if the table restarts
    the unit because the last turn needs a button. A button may be needed after the unit's hour has
    ended, but before the game has processed that. Once the game is over, starts and clock marks of
    the unit are ignored.
    """

    def __init__(self, session: SessionPart, length: int) -> None:
        self._session = session
        self._program = session.state.edition.program
        self._whole_ms = length * 60000
        self._begun_with_ms = 0  # the rest the unit was last started with, 0 for a whole hour
        self._left_ms = 0  # time left, last known while the unit was on
        self.kept_ms = 0  # time left when the unit was switched off before the end
        self._starts_until = 0.0  # host ms until which the unit may still be restarting
        self.is_over = session.state.hour_over  # the current turn is the last
        self.is_restarting = False  # the unit is being restarted for that turn

    def step(self) -> None:
        """Note the time left, and perform the action now due, also if its mark was missed.

        Until the unit reports its clock after a start, the time left is that of the old hour.
        """
        session, unit, left = self._session, self._session.unit, self._session.unit.clock_left()
        if unit.state != "off":
            self._left_ms = int(left or 0)
        if not session.state.edition.calls or session.gathers or left is None:
            return
        if unit.clock_is_known and unit.program == self._program:
            action = due_call(session.state, left, int(unit.time))
            if action:
                session.do(action)

    def begin(self, left_ms: int = 0) -> None:
        """Start the hour on the unit, or the rest of one."""
        unit = self._session.unit
        unit.forget_clock()
        self._begun_with_ms = left_ms
        if left_ms or self._whole_ms:
            unit.ask(f"program {self._program} {left_ms or self._whole_ms}")
        elif unit.full_ms or (unit.program or editions.USUAL_PROGRAM) != self._program:
            unit.ask(f"program {self._program}")
        else:
            unit.ask("restart")
        unit.full_ms = self._whole_ms or (unit.described.clock_ms if left_ms else 0)

    def go_on(self, left_ms: int | None = None) -> None:
        """Restart the unit, possibly another one, with `left_ms` or the time left last known."""
        left_ms = self._left_ms if left_ms is None else left_ms
        if left_ms and not self._session.state.hour_over:
            self.begin(left_ms)
            words = _("The hour continues with {time} left")
            self._session.say(words.format(time=minutes(left_ms)))

    def begin_another(self) -> None:
        """Start another hour if this one is over."""
        if self.is_over:
            self.is_restarting = False
            self.begin()
        else:
            words = _("The hour is still running; another one can start when it is over")
            self._session.hint(words)

    def prepare_press(self) -> None:
        """Restart a unit whose hour is over, for the last turn: it is about to be pressed."""
        unit = self._session.unit
        if unit.state == "over" and unit.host_ms() >= self._starts_until:
            self.is_restarting = True
            self._starts_until = unit.host_ms() + PATIENCE_MS
            unit.ask("restart")

    # Events of the unit.

    def switched_on(self, ms: int) -> None:
        """Continue with the time left, or begin another hour, at `ms` of the unit's clock."""
        if self._session.state.phase == "over":
            return
        kept_ms, self.kept_ms = self.kept_ms, 0
        if self.is_restarting:
            self.is_restarting = False
        elif self.is_over:
            self.is_over = False
            self._session.do(("new hour", ms))
            if self._begun_with_ms:  # the unit would repeat only the rest of the last one
                self.begin()
        else:
            self._go_on(kept_ms)

    def switched_off(self) -> None:
        """Remember the time left, since a unit that is switched on starts a whole hour."""
        self.kept_ms = self._left_ms
        if self.is_over and self._left_ms:
            self.is_restarting = True

    def unit_restarted(self) -> None:
        if not self.is_over:
            self._go_on(self._left_ms)

    def _go_on(self, left_ms: int) -> None:
        if self._session.unit.program in ("", self._program):
            self.go_on(left_ms)

    def ended(self, ms: int) -> None:
        """Make the current turn the last one; the hour ended at `ms` of the unit's clock."""
        if self.is_over or self._session.state.phase == "over":
            return
        self.is_over = True
        if self._session.state.rules.until_one_is_left:
            self._session.say(
                _("The unit's hour is over; the game continues until one player is left.")
            )
        else:
            self._session.do(("hour ended", ms))

    def beeped(self, left_ms: int) -> None:
        """Log the time left."""
        if not self.is_over and self._session.state.phase != "over":
            words = _("The hour has {time} left.")
            self._session.log.append(words.format(time=minutes(left_ms)))


# The light and the permits.

UNIT_WHY = {
    "auction": lazy("the light is on"),
    "warning": lazy("the light is on"),
    "drawing": lazy("a permit is being drawn"),
    "over": lazy("its hour is over; switch it off and on for another"),
    "setup": lazy("it is being set up"),
    "no-permits": lazy("its program has no permits"),
    "busy": lazy("that button is already pressed"),
}
BUTTON_NAMES = {"auction": lazy("AUCTION"), "build": lazy("BUILD")}

# How long bids are accepted after the light: those pressed in time and still on their way, and late
# ones, which are shown and recorded too.
GRACE_MS = 1000

NOTED_MS = 1000  # interval at which the time of a running sale is saved, to resume it later
ANSWERS = ("auction-started", "permit-started", "refused")  # the unit's responses to the table


class Light:
    """The effects of the unit's light and permits on the game."""

    def __init__(self, session: SessionPart) -> None:
        self._session = session
        # Deadline of the response to a button the table pressed itself, host ms.
        self.waits_until = 0.0
        self.no_permit = -1  # number of the roll after which the unit refused BUILD
        self.settle_at = 0.0  # when the bids of an ended sale are settled, host ms
        self._quiet = False  # the table stops the light itself and does not announce it
        self._noted = 0.0  # unit time at which the running sale was last saved
        self._has_warned = False  # the table has announced the end of a resumed sale

    def handle(self, event: host.Event) -> None:
        session = self._session
        if event.kind in ANSWERS:
            self.waits_until = 0.0
            self._quiet = False
        elif event.kind == "auction-cancelled":  # give the person time before the table presses
            self.waits_until = session.unit.host_ms() + PATIENCE_MS
        if event.kind == "refused":
            why = str(event.fields.get("why", ""))
            what = str(event.fields.get("what", ""))
            if what == "build":
                self.no_permit = session.state.rolls
            words, what = UNIT_WHY.get(why, why), BUTTON_NAMES.get(what, what)
            session.say(_("The unit refuses {what}: {why}").format(what=what, why=words))
            return
        match session.state.phase, event.kind:
            case "hammer", "auction-started":
                self._has_warned = False
                session.do(("light on", event.ms))
            case "bidding", "auction-warning":
                auction = session.state.auction
                if auction is None or not auction.elapsed:
                    self._say_left(int(event.fields.get("left_ms", 0)))
            case "bidding", "auction-ended":
                if not self._end_sale(event.ms):  # the unit's clock went backwards
                    session.do(("cancelled",))
            case "bidding", "auction-cancelled":
                session.do(("cancelled",))
            case "settling", "auction-cancelled":
                self.settle_at = 0.0
            case "deal", "auction-started":
                self.time_deal(event.ms)
            case "deal", "auction-ended":
                if not awaits_light(session.state):
                    session.do(("timed out",))
            case "deal", "auction-cancelled":
                if session.state.rules.deals_by_the_light:
                    self._lose_deal()
                else:
                    session.say(_("The light was stopped; the deal has no time limit now"))
            case "manage", "permit-started":
                session.do(("press",))
            case "permit", "permit-granted":
                session.do(("permit", str(event.fields["permit"])))
            case _, "auction-started":
                session.say(_("The light is timing a deal; hold AUCTION to stop it"))
            case _, "permit-started":
                words = _(
                    "That permit does not count: press BUILD on your own turn, after the move"
                )
                session.say(words)
            case phase, "auction-cancelled" if phase != "over":
                if not self._quiet:
                    session.say(_("The light was stopped"))
                self._quiet = False

    def forget(self) -> None:
        """Restart the auction or permit that the unit lost: it was switched off or replaced."""
        session = self._session
        match session.state.phase:
            case "bidding":
                session.do(("cancelled",))
                session.hint(session.log[-1])  # instead of the unit's latest event
            case "settling":
                self.settle_at = 0.0
            case "deal":
                self._lose_deal()
            case "permit":
                session.do(("refused",))

    def catch_up(self) -> None:
        """Cancel a sale or free a deal whose light has gone out while events were missed."""
        if self._session.unit.light_is_on:
            return
        if self._session.state.phase == "bidding":
            self._session.do(("cancelled",))
        elif self._session.state.phase == "deal":
            self._lose_deal()

    @property
    def ends(self) -> float | None:
        """Return the unit time at which the sale ends, None without a sale or if it is secret.

        A resumed sale has only the rest of its time, and the table stops its light.
        """
        ends, auction = self._session.unit.ends, self._session.state.auction
        return ends - auction.elapsed if ends is not None and auction is not None else ends

    def step(self) -> None:
        """Save the time of the running sale; warn of and end a resumed sale when it is due."""
        session, auction, ends = self._session, self._session.state.auction, self.ends
        now = session.unit.time
        if abs(now - self._noted) >= NOTED_MS:
            self._noted = now
            if session.save:
                session.save.note_light(int(now))
        if auction is None or not auction.elapsed or ends is None:
            return
        if now >= ends:
            self.end_early()
        elif now >= ends - session.unit.described.warning_ms and not self._has_warned:
            self._has_warned = True
            self._say_left(int(ends - now))

    def _say_left(self, left_ms: int) -> None:
        seconds = -(-left_ms // 1000)
        self._session.say(
            ngettext("{count} second left", "{count} seconds left", seconds).format(count=seconds)
        )

    def end_early(self) -> None:
        """End a decided sale at the unit's current time, and stop the light."""
        if self._end_sale(int(self._session.unit.now()) + 1):
            self._session.unit.ask("stop")

    def _end_sale(self, at: int) -> bool:
        """End the sale at a time of the unit's clock; return False if the rules refuse it."""
        is_done = self._session.do(("light out", at))
        if is_done:
            self.settle_at = self._session.unit.host_ms() + GRACE_MS
        return is_done

    def time_deal(self, at: int) -> None:
        """Time the offered deal by the light, which is on at `at` of the unit's clock."""
        if awaits_light(self._session.state):
            self._session.do(("deal light on", at))
        self._session.say(_("The light is timing this deal"))

    def leave_deal(self) -> None:
        """Stop the light that timed a deal which is now accepted or declined."""
        unit = self._session.unit
        if self._session.state.rules.deals_by_the_light and unit.online and unit.light_is_on:
            self._quiet = True
            unit.ask("stop")

    def _lose_deal(self) -> None:
        """Record that the deal lost its light; the next light times it from the start."""
        deal = self._session.state.deal
        if deal is not None and deal.started is not None:
            self._session.do(("deal light off",))
