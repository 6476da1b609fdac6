"""The unit's light and permits: their events as actions of the rules, by the phase of the game."""

from city_game.kernel.deals import awaits_light
from city_game.table.unit import PATIENCE_MS, SessionPart
from city_unit import host
from city_unit.desktop.catalogue import _, lazy, ngettext

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
