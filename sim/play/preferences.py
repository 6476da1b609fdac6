"""The saved settings: program, volume, window size and the like.

They are a JSON file in the settings folder, or the file that `CITY_UNIT_SETTINGS` names, which is
replaced atomically. Each value is validated on its own, so an invalid one affects no other. A
file with an invalid value is kept under another name.
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
from city_unit.desktop.errors import UserError
from city_unit.desktop.files import reason, writing_whole
from city_unit.facts import LONGEST_CLOCK_MS
from city_unit.programs import PROGRAMS
from city_unit.settings import Settings
from sim.engine import program_file
from sim.play import own_programs


@dataclass
class Preferences:
    """The settings of a window or a terminal.

    program        the name of the program
    clock_ms       the length of its game, -1 for the program's default
    volume         of the unit, 0 to 3
    muted          whether this computer is silent at any volume
    width, height  the size that the user gave the window, in points; 0 for none
    seconds        whether auctions show their remaining time
    calm           whether to reduce motion: nothing large moves
    toured         whether the user has seen the introduction
    warning        the error in the file, "" for none; not saved
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


_LARGEST = 1 << 20  # bytes to read; the path may name an endless device
_SIZE = range(20_001), lazy("a whole number of points")
_SWITCH = (False, True), lazy("true or false")
# The settings in the file: the allowed values (None: any string), and a description of them.
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


def settings_path() -> Path:
    """Return the path of the file. Raises UserError for a pipe, which could block forever."""
    named = os.environ.get("CITY_UNIT_SETTINGS")
    path = Path(named) if named else files.settings_folder() / "settings.json"
    with contextlib.suppress(OSError):
        if path.is_fifo():
            raise UserError(_("settings {path}: this is a pipe, not a file").format(path=path))
    return path


def load() -> Preferences:
    """Return the saved settings, with defaults for the rest; print invalid ones."""
    path = settings_path()
    try:
        preferences = _read(path)
    except FileNotFoundError:
        return Preferences()
    except OSError as error:
        preferences = Preferences(
            warning=_("cannot be read, {why}; the defaults are used").format(why=reason(error))
        )
    except (ValueError, RecursionError) as error:  # invalid UTF-8 or JSON
        preferences = Preferences(warning=_broken(error))
    if preferences.warning:
        words = _("city-unit: settings {path}: {what}")
        print(words.format(path=path, what=preferences.warning), file=sys.stderr)
        with contextlib.suppress(OSError):
            if path.is_file():
                path.replace(path.with_suffix(".broken"))
    return preferences


def settings_of(remembered: Preferences, wanted: str | None) -> Settings:
    """Return the settings of the unit, as they were last time.

    wanted  the name, the title or the file of another program; None for the one of last time

    Raises UserError.
    """
    settings = Settings((*PROGRAMS, *own_programs.load()))
    settings.volume = remembered.volume
    for program in settings.programs:
        if program.name == remembered.program:
            agreed = remembered.clock_ms in program.clock_choices_ms
            settings.choose(program, remembered.clock_ms if agreed else None)
    names = [program.name for program in settings.programs]
    if wanted is None and remembered.program not in names:
        words = _('the game "{name}" from last time no longer exists; this is another')
        remembered.warning = words.format(name=remembered.program)
    if wanted is not None:
        known = [
            program for program in settings.programs if wanted in (program.name, program.title)
        ]
        program = known[0] if known else program_file.find(wanted)
        if not known:
            others = (other for other in settings.programs if other.name != program.name)
            settings.programs = (*others, program)
        settings.choose(program)
    return settings


def save(preferences: Preferences, before: Preferences | None = None) -> None:
    """Save the settings; print one line if that fails.

    before  the settings as loaded; those unchanged since then do not overwrite what another window
            has saved meanwhile
    """
    path = settings_path()
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
        words = _("city-unit: settings {path} not saved: {why}")
        print(words.format(path=path, why=reason(error)), file=sys.stderr)


def _read(path: Path) -> Preferences:
    """Read the file, ignoring unknown settings. Raises OSError, ValueError, RecursionError."""
    with path.open("rb") as file:
        content = json.loads(file.read(_LARGEST).decode("utf-8"))
    if not isinstance(content, dict):
        return Preferences(warning=_broken())
    good, bad = {}, []
    for name, (allowed, rule) in _VALUES.items():
        if name not in content:
            continue
        value = content[name]
        # Python takes True and 1.0 for 1, so the type must be that of the default.
        is_type = type(value) is type(getattr(Preferences, name))
        if is_type and (allowed is None or value in allowed):
            good[name] = value
        else:
            bad.append(_("{name} must be {what}").format(name=name, what=rule))
    return Preferences(**good, warning="; ".join(bad))


def _broken(error: Exception | None = None) -> str:
    if isinstance(error, json.JSONDecodeError):
        words = _("not a settings file (line {line}); the defaults are used")
        return words.format(line=error.lineno)
    return _("not a settings file; the defaults are used")
