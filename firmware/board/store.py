"""The board's own files: the settings, the unit's name, and the crash log."""

import sys

from city_unit.facts import LONGEST_CLOCK_MS
from city_unit.ticks import const

SETTINGS = "settings.txt"
CRASHES = "crash.txt"
NAME = "name.txt"

_LONGEST_LOG = const(2000)  # bytes; the next crash overwrites a longer log


def read(name: str) -> str:
    """Return the content of a file; "" if it cannot be read."""
    try:
        with open(name) as file:
            return file.read()
    except (OSError, ValueError):  # no such file, or not text
        return ""


def unit_name() -> str:
    """Return the unit's name from `NAME`: up to 16 letters, digits, dots, hyphens."""
    name = read(NAME).strip()
    for letter in name:
        if letter not in "-." and not (
            ord(letter) < 128 and (letter.isalpha() or letter.isdigit())
        ):
            return "unit"
    return name if 0 < len(name) <= 16 else "unit"


def settings_text(settings) -> str:
    """Return the content of the settings file: the program, its ms, the volume."""
    return "%s %d %d\n" % (settings.program.name, settings.clock_ms, settings.volume)


def load_settings(settings) -> None:
    """Load the saved settings; ignore a missing or damaged file."""
    try:
        name, clock_ms, volume = read(SETTINGS).split()
        clock_ms, volume = int(clock_ms), int(volume)
    except ValueError:
        return
    for program in settings.programs:
        longest = LONGEST_CLOCK_MS if program.marks else 0
        if program.name == name and 0 <= clock_ms <= longest and 0 <= volume <= 3:
            settings.choose(program, clock_ms)
            settings.volume = volume


def save_settings(settings) -> None:
    """Save the settings.

    littlefs replaces a file atomically when it is closed, so a power failure leaves either the old
    or the new one. It erases a block only when its log is full, once in 15 times.
    """
    try:
        with open(SETTINGS, "w") as file:
            file.write(settings_text(settings))
    except OSError:
        pass  # a full or broken memory must not stop the game


def keep_crash(error) -> None:
    """Append an exception to the crash log, or overwrite a log that is full."""
    kept = read(CRASHES)
    try:
        with open(CRASHES, "a" if len(kept) < _LONGEST_LOG else "w") as file:
            sys.print_exception(error, file)  # type: ignore  # the stubs lack it
    except OSError:
        pass  # nothing else can be done
