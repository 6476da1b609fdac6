"""`city-unit report`: write a file to attach to a problem report, after showing it.

It describes the system, and has the interrupted game, with which the problem can be reproduced.
The user's home folder is replaced by ~ in it.
"""

import argparse
import contextlib
import os
import platform
import sys
from importlib import metadata
from pathlib import Path

import platformdirs

from city_unit.desktop import catalogue
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.errors import SUCCESS, UserError
from city_unit.desktop.files import ask_before_overwriting, reason, write_whole
from city_unit.facts import VERSION
from sim.play import autosave, preferences

NAME = "city-unit-report.txt"
MOST = 200_000  # bytes from the end of a file, where the problem is
COLUMNS = 80  # of the window that shows the report
ATTACH = lazy("{file}: attach this file to your report")
PACKAGES = ("pygame-ce", "pyserial", "websockets", "segno", "mpremote")


def compose() -> str:
    """Return the report: versions, the system, the settings, and the end of the saved game."""
    packages = dict.fromkeys(PACKAGES, "-")
    for name in PACKAGES:
        with contextlib.suppress(metadata.PackageNotFoundError):
            packages[name] = metadata.version(name)
    rows = [
        f"City Unit {VERSION}",  # no text: a name
        f"Python {platform.python_version()}",  # no text: a name
        f"{platform.system()} {platform.release()} {platform.machine()}",
        f"language {catalogue.speaking()}",
        *(f"{name} {version}" for name, version in packages.items()),
        *(f"{name}={os.environ[name]}" for name in ("SDL_VIDEODRIVER",) if name in os.environ),
    ]
    for file in (preferences.settings_path(), autosave.game_path()):
        try:
            with file.open("rb") as content:  # which may be an endless device
                content.seek(max(0, file.stat().st_size - MOST))
                end = content.read(MOST).decode(errors="replace").rstrip("\n")
        except OSError as error:
            end = f"({reason(error)})"
        rows += ["", f"--- {file.name}", end]
    text = "\n".join(rows) + "\n"
    return text.replace(str(Path.home()), "~")


def rows(text: str) -> tuple[str, ...]:
    """Return the report in rows of at most COLUMNS visible characters, as a window shows it."""
    shown = "".join(sign if sign.isprintable() or sign == "\n" else "\ufffd" for sign in text)
    return tuple(
        line[start : start + COLUMNS]
        for line in shown.splitlines()
        for start in range(0, max(len(line), 1), COLUMNS)
    )


def save(text: str) -> Path:
    """Write a report to a new file on the desktop, else in the home folder; raises UserError."""
    desktop = Path(platformdirs.user_desktop_dir())
    folder = desktop if desktop.is_dir() else Path.home()
    path, number = folder / NAME, 2
    while path.exists():
        path, number = folder / f"{Path(NAME).stem}-{number}.txt", number + 1
    write_whole(path, text.encode())
    return path


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file",
        nargs="?",
        default=NAME,
        metavar=_("FILE"),
        help=_("where to write it (default: {file})").format(file=NAME),
    )
    parser.add_argument(
        "--yes", action="store_true", help=_("write or overwrite it without asking")
    )


def run(options: argparse.Namespace) -> int:
    text = compose()
    print(text)
    if not options.yes:
        if not sys.stdin.isatty():
            raise UserError(_("cannot ask without a terminal: --yes writes it without asking"))
        words = _("Write this to {file}? It stays on this computer until you send it. [y/N] ")
        answer = input(words.format(file=options.file)).strip().lower()
        if answer not in ("y", "yes", "o", "oui", "j", "ja"):
            print(_("Nothing was written."))
            return SUCCESS
    ask_before_overwriting(options.yes, options.file)
    write_whole(options.file, text.encode())
    print(ATTACH.format(file=options.file))
    return SUCCESS
