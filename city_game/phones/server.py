"""The server for telephones: it serves the page, and a WebSocket to each telephone with the code.

It runs in a thread of its own, so that arrival times are right even while the table is drawing.
Messages wait in `received` until the table processes them. Every URL contains the code: a client
without it, or from outside the home network, gets a 404.

This module also collects the page's texts and stores the seats. Each telephone stores a token,
which identifies its seat. The seats outlive the table: after the table was killed or restarted, a
telephone finds the same code, the same port and its seat.
"""

import asyncio
import hmac
import ipaddress
import json
import re
import secrets
import threading
from collections import deque
from collections.abc import Callable, Container, Mapping
from contextlib import suppress
from functools import cache
from http import HTTPStatus
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from city_unit.desktop.catalogue import lazy, of_file, pgettext
from city_unit.desktop.errors import FAILURE, UserError
from city_unit.desktop.files import MEDIA_TYPES, reason, write_whole
from city_unit.host import host_ms
from city_unit.host.serving.web_door import NOTHING, SINGLE, Connection, File, respond

LONGEST = 4096  # bytes of a message
MOST_CONNECTIONS = 64  # of each role: a crowd of spectators keeps no player or referee out
MOST_WAITING = 200  # queued messages for a telephone that does not read
MOST_A_SECOND = 40  # messages from a telephone, averaged over 3 s
BEAT_S = 1.0  # between two measurements of a telephone's clock
QUICK_BEAT_S = 0.25  # the same during a sale, where the clocks matter
FIRST_BEATS = 12  # quick measurements when a telephone connects
FIRST_BEAT_S = 0.06
START_S = 10.0
OWN_PAGE = "city_game.phones"  # other pages share its files and its texts
PORT = 8737
CANNOT_LISTEN = lazy("cannot listen for browsers at {host}:{port}: {why}")
CLOSE_S = 0.5  # timeout of a closing handshake; a telephone may be asleep
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
    " connect-src 'self' ws:; base-uri 'none'; form-action 'none'"
)
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # without letters that look alike
CODE = 10  # letters: 31 ** 10, about 2 ** 49
MOST_TOKENS = 60  # stored


class Seats:
    """The secret code in the URLs, and the tokens of the telephones with a seat.

    port  the port used last, 0 for none
    file  stores all this, None for nowhere
    """

    def __init__(self, file: Path | None = None) -> None:
        self.file = file
        self.port = 0
        self.code = _new_code()
        self._names: dict[str, str] = {}  # names of players by token
        if file is not None:
            try:
                known = json.loads(file.read_text(encoding="utf-8"))
                code, port, names = known["code"], known["port"], known["seats"]
            except (OSError, ValueError, TypeError, KeyError, RecursionError):
                return
            is_code = type(code) is str and len(code) == CODE and set(code) <= set(LETTERS)
            if not is_code or type(port) is not int or type(names) is not dict:
                return
            self.code = code
            self.port = port if 0 < port < 65536 else 0
            self._names = {token: name for token, name in names.items() if type(name) is str}

    def begin_apart(self) -> None:
        """Use a new code and save nothing: another table uses the file."""
        self.file, self.port, self.code = None, 0, _new_code()
        self._names = {}

    def name_of(self, token: str) -> str:
        """Return the name of a token's player, "" for an unknown token."""
        return self._names.get(token, "")

    def is_taken(self, name: str) -> bool:
        return name in self._names.values()

    def take(self, name: str) -> str:
        """Return a new token for a seat, which invalidates the old one."""
        self.leave(name)
        token = secrets.token_urlsafe(16)
        self._names[token] = name
        while len(self._names) > MOST_TOKENS:
            del self._names[next(iter(self._names))]
        self.write()
        return token

    def leave(self, name: str) -> None:
        """Free a seat."""
        self._names = {token: other for token, other in self._names.items() if other != name}
        self.write()

    def write(self) -> None:
        """Store everything; if that fails, the game goes on without it."""
        if self.file is None:
            return
        known = {"code": self.code, "port": self.port, "seats": self._names}
        with suppress(UserError, OSError):
            write_whole(self.file, json.dumps(known))
            self.file.chmod(0o600)  # its tokens give access to any seat


def _new_code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(CODE))


class ConnectionEvent(NamedTuple):
    """An event of connection `number`: "opened", "closed", "heard" or "measured".

    came   the time of the event, in ms of this computer
    value  the role, the message, or the telephone's time
    asked  for "measured": when the request was sent
    """

    what: str
    number: int
    came: float = 0.0
    value: Any = None
    asked: float = 0.0


class Line(NamedTuple):
    """An open connection, and the messages that wait for it."""

    connection: ServerConnection
    role: str
    queue: "asyncio.Queue[str]"


