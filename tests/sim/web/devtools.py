"""A Chromium driven by its own protocol over a pipe: with it a page can be hidden and frozen.

Playwright has every page believe that it is looked at, which is what most tests want.
"""

import json
import os
import subprocess
import tempfile
import time
from contextlib import contextmanager

from tests.helpers.patience import PATIENCE_S
from tests.sim.web.conftest import FLAGS


class Failed(Exception):
    """The requests that the browser refused."""


class Devtools:
    """Sends commands and waits for their answers; events are left unread."""

    def __init__(self, reads, writes):
        self._reads = reads
        self._writes = writes
        self._count = 0
        self._rest = b""

    def ask(self, method, session=None, **params):
        self._count += 1
        message = {"id": self._count, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        self._writes.write(json.dumps(message).encode() + b"\0")
        self._writes.flush()
        while True:
            answer = self._read()
            if answer.get("id") == self._count:
                if "error" in answer:
                    raise Failed(answer["error"]["message"])
                return answer["result"]

    def _read(self):
        while b"\0" not in self._rest:
            part = os.read(self._reads.fileno(), 1 << 16)
            if not part:
                raise Failed("the browser has ended")
            self._rest += part
        message, _, self._rest = self._rest.partition(b"\0")
        return json.loads(message)


@contextmanager
def running(chromium):
    """Run a Chromium of its own; it has no page yet."""
    ours_reads, its_writes = os.pipe()
    its_reads, ours_writes = os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        flags = [*FLAGS, "--headless", "--remote-debugging-pipe", f"--user-data-dir={profile}"]
        # The pipe has to be the files 3 and 4 of the browser.
        script = f'exec "$0" "$@" 3<&{its_reads} 4>&{its_writes}'
        program = subprocess.Popen(
            ["bash", "-c", script, chromium, *flags],
            pass_fds=(its_reads, its_writes),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(its_reads)
        os.close(its_writes)
        with os.fdopen(ours_reads, "rb", 0) as reads, os.fdopen(ours_writes, "wb", 0) as writes:
            devtools = Devtools(reads, writes)
            yield devtools
            devtools.ask("Browser.close")
        program.wait()


class Page:
    """A tab in a browser of its own, which knows nothing of the others.

    alone  False: in the browser itself, as only one can be; there things are installed
    """

    def __init__(self, devtools, address, before="", alone=True):
        self._devtools = devtools
        self._where = {}
        if alone:
            context = devtools.ask("Target.createBrowserContext")["browserContextId"]
            self._where = {"browserContextId": context}
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
        began = time.monotonic()
        while True:
            try:
                if self.evaluate(truth):
                    return
            except Failed:
                pass  # the page is only being loaded
            assert time.monotonic() - began < PATIENCE_S, truth
            time.sleep(0.05)

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
