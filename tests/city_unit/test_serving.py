"""Sharing a unit between programs: the hub and the WebSocket server."""

import asyncio
import json
import shutil
import urllib.error
import urllib.request
from types import SimpleNamespace

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from city_unit import host
from city_unit.desktop import catalogue
from city_unit.desktop.lamp_words import WORDS
from city_unit.host.requests import Refused, Request
from city_unit.host.serving import web_door
from city_unit.host.serving.hub import TAKEN, Hub, ServedUnit
from city_unit.host.serving.journal import Journal
from city_unit.host.serving.web_door import File
from city_unit.wire import seal, unseal
from sim.commands import serve
from tests.city_unit.served import PATIENCE_S, Doored, Served, in_a_loop
from tests.helpers.needs import needs, needs_modules


class FakeUnit:
    """A unit whose commands are answered by the test."""

    boot = 4711
    about = "0.1.0 test unit"
    first = 0

    def __init__(self):
        self.events = ["0 switched-on city"]
        self.asked = []
        self.online = True
        self.sessions = 0
        self.waiting = 0

    @property
    def count(self):
        return self.first + len(self.events)

    def new_session(self):
        self.sessions += 1
        return self.sessions

    def is_online(self):
        return self.online

    def now(self):
        return 1500

    def event(self, index):
        return self.events[index - self.first]

    def ask_state(self, seen):
        seen("1500 ready city 3600000 3598500 0 0 0 2")

    def ask(self, text, answered):
        self.asked.append((text, answered))


def say(peer, *texts, now=0.0):
    """Send lines from a peer; return the answers."""
    peer.receive(now, b"".join(map(seal, texts)))
    return heard(peer)


def heard(peer):
    lines = peer.unsent.splitlines(True)
    peer.sent(len(peer.unsent))
    return [line if line == TAKEN else unseal(line.rstrip()) for line in lines]


def seated(*greetings, may_act=True):
    """Return a unit, its hub, and a greeted peer for each greeting."""
    unit = FakeUnit()
    hub = Hub(unit, may_act)
    peers = []
    for place, greeting in enumerate(greetings, 1):
        peers.append(hub.connect(0.0))
        client = greeting.split(" ")[2]
        assert say(peers[-1], greeting) == [
            f"welcome {client} 4711.{place} 1 0.1.0 test unit",
            f"state 4711.{place} 1500 ready city 3600000 3598500 0 0 0 2 1",
        ]
    return unit, hub, *peers


RELEASED = ["release auction", "release build", "switch free"]


def test_all_peers_receive_the_same_and_watchers_have_no_control():
    unit, hub, holder, first, second = seated("hello 1 aaa", "watch 1 bbb", "watch 1 ccc")
    assert say(first, "since 4711.2 0") == ["event 4711.2 0 0 switched-on city"]
    assert say(second, "since 4711.3 1", "do 4711.3 1 watch on") == ["done 4711.3 1"]
    unit.events.append("1400 auction-started 30000")
    hub.send_events()
    hub.send_edge("0 1400 auction 1 1400250")
    assert heard(first) == ["event 4711.2 1 1400 auction-started 30000"]
    assert heard(second) == [
        "event 4711.3 1 1400 auction-started 30000",
        "edge 4711.3 0 1400 auction 1 1400250",
    ]
    assert heard(holder) == []  # it has not sent `since` yet
    assert say(second, "do 4711.3 2 watch maybe") == ["refused 4711.3 2 bad-word"]
    commands = ("tap auction", "start", "switch off", "program world", "show 1 1 1")
    for number, command in enumerate(commands, 1):
        assert say(first, f"do 4711.2 {number} {command}") == [f"refused 4711.2 {number} watching"]
    assert unit.asked == []


