"""What can go wrong with a unit, each in one line for a person."""


class LinkError(Exception):
    """Something about the link to a unit; all the others are of this kind."""


class NoUnit(LinkError):
    """There is no unit at a port, or none that could be found."""


class Busy(NoUnit):
    """There is a unit at a port, but another program has it."""


class Refused(LinkError):
    """The unit did not do a command and changed nothing; `why` is its one word."""

    def __init__(self, command: str, why: str) -> None:
        super().__init__(f"the unit refused {command!r}: {why}")
        self.why = why


class NoAnswer(LinkError):
    """A command was not answered in time; whether it was done is not known."""
