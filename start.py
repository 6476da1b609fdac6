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

HERE = Path(__file__).resolve().parent
VENV = HERE / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
# Packages that some commands need beyond the rest; they are installed on first use.
EXTRAS = {
    "flash": "board",
    "selftest": "board",
    "uf2": "uf2",
    "mpremote": "board",
    "esptool": "esptool",
    "case": "case",
    "listen": "listen",
    "export": "vcd",
    "virtual": "micropython",
    "test": "test",
    "bench": "test",
    "release": "release",
}
# Twice as many workers as processors, since a part of the tests waits for programs; they take tests
# from one list, so that none is idle while another has a long file.
WORKERS = ("-n=%d" % (2 * (os.cpu_count() or 1)), "--dist=worksteal")
USUAL_TESTS = [("-m=not slow",) + WORKERS]
ALL_TESTS = [("-m=not alone",) + WORKERS, ("-m=alone",)]
# Words that are no command of city-unit: the module that each starts.
PROGRAMS = {
    "game": "city_game.cli",
    "virtual": "firmware.virtual",
    "wiring": "firmware.maker.wiring",
    "case": "firmware.maker.case",
    "mpremote": "mpremote",
    "esptool": "esptool",
    "bench": "tests.bench",
    "release": "release",
}
# Programs of others, which are there only when they are installed.
OF_OTHERS = ("test", "mpremote", "esptool")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
# Is there as long as something is being installed: a set-up that left it behind was killed.
UNFINISHED = VENV / "unfinished.txt"
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


def _(text):
    # type: (str) -> str
    """Say a text in the person's language, if this copy speaks it."""
    return translated(text)


# The function that says it; English, until `speak` has found the catalogue.
translated = str  # type: Callable[[str], str]


def speak(words):
    # type: (list[str]) -> None
    """Speak the language that `--lang` asks for, or else was chosen, or else is the system's.

    The catalogue wants nothing that is to be installed first.
    """
    global translated
    try:
        from city_unit.desktop import catalogue, language
    except ImportError:
        return
    asked = re.search(r"(?:^|\0)--lang[=\0]([^\0]+)", "\0".join(words))
    language.choose(asked.group(1) if asked else "")
    translated = catalogue.gettext


def remedies():
    # type: () -> dict[tuple[int, ...], str]
    """Return what to do about errors of the system, by their numbers."""
    return {
        (errno.ENOSPC, errno.EDQUOT): _("the disk is full: make room, and start it again"),
        (errno.EEXIST, errno.ENOTDIR): _(
            "something else is in its place: move it away, and start again"
        ),
        (errno.EACCES, errno.EPERM, errno.EROFS): _(
            "nothing can be written here: copy this folder to a place of your own, and start it"
            " there"
        ),
    }


class Trouble(Exception):
    """The fault and its remedy on one line, and whether it left things whole."""

    def __init__(self, text, is_harmless=False):
        # type: (str, bool) -> None
        super().__init__(text)
        self.is_harmless = is_harmless


def main(words):
    # type: (list[str]) -> int
    speak(words)
    command = words[0] if words else ""
    needed = extra(command, words[1:])
    try:
        set_up(needed)
        if command == "test":
            return test(words[1:])
        if command in PROGRAMS:
            return become(PROGRAMS[command], *words[1:])
        return become("sim.cli", *words)
    except (Trouble, OSError) as problem:
        is_ours = isinstance(problem, Trouble)
        what = str(problem) if is_ours else with_remedy(_("could not start"), str(problem))
        say("start.py: %s" % what)
        if needed and is_set_up(""):
            words_of_it = _("start.py: only `{command}` needs this; the rest works without it")
            say(words_of_it.format(command=command))
        return 1
    except KeyboardInterrupt:
        say(_("start.py: interrupted; start it again to go on"))
        return 130


def extra(command, words):
    # type: (str, list[str]) -> str
    """Return what a command needs beyond the rest, "" for nothing."""
    if ("-h" in words or "--help" in words) and command not in OF_OTHERS:
        return ""  # ours can be explained without what they need
    if command == "bench" and "chip" in words:
        return "uf2"
    if command == "check":
        if "chip" in words:
            return "uf2"
        return "micropython" if any("micropython" in word for word in words) else ""
    return EXTRAS.get(command, "")


