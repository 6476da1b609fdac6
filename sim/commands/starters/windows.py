"""A starter on the desktop of Windows: a shortcut, or a file of commands where that fails."""

# No texts: a script for PowerShell.
import struct
import subprocess
from pathlib import Path

from sim.commands.starters import File, Starter


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
            f"$link = $shell.CreateShortcut({_text(shortcut(starter, desktop))})",
            f"$link.TargetPath = {_text(program)}",
            f"$link.Arguments = {_text(arguments)}",
            f"$link.IconLocation = {_text(icon)}",
            f"$link.Description = {_text(starter.about)}",
            "$link.Save()",
        ]
    )


def _text(text: object) -> str:
    return "'" + str(text).replace("'", "''") + "'"


def ico(png: bytes) -> bytes:
    """Return a file of icons that has one, of 256 px (which such a file writes as 0)."""
    head = struct.pack("<HHH", 0, 1, 1)
    entry = struct.pack("<BBBBHHII", 0, 0, 0, 0, 1, 32, len(png), len(head) + 16)
    return head + entry + png
