"""A virtual screen, with or without a window manager, and a user of a program on it."""

import contextlib
import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.helpers.patience import PATIENCE_S, until


@contextlib.contextmanager
def screen_of(width: int, height: int, is_managed: bool = True) -> Iterator[dict[str, str]]:
    """Open a display; yield the environment for programs on it."""
    read, write = os.pipe()
    size = f"{width}x{height}x24"
    # Without -noreset it resets after its last client, and rejects a manager that connects then.
    command = ["Xvfb", "-displayfd", str(write), "-noreset", "-screen", "0", size]
    screen = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as number, tempfile.TemporaryDirectory() as settings:
        path = Path(settings) / "settings.json"
        path.write_text(json.dumps({}))
        environment = os.environ | {
            "DISPLAY": f":{number.readline().strip()}",
            "SDL_VIDEODRIVER": "x11",
            "SDL_AUDIODRIVER": "dummy",
            "CITY_UNIT_SETTINGS": str(path),
        }
        programs = [screen]
        try:
            if is_managed:
                manager = subprocess.Popen(["openbox"], env=environment, stderr=subprocess.DEVNULL)
                programs.insert(0, manager)
                until(lambda: _is_managed(environment))
            yield environment
        finally:
            for program in programs:
                program.terminate()
                program.wait(PATIENCE_S)


def _is_managed(environment: dict[str, str]) -> bool:
    command = ["xprop", "-root", "_NET_SUPPORTING_WM_CHECK"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    return "window id" in done.stdout


class Hand:
    """The user of a program on a screen, who presses keys and clicks by xdotool."""

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        self.environment = environment
        self.program = subprocess.Popen(
            command,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.window = ""

    def windows(self) -> list[str]:
        """Return the visible windows of the program; SDL opens and closes others first."""
        assert self.program.poll() is None, self.program.communicate()[1]
        return self.do("search", "--onlyvisible", "--pid", str(self.program.pid)).split()

    def find(self) -> str:
        """Return the window to use, "" while there is none."""
        return next(reversed(self.windows()), "")

    def sit_down(self) -> None:
        """Wait until the window has the focus."""
        until(self._has_focus)

    def do(self, *words: str) -> str:
        return self.asked("xdotool", *words)

    def asked(self, *words: str) -> str:
        """Return the output of another program on this screen."""
        done = subprocess.run(
            words, env=self.environment, capture_output=True, text=True, timeout=PATIENCE_S
        )
        return done.stdout

    def key(self, *keys: str) -> None:
        self.do("key", *keys)

    def click(self, x: float, y: float) -> None:
        """Click on a pixel of the window."""
        place = str(round(x)), str(round(y))
        self.do("mousemove", "--window", self.window, *place, "click", "1")

    def end(self) -> None:
        if self.program.poll() is None:
            self.program.kill()
        self.program.communicate(timeout=PATIENCE_S)

    def _has_focus(self) -> bool:
        self.window = self.find()
        self.do("windowfocus", self.window)
        return self.do("getwindowfocus").strip() == self.window != ""