def set_up(extra):
    # type: (str) -> None
    """Make the environment and install the project with `extra`, unless that is done."""
    if is_set_up(extra):
        return
    say(_("Setting up in {folder}; the first time takes a minute.").format(folder=VENV))
    turn = await_turn()
    was_unfinished = UNFINISHED.exists()
    try:
        if is_set_up(extra):  # somebody else's start has just done it
            return
        if VENV.is_symlink() and not VENV.exists():
            VENV.unlink()
        VENV.mkdir(exist_ok=True)
        UNFINISHED.touch()
        if not is_whole():
            make(turn)
        install(extra, turn)
        (VENV / ("installed-%s.txt" % (extra or "unit"))).write_bytes(fingerprint())
        UNFINISHED.unlink(missing_ok=True)
    except Trouble as trouble:
        if trouble.is_harmless and not was_unfinished:
            UNFINISHED.unlink(missing_ok=True)
        raise
    finally:
        os.close(turn)


def is_set_up(extra):
    # type: (str) -> bool
    """Return whether the project is installed with `extra`, or at all, and can be started."""
    done = any(mark.read_bytes() == fingerprint() for mark in marks(extra or "*"))
    return done and not UNFINISHED.exists() and python_runs("import pip, sim")


def is_whole():
    # type: () -> bool
    """Return whether the environment was made in this place, and no file of it is missing."""
    here = fingerprint().splitlines()[0]
    moved = any(mark.read_bytes().splitlines()[:1] != [here] for mark in marks("*"))
    return not moved and python_runs(IS_WHOLE)


def marks(extra):
    # type: (str) -> list[Path]
    return list(VENV.glob("installed-%s.txt" % extra))


def fingerprint():
    # type: () -> bytes
    """Return what the installation depends on: where it is, and what the project needs."""
    needed = hashlib.sha256((HERE / "pyproject.toml").read_bytes()).hexdigest()
    return os.fsencode(HERE) + b"\n" + needed.encode()


def python_runs(code):
    # type: (str) -> bool
    """Return whether the environment has a Python, and it runs `code` without an error."""
    try:
        return subprocess.run([str(PYTHON), "-Ic", code], capture_output=True).returncode == 0
    except OSError:
        return False


