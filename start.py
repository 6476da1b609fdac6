"""Set up the project and run a command: `python3 start.py`, or `python3 start.py test`.

This needs only Python 3.10 or later. It creates an environment in `.venv` next to this file,
installs the project there with the packages that the command needs, and runs the command: one of
`COMMANDS`, or any other of city-unit. Without a command it opens the unit on the screen.

An interrupted set-up is repaired by the next start, wherever it stopped.
"""

# Python 2.7 must be able to parse this file, to print that it is too old. So types are in comments.

import sys

if sys.version_info < (3, 10):
    sys.exit(
        "start.py: this needs Python 3.10 or later, and this is Python %d.%d:"
        " install a newer one from python.org and run it with that." % sys.version_info[:2]
    )

import contextlib
import errno
import hashlib
import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Callable  # noqa: F401 - used in a type comment
from pathlib import Path
from typing import TextIO  # noqa: F401 - used in a type comment

HERE = Path(__file__).resolve().parent
VENV = HERE / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
# Its lines: the folder of the project, a hash of its requirements (UNFINISHED during an
# installation), and one for each installed extra.
MARK = VENV / "installed.txt"
UNFINISHED = b"unfinished"
# Translates a message; English until `speak` has loaded the catalogue.
_ = str  # type: Callable[[str], str]
# The module that runs a command, the extra that it needs, which is installed on first use, and, for
# a command that city-unit does not have, its line in the help.
COMMANDS = {
    "flash": ("sim.cli", "board", ""),
    "selftest": ("sim.cli", "board", ""),
    "uf2": ("sim.cli", "uf2", ""),
    "listen": ("sim.cli", "listen", ""),
    "compare": ("sim.cli", "listen", ""),
    "export": ("sim.cli", "vcd", ""),
    "game": ("city_game.cli", "", _("play the whole game at one screen")),
    "virtual": ("firmware.virtual", "micropython", _("run the firmware on a virtual board")),
    "wiring": ("firmware.maker.wiring", "", _("draw the wiring, also for your own pins")),
    "case": ("firmware.maker.case", "case", _("write the files of the case, for a 3D printer")),
    "mpremote": ("mpremote", "board", _("run MicroPython's own tool for boards")),
    "esptool": ("esptool", "esptool", _("run Espressif's tool, to put MicroPython on an ESP32")),
    "test": ("tests", "test", _("check style and types, and run the tests")),
    "bench": ("tests.bench", "test", _("measure speed and accuracy")),
    "release": ("release", "release", _("build everything that users can download")),
}
OTHERS = ("mpremote", "esptool", "tests")  # modules whose options are not ours
# Fails unless pip and all files of each package are there, and so detects the remains of a killed
# installation or a full disk: the last file that pip writes of a package is the list of its files.
IS_WHOLE = """
import importlib.metadata, sysconfig
where = [sysconfig.get_path("purelib")]
assert list(importlib.metadata.distributions(name="pip", path=where))
for package in importlib.metadata.distributions(path=where):
    assert package.read_text("RECORD"), "files are missing"
    for file in package.files:
        assert file.suffix == ".pyc" or file.size in (None, file.locate().stat().st_size)
"""


def speak(words):
    # type: (list[str]) -> None
    """Choose the language of messages: that of `--lang`, or else the system's.

    The catalogue works before anything is installed.
    """
    global _
    with contextlib.suppress(ImportError):
        from city_unit.desktop import catalogue, language
        from city_unit.desktop.command import split_language

        language.choose(split_language(words)[0])
        _ = catalogue.gettext


class SetUpError(Exception):
    """A step of the set-up failed; the message has the problem and the remedy on one line."""


def main(words):
    # type: (list[str]) -> int
    language, given = [], words  # `--lang` may precede the command
    if words and words[0].startswith("--lang"):
        count = 1 if "=" in words[0] else 2
        language, given = words[:count], words[count:]
    module, extra = command(given)
    try:
        speak(words)
        set_up(extra)
        if given[:1] in (["-h"], ["--help"]):  # the help that follows lists only those of city-unit
            translate = _  # the words in COMMANDS are marked there
            own = [(name, row[2]) for name, row in COMMANDS.items() if row[2]]
            say(_("Commands of start.py itself:"))
            say("".join("  %-10s  %s\n" % (name, translate(text)) for name, text in own))
        if module == "sim.cli":
            return become(module, words)
        return become(module, given[1:] if module in OTHERS else language + given[1:])
    except (SetUpError, OSError) as problem:
        say("start.py: %s" % (with_remedy(problem) if isinstance(problem, OSError) else problem))
        if extra and is_set_up(""):
            only = _("start.py: only `{command}` needs this; the rest works without it")
            say(only.format(command=given[0]))
        return 1
    except KeyboardInterrupt:
        say(_("start.py: interrupted; run it again to continue"))
        return 130


def command(words):
    # type: (list[str]) -> tuple[str, str]
    """Return the module that runs the command, and the extra that it needs, "" for none."""
    module, extra, _help = COMMANDS.get(words[0] if words else "", ("sim.cli", "", ""))
    line = " ".join(words).lower()
    if words[:1] == ["check"]:
        extra = "vcd" if ".vcd" in line else ""
        extra = "listen" if "--recording" in line else extra
        extra = "micropython" if re.search("--on[= ]micropython", line) else extra
        extra = "uf2" if re.search("--on[= ]chip", line) else extra
    if words[:1] == ["export"] and ".vcd" not in line:
        extra = ""
    if {"-h", "--help"} & set(words) and module not in ("mpremote", "esptool"):
        extra = ""  # the help of our own commands needs no extra
    if words[:1] in (["check"], ["compare"], ["export"], ["listen"]):
        # Nor do they need it to say that their file is missing.
        first = words[1] if words[1:] else ""
        extra = extra if first[:1] == "-" or os.path.exists(first) else ""
    return module, extra


