"""A game in progress: the rules, the unit's news, the bots, and the players' actions meet here.

Nothing is drawn here and no time is read but the unit's: call `step` often.
"""

from city_game import bots, texts_table
from city_game.game import Game
from city_game.pace import HOUR_MS, THINKING
from city_game.rules import luck
from city_game.rules.building import has_ground
from city_game.rules.sales import refusal
from city_game.rules.state import Illegal
from city_game.save import Save
from city_game.table.bot_bids import BotBids
from city_game.table.unit import TableUnit
from city_game.texts import REASONS
from city_game.words import tell
from city_unit import host

HUMAN = "human"
# After the light: for bids that were made before it and are still to be told, and for those
# that came too late, which are to be seen and kept as well.
GRACE_MS = 1000
PATIENCE_MS = 4000  # after which the table itself presses AUCTION, if no person is to
THINKING_SHARE = 0.4  # of the times of a simulated game: one watches bots, and waits for them
CLOCK_NOTED = ("roll", "end turn", "settle", "permit")  # the steps after which the clock is saved
DRAWN = ("start roll", "dice", "chance")  # the phases that chance plays by itself


class Session:
    """One game at one table.

    log      what has happened, in words, oldest first
    message  what the players were last told beside the rules, at `message_at` (host ms)
    told     events of the rules since the game was opened, for whoever animates them
    pace     how fast bots and chance are: 1 as usual, 0 at once
    busy     until when (host ms) the table is showing what has happened; bots wait
    """

    def __init__(
        self, game: Game, unit: TableUnit, save: Save | None = None, pace: float = 1.0
    ) -> None:
        self.game = game
        self.unit = unit
        self.save = save
        self.pace = pace
        self.names = list(game.setup.names)
        self.bots: list[bots.Bot | None] = [
            None if seat == HUMAN else bots.make(seat, player, game.setup.seed)
            for player, seat in enumerate(game.setup.seats)
        ]
        self.log: list[str] = [self._words(event) for event in game.state.events]
        self.message = ""
        self.message_at = 0.0
        self.told: list[tuple] = []
        self.busy = 0.0
        self._act_at: float | None = None
        self._act_for: tuple = ()
        self._asked_at: float | None = None  # when the unit was last asked to do something
        self._bot_bids = BotBids(self.bots)
        self._settle_at = 0.0
        self._lost = False  # the unit was there, and is not
        self._no_permit_for = -1  # the roll after which the unit refused BUILD
        self._borrowed = False  # the unit's next start is for the last turn, not another hour
        self._left_ms = 0  # of the hour, as last known while the unit was on
        self._rest_ms = 0  # of the hour, for a unit that was switched off in it
        self._set_to_rest = False  # the unit's hour is the rest of one
        self._start_again_at = 0.0  # when the unit may be asked so, if it did not answer
        self._forget_the_light()

    @property
    def state(self):
        return self.game.state

    def is_human(self, player: int) -> bool:
        return player >= 0 and self.bots[player] is None

    def humans(self) -> list[int]:
        return [one for one, bot in enumerate(self.bots) if bot is None and self.state.alive[one]]

    # What the players do.

    def do(self, action: tuple) -> bool:
        """Do a player's action; if the rules refuse it, say why and return False."""
        told = len(self.state.events)
        try:
            self.game.do(action)
        except Illegal as reason:
            self.hint(REASONS.get(str(reason), str(reason)))
            return False
        if self.save:
            self.save.append(action)
            self._note_clock(action[0])
        self._act_at = None
        self._tell(told)
        return True

    def _note_clock(self, done: str) -> None:
        left = self.unit.clock_left()
        if self.save and left is not None and done in CLOCK_NOTED:
            self.save.note_clock(int(left))

    def bid(self, player: int, amount: int) -> bool:
        """Bid now, by the unit's clock; a bid that does not count is noted as well."""
        if self.state.phase not in ("bidding", "settling"):
            self.hint(REASONS["too-early"])
            return False
        bid = (player, amount, int(self.unit.now()), self.unit.within())
        why = refusal(self.state, *bid)
        if not why:
            return self.do(("bid", *bid))
        self.do(("refused bid", *bid, why))
        self.hint(self.log[-1])
        return False

    def undo(self) -> bool:
        """Take back a player's last step, if it revealed nothing."""
        if not self.can_undo():
            return False
        self.game.undo()
        if self.save:
            self.save.append_undo()
        self.log.append(texts_table.TAKEN_BACK.format(player=self._name(self.state.decider)))
        self._act_at = None
        return True

    def can_undo(self) -> bool:
        """Return whether the last step was a person's own, and can be taken back."""
        return self.game.can_undo() and self.is_human(self.state.turn)

    def press(self, button: str) -> None:
        """Put a finger on a button of the unit, until `release`; not on BUILD for nothing."""
        why = self.build_refused() if button == "build" else ""
        if why:
            self.hint(why)
        elif self._reach():
            self.unit.press(button)

    def release(self) -> None:
        """Take the finger off."""
        self.unit.lift()

    def tap(self, button: str) -> None:
        """Press a button of the unit for a moment."""
        self.press(button)
        self.release()

    def build_refused(self) -> str:
        """Return why BUILD is of no use now, in words; "" if it is."""
        state = self.state
        if state.phase != "manage" or not self.is_human(state.decider):
            return texts_table.BUILD_NOT_NOW
        if state.pressed:
            return REASONS["pressed-already"]
        if not has_ground(state):
            return REASONS["nothing-to-build-on"]
        return ""

    def begin_hour(self, left_ms: int = 0) -> None:
        """Have the unit begin the game's hour, or what was left of it."""
        hour_ms = self.game.setup.minutes * 60000
        self._set_to_rest = bool(left_ms)
        if left_ms or hour_ms:
            self.unit.ask(f"program city {left_ms or hour_ms}")
        else:
            self.unit.ask("program city" if self.unit.full_ms else "restart")
        self.unit.full_ms = hour_ms or (HOUR_MS if left_ms else 0)

    def go_on_with_hour(self, left_ms: int) -> None:
        """Have the unit go on with what was left when it, or the game, was stopped."""
        if left_ms and not self.state.hour_over:
            self.begin_hour(left_ms)
            minutes, seconds = divmod(left_ms // 1000, 60)
            self.say(texts_table.HOUR_GOES_ON.format(minutes=minutes, seconds=seconds))

    def another_hour(self) -> None:
        """Have the unit begin another hour once this one is over; the game goes on in it."""
        if self.state.hour_over:
            self._borrowed = False
            self.begin_hour()
        else:
            self.hint(texts_table.HOUR_RUNS)

    def say(self, text: str) -> None:
        """Tell the players something that is no step of the game, and keep it in the log."""
        self.hint(text)
        self.log.append(self.message)

    def hint(self, text: str) -> None:
        """Tell the players something that matters only now."""
        self.message = text[:1].upper() + text[1:]
        self.message_at = self.unit.host_ms()

    def use(self, unit: TableUnit) -> None:
        """Go on with another unit: what ran on the old one is held again."""
        self.unit.close()
        self.unit = unit
        self._asked_at = None
        self._forget_the_light()
        self.say(texts_table.OTHER_UNIT)
        if unit.mine:
            self.go_on_with_hour(self._left_ms)

    # What passes.

    def step(self) -> None:
        """Take the unit's news, then let chance and the bots act if it is their time."""
        for news in self.unit.poll():
            self._hear(news)
        if self.unit.trouble:
            self.say(texts_table.UNIT_REFUSES.format(why=self.unit.trouble))
            self.unit.trouble = ""
            self._asked_at = None
        if self.unit.state != "off":
            self._left_ms = int(self.unit.clock_left() or 0)
        self._act()

    def _act(self) -> None:
        state = self.state
        phase = state.phase
        if phase == "bidding":
            due = self._bot_bids.due(state, self.unit.now()) if self.unit.online else None
            if due:
                self.bid(*due)
        elif phase == "settling":
            if self.unit.host_ms() >= self._settle_at:
                self.do(("settle",))
        elif phase in ("permit", "over") or self.is_human(state.decider) or not self._is_time():
            return
        elif phase in DRAWN:
            self.do(luck.draw(state))
        elif phase == "hammer":
            self._have_light_pressed()
        else:
            self._play_bot()

    def _is_time(self) -> bool:
        """Return whether a bot or chance has thought long enough about what it is to do."""
        now = self.unit.host_ms()
        wanted = (self.state.phase, self.state.decider, len(self.game.actions))
        if self._act_at is None or self._act_for != wanted:
            self._act_for = wanted
            think = 350.0 if self.state.phase in DRAWN else THINKING["roll"] * THINKING_SHARE
            self._act_at = now + think * self.pace
        return now >= self._act_at and now >= self.busy

    def _play_bot(self) -> None:
        state = self.state
        bot = self.bots[state.decider]
        assert bot is not None
        bot.left = self.unit.left()
        action = bot.decide[state.phase](state)
        if action[0] != "press":
            self.do(action)
        elif self._no_permit_for == state.rolls:
            self.do(("end turn",))
        elif not self.unit.light_is_on:
            self._tap_for_bot("build")

    def _have_light_pressed(self) -> None:
        """Press AUCTION for an auction that no person at the table has called."""
        auction = self.state.auction
        assert auction is not None
        if self.is_human(auction.opener):
            return
        if self.unit.light_is_on and self.unit.online:
            self._stop_stray_light()
        else:
            self._tap_for_bot("auction")

    def _stop_stray_light(self) -> None:
        """Stop a light that was put on before the sale was called."""
        now = self.unit.host_ms()
        if self._asked_at is None or now >= self._asked_at + PATIENCE_MS:
            self._asked_at = now
            self.unit.stop_light()

    def _tap_for_bot(self, button: str) -> None:
        """Tap a button, and not again before there was time for an answer."""
        now = self.unit.host_ms()
        asked = self._asked_at is not None and now < self._asked_at + PATIENCE_MS
        if asked or self.unit.touched:
            return
        self._asked_at = now
        if self._reach():
            self.unit.press(button)
            self.unit.lift()

    def _reach(self) -> bool:
        """Return whether the unit is there; past its hour, start it for the last turn."""
        if not self.unit.online:
            self.say(texts_table.UNIT_GONE)
            return False
        now = self.unit.host_ms()
        if self.unit.state == "over" and now >= self._start_again_at:
            self._start_again_at = now + PATIENCE_MS
            self._borrowed = True
            self.unit.ask("restart")
        return True

    # The unit's news.

    def _hear(self, news: host.News) -> None:
        if isinstance(news, host.Event):
            hear = HEARD.get(news.kind)
            if hear:
                hear(self, news)
        elif isinstance(news, host.Disconnected):
            self._lost = True
            running = self.state.phase in ("bidding", "permit", "hammer")
            self.say(texts_table.UNIT_LOST_RUNNING if running else texts_table.UNIT_LOST)
        elif isinstance(news, host.Restarted):
            self.say(texts_table.UNIT_RESTARTED)
            self._forget_the_light()
            if self.unit.program in ("", "city"):
                self.go_on_with_hour(self._left_ms)
        elif isinstance(news, host.Connected):
            self._asked_at = None
            if self._lost:
                self._lost = False
                self.say(texts_table.UNIT_BACK.format(name=news.about.name))
        elif isinstance(news, host.Missed):
            self._catch_up()

    def _light_on(self, event: host.Event) -> None:
        self._asked_at = None
        if self.state.phase == "hammer":
            self.do(("light on", event.ms))
        elif self.state.phase == "deal":
            self.say(texts_table.DEAL_TIMED)
        else:
            self.say(texts_table.LIGHT_WITHOUT_SALE)

    def _light_out(self, event: host.Event) -> None:
        if self.state.phase == "bidding":
            if self.do(("light out", event.ms)):
                self._settle_at = self.unit.host_ms() + GRACE_MS
        elif self.state.phase == "deal":
            self.do(("timed out",))

    def _light_cancelled(self, _event: host.Event) -> None:
        self._asked_at = self.unit.host_ms()  # who stopped it has a moment to say why
        if self.state.phase == "bidding":
            self.do(("cancelled",))
        elif self.state.phase == "deal":
            self.say(texts_table.LIGHT_STOPPED)
        elif self.state.phase != "over":
            self.say(texts_table.STRAY_STOPPED)

    def _permit_started(self, _event: host.Event) -> None:
        self._asked_at = None
        if self.state.phase == "manage":
            self.do(("press",))
        else:
            self.say(texts_table.PERMIT_VOID)

    def _permit_granted(self, event: host.Event) -> None:
        if self.state.phase == "permit":
            self.do(("permit", str(event.fields["permit"])))

    def _refused(self, event: host.Event) -> None:
        self._asked_at = None
        why = str(event.fields.get("why", ""))
        what = str(event.fields.get("what", "")).upper()
        said = texts_table.UNIT_WHY.get(why, why)
        if what == "BUILD":
            self._no_permit_for = self.state.rolls
        self.say(texts_table.BUTTON_REFUSED.format(what=what, why=said))

    def _hour_ended(self, event: host.Event) -> None:
        if not self.state.hour_over and self.state.phase != "over":
            self.do(("hour ended", event.ms))

    def _warning(self, _event: host.Event) -> None:
        if self.state.phase == "bidding":
            self.say(texts_table.GOING)

    def _beep(self, event: host.Event) -> None:
        if self.state.hour_over or self.state.phase == "over":
            return  # of the game's hour nothing is left; the unit runs for the last turn
        left = int(event.fields.get("left_ms", 0)) // 1000
        minutes, seconds = divmod(left, 60)
        self.log.append(texts_table.HOUR_LEFT.format(minutes=minutes, seconds=seconds))

    def _switched_on(self, event: host.Event) -> None:
        self._forget_the_light()
        rest, self._rest_ms = self._rest_ms, 0
        if self._borrowed:
            self._borrowed = False
        elif self.state.phase == "over":
            return
        elif self.state.hour_over:
            self.do(("new hour", event.ms))
            if self._set_to_rest:
                self.begin_hour()
        elif self.unit.program in ("", "city"):
            self.go_on_with_hour(rest)

    def _switched_off(self, _event: host.Event) -> None:
        """Keep what is left: the unit itself begins a whole hour when it is switched on."""
        self._rest_ms = self._left_ms
        if self.state.hour_over and self._left_ms:
            self._borrowed = True  # it ran for the last turn, and does so when it is on again
        self.say(texts_table.UNIT_OFF)
        self._forget_the_light()

    def _forget_the_light(self) -> None:
        """Hold again what the unit no longer knows of."""
        if self.state.phase == "bidding":
            self.do(("cancelled",))
            self.hint(self.log[-1])
        elif self.state.phase == "permit":
            self.do(("refused",))
        elif self.state.phase == "settling":
            self._settle_at = 0.0

    def _catch_up(self) -> None:
        """Events were lost: believe the unit's present state."""
        if self.unit.state not in ("auction", "warning") and self.state.phase == "bidding":
            self.do(("cancelled",))

    # Words.

    def _tell(self, told: int) -> None:
        new = self.state.events[told:]
        self.told += new
        self.log += [self._words(event) for event in new]

    def _words(self, event: tuple) -> str:
        return tell(event, self.state.board, self.names)

    def _name(self, player: int) -> str:
        return self.names[player] if player >= 0 else ""


HEARD = {
    "auction-started": Session._light_on,
    "auction-warning": Session._warning,
    "auction-ended": Session._light_out,
    "auction-cancelled": Session._light_cancelled,
    "permit-started": Session._permit_started,
    "permit-granted": Session._permit_granted,
    "refused": Session._refused,
    "hour-beep": Session._beep,
    "hour-ended": Session._hour_ended,
    "switched-on": Session._switched_on,
    "switched-off": Session._switched_off,
}
