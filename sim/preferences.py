"""What is remembered from one evening to the next: program, volume, window size.

Kept as one JSON file in the folder for settings; `CITY_UNIT_SETTINGS` names
another file. The file is written whole or not at all. Each value is read by
itself, so that a bad one costs no other; a file in which something was wrong is
left beside under another name.
"""

import contextlib
import json
import os
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from sim import texts_window as texts


@dataclass
class Preferences:
    """The settings of a body.

    program   the name of the program
    clock_ms  the length of its game, -1 for the program's own
    volume    0 to 3;  muted  whether the desktop keeps silent all the same
    width, height  of the window, in points
    warning   what was wrong with the file, "" for nothing; not kept
    """

    program: str = "city"
    clock_ms: int = -1
    volume: int = 2
    muted: bool = False
    width: int = 760
    height: int = 860
    warning: str = field(default="", compare=False)


def _whole(least: int, most: int) -> Callable[[object], bool]:
    """Return the check for a whole number from `least` to `most`; True is none."""
    return lambda value: type(value) is int and least <= value <= most


# Each value that is kept: whether it is right, and what it must be, in words.
_VALUES: dict[str, tuple[Callable[[object], bool], str]] = {
    "program": (lambda value: isinstance(value, str), texts.MUST_BE_TEXT),
    "clock_ms": (_whole(-1, 86_400_000), texts.MUST_BE_LENGTH),
    "volume": (_whole(0, 3), texts.MUST_BE_VOLUME),
    "muted": (lambda value: isinstance(value, bool), texts.MUST_BE_TRUTH),
    "width": (_whole(1, 20_000), texts.MUST_BE_SIZE),
    "height": (_whole(1, 20_000), texts.MUST_BE_SIZE),
}


_REASONS: dict[type[OSError], str] = {
    PermissionError: texts.NOT_PERMITTED,
    IsADirectoryError: texts.A_FOLDER,
    NotADirectoryError: texts.NO_FOLDER,
    FileExistsError: texts.NO_FOLDER,
}


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
    """Return what is remembered, and the defaults for the rest; warn once of what is wrong."""
    path = where()
    try:
        preferences = _parse(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Preferences()
    except OSError as error:
        preferences = Preferences(warning=texts.UNREADABLE.format(_reason(error)))
    except ValueError as error:  # of the characters or of the JSON
        preferences = Preferences(warning=texts.BROKEN.format(_place(error)))
    if preferences.warning:
        print(texts.PREFERENCES_WARNING.format(path, preferences.warning), file=sys.stderr)
        with contextlib.suppress(OSError):
            if path.is_file():
                path.replace(path.with_suffix(".broken"))
    return preferences


def save(preferences: Preferences) -> None:
    """Remember; where that is not possible, say so in one line."""
    path = where()
    unfinished = path.with_suffix(".part")
    kept = {name: value for name, value in asdict(preferences).items() if name in _VALUES}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")
        unfinished.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            unfinished.unlink(missing_ok=True)
        print(texts.UNSAVED_PREFERENCES.format(path, _reason(error)), file=sys.stderr)


def _parse(text: str) -> Preferences:
    """Read the file's text; what it does not know is left out. Raises ValueError."""
    content = json.loads(text)
    if not isinstance(content, dict):
        return Preferences(warning=texts.BROKEN.format(""))
    good, bad = {}, []
    for name, (is_right, wanted) in _VALUES.items():
        if name not in content:
            continue
        if is_right(content[name]):
            good[name] = content[name]
        else:
            bad.append(texts.BAD_VALUE.format(name, wanted))
    return Preferences(**good, warning="; ".join(bad))


def _place(error: ValueError) -> str:
    """Say where a file is no settings file, as far as that is known."""
    return texts.BROKEN_LINE.format(error.lineno) if isinstance(error, json.JSONDecodeError) else ""


def _reason(error: OSError) -> str:
    """Say in words what the system refused."""
    for kind, words in _REASONS.items():
        if isinstance(error, kind):
            return words
    return error.strerror or str(error)
