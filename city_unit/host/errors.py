"""What can go wrong with a unit, each in one line for a person."""

_NOT_NOW = "not in this state"
EXPLAINED = {
    "busy": "a finger is there already",
    "bad-word": "a word or a number in it is wrong",
    "unknown": "this unit has no such command",
    "no-permits": "its program gives none",
    "off": _NOT_NOW,
    "setup": _NOT_NOW,
    "ready": _NOT_NOW,
    "auction": _NOT_NOW,
    "warning": _NOT_NOW,
    "drawing": _NOT_NOW,
    "over": _NOT_NOW,
}


class LinkError(Exception):
    """Something about the link to a unit; all the others are of this kind."""


class NoUnit(LinkError):
    """There is no unit at a port, or none that could be found."""


class Busy(NoUnit):
    """There is a unit at a port, but another program has it."""


class Refused(LinkError):
    """The unit did not do a command and changed nothing; `why` is its one word.

    That is the state that it is in, or one of those that `EXPLAINED` has.
    """

    def __init__(self, command: str, why: str) -> None:
        explained = EXPLAINED.get(why)
        more = f" ({explained})" if explained else ""
        super().__init__(f"the unit refused {command!r}: {why}{more}")
        self.why = why


class NoAnswer(LinkError):
    """A command was not answered in time; whether it was done is not known."""
