"""Serves the page: compressed, with its policy, and nothing but its own files."""

import gzip
import sys
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import cast

from sim.web.bundle import POLICY

KINDS = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "mjs": "text/javascript; charset=utf-8",
    "json": "application/json",
    "webmanifest": "application/manifest+json",
    "wasm": "application/wasm",
    "png": "image/png",
    "txt": "text/plain; charset=utf-8",
    "uf2": "application/octet-stream",
}


class Server(ThreadingHTTPServer):
    """Serves the files of the page at `host`; port 0 takes a free one. Raises OSError."""

    daemon_threads = True
    # On Windows that option would let two servers share the port.
    allow_reuse_address = sys.platform != "win32"

    def __init__(self, host: str, port: int, files: dict[str, bytes]) -> None:
        self.publish(files)
        super().__init__((host, port), Handler)

    def publish(self, files: dict[str, bytes]) -> None:
        """Serve these files from now on."""
        pages = {f"/{name}": _answer(name, content) for name, content in files.items()}
        self.pages = {**pages, "/": pages["/index.html"]}

    @property
    def port(self) -> int:
        return self.server_address[1]


class Handler(BaseHTTPRequestHandler):
    """Answers with a file of the page, by its exact name."""

    protocol_version = "HTTP/1.1"
    timeout = 30  # s, for a browser that opens a connection and says nothing

    def do_GET(self) -> None:
        self._answer(with_content=True)

    def do_HEAD(self) -> None:
        self._answer(with_content=False)

    def _answer(self, with_content: bool) -> None:
        page = cast(Server, self.server).pages.get(self.path.split("?")[0])
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
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        if with_content:
            self.wfile.write(content)

    def log_message(self, format: str, *args) -> None:
        """Say nothing: the terminal is the person's."""


def _answer(name: str, content: bytes) -> tuple[str, bytes, bytes]:
    """Return a file's type, its bytes, and the same compressed."""
    return KINDS[name.rsplit(".", 1)[-1]], content, gzip.compress(content, 9, mtime=0)
