"""Set everything up and start: `python3 start.py`, or `python3 start.py test` for the tests.

This needs nothing but Python 3.10 or later. It makes an environment in `.venv`
beside this file, installs the project there, and then does what was asked:

    python3 start.py              the unit on the screen
    python3 start.py trace FILE   any command of city-unit, with what it takes
    python3 start.py desktop      starters for a double click
    python3 start.py game         the desktop game
    python3 start.py virtual      the firmware in a board that is a program
    python3 start.py wiring       the wiring diagrams, or one for your own pins
    python3 start.py case         the files of the case, for a 3D printer
    python3 start.py mpremote     MicroPython's own tool for boards
    python3 start.py esptool      Espressif's, which puts MicroPython onto an ESP32
    python3 start.py test         checks style and types, runs the tests but the slow ones
    python3 start.py test --all   the same with the slow tests
    python3 start.py test PATH    runs the tests of a file or folder, and nothing else
    python3 start.py bench        measures speed, size and exactness
    python3 start.py release OUT  builds everything that a person can download

A set-up that was interrupted, wherever that was, is mended by the next start.
"""

# A Python that is too old must get as far as the sentence that says so: this file is written
# in what Python 2.7 reads too, so its types stand in comments.

import sys

if sys.version_info < (3, 10):
    sys.exit(
        "start.py: this needs Python 3.10 or later, and this is Python %d.%d:"
        " get a later one from python.org and start it with that." % sys.version_info[:2]
    )

import contextlib
import errno
import hashlib
import os
import re
import signal
import subprocess
from collections.abc import Callable  # noqa: F401 - of a type in a comment
from pathlib import Path
from typing import TextIO  # noqa: F401 - as that

HERE = Path(__file__).resolve().parent
VENV = HERE / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
# Where it was installed, what the project needed then, and each extra that is there. In the place
# of what it needed stands UNFINISHED as long as something is being installed.
MARK = VENV / "installed.txt"
UNFINISHED = b"unfinished"
# The module that a word starts, and the extra of the project that it needs, installed on first use.
COMMANDS = {
    "flash": ("sim.cli", "board"),
    "selftest": ("sim.cli", "board"),
    "uf2": ("sim.cli", "uf2"),
    "listen": ("sim.cli", "listen"),
    "compare": ("sim.cli", "listen"),
    "export": ("sim.cli", "vcd"),
    "game": ("city_game.cli", ""),
    "virtual": ("firmware.virtual", "micropython"),
    "wiring": ("firmware.maker.wiring", ""),
    "case": ("firmware.maker.case", "case"),
    "mpremote": ("mpremote", "board"),
    "esptool": ("esptool", "esptool"),
    "test": ("tests", "test"),
    "bench": ("tests.bench", "test"),
    "release": ("release", "release"),
}
# Fails unless pip is there, and all files of each package: the last that pip writes of a
# package is the list of its files. So what a kill or a full disk has left behind is noticed.
IS_WHOLE = """
import importlib.metadata, sysconfig
where = [sysconfig.get_path("purelib")]
assert list(importlib.metadata.distributions(name="pip", path=where))
for package in importlib.metadata.distributions(path=where):
    assert package.read_text("RECORD"), "its files are not all there"
    for file in package.files:
        assert file.suffix == ".pyc" or file.size in (None, file.locate().stat().st_size)
"""


# Says a text in the person's language; English, until `speak` has found the catalogue.
_ = str  # type: Callable[[str], str]


def speak(words):
    # type: (list[str]) -> None
    """Speak the language that `--lang` asks for, or else the system's.

    The catalogue wants nothing that is to be installed first.
    """
    global _
    with contextlib.suppress(ImportError):
        from city_unit.desktop import catalogue, language

        asked = re.search(r"(?:^|\0)--lang[=\0]([^\0]+)", "\0".join(words))
        language.choose(asked.group(1) if asked else "")
        _ = catalogue.gettext


class Trouble(Exception):
    """A step of the set-up failed: the fault and its remedy on one line."""


def main(words):
    # type: (list[str]) -> int
    speak(words)
    module, extra = command(words)
    try:
        set_up(extra)
        return become(module, words if module == "sim.cli" else words[1:])
    except (Trouble, OSError) as problem:
        say("start.py: %s" % (with_remedy(problem) if isinstance(problem, OSError) else problem))
        if extra and is_set_up(""):
            only = _("start.py: only `{command}` needs this; the rest works without it")
            say(only.format(command=words[0]))
        return 1
    except KeyboardInterrupt:
        say(_("start.py: interrupted; start it again to go on"))
        return 130


def command(words):
    # type: (list[str]) -> tuple[str, str]
    """Return the module that runs the words, and the extra that it needs, "" for none."""
    module, extra = COMMANDS.get(words[0] if words else "", ("sim.cli", ""))
    if words[:1] == ["check"]:
        asked = " ".join(words)
        extra = "listen" if "--recording" in asked else ""
        extra = "micropython" if "micropython" in asked else extra
        extra = "uf2" if "chip" in words else extra
    if {"-h", "--help"} & set(words) and module not in ("mpremote", "esptool"):
        extra = ""  # ours can be explained without what they need
    return module, extra


