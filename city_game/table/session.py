"""One game at the table, without a window.

A session connects four parties: the rules (`Game`), the unit on the link, the bots, and the people
at the keyboard and on telephones. The owner calls `step` once per frame. A step processes the
unit's news, asks the rules for the consequences, and then makes at most one move for chance, a bot
or the auctioneer once its thinking time is over. People's actions arrive between steps as calls of
`do`, `press`, `pause` and so on. Every accepted action is saved before it shows.

Nothing is drawn here, and the only clock is the unit's client (`unit.host_ms`), so tests run games
in virtual time.
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
from city_game.table.unit import PATIENCE_MS, Hour, Light, TableUnit
from city_game.table.view import NOBODY, Table, pause_in_words
from city_game.words import latest_in_words, refused
from city_unit import host
from city_unit.desktop.catalogue import _

CHANCE_MS = 350.0  # delay before a roll or a chance card, at pace 1
THINKING_SHARE = 0.4  # of a simulated game's thinking time: here people wait for the bots
SAVE_AGAIN_MS = 3000  # interval between retries of a failed save


class Session:
    """A game at a table."""

    def __init__(
        self, game: Game, unit: TableUnit, save: Save | None = None, pace: float = 1.0
    ) -> None:
        self.game = game
        self.state = game.state
        self.unit = unit
        self.save = save
        self.pace = pace  # factor of the thinking time of bots and chance: 1 normal, 0 none
        self.names = list(game.setup.names)
        self.bots: list[bots.Bot | None] = [
            None if seat == HUMAN else bots.make(game.setup.edition, seat, player, game.setup.seed)
            for player, seat in enumerate(game.setup.seats)
        ]
        # Past events as text, oldest first.
        self.log: list[str] = latest_in_words(game.state, list(game.setup.names))
        self.message = ""  # the latest notice to the players
        self.message_at = 0.0  # host ms
        self.news: list[tuple] = []  # the rules' events since the start, for animation and sounds
        self.busy = 0.0  # when the animation of the latest events ends, host ms; bots wait for it
        self._act_at: float | None = None
        self._act_for: tuple = ()
        self._lost = False  # the unit was connected and is gone
        self.is_paused = False  # the unit is off for a pause; neither people nor bots act
        self._is_off_for_it = False  # the unit has switched off for the pause
        self.paused_by = NOBODY  # if unknown: anybody can pause at the keyboard
        self._calls_auction = False  # press AUCTION once the stray light is out
        self._save_again_at = 0.0
        self._unsaved = False  # the players know that steps are not saved
        self.auctioneer = Auctioneer(self, self.bots)
        # Returns the players on telephones, who are not at the table's keyboard.
        self.remote: Callable[[], set[int]] = set
        self.callers: set[int] = set()  # of a tournament's referee, NOBODY for an unknown player
        self.has_referee: Callable[[], bool] = lambda: False  # whether one watches this table
        self.gathers = False  # the game waits for people to connect their telephones
        self.hour = Hour(self, game.setup.minutes)
        self.light = Light(self)
        if save:
            self.auctioneer.limits.restore(game.state, save.limits)
            self.auctioneer.limits.save_limit = save.note_limit
        # A sale interrupted by leaving or a crash is continued if the rules allow it.
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
        """Return the people still in the game who play at the keyboard."""
        return set(self.humans()) - self.remote()

    def table(self) -> Table:
        """Return the game and the facts around it as they are now."""
        state, unit, auctioneer = self.state, self.unit, self.auctioneer
        bidding = range(state.players) if state.auction else ()
        wanted, other_program = state.edition.program, ""
        # Starting the hour sets the program; before that its description may not be known. Any
        # program with permits can replace another one with permits.
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
        """Start the game and its hour; people without a telephone play at the keyboard."""
        self.gathers = False
        self.hour.begin()

    # Actions of the players.

    def do(self, action: tuple) -> bool:
        """Perform a player's action; return False and show the reason if the rules refuse it."""
        try:
            new = self.game.do(action)
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
        self.news += new
        self.log += latest_in_words(self.state, self.names, len(new))
        return True

    def keep_clock(self) -> None:
        """Save the time currently left on the unit's clock."""
        left = self.unit.clock_left()
        if self.save and left is not None:
            self.save.note_clock(int(left))

    def undo(self) -> bool:
        """Undo a player's last step if it revealed nothing."""
        if not self.can_undo():
            return False
        self.game.undo()
        self.state = self.game.state
        if self.save:
            self.save.append_undo()
        self.log.append(
            _("{player} undoes the last step.").format(player=self._name(self.state.decider))
        )
        self._act_at = None
        return True

    def can_undo(self) -> bool:
        """Return True if the person who decides took the last step, and it can be undone."""
        decider = self.state.decider
        is_own = self.game.decided_by == decider and self.is_human(decider)
        return is_own and self.game.can_undo()

    def press(self, button: str) -> None:
        """Press and hold a button of the unit; BUILD is refused where it would have no effect."""
        why = self.build_refused() if button == "build" else ""
        if why:
            self.hint(why)
        elif self._reach():
            self.unit.press(button)

    def tap(self, button: str) -> None:
        """Press and release a button of the unit."""
        self.press(button)
        self.unit.lift()

    def call_auction(self) -> None:
        """Press AUCTION to start the sale; a stray light is put out first."""
        if self.state.phase == "hammer" and self.unit.light_is_on:
            self._calls_auction = True
            self._stop_stray_light()
        else:
            self.tap("auction")

    def pause(self, player: int = NOBODY) -> None:
        """Pause or resume: switch the unit off, or on again with the rest of the hour.

        A pause is refused while the light is on or a permit is drawn, which would be lost.
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
        """Call the referee, or cancel the player's call."""
        name = self._name(player) or _("The table")
        if player in self.callers:
            self.callers.remove(player)
            self.say(_("The referee is no longer needed: {name}").format(name=name))
        elif not self.has_referee():
            self.hint(_("No referee is watching this table"))
        else:
            self.callers.add(player)
            self.say(_("The referee is called: {name}").format(name=name))

    def call_referee_by_key(self) -> None:
        """Call the referee, or cancel, for the decider if at the keyboard, else for NOBODY."""
        here = self.at_keyboard()
        called = self.callers & {*here, NOBODY}
        decider = self.state.decider
        for player in called or {decider if decider in here else NOBODY}:
            self.call_referee(player)

    def left(self) -> float | None:
        """Return the ms left of the hour, in a pause those it resumes with; None if unknown."""
        if self.gathers:
            return None
        left = self.unit.clock_left()
        if left is None and self.is_paused:
            return float(self.hour.kept_ms) or None
        return left

    def pause_refused(self) -> str:
        """Return why the game cannot pause now, as text; "" if it can, or if it is paused."""
        unit = self.unit
        if unit.state == "off":
            return ""
        if unit.light_is_on or self.state.phase in (*JUDGED_IN, "permit") or not unit.online:
            return _("Not now: pause once the light is out")
        return ""

    def build_refused(self) -> str:
        """Return why BUILD has no effect now, as text; "" if it has one."""
        state = self.state
        if state.phase != "manage" or not self.is_human(state.decider):
            return _("Press BUILD on your own turn, after the move, once per roll")
        why = why_not(state, ("press",))
        return refused(why, state.edition) if why else ""

    def say(self, text: str) -> None:
        """Show the players a notice and add it to the log."""
        self.hint(text)
        self.log.append(self.message)

    def hint(self, text: str) -> None:
        """Show the players a notice without logging it."""
        self.message = text
        self.message_at = self.unit.host_ms()

    def replace_unit(self, unit: TableUnit) -> None:
        """Switch to another unit, and restart there whatever ran on the old one."""
        self.unit.close()
        self.unit = unit
        self.is_paused = False
        self.light.waits_until = 0.0
        self.light.forget()
        self.say(_("Continuing with another unit"))
        if unit.is_mine:
            self.hour.go_on()

    def not_saved(self) -> str:
        """Return why the latest steps are not saved, as text; "" if all are."""
        save = self.save
        if save is None or not save.error:
            return ""
        words = {"file": save.path.name, "why": save.error, "count": save.unsaved}
        return _(
            "Cannot write {file}: {why}. Free some space; the game continues meanwhile "
            "(unsaved steps: {count})"
        ).format(**words)

    # Once per frame.

    def step(self) -> None:
        """Process the unit's news, then act for chance, the bots or the auctioneer if due."""
        save = self.save
        if save and save.error and self.unit.host_ms() >= self._save_again_at:
            self._save_again_at = self.unit.host_ms() + SAVE_AGAIN_MS
            save.write()
        error = self.not_saved()
        if bool(error) != self._unsaved:
            self._unsaved = bool(error)
            self.say(error or _("All steps are saved again"))
        for news in self.unit.poll():
            match news:
                case host.Event(kind="switched-on"):
                    if self._is_off_for_it:  # else this start was under way when it was requested
                        self.is_paused = False
                    self.light.forget()
                    self.hour.switched_on(news.ms)
                case host.Event(kind="switched-off"):
                    self.hour.switched_off()
                    words = pause_in_words(self._name(self.paused_by))
                    self.say(words if self.is_paused else _("The unit was switched off"))
                    self._is_off_for_it = True
                    self.light.forget()
                case host.Event(kind="hour-ended" | "time-called"):
                    if not self.gathers:  # else it is the unit's own hour, from before the game
                        self.hour.ended(news.ms)
                case host.Event(kind="hour-beep"):
                    self.hour.beeped(int(news.fields.get("left_ms", 0)))
                case host.Event():
                    self.light.handle(news)
                case host.Disconnected():
                    self._lost = True
                    running = self.state.phase in ("bidding", "permit", "hammer")
                    self.say(
                        _("The unit disconnected in the middle of this; waiting for it to return")
                        if running
                        else _("The unit has disconnected; waiting for it")
                    )
                case host.Restarted():
                    self.say(_("The unit has restarted; whatever ran on it is repeated"))
                    self.light.forget()
                    self.hour.unit_restarted()
                case host.Connected():
                    self.light.waits_until = 0.0
                    if self._lost:
                        self._lost = False
                        self.say(_("The unit {name} is back").format(name=news.about.name))
                case host.Missed():
                    self.light.catch_up()
        if self.unit.error:
            self.say(_("The unit cannot do that now ({why})").format(why=self.unit.error))
            self.unit.error = ""
            self.light.waits_until = 0.0
        if self.gathers and not self.at_keyboard() and not self.is_paused:
            self.begin()
        self.hour.step()
        self.auctioneer.judge_bids(self.unit.time)
        if not self.is_paused and not self.gathers:
            self._act(self.state, self.state.phase)

    def _act(self, state: State, phase: str) -> None:
        """Act for chance, a bot or the auctioneer if due."""
        self._calls_auction = self._calls_auction and phase == "hammer"
        if phase == "bidding":
            if not self.unit.online:
                return
            self.light.step()
            # Once it is decided, a player who passed by mistake can still bid for a moment.
            if state.phase != "bidding":  # a resumed sale has ended
                return
            if not self.auctioneer.call_bids() and self._is_time():
                self.light.end_early()
        elif phase == "settling":
            if self.unit.host_ms() >= self.light.settle_at:
                self.do(("settle",))
        elif phase == "deal" and awaits_light(state):
            if self.unit.light_is_on and self.unit.online:
                self.light.time_deal(int(self.unit.now()))
            elif self.unit.online:  # its loss is reported once, on Disconnected
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
            # People press AUCTION themselves; for a bot's sale the table does.
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
        """Return True once the thinking time before the next automatic action is over."""
        now = self.unit.host_ms()
        wanted = (self.state.phase, self.state.decider, len(self.game.actions))
        if self._act_at is None or self._act_for != wanted:
            self._act_for = wanted
            think = CHANCE_MS if luck.is_drawn(self.state) else THINKING["roll"] * THINKING_SHARE
            self._act_at = now + think * self.pace
        return now >= self._act_at and now >= self.busy

    def _stop_stray_light(self) -> None:
        """Stop a light that was switched on before the sale was called."""
        now = self.unit.host_ms()
        if now >= self.light.waits_until:
            self.light.waits_until = now + PATIENCE_MS
            self.unit.ask("stop")

    def _tap_for_bot(self, button: str) -> None:
        """Tap a button unless a response to the previous tap may still arrive."""
        now = self.unit.host_ms()
        if now < self.light.waits_until or self.unit.is_touched:
            return
        self.light.waits_until = now + PATIENCE_MS
        if self._reach():
            self.unit.press(button)
            self.unit.lift()

    def _reach(self) -> bool:
        """Return True if the unit can be pressed; past its hour, restart it for the last turn."""
        if not self.unit.online:
            self.say(
                _("The unit is not connected; plug it in again, or continue with another one (F5)")
            )
            return False
        self.hour.prepare_press()
        return True

    # Texts.

    def _name(self, player: int) -> str:
        return self.names[player] if player >= 0 else ""


# The table's own options, for the keyboard and for telephones.
CALLS: dict[str, Callable[[Session], object]] = {
    "auction": Session.call_auction,
    "build": lambda session: session.tap("build"),
    "undo": Session.undo,
    "hour": lambda session: session.hour.begin_another(),
    "begin": Session.begin,
}