def test_a_command_is_run_once_and_answered_even_over_a_new_connection():
    unit, hub, peer = seated("hello 1 aaa")
    assert say(peer, "do 4711.1 1 start", "do 4711.1 1 start") == []
    ((text, answered),) = unit.asked
    assert text == "start"
    answered("", "")
    assert heard(peer) == ["done 4711.1 1"]
    assert say(peer, "do 4711.1 1 start") == ["done 4711.1 1"]
    assert say(peer, "do 4711.1 2 stop", "do 4711.1 1 start") == ["refused 4711.1 1 stale 2"]
    hub.disconnect(peer)
    assert [text for text, _ in unit.asked[2:]] == RELEASED
    again = hub.connect(1.0)
    say(again, "hello 1 aaa", now=1.0)
    unit.asked[1][1]("", "ready")
    assert heard(again) == ["refused 4711.1 2 ready"]
    assert hub.peers == [again]


def test_a_peer_keeps_control_until_it_times_out_or_says_goodbye():
    unit, hub, first = seated("hello 1 aaa")
    second = hub.connect(0.0)
    hub.step(4.9)
    assert say(second, "hello 1 bbb", now=4.9) == [TAKEN]
    assert unit.asked == []
    assert say(second, "hello 1 bbb", now=5.0)[0].startswith("welcome bbb")
    assert [text for text, _ in unit.asked] == RELEASED
    assert say(first, "do 4711.1 1 stop", now=5.1) == ["refused 4711.1 1 watching"]
    assert say(second, "bye 4711.2", now=5.2) == ["bye 4711.2"]
    assert say(second, "do 4711.2 1 tap auction", now=5.3) == ["refused 4711.2 1 watching"]
    assert say(first, "hello 1 aaa", now=5.4)[0].startswith("welcome aaa 4711.1 ")
    say(first, "do 4711.1 2 tap auction", now=5.4)
    assert unit.asked[-1][0] == "tap auction"
    hub.step(10.4)
    assert [text for text, _ in unit.asked[-3:]] == RELEASED


def test_if_no_peer_may_act_requests_for_control_are_rejected():
    _, hub = seated(may_act=False)
    peer = hub.connect(0.0)
    assert say(peer, "hello 1 aaa") == [TAKEN]
    assert say(peer, "watch 1 aaa")[0].startswith("welcome aaa")


def test_dropped_events_are_gone_and_a_restart_ends_all_sessions():
    unit, hub, peer = seated("watch 1 aaa")
    unit.first = 100
    assert say(peer, "since 4711.1 0", "ping 4711.1 7") == [
        "pong 4711.1 7 1500 0",
        "gone 4711.1 100",
        "event 4711.1 100 0 switched-on city",
    ]
    unit.online = False
    assert say(peer, "ping 4711.1 1", "watch 1 aaa", "do 4711.1 1 state") == []
    unit.online, unit.boot = True, 4712
    hub.end_sessions()
    assert say(peer, "ping 4711.1 1") == ["stranger 4711.1"]
    assert say(peer, "watch 1 aaa")[0] == "welcome aaa 4712.2 1 0.1.0 test unit"


def test_a_peer_that_never_reads_has_bounded_output_and_gets_answers():
    unit, _, peer = seated("watch 1 aaa")
    unit.events *= 10000
    peer.receive(0.0, seal("since 4711.1 0") + seal("ping 4711.1 7"))
    assert b"pong 4711.1 7 1500 " in peer.unsent  # although thousands of events are pending
    for _ in range(10000):
        peer.receive(0.0, seal("ping 4711.1 1"))
    assert len(peer.unsent) < 70000
    numbers = []
    while lines := heard(peer):
        numbers += [int(line.split(" ")[2]) for line in lines if line.startswith("event")]
        peer.send_events()
    assert numbers == list(range(10000))


def test_a_flood_of_requests_hardly_delays_control():
    unit, hub, holder, peer = seated("hello 1 aaa", "watch 1 bbb")
    unit.waiting = 16
    assert say(peer, "do 4711.2 1 state", "do 4711.2 2 describe 0") == [
        "refused 4711.2 1 busy",
        "refused 4711.2 2 busy",
    ]
    assert say(hub.connect(0.0), "watch 1 ccc") == []  # it must repeat its greeting
    assert say(holder, "do 4711.1 1 state")[1] == "done 4711.1 1"
    assert say(holder, "do 4711.1 2 tap auction") == [] and unit.asked[0][0] == "tap auction"
    unit.waiting = 64
    assert say(holder, "do 4711.1 3 tap build") == ["refused 4711.1 3 busy"]
    assert say(hub.connect(0.0), "hello 1 ddd") == [] and len(unit.asked) == 1


