"""The door for browsers and all that speaks WebSocket: units served to many programs at once.

Every address has a secret in it, since any page that a browser shows may try to connect;
a page of another origin is turned away even if it knows the secret, unless it is allowed.
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
from city_unit.desktop.files import KINDS
from city_unit.desktop.lamp_words import LAMP_WORDS
from city_unit.host.serving.hub import Hub, Peer

_LONGEST = 4096  # bytes of a message
_MOST_PEERS = 200  # at once, over all units
MOST_CONNECTIONS = 400  # at once: a system lets a program have a thousand files open
_POLICY = "default-src 'self' 'unsafe-inline'; connect-src 'self' ws:"
_NO_FRAME = "; frame-ancestors 'none'"  # a header's alone, so no part of a page's own policy
_GOODBYE_S = 0.5  # for all peers to close; the silent ones are cut off then
SINGLE = ("Host", "Upgrade", "Origin")  # headers: a second one is an attack or a mistake
# The texts of the page, by the words of the wire where there are such.
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
    "the line is gone": lazy("the line is gone"),
    "the unit was restarted or taken over": lazy("the unit was restarted or taken over"),
    "state": lazy("{program}: {state}"),
    "own": lazy("A unit of your own, in this browser"),
}


class File(NamedTuple):
    """A file that is served beside the units; by its Content-Security-Policy nothing runs in it."""

    content: bytes
    kind: str = KINDS["txt"]
    policy: str = "default-src 'none'"


class Connection(ServerConnection):
    """One of a limited number: others can take no file from the program by a mere connection."""

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
    """Serves each unit of `hubs`, by its name, at `ws://HOST:PORT/SECRET/NAME`.

    secret   a part of each valid address
    name     HOST:PORT of the door, once it is open
    may_act  whether peers may press the buttons, else all only watch
    origins  of pages that may connect beside this door's own, as "https://example.org"
    beside   more files, by their path behind the secret
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
            self._files.setdefault(path, File(content, KINDS[kind], _POLICY))
        self._files["units.json"] = File(json.dumps(sorted(hubs)).encode(), KINDS["json"])
        said = {}
        for language in catalogue.languages():
            with catalogue.spoken(language):
                lamps = {lamp: str(words.short) for lamp, words in LAMP_WORDS.items()}
                texts: dict[str, Any] = {key: str(words) for key, words in _WORDS.items()}
                said[language] = texts | {"lamps": lamps}
        self._files["texts.json"] = File(json.dumps(said).encode(), KINDS["json"])
        self._peers = 0
        self._server: Server | None = None

    async def open(self, host: str, port: int, name: str = "") -> Server:
        """Listen at `host`, which others reach by `name`; `port` 0 takes a free one.

        Raises OSError.
        """
        server = await serve(
            self._serve_peer,
            host,
            port,
            process_request=self._look_at,
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
        """Close all connections; a peer that does not answer holds up nobody.

        The end of the loop cancels the rest.
        """
        if self._server is not None:
            self._server.close()
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._server.wait_closed(), _GOODBYE_S)

    def _look_at(self, connection: ServerConnection, request: Request) -> Response | None:
        """Reject requests without the secret; serve files; let the others become peers."""
        if any(len(request.headers.get_all(name)) > 1 for name in SINGLE):
            return respond(HTTPStatus.BAD_REQUEST, File(b"a header came twice\n"))
        secret, _, path = request.path.split("?")[0].removeprefix("/").partition("/")
        if not hmac.compare_digest(secret.encode(), self.secret.encode()):
            return NOTHING
        if request.headers.get("Upgrade", "").lower() != "websocket":
            return respond(HTTPStatus.OK, self._files[path]) if path in self._files else NOTHING
        origin = request.headers.get("Origin")
        if origin is not None and origin not in self._origins:
            return respond(HTTPStatus.FORBIDDEN, File(b"pages from there may not connect\n"))
        if path not in self._hubs:
            return respond(HTTPStatus.NOT_FOUND, File(b"there is no such unit\n"))
        if self._peers >= _MOST_PEERS:
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
    """Write pending output, as fast as the other end reads."""
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
    """Return an answer without a line; `goes_to` is another address, for a redirection."""
    headers = Headers()
    headers["Content-Type"] = file.kind
    headers["Content-Length"] = str(len(file.content))
    headers["Connection"] = "close"
    headers["Referrer-Policy"] = "no-referrer"  # the address has the secret in it
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Content-Security-Policy"] = file.policy + _NO_FRAME
    headers["Cache-Control"] = "no-store"
    if goes_to:
        headers["Location"] = goes_to
    return Response(status.value, status.phrase, headers, file.content)


NOTHING = respond(HTTPStatus.NOT_FOUND, File(b"there is nothing here\n"))
