"""Mistakes that a person can mend, told in one line."""


class UserError(Exception):
    """What was wrong, where, and what to do; the command line prints it and exits.

    code  the exit status: 2 for a mistake in what was asked, 1 for all else
    """

    def __init__(self, message: str, code: int = 2) -> None:
        super().__init__(message)
        self.code = code
