"""Which language is spoken: the one that `--lang` asks for, or else the system's.

A window has a choice of its own, by a key or a button. It is remembered for that window
alone: a key pressed by accident changes no other program of the account.
"""

import locale
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from city_unit.desktop import catalogue, files
from city_unit.desktop.files import make_folder, write_whole

_is_asked_for = False  # by `--lang`


def choose(asked: str = "", environ: Mapping[str, str] = os.environ) -> None:
    """Speak the language that was asked for, or else the system's."""
    global _is_asked_for
    _is_asked_for = bool(asked)
    catalogue.speak(catalogue.known(asked) or system_language(environ))


def choose_for(window: str) -> None:
    """Speak the language chosen in a window of this name, unless `--lang` asked for another."""
    if not _is_asked_for and catalogue.known(saved(window)):
        catalogue.speak(saved(window))


def change_in(window: str, environ: Mapping[str, str] = os.environ) -> None:
    """Speak the next language, and remember it for windows of this name; raises UserError.

    The system's comes first, and the others follow as the catalogue has them.
    """
    first = catalogue.known(system_language(environ)) or catalogue.ENGLISH
    order = sorted(catalogue.languages(), key=lambda language: language != first)
    here = order.index(catalogue.speaking()) if catalogue.speaking() in order else -1
    following = order[(here + 1) % len(order)]
    catalogue.speak(following)
    make_folder(_choice(window).parent)
    write_whole(_choice(window), "\n" if following == first else f"{following}\n")


def saved(window: str) -> str:
    """Return the language that was chosen in a window of this name, "" for the system's."""
    try:
        return _choice(window).read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return ""


def _choice(window: str) -> Path:
    return files.settings_folder() / f"language-{window}"


def system_language(environ: Mapping[str, str], platform: str = sys.platform) -> str:
    """Return the system's language, as "fr_FR.UTF-8" or "C"; "" if it does not say."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):  # the first that is set decides
        if environ.get(name):
            return environ[name]
    if platform == "win32":
        import ctypes

        number = ctypes.windll.kernel32.GetUserDefaultUILanguage()  # type: ignore[attr-defined]
        return locale.windows_locale.get(number, "")
    if platform == "darwin":
        try:  # macOS has it in the environment of a terminal only
            asked = ["defaults", "read", "-g", "AppleLocale"]
            return subprocess.run(asked, capture_output=True, text=True, timeout=2).stdout.strip()
        except (OSError, subprocess.SubprocessError):
            return ""
    return ""
