"""A page of another origin, in a real browser, at the door of a unit over TCP."""

import asyncio
import contextlib
import shutil
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from city_unit import host
from city_unit.wire import seal
from tests.helpers.emulated import Emulated
from tests.helpers.needs import needs, needs_modules
from tests.helpers.patience import PATIENCE_S

needs_modules("playwright")
pytestmark = pytest.mark.real_time
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")

# Each of these is sent by any page without a question. What comes of it is the browser's business;
# a unit that does not hang up is not waited for.
ATTACK = """async ([address, typed, sealed]) => {
    const send = async (to, options) => {
        const signal = AbortSignal.timeout(3000);
        await fetch(to, { mode: "no-cors", signal, ...options }).catch(() => {});
    };
    for (const body of [typed, sealed]) {
        await send(address, { method: "POST", body });
        await send(address + encodeURIComponent(body), {});
    }
    const socket = new WebSocket(address.replace("http", "ws"));
    await new Promise((ended) => { socket.onclose = ended; setTimeout(ended, 3000); });
}"""


class Anywhere(BaseHTTPRequestHandler):
    """A page without anything on it."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def origin():
    """Serve a page that is none of the unit's; yield its address."""
    server = HTTPServer(("127.0.0.1", 0), Anywhere)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_page_of_another_origin_presses_nothing(tmp_path):
    where = shutil.which("chromium") or shutil.which("chromium-browser")
    needs(where, "chromium")
    unit = Emulated(tmp_path, "--listen", "127.0.0.1:0")
    typed = "\nstart 23456\n"
    sealed = typed + (seal("hello 1 page") + seal("do 1.1 1 start 23456")).decode()

    async def attack(home):
        from playwright.async_api import async_playwright

        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=where, args=list(FLAGS))
            page = await browser.new_page()
            await page.goto(home)
            address = unit.port.replace("socket://", "http://") + "/"
            await page.evaluate(ATTACK, [address, typed, sealed])
            await browser.close()

    try:
        with origin() as home:
            asyncio.run(asyncio.wait_for(attack(home), PATIENCE_S))
        with host.connect(unit.port, history=True, timeout=PATIENCE_S) as client:
            assert client.snapshot is not None
            assert (client.snapshot.state, client.snapshot.events) == ("ready", 1)
    finally:
        unit.stop()
