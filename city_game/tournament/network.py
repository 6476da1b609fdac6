"""A tournament on the network: its pages, and the tables that it watches.

There is a public page for a projector, and one for the referee, protected by a secret code. The
telephones' server serves them, with pages and codes of their own.

Results are read from saved games, or from tables watched over the home network; a game's players
are matched with a table's teams by name. The tournament watches a table as a referee's telephone
does, and does not trust it: messages are limited in size and validated, and can only be shown, or
entered as calls and the result of that very table.
"""

import asyncio
import hashlib
import json
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from city_game import save
from city_game.game import Game
from city_game.kernel.flow import wealth
from city_game.phones import requests
from city_game.phones.client import REFEREE, SPECTATOR, Client
from city_game.phones.server import (
    CODE,
    LETTERS,
    PORT,
    Seats,
    Server,
    is_at_home,
    listen,
    money_words,
    page_words,
)
from city_game.phones.telephones import Clients, written
from city_game.tournament.core import CALLERS, LONGEST_NAME, Table, Tournament
from city_unit.desktop import addresses, catalogue
from city_unit.desktop.catalogue import _, ngettext
from city_unit.desktop.errors import UserError
from city_unit.desktop.forms import all_of, number

LOOPBACK, EVERYWHERE = "127.0.0.1", "0.0.0.0"
OWN_PAGE = "city_game.tournament"


class Browsers(Clients):
    """The browsers of the tournament's pages.

    do    performs a step, given the number of steps that the page showed; raises UserError
    look  returns the view in the current language; True for the referee's
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

    def _greet(self, client: Client) -> dict:
        return {
            "language": catalogue.speaking(),
            "texts": page_words(OWN_PAGE),
            "money": money_words(),
            "role": client.role,
        }

    def _do(self, client: Client, message: dict, came: float) -> str:
        step, seen = requests.word(message.get("step"), LONGEST), message.get("seen")
        if client.role != REFEREE or type(seen) is not int:
            return _("Only the referee can do that.")
        try:
            self._step(step, seen)
        except UserError as error:
            return str(error)
        return ""

    def show(self) -> None:
        """Send each browser the view."""
        views: dict[tuple[str, bool], str] = {}
        for connection, client in list(self._clients.items()):
            kind = client.language or catalogue.speaking(), client.role == REFEREE
            if not client.has_greeted:
                continue
            if kind not in views:
                with catalogue.spoken(kind[0]):
                    views[kind] = written({"view": self._look(kind[1])})
            self._send(connection, views[kind])


class Door:
    """Serves the pages to browsers of this computer or the home network; raises UserError.

    file       stores the codes and the port, so that the addresses stay the same
    port       the port, 0 for the last one used, or any
    moved      a message if the port has changed, else ""
    projector  the address of the public page
    referee    the address of the referee's page
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
        self._server = listen(serve_at, seats, host, port)
        moved = _("port {port} is busy: the pages use another one this time")
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
    """Derive the public code, from which the secret cannot be computed."""
    digits = hashlib.sha256(f"projector {secret}".encode()).digest()  # no text: hashed
    return "".join(LETTERS[digit % len(LETTERS)] for digit in digits[:CODE])


MOST_PLAYERS = 6
LONGEST = 256 * 1024  # bytes of a message
MOST_WAITING = 1000  # unprocessed messages
PATIENCE_S = 5.0
AGAIN_S = 3.0
CLOSE_S = 1.0  # timeout of a closing handshake
CLOSE_MS = 20  # bids closer than this are for the referee even if the clocks decide


class Facts(NamedTuple):
    """The latest report of a watched table.

    left    seconds on its unit's clock, None without one
    stands  whether that clock is stopped
    worths  the wealth of each player in notes, by name
    came    the arrival of the report, s
    doubts  pairs of bids in its last sale that are too close together for the clocks
    calls   the names of the players who call the referee, "?" for an unknown one
    """

    is_over: bool
    left: int | None
    stands: bool
    worths: dict[str, int]
    doubts: int
    calls: tuple[str, ...]
    came: int = 0

    def left_at(self, now: int) -> int | None:
        if self.left is None or self.stands:
            return self.left
        return max(0, self.left - (now - self.came))


