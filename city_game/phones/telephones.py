"""The table's telephones: performs their requests, and sends each one its view after a change.

`Clients` and `Telephones` do no I/O: connections are numbers, messages arrive with their time (ms
of this computer's clock), and `send` delivers responses. `Phones` connects them to the server.
Every request has a number and gets a response. A request that is repeated after a lost connection
is not performed again. A view is always sent whole.
"""

import json
from collections import deque
from collections.abc import Callable
from pathlib import Path

import segno

from city_game import editions
from city_game.kernel.sales import IN_SALE
from city_game.phones import requests
from city_game.phones.client import NOBODY, PLAYER, REFEREE, ROLES, SPECTATOR, Client, Missed
from city_game.phones.hand import bets_view, hand_view, missed_view, referee_view, table_view
from city_game.phones.requests import Deals, Request, shown_verdict
from city_game.phones.server import (
    ON_A_TELEPHONE,
    ConnectionEvent,
    Seats,
    Server,
    listen,
    money_words,
    page_words,
)
from city_game.table.session import Session
from city_game.table.view import GameView, Table, view
from city_game.words import refused
from city_unit.desktop import addresses, catalogue
from city_unit.desktop.catalogue import _

MOST_PAGES = 100  # whose last response is stored
# The hour on the telephones is corrected when it is off by more; two clocks always drift a little.
HOUR_MS = 500.0


class Clients:
    """The browsers connected to a page, each with its language."""

    def __init__(self, send: Callable[[int, str], object]) -> None:
        self._send = send
        self._clients: dict[int, Client] = {}
        self._answers: dict[str, tuple[int, str]] = {}  # page -> number and response of the latest

    def _greet(self, client: Client) -> dict:
        """Return the response to a browser's greeting."""
        raise NotImplementedError

    def _do(self, client: Client, message: dict, came: float) -> str:
        """Perform a request. Return "" on success, else the reason as text for people."""
        raise NotImplementedError

    def opened(self, number: int, role: str = PLAYER) -> None:
        self._clients[number] = Client(role if role in ROLES else PLAYER)

    def closed(self, number: int) -> None:
        self._clients.pop(number, None)

    def measured(self, number: int, sent: float, came: float, stamp: object) -> None:
        """Record a round trip to a browser, and the time on its clock."""
        client, ms = self._clients.get(number), requests.number(stamp)
        if client and ms is not None:
            client.clock.learn(sent, came, ms)

    def heard(self, number: int, came: float, text: str | bytes) -> None:
        """Process a message, which may be hostile."""
        client, message = self._clients.get(number), requests.read(text)
        if client is None or not message:
            return
        if message.get("say") == "hello":
            client.has_greeted = True
            client.page = requests.word(message.get("page"), 32)
            client.language = catalogue.known(requests.word(message.get("language"), 16))
            client.token = requests.word(message.get("token"))
            with catalogue.spoken(client.language or catalogue.speaking()):
                self._reply(number, {"welcome": self._greet(client)})
            return
        count = requests.whole(message.get("n"))
        if client.has_greeted and count is not None:
            with catalogue.spoken(client.language or catalogue.speaking()):
                page = f"{client.role}/{client.page}"
                last, why = self._answers.get(page, (0, ""))
                if count > last:  # otherwise it is a repeated request
                    why = self._do(client, message, came)
                    self._answers.pop(page, None)
                    self._answers[page] = (count, why)
                    while len(self._answers) > MOST_PAGES:
                        del self._answers[next(iter(self._answers))]
            self._reply(number, {"done": count, "why": why})

    def take(self, received: deque[ConnectionEvent]) -> bool:
        """Process the events of a server; return whether any was a message."""
        has_heard = False
        while received:
            event = received.popleft()
            if event.what == "opened":
                self.opened(event.number, event.value)
            elif event.what == "closed":
                self.closed(event.number)
            elif event.what == "measured":
                self.measured(event.number, event.asked, event.came, event.value)
            else:
                has_heard = True
                self.heard(event.number, event.came, event.value)
        return has_heard

    def _reply(self, number: int, message: dict) -> None:
        self._send(number, written(message))


def written(message: dict) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


