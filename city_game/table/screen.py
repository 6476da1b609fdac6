"""The table's window: what is shown and chosen, and what each key and click does.

The picture follows from the session and from what is chosen here; a click is
looked up among the spots that were drawn.
"""

from collections.abc import Callable

import pygame

from city_game import texts_table as texts
from city_game.history import worths
from city_game.money import show
from city_game.table import (
    paint_auction,
    paint_cards,
    paint_deal,
    paint_deed,
    paint_lookup,
    paint_over,
    paint_panel,
)
from city_game.table.bidding import Bidding
from city_game.table.cures import cures, notice
from city_game.table.deal_draft import MONEY_STEP, Draft
from city_game.table.decisions import Decision, Option, decide, target_detail
from city_game.table.grip import Grip
from city_game.table.layout import Box, arrange
from city_game.table.motion import Motion
from city_game.table.picture import Picture
from city_game.table.session import Session

BID_KEYS = "fjvnrk"  # far apart on any keyboard of letters
MILLION = 100  # notes of 10k
TOAST_MS = 4500
PLACES = ("auction space", "debt", "station", "travel")  # phases of which a district is the point
END_MS = 1500  # for which the end stays whatever is pressed
CLEARS = ("hammer", "bidding", "deal", "over")  # phases in which nothing else is to lie on top


