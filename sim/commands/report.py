"""`city-unit report`: everything to attach to a report of a problem, in one file, shown first.

Its user knows nothing about programs: the file says what their system is and holds the game that
was interrupted, by which the problem can be repeated. It holds no name and no path of theirs.
"""

import argparse
import os
import platform
import sys
from importlib import metadata
from pathlib import Path

from city_unit.desktop import catalogue
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import SUCCESS, UserError
from city_unit.desktop.files import reason, write_whole
from city_unit.facts import VERSION
from sim.play import kept, preferences

NAME = "city-unit-report.txt"
MOST = 200_000  # bytes of a file: of its end, where the problem is
PACKAGES = ("pygame-ce", "pyserial", "websockets", "segno", "mpremote")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file",
        nargs="?",
        default=NAME,
        metavar=_("FILE"),
        help=_("where to write it (default: {file})").format(file=NAME),
    )
    parser.add_argument("--yes", action="store_true", help=_("write it without a question"))


def run(options: argparse.Namespace) -> int:
    text = report(preferences.where(), kept.where())
    print(text)
    if not options.yes and not _agreed(options.file):
        print(_("Nothing was written."))
        return SUCCESS
    write_whole(options.file, text.encode())
    print(_("{file}: attach this file to your report").format(file=options.file))
    return SUCCESS


def report(*files: Path) -> str:
    """Return the report: versions, the system, and the ends of `files`, which may be missing."""
    rows = [
        f"City Unit {VERSION}",  # no text: a name
        f"Python {platform.python_version()}",  # no text: a name
        f"{platform.system()} {platform.release()} {platform.machine()}",
        f"language {catalogue.speaking()}",
        *(f"{name} {_version(name)}" for name in PACKAGES),
        *(f"{name}={os.environ[name]}" for name in ("SDL_VIDEODRIVER",) if name in os.environ),
    ]
    for file in files:
        rows += ["", f"--- {file.name}", _end_of(file)]
    text = "\n".join(rows) + "\n"
    return text.replace(str(Path.home()), "~")


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "-"


def _end_of(path: Path) -> str:
    try:
        content = path.read_bytes()
    except OSError as error:
        return f"({reason(error)})"
    return content[-MOST:].decode(errors="replace").rstrip("\n")


def _agreed(file: str) -> bool:
    """Ask whether the report is to be written; raises UserError where nobody can be asked."""
    if not sys.stdin.isatty():
        raise UserError(_("there is no terminal to ask in: --yes writes it unasked"))
    question = _("Write this to {file}? It stays on this computer until you send it. [y/N] ")
    return input(question.format(file=file)).strip().lower() in ("y", "yes", "o", "oui", "j", "ja")
