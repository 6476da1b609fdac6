"""What the board keeps in files of its own: the settings, and why the unit stopped."""

import os
import sys

from city_unit.ticks import const

SETTINGS = "settings.txt"
CRASHES = "crash.txt"

_LONGEST_CLOCK_MS = const(86400000)
_LONGEST_LOG = const(2000)  # bytes, after which the log of crashes begins anew


def read(name: str) -> str:
    """Return the content of a file, "" if it cannot be read."""
    try:
        with open(name) as file:
            return file.read()
    except (OSError, ValueError):  # not there, or no text
        return ""


def settings_text(settings) -> str:
    """Return the settings as they lie in their file: the program, its ms, the volume."""
    return "%s %d %d\n" % (settings.program.name, settings.clock_ms, settings.volume)


def load_settings(settings) -> None:
    """Take over the settings that were kept, unless their file is damaged."""
    try:
        name, clock_ms, volume = read(SETTINGS).split()
        clock_ms, volume = int(clock_ms), int(volume)
    except ValueError:
        return
    for program in settings.programs:
        longest = _LONGEST_CLOCK_MS if program.marks else 0
        if program.name == name and 0 <= clock_ms <= longest and 0 <= volume <= 3:
            settings.choose(program, clock_ms)
            settings.volume = volume


def save_settings(settings) -> None:
    """Write the settings so that their file is the old one or the new one, whatever happens."""
    new = SETTINGS + ".new"
    try:
        with open(new, "w") as file:
            file.write(settings_text(settings))
        os.rename(new, SETTINGS)
    except OSError:
        pass  # a full or broken memory must not stop the game


def keep_crash(error) -> None:
    """Add what went wrong to a small log; the oldest is lost when it is full."""
    kept = read(CRASHES)
    try:
        with open(CRASHES, "a" if len(kept) < _LONGEST_LOG else "w") as file:
            sys.print_exception(error, file)  # type: ignore  # the stubs lack it
    except OSError:
        pass  # nothing more can be done