def set_up(extra):
    # type: (str) -> None
    """Make the environment and install the project with `extra`, unless that is done."""
    if is_set_up(extra):
        return
    say(_("Setting up in {folder}; the first time takes a minute.").format(folder=VENV))
    with open(str(HERE / "pyproject.toml")) as turn:
        await_turn(turn)
        if is_set_up(extra):  # somebody else's start has just done it
            return
        before = installed()
        place, needed = fingerprint()
        is_moved = before[:1] not in ([], [place])  # scripts and links tell the old place
        if VENV.is_symlink() and not VENV.exists():
            VENV.unlink()
        VENV.mkdir(exist_ok=True)
        is_whole = not is_moved and python_runs("-Ic", IS_WHOLE)
        MARK.write_bytes(b"\n".join([place, UNFINISHED]))
        try:
            if not is_whole:
                failed = _("no environment was made; on Debian: sudo apt install python3-venv")
                step(failed, turn, sys.executable, "-m", "venv", "--clear", str(VENV))
            project = ".[%s]" % extra if extra else "."  # not by its path, which may have a bracket
            failed = _("could not install; is there a network, and room on the disk?")
            step(failed, turn, str(PYTHON), "-m", "pip", "install", "--editable", project)
        except Trouble:
            if is_whole and python_runs("-Ic", IS_WHOLE) and python_runs("-Im", "pip", "check"):
                MARK.write_bytes(b"\n".join(before))  # all that was there still works
            raise
        extras = before[2:] if is_whole and before[:2] == [place, needed] else []
        MARK.write_bytes(b"\n".join([place, needed] + extras + [extra.encode() or b"unit"]))


def is_set_up(extra):
    # type: (str) -> bool
    """Return whether the project is installed with `extra`, or at all, and can be started."""
    there = installed()
    is_there = there[:2] == fingerprint() and (not extra or extra.encode() in there)
    return is_there and python_runs("-Ic", "import pip, sim")


def installed():
    # type: () -> list[bytes]
    """Return the lines of the mark, none where nothing was installed."""
    return MARK.read_bytes().splitlines() if MARK.exists() else []


def fingerprint():
    # type: () -> list[bytes]
    """Return what the installation depends on: where it is, and what the project needs."""
    needed = hashlib.sha256((HERE / "pyproject.toml").read_bytes()).hexdigest()
    return [os.fsencode(HERE), needed.encode()]


def python_runs(*words):
    # type: (str) -> bool
    """Return whether the environment has a Python that runs this without an error."""
    command = [str(PYTHON)] + list(words)
    with contextlib.suppress(OSError):  # there is none, or a part of one
        return subprocess.run(command, capture_output=True).returncode == 0
    return False


def await_turn(turn):
    # type: (TextIO) -> None
    """Lock an open file, and wait as long as another start has the lock, or a step of its own.

    A process that inherits the file keeps the lock: pip goes on when its start was killed.
    """
    if sys.platform == "win32":
        return
    import fcntl

    with contextlib.suppress(OSError):  # a file system without locks
        try:
            fcntl.flock(turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(_("waiting for another set-up to end"))
            fcntl.flock(turn, fcntl.LOCK_EX)


def step(failed, turn, *command):
    # type: (str, TextIO, str) -> None
    """Run a command of the set-up in our folder, which tells its own progress; raise Trouble."""
    code = subprocess.call(
        command,
        cwd=str(HERE),
        env=dict(os.environ, PIP_DISABLE_PIP_VERSION_CHECK="1", PIP_NO_INPUT="1"),
        stdin=subprocess.DEVNULL,
        stdout=sys.stderr,
        pass_fds=() if os.name == "nt" else (turn.fileno(),),
    )
    if code:
        raise Trouble(failed)


def with_remedy(problem):
    # type: (OSError) -> str
    """Return an error of the system with what helps against it."""
    remedy = _("could not start")
    if problem.errno in (errno.ENOSPC, errno.EDQUOT):
        remedy = _("the disk is full: make room, and start it again")
    if problem.errno in (errno.EEXIST, errno.ENOTDIR):
        remedy = _("something else is in its place: move it away, and start again")
    if problem.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        remedy = _("nothing can be written here: copy this folder to a place of your own")
    return "%s (%s)" % (remedy, problem)


def say(text):
    # type: (str) -> None
    sys.stderr.write(text + "\n")


def become(module, words):
    # type: (str, list[str]) -> int
    """Replace this process by a module of the environment: each signal then reaches it.

    Windows cannot replace a process: there the module runs as a child, which the console
    interrupts as well.
    """
    command = [str(PYTHON), "-m", module] + words
    if os.name != "nt":
        sys.stderr.flush()
        os.execv(command[0], command)
    for name in ("SIGINT", "SIGBREAK"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda _number, _frame: None)
    return subprocess.call(command)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
