"""Real windows under a window manager: `python -m tests.sim.window.pictures FOLDER [LANG]`.

Pictures to be looked at. At each size of a screen the unit is led into each state by real keys,
and the whole screen is saved: what is outside of it is not in the picture.
Wants Xvfb, openbox, xdotool and ImageMagick.
"""

import subprocess
import sys
import time
from pathlib import Path

from tests.helpers.patience import until
from tests.helpers.screens import screen_of

SCREENS = ((1366, 768), (1280, 800), (1920, 1080), (600, 1000), (480, 320))
START_S, KEY_S = 1.0, 0.7

# Each state: the keys that lead there from the one before, and what the title then begins with,
# or how many seconds to wait.
STATES = (
    ("1-tour", (), 0.0),
    ("2-off", ("Escape",), 0.0),
    ("3-ready", ("o",), 1.0),
    ("4-permit", ("b",), 2.0),
    ("5-auction", ("a",), 1.0),
    ("6-warning", (), "LAST BIDS"),
    ("7-sold", (), "SOLD"),
    ("7-tab", ("Tab", "Tab"), 0.0),
    ("8-menu", ("Escape", "c"), 0.0),
    ("9-help", ("Escape", "h"), 0.0),
    ("10-seconds", ("Escape", "s", "a"), 1.0),
    ("11-off-again", ("o",), 0.5),
)
END = (("12-over", ("r", "plus", "plus", "plus", "plus", "plus", "plus"), "THE HOUR"),)


def main(words: list[str]) -> None:
    folder = Path(words[0])
    folder.mkdir(parents=True, exist_ok=True)
    language = words[1] if len(words) > 1 else "en"
    for width, height in SCREENS:
        with screen_of(width, height) as environment:
            _evening(folder, f"{width}x{height}", language, environment)


def _evening(folder: Path, size: str, language: str, environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", "sim.cli", "play", "--seed", "3", "--lang", language]
    unit = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    try:
        until(lambda: _is_open(unit.pid, environment))
        time.sleep(START_S)
        for name, keys, wait in (*STATES, *END):
            for key in keys:
                subprocess.run(["xdotool", "key", key], env=environment, check=True)
                time.sleep(KEY_S if isinstance(wait, float) else 0.15)
            if isinstance(wait, str):
                _await_title(wait, environment)
            else:
                time.sleep(wait + START_S / 2)
            path = folder / f"{size}-{name}.png"
            subprocess.run(["import", "-window", "root", str(path)], env=environment, check=True)
            print(path)
    finally:
        unit.kill()
        unit.wait()


def _await_title(beginning: str, environment: dict[str, str]) -> None:
    words = ["xdotool", "getactivewindow", "getwindowname"]

    def has_come() -> bool:
        title = subprocess.run(words, env=environment, capture_output=True, text=True).stdout
        return title.startswith(beginning)

    until(has_come)


def _is_open(pid: int, environment: dict[str, str]) -> bool:
    words = ["xdotool", "search", "--onlyvisible", "--pid", str(pid)]
    return bool(subprocess.run(words, env=environment, capture_output=True, text=True).stdout)


if __name__ == "__main__":
    main(sys.argv[1:])
