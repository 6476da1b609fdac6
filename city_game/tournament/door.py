"""The page of a tournament: a projector's for all to see, and a referee's behind a secret.

`Talk` is pure; the door is that of the telephones, with a page and codes of its own.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from city_game.phones import requests
from city_game.phones.line import REFEREE, SPECTATOR, Answers
from city_game.phones.seats import CODE, LETTERS, Seats
from city_game.phones.server import PORT, Server, listen
from city_game.phones.words import money_words, page_words
from city_unit.desktop import addresses, catalogue
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import UserError

LOOPBACK, EVERYWHERE = "127.0.0.1", "0.0.0.0"
OWN_PAGE = "city_game.tournament"


@dataclass
class _Line:
    """A browser that is connected."""

    role: str
    page: str = ""
    language: str = ""
    has_greeted: bool = False


class Talk:
    """The talk with all browsers.

    do    does a step of a round; raises UserError
    look  returns the view, in the language of the moment; for the referee or for all
    """

    def __init__(
        self,
        do: Callable[[str, int], None],
        look: Callable[[bool], dict],
        send: Callable[[int, str], object],
    ) -> None:
        self._do = do
        self._look = look
        self._send = send
        self._lines: dict[int, _Line] = {}
        self._answers = Answers()

    def opened(self, number: int, role: str) -> None:
        self._lines[number] = _Line(role)

    def closed(self, number: int) -> None:
        self._lines.pop(number, None)

    def heard(self, number: int, text: str | bytes) -> None:
        """Take a message, whatever it is."""
        line, message = self._lines.get(number), requests.read(text)
        if line is None or not message:
            return
        if message.get("say") == "hello":
            line.page = requests.word(message.get("page"), 32)
            line.language = catalogue.known(requests.word(message.get("language"), 16))
            line.has_greeted = True
            with catalogue.spoken(line.language or catalogue.speaking()):
                welcome = {
                    "language": catalogue.speaking(),
                    "texts": page_words(OWN_PAGE),
                    "money": money_words(),
                    "role": line.role,
                    "table": "",
                }
                self._send(number, _written({"welcome": welcome}))
            return
        count = requests.whole(message.get("n"))
        if line.has_greeted and count is not None:
            with catalogue.spoken(line.language or catalogue.speaking()):
                page = f"{line.role}/{line.page}"
                why = self._answers.give(page, count, lambda: self._act(line, message))
            self._send(number, _written({"done": count, "why": why}))

    def _act(self, line: _Line, message: dict) -> str:
        """Do a step that a browser asks for; return in words why not, "" if it was done."""
        step, round_ = requests.word(message.get("step"), 400), requests.whole(message.get("round"))
        if line.role != REFEREE or not step or round_ is None:
            return _("Only the referee may do that.")
        try:
            self._do(step, round_)
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
                    views[kind] = _written({"view": self._look(kind[1])})
            self._send(number, views[kind])


def _written(message: dict) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


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
        self._talk = Talk(do, look, self._server.send)

    def step(self, has_changed: bool) -> None:
        """Take the messages that came, and send the changes."""
        received = self._server.received
        while received:
            item = received.popleft()
            has_changed |= item.what == "heard"
            if item.what == "opened":
                self._talk.opened(item.line, item.value)
            elif item.what == "closed":
                self._talk.closed(item.line)
            elif item.what == "heard":
                self._talk.heard(item.line, item.value)
        if has_changed:
            self._talk.show()

    def stop(self) -> None:
        self._server.stop()


def _shown(secret: str) -> str:
    """Return the code that all may see; the secret does not follow from it."""
    digits = hashlib.sha256(f"projector {secret}".encode()).digest()  # no text: hashed
    return "".join(LETTERS[digit % len(LETTERS)] for digit in digits[:CODE])
