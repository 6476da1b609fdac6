"""The state of a game's window, and the effect of each key and click.

A `Screen` belongs to one session. The window calls `update` once per frame, then draws `view()`,
and passes its events to `handle`. The view depends only on the session, the choices in progress,
the open card and the animation (`Motion`). The painters return the clickable `spots`; a click runs
the command of the topmost spot, and a key the same commands, all listed in `COMMANDS`.

Animation never delays the game for a player: it can be skipped, and with reduced motion everything
is shown in its final position.
"""

from collections.abc import Callable
from functools import cached_property

import pygame

from city_game.export import worths
from city_game.kernel.sales import IN_SALE, JUDGED_IN
from city_game.kernel.state import State
from city_game.table import inputs
from city_game.table.inputs import PLACES, Bidding, Choice, Draft
from city_game.table.layout import arrange
from city_game.table.motion import Motion
from city_game.table.pages import pages_of
from city_game.table.picture import ENTER, NOTHING, Bidder, Button, Command, Invitation, Spots, View
from city_game.table.session import CALLS, Session
from city_game.table.view import BID_KEYS, Decision, FirstGame, Option, view
from city_unit.desktop.catalogue import _
from city_unit.facts import BUTTONS as MASKS
from sim.face.disc import Look

TOAST_MS = 4500
HINT_MS = 9000
END_MS = 1500  # how long after the end another game cannot be requested
CLEARS = ("hammer", "bidding", "deal", "over")  # phases whose start closes all open cards
BEAT_MS = 450  # half a period of the blinking pointer
LOG_LINES = 40  # more than fit into any window
LAST_MS = 5 * 60 * 1000


def nearly_over(left_ms: float, share: float) -> bool:
    """Return True in the last five minutes of the hour, and only in its last tenth."""
    return left_ms <= LAST_MS and share <= 0.1


