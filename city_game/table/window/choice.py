"""An option that is being chosen: its deed, and where it has one its amount."""

from city_game.kernel.money import show
from city_game.table.paint.base.view import Button, Command
from city_game.table.play.options import Option, target_detail
from city_game.table.play.session import Session
from city_unit.desktop.catalogue import _

MILLION = 100  # notes of 10k
PLACES = ("auction space", "debt", "station", "travel")  # phases in which a deed is chosen


class Choice:
    """What is pointed at, and how much is offered, before the option is done.

    option   whose deed, or amount, is still to be chosen; None while there is none
    aim      which of its deeds is pointed at, in the order of their numbers
    picked   the deed that was tapped once; -1 for none
    opening  the opening bid that is being chosen, in notes; None while there is none
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self.option: Option | None = None
        self.aim = 0
        self.picked = -1
        self.opening: int | None = None

    def begin(self, option: Option) -> None:
        """Have the deed of an option chosen; its amount at once, if it has one deed."""
        self.option = option
        self.aim = 0
        self.picked = -1
        if option.has_amount and len(option.targets) == 1:
            self.begin_opening()

    def forget(self) -> None:
        self.option = None
        self.opening = None
        self.aim = 0
        self.picked = -1

    def deeds(self) -> list[int]:
        """Return the deeds that can be chosen now."""
        if self.option is not None and self.opening is None:
            return sorted(self.option.targets)
        return []

    def deed(self) -> int:
        """Return the deed that is pointed at."""
        assert self.option is not None
        return sorted(self.option.targets)[self.aim]

    def point_at(self, deed: int) -> None:
        """Point at a deed of the option."""
        assert self.option is not None
        self.aim = sorted(self.option.targets).index(deed)

    def tap(self, deed: int) -> bool:
        """Point at a deed; return whether that chooses it.

        One tap only selects a deed to auction, and a second opens it: a finger cannot hover.
        """
        assert self.option is not None
        chooses = not self.option.has_amount or self.picked == deed
        self.point_at(deed)
        self.picked = deed
        return chooses

    def action(self) -> tuple:
        """Return what is done with the deed that is pointed at, and the amount."""
        assert self.option is not None
        action = self.option.targets[self.deed()]
        return action if self.opening is None else (*action[:-1], self.opening)

    def has_to_ask(self) -> bool:
        """Return whether an amount is still to be chosen."""
        return self.option is not None and self.option.has_amount and self.opening is None

    def leave_opening(self) -> bool:
        """Go back from the amount to the deeds; return whether there are several."""
        if self.opening is None or self.option is None or len(self.option.targets) < 2:
            return False
        self.opening = None
        return True

    def begin_opening(self) -> None:
        """Begin with the least that the option opens with."""
        assert self.option is not None
        self.opening = self.option.targets[self.deed()][-1]

    def change_opening(self, by: int) -> None:
        """Raise or lower the opening bid, in steps that grow with it."""
        assert self.opening is not None
        step = 1 if self.opening + min(by, 0) < 10 else 10 if self.opening + by < 100 else 50
        self.add_to_opening(by * step)

    def add_to_opening(self, notes: int) -> None:
        """Raise or lower the opening bid by an amount, as far as the money goes."""
        assert self.opening is not None
        state = self._session.state
        least = state.board.money.least_bid
        most = max(least, state.cash[state.decider])
        self.opening = max(least, min(most, self.opening + notes))

    # Words.

    def detail(self) -> str:
        """Return what there is to know of the choice, and how to make it."""
        if self.opening is not None:
            return _("Opening bid: {amount}   (- and + change it; a million: N and M)").format(
                amount=show(self.opening)
            )
        assert self.option is not None
        name = self._name()
        words = target_detail(self._session, self.option.targets[self.deed()])
        how = _("{label}: choose a district (arrows, Enter; Esc goes back)")
        if self.picked >= 0:
            how = _("{label}: tap the district once more, or choose another")
        head = how.format(label=self.option.label)
        return f"{head}\n{name}: {words}" if words else f"{head}\n{name}"

    def buttons(self, options: list[Option]) -> list[Button]:
        """Return the buttons of the choice, beside those of other options of the decision."""
        confirm = Button(self._confirming(), "enter", Command("confirm"), True)
        leave = Button(_("Back"), "esc", Command("back"))
        if self.opening is not None:
            return [
                confirm,
                Button(_("Higher"), "+", Command("opening", 1)),
                Button(_("Lower"), "-", Command("opening", -1)),
                Button(f"+{show(MILLION)}", "m", Command("opening notes", MILLION)),
                Button(f"−{show(MILLION)}", "n", Command("opening notes", -MILLION)),
                leave,
            ]
        if self._session.state.phase not in PLACES:
            return [confirm, leave]
        others = [
            Button(option.label, option.key, Command("option", place))
            for place, option in enumerate(options)
            if option.action is not None
        ]
        return [confirm, leave, *others]

    def _confirming(self) -> str:
        """Return the words of the button that does the chosen option."""
        if self.opening is not None:
            return _("Open with {amount}: it binds you").format(amount=show(self.opening))
        return _("Do it: {district}").format(district=self._name())

    def _name(self) -> str:
        return self._session.state.board.deeds[self.deed()].name
