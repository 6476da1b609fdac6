"""The check for a newer release runs only on request, and survives hostile responses."""

import contextlib
import json
import re
import socket
import threading
from pathlib import Path

import pytest

from city_unit.facts import VERSION
from sim import cli
from sim.play import update

ROOT = Path(__file__).parents[3]


@pytest.fixture
def page(monkeypatch, tmp_path):
    """Return a function that starts a server which sends these bytes to one connection."""
    stack = contextlib.ExitStack()

    def answers(*parts: bytes, stays: bool = False) -> list[bytes]:
        server = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        asked: list[bytes] = []

        def serve():
            line = stack.enter_context(server.accept()[0])
            asked.append(line.recv(1000))
            with contextlib.suppress(OSError):  # the client has read enough
                line.sendall(b"".join(parts))
            if not stays:
                line.close()

        threading.Thread(target=serve, daemon=True).start()
        home = {"page": f"http://127.0.0.1:{server.getsockname()[1]}/", "downloads": "https://x/y"}
        (tmp_path / "home.json").write_text(json.dumps(home))
        monkeypatch.setattr(update, "HOME", tmp_path / "home.json")
        return asked

    with stack:
        yield answers


OK = b"HTTP/1.1 200 OK\r\n\r\n"


@pytest.mark.parametrize(
    ("parts", "code", "said"),
    [
        ([OK, b"99.1.0\n"], 0, "City Unit 99.1.0 is available; this is {version}: https://x/y"),
        ([OK, VERSION.encode()], 0, "{version} is the newest version"),
        ([OK, b"0.0.1\n"], 0, "{version} is the newest version"),
        ([OK, b"99.1.0\x1b[2J"], 1, "its response is not a version"),
        ([OK, b"9" * 10_000_000], 1, "its response is not a version"),
        ([b"HTTP/1.1 404 \x1b[2J\r\n\r\n"], 1, "HTTP 404"),
        ([b"HTTP/1.1 302 x\r\nLocation: http://127.0.0.1:1/\r\n\r\n"], 1, "HTTP 302"),
        ([b"HTTP/1.1 200 OK\r\n", b"a: b\r\n" * 1000], 1, "its response is not a version"),
        ([b"SSH-2.0\r\n"], 1, "its response is not a version"),
        ([b""], 1, "does not tell"),
    ],
)
def test_each_answer_is_one_sentence(page, capsys, parts, code, said):
    requests = page(*parts)
    assert cli.main(["update"]) == code
    printed = "".join(capsys.readouterr())
    assert said.format(version=VERSION) in printed
    assert "\x1b" not in printed and printed.count("\n") == 1
    assert requests[0].startswith(b"GET /version.txt HTTP/1.1\r\n")


def test_a_silent_page_times_out_and_a_copy_that_is_not_a_release_sends_nothing(page, capsys):
    assert cli.main(["update"]) == 1
    assert "this copy is not a release" in capsys.readouterr().err
    page(OK, b"99", stays=True)
    answer = update.Check(patience_s=0.2).answer(wait=True)
    assert answer and answer.is_failed


def test_nothing_else_uses_the_internet():
    """No other module has an HTTP client, and only the user starts this one."""
    rooms = ("city_unit", "sim", "city_game", "firmware")
    paths = [path for room in rooms for path in (ROOT / room).rglob("*.py")]
    sources = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in paths}

    def importing(names):
        found = re.compile(rf"^ *(import|from) ({names})\b", re.MULTILINE)
        return {name for name, source in sources.items() if found.search(source)}

    clients = r"urllib\.request|urllib import .*request|http\.client|http import .*client|requests"
    assert importing(clients) == {"sim/play/update.py"}
    # `city-unit update` is the module itself.
    assert importing(r"sim\.play\.update|sim\.play import .*update") == {"sim/window/controls.py"}
