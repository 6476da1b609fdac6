"""A game in progress: the rules, the unit's news, the bots, and the players' actions meet here.

Nothing is drawn here and no time is read but the unit's: call `step` often.
"""

from collections.abc import Callable

from city_game import bots
from city_game.editions import described
from city_game.game import HUMAN, Game
from city_game.headless import THINKING
from city_game.kernel import luck
from city_game.kernel.actions import why_not
from city_game.kernel.deals import awaits_light
from city_game.kernel.sales import JUDGED_IN
from city_game.kernel.state import Illegal, State
from city_game.save import Save
from city_game.table.auctioneer import Auctioneer
from city_game.table.unit import Hour, Light, TableUnit
from city_game.table.view import NOBODY, Table, pause_in_words
from city_game.words import latest_in_words, refused
from city_unit import host
from city_unit.desktop.catalogue import _

CHANCE_MS = 350.0  # before a throw or a card of chance, at the usual pace
THINKING_SHARE = 0.4  # of the times of a simulated game: people watch bots, and wait for them
SAVE_AGAIN_MS = 3000  # after which steps that the disk did not take are written again


class Session:
    """A game at a table.

    log      the past events, in words, oldest first
    message  the last words to the players beside the game's log, at `message_at` (host ms)
    news     events of the rules since the game was opened, for the animation and the sounds
    pace     how fast bots and chance are: 1 as usual, 0 at once
    hour     the game's hour, which the unit keeps
    light    the unit's light and permits
    busy     until when (host ms) the table is showing the last events; bots wait
    auctioneer  runs the sales
    remote   returns the players on a telephone, and so not at the table's keyboard
    gathers  whether the game, and its hour, wait for people that have no telephone yet
    is_paused  whether the unit was switched off for a pause: nobody acts, bots neither
    paused_by  the player that asked for it, -1 if nobody knows: at the keyboard anybody may
    callers  the players that call the referee of a tournament, -1 if nobody knows who
    has_referee  returns whether a referee looks at this table
    """

    def __init__(
        self, game: Game, unit: TableUnit, save: Save | None = None, pace: float = 1.0
    ) -> None:
        self.game = game
        self.state = game.state
        self.unit = unit
        self.save = save
        self.pace = pace
        self.names = list(game.setup.names)
        self.bots: list[bots.Bot | None] = [
            None if seat == HUMAN else bots.make(game.setup.edition, seat, player, game.setup.seed)
            for player, seat in enumerate(game.setup.seats)
        ]
        self.log: list[str] = latest_in_words(game.state, list(game.setup.names))
        self.message = ""
        self.message_at = 0.0
        self.news: list[tuple] = []
        self.busy = 0.0
        self._act_at: float | None = None
        self._act_for: tuple = ()
        self._lost = False  # the unit was there, and is not
        self.is_paused = False
        self._is_off_for_it = False  # whether the unit has been switched off for the pause
        self.paused_by = NOBODY
        self._calls_auction = False  # as soon as a light that is on for nothing is out
        self._save_again_at = 0.0
        self._unsaved = False  # steps are not on the disk, and the players know
        self.auctioneer = Auctioneer(self, self.bots)
        self.remote: Callable[[], set[int]] = set
        self.callers: set[int] = set()
        self.has_referee: Callable[[], bool] = lambda: False
        self.gathers = False
        self.hour = Hour(self, game.setup.minutes)
        self.light = Light(self)
        if save:
            self.auctioneer.limits.restore(game.state, save.limits)
            self.auctioneer.limits.keep = save.note_limit
        # A sale that ran when the game was left, or killed, goes on if the rules let it.
        auction = self.state.auction
        if self.state.phase != "bidding" or auction is None or not self.state.rules.sales_go_on:
            self.light.forget()
        else:
            known = [auction.started or 0, *(bid.at for bid in auction.bids)]
            self.do(("interrupted", max(*known, save.light_at if save else 0)))
            self.hint(self.log[-1])

    def is_human(self, player: int) -> bool:
        return player >= 0 and self.bots[player] is None

    def humans(self) -> list[int]:
        alive = self.state.alive
        return [seat for seat, bot in enumerate(self.bots) if bot is None and alive[seat]]

    def at_keyboard(self) -> set[int]:
        """Return the people still in the game who play at the table's own keyboard."""
        return set(self.humans()) - self.remote()

    def table(self) -> Table:
        """Return the game and the facts around it as they are now."""
        state, unit, auctioneer = self.state, self.unit, self.auctioneer
        bidding = range(state.players) if state.auction else ()
        wanted, other_program = state.edition.program, ""
        # The hour's begin sets it, and before that its figures may not be known. In place of a
        # program with permits another one with permits will do.
        if not self.gathers and unit.described.program == unit.program:
            permits = described(wanted).odds
            if not (unit.described.odds if permits else unit.program == wanted):
                other_program = unit.program
        return Table(
            state=state,
            moment=(len(self.game.actions), state.phase, state.decider, len(state.events)),
            names=tuple(self.names),
            seats=self.game.setup.seats,
            people=tuple(self.humans()),
            online=frozenset(self.remote()),
            gathers=self.gathers,
            is_paused=self.is_paused,
            paused_by=self.paused_by,
            unit_online=unit.online,
            unit_state=unit.state,
            other_program=other_program,
            light_is_on=unit.light_is_on,
            light_ends=self.light.ends,
            warning_ms=unit.described.warning_ms,
            can_undo=self.can_undo(),
            limits=tuple(auctioneer.limits.of(state, player) for player in bidding),
            unjudged=tuple(auctioneer.judge.waits_for(player) for player in bidding),
        )

    def begin(self) -> None:
        """Begin the hour, and with it the game; a player without a telephone plays at the table."""
        self.gathers = False
        self.hour.begin()

    # Actions of the players.

    def do(self, action: tuple) -> bool:
        """Do a player's action; if the rules refuse it, say why and return False."""
        before = len(self.state.events)
        try:
            self.game.do(action)
        except Illegal as reason:
            self.hint(refused(str(reason), self.state.edition))
            return False
        if self.save:
            self.save.append(action)
            if self.state.edition.actions[action[0]].notes_clock:
                self.keep_clock()
        if action[0] in ("accept", "decline"):
            self.light.leave_deal()
        self._act_at = None
        new = self.state.events[before:]
        self.news += new
        self.log += latest_in_words(self.state, self.names, len(new))
        return True

    def keep_clock(self) -> None:
        """Save the time left on the unit's clock at this moment."""
        left = self.unit.clock_left()
        if self.save and left is not None:
            self.save.note_clock(int(left))

    def undo(self) -> bool:
        """Take back a player's last step, if it revealed nothing."""
        if not self.can_undo():
            return False
        self.game.undo()
        self.state = self.game.state
        if self.save:
            self.save.append_undo()
        self.log.append(
            _("{player} takes the last step back.").format(player=self._name(self.state.decider))
        )
        self._act_at = None
        return True

    def can_undo(self) -> bool:
        """Return whether the last step was a person's own, and can be taken back."""
        return self.game.can_undo() and self.is_human(self.state.turn)

    def press(self, button: str) -> None:
        """Press a button of the unit until it lifts; BUILD is refused if it would do nothing."""
        why = self.build_refused() if button == "build" else ""
        if why:
            self.hint(why)
        elif self._reach():
            self.unit.press(button)

    def tap(self, button: str) -> None:
        """Press a button of the unit for a moment."""
        self.press(button)
        self.unit.lift()

    def call_auction(self) -> None:
        """Press AUCTION for the sale; a light that is on for nothing is put out first."""
        if self.state.phase == "hammer" and self.unit.light_is_on:
            self._calls_auction = True
            self._stop_stray_light()
        else:
            self.tap("auction")

    def pause(self, player: int = NOBODY) -> None:
        """Switch the unit off for a while, or on again: it then goes on with the rest of the hour.

        Not while its light is on, or a permit is drawn: that would be lost.
        """
        unit = self.unit
        if unit.state == "off":
            unit.ask("switch on")
        elif why := self.pause_refused():
            self.hint(why)
        elif self.state.phase != "over":
            self.is_paused, self.paused_by, self._is_off_for_it = True, player, False
            unit.ask("switch off")

    def call_referee(self, player: int) -> None:
        """Call the referee, or take a call back: the referee hears it, nobody has to answer."""
        name = self._name(player) or _("The table")
        if player in self.callers:
            self.callers.remove(player)
            self.say(_("The referee is needed no more: {name}").format(name=name))
        elif not self.has_referee():
            self.hint(_("No referee looks at this table"))
        else:
            self.callers.add(player)
            self.say(_("The referee is called: {name}").format(name=name))

    def call_referee_by_key(self) -> None:
        """Do so for the table's keyboard: in the name of who decides, if at the keyboard."""
        here = self.at_keyboard()
        called = self.callers & {*here, NOBODY}
        decider = self.state.decider
        for player in called or {decider if decider in here else NOBODY}:
            self.call_referee(player)

    def left(self) -> float | None:
        """Return the time left of the hour, in a pause the time to be given back, ms; or None."""
        if self.gathers:
            return None
        left = self.unit.clock_left()
        if left is None and self.is_paused:
            return float(self.hour.kept_ms) or None
        return left

    def pause_refused(self) -> str:
        """Return why the game cannot pause now, in words; "" if it can, or is to go on."""
        unit = self.unit
        if unit.state == "off":
            return ""
        if unit.light_is_on or self.state.phase in (*JUDGED_IN, "permit") or not unit.online:
            return _("Not now: pause when the light is out")
        return ""

    def build_refused(self) -> str:
        """Return why BUILD is of no use now, in words; "" if it is."""
        state = self.state
        if state.phase != "manage" or not self.is_human(state.decider):
            return _("BUILD is pressed on one's own turn, after the move, once a roll")
        why = why_not(state, ("press",))
        return refused(why, state.edition) if why else ""

    def say(self, text: str) -> None:
        """Show the players a message that is no step of the game, and keep it in the log."""
        self.hint(text)
        self.log.append(self.message)

    def hint(self, text: str) -> None:
        """Show the players a message that matters only now."""
        self.message = text
        self.message_at = self.unit.host_ms()

    def use(self, unit: TableUnit) -> None:
        """Go on with another unit: what ran on the old unit is started anew."""
        self.unit.close()
        self.unit = unit
        self.is_paused = False
        self.light.asked.end()
        self.light.forget()
        self.say(_("Going on with another unit"))
        if unit.is_mine:
            self.hour.go_on()

    def not_saved(self) -> str:
        """Return in words that steps are not on the disk, and why; "" if all are."""
        save = self.save
        if save is None or not save.error:
            return ""
        words = {"file": save.path.name, "why": save.error, "count": save.unsaved}
        return _(
            "Cannot write {file}: {why}. Make room for it; the game goes on meanwhile "
            "(steps not saved yet: {count})"
        ).format(**words)

    # Actions of time.

    def step(self) -> None:
        """Process the unit's news, then act for chance and the bots if it is their time."""
        save = self.save  # steps that the disk refused are written again, now and then
        if save and save.error and self.unit.host_ms() >= self._save_again_at:
            self._save_again_at = self.unit.host_ms() + SAVE_AGAIN_MS
            save.write()
        error = self.not_saved()
        if bool(error) != self._unsaved:
            self._unsaved = bool(error)
            self.say(error or _("All steps are saved again"))
        for news in self.unit.poll():
            if isinstance(news, host.Event):
                self._hear_event(news)
            elif isinstance(news, host.Disconnected):
                self._lost = True
                running = self.state.phase in ("bidding", "permit", "hammer")
                self.say(
                    _("The unit is gone in the middle; waiting for what it says when it is back")
                    if running
                    else _("The unit is gone; waiting for it")
                )
            elif isinstance(news, host.Restarted):
                self.say(_("The unit was started anew: what ran on it is held again"))
                self.light.forget()
                self.hour.meet("unit restarted")
            elif isinstance(news, host.Connected):
                self.light.asked.end()
                if self._lost:
                    self._lost = False
                    self.say(_("The unit {name} is back").format(name=news.about.name))
            elif isinstance(news, host.Missed):
                self.light.catch_up()
        if self.unit.error:
            self.say(_("The unit does not do that now ({why})").format(why=self.unit.error))
            self.unit.error = ""
            self.light.asked.end()
        self.hour.look()
        if self.gathers and not self.at_keyboard() and not self.is_paused:
            self.begin()
        if not self.gathers:
            self.hour.call()
        self.auctioneer.judge_bids(self.unit.time)
        if not self.is_paused and not self.gathers:
            self._act(self.state, self.state.phase)

    def _act(self, state: State, phase: str) -> None:
        """Act for chance, a bot or the auctioneer if it is their time."""
        self._calls_auction = self._calls_auction and phase == "hammer"
        if phase == "bidding":
            if not self.unit.online:
                return
            self.light.look()
            if not self.auctioneer.is_decided():
                self.auctioneer.call_bids()
            elif self._is_time():  # until then a player that passed by mistake may bid after all
                self.light.end_early()
        elif phase == "settling":
            if self.unit.host_ms() >= self.light.settle_at:
                self.do(("settle",))
        elif phase == "deal" and awaits_light(state):
            if self.unit.light_is_on and self.unit.online:
                self.light.time_deal(int(self.unit.now()))
            elif self.unit.online:  # that it is gone has been said
                self._tap_for_bot("auction")
        elif (
            phase in ("permit", "over", "waiting")
            or self.is_human(state.decider)
            or not self._is_time()
        ):
            return
        elif luck.is_drawn(state):
            self.do(self.game.luck.draw(state))
        elif state.auction is not None and phase == "hammer":
            # An auction that no person at the table has called.
            auction = state.auction
            waits = self.is_human(auction.opener) or (auction.elapsed and self.humans())
            if waits and not self._calls_auction:
                return
            if self.unit.light_is_on and self.unit.online:
                self._stop_stray_light()
            else:
                self._tap_for_bot("auction")
        elif bot := self.bots[state.decider]:
            bot.left = self.unit.left()
            action = bot.decide[phase](state)
            if action[0] != "press":
                self.do(action)
            elif self.light.no_permit == state.rolls:
                self.do(("end turn",))
            elif not self.unit.light_is_on:
                self._tap_for_bot("build")

    def _is_time(self) -> bool:
        """Return whether a bot or chance has thought long enough about its next action."""
        now = self.unit.host_ms()
        wanted = (self.state.phase, self.state.decider, len(self.game.actions))
        if self._act_at is None or self._act_for != wanted:
            self._act_for = wanted
            think = CHANCE_MS if luck.is_drawn(self.state) else THINKING["roll"] * THINKING_SHARE
            self._act_at = now + think * self.pace
        return now >= self._act_at and now >= self.busy

    def _stop_stray_light(self) -> None:
        """Stop a light that somebody put on before the sale was called."""
        now = self.unit.host_ms()
        if not self.light.asked.waits(now):
            self.light.asked.begin(now)
            self.unit.ask("stop")

    def _tap_for_bot(self, button: str) -> None:
        """Tap a button, and not again before there was time for an answer."""
        now = self.unit.host_ms()
        if self.light.asked.waits(now) or self.unit.is_touched:
            return
        self.light.asked.begin(now)
        if self._reach():
            self.unit.press(button)
            self.unit.lift()

    def _reach(self) -> bool:
        """Return whether the unit is there to be pressed."""
        if not self.unit.online:
            self.say(_("The unit is not there; plug it in again, or go on with another one (F5)"))
            return False
        self.hour.want()
        return True

    # The unit's news.

    def _hear_event(self, event: host.Event) -> None:
        if event.kind == "switched-on":
            if self._is_off_for_it:  # else the hour began as the pause was asked for
                self.is_paused = False
            self.light.forget()
            self.hour.meet("switched on", event.ms)
        elif event.kind == "switched-off":
            self.hour.switched_off()
            words = pause_in_words(self._name(self.paused_by))
            self.say(words if self.is_paused else _("The unit was switched off"))
            self._is_off_for_it = True
            self.light.forget()
        elif event.kind in ("hour-ended", "time-called"):
            if not self.gathers:  # that was the unit's own, from before the game
                self.hour.meet("hour ended", event.ms)
        elif event.kind == "hour-beep":
            self.hour.meet("beep", int(event.fields.get("left_ms", 0)))
        else:
            self.light.hear(event)

    # Words.

    def _name(self, player: int) -> str:
        return self.names[player] if player >= 0 else ""


# The call of each option that belongs to the table itself, at the table and by telephone.
CALLS: dict[str, Callable[[Session], object]] = {
    "auction": Session.call_auction,
    "build": lambda session: session.tap("build"),
    "undo": Session.undo,
    "hour": lambda session: session.hour.meet("another hour"),
    "begin": Session.begin,
}
