"""A turn by telephone: actions of the rules, the unit's buttons, a pause."""

from collections.abc import Callable

from city_game.phones import messages
from city_game.phones.said import Said
from city_game.report.reasons import refused
from city_game.table.play.decisions import decide
from city_game.table.play.session import Session
from city_unit.desktop import catalogue
from city_unit.desktop.catalogue import _

# Actions that the table does itself where they are among the player's options.
CALLED: dict[str, Callable[[Session], object]] = {
    "auction": Session.call_auction,
    "build": lambda session: session.tap("build"),
    "undo": Session.undo,
    "hour": lambda session: session.hour.another(),
    "begin": Session.begin,
}


def choose(said: Said) -> str:
    """Do an action of the rules, if it is for the player to decide.

    Deals have a way of their own; what chance and the unit do, and bids with a time in them, nobody
    says.
    """
    action = messages.action(said.message.get("action"))
    rule = said.session.state.edition.actions.get(action[0]) if action else None
    if not action or rule is None or not rule.is_own:
        return refused("no-such-thing")
    decider = said.session.state.decider
    if decider != said.line.player:
        return _not_yours(said.session, decider)
    return said.game_has_moved_on() or said.act(action)


def call(said: Said) -> str:
    """Do an action that is an option of this player's now, and the table's to do."""
    session = said.session
    calls = messages.word(said.message.get("calls"))
    decision = decide(session)
    decides = session.gathers or decision.player == said.line.player
    if not decides or calls not in CALLED:
        return _not_yours(session, decision.player)
    if not any(option.calls == calls for option in decision.options):
        return refused("not-now")
    if moved_on := said.game_has_moved_on():
        return moved_on
    with catalogue.spoken(said.language):
        CALLED[calls](session)
    return ""


def pause(said: Said) -> str:
    """Pause, or go on: anybody may have to see to the door."""
    if why := said.session.pause_refused():
        return why
    with catalogue.spoken(said.language):
        said.session.pause(said.line.player)
    return ""


def _not_yours(session: Session, decider: int) -> str:
    """Return in words that another player decides, by name if anybody does."""
    if decider < 0:
        return _("It is not for you to decide now.")
    return _("{name} decides now.").format(name=session.names[decider])
