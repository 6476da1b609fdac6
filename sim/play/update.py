"""`city-unit update`: check for a newer release at the address this release came from.

It runs only when the user requests it, and nothing else in these programs uses the internet. A
fork checks its own address; a checkout has none. The response is not trusted: only a few bytes
are read, and they must be a version.
"""

import argparse
import http.client
import json
import queue
import re
import ssl
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import NamedTuple

from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import FAILURE, SUCCESS, UserError
from city_unit.desktop.files import reason
from city_unit.facts import VERSION

HOME = Path(__file__).with_name("home.json")  # written by a release
FILE = "version.txt"  # next to the page; has the newest version
MOST = 40  # bytes to read of it
PATIENCE_S = 10.0  # timeout for the whole response
_VERSION = re.compile(rb"(\d{1,4})\.(\d{1,4})\.(\d{1,4})\s*")


class Answer(NamedTuple):
    """The result of a check.

    sentence   the result in words
    is_newer   whether there is a newer release
    is_failed  whether the check failed
    address    where to download a newer release
    """

    sentence: str
    is_newer: bool = False
    is_failed: bool = False
    address: str = ""


class Check:
    """A check in a thread of its own."""

    def __init__(self, patience_s: float = PATIENCE_S) -> None:
        self._answers: queue.Queue[Answer] = queue.Queue()
        self._end = time.monotonic() + patience_s
        threading.Thread(target=lambda: self._answers.put(_answer(patience_s)), daemon=True).start()

    def answer(self, wait: bool = False) -> Answer | None:
        """Return the result, None while there is none yet; with `wait`, wait for it."""
        try:
            left = self._end - time.monotonic()
            return self._answers.get(wait and left > 0, max(left, 0))
        except queue.Empty:
            if time.monotonic() < self._end:
                return None
        return Answer(_("no response; try again later"), is_failed=True)


def _answer(patience_s: float) -> Answer:
    try:
        home = json.loads(HOME.read_text(encoding="utf-8"))
    except OSError:
        words = _(
            "this copy is not a release and has no address to check; `git pull` updates a copy from"
            " git"
        )
        return Answer(words, is_failed=True)
    try:
        with _opener().open(home["page"] + FILE, timeout=patience_s) as file:
            there = _VERSION.fullmatch(file.read(MOST))
    except urllib.error.HTTPError as error:
        return _no_answer(home, f"HTTP {error.code}")
    except urllib.error.URLError as error:
        why = error.reason
        return _no_answer(home, reason(why) if isinstance(why, OSError) else str(why))
    except OSError as error:
        return _no_answer(home, reason(error))
    except (http.client.HTTPException, ValueError):
        there = None
    if there is None:
        return _no_answer(home, _("its response is not a version"))
    if [*map(int, there.groups())] <= [*map(int, VERSION.split("."))]:
        return Answer(_("{version} is the newest version").format(version=VERSION))
    new = there[0].decode().strip()
    words = _("City Unit {new} is available; this is {old}: {address}")
    address = home["downloads"]
    return Answer(words.format(new=new, old=VERSION, address=address), True, address=address)


def _no_answer(home: dict[str, str], why: str) -> Answer:
    words = _("{address} does not tell the newest version ({why}); try again later")
    why = "".join(sign for sign in why[:100] if sign.isprintable())  # it may come from a proxy
    return Answer(words.format(address=home["page"], why=why), is_failed=True)


def _opener() -> urllib.request.OpenerDirector:
    """Return an HTTP client that follows no redirects and trusts the system's certificates.

    The packaged window brings the list of certifi, since systems store theirs differently.
    """
    try:
        import certifi  # pyright: ignore[reportMissingImports]  (the extra `release` has it)

        trusted = ssl.create_default_context(cafile=certifi.where())
    except ImportError:
        trusted = ssl.create_default_context()
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(context=trusted),
        urllib.request.HTTPErrorProcessor(),
        urllib.request.HTTPDefaultErrorHandler(),
    ):
        opener.add_handler(handler)
    return opener


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare no arguments."""


def run(_options: argparse.Namespace) -> int:
    answer = Check().answer(wait=True)
    assert answer is not None  # after waiting there is one
    if answer.is_failed:
        raise UserError(answer.sentence, FAILURE)
    print(answer.sentence)
    return SUCCESS
