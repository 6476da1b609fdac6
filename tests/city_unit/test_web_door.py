"""The door for browsers: the accepted ones, and the answers to the others."""

import asyncio
import json
import urllib.error
import urllib.request

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from city_unit import host
from city_unit.host.serving import web_door
from city_unit.host.serving.hub import ServedUnit
from city_unit.host.serving.journal import Journal
from city_unit.host.serving.web_door import File
from tests.city_unit.served import PATIENCE_S, Doored, Served, played


def test_a_guest_comes_in_by_the_whole_address_and_from_a_known_page():
    async def play():
        async with Doored(origins=["https://allowed.example"]) as doored:
            for path, page, status in (
                ("/wrong/test", None, 404),
                ("/test", None, 404),
                ("/", None, 404),
                ("//test", None, 404),
                ("/SECRET/other", None, 404),
                ("/SECRET/test/more", None, 404),
                ("/SECRET/test", "http://evil.example", 403),
                ("/SECRET/test", "null", 403),
                ("/SECRET/test", "https://allowed.example", 101),
                ("/SECRET/test", f"http://{doored.door.name}", 101),
                ("/SECRET/test", None, 101),
            ):
                where = f"ws://{doored.door.name}{path.replace('SECRET', doored.door.secret)}"
                got = 101
                try:
                    async with connect(where, origin=page):
                        pass
                except InvalidStatus as error:
                    got = error.response.status_code
                assert got == status, (path, page)

    played(play)


def test_the_pages_are_there_for_a_browser_that_knows_the_secret_and_nobody_may_frame_them():
    def fetch(address):
        try:
            with urllib.request.urlopen(address, timeout=PATIENCE_S) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, b""

    async def play():
        async with Doored(beside={"page/": File(b"", policy="default-src 'none'")}) as doored:
            base = f"http://{doored.door.name}"
            for path in ("", "city_unit.js", "SECRET/watch.html", "SECRET/../core.py"):
                address = f"{base}/{path.replace('SECRET', doored.door.secret)}"
                assert (await asyncio.to_thread(fetch, address))[0] == 404, path
            said = {}
            for path, kind in (
                ("", "text/html"),
                ("page/", "text/plain"),
                ("city_unit.js", "text/javascript"),
                ("units.json", "application/json"),
                ("texts.json", "application/json"),
            ):
                address = f"{base}/{doored.door.secret}/{path}"
                status, headers, said[path] = await asyncio.to_thread(fetch, address)
                assert (status, headers["Content-Type"].split(";")[0]) == (200, kind), path
                assert headers["Content-Security-Policy"].endswith("; frame-ancestors 'none'")
            return said

    said = played(play)
    assert said["units.json"] == b'["test"]'
    assert json.loads(said["texts.json"])["fr"]["ready"] == "prête"


def test_one_guest_too_many_is_told_so(monkeypatch):
    monkeypatch.setattr(web_door, "_MOST_PEERS", 1)

    async def play():
        async with Doored() as doored, doored.watcher():
            with pytest.raises(InvalidStatus) as refused:
                await connect(doored.address)
            with pytest.raises(host.NoUnit, match="too many programs"):
                async with doored.watcher():
                    pass
            return refused.value.response.status_code, refused.value.response.body

    assert played(play) == (503, b"too many watchers\n")


def test_a_header_that_comes_twice_is_a_bad_request(caplog):
    async def answered(doored, twice):
        address, port = doored.door.name.rsplit(":", 1)
        reader, writer = await asyncio.open_connection(address, int(port))
        head = f"GET /{doored.door.secret}/ HTTP/1.1\r\nHost: {address}\r\n{twice}\r\n{twice}\r\n"
        writer.write(f"{head}Connection: Upgrade\r\n\r\n".encode())
        answer = await reader.read()
        writer.close()
        return answer

    async def play():
        async with Doored() as doored:
            headers = ("Host: here", "Origin: null", "Upgrade: websocket")
            return [await answered(doored, twice) for twice in headers]

    assert all(answer.startswith(b"HTTP/1.1 400 ") for answer in played(play))
    # asyncio's own records are not the door's: 3.12.1 complains of each task that is cancelled.
    assert not [it for it in caplog.records if it.exc_info and it.name.startswith("websockets")]


