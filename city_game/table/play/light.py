"""The unit's light and its permits: what each of its events means in each phase of the game.

An event without a row in a phase is done as the row of `ELSEWHERE` says, if there is any.
"""

from city_game.kernel.deals import awaits_light
from city_game.table.play.game_at_table import GameAtTable, Patience
from city_unit import host
from city_unit.desktop.catalogue import _, lazy, ngettext

UNIT_WHY = {
    "auction": lazy("the light is on"),
    "warning": lazy("the light is on"),
    "drawing": lazy("a permit is being drawn"),
    "over": lazy("its hour is over; switch it off and on for another"),
    "setup": lazy("it is being set up"),
    "no-permits": lazy("its program has no permits"),
    "busy": lazy("a finger is on that button already"),
}


# The names on the unit's buttons.
BUTTON_NAMES = {"auction": lazy("AUCTION"), "build": lazy("BUILD")}

# After the light: for bids that were made before it and are still on their way, and for those
# that came too late, which are to be seen and kept as well.
GRACE_MS = 1000

# phase: {the unit's event: the method of Light that handles it}; "forgotten": the light or the
# permit is lost, as the unit was switched off, started anew or replaced
MEANINGS = {
    "hammer": {"auction-started": "_begin_sale"},
    "bidding": {
        "auction-warning": "_warn",
        "auction-ended": "_end_sale",
        "auction-cancelled": "_stop_sale",
        "forgotten": "_restart_sale",
    },
    "settling": {"forgotten": "_settle_now", "auction-cancelled": "_settle_now"},
    "deal": {
        "auction-started": "_time_deal",
        "auction-ended": "_end_deal",
        "auction-cancelled": "_free_deal",
        "forgotten": "_lose_deal",
    },
    "manage": {"permit-started": "_press"},
    "permit": {"permit-granted": "_grant", "forgotten": "_draw_again"},
    "over": {"auction-cancelled": "_ignore"},
}
ELSEWHERE = {
    "auction-started": "_tell_stray",
    "auction-cancelled": "_tell_stopped",
    "permit-started": "_tell_void",
}
NOTED_MS = 1000  # between two notes that the light of a sale is on, for one that goes on later
ANSWERS = ("auction-started", "permit-started", "refused")  # of the unit to requests of the table


