"""What of the unit's disc the player holds, with a key or with the mouse."""

from city_game.table.play.session import Session
from city_unit.desktop.catalogue import _
from city_unit.facts import AUCTIONING

MOUSE = "mouse"  # beside the keys, what a control can be held by


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
        """Let go of what is held by a key or the mouse; None is whatever it is held by."""
        if self.part and by in (None, self._by):
            self.part = ""
            self._session.release()

    def stopping(self) -> float:
        """Return how far AUCTION is held to stop the light: 0 for not at all, 1 for long enough."""
        unit = self._session.unit
        if self.part != "auction" or unit.state not in AUCTIONING:
            return 0.0
        return min(1.0, (unit.host_ms() - self._since) / unit.described.cancel_hold_ms)