def test_a_silent_guest_delays_no_end(monkeypatch):
    monkeypatch.setattr(web_door, "_GOODBYE_S", 0.0)

    async def play():
        async with Doored() as doored:
            address, port = doored.door.name.rsplit(":", 1)
            _reader, half_open = await asyncio.open_connection(address, int(port))
            before = asyncio.get_running_loop().time()
            await doored.door.close()
            half_open.close()
            return asyncio.get_running_loop().time() - before

    assert played(play) < 9  # seconds; the library waits for 10


def test_a_hand_and_watchers_see_the_same():
    async def play():
        async with (
            Doored() as doored,
            doored.watcher(history=True) as first,
            doored.watcher(history=True) as second,
            host.open_async(doored.address, history=True) as hand,
        ):
            with pytest.raises(host.Refused, match="watching"):
                await first.tap("auction")
            await hand.start_auction(1000)
            with pytest.raises(host.Refused, match="auction"):
                await hand.start_auction(1000)
            doored.served.advance(1500)
            ends = [await unit.wait_for("auction-ended") for unit in (first, second, hand)]
            assert (await first.describe()).program == "city"
            await first.watch()
            await hand.send("start")
            edge = await first.wait_for(host.Edge)
            return [event.position for event in ends], edge.what

    assert played(play) == ([(4711, 2)] * 3, "auction")


def test_a_unit_that_starts_anew_is_told_to_all():
    async def play():
        async with Doored() as doored, doored.watcher() as unit:
            await unit.wait_for(host.Connected)
            old = doored.served.link
            doored.served.link = Served().link
            doored.served.link.boot = old.boot + 1
            doored.served.drop()
            await unit.wait_for(host.Restarted)
            connected = await unit.wait_for(host.Connected)
            return connected.about.boot

    assert played(play) == 4712


def test_what_a_board_no_longer_keeps_is_told_from_the_disk_after_a_restart(tmp_path):
    path = tmp_path / "events.log"

    async def served_once(doored, commands):
        """Serve the unit with its journal, as each start of `city-unit serve` does."""
        journal = Journal(path)
        unit = host.AsyncClient(host.begin(doored.served.port, history=True))
        shared = ServedUnit(unit, journal)
        await unit.wait_online(PATIENCE_S)
        for _ in range(commands):
            await unit.start_auction(60000)
            await unit.stop_auction()
        while shared.count < doored.served.link.unit.events.count:
            await asyncio.sleep(0)
        await unit.close()
        journal.close()
        return shared

    async def play():
        async with Doored() as doored:
            await doored.unit.close()
            await served_once(doored, 40)
            shared = await served_once(doored, 1)
            assert (shared.first, shared.count) == (0, doored.served.link.unit.events.count)
            assert shared.count > 64 and shared.event(1) == "0 auction-started 60000"
            answers = []
            shared.journal = Journal(path)
            shared.boot = 4712  # as if the board had been started anew
            shared.ask("journal 4711 0", lambda *answer: answers.append(answer))
            shared.journal.close()
            return answers

    assert played(play) == [("4711 0 0 switched-on city", "")]


class Flooding:
    """As much of a client as a shared listens to: its unit tells and tells."""

    def __init__(self):
        self.heeds = {}

    def on(self, what, heed):
        self.heeds[what] = heed

    def tell(self, news):
        self.heeds[type(news)](news)


def test_a_unit_that_floods_fills_no_memory():
    unit = Flooding()
    shared = ServedUnit(unit, most=80)
    for number in range(1, 1000):
        unit.tell(host.Event(number, number, "hour-beep", boot=4711))
    assert (shared.count, shared.event(999)) == (1000, "999 hour-beep")
    assert shared.count - shared.first <= 80
