"""What can go wrong with a board."""


class BoardError(Exception):
    """What is wrong with a board or its port, in one line; `code` is the exit status."""

    def __init__(self, message: str, code: int = 1) -> None:
        super().__init__(message)
        self.code = code
