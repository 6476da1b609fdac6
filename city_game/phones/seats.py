"""The seats of the telephones: each telephone keeps a token, and the token is the seat.

The seats outlive the table: a telephone that comes back after the table was killed, or was
closed and opened again, finds the same code, the same port and its seat.
"""

import json
import secrets
from contextlib import suppress
from pathlib import Path

from city_unit.desktop.errors import UserError
from city_unit.desktop.files import write_whole

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none looks like another
CODE = 10  # letters: 31 ** 10, about 2 ** 49
MOST_TOKENS = 60  # that are remembered


class Seats:
    """The code that all who play know, and the tokens of those who have a seat.

    port  at which the door was open last, 0 for none
    file  where all this is remembered, None for nowhere
    """

    def __init__(self, file: Path | None = None) -> None:
        self.file = file
        self.port = 0
        self.code = _new_code()
        self._names: dict[str, str] = {}  # of players, by token
        if file is not None:
            try:
                known = json.loads(file.read_text(encoding="utf-8"))
                code, port, names = known["code"], known["port"], known["seats"]
            except (OSError, ValueError, TypeError, KeyError):
                return
            is_code = type(code) is str and len(code) == CODE and set(code) <= set(LETTERS)
            if not is_code or type(port) is not int or type(names) is not dict:
                return
            self.code = code
            self.port = port if 0 < port < 65536 else 0
            self._names = {token: name for token, name in names.items() if type(name) is str}

    def begin_apart(self) -> None:
        """Have a code of this table alone, and remember nothing: another table has the file."""
        self.file, self.port, self.code = None, 0, _new_code()
        self._names = {}

    def name_of(self, token: str) -> str:
        """Return whose seat a token is, "" if it is nobody's."""
        return self._names.get(token, "")

    def is_taken(self, name: str) -> bool:
        return name in self._names.values()

    def take(self, name: str) -> str:
        """Return a new token for a seat; the token that it had is worth nothing any more."""
        self.leave(name)
        token = secrets.token_urlsafe(16)
        self._names[token] = name
        while len(self._names) > MOST_TOKENS:
            del self._names[next(iter(self._names))]
        self.write()
        return token

    def leave(self, name: str) -> None:
        """Make a seat free."""
        self._names = {token: other for token, other in self._names.items() if other != name}
        self.write()

    def write(self) -> None:
        """Remember all; without a disk that takes it the evening goes on all the same."""
        if self.file is None:
            return
        known = {"code": self.code, "port": self.port, "seats": self._names}
        with suppress(UserError, OSError):
            write_whole(self.file, json.dumps(known))
            self.file.chmod(0o600)  # a reader of it can sit in any seat


def _new_code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(CODE))
