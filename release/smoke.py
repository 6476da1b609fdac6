"""Smoke-test the bundled programs: they draw, keep running, close on request, and keep time.

The test is the same on each desktop. Without a display SDL draws into memory. Settings and games go
into a temporary folder.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from city_unit.desktop.errors import FAILURE, UserError
from city_unit.facts import VERSION

PROGRAMS = {"city-unit": "sim.cli", "city-game": "city_game.cli"}
TITLES = {"city-unit": "City Unit", "city-game": "City Game"}  # names of the macOS applications
FIRST_S = 20  # limit for the first picture on a busy machine; it usually takes 2 s
STAYS_S = 8  # long enough to notice if the game's unit fails
PATIENCE_S = 90
# Runs inside the bundle. Notes the time of a program's first picture, and later closes its window.
# The time goes to a file, since a windowed program has no output on Windows.
PROBE = """
import runpy, sys, threading, time
import pygame

told, stays_s, module = sys.argv[1], float(sys.argv[2]), sys.argv[3]
close = threading.Timer(stays_s, lambda: pygame.event.post(pygame.Event(pygame.QUIT)))
close.daemon = True


def noting(flip):
    def flipped(*words):
        flip(*words)
        if not close.is_alive() and not close.finished.is_set():
            with open(told, "w") as file:
                file.write(str(time.time()))
            close.start()

    return flipped


class Window(pygame.Window):
    flip = noting(pygame.Window.flip)


pygame.Window, pygame.display.flip = Window, noting(pygame.display.flip)
sys.argv = sys.argv[3:]
runpy.run_module(module, run_name="__main__", alter_sys=True)
"""
# An auction of 50 s in virtual time; its press is debounced for 16 ms.
STEPS = {"0 s": "switch on", "1 s": "tap auction", "60 s": "end"}
END_MS = 1016 + 50_000
OUTPUT = """
import runpy, sys
sys.stdout = open(sys.argv[1], "w", encoding="utf-8")
sys.argv = sys.argv[2:]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""


def run(folder: Path) -> dict[str, float]:
    """Run the programs of an unpacked download; return the seconds to each one's first picture.

    Raises UserError at the first fault.
    """
    seconds = {}
    with tempfile.TemporaryDirectory() as home:
        settings = {"HOME": home, "USERPROFILE": home, "APPDATA": home, "LOCALAPPDATA": home}
        settings |= {"XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home, "XDG_STATE_HOME": home}
        environment = {**os.environ, **settings, "SDL_AUDIODRIVER": "dummy"}
        if sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
            environment["SDL_VIDEODRIVER"] = "dummy"
        for name, module in PROGRAMS.items():
            path = program(folder, name)
            said = _output(path, [module, "--version"], Path(home), environment)
            if said.split() != [name, VERSION]:
                raise UserError(f"{path} --version said: {said}", FAILURE)
            first = Path(home, "first.txt")
            first.unlink(missing_ok=True)
            started = time.time()
            _run([path, "-c", PROBE, first, str(STAYS_S), module], environment)
            if not first.exists():
                raise UserError(f"{path} ended before its first picture", FAILURE)
            seconds[name] = float(first.read_text()) - started
            if seconds[name] > FIRST_S:
                late = f"the first picture took {seconds[name]:.1f} s"
                raise UserError(f"{path}: {late}", FAILURE)
        # An auction in virtual time, run by the bundled lab, must end at exactly 50 s.
        path, scenario = program(folder, "city-unit"), Path(home, "auction.toml")
        rows = [f'[[steps]]\nat = "{at}"\ndo = "{what}"\n' for at, what in STEPS.items()]
        scenario.write_text("\n".join(rows), encoding="utf-8")
        said = _output(path, ["sim.cli", "trace", str(scenario)], Path(home), environment)
        if f'{{"ms": {END_MS}, "event": "auction-ended"}}' not in said:
            raise UserError(f"{path} trace: the auction did not end at {END_MS} ms", FAILURE)
    return seconds


def program(folder: Path, name: str) -> Path:
    """Return the path of a program in an unpacked download."""
    if sys.platform == "darwin":
        return folder / f"{TITLES[name]}.app" / "Contents" / "MacOS" / name
    return folder / (f"{name}.exe" if sys.platform == "win32" else name)


def _output(path: Path, words: list[str], folder: Path, environment: dict[str, str]) -> str:
    """Run a module of the bundle; return its output."""
    file = folder / "output.txt"
    _run([path, "-c", OUTPUT, file, *words], environment)
    return file.read_text(encoding="utf-8")


def _run(command: list, environment: dict[str, str]) -> None:
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=PATIENCE_S
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UserError(f"{command[0]}: {error}", FAILURE) from None
    if done.returncode:
        raise UserError(f"{command[0]} failed: {done.stderr.strip() or done.returncode}", FAILURE)