class Telephones(Clients):
    """All telephones of a table.

    session   the current game, None without one
    handlers  the handler of each request that a telephone with a seat may send in a game
    """

    def __init__(self, seats: Seats, send: Callable[[int, str], object]) -> None:
        super().__init__(send)
        self.seats = seats
        self.session: Session | None = None
        self._deals: Deals | None = None  # of the current game
        self._known: tuple = ()  # what the last `step` showed
        self._hour_ends: float | None = None  # as last shown, by the unit's clock
        self._changes = 0
        self._left: dict[int, tuple[int, int]] = {}  # player -> events and cash at disconnection
        self._bets: dict[int, int] = {}  # bankrupt player -> the player they bet on
        self._table_language = catalogue.ENGLISH  # of the table's log
        self.handlers: dict[str, Callable[[Request], str]] = {}

    def use(self, session: Session | None) -> None:
        """Switch to another game, or none; players of the same name keep their telephones."""
        self.session, self._deals, self.handlers = session, None, {}
        self._left.clear()
        self._bets.clear()
        for client in self._clients.values():
            client.verdict = None
            self._sit_down(client)
        if session is not None:
            session.auctioneer.slowest = self.slowest
            session.remote = self.online
            session.has_referee = self.has_referee
            self._deals = Deals(session)
            self.handlers = {
                "leave": self._leave,
                "bid": Request.bid,
                "limit": Request.limit,
                "pass": Request.give_up,
                "do": Request.choose,
                "call": Request.call,
                "pause": Request.pause,
                "referee": Request.call_referee,
                "bet": self._bet,
                "propose": self._deals.propose,
                "reply": self._deals.reply,
            }
        self._changes += 1

    def slowest(self) -> float:
        """Return the longest time that a player's bid may travel, in ms."""
        return max(
            (client.clock.slowest for client in self._clients.values() if client.player >= 0),
            default=0.0,
        )

    def online(self) -> set[int]:
        """Return the players whose telephone is connected."""
        return {client.player for client in self._clients.values() if client.player >= 0}

    def has_referee(self) -> bool:
        return any(
            client.has_greeted and client.role == REFEREE for client in self._clients.values()
        )

    # Received messages.

    def closed(self, number: int) -> None:
        client = self._clients.pop(number, None)
        if client is None:
            return
        if self.session is not None and client.player >= 0:
            state = self.session.state
            self._left[client.player] = len(state.events), state.cash[client.player]
        self._changes += 1

    def heard(self, number: int, came: float, text: str | bytes) -> None:
        self._table_language = catalogue.speaking()
        super().heard(number, came, text)

    def _greet(self, client: Client) -> dict:
        self._sit_down(client)
        client.shown = ""
        self._changes += 1
        edition = self.session.state.edition if self.session else editions.get()
        how = edition.words.how_to_play
        return {
            "language": catalogue.speaking(),
            "languages": [[code, catalogue.own_name(code)] for code in catalogue.languages()],
            "texts": page_words(),
            "how": [str(sentence) for sentence in (*how, *ON_A_TELEPHONE)],
            "money": money_words(),
            "role": client.role,
        }

    def _sit_down(self, client: Client) -> None:
        """Give a telephone the seat of its token, if this game has that seat."""
        client.player = NOBODY
        name = self.seats.name_of(client.token)
        if client.role != PLAYER or self.session is None or name not in self.session.names:
            return
        player = self.session.names.index(name)
        if self.session.is_human(player):
            self._stand_up(player)
            client.player = player
            client.has_lost_seat = False
            if player in self._left:
                client.missed = Missed(
                    self._left[player][0],
                    len(self.session.state.events),
                    self._left.pop(player)[1],
                )

    def _stand_up(self, player: int) -> None:
        """Remove the telephone that has a seat."""
        for client in self._clients.values():
            if client.player == player:
                client.player, client.has_lost_seat, client.verdict = NOBODY, True, None

    # Requests.

    def _do(self, client: Client, message: dict, came: float) -> str:
        self._changes += 1
        what = requests.word(message.get("say"))
        if what == "language":
            client.language = catalogue.known(requests.word(message.get("language"), 16))
            return ""
        if self.session is None:
            return _("The game has not started.")
        if what == "seat":
            return self._take_seat(client, message)
        if client.player < 0 or what not in self.handlers:
            return _("Take a seat first.")
        if self.session.is_paused and what not in ("leave", "pause", "referee"):
            return _("The game is paused.")
        return self.handlers[what](
            Request(self.session, client, message, came, self._table_language)
        )

    def _take_seat(self, client: Client, message: dict) -> str:
        session, player = self.session, requests.whole(message.get("player"))
        assert session is not None
        if player is None or not 0 <= player < len(session.names) or client.role != PLAYER:
            return _("There is no such seat.")
        if not session.is_human(player):
            return _("That seat belongs to a bot.")
        name = session.names[player]
        is_taken = self.seats.is_taken(name)
        if is_taken and message.get("over") is not True:
            return _("Another telephone has that seat.")
        if client.player >= 0:
            self.seats.leave(session.names[client.player])
        self._stand_up(player)
        client.token = self.seats.take(name)
        client.player, client.has_lost_seat, client.verdict = player, False, None
        with catalogue.spoken(self._table_language):
            if is_taken:
                session.say(
                    _("Another telephone has taken over the seat of {name}").format(name=name)
                )
            else:
                session.say(_("{name} has a telephone").format(name=name))
        return ""

    def _bet(self, request: Request) -> str:
        """Record the bet of a bankrupt player, which is final."""
        state, player = request.state, request.client.player
        on = requests.whole(request.message.get("on"))
        if state.alive[player] or state.phase == "over":
            return refused("not-now")
        if on is None or not 0 <= on < state.players or not state.alive[on]:
            return refused("no-such-thing")
        if player in self._bets:
            return _("Your bet is final.")
        self._bets[player] = on
        return ""

    def _leave(self, request: Request) -> str:
        client = request.client
        self.seats.leave(request.session.names[client.player])
        client.player, client.token = NOBODY, ""
        return ""

    # Sent messages.

    def step(self) -> None:
        """Send every telephone its view, if it has changed."""
        self._table_language = catalogue.speaking()
        table = None
        if self.session is not None and self._deals is not None:
            self._deals.conclude(self._table_language)
            self._deals.update()
            table = self.session.table()
        # A view also shows verdicts, cancelled deals and calls for the referee.
        verdicts = tuple(client.verdict for client in self._clients.values())
        fallen = tuple(self._deals.fallen.items()) if self._deals else ()
        callers = tuple(self.session.callers) if self.session else ()
        known = (self._changes, table, self._end_of_hour(), verdicts, fallen, callers)
        if known == self._known:
            return
        self._known = known
        views: dict[str, tuple[GameView, dict]] = {}  # the public part of a view, by language
        for number, client in list(self._clients.items()):
            if client.has_greeted:
                self._show(number, client, table, views)

    def _end_of_hour(self) -> float | None:
        """Return the end of the hour by the unit's clock, None without one."""
        if self.session is None:
            return None
        unit = self.session.unit
        left = unit.clock_left()
        ends = unit.now() + left if left else None
        known = self._hour_ends
        if ends is None or known is None or abs(ends - known) > HOUR_MS:
            self._hour_ends = ends
        return self._hour_ends

    def _show(
        self,
        number: int,
        client: Client,
        table: Table | None,
        views: dict[str, tuple[GameView, dict]],
    ) -> None:
        """Send a telephone its view, unless that is unchanged; `views` caches the public parts."""
        language, player = client.language or catalogue.speaking(), client.player
        shown: dict = {"you": player, "token": client.token, "lost_seat": client.has_lost_seat}
        session, deals = self.session, self._deals
        with catalogue.spoken(language):
            if table is not None and session is not None and deals is not None:
                if language not in views:
                    whole = view(table)
                    common = table_view(whole, session.unit.now(), session.left())
                    views[language] = whole, {**common, "bets": bets_view(table, self._bets)}
                seen = views[language][0].seen_by(player)
                shown |= {**views[language][1], "title": seen.title}
                shown["taken"] = [self.seats.is_taken(name) for name in table.names]
                if player >= 0:
                    hand = hand_view(seen, player, deals.seen_by(player))
                    hand["fallen"] = deals.reason(player)
                    hand["bet"] = self._bets.get(player, NOBODY)
                    hand["missed"] = missed_view(table, client.missed)
                    shown |= {"hand": hand, "verdict": shown_verdict(table.state, client.verdict)}
                    shown |= {"refers": self.has_referee(), "called": player in session.callers}
                elif client.role == REFEREE:
                    about = session.unit.client.about
                    name = about.name if about else ""
                    shown["referee"] = referee_view(table, name, session.unit.within())
                    shown["referee"]["calls"] = [
                        "" if caller < 0 else table.names[caller] for caller in session.callers
                    ]
        text = written({"view": shown})
        if text != client.shown:
            client.shown = text
            self._send(number, text)


