"""The board's own files: the settings, and why the unit stopped."""

import sys

from city_unit.facts import LONGEST_CLOCK_MS
from city_unit.ticks import const

SETTINGS = "settings.txt"
CRASHES = "crash.txt"
NAME = "name.txt"

_LONGEST_LOG = const(2000)  # bytes, after which the log of crashes begins anew


def read(name: str) -> str:
    """Return the content of a file, "" if it cannot be read."""
    try:
        with open(name) as file:
            return file.read()
    except (OSError, ValueError):  # not there, or no text
        return ""


def unit_name() -> str:
    """Return the name that a person gave this unit: up to 16 letters, digits, dots and hyphens."""
    name = read(NAME).strip()
    for letter in name:
        if letter not in "-." and not (
            ord(letter) < 128 and (letter.isalpha() or letter.isdigit())
        ):
            return "unit"
    return name if 0 < len(name) <= 16 else "unit"


def settings_text(settings) -> str:
    """Return the settings as they lie in their file: the program, its ms, the volume."""
    return "%s %d %d\n" % (settings.program.name, settings.clock_ms, settings.volume)


def load_settings(settings) -> None:
    """Load the settings that were kept, unless their file is damaged."""
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
    """Write the settings over the old ones.

    A file is changed when it is closed, and then at once: it is the old one or the new one,
    whatever happens. Nothing has to be erased for it as long as the log that littlefs keeps has
    room, as it has 14 times out of 15.
    """
    try:
        with open(SETTINGS, "w") as file:
            file.write(settings_text(settings))
    except OSError:
        pass  # a full or broken memory must not stop the game


def keep_crash(error) -> None:
    """Add what went wrong to a small log; one that is full is begun anew."""
    kept = read(CRASHES)
    try:
        with open(CRASHES, "a" if len(kept) < _LONGEST_LOG else "w") as file:
            sys.print_exception(error, file)  # type: ignore  # the stubs lack it
    except OSError:
        pass  # nothing more can be done
