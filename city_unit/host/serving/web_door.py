"""The WebSocket server, through which browsers and other programs share units.

Every address contains a secret, since any page in a browser may try to connect. A page of another
origin is rejected even if it knows the secret, unless the origin is allowed.
"""

import asyncio
import hmac
import json
import secrets
from collections.abc import Iterable, Mapping
from contextlib import suppress
from http import HTTPStatus
from importlib.resources import files
from typing import Any, ClassVar, NamedTuple
from weakref import WeakKeyDictionary

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from city_unit.desktop import catalogue
from city_unit.desktop.catalogue import lazy, plazy
from city_unit.desktop.files import MEDIA_TYPES
from city_unit.desktop.lamp_words import LAMP_WORDS
from city_unit.host.serving.hub import Hub, Peer

_LONGEST = 4096  # bytes of a message
_MAX_PEERS = 200  # of all units
MOST_CONNECTIONS = 400  # systems limit a program to about a thousand open files
_POLICY = "default-src 'self' 'unsafe-inline'; connect-src 'self' ws:"
_NO_FRAME = "; frame-ancestors 'none'"  # valid only in a header, not in a page's own policy
_GOODBYE_S = 0.5  # for peers to close; silent ones are then disconnected
SINGLE = ("Host", "Upgrade", "Origin")  # headers that a valid request has only once
# The texts of the page; the keys of the first ones are words of the wire.
_WORDS = {
    "off": plazy("what a unit does", "off"),
    "setup": plazy("what a unit does", "being set up"),
    "ready": plazy("what a unit does", "ready"),
    "auction": plazy("what a unit does", "auction"),
    "warning": plazy("what a unit does", "last bids"),
    "drawing": plazy("what a unit does", "drawing a permit"),
    "over": plazy("what a unit does", "game over"),
    "not connected": lazy("not connected"),
    "closed": lazy("closed"),
    "the unit no longer answers": lazy("the unit no longer answers"),
    "the connection is lost": lazy("the connection is lost"),
    "the unit was restarted or taken over": lazy("the unit was restarted or taken over"),
    "state": lazy("{program}: {state}"),
    "own": lazy("A unit of your own, in this browser"),
}


class File(NamedTuple):
    """A file to serve; its default Content-Security-Policy allows no scripts."""

    content: bytes
    kind: str = MEDIA_TYPES["txt"]
    policy: str = "default-src 'none'"


class Connection(ServerConnection):
    """A connection, aborted beyond the limit, so that clients cannot exhaust the open files."""

    _open: ClassVar[WeakKeyDictionary[Server, int]] = WeakKeyDictionary()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._open[self.server] = count = self._open.get(self.server, 0) + 1
        if count > MOST_CONNECTIONS:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._open[self.server] -= 1
        super().connection_lost(exc)