EVERYWHERE = "0.0.0.0"  # all interfaces; the server rejects clients outside the home network


class Phones:
    """The telephones of a table and their server on `host`; raises UserError if it cannot listen.

    address       the URL for telephones, which contains the code
    squares       the QR code of the address, as rows, True for dark
    is_only_here  whether only this computer can reach the address
    """

    def __init__(self, file: Path | None = None, host: str = EVERYWHERE, port: int = 0) -> None:
        seats = Seats(file)
        reachable = addresses.reachable(host)
        read_only = (SPECTATOR, REFEREE)  # for pages of other tables too: a referee watches several
        self._server = listen(
            lambda port: Server(host, port, {seats.code: ROLES}, reachable, read_only),
            seats,
            host,
            port,
        )
        self.is_only_here = host != EVERYWHERE and addresses.is_loopback(host)
        self.address = f"http://{reachable}:{self._server.port}/{seats.code}/"
        code = segno.make(self.address, micro=False)
        self.squares = tuple(tuple(map(bool, row)) for row in code.matrix)
        self.telephones = Telephones(seats, self._server.send)

    def step(self) -> None:
        """Process received messages and send changed views; called once a frame."""
        self.telephones.take(self._server.received)
        session = self.telephones.session
        self._server.is_in_sale = session is not None and session.state.phase in IN_SALE
        self.telephones.step()

    def stop(self) -> None:
        """Stop the server; the seats stay stored."""
        if self.telephones.session is not None:
            self.telephones.session.auctioneer.slowest = lambda: 0.0
            self.telephones.session.remote = set
        self._server.stop()