def read(text: str | bytes, came: int = 0) -> Facts | None:
    """Parse a message; return None if it is not a report."""
    view = requests.read(text).get("view")
    if not isinstance(view, dict):
        return None
    worths = {}
    for player in _dicts(view.get("players"))[:MOST_PLAYERS]:
        name, worth = requests.word(player.get("name")), requests.whole(player.get("worth"))
        if name.isprintable() and name and worth is not None:
            worths[name] = max(0, worth)
    left = requests.number(view.get("left"))
    (referee,) = _dicts([view.get("referee")]) or ({},)
    bids, calls = _dicts(referee.get("bids"))[:20], referee.get("calls")
    calls = calls[:MOST_PLAYERS] if isinstance(calls, list) else []
    called = [requests.word(name).replace(",", " ") for name in calls if isinstance(name, str)]
    names = [" ".join(name.split())[:LONGEST_NAME] for name in called]
    return Facts(
        view.get("phase") == "over",
        None if left is None else max(0, int(left)) // 1000,
        view.get("stands") is True,
        worths,
        sum(_is_close(*pair) for pair in pairwise(bids)),
        tuple(name or "?" for name in names if name.isprintable()),
        came,
    )


def _dicts(value: object) -> list[dict[str, Any]]:
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []


def _is_close(later: dict, earlier: dict) -> bool:
    """Return whether two bids of different players are too close to know which was first."""
    known = [
        requests.number(bid.get(key)) for bid in (later, earlier) for key in ("since", "within")
    ]
    if None in known or later.get("player") == earlier.get("player"):
        return False
    since, within, earlier_since, earlier_within = (value or 0 for value in known)
    return since - earlier_since < max(CLOSE_MS, within + earlier_within)


class Tables:
    """Connections to watched tables, in a thread of their own, which reconnect automatically.

    facts  by address, as of the last `step`: the latest report; None for a table that does not
           answer; missing for one that had no time to answer yet
    """

    def __init__(self) -> None:
        self.facts: dict[str, Facts | None] = {}
        self._wanted: set[str] = set()
        self._received: deque[tuple[str, Facts | None]] = deque(maxlen=MOST_WAITING)
        self._tasks: dict[str, asyncio.Task] = {}
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="tables", daemon=True)
        self._thread.start()

    def step(self, addresses: Iterable[str]) -> bool:
        """Watch exactly these tables; return whether any has new facts."""
        wanted = set(addresses)
        if wanted != self._wanted:
            self._wanted = wanted
            self.facts = {known: said for known, said in self.facts.items() if known in wanted}
            self._loop.call_soon_threadsafe(self._connect, wanted)
        has_news = False
        while self._received:
            address, facts = self._received.popleft()
            if address in wanted and facts != self.facts.get(address, ()):
                self.facts[address] = facts
                has_news = True
        return has_news

    def stop(self) -> None:
        asyncio.run_coroutine_threadsafe(self._leave(), self._loop).result(PATIENCE_S)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE_S)
        self._loop.close()

    # In the thread.

    def _connect(self, wanted: set[str]) -> None:
        for address in set(self._tasks) - wanted:
            self._tasks.pop(address).cancel()
        for address in wanted - set(self._tasks):
            self._tasks[address] = self._loop.create_task(self._look(address))

    async def _leave(self) -> None:
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=CLOSE_S)

    async def _look(self, address: str) -> None:
        while True:
            with suppress(OSError, WebSocketException, asyncio.TimeoutError, ValueError):
                await self._listen(address)
            self._received.append((address, None))
            await asyncio.sleep(AGAIN_S)

    async def _listen(self, address: str) -> None:
        where = urlsplit(address)
        sock = await asyncio.to_thread(
            socket.create_connection, (where.hostname, where.port or 80), timeout=PATIENCE_S
        )
        if not is_at_home(sock.getpeername()):
            sock.close()
            return
        sock.setblocking(False)
        async with connect(
            f"ws{address.removeprefix('http')}{REFEREE}",
            sock=sock,
            open_timeout=PATIENCE_S,
            close_timeout=CLOSE_S,
            max_size=LONGEST,
            compression=None,
        ) as table:
            await table.send(json.dumps({"n": 0, "say": "hello", "page": "tournament"}))
            async for message in table:
                facts = read(message, int(time.time()))
                if facts is not None:
                    self._received.append((address, facts))


