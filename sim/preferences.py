"""What is remembered from one evening to the next: program, volume, window size.

Kept as one JSON file in the folder for settings; `CITY_UNIT_SETTINGS` names
another file. The file is written whole or not at all; one that cannot be read
is left beside under another name.
"""

import contextlib
import json
import os
import sys
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from sim import texts_window as texts


@dataclass
class Preferences:
    """The settings of a body.

    program   the name of the program
    clock_ms  the length of its game, -1 for the program's own
    volume    0 to 3;  muted  whether the desktop keeps silent all the same
    width, height  of the window, in points
    """

    program: str = "city"
    clock_ms: int = -1
    volume: int = 2
    muted: bool = False
    width: int = 760
    height: int = 860


def where() -> Path:
    """Return the path of the file."""
    named = os.environ.get("CITY_UNIT_SETTINGS")
    if named:
        return Path(named)
    if sys.platform == "win32":
        folder = Path(os.environ.get("APPDATA") or Path.home())
    elif sys.platform == "darwin":
        folder = Path.home() / "Library" / "Application Support"
    else:
        folder = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return folder / "city-unit" / "settings.json"


def load() -> Preferences:
    """Return what is remembered, or the defaults, with one warning if the file is broken."""
    path = where()
    try:
        return _parse(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Preferences()
    except (OSError, ValueError) as error:
        print(texts.BROKEN_PREFERENCES.format(path, error), file=sys.stderr)
        with contextlib.suppress(OSError):
            path.replace(path.with_suffix(".broken"))
        return Preferences()


def save(preferences: Preferences) -> None:
    """Remember; where that is not possible, say so in one line."""
    path = where()
    unfinished = path.with_suffix(".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_text(json.dumps(asdict(preferences), indent=2) + "\n", encoding="utf-8")
        unfinished.replace(path)
    except OSError as error:
        print(texts.UNSAVED_PREFERENCES.format(error), file=sys.stderr)


def _parse(text: str) -> Preferences:
    """Read the file's text; what it does not know is left out. Raises ValueError."""
    content = json.loads(text)
    if not isinstance(content, dict):
        raise ValueError("it does not hold settings")
    known = {}
    for field in fields(Preferences):
        value = content.get(field.name, field.default)
        if type(value) is not type(field.default):
            raise ValueError(f"{field.name} is wrong: {value!r}")
        known[field.name] = value
    if not 0 <= known["volume"] <= 3:
        raise ValueError(f"volume is not from 0 to 3: {known['volume']}")
    return Preferences(**known)