def test_finished_requests_are_no_longer_counted_as_in_flight():
    asked = []

    class Client(SimpleNamespace):
        def ask(self, text, *_):
            asked.append(Request(text, 0))
            return asked[-1]

    unit = ServedUnit(Client(on=lambda *_: None, snapshot=None))
    heard = []
    unit.ask("tap auction", lambda *words: heard.append(words))
    unit.ask("tap build", lambda *words: heard.append(words))
    unit.ask_state(heard.append)
    assert unit.waiting == 3
    asked[0].finish("")
    asked[1].finish(None, Refused("tap build", "busy"))
    asked[2].fail("the line is gone")
    assert unit.waiting == 0 and heard == [("", ""), ("", "busy")]


def test_invalid_lines_are_ignored():
    peer = Hub(FakeUnit()).connect(0.0)
    peer.receive(0.0, b"\x00\xff GET / HTTP/1.1\r\n\r\ntap auction\n" + b"x" * 10000)
    assert say(peer, "hello", "hello 1 " + "a" * 17, "watch 1 a.b", "since", "do", "do 1.1") == [
        "stranger 1.1"
    ]
    assert say(peer, f"ping {'t' * 113}") == []  # the answer would be longer than a line


@in_a_loop
async def test_a_peer_needs_the_whole_address_and_an_allowed_origin():
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


@in_a_loop
async def test_files_need_the_secret_and_cannot_be_framed():
    def fetch(address):
        try:
            with urllib.request.urlopen(address, timeout=PATIENCE_S) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, b""

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
    assert said["units.json"] == b'["test"]'
    assert json.loads(said["texts.json"])["fr"]["ready"] == "prête"


@in_a_loop
async def test_a_peer_too_many_is_rejected(monkeypatch):
    monkeypatch.setattr(web_door, "_MAX_PEERS", 1)

    async with Doored() as doored, doored.watcher():
        with pytest.raises(InvalidStatus) as refused:
            await connect(doored.address)
        with pytest.raises(host.NoUnit, match="too many programs"):
            async with doored.watcher():
                pass
        response = refused.value.response
        assert (response.status_code, response.body) == (503, b"too many watchers\n")


@in_a_loop
async def test_a_duplicate_header_is_a_bad_request(caplog):
    async def answered(doored, twice):
        address, port = doored.door.name.rsplit(":", 1)
        reader, writer = await asyncio.open_connection(address, int(port))
        head = f"GET /{doored.door.secret}/ HTTP/1.1\r\nHost: {address}\r\n{twice}\r\n{twice}\r\n"
        writer.write(f"{head}Connection: Upgrade\r\n\r\n".encode())
        answer = await reader.read()
        writer.close()
        return answer

    async with Doored() as doored:
        for twice in ("Host: here", "Origin: null", "Upgrade: websocket"):
            assert (await answered(doored, twice)).startswith(b"HTTP/1.1 400 ")
    # Ignore records of asyncio itself: 3.12.1 logs each cancelled task.
    assert not [it for it in caplog.records if it.exc_info and it.name.startswith("websockets")]


@in_a_loop
async def test_a_silent_peer_does_not_delay_closing(monkeypatch):
    monkeypatch.setattr(web_door, "_GOODBYE_S", 0.0)

    async with Doored() as doored:
        address, port = doored.door.name.rsplit(":", 1)
        _reader, half_open = await asyncio.open_connection(address, int(port))
        before = asyncio.get_running_loop().time()
        await doored.door.close()
        half_open.close()
        assert asyncio.get_running_loop().time() - before < 9  # seconds; the library waits for 10


@in_a_loop
async def test_holder_and_watchers_receive_the_same():
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
        assert ([event.position for event in ends], edge.what) == ([(4711, 2)] * 3, "auction")


