"""The starters for a double click, on each desktop: their files with their contents."""

# No texts: files for a desktop, and a script for PowerShell.
import contextlib
import plistlib
import shlex
import struct
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from city_unit.desktop import catalogue
from city_unit.desktop.catalogue import Lazy
from city_unit.facts import VERSION


class Starter(NamedTuple):
    """A program that is to be started by a double click.

    name     a-z and hyphens: of its files
    title    its name for people
    about    a description
    command  the words that start it
    icon     a PNG of 256 px
    """

    name: str
    title: str
    about: Lazy
    command: tuple[str, ...]
    icon: bytes


class File(NamedTuple):
    """A file that belongs to a starter."""

    path: Path
    content: bytes
    is_executable: bool = False


# Linux: an entry in the menu, and one on the desktop itself.

_QUOTED = '"`$\\'  # the signs that a backslash stands before, within quotation marks


def linux_files(starter: Starter, environ: Mapping[str, str], home: Path) -> list[File]:
    """Return the files of a starter."""
    data = Path(environ.get("XDG_DATA_HOME") or home / ".local/share")
    icon = data / "icons/hicolor/256x256/apps" / f"{starter.name}.png"
    entry = _entry(starter, icon).encode()
    found = [
        File(icon, starter.icon),
        File(data / "applications" / f"{starter.name}.desktop", entry, True),
    ]
    desktop = linux_desktop(environ, home)
    if desktop is not None:
        found.append(File(desktop / f"{starter.name}.desktop", entry, True))
    return found


def linux_desktop(environ: Mapping[str, str], home: Path) -> Path | None:
    """Return the folder that the desktop shows, None if it shows none."""
    try:
        asked = ["xdg-user-dir", "DESKTOP"]
        done = subprocess.run(asked, capture_output=True, text=True, env=dict(environ))
        folder = Path(done.stdout.strip() or home / "Desktop")
    except OSError:
        folder = home / "Desktop"
    return folder if folder.is_dir() and folder != home else None


def _entry(starter: Starter, icon: Path) -> str:
    """Return the desktop entry, its comment in each language that there is."""
    comments = []
    for language in catalogue.languages():
        place = "" if language == catalogue.ENGLISH else f"[{language}]"
        with catalogue.spoken(language):
            comments.append(f"Comment{place}={_escaped(str(starter.about))}")
    lines = [
        "[Desktop Entry]",
        "Type=Application",
        f"Name={starter.title}",
        *comments,
        f"Exec={' '.join(map(quoted, starter.command))} %f",
        f"Icon={_escaped(str(icon))}",
        "Terminal=false",
        "Categories=Game;BoardGame;",
        f"StartupWMClass={starter.title}",
    ]
    return "\n".join(lines) + "\n"


def quoted(word: str) -> str:
    """Return a word of the line that starts a program, as the standard for desktop entries has it.

    First it is quoted, then escaped as every text of the file is.
    """
    inner = "".join(f"\\{sign}" if sign in _QUOTED else sign for sign in word)
    return _escaped(f'"{inner}"').replace("%", "%%")


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")


def refresh_linux(environ: Mapping[str, str], home: Path) -> None:
    """Have the desktop look at its icons anew where it keeps a list; it reads its menu."""
    icons = Path(environ.get("XDG_DATA_HOME") or home / ".local/share") / "icons/hicolor"
    if not (icons / "icon-theme.cache").exists():
        return  # making one would leave a trace
    with contextlib.suppress(OSError):
        command = ["gtk-update-icon-cache", "-q", "-t", str(icons)]
        subprocess.run(command, capture_output=True, env=dict(environ), check=False)


# macOS: an application in the person's own Applications.


def macos_files(starter: Starter, home: Path) -> list[File]:
    """Return the files of a starter."""
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
    command = shlex.join(starter.command)
    return [
        File(inside / "Info.plist", plistlib.dumps(about)),
        File(inside / "Resources" / "icon.icns", icns(starter.icon)),
        File(inside / "MacOS" / starter.name, f"#!/bin/sh\nexec {command}\n".encode(), True),
    ]


def icns(png: bytes) -> bytes:
    """Return a file of icons that has one, of 256 px."""
    entry = b"ic08" + struct.pack(">I", len(png) + 8) + png
    return b"icns" + struct.pack(">I", len(entry) + 8) + entry


# Windows: a shortcut on the desktop, or a file of commands where that fails.


def icon_file(starter: Starter, folder: Path) -> File:
    """Return the icon, which lies beside the settings."""
    return File(folder / f"{starter.name}.ico", ico(starter.icon))


def shortcut(starter: Starter, desktop: Path) -> Path:
    return desktop / f"{starter.title}.lnk"


def command_file(starter: Starter, desktop: Path) -> File:
    """Return a file of commands that starts the program without a console of its own."""
    words = " ".join(f'"{word.replace("%", "%%")}"' for word in starter.command)
    content = f'@chcp 65001 >nul\r\n@start "" {words} %*\r\n'
    return File(desktop / f"{starter.title}.cmd", content.encode())


def make_shortcut(starter: Starter, desktop: Path, icon: Path) -> bool:
    """Have Windows make the shortcut; return whether it did."""
    command = ["powershell", "-NoProfile", "-Command", script(starter, desktop, icon)]
    try:
        return subprocess.run(command, capture_output=True).returncode == 0
    except OSError:
        return False


def script(starter: Starter, desktop: Path, icon: Path) -> str:
    """Return the lines of PowerShell that make the shortcut."""
    program, *words = starter.command
    arguments = " ".join(f'"{word}"' for word in words)
    return "\n".join(
        [
            "$ErrorActionPreference = 'Stop'",
            "$shell = New-Object -ComObject WScript.Shell",
            f"$link = $shell.CreateShortcut({_in_powershell(shortcut(starter, desktop))})",
            f"$link.TargetPath = {_in_powershell(program)}",
            f"$link.Arguments = {_in_powershell(arguments)}",
            f"$link.IconLocation = {_in_powershell(icon)}",
            f"$link.Description = {_in_powershell(starter.about)}",
            "$link.Save()",
        ]
    )


def _in_powershell(text: object) -> str:
    return "'" + str(text).replace("'", "''") + "'"


def ico(png: bytes) -> bytes:
    """Return a file of icons that has one, of 256 px (which such a file writes as 0)."""
    head = struct.pack("<HHH", 0, 1, 1)
    entry = struct.pack("<BBBBHHII", 0, 0, 0, 0, 1, 32, len(png), len(head) + 16)
    return head + entry + png