def await_turn():
    # type: () -> int
    """Wait until no other start sets up; return an open file, which keeps others waiting.

    Whoever inherits the file keeps them waiting too: pip goes on when its start was killed.
    """
    turn = os.open(str(HERE / "pyproject.toml"), os.O_RDONLY)
    if sys.platform == "win32":
        return turn
    import fcntl

    with contextlib.suppress(OSError):  # a file system without locks
        try:
            fcntl.flock(turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("  " + _("waiting for another set-up to end"))
            fcntl.flock(turn, fcntl.LOCK_EX)
    return turn


def make(turn):
    # type: (int) -> None
    """Make a new environment; what there was of an older one is deleted."""
    for mark in marks("*"):
        mark.unlink()
    say("  " + _("an environment for it alone"))
    failed = _("could not make an environment")
    step([sys.executable, "-m", "venv", "--clear", "--without-pip", str(VENV)], turn, failed)
    step(
        [str(PYTHON), "-m", "ensurepip", "--upgrade", "--default-pip"],
        turn,
        _("this Python has no pip; on Debian and Ubuntu: sudo apt install python3-venv"),
    )


def install(extra, turn):
    # type: (str, int) -> None
    """Install the project with `extra`."""
    project = ".[%s]" % extra if extra else "."  # not by its path, which may have a bracket
    pip = [str(PYTHON), "-m", "pip", "install", "--editable", project]
    step(pip, turn, _("could not install; are you connected to the network?"))


def step(command, turn, failed):
    # type: (list[str], int, str) -> None
    """Run a command of the set-up in our folder, and show how far it is; raise Trouble."""
    settings = {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1", "PYTHONUNBUFFERED": "1"}
    lines = []
    with subprocess.Popen(
        command,
        cwd=str(HERE),
        env=dict(os.environ, **settings),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        pass_fds=() if os.name == "nt" else (turn,),
    ) as process:
        for line in process.stdout or ():
            lines.append(line.strip())
            show_progress(lines[-1])
    if process.returncode:
        # With this line pip begins to change what is there; all before it is in folders of its own.
        is_harmless = not any(line.startswith("Installing collected packages") for line in lines)
        raise Trouble(with_remedy(failed, reason(lines)), is_harmless)


def show_progress(line):
    # type: (str) -> None
    """Say what a line of pip's means, if somebody who waits wants to know it."""
    package = re.match(r"Collecting ([\w.-]+)|Processing .*/([\w.]+)-", line)
    if package:
        say("  %s" % (package.group(1) or package.group(2)))
    elif line.startswith("Installing build dependencies: started"):
        say("  " + _("what it is installed with"))
    elif line.startswith("WARNING: Retrying"):
        say("  " + _("no answer; trying again"))
    elif line.startswith("Building wheels"):
        say("  " + _("City Unit itself"))


def reason(lines):
    # type: (list[str]) -> str
    """Return the first line that reports an error, or else the last that is no warning."""
    written = [line for line in lines if line and not re.match(r"(?i)(warning|note|hint): ", line)]
    for pattern in (r"(ERROR|Error|\w+Error): ", r"(?i)error\b"):
        errors = [line for line in written if re.match(pattern, line)]
        if errors:
            return errors[0]
    return written[-1] if written else _("no reason given")


def with_remedy(failed, reason):
    # type: (str, str) -> str
    """Return what failed and why, with what helps against it, if the system gave its number."""
    for numbers, remedy in remedies().items():
        if any("[Errno %d]" % number in reason for number in numbers):
            return "%s (%s)" % (remedy, reason)
    return "%s (%s)" % (failed, reason)


def say(text):
    # type: (str) -> None
    sys.stderr.write(text + "\n")


def become(module, *words):
    # type: (str, *str) -> int
    """Replace this process by a module of the environment: each signal then reaches it.

    Windows cannot replace a process: there the module runs as a child.
    """
    if os.name == "nt":
        return run(module, *words)
    sys.stderr.flush()
    return os.execve(str(PYTHON), command_of(module, words), environment_of(module))


def run(module, *words):
    # type: (str, *str) -> int
    """Run a module of the environment as a child, forward signals to it, return its exit code."""
    with subprocess.Popen(command_of(module, words), env=environment_of(module)) as program:
        for name in ("SIGTERM", "SIGHUP", "SIGBREAK"):
            if hasattr(signal, name):
                signal.signal(
                    getattr(signal, name), lambda number, _frame: program.send_signal(number)
                )
        while True:
            try:
                return program.wait()
            except KeyboardInterrupt:  # a terminal sends it to the child as well
                continue


def command_of(module, words):
    # type: (str, tuple[str, ...]) -> list[str]
    return [str(PYTHON), "-m", module] + list(words)


def environment_of(module):
    # type: (str) -> dict[str, str]
    """Return the environment of a module; what is not installed needs our folder."""
    is_here = module == "release" or module.startswith("tests.")
    return dict(os.environ, PYTHONPATH=str(HERE)) if is_here else dict(os.environ)


def test(words):
    # type: (list[str]) -> int
    """Run all checks, whatever fails; or, for a path or an option of pytest, just those tests."""
    if words and words != ["--all"]:
        return become("pytest", *words)
    os.chdir(str(HERE))
    checks = [("ruff", "check", "."), ("ruff", "format", "--check", ".")]
    checks += [("pytest",) + chosen for chosen in (ALL_TESTS if words else USUAL_TESTS)]
    failed = []
    for check in checks:
        code = run(*check)
        if code == -signal.SIGINT:
            raise KeyboardInterrupt
        if code:
            ended = _("{check} (ended by signal {number})").format(check=check[0], number=-code)
            failed.append(check[0] if code > 0 else ended)
    if not words:
        left_out = _(
            "start.py: left out: the tests marked slow, which take long or are one more of many"
            " cases; `start.py test --all` runs them too"
        )
        say(left_out)
    if failed:
        say(_("start.py: failed: {checks}").format(checks=", ".join(failed)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
