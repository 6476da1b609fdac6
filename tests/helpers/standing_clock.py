"""A clock that tests move by hand."""


class StandingClock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds

    def move(self, ms: float) -> None:
        self.seconds += ms / 1000
