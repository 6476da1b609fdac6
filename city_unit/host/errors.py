"""The errors of a link and the refusals of a unit, each in one line for a person.

Commands in English, unless the program speaks another language (`city_unit.desktop.catalogue`).
"""

from city_unit.desktop.catalogue import lazy
from city_unit.desktop.errors import FAILURE, UNCHECKED, UserError


class LinkError(UserError):
    """Something is wrong with the link to a unit; the base of all the others."""

    def __init__(self, message: str) -> None:
        super().__init__(message, FAILURE)


class NoUnit(LinkError):
    """There is no unit at a port, or none that could be found."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.code = UNCHECKED


class Busy(NoUnit):
    """There is a unit at a port, but another program has it."""


REFUSED = lazy("the unit refused {command}: {why}")
REFUSED_EXPLAINED = lazy("the unit refused {command}: {why} ({explained})")

_NOT_NOW = lazy("not in this state")
# The meaning of the words on the wire.
EXPLAINED = {
    "busy": lazy("a finger is there already"),
    "bad-word": lazy("a word or a number in it is wrong"),
    "unknown": lazy("this unit has no such command"),
    "stale": lazy("another program uses the name of this program at the unit"),
    "watching": lazy("who only watches may not"),
    "no-permits": lazy("its program gives none"),
    "off": _NOT_NOW,
    "setup": _NOT_NOW,
    "ready": _NOT_NOW,
    "auction": _NOT_NOW,
    "warning": _NOT_NOW,
    "drawing": _NOT_NOW,
    "over": _NOT_NOW,
}


class Refused(LinkError):
    """The unit did not do a command and changed nothing; `why` is its one word.

    That is the state that it is in, or one of those that `EXPLAINED` has.
    """

    def __init__(self, command: str, why: str) -> None:
        explained = EXPLAINED.get(why)
        words = REFUSED_EXPLAINED if explained else REFUSED
        super().__init__(words.format(command=repr(command), why=why, explained=explained))
        self.why = why


class NoNews(LinkError, TimeoutError):
    """The awaited news did not come in time."""


class NoAnswer(LinkError):
    """A command was not answered in time; whether it was done is not known."""
