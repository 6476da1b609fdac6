"""The smoke test of a window without Python: it starts, draws, keeps time, and leaves when asked.

It runs on every desktop before a bundle is packed, and needs nothing but a display, or none: then
SDL draws into memory. Settings and games go into a folder of its own.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from city_unit.desktop.errors import FAILURE, UserError

SUFFIX = ".exe" if sys.platform == "win32" else ""
STAYS_S = 10  # longer than the unit beside the game takes to fail
PATIENCE_S = 60  # for a machine that is busy; a start takes some seconds at most
STEPS = {"0 s": "switch on", "1 s": "tap auction", "60 s": "end"}
END_MS = 1016 + 50_000  # a press is debounced for 16 ms, an auction takes 50 s


def run(folder: Path) -> None:
    """Try the programs in a bundle's folder; raises UserError with what fails."""
    with tempfile.TemporaryDirectory() as home:
        settings = {"HOME": home, "USERPROFILE": home, "APPDATA": home, "LOCALAPPDATA": home}
        settings |= {"XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home, "XDG_STATE_HOME": home}
        environment = {**os.environ, **settings, "SDL_AUDIODRIVER": "dummy"}
        if sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
            environment["SDL_VIDEODRIVER"] = "dummy"
        for program in ("city-unit", "city-game"):
            path = folder / f"{program}{SUFFIX}"
            said = _output([path, "--version"], environment)
            if not said.startswith(program):
                raise UserError(f"{path} --version said: {said}", FAILURE)
            _lives(path, environment)
        _keeps_time(folder / f"city-unit{SUFFIX}", Path(home), environment)


def _output(command: list, environment: dict[str, str]) -> str:
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=PATIENCE_S
    )
    if done.returncode:
        raise UserError(f"{command[0]} failed: {done.stderr.strip() or done.returncode}", FAILURE)
    return done.stdout


def _lives(path: Path, environment: dict[str, str]) -> None:
    """Start a window, see that it stays open, and close it."""
    with subprocess.Popen([path], env=environment, stderr=subprocess.PIPE, text=True) as program:
        time.sleep(STAYS_S)
        ended = program.poll()
        program.terminate()
        said = (program.communicate(timeout=PATIENCE_S)[1] or "").strip()
    if ended is not None:
        raise UserError(f"{path} ended at once ({ended}): {said}", FAILURE)


def _keeps_time(path: Path, folder: Path, environment: dict[str, str]) -> None:
    """Have the bundle's lab run an auction in virtual time: it ends at 50 s exactly."""
    scenario = folder / "auction.toml"
    rows = [f'[[steps]]\nat = "{at}"\ndo = "{what}"\n' for at, what in STEPS.items()]
    scenario.write_text("\n".join(rows), encoding="utf-8")
    said = _output([path, "trace", str(scenario)], environment)
    if f'{{"ms": {END_MS}, "event": "auction-ended"}}' not in said:
        raise UserError(f"{path} trace: the auction did not end at {END_MS} ms", FAILURE)
