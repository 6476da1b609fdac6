"""`city-unit update`: a newer release, looked for when a person asks, where this release came from.

Nothing else in these programs asks anything of the network. A fork asks its own address, and a
checkout has none. Each byte of the answer is hostile: few are read, and they are a version or
nothing.
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
FILE = "version.txt"  # beside the page: the newest version
MOST = 40  # bytes that are read of it
PATIENCE_S = 10.0  # for the whole answer
_VERSION = re.compile(rb"(\d{1,4})\.(\d{1,4})\.(\d{1,4})\s*")


class Answer(NamedTuple):
    """An answer for a person.

    sentence   the whole answer
    is_newer   whether there is a newer release
    is_failed  whether nobody can say
    address    of the downloads
    """

    sentence: str
    is_newer: bool = False
    is_failed: bool = False
    address: str = ""


class Check:
    """A question to the page of this release, in a thread of its own."""

    def __init__(self, patience_s: float = PATIENCE_S) -> None:
        self._answers: queue.Queue[Answer] = queue.Queue()
        self._end = time.monotonic() + patience_s
        threading.Thread(target=lambda: self._answers.put(_answer(patience_s)), daemon=True).start()

    def answer(self, wait: bool = False) -> Answer | None:
        """Return the answer, None while there is none yet."""
        try:
            left = self._end - time.monotonic()
            return self._answers.get(wait and left > 0, max(left, 0))
        except queue.Empty:
            if time.monotonic() < self._end:
                return None
        return Answer(_("there is no answer; try it again later"), is_failed=True)


def _answer(patience_s: float) -> Answer:
    try:
        home = json.loads(HOME.read_text(encoding="utf-8"))
    except OSError:
        words = _("this copy is no release, and knows no address to ask")
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
        return _no_answer(home, _("its answer is no version"))
    if [*map(int, there.groups())] <= [*map(int, VERSION.split("."))]:
        return Answer(_("{version} is the newest version").format(version=VERSION))
    new = there[0].decode().strip()
    words = _("City Unit {new} is there, and this is {old}: {address}")
    address = home["downloads"]
    return Answer(words.format(new=new, old=VERSION, address=address), True, address=address)


def _no_answer(home: dict[str, str], why: str) -> Answer:
    words = _("{address} does not say which version is the newest ({why}); try it again later")
    why = "".join(sign for sign in why[:100] if sign.isprintable())  # a proxy may have written it
    return Answer(words.format(address=home["page"], why=why), is_failed=True)


def _opener() -> urllib.request.OpenerDirector:
    """Return a client for pages that follows nobody elsewhere, and trusts whom the system trusts.

    A window without Python brings a list of its own, as systems differ.
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
    assert answer is not None  # it has been waited for
    if answer.is_failed:
        raise UserError(answer.sentence, FAILURE)
    print(answer.sentence)
    return SUCCESS