class Screen:
    """One window on one session.

    decision  what is to be decided now
    chosen    an option whose district, or amount, is still to be chosen
    aim       which of its districts is pointed at
    sees_city whether the card of the end is put aside
    card      what is looked up: "help", "rules", "bids", "" for nothing
    deed      the district whose deed is shown, -1 for none
    deal      the deal that is put together, None for none
    wants     what the window asks of the loop: "again", "full screen", "another unit",
              "close"
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
        self.deed = -1
        self.card = ""
        self.card_page = 0
        self.sees_city = False
        self._history: list[list[tuple[int, int]]] = []
        self.deal: Draft | None = None
        self.spots: list[tuple[Box, str, Callable[[], object]]] = []
        self.export: Callable[[], object] = self._export_nothing
        self.bidding = Bidding(session)
        self._forget_choice()
        self._known: tuple = ()
        self._phase = ""
        self._light = False
        self._over_at = 0.0  # when the end was first shown, host ms
        self.decision: Decision = decide(session)
        self.resize(size)

    def resize(self, size: tuple[int, int]) -> None:
        board = self.session.state.board
        self.layout = arrange(*size, board.size, board.members)
        self.picture = Picture(self.layout, board)

    def spot(self, box: Box, name: str, do: Callable[[], object]) -> None:
        """Note while drawing that a click into `box` does something."""
        self.spots.append((box, name, do))

    # What passes.

    def update(self) -> None:
        """Let the session and the motion go on, and look what is to be decided."""
        self.session.step()
        self.motion.update(self.session.unit.host_ms())
        state = self.session.state
        known = (len(self.session.game.actions), state.phase, len(state.events))
        light = self.session.unit.light_is_on
        if known != self._known:
            self._known = known
            self.decision = decide(self.session)
            self._forget_choice()
            self._begin_with(state.phase)
            self.log_back = 0
            if state.phase != self._phase and state.phase in CLEARS:
                self.deal = None
                self.deed = -1
                self.card = ""
            if state.phase == "over" and self._phase != "over":
                self._over_at = self.session.unit.host_ms()
            self._phase = state.phase
        elif light != self._light:
            self.decision = decide(self.session)
        self._light = light

    def _begin_with(self, phase: str) -> None:
        """Choose what there is no choice of; mark nothing where Enter would bind another."""
        if phase == "deal":
            self.focus = -1
        to_place = [option for option in self.decision.options if option.targets]
        if phase == "station" and to_place:
            self.choose(to_place[0])

    def draw(self, target: pygame.Surface) -> None:
        """Draw everything."""
        self.spots = []
        self.picture.paint(target, self)
        paint_panel.paint_tools(target, self)
        paint_panel.paint_players(target, self)
        if self.deal:
            paint_deal.paint_deal(target, self)
        else:
            paint_panel.paint_decision(target, self)
        paint_panel.paint_log(target, self)
        state = self.session.state
        if state.phase == "over":
            if not self.sees_city:
                paint_over.paint_over(target, self)
        elif state.auction is not None and state.phase in ("hammer", "bidding", "settling"):
            paint_auction.paint_auction(target, self)
        elif self.motion.sale:
            paint_auction.paint_sale(target, self)
        elif self.motion.card >= 0:
            paint_cards.paint_card(target, self)
        if self.deed >= 0:
            paint_deed.paint_deed(target, self)
        if self.card:
            paint_lookup.paint_lookup(target, self)
        if self.toast():
            paint_cards.paint_toast(target, self)

    # What the panel shows.

    def toast(self) -> str:
        """Return what the players were told in the last seconds; "" for nothing."""
        session = self.session
        told = session.message and session.unit.host_ms() - session.message_at < TOAST_MS
        return session.message if told else ""

    def title(self) -> str:
        if self.notice():
            return self.notice()
        return self.decision.title

    def detail(self) -> str:
        """Return the words under the title: of the choice, if something is being chosen."""
        if self.chosen is None:
            return self.decision.detail if not self.notice() else ""
        if self.opening is not None:
            return texts.OPENING.format(amount=show(self.opening))
        district = self.target()
        board = self.session.state.board
        name = board.districts[district].name
        words = target_detail(self.session, self.chosen.targets[district])
        head = texts.CHOOSE.format(label=self.chosen.label)
        return f"{head}\n{name}: {words}" if words else f"{head}\n{name}"

    def notice(self) -> str:
        """Return what is wrong with the unit, in words; "" if nothing is."""
        return notice(self.session)

    def buttons(self) -> list[tuple[str, str, Callable[[], object], bool]]:
        """Return the buttons of the decision: label, key, what it does, whether it is marked."""
        mending = cures(self.session, self.another_unit)
        if mending:
            return [(label, key, do, False) for label, key, do in mending]
        if self.chosen is not None:
            return self._choice_buttons()
        return [
            (
                option.label,
                option.key,
                lambda option=option: self.choose(option),
                place == self.focus,
            )
            for place, option in enumerate(self.decision.options)
        ]

    def _choice_buttons(self) -> list[tuple[str, str, Callable[[], object], bool]]:
        rows: list[tuple[str, str, Callable[[], object], bool]] = [
            (self._confirming(), "enter", self.confirm, True),
            (texts.BACK, "esc", self.back, False),
        ]
        if self.opening is not None:
            rows[1:1] = [
                (texts.HIGHER, "+", lambda: self.change_opening(1), False),
                (texts.LOWER, "-", lambda: self.change_opening(-1), False),
                (texts.MILLION_MORE, "m", lambda: self.add_to_opening(MILLION), False),
                (texts.MILLION_LESS, "n", lambda: self.add_to_opening(-MILLION), False),
            ]
        elif self.session.state.phase in PLACES:
            rows += [
                (option.label, option.key, lambda option=option: self.choose(option), False)
                for option in self.decision.options
                if option.action is not None
            ]
        return rows

    def _confirming(self) -> str:
        """Return the words of the button that does the chosen option."""
        district = self.session.state.board.districts[self.target()].name
        return texts.CONFIRM.format(district=district)

    # Choosing.

    def choose(self, option: Option) -> None:
        """Take an option: do it, or have its district chosen."""
        self.deed = -1
        if option.calls:
            self._calls()[option.calls]()
        elif option.action is not None:
            self.session.do(option.action)
        else:
            self.chosen = option
            self.aim = 0
            if option.amount and len(option.targets) == 1:
                self._begin_opening()

    def _calls(self) -> dict[str, Callable[[], object]]:
        return {
            "auction": lambda: self.session.tap("auction"),
            "build": lambda: self.session.tap("build"),
            "stop": self.session.unit.stop_light,
            "offer": self.begin_deal,
            "undo": self.session.undo,
            "hour": self.session.another_hour,
        }

    def place_for(self, district: int) -> bool:
        """Choose the option of this phase that is about places, at a district that was clicked."""
        state = self.session.state
        if self.chosen is not None or self.deal or state.phase not in PLACES:
            return False
        about = [option for option in self.decision.options if district in option.targets]
        if len(about) != 1:
            return False
        self.choose(about[0])
        self.aim = sorted(about[0].targets).index(district)
        return True

    def target(self) -> int:
        """Return the district that is pointed at."""
        assert self.chosen is not None
        return sorted(self.chosen.targets)[self.aim]

    def targets(self) -> list[int]:
        """Return the districts that can be chosen now."""
        if self.chosen is not None and self.opening is None:
            return sorted(self.chosen.targets)
        return []

    def confirm(self) -> None:
        """Do the chosen option with the district pointed at, and the amount."""
        if self.chosen is None:
            return
        if self.chosen.amount and self.opening is None:
            self._begin_opening()
            return
        action = self.chosen.targets[self.target()]
        if self.opening is not None:
            action = (*action[:-1], self.opening)
        self._forget_choice()
        self.session.do(action)

    def back(self) -> None:
        """Leave what is open, the innermost first."""
        if self.card:
            self.card = ""
        elif self.deed >= 0:
            self.deed = -1
        elif self.deal:
            self.deal = None
        elif self.opening is not None and self.chosen and len(self.chosen.targets) > 1:
            self.opening = None
        elif self.session.state.phase == "over":
            self.sees_city = not self.sees_city
        else:
            self._forget_choice()

    def _begin_opening(self) -> None:
        assert self.chosen is not None
        self.opening = self.chosen.targets[self.target()][-1]

    def change_opening(self, by: int) -> None:
        """Raise or lower the opening bid, in steps that grow with it."""
        assert self.opening is not None
        step = 1 if self.opening + min(by, 0) < 10 else 10 if self.opening + by < 100 else 50
        self.add_to_opening(by * step)

    def add_to_opening(self, notes: int) -> None:
        """Raise or lower the opening bid by an amount, as far as the money goes."""
        assert self.opening is not None
        least = self.session.state.board.money.least_bid
        most = max(least, self.session.state.cash[self.session.state.decider])
        self.opening = max(least, min(most, self.opening + notes))

    def _forget_choice(self) -> None:
        self.chosen: Option | None = None
        self.opening: int | None = None
        self.aim = 0
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

    def put_into_deal(self, district: int) -> None:
        """Put a district into the deal, or take it out, and point at it."""
        assert self.deal is not None
        self.aim = district
        why = self.deal.toggle(self.session.state, district)
        if why:
            self.session.hint(texts.NOT_IN_DEAL[why])

    def send_offer(self) -> None:
        """Offer the deal; whoever asks for nothing in return is told so first."""
        if self.deal is None:
            return
        if self.deal.gives_away() and not self.deal.warned:
            self.deal.warned = True
            self.session.hint(texts.GIVES_AWAY)
        elif self.session.do(self.deal.action()):
            self.deal = None

    # Small things.

    def look_up(self, card: str) -> None:
        """Open a card, or close it."""
        self.card = "" if self.card == card else card
        self.card_page = 0

    def card_pages(self) -> int:
        if self.card == "bids":
            return len(paint_lookup.bid_pages(self))
        return 2 if self.card == "rules" else 1

    def turn_page(self, by: int) -> None:
        self.card_page = (self.card_page + by) % max(1, self.card_pages())

    def browse_deeds(self) -> None:
        """Show deeds, beginning with the one the mouse is on or the player stands on."""
        if self.deed >= 0:
            self.deed = -1
            return
        state = self.session.state
        here = state.board.standing[state.place[state.turn]]
        at_mouse = self.district_at(self.mouse)
        self.deed = at_mouse if at_mouse >= 0 else max(here, 0)

    def show_deed(self, district: int) -> None:
        self.deed = district

    def close_deed(self) -> None:
        self.deed = -1

    def turn_sound(self) -> None:
        self.volume = (self.volume + 1) % 4

    def history(self) -> list[list[tuple[int, int]]]:
        """Return who was worth what over the game, once it is over."""
        if not self._history:
            self._history = worths(self.session.game)
        return self._history

    def again(self) -> None:
        """Have another game, but not by a key that was meant for the last turn."""
        if self.session.unit.host_ms() >= self._over_at + END_MS:
            self.wants = "again"

    def another_unit(self) -> None:
        """Go on with another unit, if this one is lost."""
        if self.session.unit.online:
            self.session.hint(texts.UNIT_THERE)
        else:
            self.wants = "another unit"

    def _export_nothing(self) -> None:
        pass

    def district_at(self, point: tuple[float, float]) -> int:
        """Return the district on the map or on the track at a point, -1 for none."""
        district = self.layout.plot_at(point)
        if district >= 0:
            return district
        space = self.layout.space_at(point)
        return self.session.state.board.standing[space] if space >= 0 else -1