class Screen:
    """The window's state for one session."""

    def __init__(self, session: Session, size: tuple[int, int], bid_keys: str = BID_KEYS) -> None:
        self.session = session
        self.bid_keys = bid_keys
        self.motion = Motion(session.state, len(session.news), session.pace == 0)
        self.mouse = (0.0, 0.0)
        self.volume = 2
        self.log_back = 0
        self.held = inputs.Held(session)
        # Request to the evening: "again", "full screen", "another unit", "phones", "close".
        self.wants = ""
        self.choice = Choice()
        self.focus = 0  # the button Enter presses, -1 for none
        self.card, self.page = "", 0  # the open card: "help", "rules", "bids", "phones" or none
        self.deed = -1  # the deed shown, -1 for none
        self.sees_city = False  # the final result is put aside
        self.deal: Draft | None = None  # being put together
        self.spots: Spots = []  # of the picture on the screen
        self.export: Callable[[], object] = lambda: None
        # Returns how telephones can connect, None if they cannot.
        self.invite: Callable[[], Invitation | None] = lambda: None
        self._phones: frozenset[int] = frozenset()  # connected players at the last update
        self._gathered = False  # the game waited for telephones at the last update
        self.keep_calm: Callable[[bool], object] = lambda _calm: None  # saves that choice
        # Handles an error in drawing, after which the game continues; None raises it.
        self.failed: Callable[[Exception], object] | None = None
        self.bidding = Bidding(session, bid_keys)
        self.first_game = FirstGame(False)
        self._hint = ""  # the hint of a first game, shown longer than other notices
        self._moment: tuple = ()  # of the game at the last update
        self._phase = ""
        self._over_at = 0.0  # when the end was first shown, host ms
        self.game = view(session.table())  # remade only when the table changes
        self.resize(size)

    @property
    def decision(self) -> Decision:
        return self.game.decision

    @property
    def state(self) -> State:
        return self.session.state

    def resize(self, size: tuple[int, int]) -> None:
        board, seats = self.state.board, self.state.players
        self.layout = arrange(*size, board.size, board.members, seats)

    def perform(self, command: Command) -> None:
        COMMANDS[command.name](self, command.value)

    # Once per frame.

    def update(self) -> None:
        """Step the session and the animation, and remake the game's view if it has changed."""
        session = self.session
        session.step()
        state, now = session.state, session.unit.host_ms()
        self.motion.update(state, session.news, now)
        session.busy = self.motion.busy
        table = session.table()
        if table != self.game.table:
            self.game = view(table)
        moment = (table.moment, table.missing)
        if moment != self._moment:  # the game has moved on
            self._moment = moment
            self._forget_choice()
            self.log_back = 0
            if state.phase in ("deal", "bidding"):
                self.focus = -1  # Enter must not commit anybody by accident
            to_place = [option for option in self.decision.options if option.targets]
            if state.phase == "station" and to_place:
                self.choose(to_place[0])
                owned = [state.owner[deed] == state.turn for deed in self.choice.deeds()]
                self.choice.aim = owned.index(True) if True in owned else 0
            if state.phase != self._phase and state.phase in CLEARS:
                self.deal = None
                self.card, self.deed = "", -1
            if state.phase == "over" and self._phase != "over":
                self._over_at = now
            self._phase = state.phase
            people_decide = self.decision.options and session.is_human(self.decision.player)
            if words := self.first_game.hint(state, bool(people_decide)):
                self._hint = words
                session.hint(words)
        # The large code closes once a telephone has connected; a small one stays at the log. While
        # the game waits for telephones it stays open until the game begins.
        invitation = self.invite()
        phones = frozenset(invitation.online) if invitation else frozenset()
        is_done = phones - self._phones or self._gathered
        if self.card == "phones" and is_done and not session.gathers:
            self.card = ""
        self._phones, self._gathered = phones, session.gathers

    # The view.

    def toast(self) -> str:
        """Return the recent notice, else the warning that steps are not saved."""
        session = self.session
        age = session.unit.host_ms() - session.message_at
        recent = session.message and age < (HINT_MS if session.message == self._hint else TOAST_MS)
        return session.message if recent else session.not_saved()

    def buttons(self) -> list[Button]:
        if found := self.game.problem:
            return [Button(found.label, found.key, Command(found.cure))]
        if self.choice.option is not None:
            return self.choice.buttons(self.state, self.decision.options)
        return [
            Button(option.label, option.key, Command("option", place), place == self.focus)
            for place, option in enumerate(self.decision.options)
        ]

    def view(self) -> View:
        """Return everything the picture depends on except its size."""
        session, game, motion, state = self.session, self.game, self.motion, self.state
        unit, now, invitation = session.unit, session.unit.host_ms(), self.invite()
        grown = {deed: motion.grown(deed, now) for deed in motion.growing}
        plots = game.plots
        if grown:
            plots = tuple(
                plot._replace(grown=grown.get(deed, 1.0)) for deed, plot in enumerate(plots)
            )
        # The deeds that can be chosen or are in a deal, and the one pointed at.
        choice, deal = self.choice, self.deal or state.deal
        outlined = choice.deeds()
        pointed = [choice.deed()] if outlined else []
        if deal:
            outlined += [*deal.gives, *deal.asks]
        if state.auction:
            outlined.append(state.auction.deed)
        if self.deal:
            pointed.append(self.deal.aim)
        elif self.deed >= 0:
            pointed.append(self.deed)
        table, sale = game.table, state.auction
        bidders: tuple[Bidder, ...] = ()
        share: float | None = None
        is_closing = False
        if sale is not None and state.phase in IN_SALE:
            bidders = self.bidding.show(table.people)
            if table.light_ends is not None:
                light_left = table.light_ends - unit.time
                is_closing = light_left <= table.warning_ms
                if state.phase != "hammer" and sale.started is not None:
                    share = max(0.0, light_left / max(1, table.light_ends - sale.started))
        end, left = len(session.log) - self.log_back, session.left()
        over = state.phase == "over" and not self.sees_city
        on = unit.state not in ("off", "")
        # The small code is shown in the first round, while a player has no telephone.
        lacks_phone = invitation and set(invitation.people) - set(invitation.online)
        is_first_round = state.turns < state.players
        has_code = bool(lacks_phone) and is_first_round and self.card != "phones"
        return View(
            game=game,
            state=state,
            names=game.table.names,
            plots=plots,
            places=tuple(motion.places),
            dice=motion.shown_dice(state.edition.sides, now),
            floats=tuple((player, notes, now - since) for player, notes, since in motion.floats),
            outlined=tuple(outlined),
            pointed=tuple(pointed),
            is_bright=bool(pointed) and (motion.is_calm or now % (2 * BEAT_MS) < BEAT_MS),
            seconds=None if left is None else int(left / 1000 + 0.999),
            is_urgent=left is not None and nearly_over(left, unit.left()),
            look=Look(unit.lamps, unit.tone, on, MASKS.get(self.held.part, 0)),
            is_mine=unit.is_mine,
            calls=bool(session.callers),
            stopping=self.held.stopping(),
            detail=game.detail if choice.option is None else choice.detail(state),
            buttons=tuple(self.buttons()),
            offer=self.deal and self.deal.action(),
            bidders=bidders,
            share=share,
            is_closing=is_closing,
            sold=motion.sale,
            drawn=motion.card,
            history=self.history if over else (),
            card=self.card,
            page=self.page,
            deed=self.deed,
            log=tuple(session.log[max(0, end - LOG_LINES) : end]),
            is_newest=not self.log_back,
            toast=self.toast(),
            volume=self.volume,
            invitation=invitation,
            has_code=has_code,
            mouse=self.mouse,
        )

    # Input.

    def handle(self, event: pygame.Event) -> None:
        if event.type == pygame.KEYDOWN:
            command = self._command_of(event)
            if command in inputs.HOLDS:
                self.held.hold(inputs.HOLDS[command], event.key)
            else:
                self.perform(command)
        elif event.type == pygame.KEYUP:
            self.held.let_go(event.key)
        elif event.type == pygame.MOUSEMOTION:
            self.mouse = event.pos
            # The mouse may slide off the disc's button, or be released outside the window.
            if not event.buttons[0] or self.layout.circle.part_at(self.mouse) != self.held.part:
                self.held.let_go(inputs.MOUSE)
            deed = self.layout.deed_at(self.mouse, self.state.board)
            if deed in self.choice.deeds() and self.choice.picked < 0:
                self.choice.point_at(deed)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self.mouse = event.pos
            self._click(event.pos)
        elif event.type == pygame.WINDOWLEAVE or (
            event.type == pygame.MOUSEBUTTONUP and event.button == 1
        ):
            self.held.let_go(inputs.MOUSE)
        elif event.type == pygame.WINDOWFOCUSLOST:  # another window will get the key's release
            self.held.let_go()
        elif event.type == pygame.MOUSEWHEEL:
            self.scroll(event.y * 2)

    def _command_of(self, event: pygame.Event) -> Command:
        """Return the command of a key.

        While a light is on, bid keys take precedence. The keys of the unit follow, those of the
        choice in progress, and those of the decision's buttons.
        """
        key, letter = event.key, event.unicode.lower()
        shift, ctrl = event.mod & pygame.KMOD_SHIFT, event.mod & pygame.KMOD_CTRL
        phase, making = self.state.phase, self.making()
        bid_keys = {self.bid_keys[player]: player for player in self.game.table.people}
        if ctrl and key == pygame.K_q:
            return Command("close")
        if ctrl and phase in IN_SALE:  # with Ctrl no key types its letter
            for bids_with, player in bid_keys.items():
                if key == ord(bids_with):
                    return Command("smaller step" if shift else "larger step", player)
        if letter in bid_keys and (self.motion.sale or phase in JUDGED_IN):
            if phase not in JUDGED_IN:
                return NOTHING  # it was a bid in the sale that has just ended
            return Command("bid more" if shift else "bid", bid_keys[letter])
        if letter in inputs.BUTTONS and phase != "over":
            return inputs.BUTTONS[letter]
        if key in inputs.ALWAYS and not (key == pygame.K_m and making in ("deal", "opening")):
            return inputs.ALWAYS[key]
        if key == pygame.K_SPACE and making != "deal":
            return Command("skip")
        if key in inputs.ARROWS and (self.card or self.deed >= 0):
            return Command("browse", sum(inputs.ARROWS[key]))
        if making == "deal" and letter in ("+", "-"):  # by letter: a French keyboard has - on key 6
            return Command("money", 1 if letter == "+" else -1)
        if making and key in inputs.MAKING[making]:
            return inputs.MAKING[making][key]
        if making == "deal":
            return NOTHING
        if not making and phase == "over":
            if key in ENTER:
                return Command("again")
            return Command("export") if key == pygame.K_x else NOTHING
        if not making and phase in IN_SALE and key in inputs.UP_AND_DOWN:
            # With several people, each changes their own step by their own key.
            if len(bid_keys) != 1:
                return Command("step of all")
            (player,) = bid_keys.values()
            return Command("smaller step" if key == pygame.K_DOWN else "larger step", player)
        if not making and phase == "bidding":
            if key == pygame.K_BACKSPACE:
                return Command("pass")
            return Command("pause") if letter == "p" else NOTHING  # the session refuses it aloud
        buttons, marked = self.buttons(), self.focus
        if buttons and not making:
            if key in inputs.UP_AND_DOWN:
                step = inputs.UP_AND_DOWN[key]
                return Command("mark", (max(marked, 0 if step < 0 else -1) + step) % len(buttons))
            if key in ENTER:
                if marked < 0 and self.game.problem is None:
                    return Command("answer by letter")
                return buttons[max(0, min(marked, len(buttons) - 1))].command
            # A French keyboard needs Shift for digits: its key 2 types é. Therefore a key that
            # types no digit counts as the digit at its position on most keyboards.
            digit = int(letter) if letter.isdecimal() else inputs.DIGITS.get(event.scancode, 0)
            if 0 < digit <= len(buttons):
                return buttons[digit - 1].command
        for button in buttons:
            if letter and button.key == letter:
                return button.command
        # P pauses where no option has that letter ("pay").
        return Command("pause") if letter == "p" else NOTHING

    def making(self) -> str:
        """Return the choice in progress: "deal", "deed", "opening" (a bid), or "" for none."""
        if self.deal:
            return "deal"
        if self.choice.option is None:
            return ""
        return "deed" if self.choice.opening is None else "opening"

    def _click(self, point: tuple[float, float]) -> None:
        """Run the command of the spot there; a deed is chosen, added to a deal, or shown."""
        for spot in reversed(self.spots):
            if spot.box.holds(point):
                self.perform(spot.command)
                return
        layout = self.layout
        if part := layout.circle.part_at(point):
            self.held.hold(part, inputs.MOUSE)
            return
        deed = layout.deed_at(point, self.state.board)
        about = [option for option in self.decision.options if deed in option.targets]
        if deed < 0:
            self.skip()
        elif self.deal:
            self.put_into_deal(deed)
        elif self.choice.option is None and self.state.phase in PLACES and len(about) == 1:
            self.choose(about[0])
            self.choice.tap(deed)
        elif deed in self.choice.deeds():
            if self.choice.tap(deed):
                self.confirm()
        elif layout.city.holds(point) or layout.board.holds(point):
            self.deed = -1 if self.deed == deed else deed

    def skip(self) -> None:
        """End all animations, so that bots and chance continue at once."""
        self.motion.skip(self.state)
        self.session.busy = 0.0

    def aim(self, way: int) -> None:
        """Point at the next deed in a direction: one that can be chosen, for a deal any."""
        plots, direction = self.layout.plots, list(inputs.ARROWS.values())[way]
        if self.deal:
            everywhere = list(range(len(plots)))
            self.deal.aim = inputs.nearest(plots, self.deal.aim, direction, everywhere)
        else:
            deeds = self.choice.deeds()
            self.choice.point_at(inputs.nearest(plots, self.choice.deed(), direction, deeds))

    # Choosing.

    def choose(self, option: Option) -> None:
        """Perform an option, or start choosing its deed."""
        self.deed = -1
        if option.calls:
            self.perform(Command(option.calls))
        elif option.action is not None:
            self.session.do(option.action)
        else:
            self.choice.begin(option)

    def confirm(self) -> None:
        """Perform the option with the deed pointed at; if it has an amount, choose that first."""
        if self.choice.option is None:
            return
        if self.choice.option.has_amount and self.choice.opening is None:
            self.choice.begin_opening()
            return
        action = self.choice.action()
        self._forget_choice()
        self.session.do(action)

    def back(self) -> None:
        """Close the innermost open part."""
        if self.card:
            self.card = ""
        elif self.deed >= 0:
            self.deed = -1
        elif self.deal:
            self.deal = None
        elif self.choice.opening is not None and len(self.choice.targets()) > 1:
            self.choice.opening = None  # from the amount to the deeds
        elif self.state.phase == "over":
            self.sees_city = not self.sees_city
        else:
            self._forget_choice()

    def _forget_choice(self) -> None:
        self.choice = Choice()
        self.focus = 0

    # Deals.

    def begin_deal(self) -> None:
        proposer = self.state.decider
        self._forget_choice()
        self.deal = Draft(proposer, proposer)
        self.deal.turn_to_next(self.state)

    def put_into_deal(self, deed: int) -> None:
        """Add a deed to the deal or remove it, and point at it."""
        assert self.deal is not None
        self.deal.aim = deed
        if why := self.deal.toggle(self.state, deed):
            self.session.hint(why)

    def send_offer(self) -> None:
        """Offer the deal; a player asking for nothing in return is warned first."""
        if self.deal is None:
            return
        deal = self.deal
        if deal.is_gift() and not deal.was_warned:
            deal.was_warned = True
            self.session.hint(_("You ask for nothing in return; press again to offer it anyway"))
        elif self.session.do(deal.action()):
            self.deal = None

    # Reference cards and small commands.

    def look_up(self, card: str) -> None:
        """Open or close a card."""
        if self.state.phase == "bidding":
            self.session.hint(_("The light is on: look that up after the sale"))
            return
        self.card = "" if self.card == card else card
        self.page = 0

    def look_at_phones(self) -> None:
        """Show how telephones connect; the first time, request their server."""
        if self.invite() is None:
            self.wants = "phones"
        else:
            self.look_up("phones")

    def browse_deeds(self) -> None:
        """Show the deed under the mouse or the player's token, or close the one shown."""
        if self.deed >= 0:
            self.deed = -1
            return
        state = self.state
        here = state.board.deed_on[state.place[state.turn]]
        at_mouse = self.layout.deed_at(self.mouse, self.state.board)
        self.deed = at_mouse if at_mouse >= 0 else max(here, 0)

    def browse(self, by: int) -> None:
        """Turn the page of the open card, or show the next deed."""
        if self.card:
            self.page = (self.page + by) % len(pages_of(self.card, self.state, self.layout))
        else:
            self.deed = (self.deed + by) % len(self.layout.plots)

    def turn_calm(self) -> None:
        motion = self.motion
        motion.is_calm = not motion.is_calm
        self.skip()
        calm = _("Reduced motion: nothing moves or blinks")
        self.session.hint(calm if motion.is_calm else _("Reduced motion is off"))
        self.keep_calm(motion.is_calm)

    @cached_property
    def history(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """Each player's worth over the game, computed once it is over."""
        return tuple(tuple(points) for points in worths(self.session.game))

    def again(self) -> None:
        """Request another game, unless the key was probably meant for the last turn."""
        if self.session.unit.host_ms() >= self._over_at + END_MS:
            self.wants = "again"

    def scroll(self, lines: int) -> None:
        """Scroll the log back, or forward for a negative number."""
        self.log_back = max(0, min(len(self.session.log) - 1, self.log_back + lines))


# The commands of clicks and keys; each receives the command's value.
COMMANDS: dict[str, Callable[[Screen, int], object]] = {
    "nothing": lambda _screen, _value: None,
    "option": lambda screen, place: screen.choose(screen.decision.options[place]),
    **{
        name: lambda screen, _value, call=call: call(screen.session) for name, call in CALLS.items()
    },
    "pass": lambda screen, _value: screen.session.auctioneer.pass_on(),
    "pause": lambda screen, _value: screen.session.pause(),
    "referee": lambda screen, _value: screen.session.call_referee_by_key(),
    "switch on": lambda screen, _value: screen.session.unit.ask("switch on"),
    "set program": lambda screen, _value: screen.session.unit.ask(
        f"program {screen.state.edition.program}"
    ),
    "step of all": lambda screen, _value: screen.session.hint(
        _("Ctrl and your own key raise your step; with Shift they lower it")
    ),
    "answer by letter": lambda screen, _value: screen.session.hint(
        _("Accept the deal with Y, decline it with N, or click")
    ),
    "offer": lambda screen, _value: screen.begin_deal(),
    "confirm": lambda screen, _value: screen.confirm(),
    "next deed": lambda screen, _value: setattr(
        screen.choice, "aim", (screen.choice.aim + 1) % len(screen.choice.deeds())
    ),
    "back": lambda screen, _value: screen.back(),
    "mark": lambda screen, place: setattr(screen, "focus", place),
    "aim": Screen.aim,
    "opening": lambda screen, by: screen.choice.change_opening(screen.state, by),
    "opening notes": lambda screen, notes: screen.choice.add_to_opening(screen.state, notes),
    "another unit": lambda screen, _value: (
        screen.session.hint(
            _("The unit is connected; another one can replace it only if it is lost")
        )
        if screen.session.unit.online
        else setattr(screen, "wants", "another unit")
    ),
    "bid": lambda screen, player: screen.bidding.bid(player, 1),
    "bid more": lambda screen, player: screen.bidding.bid(player, 5),
    "larger step": lambda screen, player: screen.bidding.change_step(player, 1),
    "smaller step": lambda screen, player: screen.bidding.change_step(player, -1),
    "calm": lambda screen, _value: screen.turn_calm(),
    "money": lambda screen, steps: screen.deal and screen.deal.change_money(screen.state, steps),
    "take": lambda screen, _value: screen.deal and screen.put_into_deal(screen.deal.aim),
    "next partner": lambda screen, _value: screen.deal and screen.deal.turn_to_next(screen.state),
    "send offer": lambda screen, _value: screen.send_offer(),
    "help": lambda screen, _value: screen.look_up("help"),
    "rules": lambda screen, _value: screen.look_up("rules"),
    "bids": lambda screen, _value: screen.look_up("bids"),
    "phones": lambda screen, _value: screen.look_at_phones(),
    "browse": Screen.browse,
    "deed": lambda screen, deed: setattr(screen, "deed", deed),
    "browse deeds": lambda screen, _value: screen.browse_deeds(),
    "sound": lambda screen, _value: setattr(screen, "volume", (screen.volume + 1) % 4),
    "skip": lambda screen, _value: screen.skip(),
    "log": Screen.scroll,
    "export": lambda screen, _value: screen.export(),
    "again": lambda screen, _value: screen.again(),
    "full screen": lambda screen, _value: setattr(screen, "wants", "full screen"),
    "close": lambda screen, _value: setattr(screen, "wants", "close"),
}
