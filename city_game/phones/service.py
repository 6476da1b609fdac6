"""The telephones of an evening: the door, and the talk with each telephone that comes in."""

from pathlib import Path

import segno

from city_game.kernel.sales import IN_SALE
from city_game.phones.line import REFEREE, ROLES, SPECTATOR
from city_game.phones.seats import Seats
from city_game.phones.server import Server, listen
from city_game.phones.talk import Telephones
from city_unit.desktop import addresses

EVERYWHERE = "0.0.0.0"  # the home network; a client that is not of it is turned away


class Phones:
    """Telephones that may come in at `host`; raises UserError if none can.

    address       the address that a telephone opens: it has the code in it
    squares       the address as a code for a camera: rows, True for dark
    is_only_here  whether no other device can reach the address
    """

    def __init__(
        self, file: Path | None = None, host: str = EVERYWHERE, port: int = 0, name: str = ""
    ) -> None:
        seats = Seats(file)
        reachable = addresses.reachable(host)
        looking = (SPECTATOR, REFEREE)  # also for the page of another table: a referee sees several
        self._server = listen(
            lambda port: Server(host, port, {seats.code: ROLES}, reachable, looking), seats, port
        )
        self.is_only_here = host != EVERYWHERE and addresses.is_loopback(host)
        self.address = f"http://{reachable}:{self._server.port}/{seats.code}/"
        code = segno.make(self.address, micro=False)
        self.squares = tuple(tuple(map(bool, row)) for row in code.matrix)
        self.talk = Telephones(seats, self._server.send, name)

    def step(self) -> None:
        """Take the messages that came, and send the changes; once a frame."""
        received = self._server.received
        while received:
            item = received.popleft()
            if item.what == "opened":
                self.talk.opened(item.line, item.value)
            elif item.what == "closed":
                self.talk.closed(item.line)
            elif item.what == "measured":
                self.talk.measured(item.line, item.asked, item.came, item.value)
            else:
                self.talk.heard(item.line, item.came, item.value)
        session = self.talk.session
        self._server.is_in_sale = session is not None and session.state.phase in IN_SALE
        self.talk.step()

    def stop(self) -> None:
        """Close the door; the seats are kept."""
        if self.talk.session is not None:
            self.talk.session.auctioneer.slowest = lambda: 0.0
            self.talk.session.remote = set
        self._server.stop()
