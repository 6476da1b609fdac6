"""The page of a tournament: a projector's for all to see, and a referee's behind a secret.

The door is that of the telephones, with a page and codes of its own.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path

from city_game.phones import requests
from city_game.phones.line import REFEREE, SPECTATOR, Line
from city_game.phones.server import (
    CODE,
    LETTERS,
    PORT,
    Seats,
    Server,
    listen,
    money_words,
    page_words,
)
from city_game.phones.telephones import Clients, written
from city_unit.desktop import addresses, catalogue
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import UserError

LOOPBACK, EVERYWHERE = "127.0.0.1", "0.0.0.0"
OWN_PAGE = "city_game.tournament"


class Browsers(Clients):
    """The browsers of the tournament's pages.

    do    does a step of a round; raises UserError
    look  returns the view, in the language of the moment; for the referee or for all
    """

    def __init__(
        self,
        do: Callable[[str, int], None],
        look: Callable[[bool], dict],
        send: Callable[[int, str], object],
    ) -> None:
        super().__init__(send)
        self._step = do
        self._look = look

    def _greet(self, line: Line) -> dict:
        return {
            "language": catalogue.speaking(),
            "texts": page_words(OWN_PAGE),
            "money": money_words(),
            "role": line.role,
            "table": "",
        }

    def _do(self, line: Line, message: dict, came: float) -> str:
        step, round_ = requests.word(message.get("step"), 400), requests.whole(message.get("round"))
        if line.role != REFEREE or not step or round_ is None:
            return _("Only the referee may do that.")
        try:
            self._step(step, round_)
        except UserError as error:
            return str(error)
        return ""

    def show(self) -> None:
        """Send each browser the view."""
        views: dict[tuple[str, bool], str] = {}
        for number, line in list(self._lines.items()):
            kind = line.language or catalogue.speaking(), line.role == REFEREE
            if not line.has_greeted:
                continue
            if kind not in views:
                with catalogue.spoken(kind[0]):
                    views[kind] = written({"view": self._look(kind[1])})
            self._send(number, views[kind])


class Door:
    """Listens for browsers of this computer, or of the home network; raises UserError.

    file       where the codes and the port are remembered: a projector finds the page again
    port       where it listens, 0 for where it did last, or anywhere
    moved      says that it listens elsewhere, "" if it does not
    projector  the address of the page that all may see
    referee    the address of the referee's
    """

    def __init__(
        self,
        file: Path,
        is_for_all: bool,
        port: int,
        do: Callable[[str, int], None],
        look: Callable[[bool], dict],
    ) -> None:
        host = EVERYWHERE if is_for_all else LOOPBACK
        reachable = addresses.reachable(host)
        seats = Seats(file)

        def serve_at(port: int) -> Server:
            codes = {seats.code: (REFEREE,), _shown(seats.code): (SPECTATOR,)}
            return Server(host, port, codes, reachable, page=OWN_PAGE)

        wanted = port or seats.port or PORT
        self._server = listen(serve_at, seats, port)
        moved = _("port {port} is taken: the pages are at another one this time")
        self.moved = moved.format(port=wanted) if self._server.port != wanted else ""
        at = f"http://{reachable}:{self._server.port}"
        self.projector, self.referee = f"{at}/{_shown(seats.code)}/", f"{at}/{seats.code}/#referee"
        self._browsers = Browsers(do, look, self._server.send)

    def step(self, has_changed: bool) -> None:
        """Process received messages, and send the changes."""
        has_changed |= self._browsers.take(self._server.received)
        if has_changed:
            self._browsers.show()

    def stop(self) -> None:
        self._server.stop()


def _shown(secret: str) -> str:
    """Return the code that all may see; the secret does not follow from it."""
    digits = hashlib.sha256(f"projector {secret}".encode()).digest()  # no text: hashed
    return "".join(LETTERS[digit % len(LETTERS)] for digit in digits[:CODE])
