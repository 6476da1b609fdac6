"""A screen that nobody sees, with a window manager if one is wanted."""

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
    """Open a display; yield the environment of the programs on it."""
    read, write = os.pipe()
    size = f"{width}x{height}x24"
    # Else it resets when its last client leaves, and refuses a manager that connects just then.
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
    asked = ["xprop", "-root", "_NET_SUPPORTING_WM_CHECK"]
    done = subprocess.run(asked, env=environment, capture_output=True, text=True)
    return "window id" in done.stdout
