"""The settings that last from one evening to the next: program, volume, window size.

Kept as one JSON file in the folder for settings; `CITY_UNIT_SETTINGS` names
another file. The file is written whole or not at all. Each value is read by
itself, so that a bad one costs no other; a file in which something was wrong is
left beside under another name.
"""

import contextlib
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from city_unit.desktop import files
from city_unit.desktop.catalogue import Lazy, _, lazy
from city_unit.desktop.files import reason, writing_whole
from city_unit.facts import LONGEST_CLOCK_MS


@dataclass
class Preferences:
    """The settings of a body.

    program   the name of the program
    clock_ms  the length of its game, -1 for the program's own
    volume    0 to 3;  muted  whether the desktop keeps silent all the same
    width, height  which a person has given the window, in points; 0 for none
    seconds   whether an auction shows how long it still runs
    calm      whether nothing large is to move
    toured    whether the first evening has been explained
    warning   the mistake in the file, "" for none; not kept
    """

    program: str = "city"
    clock_ms: int = -1
    volume: int = 2
    muted: bool = False
    width: int = 0
    height: int = 0
    seconds: bool = False
    calm: bool = False
    toured: bool = False
    warning: str = field(default="", compare=False)


_LARGEST = 1 << 20  # bytes: a device that never ends is no file of settings
_SIZE = range(20_001), lazy("a whole number of points")
_SWITCH = (False, True), lazy("true or false")
# The settings in the file: the right values (None: any text), and that in words.
_VALUES: dict[str, tuple[Sequence[int] | None, Lazy]] = {
    "program": (None, lazy("a name in quotes")),
    "clock_ms": (range(-1, LONGEST_CLOCK_MS + 1), lazy("a length in ms, or -1")),
    "volume": (range(4), lazy("0, 1, 2 or 3")),
    "muted": _SWITCH,
    "width": _SIZE,
    "height": _SIZE,
    "seconds": _SWITCH,
    "calm": _SWITCH,
    "toured": _SWITCH,
}


def where() -> Path:
    """Return the path of the file."""
    named = os.environ.get("CITY_UNIT_SETTINGS")
    return Path(named) if named else files.settings_folder() / "settings.json"


def load() -> Preferences:
    """Return the saved settings, and the defaults for the rest; warn once of mistakes."""
    path = where()
    try:
        preferences = _read(path)
    except FileNotFoundError:
        return Preferences()
    except OSError as error:
        preferences = Preferences(
            warning=_("not readable, {why}; all settings are as at first").format(why=reason(error))
        )
    except (ValueError, RecursionError) as error:  # of the characters or of the JSON
        preferences = Preferences(warning=_broken(error))
    if preferences.warning:
        words = _("city-unit: settings {path}: {what}")
        print(words.format(path=path, what=preferences.warning), file=sys.stderr)
        with contextlib.suppress(OSError):
            if path.is_file():
                path.replace(path.with_suffix(".broken"))
    return preferences


def save(preferences: Preferences, before: Preferences | None = None) -> None:
    """Remember; where that is not possible, say so in one line.

    before  the loaded settings: only those that have changed since replace the ones that another
            window has written meanwhile
    """
    path = where()
    kept = {name: value for name, value in asdict(preferences).items() if name in _VALUES}
    if before is not None:
        unchanged = [name for name in kept if kept[name] == getattr(before, name)]
        others = before
        with contextlib.suppress(OSError, ValueError, RecursionError):
            others = _read(path)
        kept.update({name: getattr(others, name) for name in unchanged})
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with writing_whole(path) as file:
            file.write(f"{json.dumps(kept, indent=2)}\n".encode())
    except OSError as error:
        words = _("city-unit: settings {path} not kept: {why}")
        print(words.format(path=path, why=reason(error)), file=sys.stderr)


def _read(path: Path) -> Preferences:
    """Read the file; unknown settings are left out. Raises OSError, ValueError, RecursionError."""
    with path.open("rb") as file:
        content = json.loads(file.read(_LARGEST).decode("utf-8"))
    if not isinstance(content, dict):
        return Preferences(warning=_broken())
    good, bad = {}, []
    for name, (right, rule) in _VALUES.items():
        if name not in content:
            continue
        value = content[name]
        # True is 1 to Python, and 1.0 too: the type is to be that of the default.
        if type(value) is type(getattr(Preferences, name)) and (right is None or value in right):
            good[name] = value
        else:
            bad.append(_("{name} must be {what}").format(name=name, what=rule))
    return Preferences(**good, warning="; ".join(bad))


def _broken(error: Exception | None = None) -> str:
    """Say that a file is no settings file, and where, as far as that is known."""
    if isinstance(error, json.JSONDecodeError):
        words = _("this is no settings file (line {line}); all settings are as at first")
        return words.format(line=error.lineno)
    return _("this is no settings file; all settings are as at first")
