"""`city-unit desktop`: starters for a double click, in the menu and on the desktop."""

import argparse
import os
import sys
from pathlib import Path

import platformdirs

from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.errors import SUCCESS
from city_unit.desktop.files import cannot_write, make_folder, settings_folder, write_whole
from sim.commands import starters
from sim.commands.starters import File, Starter

ROOT = Path(__file__).parent.parent.parent
SIDE = 256  # px of the icon
UNIT = lazy("The electronic unit of Monopoly City: auctions, building permits, and the hour")
GAME = lazy("Monopoly City at one screen, with the unit on the table")
MADE = lazy("{path}: a double click starts {title}")
REMOVED = lazy("{path}: removed")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--remove", action="store_true", help=_("take the starters away again"))
    parser.epilog = _(
        "Linux: an entry in the menu, and one on the desktop. macOS: two applications in your own"
        " Applications. Windows: two shortcuts on the desktop. They start this copy of City Unit"
        " where it lies now: after moving it, make them again."
    )


def run(options: argparse.Namespace) -> int:
    for starter in programs():
        act = _remove if options.remove else _make
        act(starter, sys.platform, Path.home())
    if sys.platform not in ("win32", "darwin"):
        starters.refresh_linux(os.environ, Path.home())
    return SUCCESS


def programs() -> list[Starter]:
    """Return the programs for a double click."""
    from sim.face.disc import icon_png  # pygame is not wanted for the help

    icon = icon_png(SIDE)
    unit = ("play",) if _is_checkout() else ("-m", "sim.cli", "play")
    game = ("game",) if _is_checkout() else ("-m", "city_game.cli")
    return [
        Starter("city-unit", "City Unit", UNIT, (*_start(), *unit), icon),
        Starter("city-game", "City Game", GAME, (*_start(), *game), icon),
    ]


def _is_checkout() -> bool:
    return (ROOT / "start.py").is_file()


def _start(platform: str = sys.platform) -> tuple[str, ...]:
    """Return the words that come before all others.

    In a checkout it is `start.py`, by the Python that made its environment: it mends this
    environment where something has happened to it.
    """
    python = Path(getattr(sys, "_base_executable", sys.executable) or sys.executable)
    if platform == "win32":  # this one opens no console
        quiet = python.with_name("pythonw.exe")
        python = quiet if quiet.is_file() else python
    if _is_checkout():
        return str(python), str(ROOT / "start.py")
    return (sys.executable,)


def _make(starter: Starter, platform: str, home: Path) -> None:
    if platform == "win32":
        _make_on_windows(starter)
        return
    files = _files(starter, platform, home)
    for file in files:
        _write(file)
    _say_made(starter, files[-1].path if platform != "darwin" else files[0].path.parent.parent)


def _make_on_windows(starter: Starter) -> None:
    desktop = Path(platformdirs.user_desktop_dir())
    icon = starters.icon_file(starter, settings_folder())
    _write(icon)
    if starters.make_shortcut(starter, desktop, icon.path):
        _say_made(starter, starters.shortcut(starter, desktop))
        return
    file = starters.command_file(starter, desktop)
    _write(file)
    _say_made(starter, file.path)


def _files(starter: Starter, platform: str, home: Path) -> list[File]:
    """Return all files of a starter that a system may have."""
    if platform == "darwin":
        return starters.macos_files(starter, home)
    if platform == "win32":
        desktop = Path(platformdirs.user_desktop_dir())
        link = File(starters.shortcut(starter, desktop), b"")
        icon = starters.icon_file(starter, settings_folder())
        return [icon, link, starters.command_file(starter, desktop)]
    return starters.linux_files(starter, os.environ, home)


def _say_made(starter: Starter, path: Path) -> None:
    print(MADE.format(path=path, title=starter.title))


def _write(file: File) -> None:
    make_folder(file.path.parent)
    write_whole(file.path, file.content)
    if file.is_executable:
        try:
            file.path.chmod(0o755)
        except OSError as error:
            raise cannot_write(file.path, error) from None


def _remove(starter: Starter, platform: str, home: Path) -> None:
    """Remove the files of a starter, and the folders that are empty without them."""
    desktop = starters.linux_desktop(os.environ, home) if platform == "linux" else None
    stay = (home, home / "Applications", desktop)
    for file in _files(starter, platform, home):
        if not file.path.exists():
            continue
        try:
            file.path.unlink()
            for folder in file.path.parents:
                if folder in stay or any(folder.iterdir()):
                    break
                folder.rmdir()
        except OSError as error:
            raise cannot_write(file.path, error) from None
        print(REMOVED.format(path=file.path))
