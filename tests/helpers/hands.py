"""A clock that tests move by hand."""


class Hands:
    """A clock that stands until it is moved."""

    def __init__(self):
        self.seconds = 1000.0

    def __call__(self):
        return self.seconds

    def move(self, ms):
        self.seconds += ms / 1000
