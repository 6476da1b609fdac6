"""Which language is spoken: what is asked for, or else was chosen, or else is the system's."""

import locale
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from city_unit.desktop import catalogue, folders
from city_unit.desktop.files import make_folder, write_whole


def choose(asked: str = "", environ: Mapping[str, str] = os.environ) -> None:
    """Speak the language that was asked for, or else was chosen for good, or else the system's."""
    catalogue.speak(asked or catalogue.known(saved()) or system_language(environ))


def saved() -> str:
    """Return the language that was chosen for good, "" if none was."""
    try:
        return _choice().read_text(encoding="utf-8").strip()
    except (ImportError, OSError, ValueError):  # as long as platformdirs is not installed
        return ""


def save(language: str) -> None:
    """Choose a language for good, "" for the system's; raises UserError."""
    make_folder(_choice().parent)
    write_whole(_choice(), f"{language}\n")


def _choice() -> Path:
    return folders.settings() / "language"


def system_language(environ: Mapping[str, str], platform: str = sys.platform) -> str:
    """Return the system's language, as "fr_FR.UTF-8" or "C"; "" if it does not say."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):  # the first that is set decides
        if environ.get(name):
            return environ[name]
    if platform == "win32":
        return _of_windows()
    if platform == "darwin":
        return _of_macos()
    return ""


def _of_windows() -> str:
    """Return the language of Windows' own windows."""
    import ctypes

    number = ctypes.windll.kernel32.GetUserDefaultUILanguage()  # type: ignore[attr-defined]
    return locale.windows_locale.get(number, "")


def _of_macos() -> str:
    """Return the language of macOS, which tells it in its environment in a terminal only."""
    try:
        asked = ["defaults", "read", "-g", "AppleLocale"]
        return subprocess.run(asked, capture_output=True, text=True, timeout=2).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""
