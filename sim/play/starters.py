"""`city-unit desktop`: create starters for a double click, in the menu and on the desktop."""

import argparse
import contextlib
import os
import plistlib
import shlex
import struct
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import platformdirs

from city_unit.desktop import catalogue
from city_unit.desktop.catalogue import Lazy, _, lazy
from city_unit.desktop.errors import SUCCESS
from city_unit.desktop.files import cannot_write, make_folder, settings_folder, write_whole
from city_unit.facts import VERSION

ROOT = Path(__file__).parent.parent.parent
SIDE = 256  # px of the icon
UNIT = lazy("The electronic unit of Monopoly City: auctions, building permits, and the hour")
GAME = lazy("Monopoly City at one screen, with the unit on the table")
MADE = lazy("{path}: a double click starts {title}")


class Starter(NamedTuple):
    """A program to start by a double click.

    name     base name of its files: a-z and hyphens
    title    its name for people
    command  the program and its arguments
    icon     a PNG of 256 px
    """

    name: str
    title: str
    about: Lazy
    command: tuple[str, ...]
    icon: bytes


class File(NamedTuple):
    path: Path
    content: bytes
    is_executable: bool = False


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--remove", action="store_true", help=_("remove the starters"))
    parser.epilog = _(
        "Linux: an entry in the menu and one on the desktop. macOS: two applications in your own"
        " Applications folder. Windows: two shortcuts on the desktop. They start this copy of City"
        " Unit at its current place: run the command again after moving it."
    )


def run(options: argparse.Namespace) -> int:
    home = Path.home()
    desktop = (
        linux_desktop(os.environ, home) if options.remove and sys.platform == "linux" else None
    )
    was_there = False
    kept = (home, home / "Applications", desktop)
    for starter in programs():
        files = _files(starter, home)
        if not options.remove:
            print(MADE.format(path=_make(starter, files), title=starter.title))
            continue
        # Remove the files, and the folders that become empty.
        for file in files:
            if not file.path.exists():
                continue
            try:
                file.path.unlink()
                for folder in file.path.parents:
                    if folder in kept or any(folder.iterdir()):
                        break
                    folder.rmdir()
            except OSError as error:
                raise cannot_write(file.path, error) from None
            was_there = True
            print(_("{path}: removed").format(path=file.path))
    if options.remove and not was_there:
        print(_("There were no starters to remove."))
    icons = _linux_data(os.environ, home) / "icons/hicolor"
    # Refresh the icon cache of the desktop, but do not create one: `--remove` would not delete it.
    if sys.platform not in ("win32", "darwin") and (icons / "icon-theme.cache").exists():
        with contextlib.suppress(OSError):
            command = ["gtk-update-icon-cache", "-q", "-t", str(icons)]
            subprocess.run(command, capture_output=True, check=False)
    return SUCCESS


def programs() -> list[Starter]:
    """Return the programs that get a starter.

    In a checkout, `start.py` runs them with the Python that created its environment, since it
    repairs a broken environment.
    """
    from sim.face.disc import icon_png  # here, since it imports pygame

    icon = icon_png(SIDE)
    if (ROOT / "start.py").is_file():
        python = Path(getattr(sys, "_base_executable", sys.executable) or sys.executable)
        quiet = python.with_name("pythonw.exe")  # opens no console
        python = quiet if sys.platform == "win32" and quiet.is_file() else python
        start: tuple[str, ...] = (str(python), str(ROOT / "start.py"))
        unit, game = ("play",), ("game",)
    else:
        start = (sys.executable,)
        unit, game = ("-m", "sim.cli", "play"), ("-m", "city_game.cli")
    return [
        Starter("city-unit", "City Unit", UNIT, (*start, *unit), icon),
        Starter("city-game", "City Game", GAME, (*start, *game), icon),
    ]


def _files(starter: Starter, home: Path) -> list[File]:
    """Return all files that a starter may have on this system."""
    if sys.platform == "darwin":
        return macos_files(starter, home)
    if sys.platform == "win32":
        desktop = Path(platformdirs.user_desktop_dir())
        icon = File(settings_folder() / f"{starter.name}.ico", ico(starter.icon))
        link = File(desktop / f"{starter.title}.lnk", b"")  # Windows writes its content
        return [icon, link, command_file(starter, desktop)]
    return linux_files(starter, os.environ, home)


def _make(starter: Starter, files: list[File]) -> Path:
    """Write the files of a starter; return the path to double-click."""
    if sys.platform == "win32":
        icon, link, commands = files
        _write(icon)
        if make_shortcut(starter, link.path, icon.path):
            return link.path
        files = [commands]
    for file in files:
        _write(file)
    return files[0].path.parent.parent if sys.platform == "darwin" else files[-1].path


def _write(file: File) -> None:
    make_folder(file.path.parent)
    write_whole(file.path, file.content)
    if file.is_executable:
        try:
            file.path.chmod(0o755)
        except OSError as error:
            raise cannot_write(file.path, error) from None


# Linux: an entry in the menu, and one on the desktop.


def _linux_data(environ: Mapping[str, str], home: Path) -> Path:
    return Path(environ.get("XDG_DATA_HOME") or home / ".local/share")


