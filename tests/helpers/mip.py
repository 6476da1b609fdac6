"""MicroPython's tool mpremote, and a package for it to install from a URL."""

import contextlib
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from firmware.tool.image import ROOT, package
from tests.helpers.patience import PATIENCE_S


def mpremote(port: str, *words: str) -> str:
    """Run the real mpremote in the folder of the project."""
    command = [sys.executable, "-m", "mpremote", "connect", port, *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@contextlib.contextmanager
def mip_package() -> Iterator[str]:
    """Serve the package of a release for a Pico, and yield its URL."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in package("rp2040").items():
            Path(folder, name).write_bytes(content)
        handler = partial(SimpleHTTPRequestHandler, directory=folder)
        with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            yield f"http://127.0.0.1:{server.server_address[1]}/package.json"
            server.shutdown()