def result_of_save(tournament: Tournament, words: str) -> str:
    """Parse "TABLE FILE"; return the step that enters the saved game's result; raises UserError."""
    number, _space, path = words.partition(" ")
    table = tournament.table(number)
    game, damage = save.examine(Path(path.strip()))
    if game.state.phase != "over":
        raise UserError(damage or _("{path}: this game is not over").format(path=path))
    return result_of(tournament, table, number, worths(game))


def worths(game: Game) -> dict[str, int]:
    """Return the final wealth of each player, by name."""
    return {game.setup.names[player]: worth for player, worth in enumerate(wealth(game.state))}


def result_of(tournament: Tournament, table: Table, number: str, worths: dict[str, int]) -> str:
    """Return the step that enters the wealth of players, given by name; raises UserError.

    A team is represented by its two players, or by one player with the team's name.
    """
    known = {name.casefold(): worth for name, worth in worths.items()}
    amounts = []
    for place in tournament.present(table):
        team = tournament.teams[place]
        pair = [name.casefold() for name in (team.junior, team.adult)]
        found = [known[name] for name in pair if name in known]
        if len(found) < len(pair):
            found = [known[team.name.casefold()]] if team.name.casefold() in known else []
        if not found:
            strangers = _("the game has {names}, but nobody from {team}; enter it with `result`")
            words = {"names": all_of(list(worths)), "team": team.name}
            raise UserError(strangers.format(**words))
        amounts.append("+".join(map(str, found)))
    return " ".join(["result", number, *amounts])


def entered(tournament: Tournament, facts: Mapping[str, Facts | None]) -> list[str]:
    """Return the steps that enter calls from watched tables, and results of finished games."""
    steps = []
    for place, table in enumerate(tournament.tables, 1):
        report = facts.get(table.live)
        if report and set(report.calls) != {*table.callers, *table.ruled}:
            steps.append(" ".join([CALLERS, str(place), ", ".join(report.calls)]).strip())
        if report and report.is_over and table.decided is None and tournament.present(table):
            with suppress(UserError):
                step = result_of(tournament, table, str(place), report.worths)
                if tournament.counted(step.partition(" ")[2])[1] not in table.heard:
                    steps.append(step)
    return steps


def questions(tournament: Tournament, facts: Mapping[str, Facts | None]) -> dict[int, list[str]]:
    """Return the questions of watched tables for the referee, by table number."""
    found = {}
    for place, table in enumerate(tournament.tables, 1):
        report = facts.get(table.live)
        said = called(tournament, table)
        if table.live not in facts or table.counts:
            pass
        elif report is None:
            said.append(_("no answer from its address"))
        elif report.is_over:
            try:
                result_of(tournament, table, str(place), report.worths)
            except UserError as error:
                said.append(str(error))
        elif report.doubts:
            words = ngettext(
                "{count} pair of bids is too close for the clocks",
                "{count} pairs of bids are too close for the clocks",
                report.doubts,
            )
            said.append(words.format(count=number(report.doubts)))
        if said:
            found[place] = said
    return found


def called(tournament: Tournament, table: Table) -> list[str]:
    """Return each call for the referee as text, with the caller's team if known."""
    teams = [tournament.teams[place] for place in table.teams]
    known = {player.casefold(): one.name for one in teams for player in (one.junior, one.adult)}
    said = []
    for caller in table.callers:
        words = _("{name} calls the referee")
        if caller == "?":
            words = _("The table calls the referee")
        team = known.get(caller.casefold())
        said.append(words.format(name=f"{caller} ({team})" if team else caller))
    return said
