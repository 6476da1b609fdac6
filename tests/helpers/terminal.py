"""A terminal that is a real one, behind a pty."""

import os
import re
import time
from collections.abc import Sequence
from typing import Any

from tests.helpers.patience import PATIENCE_S


class RealTerminal:
    """A terminal of which we are the person."""

    def __init__(self, command: Sequence[str]) -> None:
        import pty
        import subprocess
        import termios

        self.ours, theirs = pty.openpty()
        self._theirs = theirs
        self.before = termios.tcgetattr(theirs)
        environment = {**os.environ, "TERM": "xterm", "PYTHONIOENCODING": "utf-8"}
        self.process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment
        )
        self.text = ""

    def after(self) -> list[Any]:
        import termios

        return termios.tcgetattr(self._theirs)

    def type(self, text: str) -> None:
        os.write(self.ours, text.encode())

    def wait_for(self, text: str) -> re.Match[str]:
        return self.wait_for_match(re.escape(text))

    def wait_for_match(self, pattern: str) -> re.Match[str]:
        """Wait until something like this was written; return the first match of it."""
        import select

        end = time.monotonic() + PATIENCE_S
        while not (found := re.search(pattern, self.text)):
            has_ended = self.process.poll() is not None  # so that all it said can be read
            if select.select([self.ours], [], [], 0.1)[0]:
                self.text += os.read(self.ours, 65536).decode(errors="replace")
            else:
                assert not has_ended and time.monotonic() < end, self.text[:3000]
        return found

    def wait_for_end(self) -> int:
        self.wait_for("\x1b[?1049l")
        return self.process.wait(PATIENCE_S)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.ours)
        os.close(self._theirs)
