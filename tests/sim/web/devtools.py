"""A Chromium driven by its own protocol: with it a page can be hidden and frozen.

Playwright has every page believe that it is looked at, which is what most tests want.
"""

import json
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

from websockets.sync.client import connect

from tests.helpers import patience
from tests.sim.web.conftest import FLAGS


class Failed(Exception):
    """The requests that the browser refused."""


class Devtools:
    """Sends commands and waits for their answers; events are left unread."""

    def __init__(self, line):
        self._line = line
        self._count = 0

    def ask(self, method, session=None, **params):
        self._count += 1
        message = {"id": self._count, "method": method, "params": params}
        self._line.send(json.dumps(message | ({"sessionId": session} if session else {})))
        while (answer := json.loads(self._line.recv())).get("id") != self._count:
            pass
        if "error" in answer:
            raise Failed(answer["error"]["message"])
        return answer["result"]


@contextmanager
def running(chromium):
    """Run a Chromium of its own; it has no page yet."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        flags = [*FLAGS, "--headless", "--remote-debugging-port=0", f"--user-data-dir={profile}"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        address = Path(profile) / "DevToolsActivePort"
        with subprocess.Popen([chromium, *flags], **quiet) as program:
            try:
                patience.until(lambda: address.exists() and "/" in address.read_text())
                port, path = address.read_text().split()
                with connect(f"ws://127.0.0.1:{port}{path}", max_size=None) as line:
                    yield Devtools(line)
            finally:
                program.terminate()


class Page:
    """A tab in a browser of its own, which knows nothing of the others."""

    def __init__(self, devtools, address, before=""):
        self._devtools = devtools
        self._where = devtools.ask("Target.createBrowserContext")
        target = self._open("about:blank")
        attached = devtools.ask("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        self._target = target
        self.ask("Page.enable")
        if before:
            self.ask("Page.addScriptToEvaluateOnNewDocument", source=before)
        self.ask("Page.navigate", url=address)

    def _open(self, address):
        made = self._devtools.ask("Target.createTarget", url=address, **self._where)
        return made["targetId"]

    def ask(self, method, **params):
        return self._devtools.ask(method, self._session, **params)

    def evaluate(self, expression):
        answer = self.ask(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            raise Failed(str(answer["exceptionDetails"].get("exception", {}).get("description")))
        return answer["result"].get("value")

    def until(self, truth):
        """Wait until an expression is true."""

        def is_true():
            try:
                return self.evaluate(truth)
            except Failed:
                return False  # the page is only being loaded

        patience.until(is_true, lambda: truth)

    def switch_on(self):
        """Switch the unit on; its sound runs then."""
        self.until("document.body.classList.contains('alive')")
        self.press("o")
        self.until("document.body.dataset.mood === 'ready' && app.speaker.state === 'running'")

    def begin_auction(self):
        """Press AUCTION; return when the auction began, in the unit's ms."""
        began = "app.history.lines(0, 1e9).find((line) => line.event === 'auction-started')?.ms"
        self.press("a")
        self.until(f"({began}) !== undefined")
        return self.evaluate(began)

    def press(self, key):
        """Press and release a key, as a person does."""
        pressed = {"key": key, "code": f"Key{key.upper()}", "text": key}
        self.ask("Input.dispatchKeyEvent", type="keyDown", **pressed)
        self.ask("Input.dispatchKeyEvent", type="keyUp", key=key, code=pressed["code"])

    def hide(self):
        """Open another tab over it."""
        self._devtools.ask("Target.activateTarget", targetId=self._open("about:blank"))

    def freeze(self, frozen):
        self.ask("Page.setWebLifecycleState", state="frozen" if frozen else "active")

    def show(self):
        self._devtools.ask("Target.activateTarget", targetId=self._target)
