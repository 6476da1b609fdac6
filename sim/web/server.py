"""Serve the files of the page, compressed and with its security policy, and nothing else.

Each connection has a thread, which blocks while its client is slow. Therefore the server's own
loop disconnects every client that has not completed a request or response within PATIENCE_S. A
socket timeout would not do: it starts again with each byte of a slow client.
"""

import contextlib
import gzip
import socket
import sys
import time
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

from city_unit.desktop.files import MEDIA_TYPES
from sim.web.bundle import POLICY

PATIENCE_S = 30  # for a request to arrive, and from there to the next one
MOST_CONNECTIONS = 400

# No other site may embed the page; only a header can forbid this, not the page itself.
HEADERS = {
    "Content-Security-Policy": f"{POLICY}; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Server(ThreadingHTTPServer):
    """Serves the files of the page at `host`; port 0 picks a free one. Raises OSError.

    clock  seconds, for the deadlines of slow clients
    due    the deadline of each connected client
    """

    daemon_threads = True
    # On Windows this option would let two servers share the port.
    allow_reuse_address = sys.platform != "win32"
    request_queue_size = 512  # a whole room may open the page at once; the default is 5

    def __init__(
        self,
        host: str,
        port: int,
        files: dict[str, bytes],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock = clock
        self.due: dict[socket.socket, float] = {}
        self.publish(files)
        super().__init__((host, port), Handler)

    def publish(self, files: dict[str, bytes]) -> None:
        """Replace the served files."""
        pages = {}  # path -> (type, content, compressed content)
        for name, content in files.items():
            kind = MEDIA_TYPES[name.rpartition(".")[2]]
            pages[f"/{name}"] = kind, content, gzip.compress(content, 9, mtime=0)
        self.pages = {**pages, "/": pages["/index.html"]}

    @property
    def port(self) -> int:
        return self.server_address[1]

    def expect(self, client: socket.socket) -> None:
        """Set a client's deadline to PATIENCE_S from now."""
        self.due[client] = self._clock() + PATIENCE_S

    def verify_request(self, request: Any, client_address: Any) -> bool:
        """Refuse a connection beyond the limit: each takes a thread and an open file."""
        return len(self.due) < MOST_CONNECTIONS

    def process_request(self, request: Any, client_address: Any) -> None:
        self.expect(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self.due.pop(request, None)
        super().shutdown_request(request)

    def service_actions(self) -> None:
        """Disconnect each client past its deadline; its thread then ends. Called twice a second."""
        now = self._clock()
        for client, due in list(self.due.items()):
            if due < now:
                with contextlib.suppress(OSError):  # the client closed the connection already
                    client.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request, client_address) -> None:
        """Ignore errors of connections; report any other as a fault of ours."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    """Responds with a file of the page, by its exact name."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer(with_content=True)

    def do_HEAD(self) -> None:
        self._answer(with_content=False)

    def _answer(self, with_content: bool) -> None:
        server = cast(Server, self.server)
        server.expect(self.connection)
        hosts = self.headers.get_all("Host", [])
        if len(hosts) > 1 or (not hosts and self.request_version == "HTTP/1.1"):
            self.send_error(HTTPStatus.BAD_REQUEST)  # RFC 9112, 3.2
            return
        if "Content-Length" in self.headers or "Transfer-Encoding" in self.headers:
            self.close_connection = True  # or its unread content would be parsed as a request
        page = server.pages.get(self.path.split("?")[0])
        if page is None:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        kind, plain, packed = page
        compressed = "gzip" in self.headers.get("Accept-Encoding", "")
        content = packed if compressed else plain
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        if compressed:
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Vary", "Accept-Encoding")
        self.send_header("Cache-Control", "no-cache")
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.end_headers()
        if with_content:
            self.wfile.write(content)

    def log_message(self, format: str, *args) -> None:
        """Write nothing to the user's terminal."""
