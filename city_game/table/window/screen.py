"""The table's window: the view, the choices, and the action of each key and click.

The picture follows from the session and from the choices here; a click is
looked up among the spots that were drawn.
"""

from collections.abc import Callable

from city_game.kernel.state import State
from city_game.report.export import worths
from city_game.table.paint.base.layout import arrange
from city_game.table.paint.base.view import Button, Command, Invitation, Spots
from city_game.table.play.bidding import BID_KEYS, Bidding
from city_game.table.play.decisions import Decision, FirstGame, decide
from city_game.table.play.options import Option
from city_game.table.play.session import Session
from city_game.table.window.choice import MONEY_STEP, PLACES, Choice, Draft, Lookups
from city_game.table.window.motion import Motion
from city_unit.desktop.catalogue import _, lazy
from city_unit.facts import AUCTIONING

MOUSE = "mouse"  # beside the keys, a way to hold a control


class Grip:
    """At most one control is held at a time.

    part  "auction", "build" or "switch", "" for nothing
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self.part = ""
        self._since = 0.0  # host ms
        self._by: object = None

    def hold(self, part: str, by: object) -> None:
        """Press a control, until `let_go`; the switch is pushed over at once."""
        self.let_go()
        unit = self._session.unit
        self.part, self._since, self._by = part, unit.host_ms(), by
        if part == "switch":
            unit.ask("switch on" if unit.state in ("off", "") else "switch off")
        elif part == "auction" and self._session.state.phase == "hammer" and unit.light_is_on:
            self._session.call_auction()
        else:
            if part == "auction" and unit.light_is_on:
                self._session.hint(_("The light is on; AUCTION held down stops it"))
            self._session.press(part)

    def let_go(self, by: object = None) -> None:
        """Let go of the control that a key or the mouse holds; None: held by anything."""
        if self.part and by in (None, self._by):
            self.part = ""
            self._session.release()

    def stopping(self) -> float:
        """Return how far AUCTION is held to stop the light: 0 for not at all, 1 for long enough."""
        unit = self._session.unit
        if self.part != "auction" or unit.state not in AUCTIONING:
            return 0.0
        return min(1.0, (unit.host_ms() - self._since) / unit.described.cancel_hold_ms)


NOT_IN_DEAL = {
    "unowned": lazy("Nobody owns that district yet"),
    "not-in-this-deal": lazy("That district is another player's; Tab turns the deal to them"),
}


TOAST_MS = 4500
HINT_MS = 9000
END_MS = 1500  # for which the end stays whatever is pressed
CLEARS = ("hammer", "bidding", "deal", "over")  # phases in which nothing else is to lie on top


class Screen:
    """One window on one session.

    decision  the decision of the moment
    choice    of a deed, or an amount, for an option
    focus     the button that Enter does, -1 for none
    lookups   the card or the deed that lies open
    sees_city whether the card of the end is put aside
    deal      the deal that is put together, None for none
    first_game  the hints of a first game
    invite    how telephones come to the table, None if none may
    keep_calm remembers whether things are to move
    failed    takes an error that was made in drawing the game; the game goes on
    wants     the window's request to the loop: "again", "full screen", "another unit",
              "phones", "close"
    """

    def __init__(self, session: Session, size: tuple[int, int], bid_keys: str = BID_KEYS) -> None:
        self.session = session
        self.bid_keys = bid_keys
        self.motion = Motion(session)
        self.mouse = (0.0, 0.0)
        self.volume = 2
        self.log_back = 0
        self.grip = Grip(session)
        self.wants = ""
        self.choice = Choice(session)
        self.focus = 0
        self.lookups = Lookups()
        self.sees_city = False
        self._history: tuple[tuple[tuple[int, int], ...], ...] = ()
        self.deal: Draft | None = None
        self.spots: Spots = []  # of the picture that is shown
        self.export: Callable[[], object] = self._export_nothing
        self.invite: Callable[[], Invitation | None] = self._invite_nobody
        self._came: frozenset[int] = frozenset()  # the players with a telephone at the last look
        self._gathered = False  # whether the game waited for telephones then
        self.keep_calm: Callable[[bool], object] = self._keep_nothing
        self.failed: Callable[[Exception], object] = self._fail
        self.bidding = Bidding(session)
        self.first_game = FirstGame(False)
        self._hint = ""  # of a first game, which stays longer than other words
        self._known: tuple = ()
        self._phase = ""
        self._light = False
        self._over_at = 0.0  # when the end was first shown, host ms
        self.decision: Decision = decide(session)
        self.resize(size)

    def resize(self, size: tuple[int, int]) -> None:
        board, seats = self.session.state.board, self.session.state.players
        self.layout = arrange(*size, board.size, board.members, seats)

    def perform(self, command: Command) -> None:
        """Do the command of a click or a key."""
        COMMANDS[command.name](self, command.value)

    # Actions of time.

    def update(self) -> None:
        """Let the session and the motion go on, and look for the decision of the moment."""
        self.session.step()
        self.motion.update(self.session.unit.host_ms())
        state = self.session.state
        waits_for = tuple(self.session.missing())
        known = (len(self.session.game.actions), state.phase, len(state.events), waits_for)
        light = self.session.unit.light_is_on
        if known != self._known:
            self._known = known
            self.decision = decide(self.session)
            self._forget_choice()
            self._begin_with(state.phase)
            self.log_back = 0
            if state.phase != self._phase and state.phase in CLEARS:
                self.deal = None
                self.lookups.close()
            if state.phase == "over" and self._phase != "over":
                self._over_at = self.session.unit.host_ms()
            self._phase = state.phase
            self._hint_at(state)
        elif light != self._light:
            self.decision = decide(self.session)
        self._light = light
        self.bidding.look()
        self._put_code_aside()

    def _hint_at(self, state: State) -> None:
        """Say in a first game the hint for this decision."""
        mine = bool(self.decision.options) and self.session.is_human(self.decision.player)
        words = self.first_game.hint(state, mine)
        if words:
            self._hint = words
            self.session.hint(words)

    def _begin_with(self, phase: str) -> None:
        """Begin at once to place a station; mark nothing in a sale or deal, where Enter binds."""
        if phase in ("deal", "bidding"):
            self.focus = -1
        to_place = [option for option in self.decision.options if option.targets]
        if phase == "station" and to_place:
            self.choose(to_place[0])
            self._aim_at_own()

    def _aim_at_own(self) -> None:
        """Point at one's own deed first, where there is one."""
        state = self.session.state
        owned = [state.owner[deed] == state.turn for deed in self.choice.deeds()]
        self.choice.aim = owned.index(True) if True in owned else 0

    # The content of the panel.

    def toast(self) -> str:
        """Return the last seconds' message, or else the news that the save is not written."""
        session = self.session
        age = session.unit.host_ms() - session.message_at
        recent = session.message and age < (HINT_MS if session.message == self._hint else TOAST_MS)
        return session.message if recent else session.not_saved()

    def title(self) -> str:
        if self.notice():
            return self.notice()
        return self.decision.title

    def detail(self) -> str:
        """Return the words under the title: of the choice, if something is being chosen."""
        if self.choice.option is not None:
            return self.choice.detail()
        return self.decision.detail if not self.notice() else ""

    def notice(self) -> str:
        """Return the fault of the unit, in words; "" if nothing is wrong."""
        found = self.session.problem()
        return found.words if found else ""

    def buttons(self) -> list[Button]:
        """Return the buttons of the decision."""
        found = self.session.problem()
        if found:
            return [Button(found.label, found.key, Command(found.cure))]
        if self.choice.option is not None:
            return self.choice.buttons(self.decision.options)
        return [
            Button(option.label, option.key, Command("option", place), place == self.focus)
            for place, option in enumerate(self.decision.options)
        ]

    # Choosing.

    def choose(self, option: Option) -> None:
        """Take an option: do it, or have its deed chosen."""
        self.lookups.close_deed()
        if option.calls:
            self._calls()[option.calls]()
        elif option.action is not None:
            self.session.do(option.action)
        else:
            self.choice.begin(option)

    def _calls(self) -> dict[str, Callable[[], object]]:
        return {
            "auction": self.session.call_auction,
            "build": lambda: self.session.tap("build"),
            "offer": self.begin_deal,
            "undo": self.session.undo,
            "hour": self.session.hour.another,
            "pass": self.session.auctioneer.pass_on,
            "begin": self.session.begin,
        }

    def place_for(self, deed: int) -> bool:
        """Choose the option of this phase that is about places, at a deed that was clicked."""
        state = self.session.state
        if self.choice.option is not None or self.deal or state.phase not in PLACES:
            return False
        about = [option for option in self.decision.options if deed in option.targets]
        if len(about) != 1:
            return False
        self.choose(about[0])
        self.choice.tap(deed)
        return True

    def confirm(self) -> None:
        """Do the chosen option with the deed pointed at, and the amount."""
        if self.choice.option is None:
            return
        if self.choice.has_to_ask():
            self.choice.begin_opening()
            return
        action = self.choice.action()
        self._forget_choice()
        self.session.do(action)

    def back(self) -> None:
        """Leave the open parts, the innermost first."""
        if self.lookups.card:
            self.lookups.card = ""
        elif self.lookups.deed >= 0:
            self.lookups.close_deed()
        elif self.deal:
            self.deal = None
        elif self.choice.leave_opening():
            return
        elif self.session.state.phase == "over":
            self.sees_city = not self.sees_city
        else:
            self._forget_choice()

    def _forget_choice(self) -> None:
        self.choice.forget()
        self.focus = 0

    # Deals.

    def begin_deal(self) -> None:
        state = self.session.state
        proposer = state.decider
        self._forget_choice()
        self.deal = Draft(proposer, self._other_than(proposer, proposer))

    def next_partner(self) -> None:
        if self.deal:
            self.deal.turn_to(self._other_than(self.deal.proposer, self.deal.partner))

    def _other_than(self, proposer: int, partner: int) -> int:
        alive = self.session.state.alive
        for step in range(1, len(alive) + 1):
            other = (partner + step) % len(alive)
            if alive[other] and other != proposer:
                return other
        return partner

    def change_money(self, by: int) -> None:
        if self.deal:
            self.deal.change_money(self.session.state, by * MONEY_STEP)

    def put_into_deal(self, deed: int) -> None:
        """Put a deed into the deal, or take it out, and point at it."""
        assert self.deal is not None
        self.deal.aim = deed
        why = self.deal.toggle(self.session.state, deed)
        if why:
            self.session.hint(str(NOT_IN_DEAL[why]))

    def send_offer(self) -> None:
        """Offer the deal; a player that asks for nothing in return is warned first."""
        if self.deal is None:
            return
        if self.deal.gives_away() and not self.deal.was_warned:
            self.deal.was_warned = True
            self.session.hint(_("You ask for nothing in return; once more offers it all the same"))
        elif self.session.do(self.deal.action()):
            self.deal = None

    # Small things.

    def look_up(self, card: str) -> None:
        """Open a card, or close it."""
        if self.session.state.phase == "bidding":
            self.session.hint(_("The light is on: look that up after the sale"))
            return
        self.lookups.turn_over(card)

    def look_at_phones(self) -> None:
        """Show how telephones come to the table; the first time they are let in by that."""
        if self.invite() is None:
            self.wants = "phones"
        else:
            self.look_up("phones")

    def _put_code_aside(self) -> None:
        """Close the large code when a telephone has come by it; a small one stays at the log.

        While the game waits for telephones it stays; when it begins, it is put aside.
        """
        invitation = self.invite()
        came = frozenset(invitation.online) if invitation else frozenset()
        gathers = self.session.gathers
        is_done = came - self._came or self._gathered
        if self.lookups.card == "phones" and is_done and not gathers:
            self.lookups.card = ""
        self._came, self._gathered = came, gathers

    def small_code(self) -> Invitation | None:
        """Return how telephones come: in the first round, while a player has none."""
        invitation, state = self.invite(), self.session.state
        if invitation is None or self.lookups.card == "phones" or state.turns >= state.players:
            return None
        return invitation if set(invitation.people) - set(invitation.online) else None

    def _invite_nobody(self) -> None:
        return None

    def turn_page(self, by: int) -> None:
        self.lookups.turn_page(by, self.lookups.pages(self.session.state, self.layout))

    def browse_deeds(self) -> None:
        """Show deeds, beginning with the one the mouse is on or the player stands on."""
        if self.lookups.deed >= 0:
            self.lookups.close_deed()
            return
        state = self.session.state
        here = state.board.deed_on[state.place[state.turn]]
        at_mouse = self.deed_at(self.mouse)
        self.lookups.deed = at_mouse if at_mouse >= 0 else max(here, 0)

    def show_deed(self, deed: int) -> None:
        self.lookups.deed = deed

    def turn_sound(self) -> None:
        self.volume = (self.volume + 1) % 4

    def turn_calm(self) -> None:
        """Have things walk and tumble no more, or again."""
        motion = self.motion
        motion.is_calm = not motion.is_calm
        motion.skip()
        calm = _("Calm: nothing walks, tumbles or blinks")
        self.session.hint(calm if motion.is_calm else _("Things move again"))
        self.keep_calm(motion.is_calm)

    def history(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """Return each player's worth over the game, once it is over."""
        if not self._history:
            self._history = tuple(tuple(points) for points in worths(self.session.game))
        return self._history

    def fill_screen(self) -> None:
        self.wants = "full screen"

    def again(self) -> None:
        """Have another game, but not by a key that was meant for the last turn."""
        if self.session.unit.host_ms() >= self._over_at + END_MS:
            self.wants = "again"

    def another_unit(self) -> None:
        """Go on with another unit, if this one is lost."""
        if self.session.unit.online:
            self.session.hint(_("The unit is there; another one is taken only if it is lost"))
        else:
            self.wants = "another unit"

    def _keep_nothing(self, _calm: bool) -> None:
        pass

    def _fail(self, error: Exception) -> None:
        raise error

    def _export_nothing(self) -> None:
        pass

    def deed_at(self, point: tuple[float, float]) -> int:
        """Return the deed on the map or on the track at a point, -1 for none."""
        deed = self.layout.plot_at(point)
        if deed >= 0:
            return deed
        space = self.layout.space_at(point)
        return self.session.state.board.deed_on[space] if space >= 0 else -1

    def scroll(self, lines: int) -> None:
        """Go back in the log, or for a negative number forth."""
        self.log_back = max(0, min(len(self.session.log) - 1, self.log_back + lines))


# The commands of clicks and keys; each takes the number of its command.
COMMANDS: dict[str, Callable[[Screen, int], object]] = {
    "nothing": lambda _screen, _value: None,
    "option": lambda screen, place: screen.choose(screen.decision.options[place]),
    "confirm": lambda screen, _value: screen.confirm(),
    "back": lambda screen, _value: screen.back(),
    "opening": lambda screen, by: screen.choice.change_opening(by),
    "opening notes": lambda screen, notes: screen.choice.add_to_opening(notes),
    "another unit": lambda screen, _value: screen.another_unit(),
    "switch on": lambda screen, _value: screen.session.unit.ask("switch on"),
    "set program": lambda screen, _value: screen.session.set_program(),
    "bid": lambda screen, player: screen.bidding.bid(player),
    "larger step": lambda screen, player: screen.bidding.change_step(player, 1),
    "smaller step": lambda screen, player: screen.bidding.change_step(player, -1),
    "calm": lambda screen, _value: screen.turn_calm(),
    "pause": lambda screen, _value: screen.session.pause(),
    "money": Screen.change_money,
    "next partner": lambda screen, _value: screen.next_partner(),
    "send offer": lambda screen, _value: screen.send_offer(),
    "help": lambda screen, _value: screen.look_up("help"),
    "rules": lambda screen, _value: screen.look_up("rules"),
    "bids": lambda screen, _value: screen.look_up("bids"),
    "phones": lambda screen, _value: screen.look_at_phones(),
    "page": Screen.turn_page,
    "deed": Screen.show_deed,
    "close deed": lambda screen, _value: screen.lookups.close_deed(),
    "browse deeds": lambda screen, _value: screen.browse_deeds(),
    "sound": lambda screen, _value: screen.turn_sound(),
    "skip": lambda screen, _value: screen.motion.skip(),
    "another hour": lambda screen, _value: screen.session.hour.another(),
    "log": Screen.scroll,
    "export": lambda screen, _value: screen.export(),
    "again": lambda screen, _value: screen.again(),
    "full screen": lambda screen, _value: screen.fill_screen(),
}
