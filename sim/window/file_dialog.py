"""A dialog to choose a file, which the desktop brings: pygame has none.

It runs as a program of its own, so that the unit goes on meanwhile.
"""

# No texts: scripts for other programs.
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence

from city_unit.desktop.catalogue import lazy

CHOOSE = lazy("Choose a program of your own")

_MACOS = 'POSIX path of (choose file with prompt "{title}")'
_WINDOWS = (
    "Add-Type -AssemblyName System.Windows.Forms;"
    "$dialog = New-Object System.Windows.Forms.OpenFileDialog;"
    "$dialog.Title = '{title}'; $dialog.Filter = 'TOML|*.toml|*|*.*';"
    "if ($dialog.ShowDialog() -eq 'OK') {{"
    "[Console]::OutputEncoding = [Text.Encoding]::UTF8; $dialog.FileName }}"
)
# Python's own, where the desktop has none that can be called.
_OWN = (
    "import tkinter, tkinter.filedialog as dialog, sys\n"
    "tkinter.Tk().withdraw()\n"
    "print(dialog.askopenfilename(title=sys.argv[1], filetypes=[('TOML', '*.toml'), ('*', '*')]))"
)


def command(
    title: str,
    platform: str = sys.platform,
    find: Callable[[str], str | None] = shutil.which,
) -> list[str]:
    """Return the command that asks for a file and prints its path; it ends so or empty-handed."""
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


class FileDialog:
    """At most one dialog at a time."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._is_own = False

    def open(self, words: Sequence[str] = ()) -> bool:
        """Open it, unless it is open; return whether there is one."""
        if self._process is not None:
            return True
        words = words or command(str(CHOOSE))
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
            return False
        return True

    @property
    def is_open(self) -> bool:
        return self._process is not None

    def chosen(self) -> str | None:
        """Return the path when a file has been chosen, "" if none was, None before that."""
        if self._process is None or self._process.poll() is None:
            return None
        path = self._process.communicate()[0].strip()
        code, self._process = self._process.returncode, None
        # 1 is how a desktop's dialog says that nothing was chosen, and how Python's own ends
        # where it has no tkinter.
        if code not in (0, 1) or (code == 1 and self._is_own):
            raise NoDialog
        return path

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


class NoDialog(Exception):
    """This desktop has no dialog that could be opened."""
