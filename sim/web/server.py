"""`city-unit web`: serve the page, compressed, with its security policy, or write it to a folder.

Each connection has a thread, which blocks while its client is slow. Therefore the server's own
loop disconnects every client that has not completed a request or response within PATIENCE_S. A
socket timeout would not do: it starts again with each byte of a slow client.
"""

import argparse
import contextlib
import gzip
import importlib
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast

from city_unit.desktop import addresses
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.errors import FAILURE, UserError
from city_unit.desktop.files import MEDIA_TYPES, reason
from sim.web import bundle

PATIENCE_S = 30  # for a request to arrive, and from there to the next one
MOST_CONNECTIONS = 400

# No other site may embed the page; only a header can forbid this, not the page itself.
HEADERS = {
    "Content-Security-Policy": f"{bundle.POLICY}; frame-ancestors 'none'",
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


EXAMPLE = lazy(
    """\
The page runs the same unit as everywhere else, in MicroPython inside the browser. A game continues
while the page is closed. Once loaded, the page works without a network.

  city-unit web                   open it in this computer's browser
  city-unit web --lan             let telephones at the table open it too: shows a QR code
  city-unit web --folder dist     write the page to a folder, to publish on any https host

A telephone can install the page from an https host. With --lan it cannot, and its screen may go
dark: browsers allow neither without https. See docs/play.md."""
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = str(EXAMPLE)
    parser.add_argument(
        "--folder", metavar=_("FOLDER"), help=_("write the page to a folder instead of serving it")
    )
    parser.add_argument(
        "--port",
        metavar=_("N"),
        type=_port,
        default=8080,
        help=_("port to serve on (default: 8080; 0: any free port)"),
    )
    parser.add_argument(
        "--lan",
        action="store_true",
        help=_("serve the home network too, not only this computer"),
    )
    parser.add_argument(
        "--micropython",
        metavar=_("FILE.uf2"),
        action="append",
        default=[],
        help=_(
            "MicroPython for a Pico: the board page then offers it and the unit as one file; may be"
            " repeated, once per kind of Pico"
        ),
    )
    parser.add_argument("--no-open", action="store_true", help=_("do not open a browser"))


def run(options: argparse.Namespace) -> int:
    if options.folder:
        folder = Path(options.folder)
        if folder.is_dir() and any(folder.iterdir()) and not (folder / bundle.BESIDE).exists():
            words = _("{folder} has other files: choose an empty folder, or one with a former page")
            raise UserError(words.format(folder=folder))
        made = {**bundle.files(), **_board_page(options.micropython)}
        bundle.write(folder, made)
        size = round(bundle.compressed_size() / 1000)
        words = _("{folder}: {count} files; a browser loads the unit's page as {size} kB")
        print(words.format(folder=folder, count=len(made), size=size))
        print(_("Publish the folder on any https host; no configuration is needed."))
        return 0
    try:
        made = Server("0.0.0.0" if options.lan else "127.0.0.1", options.port, bundle.files())
    except OSError as error:
        words = _("port {port}: {why}; --port 0 picks a free one")
        message = words.format(port=options.port, why=reason(error))
        raise UserError(message, FAILURE) from None
    with made as server:
        address = f"http://127.0.0.1:{server.port}/"
        print(_("The unit is at {address} (Ctrl+C stops it)").format(address=address), flush=True)
        if options.lan and (host := addresses.own()):
            import segno  # only --lan needs it

            outside = f"http://{host}:{server.port}/"
            print(_("In the home network it is at {address}").format(address=outside), end="\n\n")
            with contextlib.suppress(UnicodeEncodeError):  # a terminal that cannot show blocks
                segno.make(outside, error="m", micro=False).terminal(compact=True)
            words = _("There it cannot be installed, and the screen may go dark: see docs/play.md")
            print(f"\n{words}", flush=True)
        elif options.lan:
            words = _("This computer is not in a network: no telephone can reach it.")
            print(words, file=sys.stderr)

        def add_board_page() -> None:
            """Serve the board page as well, as soon as the firmware is compiled."""
            try:
                server.publish({**bundle.files(), **_board_page(options.micropython)})
            except UserError as error:
                print(f"city-unit: {error}", file=sys.stderr)

        threading.Thread(target=add_board_page, daemon=True).start()
        if not options.no_open:
            webbrowser.open(address)
        server.serve_forever()
    return 0


def _board_page(micropython: list[str]) -> dict[str, bytes]:
    """Return the board page; sim must not import firmware, which makes the files of a board."""
    return bundle.board_page(importlib.import_module("firmware.tool.for_page").files(micropython))


def _port(text: str) -> int:
    if not addresses.is_port(text):
        words = _('"{text}" is not a port; use a number from 0 to 65535')
        raise argparse.ArgumentTypeError(words.format(text=text))
    return int(text)