class Server:
    """Listens on `host` and `port` (0: any free port) until `stop`; raises OSError.

    codes         the roles that each code admits
    name          the name by which others reach `host`
    cross_origin  roles open to pages of another origin; they cannot change anything
    page          the package whose page is served; files that it lacks are those of the telephones
    port          the port in use
    received      the events, oldest first; the table consumes them
    is_in_sale    whether a sale is on, during which clocks are measured more often
    """

    def __init__(
        self,
        host: str,
        port: int,
        codes: Mapping[str, Container[str]],
        name: str = "",
        cross_origin: Container[str] = (),
        page: str = OWN_PAGE,
    ) -> None:
        self.port = port
        self._name = name
        self.received: deque[ConnectionEvent] = deque()
        self.is_in_sale = False
        self._host = host
        self._codes = codes
        self._cross_origin = cross_origin
        self._pages = _pages(OWN_PAGE) | _pages(page)
        self._lines: dict[int, Line] = {}
        self._count = 0
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._is_open = threading.Event()
        self._error: OSError | None = None
        self._thread = threading.Thread(target=self._run, name="telephones", daemon=True)
        self._thread.start()
        self._is_open.wait(START_S)
        if self._error is not None:
            raise self._error

    def send(self, number: int, text: str) -> None:
        """Queue a message for a telephone; a closed connection is ignored."""
        self._call(self._put, number, text)

    def stop(self) -> None:
        """Stop listening and close all connections; safe to call twice."""
        self._call(self._stop.set)
        self._thread.join(CLOSE_S * 4)

    def _call(self, function: Callable[..., object], *values: object) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function, *values)

    def _put(self, number: int, text: str) -> None:
        line = self._lines.get(number)
        if line is None:
            return
        if line.queue.qsize() < MOST_WAITING:
            line.queue.put_nowait(text)
        else:  # it would miss the latest view; when it connects again, it gets that one first
            line.connection.transport.abort()

    # In the thread.

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve())
        finally:
            self._loop.close()

    async def _serve(self) -> None:
        try:
            server = await serve(
                self._receive,
                self._host,
                self.port,
                process_request=self._admit,
                create_connection=Connection,
                max_size=LONGEST,
                compression=None,
                server_header=None,
                close_timeout=CLOSE_S,
            )
        except OSError as error:
            self._error = error
            self._is_open.set()
            return
        async with server:
            self.port = next(iter(server.sockets)).getsockname()[1]
            self._is_open.set()
            await self._stop.wait()

    def _admit(self, connection: ServerConnection, request: Request) -> Response | None:
        """Respond with a file, or admit a telephone; reject a client without the code."""
        _, code, name, *more = [*request.path.split("?")[0].split("/"), "", ""]
        roles = None
        for known, its_roles in self._codes.items():
            if hmac.compare_digest(code.encode(), known.encode()):
                roles = its_roles
        if roles is None or any(more) or not is_at_home(connection.remote_address):
            return NOTHING
        if any(len(request.headers.get_all(name)) > 1 for name in SINGLE):
            return respond(HTTPStatus.BAD_REQUEST, File(b"duplicate header\n"))
        if request.headers.get("Upgrade", "").lower() != "websocket":
            if not name and not request.path.split("?")[0].endswith("/"):
                return respond(HTTPStatus.PERMANENT_REDIRECT, File(b""), goes_to=f"/{code}/")
            page = self._pages.get(name)
            return NOTHING if page is None else respond(HTTPStatus.OK, page)
        if name not in self._cross_origin and not _is_own_page(request.headers, self._name):
            return respond(HTTPStatus.FORBIDDEN, File(b"pages of that origin may not connect\n"))
        in_role = sum(line.role == name for line in self._lines.values())
        if name not in roles or in_role >= MOST_CONNECTIONS:
            return NOTHING
        return None

    async def _receive(self, connection: ServerConnection) -> None:
        assert connection.request is not None
        role = connection.request.path.split("?")[0].split("/")[2]
        self._count += 1
        number = self._count
        queue: asyncio.Queue[str] = asyncio.Queue()
        self._lines[number] = Line(connection, role, queue)
        self.received.append(ConnectionEvent("opened", number, value=role))
        asked: dict[int, float] = {}
        helpers = [
            asyncio.ensure_future(self._write(connection, queue)),
            asyncio.ensure_future(self._measure(connection, asked)),
        ]
        try:
            allowed, since = 3.0 * MOST_A_SECOND, host_ms()
            async for message in connection:
                came = host_ms()
                allowed += (came - since) / 1000 * MOST_A_SECOND
                allowed, since = min(3.0 * MOST_A_SECOND, allowed) - 1, came
                if allowed < 0:
                    await connection.close(1008, "too much")  # no text: nobody sees it
                    return
                if len(message) > 100 or '"pong"' not in str(message):
                    self.received.append(ConnectionEvent("heard", number, came, message))
                    continue
                with suppress(ValueError, TypeError, KeyError, RecursionError):
                    answer = json.loads(message)
                    sent, stamp = asked.pop(answer["pong"], None), answer["at"]
                    if sent is not None:
                        self.received.append(ConnectionEvent("measured", number, came, stamp, sent))
        except ConnectionClosed:
            pass
        finally:
            for helper in helpers:
                helper.cancel()
            del self._lines[number]
            self.received.append(ConnectionEvent("closed", number))

    async def _measure(self, connection: ServerConnection, asked: dict[int, float]) -> None:
        """Request the telephone's time regularly, with an unpredictable number each time."""
        count = 0
        while True:
            number = secrets.randbits(48)
            asked[number] = host_ms()
            while len(asked) > MOST_WAITING:
                del asked[next(iter(asked))]
            try:
                await connection.send(json.dumps({"ping": number}))
            except ConnectionClosed:
                return
            count += 1
            beat = QUICK_BEAT_S if self.is_in_sale else BEAT_S
            await asyncio.sleep(FIRST_BEAT_S if count < FIRST_BEATS else beat)

    async def _write(self, connection: ServerConnection, queue: asyncio.Queue[str]) -> None:
        while True:
            try:
                await connection.send(await queue.get())
            except ConnectionClosed:
                return