class Light:
    """The light and the permits on the unit for the game.

    asked      how long the unit may take to answer a press of the table itself
    no_permit  the roll after which the unit refused BUILD, -1 for none
    """

    def __init__(self, game: GameAtTable) -> None:
        self._game = game
        self.asked = Patience()
        self.no_permit = -1
        self._settle_at = 0.0
        self._quiet = False  # the table puts the light out itself, and need not announce it
        self._noted = 0.0  # when it was last noted that the light is on, by the unit's clock
        self._has_warned = False  # of the end of a sale that goes on after an interruption

    def hear(self, event: host.Event) -> None:
        """Take an event of the unit."""
        if event.kind in ANSWERS:
            self.asked.end()
            self._quiet = False
        elif event.kind == "auction-cancelled":  # by hand: the table presses only later
            self.asked.begin(self._game.unit.host_ms())
        if event.kind == "refused":
            self._tell_refusal(event)
        else:
            self._do(event.kind, event)

    def forget(self) -> None:
        """Restart the auction or the permit that the unit has forgotten."""
        self._do("forgotten", None)

    def catch_up(self) -> None:
        """Events were lost: believe the unit's present state."""
        if self._game.unit.light_is_on:
            return
        if self._game.state.phase == "bidding":
            self._game.do(("cancelled",))
        elif self._game.state.phase == "deal":
            self._lose_deal(None)

    @property
    def ends(self) -> float | None:
        """When the running sale ends by the unit's clock, None if that is secret, or none runs.

        A sale that goes on has only the rest of its time: the table then puts the light out.
        """
        ends, auction = self._game.unit.ends, self._game.state.auction
        return ends - auction.elapsed if ends is not None and auction is not None else ends

    def look(self) -> None:
        """Note that the light is on; end a sale that goes on when its rest is over."""
        game, auction, ends = self._game, self._game.state.auction, self.ends
        now = game.unit.now()
        if abs(now - self._noted) >= NOTED_MS:
            self._noted = now
            game.note_light(int(now))
        if auction is None or not auction.elapsed or ends is None:
            return
        if now >= ends:
            self.end_early()
        elif now >= ends - game.unit.described.warning_ms and not self._has_warned:
            self._has_warned = True
            self._say_left(int(ends - now))

    def is_settled(self, now: float) -> bool:
        """Return whether all bids of a sale that has ended have had time to come in."""
        return now >= self._settle_at

    def _do(self, what: str, event: host.Event | None) -> None:
        method = MEANINGS.get(self._game.state.phase, {}).get(what, ELSEWHERE.get(what))
        if method:
            getattr(self, method)(event)

    def _begin_sale(self, event: host.Event) -> None:
        self._has_warned = False
        self._game.do(("light on", event.ms))

    def _warn(self, event: host.Event) -> None:
        auction = self._game.state.auction
        if auction is None or not auction.elapsed:
            self._say_left(int(event.fields.get("left_ms", 0)))

    def _say_left(self, left_ms: int) -> None:
        seconds = -(-left_ms // 1000)
        self._game.say(
            ngettext("{count} second left", "{count} seconds left", seconds).format(count=seconds)
        )

    def _end_sale(self, event: host.Event) -> None:
        if self._game.do(("light out", event.ms)):
            self._settle_at = self._game.unit.host_ms() + GRACE_MS
        else:  # refused: the unit's clock went back, so its times are worth nothing
            self._game.do(("cancelled",))

    def end_early(self) -> None:
        """End a sale that is decided, at this moment by the unit's clock, and put the light out."""
        unit = self._game.unit
        if self._game.do(("light out", int(unit.now()) + 1)):
            self._settle_at = unit.host_ms() + GRACE_MS
            unit.stop_light()

    def _stop_sale(self, _event: host.Event) -> None:
        self._game.do(("cancelled",))

    def _restart_sale(self, _event: None) -> None:
        """Start the sale anew, and hint at that: it matters more than the unit's last event."""
        self._game.do(("cancelled",))
        self._game.hint(self._game.log[-1])

    def _settle_now(self, _event: host.Event | None) -> None:
        self._settle_at = 0.0

    def time_deal(self, at: int) -> None:
        """Time the offered deal by the light, which is on at this time of the unit's clock."""
        if awaits_light(self._game.state):
            self._game.do(("deal light on", at))
        self._game.say(_("The light times this deal"))

    def leave_deal(self) -> None:
        """Put the light out that timed a deal: there is an answer."""
        unit = self._game.unit
        if self._game.state.rules.deals_by_the_light and unit.online and unit.light_is_on:
            self._quiet = True
            unit.stop_light()

    def _time_deal(self, event: host.Event) -> None:
        self.time_deal(event.ms)

    def _end_deal(self, _event: host.Event) -> None:
        if not awaits_light(self._game.state):
            self._game.do(("timed out",))

    def _free_deal(self, _event: host.Event) -> None:
        if self._game.state.rules.deals_by_the_light:
            self._lose_deal(None)
        else:
            self._game.say(_("The light was stopped; the deal has all the time you want"))

    def _lose_deal(self, _event: None) -> None:
        """Note that the deal has lost its light: the next light times it anew."""
        deal = self._game.state.deal
        if deal is not None and deal.started is not None:
            self._game.do(("deal light off",))

    def _press(self, _event: host.Event) -> None:
        self._game.do(("press",))

    def _grant(self, event: host.Event) -> None:
        self._game.do(("permit", str(event.fields["permit"])))

    def _draw_again(self, _event: None) -> None:
        self._game.do(("refused",))

    def _ignore(self, _event: host.Event) -> None:
        pass

    def _tell_stray(self, _event: host.Event) -> None:
        self._game.say(_("The light times a deal; AUCTION held down stops it"))

    def _tell_stopped(self, _event: host.Event) -> None:
        if self._quiet:
            self._quiet = False
            return
        self._game.say(_("The light was stopped"))

    def _tell_void(self, _event: host.Event) -> None:
        self._game.say(
            _("That permit does not count: BUILD is pressed on one's own turn, after the move")
        )

    def _tell_refusal(self, event: host.Event) -> None:
        why = str(event.fields.get("why", ""))
        what = str(event.fields.get("what", ""))
        if what == "build":
            self.no_permit = self._game.state.rolls
        words, what = UNIT_WHY.get(why, why), BUTTON_NAMES.get(what, what)
        self._game.say(_("The unit refuses {what}: {why}").format(what=what, why=words))
