"""The file dialog for a program of the user's own.

pygame has none, so the desktop's own dialog runs as another program beside the unit, and prints
the chosen path.
"""

import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence

from city_unit.desktop.catalogue import _

_MACOS = 'POSIX path of (choose file with prompt "{title}")'  # no text: a script
_WINDOWS = (
    "Add-Type -AssemblyName System.Windows.Forms;"  # no text: a script
    "$dialog = New-Object System.Windows.Forms.OpenFileDialog;"
    "$dialog.Title = '{title}'; $dialog.Filter = 'TOML|*.toml|*|*.*';"
    "if ($dialog.ShowDialog() -eq 'OK') {{"
    "[Console]::OutputEncoding = [Text.Encoding]::UTF8; $dialog.FileName }}"
)
# Tk's dialog, if the desktop has none.
_OWN = (
    "import tkinter, tkinter.filedialog as dialog, sys\n"  # no text: a script
    "tkinter.Tk().withdraw()\n"
    "print(dialog.askopenfilename(title=sys.argv[1], filetypes=[('TOML', '*.toml'), ('*', '*')]))"
)


def command(
    title: str,
    platform: str = sys.platform,
    find: Callable[[str], str | None] = shutil.which,
) -> list[str]:
    """Return the command that opens a file dialog and prints the chosen path, or nothing."""
    if platform == "darwin":
        plain = title.replace("\\", "").replace('"', "")
        return ["osascript", "-e", _MACOS.format(title=plain)]
    if platform == "win32":
        script = _WINDOWS.format(title=title.replace("'", "''"))
        return ["powershell", "-NoProfile", "-STA", "-Command", script]
    if find("zenity"):
        pattern = "--file-filter=TOML | *.toml"
        return ["zenity", "--file-selection", f"--title={title}", pattern, "--file-filter=* | *"]
    if find("kdialog"):
        return ["kdialog", "--title", title, "--getopenfilename", ".", "*.toml"]
    return [sys.executable, "-c", _OWN, title]


class NoDialog(Exception):
    """This desktop has no file dialog."""


class FileDialog:
    """Opens at most one dialog at a time."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._is_own = False

    def open(self, words: Sequence[str] = ()) -> None:
        """Open the dialog unless it is open. Raises NoDialog."""
        if self._process is not None:
            return
        words = words or command(_("Choose a program of your own"))
        self._is_own = words[0] == sys.executable
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
                errors="surrogateescape",
            )
        except OSError:
            raise NoDialog from None

    def chosen(self) -> str | None:
        """Return the chosen path, "" if it was cancelled, None while it is open or closed."""
        if self._process is None or self._process.poll() is None:
            return None
        path = self._process.communicate()[0].strip()
        code, self._process = self._process.returncode, None
        # The desktops' dialogs exit with 1 when cancelled; so does Python without tkinter.
        if code not in (0, 1) or (code == 1 and self._is_own):
            raise NoDialog
        return path

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