@in_a_loop
async def test_a_restart_is_reported_to_peers():
    async with Doored() as doored, doored.watcher() as unit:
        await unit.wait_for(host.Connected)
        old = doored.served.link
        doored.served.link = Served().link
        doored.served.link.boot = old.boot + 1
        doored.served.drop()
        await unit.wait_for(host.Restarted)
        connected = await unit.wait_for(host.Connected)
        assert connected.about.boot == 4712


@in_a_loop
async def test_events_that_a_board_has_dropped_come_from_the_journal(tmp_path):
    path = tmp_path / "events.log"

    async def served_once(doored, commands):
        """Serve the unit with its journal, like one run of `city-unit serve`."""
        journal = Journal(path)
        unit = host.AsyncClient(host.begin(doored.served.port, history=True))
        shared = ServedUnit(unit)
        shared.journal = journal
        await unit.wait_online(PATIENCE_S)
        for _ in range(commands):
            await unit.start_auction(60000)
            await unit.stop_auction()
        while shared.count < doored.served.link.unit.events.count:
            await asyncio.sleep(0)
        await unit.close()
        journal.close()
        return shared

    async with Doored() as doored:
        await doored.unit.close()
        await served_once(doored, 40)
        shared = await served_once(doored, 1)
        assert (shared.first, shared.count) == (0, doored.served.link.unit.events.count)
        assert shared.count > 64 and shared.event(1) == "0 auction-started 60000"
        answers = []
        shared.journal = Journal(path)
        shared.boot = 4712  # as if the board had been restarted
        shared.ask("journal 4711 0", lambda *answer: answers.append(answer))
        shared.journal.close()
        assert answers == [("4711 0 0 switched-on city", "")]


def test_a_flood_of_events_takes_bounded_memory():
    callbacks = {}
    shared = ServedUnit(SimpleNamespace(on=callbacks.__setitem__), most=80)
    for number in range(1, 1000):
        callbacks[host.Event](host.Event(number, number, "hour-beep", boot=4711))
    assert (shared.count, shared.event(999)) == (1000, "999 hour-beep")
    assert shared.count - shared.first <= 80


FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")


@pytest.mark.real_time
@in_a_loop
async def test_the_page_uses_the_browsers_language_and_escapes_text():
    needs_modules("playwright")
    where = shutil.which("chromium") or shutil.which("chromium-browser")
    needs(where, "chromium")
    mistakes = []

    async def open_page(browser, doored, language):
        context = await browser.new_context(locale=language)
        context.set_default_timeout(1000 * PATIENCE_S)
        context.on("weberror", lambda error: mistakes.append(str(error.error)))
        page = await context.new_page()
        await page.goto(f"http://{doored.door.name}/{doored.door.secret}/")
        return page

    async def visit(browser, doored):
        page = await open_page(browser, doored, "en")
        await page.wait_for_selector("text=city: ready")
        assert await page.locator(".lit >> text=auction").count() == 0
        await doored.unit.start_auction(60000)
        await page.wait_for_selector(".lamp.lit >> text=auction")
        await page.wait_for_selector("li >> text=auction-started 60000")
        await page.wait_for_selector("text=city: auction")
        await doored.unit.stop_auction()
        await page.wait_for_selector("text=city: ready")
        assert await page.locator(".lit >> text=auction").count() == 0

        doored.served.link.unit.events.add(5, "<img/src=x>", "<b>bold</b>")
        doored.served.advance(1)
        await page.wait_for_selector("li >> text=<img/src=x>")
        assert await page.locator("li *").count() == 0

        french = await open_page(browser, doored, "fr")
        await french.wait_for_selector("text=city : prête")
        lamps = await french.locator(".lamp").all_inner_texts()
        with catalogue.spoken("fr"):
            assert lamps == [str(words.short) for words in WORDS]
        assert lamps[0] == "enchère"

        await page.click("text=A unit of your own")
        await page.wait_for_selector("body.alive")
        assert "1:00:00" in await page.title()

    from playwright.async_api import async_playwright

    async with Doored(beside=serve.page()) as doored, async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=where, args=list(FLAGS))
        await visit(browser, doored)
        await browser.close()
    assert mistakes == []