def set_up(extra):
    # type: (str) -> None
    """Create the environment and install the project with `extra`, unless that is done."""
    if is_set_up(extra):
        return
    if installed()[:2] == fingerprint():
        say(_("Setting up what this command needs; only its first use waits for it."))
    else:
        say(_("Setting up in {folder}; the first time takes a minute or two.").format(folder=VENV))
    with open(str(HERE / "pyproject.toml")) as locked:
        lock(locked)
        if is_set_up(extra):  # another start has just done it
            return
        before = installed()
        place, needed = fingerprint()
        if VENV.is_symlink() and not VENV.exists():
            VENV.unlink()
        VENV.mkdir(exist_ok=True)
        # Scripts and links contain the path of the folder.
        is_whole = before[:1] in ([], [place]) and python_runs("-Ic", IS_WHOLE)
        known = {row[1].encode() for row in COMMANDS.values()} - {extra.encode()}
        extras = [name for name in before[2:] if name in known]
        unfinished = b"\n".join([place, UNFINISHED] + extras)
        MARK.write_bytes(unfinished)
        if extra:
            extras.append(extra.encode())
        try:
            if not is_whole:
                failed = _(
                    "cannot create the environment; on Debian: sudo apt install python3-venv"
                )
                step(failed, locked, sys.executable, "-m", "venv", "--clear", str(VENV))
                MARK.write_bytes(unfinished)
            # Not the path of the project, which may have a bracket.
            project = ".[%s]" % b",".join(extras).decode() if extras else "."
            failed = _("cannot install the packages; check the network and the free disk space")
            step(failed, locked, str(PYTHON), "-m", "pip", "install", "--editable", project)
        except SetUpError:
            works = is_whole and python_runs("-Ic", IS_WHOLE) and python_runs("-Im", "pip", "check")
            # If the old environment is gone, the next start does without the extras: one of them
            # may be the reason.
            MARK.write_bytes(b"\n".join(before if works else [place, UNFINISHED]))
            raise
        MARK.write_bytes(b"\n".join([place, needed] + extras))


def is_set_up(extra):
    # type: (str) -> bool
    """Return whether the project is installed, with `extra` if that is not "", and runs."""
    lines = installed()
    is_there = lines[:2] == fingerprint() and (not extra or extra.encode() in lines)
    return is_there and python_runs("-Ic", "import pip, sim")


def installed():
    # type: () -> list[bytes]
    """Return the lines of MARK, [] if nothing is installed."""
    return MARK.read_bytes().splitlines() if MARK.exists() else []


def fingerprint():
    # type: () -> list[bytes]
    """Return what an installation depends on: the folder and a hash of the requirements."""
    needed = hashlib.sha256((HERE / "pyproject.toml").read_bytes()).hexdigest()
    return [os.fsencode(HERE), needed.encode()]


def python_runs(*words):
    # type: (str) -> bool
    """Return whether the Python of the environment exists and exits without an error."""
    command = [str(PYTHON)] + list(words)
    with contextlib.suppress(OSError):  # it is missing or broken
        return subprocess.run(command, capture_output=True).returncode == 0
    return False


def lock(file):
    # type: (TextIO) -> None
    """Lock an open file, after waiting for other starts and the steps they run.

    The steps inherit the file and so the lock: if a start is killed, its pip continues.
    """
    if sys.platform == "win32":
        return
    import fcntl

    with contextlib.suppress(OSError):  # a file system without locks
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(_("waiting for another set-up to end"))
            fcntl.flock(file, fcntl.LOCK_EX)


def step(failed, locked, *command):
    # type: (str, TextIO, str) -> None
    """Run a command of the set-up, which prints its own progress; raise SetUpError(failed).

    Its errors are printed if it fails, but not after Ctrl-C: venv's would be a traceback. They go
    to a file, since the command outlives a start that is killed.
    """
    with tempfile.TemporaryFile() as errors:
        code = subprocess.call(
            command,
            cwd=str(HERE),
            env=dict(os.environ, PIP_DISABLE_PIP_VERSION_CHECK="1", PIP_NO_INPUT="1"),
            stdin=subprocess.DEVNULL,
            stdout=sys.stderr,
            stderr=errors,
            pass_fds=() if os.name == "nt" else (locked.fileno(),),
        )
        if code:
            errors.seek(0)
            sys.stderr.write(errors.read().decode(errors="replace"))
            raise SetUpError(failed)


def with_remedy(problem):
    # type: (OSError) -> str
    """Return an error of the system with its remedy in front."""
    remedy = _("could not start")
    if problem.errno in (errno.ENOSPC, errno.EDQUOT):
        remedy = _("the disk is full: free some space and run this again")
    if problem.errno in (errno.EEXIST, errno.ENOTDIR):
        remedy = _("another file is in the way: move it and run this again")
    if problem.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        remedy = _("cannot write here: copy this folder to a place of your own")
    return "%s (%s)" % (remedy, problem)


def say(text):
    # type: (str) -> None
    sys.stderr.write(text + "\n")


def become(module, words):
    # type: (str, list[str]) -> int
    """Replace this process by a module of the environment, so that signals reach the module.

    Windows cannot replace a process. There the module runs as a child, which receives the
    console's Ctrl-C too.
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
