"""Select the language: `--lang`, else the choice made in a window, else the system's.

A choice made in a window, by a key or a button, is saved for that window only, so that a key
pressed by accident does not affect other programs.
"""

import locale
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from city_unit.desktop import catalogue, files
from city_unit.desktop.files import make_folder, write_whole

_is_forced = False  # by `--lang`


def choose(wanted: str = "", environ: Mapping[str, str] = os.environ) -> None:
    """Use the language of `--lang`, else the system's."""
    global _is_forced
    _is_forced = bool(wanted)
    catalogue.speak(catalogue.known(wanted) or system_language(environ))


def choose_for(window: str) -> None:
    """Use the language saved for this window, unless `--lang` is given."""
    if not _is_forced and catalogue.known(saved(window)):
        catalogue.speak(saved(window))


def change_in(window: str, environ: Mapping[str, str] = os.environ) -> None:
    """Switch to the next language and save it for this window. Raises UserError.

    The system's language is the first, the others follow in the order of the catalogue.
    """
    first = catalogue.known(system_language(environ)) or catalogue.ENGLISH
    order = sorted(catalogue.languages(), key=lambda language: language != first)
    here = order.index(catalogue.speaking()) if catalogue.speaking() in order else -1
    following = order[(here + 1) % len(order)]
    catalogue.speak(following)
    make_folder(_choice(window).parent)
    write_whole(_choice(window), "\n" if following == first else f"{following}\n")


def saved(window: str) -> str:
    """Return the language saved for this window, "" for the system's."""
    try:
        return _choice(window).read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return ""


def _choice(window: str) -> Path:
    return files.settings_folder() / f"language-{window}"


def system_language(environ: Mapping[str, str], platform: str = sys.platform) -> str:
    """Return the system's language, such as "fr_FR.UTF-8" or "C"; "" if unknown."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):  # the first that is set decides
        if environ.get(name):
            return environ[name]
    if platform == "win32":
        import ctypes

        number = ctypes.windll.kernel32.GetUserDefaultUILanguage()  # type: ignore[attr-defined]
        return locale.windows_locale.get(number, "")
    if platform == "darwin":
        try:  # macOS sets the environment only in a terminal
            query = ["defaults", "read", "-g", "AppleLocale"]
            return subprocess.run(query, capture_output=True, text=True, timeout=2).stdout.strip()
        except (OSError, subprocess.SubprocessError):
            return ""
    return ""
