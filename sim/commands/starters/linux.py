"""A starter in the menu of a Linux desktop, and one on the desktop itself."""

# No texts: files for a desktop.
import contextlib
import subprocess
from collections.abc import Mapping
from pathlib import Path

from city_unit.desktop import catalogue
from sim.commands.starters import File, Starter

_QUOTED = '"`$\\'  # the signs that a backslash stands before, within quotation marks


def files(starter: Starter, environ: Mapping[str, str], home: Path) -> list[File]:
    """Return the files of a starter."""
    data = Path(environ.get("XDG_DATA_HOME") or home / ".local/share")
    icon = data / "icons/hicolor/256x256/apps" / f"{starter.name}.png"
    entry = _entry(starter, icon).encode()
    found = [
        File(icon, starter.icon),
        File(data / "applications" / f"{starter.name}.desktop", entry, True),
    ]
    desktop = desktop_folder(environ, home)
    if desktop is not None:
        found.append(File(desktop / f"{starter.name}.desktop", entry, True))
    return found


def desktop_folder(environ: Mapping[str, str], home: Path) -> Path | None:
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
    lines = [
        "[Desktop Entry]",
        "Type=Application",
        f"Name={starter.title}",
        *_comments(starter),
        f"Exec={' '.join(map(quoted, starter.command))} %f",
        f"Icon={_escaped(str(icon))}",
        "Terminal=false",
        "Categories=Game;BoardGame;",
        f"StartupWMClass={starter.title}",
    ]
    return "\n".join(lines) + "\n"


def _comments(starter: Starter) -> list[str]:
    spoken = catalogue.speaking()
    comments = []
    for language in catalogue.languages():
        catalogue.speak(language)
        place = "" if language == catalogue.ENGLISH else f"[{language}]"
        comments.append(f"Comment{place}={_escaped(str(starter.about))}")
    catalogue.speak(spoken)
    return comments


def quoted(word: str) -> str:
    """Return a word of the line that starts a program, as the standard for desktop entries has it.

    First it is quoted, then escaped as every text of the file is.
    """
    inner = "".join(f"\\{sign}" if sign in _QUOTED else sign for sign in word)
    return _escaped(f'"{inner}"').replace("%", "%%")


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")


def refresh(environ: Mapping[str, str], home: Path) -> None:
    """Have the desktop look at its icons anew where it keeps a list; it reads its menu."""
    icons = Path(environ.get("XDG_DATA_HOME") or home / ".local/share") / "icons/hicolor"
    if not (icons / "icon-theme.cache").exists():
        return  # making one would leave a trace
    with contextlib.suppress(OSError):
        command = ["gtk-update-icon-cache", "-q", "-t", str(icons)]
        subprocess.run(command, capture_output=True, env=dict(environ), check=False)