class WebDoor:
    """Serves each unit of `hubs` by its name at `ws://HOST:PORT/SECRET/NAME`.

    secret   part of each valid address
    name     HOST:PORT, once the server is open
    may_act  whether peers may take control; otherwise all only watch
    origins  further origins of pages that may connect, such as "https://example.org"
    beside   further files to serve, by their path after the secret
    """

    def __init__(
        self,
        hubs: dict[str, Hub],
        may_act: bool = True,
        origins: Iterable[str] = (),
        beside: Mapping[str, File] | None = None,
    ) -> None:
        self.name = ""
        self.secret = secrets.token_urlsafe(16)
        self._hubs = hubs
        self._may_act = may_act
        self._origins = set(origins)
        web = files("city_unit.host") / "web"
        self._files = dict(beside or {})
        for path, kind in (("", "html"), ("city_unit.js", "js")):
            content = (web / (path or "watch.html")).read_bytes()
            self._files.setdefault(path, File(content, MEDIA_TYPES[kind], _POLICY))
        self._files["units.json"] = File(json.dumps(sorted(hubs)).encode(), MEDIA_TYPES["json"])
        said = {}
        for language in catalogue.languages():
            with catalogue.spoken(language):
                lamps = {lamp: str(words.short) for lamp, words in LAMP_WORDS.items()}
                texts: dict[str, Any] = {key: str(words) for key, words in _WORDS.items()}
                said[language] = texts | {"lamps": lamps}
        self._files["texts.json"] = File(json.dumps(said).encode(), MEDIA_TYPES["json"])
        self._peers = 0
        self._server: Server | None = None

    async def open(self, host: str, port: int, name: str = "") -> Server:
        """Listen at `host`, which others reach as `name`; port 0 selects a free one.

        Raises OSError.
        """
        server = await serve(
            self._serve_peer,
            host,
            port,
            process_request=self._check,
            create_connection=Connection,
            max_size=_LONGEST,
            compression=None,
            server_header=None,
        )
        self._server = server
        port = next(iter(server.sockets)).getsockname()[1]
        self.name = f"{name or host}:{port}"
        for own in {name or host, "127.0.0.1", "localhost", "[::1]"}:
            self._origins.add(f"http://{own}:{port}")
        return server

    async def close(self) -> None:
        """Close all connections, without waiting long for silent peers.

        The end of the event loop cancels the rest.
        """
        if self._server is not None:
            self._server.close()
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._server.wait_closed(), _GOODBYE_S)

    def _check(self, connection: ServerConnection, request: Request) -> Response | None:
        """Reject invalid requests and serve files; return None to accept a peer."""
        if any(len(request.headers.get_all(name)) > 1 for name in SINGLE):
            return respond(HTTPStatus.BAD_REQUEST, File(b"duplicate header\n"))
        secret, _, path = request.path.split("?")[0].removeprefix("/").partition("/")
        if not hmac.compare_digest(secret.encode(), self.secret.encode()):
            return NOTHING
        if request.headers.get("Upgrade", "").lower() != "websocket":
            return respond(HTTPStatus.OK, self._files[path]) if path in self._files else NOTHING
        origin = request.headers.get("Origin")
        if origin is not None and origin not in self._origins:
            return respond(HTTPStatus.FORBIDDEN, File(b"pages of this origin may not connect\n"))
        if path not in self._hubs:
            return respond(HTTPStatus.NOT_FOUND, File(b"there is no such unit\n"))
        if self._peers >= _MAX_PEERS:
            return respond(HTTPStatus.SERVICE_UNAVAILABLE, File(b"too many watchers\n"))
        return None

    async def _serve_peer(self, connection: ServerConnection) -> None:
        assert connection.request is not None
        hub = self._hubs[connection.request.path.split("?")[0].split("/")[2]]
        loop = asyncio.get_running_loop()
        peer = hub.connect(loop.time(), self._may_act)
        unsent = asyncio.Event()
        peer.on_unsent = unsent.set
        self._peers += 1
        writer = asyncio.ensure_future(_write(connection, peer, unsent))
        try:
            async for message in connection:
                data = message.encode() if isinstance(message, str) else message
                peer.receive(loop.time(), data)
        except ConnectionClosed:
            pass
        finally:
            self._peers -= 1
            writer.cancel()
            hub.disconnect(peer)


async def _write(connection: ServerConnection, peer: Peer, unsent: asyncio.Event) -> None:
    """Write pending output as fast as the other end reads it."""
    while True:
        await unsent.wait()
        unsent.clear()
        data = peer.unsent
        peer.sent(len(data))
        peer.send_events()
        try:
            await connection.send(data.decode("ascii"))
        except ConnectionClosed:
            return


def respond(status: HTTPStatus, file: File, goes_to: str = "") -> Response:
    """Return a response that ends the connection; `goes_to` is the target of a redirection."""
    headers = Headers()
    headers["Content-Type"] = file.kind
    headers["Content-Length"] = str(len(file.content))
    headers["Connection"] = "close"
    headers["Referrer-Policy"] = "no-referrer"  # the address contains the secret
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Content-Security-Policy"] = file.policy + _NO_FRAME
    headers["Cache-Control"] = "no-store"
    if goes_to:
        headers["Location"] = goes_to
    return Response(status.value, status.phrase, headers, file.content)


NOTHING = respond(HTTPStatus.NOT_FOUND, File(b"there is nothing here\n"))