def linux_files(starter: Starter, environ: Mapping[str, str], home: Path) -> list[File]:
    data, desktop = _linux_data(environ, home), linux_desktop(environ, home)
    icon = data / "icons/hicolor/256x256/apps" / f"{starter.name}.png"
    comments = []
    for language in catalogue.languages():
        place = "" if language == catalogue.ENGLISH else f"[{language}]"
        with catalogue.spoken(language):
            comments.append(f"Comment{place}={_escaped(str(starter.about))}")
    lines = [
        "[Desktop Entry]",  # no text: a file of the desktop
        "Type=Application",
        f"Name={starter.title}",
        *comments,
        f"Exec={' '.join(map(_quoted, starter.command))} %f",
        f"Icon={_escaped(str(icon))}",
        "Terminal=false",
        "Categories=Game;BoardGame;",
        f"StartupWMClass={starter.title}",
    ]
    entry = "\n".join([*lines, ""]).encode()
    folders = [data / "applications", *([desktop] if desktop else [])]
    entries = (File(folder / f"{starter.name}.desktop", entry, True) for folder in folders)
    return [File(icon, starter.icon), *entries]


def linux_desktop(environ: Mapping[str, str], home: Path) -> Path | None:
    """Return the desktop's folder, None if there is none."""
    try:
        query = ["xdg-user-dir", "DESKTOP"]
        done = subprocess.run(query, capture_output=True, text=True, env=dict(environ))
        folder = Path(done.stdout.strip() or home / "Desktop")
    except OSError:
        folder = home / "Desktop"
    return folder if folder.is_dir() and folder != home else None


def _quoted(word: str) -> str:
    """Return an argument for the Exec line of a desktop entry.

    The standard requires quoting first, and then the escapes of every string in the file.
    """
    inner = "".join(f"\\{sign}" if sign in '"`$\\' else sign for sign in word)
    return _escaped(f'"{inner}"').replace("%", "%%")


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")


# macOS: an application in the user's own Applications folder.


def macos_files(starter: Starter, home: Path) -> list[File]:
    inside = home / "Applications" / f"{starter.title}.app" / "Contents"
    about = {
        "CFBundleName": starter.title,
        "CFBundleDisplayName": starter.title,
        "CFBundleIdentifier": f"org.city-unit.{starter.name}",
        "CFBundleVersion": VERSION,
        "CFBundleShortVersionString": VERSION,
        "CFBundlePackageType": "APPL",
        "CFBundleExecutable": starter.name,
        "CFBundleIconFile": "icon.icns",
        "NSHighResolutionCapable": True,
    }
    script = f"#!/bin/sh\nexec {shlex.join(starter.command)}\n"  # no text: a program
    return [
        File(inside / "Info.plist", plistlib.dumps(about)),
        File(inside / "Resources" / "icon.icns", icns(starter.icon)),
        File(inside / "MacOS" / starter.name, script.encode(), True),
    ]


def icns(png: bytes) -> bytes:
    """Return a macOS icon file with one icon of 256 px."""
    entry = b"ic08" + struct.pack(">I", len(png) + 8) + png
    return b"icns" + struct.pack(">I", len(entry) + 8) + entry


# Windows: a shortcut on the desktop, or a batch file if that fails.


def command_file(starter: Starter, desktop: Path) -> File:
    """Return a batch file that starts the program without its own console."""
    words = " ".join(f'"{word.replace("%", "%%")}"' for word in starter.command)
    content = f'@chcp 65001 >nul\r\n@start "" {words} %*\r\n'
    return File(desktop / f"{starter.title}.cmd", content.encode())


def make_shortcut(starter: Starter, link: Path, icon: Path) -> bool:
    """Create a shortcut by PowerShell; return whether that succeeded."""
    command = ["powershell", "-NoProfile", "-Command", script(starter, link, icon)]
    try:
        return subprocess.run(command, capture_output=True).returncode == 0
    except OSError:
        return False


def script(starter: Starter, link: Path, icon: Path) -> str:
    """Return the PowerShell script that creates the shortcut."""
    program, *words = starter.command
    values = {
        "TargetPath": program,
        "Arguments": " ".join(f'"{word}"' for word in words),
        "IconLocation": icon,
        "Description": starter.about,
    }
    return "\n".join(
        [
            "$ErrorActionPreference = 'Stop'",
            "$shell = New-Object -ComObject WScript.Shell",  # no text: a program
            f"$link = $shell.CreateShortcut({_in_powershell(link)})",
            *(f"$link.{name} = {_in_powershell(value)}" for name, value in values.items()),
            "$link.Save()",
        ]
    )


def _in_powershell(text: object) -> str:
    return "'" + str(text).replace("'", "''") + "'"


def ico(png: bytes) -> bytes:
    """Return a Windows icon file with one icon of 256 px (which the format writes as 0)."""
    head = struct.pack("<HHH", 0, 1, 1)
    entry = struct.pack("<BBBBHHII", 0, 0, 0, 0, 1, 32, len(png), len(head) + 16)
    return head + entry + png