def listen(serve_at: Callable[[int], Server], seats: Seats, host: str, port: int) -> Server:
    """Start the server on `port`, or without one on the last port, or on any; raises UserError.

    serve_at  starts it on a port, with the code of `seats`
    """
    wanted = port or seats.port or PORT
    try:
        try:
            server = serve_at(wanted)
        except OSError:
            if port:
                raise
            if seats.port:
                seats.begin_apart()
            server = serve_at(0)
    except OSError as error:
        words = CANNOT_LISTEN.format(host=host, port=wanted, why=reason(error))
        raise UserError(words, FAILURE) from None
    seats.port = server.port
    seats.write()
    return server


def is_at_home(remote: Any) -> bool:
    """Return whether an address is this computer's, or in a private network."""
    try:
        address = ipaddress.ip_address(str(remote[0]).partition("%")[0])
    except (ValueError, TypeError, IndexError):
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_private


def _is_own_page(headers: Headers, own: str) -> bool:
    """Return whether a page was loaded from this server, by IP address, localhost, or `own` name.

    The owner of any other name could make it resolve to this computer (DNS rebinding).
    """
    origin = headers.get("Origin")
    if origin is None:
        return True
    host = headers.get("Host", "")
    if origin != f"http://{host}":
        return False
    name = origin
    try:
        name = urlsplit(origin).hostname or ""
        ipaddress.ip_address(name)
    except ValueError:
        return name in ("localhost", own.lower())
    return True


def _pages(package: str) -> dict[str, File]:
    """Return the files of a page by name; "" is its HTML."""
    found = {}
    for file in (files(package) / "page").iterdir():
        kind = MEDIA_TYPES.get(file.name.rpartition(".")[2])
        if kind:
            found[file.name] = File(file.read_bytes(), kind, POLICY)
    found[""] = found.pop("index.html")
    return found


# The texts of the page: translations into the current language, by the English text.

SAID = re.compile(r"""\b(?:say\(\s*|data-say=)("(?:[^"\\]|\\.)*")""")

# Shown after the edition's own explanation of how to play.
ON_A_TELEPHONE = (
    lazy("In an auction the large button bids as soon as you touch it, and the bid is binding."),
    lazy("With a secret maximum the table bids for you, each time only as much as it must."),
    lazy("A deal that you propose is seen only by the other player until it is agreed."),
    lazy("A telephone that sleeps, crashes or is closed keeps its seat: open the page again."),
)


def page_words(package: str = OWN_PAGE) -> dict[str, str]:
    """Return the translated texts of a package's page and of the telephones' page."""
    return {text: of_file(text) for text in _said(OWN_PAGE) + _said(package)}


@cache
def _said(package: str) -> tuple[str, ...]:
    parts = sorted((files(package) / "page").iterdir(), key=lambda part: part.name)
    texts = (part.read_text("utf-8") for part in parts if part.name.endswith((".html", ".js")))
    return tuple(json.loads(said) for text in texts for said in SAID.findall(text))


def money_words() -> dict[str, str]:
    """Return the forms in which the language writes money, as `forms.money` uses them."""
    return {
        "thousands": pgettext("how this language writes: thousands of money", "{number}k"),
        "millions": pgettext("how this language writes: millions of money", "{number}M"),
        "mark": pgettext("how this language writes: the decimal mark", "."),
        "group": pgettext("how this language writes: what groups thousands", ","),
    }
